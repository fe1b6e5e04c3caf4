"""Proofs by the linear relaxation of 0/1 equations, solved by HiGHS.

The relaxation refutes equations by pigeonhole arguments and finds cells that only a global balance
decides. Every claim that this module returns is checked in integers; a result of the linear program
(doubles) that its duals do not prove is dropped.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, NamedTuple

from satsweeper.linear.equations import Equation, meets

if TYPE_CHECKING:
    from satsweeper.linear.highs import LinearProgram


# Proofs by weights of equations, for variables between 0 and 1, computed in integers.
#
# For *any* weights y of equations A x = b and any cost c,
#
#     c x  =  y b + (c - y A) x  >=  y b + the sum of the negative entries of c - y A,
#
# as 0 <= x <= 1. (A variable that stands for a sum of m variables may be as large as m; a negative
# entry is then multiplied by m.) So the duals of a linear program may be rounded to fractions: the
# fractions prove a valid bound however inexact the duals are. With c = 0, a bound above 0 proves
# that the equations have no solution at all (Farkas).

DENOMINATOR: Final = 720_720
"""Duals are rounded to multiples of 1 / ``DENOMINATOR``: exact for denominators up to 16."""

ALL_ONE: Final[Mapping[int, int]] = {}
"""Upper bounds of variables: empty, so that every variable is at most 1."""


class Weighted(NamedTuple):
    """A claim: all ``variables`` are 1 (or all 0); without variables, there is no solution.

    ``ones``: whether the claim is that the variables are 1. For a variable with an upper bound
    above 1, the claim is that the variable equals this bound. ``weights``: numerators over
    ``DENOMINATOR`` by the index of an equation, which prove the claim: see :func:`proves`.
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

    Args:
        equations: the equations.
        cost: the cost of each variable; 0 for variables that are not named.
        weights: numerators over ``DENOMINATOR`` by the index of an equation; any weights are valid.
        most: the upper bounds of variables that may exceed 1.
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
    """Whether the weights of ``claim`` prove the claim; ``most``: upper bounds above 1.

    Variables are integers. So all variables of the claim are at their upper bound if their sum
    exceeds the sum of the upper bounds less 1, and all are 0 if their sum is below 1.
    """
    if not claim.variables:
        return bound(equations, {}, claim.weights, most) > 0
    sign = 1 if claim.ones else -1
    least = bound(equations, dict.fromkeys(claim.variables, sign), claim.weights, most)
    return least > (sum(most.get(v, 1) for v in claim.variables) - 1 if claim.ones else -1)


_LARGE: Final = 30_000
"""The largest number of variables of a linear program; larger ones take too long to set up."""
_HALF: Final = 0.5
_NEAR: Final = 1e-6
"""The largest distance from 0 that counts as 0."""


def available() -> bool:
    """Whether HiGHS is installed and OR-Tools is not loaded: one process cannot load both."""
    return find_spec("highspy") is not None and "ortools" not in sys.modules


def _program(
    equations: Sequence[Equation], most: Mapping[int, int] = ALL_ONE, **kind: bool
) -> tuple["LinearProgram | None", dict[int, int]]:
    """Return a program of ``equations``, and the column of each variable.

    The program is None if there is no variable, or more than the limit. ``most``: the upper bounds
    of variables that may exceed 1. ``kind``: options of `LinearProgram`.
    """
    variables = dict.fromkeys(v for variables, _ in equations for v in variables)
    columns = {variable: column for column, variable in enumerate(variables)}
    if not 0 < len(columns) <= _LARGE:
        return None, columns
    from satsweeper.linear.highs import LinearProgram

    rows = [([columns[v] for v in variables], number) for variables, number in equations]
    program = LinearProgram(len(columns), rows, **kind)
    for variable, largest in most.items():
        program.bounds(columns[variable], 0.0, largest)
    return program, columns


