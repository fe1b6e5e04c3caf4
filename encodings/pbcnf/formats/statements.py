"""Clauses as text, read strictly and token by token; for DIMACS CNF and its relatives.

A statement is literals up to a 0, in some formats with a word before them (``a`` or a weight). It
may span lines, and lines may hold several. A line that begins with ``c`` is a comment, also between
the lines of one statement; text behind a statement is a comment if it begins with ``c``.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass
from typing import Final, NamedTuple, NoReturn

from pbcnf.formats.error import FormatError, declared_variables, excerpt, too_many_variables
from pbcnf.literals import MAX_VAR, Lit
from pbcnf.wording import are, counted

# Headers and lines of other formats, recognised for error messages.

_HEADERS: Final = {
    b"cnf": "DIMACS CNF",
    b"wcnf": "weighted MaxSAT (WCNF)",
    b"inccnf": "iCNF (clauses and cubes)",
    b"icnf": "an incremental proof's iCNF (queries)",
    b"knf": "KNF (clauses and cardinality constraints)",
    b"cnf+": "the CNF+ of Minicard and PySAT",
    b"wcnf+": "the WCNF+ of PySAT",
    b"gcnf": "group CNF (GCNF)",
    b"pcnf": "projected counting as of 2020",
    b"pmc": "projected counting",
    b"wpcnf": "weighted projected counting",
    b"edge": "a graph in DIMACS form",
    b"col": "a graph in DIMACS form",
    b"sat": "a formula in DIMACS SAT form",
}
_LINES: Final = (
    (rb"x-?[0-9]*", "an XOR clause of CryptoMiniSat"),
    (rb"h", "a hard clause of WCNF"),
    (rb"a", "a cube of iCNF or a quantifier of QDIMACS"),
    (rb"e", "a quantifier of QDIMACS"),
    (rb"k", "a cardinality constraint of KNF"),
    (rb"[iqmulf]", "a line of an incremental proof"),
    (rb"d", "a deletion in a proof"),
    (rb"[svo]", "a line of a solver's output"),
    (rb"\*.*|[+-][0-9]+", "OPB"),
    (rb"\{[0-9]+\}", "a group of GCNF"),
    (rb"\(.*|;.*", "SMT-LIB"),
    (rb"<[!a-zA-Z].*", "HTML"),
)


def named_header(text: bytes, needed: str) -> str:
    """Return the message for a line `text` that begins with p but is not the header `needed`."""
    words = text.split(maxsplit=2)
    kind = words[1] if len(words) > 1 else b""
    known = _HEADERS.get(kind)
    if known is None or needed.split()[1] == kind.decode("ascii", "replace"):
        return f"'{excerpt(text)}' is no header: '{needed}' is needed"
    return f"'{excerpt(text)}' is the header of {known}: '{needed}' is needed"


def named_start(token: bytes) -> str:
    """Return " (FORMAT?)" for a line start `token` that is known from another format, or ""."""
    for pattern, name in _LINES:
        if re.fullmatch(pattern, token[:80], re.DOTALL):
            return f" ({name}?)"
    return ""


MOST_COMMENTS: Final = 2**22
"""The largest number of comments, which are held in memory: one for each cell of a large board."""

_TOKEN: Final = re.compile(rb"[^ \t]+")
_LITERAL: Final = re.compile(rb"-?[1-9][0-9]*")
_LITERALS: Final = rb"((?:-?[1-9][0-9]{0,9}[ \t]+)*+)0[ \t]*(?:\r?\n)?"
_MOST_REGULAR: Final = 2**16
_MOST_DIGITS: Final = len(str(MAX_VAR))


@dataclass(frozen=True, slots=True)
class Grammar:
    """The syntax of one format of clauses; patterns match whole lines and whole tokens.

    The groups of `header` are numbers: variables, statements, and one more that may be missing.
    """

    header: bytes
    header_form: str
    header_needed: bool = True
    lead: bytes | None = None
    """The first word of a statement."""
    lead_with_header: bytes | None = None
    """The first word of a statement in a file with a header, if it differs from `lead`."""
    lead_form: str = ""
    lead_needed: bool = False
    statement: str = "clause"


class Header(NamedTuple):
    """The numbers of a header; None for a missing number."""

    variables: int | None = None
    statements: int | None = None
    third: int | None = None


class Comment(NamedTuple):
    """The text of a comment after the c, and its place."""

    line: int
    column: int
    raw: bytes

    @property
    def text(self) -> str:
        """The comment without the blank after the c; bytes that are no UTF-8 as escapes."""
        return self.raw.decode("utf-8", "backslashreplace").removeprefix(" ").rstrip()


class ClauseStatement(NamedTuple):
    """A clause, cube or weighted clause; `lead` is the word before the literals, if any."""

    lead: bytes | None
    lits: list[Lit]
    line: int


class Statements:
    """A reader that takes a file line by line; `finish` checks that the file was complete.

    If strict, literals beyond the declared variables, a wrong number of statements and a missing
    header are refused. Otherwise they become `notes`.
    """

    def __init__(self, grammar: Grammar, source: str, strict: bool = True) -> None:
        """Start before the first line of the file that errors call `source`."""
        self.grammar = grammar
        self.source = source
        self.strict = strict
        self.line = 0
        self.count = 0
        self.largest = 0
        self.header: Header | None = None
        self.comments: list[Comment] = []
        self.notes: list[str] = []
        self.stopped = False
        self.begun = False
        """Whether a statement has begun and not ended; its literals so far are `pending`."""
        self.pending = array("i")
        self._lead: bytes | None = None
        self._end = (0, 0)
        self._set_lead(grammar.lead)

    def _set_lead(self, lead: bytes | None) -> None:
        self._lead_pattern = None if lead is None else re.compile(lead)
        word = b"" if lead is None else b"(" + lead + b")[ \t]+"
        if lead is not None and not self.grammar.lead_needed:
            word = b"(?:" + word + b")?"
        self._regular = re.compile(rb"[ \t]*+" + (word or b"()") + _LITERALS)

    @property
    def ready(self) -> bool:
        """Whether statements may follow: the header has been read, or the file has none."""
        return self.header is not None or self._started or not self.grammar.header_needed

    @property
    def _started(self) -> bool:
        return self.count > 0 or self.begun

    @property
    def limit(self) -> int:
        """The largest variable that a literal may have."""
        declared = self.header.variables if self.header and self.strict else None
        return MAX_VAR if declared is None else declared

    @property
    def declared(self) -> int | None:
        """The number of statements that the header declares and that must not be exceeded."""
        return self.header.statements if self.header and self.strict else None

    def take(self, line: bytes) -> list[ClauseStatement]:
        """Read `line`, including the line feed; return the statements that end in `line`."""
        self.line += 1
        if self.stopped or not line.strip(b" \t\r\n"):
            return []
        if line[:1] == b"c":
            self._comment(line.removesuffix(b"\n").removesuffix(b"\r"), 1)
            return []
        if not self.begun and self.ready and len(line) < _MOST_REGULAR:
            regular = self._regular.fullmatch(line)
            if regular is not None and self.count != self.declared:
                lead, text = regular.groups()
                lits = list(map(int, text.split()))
                largest = max(map(abs, lits), default=0)
                if largest <= self.limit:
                    self.count += 1
                    self.largest = max(self.largest, largest)
                    return [ClauseStatement(lead or None, lits, self.line)]
        return self._tokens(line.removesuffix(b"\n").removesuffix(b"\r"))

    def end_within(self, block: bytes) -> None:
        """Note that a statement goes on behind the lines of `block`, which come next."""
        end = len(block.rstrip(b" \t\r\n"))
        start = block.rfind(b"\n", 0, end) + 1
        self._end = self.line + block.count(b"\n", 0, end) + 1, end - start

    def finish(self) -> None:
        """Raise FormatError unless the file may end here."""
        what = self.grammar.statement
        wanted = f"'{self.grammar.header_form}' is needed"
        if self.begun:
            raise FormatError(self.source, *self._end, f"the last {what} has no 0")
        if self.header is None and self.grammar.header_needed:
            if self.line == 0:
                raise FormatError(self.source, None, None, f"the file is empty: {wanted}")
            if self.strict or not self.count:
                message = f"no header in {counted(self.line, 'line')}: {wanted}"
                raise FormatError(self.source, None, None, message)
            self.notes.append(f"no header: {wanted}")
        declared = Header() if self.header is None else self.header
        if declared.statements is not None and self.count != declared.statements:
            promised = counted(declared.statements, f"declared {what}")
            message = f"the file ends after {self.count} of {promised}"
            if self.strict:
                raise FormatError(self.source, None, None, message)
            self.notes.append(
                f"{counted(self.count, what)}, but {declared.statements}"
                f" {are(declared.statements)} declared"
            )
        if declared.variables is not None and self.largest > declared.variables:
            self.notes.append(
                f"variable {self.largest}, but {declared_variables(declared.variables)}"
            )

    def _tokens(self, text: bytes) -> list[ClauseStatement]:
        done: list[ClauseStatement] = []
        for index, match in enumerate(_TOKEN.finditer(text)):
            token, column = match[0], match.start() + 1
            if token[:1] == b"c" and (index == 0 or not self.begun):
                self._comment(text, column)
                break
            if not self.begun:
                if index == 0 and token == b"p":
                    self._read_header(text, column)
                    break
                if index == 0 and token == b"%":
                    self.stopped = True
                    self.notes.append(f"line {self.line}: '%', nothing behind it was read")
                    break
                if self._begin(token, column):
                    continue
            if token == b"0":
                done.append(ClauseStatement(self._lead, self.pending.tolist(), self.line))
                self.pending = array("i")
                self.count += 1
                self.begun = False
            else:
                self._literal(token, column)
            self._end = self.line, column + len(token) - 1
        return done

    def _comment(self, text: bytes, column: int) -> None:
        if len(self.comments) == MOST_COMMENTS:
            self._refuse(column, f"too large: more than {MOST_COMMENTS:,} comments")
        self.comments.append(Comment(self.line, column + 1, text[column:]))

    def _read_header(self, text: bytes, column: int) -> None:
        if self.header is not None:
            self._refuse(column, f"a second header, after '{self.grammar.header_form}'")
        stripped = text.strip(b" \t")
        match = re.fullmatch(self.grammar.header, stripped)
        if match is None:
            self._refuse(column, named_header(stripped, self.grammar.header_form))
        if self._started:
            self._refuse(
                column, f"the header comes after {counted(self.count, self.grammar.statement)}"
            )
        numbers = (None if number is None else int(number) for number in match.groups())
        header = Header(*numbers)
        if header.variables is not None and header.variables > MAX_VAR:
            self._refuse(column + match.start(1), too_many_variables(header.variables))
        self.header = header
        if self.grammar.lead_with_header is not None:
            self._set_lead(self.grammar.lead_with_header)

    def _begin(self, token: bytes, column: int) -> bool:
        """Begin a statement; return whether `token` is the word before its literals."""
        needed = self.grammar.header_form
        what = self.grammar.statement
        lead = self._lead_pattern is not None and self._lead_pattern.fullmatch(token) is not None
        if not self.ready and self.grammar.header_needed and (self.strict or not _number(token)):
            message = f"the header '{needed}' must come before all {what}s"
            self._refuse(column, message + named_start(token))
        if not lead and self.grammar.lead_needed:
            message = f"'{excerpt(token)}' is no {self.grammar.lead_form}"
            self._refuse(column, message + named_start(token))
        if not lead and not _number(token):
            self._refuse(column, f"'{excerpt(token)}' is no literal{named_start(token)}")
        if self.count == self.declared:
            number = f"{self.count} {are(self.count)}"
            self._refuse(column, f"{what} {self.count + 1}, but {number} declared")
        self._lead = token if lead else None
        self.begun = True
        self._end = self.line, column + len(token) - 1
        return lead

    def _literal(self, token: bytes, column: int) -> None:
        if not _LITERAL.fullmatch(token):
            hint = " (the CNF+ of Minicard and PySAT?)" if token in (b"<=", b">=") else ""
            self._refuse(column, f"'{excerpt(token)}' is no literal{hint}")
        if len(token) > _MOST_DIGITS + 1 or abs(int(token)) > self.limit:
            self._refuse(column, f"literal {excerpt(token)}: {declared_variables(self.limit)}")
        self.pending.append(int(token))
        self.largest = max(self.largest, abs(self.pending[-1]))

    def _refuse(self, column: int, message: str) -> NoReturn:
        raise FormatError(self.source, self.line, column, message)


def _number(token: bytes) -> bool:
    return token == b"0" or _LITERAL.fullmatch(token) is not None
