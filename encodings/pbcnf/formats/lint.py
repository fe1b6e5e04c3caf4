"""A CNF file against the rules of the SAT Competition, as far as a program can check them.

The text is parsed here, line by line, and not by the reader of formulas, which is more lenient than
the rules.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Final, Literal

Severity = Literal["error", "warning"]

RULES: Final[dict[str, tuple[Severity, str]]] = {
    "header": ("error", "one line 'p cnf nbvar nbclauses' comes before all clauses"),
    "comments-first": ("error", "comments stand before the header only"),
    "one-line": ("error", "a clause ends with 0 on its own line, and is alone there"),
    "literal": ("error", "a literal is an integer from -nbvar to nbvar, not 0"),
    "distinct": ("error", "the literals of a clause are distinct"),
    "opposite": ("warning", "no clause holds i and -i (removed in 2026, forbidden before)"),
    "nbvar": ("error", "nbvar is the exact number of variables that appear"),
    "nbclauses": ("error", "nbclauses is the exact number of clauses"),
    "ascii": ("error", "the file is plain ASCII text with newlines"),
    "header-in-comment": ("warning", "no comment holds 'p cnf': some proof checkers read it"),
    "duplicate": ("warning", "no clause is there twice"),
    "empty-clause": ("warning", "no clause is empty: the instance would be trivial"),
    "name": ("warning", "the file is called family_parameters_seed.cnf.xz, in lower case"),
}
"""Rule -> severity and text.

