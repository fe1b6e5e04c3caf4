"""The linear relaxation of equations of zeros and ones, asked for what it proves (HiGHS).

It refutes what pigeonhole arguments do, slack or none, and finds cells that only a global balance
decides. Every claim that leaves here was checked in integers (``satsweeper.linear.duality``); what
the doubles of the linear program suggest and its duals do not prove is dropped.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, NamedTuple

from satsweeper.linear.duality import ALL_ONE, Weighted, proves, rounded
from satsweeper.linear.equations import Equation, meets

if TYPE_CHECKING:
    from satsweeper.linear.highs import LinearProgram

_LARGE: Final = 30_000
"""Variables of the largest linear program; larger ones would take too long to set up."""
_HALF: Final = 0.5
_NEAR: Final = 1e-6
"""The largest distance from 0 that counts as 0."""


def available() -> bool:
    """Whether HiGHS can be used: it is an extra, and cannot be loaded beside OR-Tools."""
    return find_spec("highspy") is not None and "ortools" not in sys.modules


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
    columns = _columns(equations)
    if not 0 < len(columns) <= _LARGE:
        return None
    from satsweeper.linear.highs import LinearProgram

    program = LinearProgram(len(columns), _rows(equations, columns), slack=True)
    _widen(program, columns, most)
    outcome = program.run(seconds)
    if outcome.status != "optimal":
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
        integer: branch until it is one, if there is any.
    """
    columns = _columns(equations)
    if not 0 < len(columns) <= _LARGE:
        return None
    from satsweeper.linear.highs import LinearProgram, mines_of

    program = LinearProgram(len(columns), _rows(equations, columns), integer=integer)
    for variable in cost.keys() & columns.keys():
        program.cost(columns[variable], cost[variable])
    outcome = program.run(seconds)
    if outcome.status != "optimal":
        return None
    chosen = mines_of(outcome.values, len(columns))
    ones = {variable for variable, column in columns.items() if column + 1 in chosen}
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
    columns = _columns(equations)
    found = Decided([], [])
    if not 0 < len(columns) <= _LARGE:
        return found
    from satsweeper.linear.highs import LinearProgram

    program = LinearProgram(len(columns), _rows(equations, columns))
    _widen(program, columns, most)
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

    It may be less than 1 in every solution of the relaxation, and yet more than 0.
    """
    columns = _columns(equations)
    if variable not in columns or len(columns) > _LARGE:
        return None
    from satsweeper.linear.highs import LinearProgram

    program = LinearProgram(len(columns), _rows(equations, columns))
    program.cost(columns[variable], 1.0 if one else -1.0)
    outcome = program.run(seconds)
    claim = Weighted(frozenset([variable]), one, rounded(outcome.duals))
    return claim if outcome.status == "optimal" and proves(equations, claim) else None


def _widen(program: "LinearProgram", columns: Mapping[int, int], most: Mapping[int, int]) -> None:
    for variable, largest in most.items():
        program.bounds(columns[variable], 0.0, largest)


def _columns(equations: Sequence[Equation]) -> dict[int, int]:
    variables = dict.fromkeys(v for variables, _ in equations for v in variables)
    return {variable: column for column, variable in enumerate(variables)}


def _rows(equations: Sequence[Equation], columns: dict[int, int]) -> list[tuple[list[int], int]]:
    return [([columns[v] for v in variables], number) for variables, number in equations]
