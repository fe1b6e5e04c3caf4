"""Equations of a problem of the toolkit."""

from pbcnf.constraints.constraint import Cardinality
from pbcnf.constraints.problem import Problem
from satsweeper.linear.equations import Equation


def equations_of(problem: Problem) -> list[Equation]:
    """Its constraints that say exactly how many of some variables are true, in their order.

    What else it says is left out: a contradiction of some constraints is one of all.

    >>> from pbcnf import Cardinality, Problem
    >>> equations_of(Problem(3, (Cardinality([1, 2], 1, 1), Cardinality([2, 3], 1, 2))))
    [((1, 2), 1)]
    """
    return [
        (constraint.lits, constraint.lower)
        for constraint in problem.constraints
        if isinstance(constraint, Cardinality)
        and constraint.lower == constraint.upper
        and min(constraint.lits, default=1) > 0
        and len(set(constraint.lits)) == len(constraint.lits)
    ]
