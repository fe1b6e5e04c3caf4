"""Constraints as rows of a matrix, with two bounds and no negated literals; soft ones as hard."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pbcnf.constraints.constraint import Cardinality, PseudoBoolean
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
        lower: int | None = constraint.lower - constant
        upper: int | None = constraint.upper - constant
        if lower != upper:
            # A bound that every assignment meets is dropped, but one bound stays in any case; an
            # equality keeps both bounds.
            least, most = reach(terms)
            upper = upper if constraint.upper - constant < most else None
            lower = lower if constraint.lower - constant > least or upper is None else None
        yield MatrixRow(number, terms, lower, upper)


def reach(terms: dict[Var, int]) -> tuple[int, int]:
    """Return the least and the largest value of a sum of distinct variables."""
    below = sum(weight for weight in terms.values() if weight < 0)
    return below, sum(terms.values()) - below


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


# Soft constraints as hard ones with relaxation variables, true for constraints given up.


def given_up(place: int) -> str:
    """Return the name of the variable of a soft constraint, the first of which is at place 1."""
    return f"given_up_{place}"


def is_given_up(name: str) -> bool:
    """Whether `name` is the name of a relaxation variable."""
    return re.fullmatch(r"given_up_[1-9][0-9]*", name) is not None


def relaxed(constraint: PseudoBoolean, given_up: Var) -> Iterator[PseudoBoolean]:
    """Yield inequalities that hold if and only if `constraint` holds or `given_up` is true.

    Each bound that can be violated makes one inequality; at least one inequality is yielded.

    >>> next(relaxed(PseudoBoolean([1, 2], [2, 3], lower=4), 3))
    PseudoBoolean(lits=(1, 2, 3), weights=(2, 3, 4), lower=4, upper=9)
    """
    # The weight of `given_up` is the distance between a bound and the extreme value of the sum: if
    # `given_up` is true, every assignment meets the inequality.
    least = sum(weight for weight in constraint.weights if weight < 0)
    most = sum(constraint.weights) - least
    lits, weights = (*constraint.lits, given_up), constraint.weights
    if constraint.upper < most:
        slack = constraint.upper - most
        yield PseudoBoolean(lits, (*weights, slack), upper=constraint.upper)
    if constraint.lower > least or constraint.upper >= most:
        slack = max(constraint.lower - least, 0)
        yield PseudoBoolean(lits, (*weights, slack), lower=constraint.lower)
