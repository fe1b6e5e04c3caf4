"""What stands in one statement of OPB or WBO, token by token: for all that is not plain.

A name has letters, digits and ``_.,#$&^'|/[]{}()@``, and begins with a letter or an underscore.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from pbcnf.formats.error import printable
from pbcnf.formats.opb.statements import Statement

MOST_DIGITS: Final = 4000
"""An integer may have so many: Python converts no more by default."""

_HEAD: Final = re.compile(
    rb"\s*(?:@[^\s@]+\s+)?(?:(min|max|soft)\s*:|(\[)\s*([^\]\s]*)\s*\](?=[\s+-]|[0-9]))?"
)
_TOKEN: Final = re.compile(rb"[<>=!]+|\*|[^\s<>=!*]+")
_NUMBER: Final = re.compile(rb"[+-]?[0-9]+")
_LITERAL: Final = re.compile(rb"~?[A-Za-z_][A-Za-z0-9_.,#$&^'|/\[\]{}()@]*")
_LEADING_ZERO: Final = re.compile(rb"~?x0[0-9]+")
_RELATIONS: Final = (b">=", b"<=", b"=", b">", b"<")
_ALLOWED: Final = ">=, <=, =, > or <"


@dataclass(slots=True)
class Factor:
    """A literal as it is written, and where; ``~y`` is the negation of y."""

    text: bytes
    offset: int


@dataclass(slots=True)
class Parsed:
    """A statement: ``min: ...`` or ``max: ...``, ``soft: top``, or a constraint.

    `kind` is the word before the colon, empty for a constraint; `weight` that of a soft constraint.
    `bound` is the right side, or the top of ``soft:``, None if it has none.
    """

    kind: str = ""
    weight: int | None = None
    terms: list[tuple[int, list[Factor]]] = field(default_factory=list)
    relation: bytes = b""
    bound: int | None = None


def parse(statement: Statement) -> Parsed:
    """Return what the statement says. Raises FormatError at the first token out of place."""
    head = _HEAD.match(statement.text)
    if head is None:
        raise statement.error(0, "no statement")
    found = Parsed()
    if head[2] is not None:
        if not re.fullmatch(rb"\+?[1-9][0-9]*", head[3]):
            message = f"'[{printable(head[3])}]' is no weight of a soft constraint: [1], [2], ..."
            raise statement.error(head.start(2), message)
        found.weight = _integer(statement, head.start(3), head[3])
    elif head[1] is not None:
        found.kind = head[1].decode()
    if found.kind == "soft":
        _soft(statement, found, head.end())
    else:
        _sum(statement, found, head.end())
    return found


def _soft(statement: Statement, found: Parsed, start: int) -> None:
    for match in _TOKEN.finditer(statement.text, start):
        if found.bound is not None or not re.fullmatch(rb"\+?[1-9][0-9]*", match[0]):
            message = f"'{printable(match[0])}': after 'soft:' comes one number above 0, or ';'"
            raise statement.error(match.start(), message)
        found.bound = _integer(statement, match.start(), match[0])


def _sum(statement: Statement, found: Parsed, start: int) -> None:
    after = "start"
    for match in _TOKEN.finditer(statement.text, start):
        token, offset = match[0], match.start()
        if after == "relation":
            if not _NUMBER.fullmatch(token):
                message = f"'{printable(token)}' is no integer bound"
                raise statement.error(offset, message)
            found.bound, after = _integer(statement, offset, token), "bound"
        elif after == "bound":
            message = f"'{printable(token)}' after the bound: ';' is missing"
            raise statement.error(offset, message)
        elif after in ("literal", "weight") and token == b"*":
            after = "star"
        elif _name(token) and after != "start":
            found.terms[-1][1].append(Factor(token, offset))
            after = "literal"
        elif after in ("weight", "star"):
            raise statement.error(offset, _no_variable(token))
        elif _NUMBER.fullmatch(token):
            found.terms.append((_integer(statement, offset, token), []))
            after = "weight"
        elif token in _RELATIONS and not found.kind:
            found.relation, after = token, "relation"
        else:
            raise statement.error(offset, _out_of_place(token, found.kind))
    wanted = {
        "relation": "the bound is missing",
        "weight": "the last weight has no variable",
        "star": "after '*' comes a variable",
    }.get(after)
    if wanted is None and not found.kind and found.bound is None:
        wanted = f"a constraint needs {_ALLOWED} and a bound"
    if wanted is not None:
        raise statement.error(max(len(statement.text.rstrip()) - 1, 0), wanted)


def _name(token: bytes) -> bool:
    return _LITERAL.fullmatch(token) is not None and not _LEADING_ZERO.fullmatch(token)


def _no_variable(token: bytes) -> str:
    shown = printable(token)
    if _LEADING_ZERO.fullmatch(token):
        return f"'{shown}' is no variable: its number has a leading 0"
    return f"'{shown}' is no variable: after a weight comes a name, x1 or y_2, or ~ and a name"


def _out_of_place(token: bytes, kind: str) -> str:
    """What to say of a token that stands where a weight or, in a constraint, a relation would."""
    shown = printable(token)
    if _LEADING_ZERO.fullmatch(token):
        return _no_variable(token)
    if _LITERAL.fullmatch(token):
        return f"{shown} has no weight: a term is +2 x1, or +2 x1 ~x2 for a product"
    if kind:
        return f"'{shown}' is no integer weight: every term of '{kind}:' begins with one"
    return f"'{shown}' is no integer weight, {_ALLOWED}"


def _integer(statement: Statement, offset: int, text: bytes) -> int:
    if len(text) > MOST_DIGITS:
        raise statement.error(offset, f"an integer of more than {MOST_DIGITS} digits")
    return int(text)
