"""What stands in one statement of OPB or WBO, token by token: for all that is not plain.

Before 2005 a constraint could have a label (``c1: +x1 -x2 >= 0``), a weight of 1 be left out behind
its sign, and a sign stand alone: that is read, too. A product needs a weight.

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
    rb"\s*(?:@[^\s@]+\s+|(?!(?:min|max|soft)\s*:)[A-Za-z_][A-Za-z0-9_.,#$&^'|/()-]*\s*:)?"
    rb"\s*(?:(min|max|soft)\s*:|(\[)\s*([^\]\s]*)\s*\](?=[\s+-]|[0-9]))?"
)
_TOKEN: Final = re.compile(rb"[<>=!]+|\*|[^\s<>=!*]+")
_NUMBER: Final = re.compile(rb"[+-]?[0-9]+")
_LITERAL: Final = re.compile(rb"~?[A-Za-z_][A-Za-z0-9_.,#$&^'|/\[\]{}()@]*")
_SIGNS: Final = ("+", "-")
_NAMES: Final = "after a weight comes a name, x1 or y_2, or ~ and a name"
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
        sign = token[:1] if token[:1] in (b"+", b"-") else b""
        rest = token[len(sign) :]
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
        elif _LITERAL.fullmatch(token) and after in ("literal", "weight", "star"):
            found.terms[-1][1].append(Factor(token, offset))
            after = "literal"
        elif after in ("weight", "star"):
            message = f"'{printable(token)}' is no variable: {_NAMES}"
            raise statement.error(offset, message)
        elif _NUMBER.fullmatch(token) and not (sign and after in _SIGNS):
            weight = _integer(statement, offset, token)
            found.terms.append((-weight if after == "-" else weight, []))
            after = "weight"
        elif (
            _LITERAL.fullmatch(rest) and not (sign and after in _SIGNS) and (sign or after != "one")
        ):
            factor = Factor(rest, offset + len(sign))
            found.terms.append((-1 if b"-" in (sign, after.encode()) else 1, [factor]))
            after = "one"
        elif sign and not rest and after not in _SIGNS:
            after = sign.decode()
        elif token in _RELATIONS and not found.kind and after not in _SIGNS:
            found.relation, after = token, "relation"
        else:
            raise statement.error(offset, _out_of_place(token, found.kind, after))
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
    """What to say of a token that stands where a weight or, in a constraint, a relation would."""
    shown = printable(token)
    if after == "one" and _LITERAL.fullmatch(token):
        return f"{shown} has no weight or sign: a term is +2 x1, or +2 x1 ~x2 for a product"
    if after in _SIGNS:
        return f"'{shown}' after the sign {after}: a number or a name is needed"
    if kind:
        return f"'{shown}' is no integer weight: every term of '{kind}:' begins with one"
    return f"'{shown}' is no integer weight, {_ALLOWED}"


def _integer(statement: Statement, offset: int, text: bytes) -> int:
    if len(text) > MOST_DIGITS:
        raise statement.error(offset, f"an integer of more than {MOST_DIGITS} digits")
    return int(text)