def refute(
    equations: Sequence[Equation],
    seconds: float | None = None,
    most: Mapping[int, int] = ALL_ONE,
) -> Weighted | None:
    """Return weights that prove that there is no solution; None if no proof is found.

    Args:
        equations: the equations.
        seconds: the time limit, None for no limit.
        most: the upper bounds of variables that may exceed 1.
    """
    for index, (variables, number) in enumerate(equations):
        if number and not variables:
            return Weighted(frozenset(), False, {index: number})
    # The program minimises the sum of the slacks, by which equations are violated. If the minimum
    # is above 0, the duals are a Farkas certificate, up to rounding.
    program, _ = _program(equations, most, slack=True)
    if program is None or (outcome := program.run(seconds)).status != "optimal":
        return None
    claim = Weighted(frozenset(), False, rounded(outcome.duals))
    return claim if proves(equations, claim, most) else None


class Decided(NamedTuple):
    """Claims that a linear program proved, and 0/1 solutions as sets of variables that are 1."""

    claims: list[Weighted]
    solutions: list[frozenset[int]]


def solution(
    equations: Sequence[Equation],
    cost: Mapping[int, float],
    seconds: float | None = None,
    *,
    integer: bool = False,
) -> set[int] | None:
    """Return the variables that are 1 in an optimum, if rounding gives a solution; else None.

    Args:
        equations: the equations; variables may be any integers.
        cost: the cost of each variable, which is minimised; 0 for variables that are not named.
        seconds: the time limit, None for no limit.
        integer: whether to solve the 0/1 program, by branching, instead of the relaxation.
    """
    program, columns = _program(equations, integer=integer)
    if program is None:
        return None
    for variable in cost.keys() & columns.keys():
        program.cost(columns[variable], cost[variable])
    outcome = program.run(seconds)
    if outcome.status != "optimal":
        return None
    ones = {v for v, column in columns.items() if outcome.values[column] > _HALF}
    return ones if meets(equations, ones) else None


def decide(
    equations: Sequence[Equation],
    left: Callable[[], float | None] = lambda: None,
    most: Mapping[int, int] = ALL_ONE,
) -> Decided:
    """Return variables that are 0, or 1, in every solution, as far as the relaxation proves.

    Optima that are integral are returned as solutions. To find zeros, the sum of all candidates is
    maximised and candidates with a positive value are struck out, until all candidates are zero in
    the optimum. To find ones, the sum is minimised likewise.

    Args:
        equations: equations with a solution in numbers from 0 to 1.
        left: returns the seconds until the deadline, None if there is no deadline.
        most: the upper bounds of variables that may exceed 1.
    """
    program, columns = _program(equations, most)
    found = Decided([], [])
    if program is None:
        return found
    for ones in (False, True):
        sign = 1.0 if ones else -1.0
        # Invariant: every variable that has the same bound (0, or its upper bound) in all solutions
        # is a candidate; an optimum that moves a candidate off the bound refutes the candidate. If
        # the optimum leaves all candidates at the bound, its duals prove all of them at once.
        candidates = dict(columns)
        for column in columns.values():
            program.cost(column, sign)
        while candidates:
            outcome = program.run(left())
            if outcome.status != "optimal":
                return found
            whole = frozenset(v for v, column in columns.items() if outcome.values[column] > _HALF)
            if meets(equations, whole):
                found.solutions.append(whole)
            wrong = [
                variable
                for variable, column in candidates.items()
                if abs(outcome.values[column] - ones * most.get(variable, 1)) > _NEAR
            ]
            if not wrong:
                # The doubles only suggest a claim: it is kept if the rounded duals prove the claim
                # in integers.
                claim = Weighted(frozenset(candidates), ones, rounded(outcome.duals))
                if proves(equations, claim, most):
                    found.claims.append(claim)
                break
            for variable in wrong:
                program.cost(candidates.pop(variable), 0.0)
    return found


def decide_one(
    equations: Sequence[Equation], variable: int, one: bool, seconds: float | None = None
) -> Weighted | None:
    """Return weights that prove ``variable`` to be 1 (``one``), or 0, in every solution, or None.

    The bound of the relaxation may be a fraction: a minimum above 0 proves 1, and a maximum below 1
    proves 0, since ``variable`` is an integer.
    """
    program, columns = _program(equations)
    if program is None or variable not in columns:
        return None
    program.cost(columns[variable], 1.0 if one else -1.0)
    outcome = program.run(seconds)
    claim = Weighted(frozenset([variable]), one, rounded(outcome.duals))
    return claim if outcome.status == "optimal" and proves(equations, claim) else None
