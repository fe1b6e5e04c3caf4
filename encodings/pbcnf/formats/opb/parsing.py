"""The parser of one OPB or WBO statement, token by token, for statements beyond plain sums.

Before 2005 a constraint could have a label (``c1: +x1 -x2 >= 0``), a weight of 1 be left out behind
its sign, and two signs follow one another (``+ -2 x1``): all of these are read, too. A product
needs a weight. Decimals are exact: the statement is multiplied by the least factor that makes all
integers.

A name has letters, digits and ``_.,#$&^'|/[]{}()@``, and begins with a letter or an underscore; in
square brackets a minus may stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from pbcnf.formats.digits import MOST_DIGITS, exact, integers
from pbcnf.formats.error import FormatError, excerpt

# The statements of an OPB file, each up to its semicolon.


@dataclass(slots=True)
class OpbStatement:
    """The text of a statement before its semicolon, with the place of its first character."""

    text: bytes
    source: str
    line: int
    column: int

    def error(self, offset: int, message: str) -> FormatError:
        """Return the error at `offset` of the text, or at the next character that is no blank."""
        offset += len(self.text[offset:]) - len(self.text[offset:].lstrip())
        before = self.text[:offset]
        newlines = before.count(b"\n")
        column = offset + self.column if not newlines else offset - before.rfind(b"\n")
        return FormatError(self.source, self.line + newlines, column, message)


def statements(lines: Iterable[bytes], source: str) -> Iterator[OpbStatement]:
    """Yield the statements one by one; a line that begins with a star is a comment.

    Text from a line that begins with ``/*`` to the next ``*/`` is a comment, too. Raises
    FormatError for text behind the last semicolon.
    """
    text, line, column = b"", 1, 1
    for number, row in enumerate(without_comments(lines, source), start=1):
        if row.startswith(b"*"):
            # A comment inside a statement keeps its line, so that errors count right.
            text += b"\n" if text.strip() else b""
            continue
        if not text.strip():
            text, line, column = b"", number, 1
        text += row
        while b";" in row:
            end = text.index(b";") + 1
            yield OpbStatement(text[: end - 1], source, line, column)
            newlines = text.count(b"\n", 0, end)
            column = end - text.rfind(b"\n", 0, end) if newlines else column + end
            line += newlines
            text = row = text[end:]
    if text.strip():
        rest = OpbStatement(text, source, line, column)
        raise rest.error(len(text.rstrip()) - 1, "the last statement has no ';' at its end")


def without_comments(lines: Iterable[bytes], source: str) -> Iterator[bytes]:
    """Yield the lines, with blanks for comments that begin with ``/*`` at the start of a line.

    Raises FormatError, which names `source`, for a comment without ``*/``.
    """
    begun = 0
    for number, line in enumerate(lines, start=1):
        row = line
        if begun or row.startswith(b"/*"):
            begun = begun or number
            comment, end, rest = row.partition(b"*/")
            row = b" " * len(comment + end) + rest if end else b"\n"
            begun = 0 if end else begun
        yield row
    if begun:
        raise FormatError(source, begun, 1, "the comment has no '*/' at its end")


_HEAD: Final = re.compile(
    rb"\s*(?:(int|bin|binary|free|sec|sin|sos[12]?)\s+(?=[A-Za-z_])|@[^\s@]+\s+|(?!(?:min|max|soft)\s*:)[A-Za-z_][A-Za-z0-9_.,#$&^'|/()<>-]*\s*:)?"
    rb"\s*(?:(min|max|soft)\s*:|(\[)\s*([^\]\s]*)\s*\](?=[\s+-]|[0-9]))?"
)
_NAMED: Final = re.compile(rb"\s*([A-Za-z_][^\s,]*)\s*(,(?!\s*\Z)|\Z)")
_TOKEN: Final = re.compile(rb"[<>=!]+|\*|[^\s<>=!*]+")
_NUMBER: Final = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_LITERAL: Final = re.compile(rb"~?[A-Za-z_](?:[A-Za-z0-9_.,#$&^'|/\[\]{}()@]|\[[A-Za-z0-9_,-]*\])*")
_SIGNS: Final = ("+", "-")
_RELATIONS: Final = (b">=", b"<=", b"=", b">", b"<")
_ALLOWED: Final = ">=, <=, =, > or <"


@dataclass(slots=True)
class Factor:
    """A literal as written in the file, and its offset; ``~y`` is the negation of y."""

    text: bytes
    offset: int


@dataclass(slots=True)
class Parsed:
    """A statement: ``min: ...`` or ``max: ...``, ``soft: top``, ``int x, y``, or a constraint.

    `kind` is the word before the colon, or int, bin or binary, empty for a constraint, which may be
    `labelled`; `weight` is the weight of a soft constraint. `bound` is the right side, or the top
    of ``soft:``, or None. All numbers are `scale` times the numbers in the file.
    """

    kind: str = ""
    weight: int | None = None
    terms: list[tuple[int, list[Factor]]] = field(default_factory=list)
    relation: bytes = b""
    bound: int | None = None
    scale: int = 1
    labelled: bool = False


def parse(statement: OpbStatement) -> Parsed:
    """Parse `statement`. Raises FormatError at the first token out of place."""
    head = _HEAD.match(statement.text)
    if head is None:
        raise statement.error(0, "no statement")
    found = Parsed()
    declared, word, soft, weight = head.groups()
    if soft is not None:
        if not re.fullmatch(rb"\+?0*[1-9][0-9]*", weight):
            message = f"'[{excerpt(weight)}]' is no weight of a soft constraint: [1], [2], ..."
            raise statement.error(head.start(3), message)
        found.weight = _integer(statement, head.start(4), weight)
    found.kind = (declared or word or b"").decode()
    found.labelled = not found.kind and b":" in head[0]
    start = head.end()
    if found.kind == "soft":
        for match in _TOKEN.finditer(statement.text, start):
            if found.bound is not None or not re.fullmatch(rb"\+?0*[1-9][0-9]*", match[0]):
                message = f"'{excerpt(match[0])}': after 'soft:' comes one number above 0, or ';'"
                raise statement.error(match.start(), message)
            found.bound = _integer(statement, match.start(), match[0])
        return found
    if declared is None:
        _sum(statement, found, start)
        return found
    if found.kind not in ("int", "bin", "binary"):
        message = f"'{found.kind}' of lp_solve's LP format: only 'int' and 'bin' are read"
        raise statement.error(0, message)
    while start < len(statement.text.rstrip()):
        named = _NAMED.match(statement.text, start)
        if named is None or not _LITERAL.fullmatch(named[1]):
            message = f"after '{found.kind}' come names with commas between them, and ';'"
            raise statement.error(start, message)
        found.terms.append((0, [Factor(named[1], named.start(1))]))
        start = named.end()
    return found


def _sum(statement: OpbStatement, found: Parsed, start: int) -> None:
    # The kind of the token before: a "literal" behind a "weight" or a "star", an "unweighted"
    # literal, a sign, the "relation" or the "bound".
    after, bound = "start", None
    weights: list[Fraction | int] = []
    factors: list[list[Factor]] = []
    for match in _TOKEN.finditer(statement.text, start):
        token, offset = match[0], match.start()
        sign = token[:1] if token[:1] in (b"+", b"-") else b""
        rest = token[len(sign) :]
        if after == "relation":
            if not _NUMBER.fullmatch(token):
                raise statement.error(offset, f"'{excerpt(token)}' is no bound")
            bound, after = _number(statement, offset, token), "bound"
        elif after == "bound":
            message = f"'{excerpt(token)}' after the bound: ';' is missing"
            raise statement.error(offset, message)
        elif after in ("literal", "weight") and token == b"*":
            after = "star"
        elif _LITERAL.fullmatch(token) and after in ("literal", "weight", "star"):
            factors[-1].append(Factor(token, offset))
            after = "literal"
        elif after in ("weight", "star"):
            message = "after a weight comes a name, x1 or y_2, or ~ and a name"
            raise statement.error(offset, f"'{excerpt(token)}' is no variable: {message}")
        elif _NUMBER.fullmatch(token):
            weight = _number(statement, offset, token)
            weights.append(-weight if after == "-" else weight)
            factors.append([])
            after = "weight"
        elif _LITERAL.fullmatch(rest) and (sign or after != "unweighted"):
            weights.append(1 if (sign == b"-") is (after == "-") else -1)
            factors.append([Factor(rest, offset + len(sign))])
            after = "unweighted"
        elif sign and not rest and after not in _SIGNS:
            after = sign.decode()
        elif token in _RELATIONS and not found.kind and after not in _SIGNS:
            found.relation, after = token, "relation"
        else:
            raise statement.error(offset, _out_of_place(token, found.kind, after))
    # Multiplying weights and bound by one positive factor keeps the models.
    whole, found.scale = integers([*weights, 0 if bound is None else bound])
    found.terms = list(zip(whole, factors, strict=False))
    found.bound = None if bound is None else whole[-1]
    wanted = {
        "relation": "the bound is missing",
        "weight": "the last weight has no variable",
        "star": "after '*' comes a variable",
        "+": "nothing follows the last sign",
        "-": "nothing follows the last sign",
    }.get(after)
    if wanted is None and not found.kind and found.bound is None:
        wanted = f"a constraint needs {_ALLOWED} and a bound"
    if wanted is not None:
        raise statement.error(max(len(statement.text.rstrip()) - 1, 0), wanted)


def _out_of_place(token: bytes, kind: str, after: str) -> str:
    """Return the message for `token`, found where a weight or a relation is expected."""
    shown = excerpt(token)
    if after == "unweighted" and _LITERAL.fullmatch(token):
        return f"{shown} has no weight or sign: a term is +2 x1, or +2 x1 ~x2 for a product"
    if after in _SIGNS:
        return f"'{shown}' after the sign {after}: a number or a name is needed"
    if token in _RELATIONS:
        return f"'{shown}' in the objective: a ';' is missing before, or '{kind}:' is one too many"
    if kind:
        return f"'{shown}' is no weight: every term of '{kind}:' begins with one"
    return f"'{shown}' is no weight, {_ALLOWED}"


def _number(statement: OpbStatement, offset: int, text: bytes) -> Fraction | int:
    if text.lstrip(b"+-").isdigit():
        return _integer(statement, offset, text)
    value = exact(text.decode("ascii"))
    if value is None:
        raise statement.error(offset, f"a number of more than {MOST_DIGITS} digits")
    return value


def _integer(statement: OpbStatement, offset: int, text: bytes) -> int:
    if len(text) > MOST_DIGITS:
        raise statement.error(offset, f"an integer of more than {MOST_DIGITS} digits")
    return int(text)
