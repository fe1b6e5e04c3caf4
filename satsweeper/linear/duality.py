"""Proofs by weights of equations, for variables between 0 and 1, computed in integers.

For *any* weights y of equations A x = b and any cost c,

    c x  =  y b + (c - y A) x  >=  y b + the sum of the negative entries of c - y A,

as 0 <= x <= 1. (A variable that is the sum of several may be as large as their number; the
negative entry counts as often.) So the duals that a linear program ends with are rounded to
fractions, and what the fractions prove is a bound, however wrong the duals may be. With c = 0, a
bound above 0 proves that the equations have no solution at all (Farkas).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from satsweeper.linear.equations import Equation

DENOMINATOR: Final = 720_720
"""Duals are rounded to multiples of 1 / ``DENOMINATOR``, which covers fractions up to 16ths."""

ALL_ONE: Final[Mapping[int, int]] = {}
"""No variable exceeds 1."""


class Weighted(NamedTuple):
    """A claim: all ``variables`` are 1 (or all 0); without variables, there is no solution.

    A variable that may exceed 1 is as large as it may be instead of 1.

    ``weights`` by the index of an equation, over ``DENOMINATOR``, prove it: see :func:`proves`.
    """

    variables: frozenset[int]
    ones: bool
    weights: Mapping[int, int]


def rounded(duals: Iterable[float]) -> dict[int, int]:
    """Return ``duals`` as numerators over ``DENOMINATOR``, without zeros."""
    numerators = (round(dual * DENOMINATOR) for dual in duals)
    return {index: weight for index, weight in enumerate(numerators) if weight}


def bound(
    equations: Sequence[Equation],
    cost: Mapping[int, int],
    weights: Mapping[int, int],
    most: Mapping[int, int] = ALL_ONE,
) -> Fraction:
    """Return a lower bound of the cost of every solution.

    ``most``: how large variables may be that may exceed 1.
    """
    left = Counter({variable: c * DENOMINATOR for variable, c in cost.items()})
    total = 0
    for index, weight in weights.items():
        variables, number = equations[index]
        total += weight * number
        for variable in variables:
            left[variable] -= weight
    total += sum(value * most.get(v, 1) for v, value in left.items() if value < 0)
    return Fraction(total, DENOMINATOR)


def proves(
    equations: Sequence[Equation], claim: Weighted, most: Mapping[int, int] = ALL_ONE
) -> bool:
    """Whether the weights of a claim prove it.

    That all are as large as they may be, if their sum is above the largest less 1; that all are 0,
    if it is below 1.
    """
    if not claim.variables:
        return bound(equations, {}, claim.weights, most) > 0
    sign = 1 if claim.ones else -1
    least = bound(equations, dict.fromkeys(claim.variables, sign), claim.weights, most)
    return least > (sum(most.get(v, 1) for v in claim.variables) - 1 if claim.ones else -1)