The errors are the format of https://satcompetition.github.io/2026/benchmarks.html, the warnings
are about content that organisers clean up, or that has made tools fail.
"""

_HEADER: Final = re.compile(rb"p cnf (0|[1-9][0-9]{0,17}) (0|[1-9][0-9]{0,17})\r?\n?")
_CLAUSE: Final = re.compile(rb"(?:-?[1-9][0-9]* )*0\r?\n?")
_NAME: Final = re.compile(r"[a-z0-9.+-]+(_[a-z0-9.+-]+)+\.cnf(\.xz)?")
_MOST_COMPARED: Final = 4_000_000


@dataclass(frozen=True)
class LintFinding:
    """A rule that is broken, and where; ``line`` counts from 1, None for the file as a whole."""

    rule: str
    line: int | None
    message: str

    @property
    def severity(self) -> Severity:
        """``error`` for a violation of the rules, ``warning`` for allowed but unwelcome content."""
        return RULES[self.rule][0]


@dataclass
class Linter:
    """Reads lines and reports findings; ``finish`` checks the rules about the file as a whole."""

    nbvar: int | None = None
    nbclauses: int | None = None
    clauses: int = 0
    literals: int = 0
    _lines: int = 0
    _appearing: set[int] = field(default_factory=set)
    _seen: dict[int, int] = field(default_factory=dict)

    def line(self, text: bytes) -> Iterator[LintFinding]:
        """Report on the next line."""
        self._lines += 1
        number = self._lines
        if not text.isascii() or b"\0" in text:
            yield LintFinding("ascii", number, "a byte that is no ASCII text")
        if text.endswith(b"\r\n"):
            text = text[:-2] + b"\n"
            if number == 1:
                yield LintFinding("ascii", 1, "lines end with CR LF")
        if text.startswith(b"c"):
            yield from self._comment(text, number)
        elif text.startswith(b"p"):
            yield from self._header(text, number)
        elif self.nbvar is None:
            if number == 1 or text.strip():
                yield LintFinding("header", number, "no header before this line")
                # Every literal of up to 18 digits is in range now, and no count is checked.
                self.nbvar, self.nbclauses = 2**62, None
                yield from self._clause(text, number)
        else:
            yield from self._clause(text, number)

    def finish(self) -> Iterator[LintFinding]:
        """Report on the file as a whole."""
        if self.nbvar is None:
            yield LintFinding("header", None, "no header in the whole file")
            return
        if self.nbclauses is None:
            return
        if self.nbclauses != self.clauses:
            yield LintFinding("nbclauses", None, f"{self.nbclauses} declared, {self.clauses} there")
        if self.nbvar != len(self._appearing):
            missing = next((v for v in range(1, self.nbvar + 1) if v not in self._appearing), None)
            first = f"; the first that does not appear is {missing}" if missing else ""
            message = f"{self.nbvar} declared, {len(self._appearing)} appear{first}"
            yield LintFinding("nbvar", None, message)

    def _comment(self, text: bytes, number: int) -> Iterator[LintFinding]:
        if self.nbvar is not None:
            yield LintFinding("comments-first", number, "a comment after the header")
        if re.search(rb"p\s+cnf", text):
            yield LintFinding("header-in-comment", number, "'p cnf' in a comment")

    def _header(self, text: bytes, number: int) -> Iterator[LintFinding]:
        match = _HEADER.fullmatch(text)
        if self.nbvar is not None:
            yield LintFinding("header", number, "a second header, or one after clauses")
        elif match is None:
            yield LintFinding("header", number, "not 'p cnf nbvar nbclauses' with single spaces")
            self.nbvar, self.nbclauses = 2**62, None
        else:
            self.nbvar, self.nbclauses = int(match[1]), int(match[2])

    def _clause(self, text: bytes, number: int) -> Iterator[LintFinding]:
        if not text.strip():
            yield LintFinding("one-line", number, "an empty line")
            return
        if text.startswith(b"x"):
            yield LintFinding(
                "literal", number, "an XOR line, which CryptoMiniSat reads and few others"
            )
            text = text[1:].lstrip(b" ")
        words = text.split()
        lits: list[int] = []
        if not _CLAUSE.fullmatch(text):
            if words.count(b"0") != 1 or words[-1] != b"0":
                what = "does not end with 0" if words[-1] != b"0" else "holds several clauses"
                yield LintFinding("one-line", number, f"the line {what}")
            else:
                yield LintFinding("one-line", number, "not single spaces between literals")
        for word in words:
            if word == b"0":
                continue
            if not re.fullmatch(rb"-?[1-9][0-9]{0,17}", word):
                shown = word[:20].decode("ascii", "backslashreplace")
                yield LintFinding("literal", number, f"{shown} is no literal")
            else:
                lits.append(int(word))
        self.clauses += max(1, words.count(b"0"))
        self.literals += len(lits)
        limit = self.nbvar or 0
        for lit in lits:
            if abs(lit) > limit:
                yield LintFinding("literal", number, f"{lit} is beyond nbvar = {limit}")
                break
        self._appearing.update(map(abs, lits))
        distinct = frozenset(lits)
        if len(distinct) < len(lits):
            yield LintFinding("distinct", number, "a literal is there twice")
        if any(-lit in distinct for lit in distinct if lit > 0):
            yield LintFinding("opposite", number, "a literal and its negation")
        if not lits:
            yield LintFinding("empty-clause", number, "the empty clause")
        if len(self._seen) < _MOST_COMPARED:
            # Natural numbers instead of literals, because hash(-1) == hash(-2) in Python; sorted
            # tuples instead of sets, because hashes of many sets of two numbers are equal.
            key = hash(tuple(sorted(2 * lit if lit > 0 else 1 - 2 * lit for lit in distinct)))
            first = self._seen.setdefault(key, number)
            if first != number:
                yield LintFinding("duplicate", number, f"the clause of line {first} again")


def lint(lines: Iterable[bytes], name: str | None = None) -> Iterator[LintFinding]:
    """Report every broken rule of a file, in the order of its lines; `name` is the file name.

    >>> [(found.rule, found.line) for found in lint([b"p cnf 3 1\\n", b"1 -2 0\\n"])]
    [('nbvar', None)]
    """
    if name is not None and not _NAME.fullmatch(PurePath(name).name):
        yield LintFinding("name", None, f"{PurePath(name).name!r} is not the name of an entry")
    linter = Linter()
    for line in lines:
        yield from linter.line(line)
    yield from linter.finish()
