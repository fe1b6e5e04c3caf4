"""Soft constraints as hard ones with relaxation variables, true for constraints given up."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pbcnf.constraints.constraint import PseudoBoolean
from pbcnf.literals import Var


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
    least = sum(weight for weight in constraint.weights if weight < 0)
    most = sum(weight for weight in constraint.weights if weight > 0)
    lits, weights = (*constraint.lits, given_up), constraint.weights
    if constraint.upper < most:
        slack = constraint.upper - most
        yield PseudoBoolean(lits, (*weights, slack), upper=constraint.upper)
    if constraint.lower > least or constraint.upper >= most:
        slack = max(constraint.lower - least, 0)
        yield PseudoBoolean(lits, (*weights, slack), lower=constraint.lower)
