"""The largest of several sums: in comparisons taken apart, elsewhere by the values it can have."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Final

from pbcnf.errors import EncodingError
from pbcnf.language.expressions import Comparison, Connective, IntegerProduct, Maximum, Operand, Sum
from pbcnf.language.integers import IntegerVariable
from pbcnf.wording import shortened

MOST_PARTED: Final = 64
"""The most comparisons that one comparison may be split into."""
MOST_VALUES: Final = 4096
"""The most values of a part of a maximum that occurs in a sum."""


def split(comparison: Comparison) -> tuple[Connective, list[Comparison]] | None:
    """Split a comparison with a maximum into comparisons of its parts; None without a maximum.

    A maximum is <= b if all its parts are, and >= b if at least one part is.
    """
    parts = [each.parts for each, _ in comparison.terms if isinstance(each, Maximum)]
    if not parts or prod(map(len, parts)) > MOST_PARTED:
        return None
    lower, upper = comparison.lower, comparison.upper
    if lower is not None and upper is not None:
        sides = [(lower, None), (None, upper)]
        return Connective.AND, [Comparison(comparison.terms, *side) for side in sides]
    at = next(at for at, (each, _) in enumerate(comparison.terms) if isinstance(each, Maximum))
    weight = comparison.terms[at][1]
    others = comparison.terms[:at] + comparison.terms[at + 1 :]
    every = (weight > 0) == (upper is not None)
    return (
        Connective.AND if every else Connective.OR,
        [
            Comparison(
                [*others, *part.terms.scaled(weight)],
                None if lower is None else lower - weight * part.constant,
                None if upper is None else upper - weight * part.constant,
            )
            for part in parts[0]
        ],
    )


def attainable(operand: Operand) -> set[int]:
    """Return a superset of the values of `operand`.

    Raises EncodingError if they are too many.
    """
    match operand:
        case IntegerVariable():
            found = _few(operand.domain, operand)
        case Sum():
            found = {operand.constant}
            for each, weight in operand.terms:
                inner = attainable(each)
                found = _few((a + weight * b for a in found for b in inner), operand)
        case IntegerProduct():
            left, right = attainable(operand.left), attainable(operand.right)
            found = _few((a * b for a in left for b in right), operand)
        case Maximum():
            found = set().union(*(attainable(part) for part in operand.parts))
        case _:
            found = {0, 1}
    return found


def _few(values: Iterable[int], operand: Operand) -> set[int]:
    found = set[int]()
    for value in values:
        found.add(value)
        if len(found) > MOST_VALUES:
            raise EncodingError(
                f"{shortened(operand)} has more than {MOST_VALUES:,} values:"
                " for a maximum in a sum it needs an integer variable that is equal to it"
            )
    return found
