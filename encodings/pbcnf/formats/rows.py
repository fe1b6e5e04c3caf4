"""Constraints as rows of a matrix: weights of variables, no negated literals, and two bounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pbcnf.constraints.constraint import Cardinality
from pbcnf.constraints.normal_form import sums
from pbcnf.constraints.problem import Problem
from pbcnf.literals import Lit, Var


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """``lower <= sum of weight * variable <= upper``; None for a bound that always holds.

    The variables are distinct and their weights are not 0; there may be none. At least one bound is
    given, even where the row always holds. Two bounds may exclude every value.
    """

    number: int
    """The number of the constraint, from 1."""
    terms: dict[Var, int]
    lower: int | None
    upper: int | None

    @property
    def equality(self) -> bool:
        """Whether both bounds are equal."""
        return self.lower is not None and self.lower == self.upper


def rows(problem: Problem) -> Iterator[MatrixRow]:
    """Yield one row for every constraint of the linear form of a problem, with its models."""
    for number, constraint in enumerate(sums(problem), start=1):
        weights = (
            [1] * len(constraint.lits)
            if isinstance(constraint, Cardinality)
            else constraint.weights
        )
        terms, constant = resolved(constraint.lits, weights)
        lower, upper = constraint.lower - constant, constraint.upper - constant
        yield MatrixRow(number, terms, *_bounds(terms.values(), lower, upper))


def resolved(lits: Sequence[Lit], weights: Sequence[int]) -> tuple[dict[Var, int], int]:
    """Return the weight of each variable, and the constant: a negated literal is 1 - variable."""
    terms: dict[Var, int] = {}
    constant = 0
    for lit, weight in zip(lits, weights, strict=True):
        if lit < 0:
            constant += weight
            terms[-lit] = terms.get(-lit, 0) - weight
        else:
            terms[lit] = terms.get(lit, 0) + weight
    return {var: weight for var, weight in terms.items() if weight}, constant


def _bounds(weights: Iterable[int], lower: int, upper: int) -> tuple[int | None, int | None]:
    """Return the bounds without those that hold anyway; an equality keeps both."""
    if lower == upper:
        return lower, upper
    least = most = 0
    for weight in weights:
        if weight < 0:
            least += weight
        else:
            most += weight
    kept_upper = upper if upper < most else None
    return lower if lower > least or kept_upper is None else None, kept_upper
