"""The normal form of a weighted sum: what every encoder of weights can rely on.

Nothing here depends on an encoder, and nothing is lost: the normal form has the same models.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import gcd

from pbcnf.constraints.constraint import Linear, PseudoBoolean
from pbcnf.literals import Lit


@dataclass(frozen=True, slots=True)
class WeightedSum:
    """The literals of `units`, and ``lower <= sum of weight * literal <= upper`` over the others.

    The literals are distinct variables, the weights are >= 1 with greatest common divisor 1, and
    ``0 <= lower <= upper <= sum of weights``. No literal is forced by the bounds: those are in
    `units`. A sum that always holds has no literals left; one that never does is None instead of a
    WeightedSum.
    """

    units: tuple[Lit, ...]
    lits: tuple[Lit, ...]
    weights: tuple[int, ...]
    lower: int
    upper: int

    def clause(self) -> list[Lit] | None:
        """Return the clause that is equivalent to the sum, None if there is no such clause."""
        total, least = sum(self.weights), min(self.weights, default=0)
        if self.lits and self.upper == total and 0 < self.lower <= least:
            return list(self.lits)
        if self.lits and self.lower == 0 and total - least <= self.upper < total:
            return [-lit for lit in self.lits]
        return None


def weighted_normal_form(constraint: PseudoBoolean) -> WeightedSum | None:
    """Return the normal form, or None for a constraint that never holds.

    Repeated and opposite literals are put together (a weight may become 0 and its literal leave),
    negative weights are moved to the negated literal, inputs that the bounds decide become units,
    common divisors are divided out, and with one bound no weight exceeds what that bound can use.

    >>> weighted_normal_form(PseudoBoolean([1, 2, -2, 3], [-4, 3, 1, 4], lower=3))
    WeightedSum(units=(), lits=(-1, 2, 3), weights=(2, 1, 2), lower=3, upper=5)
    """
    weights, constant = _by_literal(zip(constraint.lits, constraint.weights, strict=True))
    lower, upper = constraint.lower - constant, constraint.upper - constant
    units: list[Lit] = []
    while True:
        total = sum(weights.values())
        lower, upper = max(lower, 0), min(upper, total)
        if lower > upper:
            return None
        if (lower, upper) == (0, total):
            return WeightedSum(tuple(units), (), (), 0, 0)
        false = [lit for lit, weight in weights.items() if weight > upper]
        true = [lit for lit, weight in weights.items() if total - weight < lower]
        if false or true:
            raised = sum(weights.pop(lit) for lit in true)
            for lit in set(false) - set(true):
                del weights[lit]
            if set(false) & set(true):
                return None
            units += [-lit for lit in false] + true
            lower, upper = lower - raised, upper - raised
        elif (common := gcd(*weights.values())) > 1:
            weights = {lit: weight // common for lit, weight in weights.items()}
            lower, upper = -(-lower // common), upper // common
        elif (usable := _usable(lower, upper, total)) < max(weights.values()):
            weights = {lit: min(weight, usable) for lit, weight in weights.items()}
            upper = sum(weights.values()) - (usable if lower == 0 else 0)
        else:
            return WeightedSum(tuple(units), tuple(weights), tuple(weights.values()), lower, upper)


def sum_of(constraint: Linear) -> WeightedSum | None:
    """Return the normal form of any bounds on a sum, or None for one that never holds.

    A Cardinality over distinct variables that is not trivial keeps its literals as they are.

    >>> from pbcnf import Cardinality
    >>> sum_of(Cardinality([1, -2, 3], upper=2))
    WeightedSum(units=(), lits=(1, -2, 3), weights=(1, 1, 1), lower=0, upper=2)
    """
    if isinstance(constraint, PseudoBoolean):
        return weighted_normal_form(constraint)
    n, lits = len(constraint.lits), constraint.lits
    lower, upper = max(constraint.lower, 0), min(constraint.upper, n)
    nontrivial = 0 <= lower <= upper and lower < n and upper > 0 and (lower, upper) != (0, n)
    if nontrivial and len({*map(abs, lits)}) == n:
        return WeightedSum((), lits, (1,) * n, lower, upper)
    return weighted_normal_form(PseudoBoolean(lits, (1,) * n, lower, upper))


def _usable(lower: int, upper: int, total: int) -> int:
    """Return the weight beyond which a literal alone settles the bound; with two bounds, any."""
    if upper == total:
        return lower
    return total - upper if lower == 0 else total


def _by_literal(terms: Iterable[tuple[Lit, int]]) -> tuple[dict[Lit, int], int]:
    """Return positive weights of literals of distinct variables, and the constant beside them."""
    by_variable: dict[int, int] = {}
    constant = 0
    for lit, weight in terms:
        if lit < 0:  # weight * (not x) is weight - weight * x
            constant += weight
            weight = -weight
        by_variable[abs(lit)] = by_variable.get(abs(lit), 0) + weight
    weights = {}
    for var, weight in by_variable.items():
        if weight > 0:
            weights[var] = weight
        elif weight < 0:
            constant += weight
            weights[-var] = -weight
    return weights, constant
