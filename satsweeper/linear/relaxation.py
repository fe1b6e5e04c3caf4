"""The linear relaxation of equations of zeros and ones, asked for what it proves (HiGHS).

It refutes what pigeonhole arguments do, slack or none, and finds cells that only a global balance
decides. Every claim that leaves this module was checked in integers; what the doubles of the linear
program suggest and its duals do not prove is dropped.
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
# as 0 <= x <= 1. (A variable that is the sum of several may be as large as their number; the
# negative entry counts as often.) So the duals that a linear program ends with are rounded to
# fractions, and what the fractions prove is a bound, however wrong the duals may be. With c = 0, a
# bound above 0 proves that the equations have no solution at all (Farkas).

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

    Its variables are whole, so all are at their largest if their sum is above the largest sum less
    1, and all are 0 if their sum is below 1.
    """
    if not claim.variables:
        return bound(equations, {}, claim.weights, most) > 0
    sign = 1 if claim.ones else -1
    least = bound(equations, dict.fromkeys(claim.variables, sign), claim.weights, most)
    return least > (sum(most.get(v, 1) for v in claim.variables) - 1 if claim.ones else -1)


_LARGE: Final = 30_000
"""Variables of the largest linear program; larger ones would take too long to set up."""
_HALF: Final = 0.5
_NEAR: Final = 1e-6
"""The largest distance from 0 that counts as 0."""


def available() -> bool:
    """Whether HiGHS can be used: it is an extra, and cannot be loaded beside OR-Tools."""
    return find_spec("highspy") is not None and "ortools" not in sys.modules


def _program(
    equations: Sequence[Equation], most: Mapping[int, int] = ALL_ONE, **kind: bool
) -> tuple["LinearProgram | None", dict[int, int]]:
    """Return a program of ``equations``, and the column of each variable.

    None: there is no variable, or there are too many. ``kind``: options of `LinearProgram`.
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
    """Return weights that prove that there is no solution, or None.

    ``most``: how large variables may be, those that may exceed 1.
    """
    for index, (variables, number) in enumerate(equations):
        if number and not variables:
            return Weighted(frozenset(), False, {index: number})
    # Minimises what the equations miss by: above 0, the duals prove that something is missed.
    program, _ = _program(equations, most, slack=True)
    if program is None or (outcome := program.run(seconds)).status != "optimal":
        return None
    claim = Weighted(frozenset(), False, rounded(outcome.duals))
    return claim if proves(equations, claim, most) else None


class Decided(NamedTuple):
    """Claims that a linear program proved, and solutions, each as the variables that are 1."""

    claims: list[Weighted]
    solutions: list[frozenset[int]]


def solution(
    equations: Sequence[Equation],
    cost: Mapping[int, float],
    seconds: float | None = None,
    *,
    integer: bool = False,
) -> set[int] | None:
    """Return the variables that are 1 in a solution of least cost, if it is whole; else None.

    Args:
        equations: over any numbers as variables.
        cost: of a variable that is 1; 0 unless given.
        seconds: at the most, None for any.
        integer: branch until a solution of zeros and ones is found, if there is any.
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

    Optima on the way that are whole are solutions. To find zeros, the sum of all candidates is made
    as large as possible, candidates that are not zero are struck out, and so on until all
    candidates stay zero; ones likewise.

    Args:
        equations: they have a solution of numbers from 0 to 1.
        left: the seconds that are left, None for any.
        most: how large variables may be, those that may exceed 1.
    """
    program, columns = _program(equations, most)
    found = Decided([], [])
    if program is None:
        return found
    for ones in (False, True):
        sign = 1.0 if ones else -1.0
        # Invariant: a variable that some solution of the relaxation moves off its bound is no
        # candidate. Where the optimum leaves all candidates at the bound, its duals prove that for
        # all of them at once.
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
                # Doubles only suggest: the rounded multipliers are added up in integers before the
                # claim counts.
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
    """Return weights that prove that ``variable`` is ``one`` in every solution, or None.

    In the solutions of the relaxation ``variable`` may be any fraction above 0 (or below 1): a
    bound away from the other value is a proof.
    """
    program, columns = _program(equations)
    if program is None or variable not in columns:
        return None
    program.cost(columns[variable], 1.0 if one else -1.0)
    outcome = program.run(seconds)
    claim = Weighted(frozenset([variable]), one, rounded(outcome.duals))
    return claim if outcome.status == "optimal" and proves(equations, claim) else None
