"""The relaxation: how low and how high each cell goes when cells may be mines in part. HiGHS.

Incomplete: a lowest value above 0 proves a mine, a highest value below 1 a safe cell, and what is
true of layouts but not of their mixtures (parity, above all) is missed. No claim rests on doubles:
what the duals of HiGHS prove is computed in integers (`satsweeper.engines.parts.weak_duality`).

What duals say, and what they do not. Minimising x of a cell, the dual of a clue is how fast the
lowest value rises with the clue's number, as far as one basis lasts; the clues with a dual other
than 0 prove the verdict. The reduced cost of another cell is how fast it would rise with that
cell's own value. If the objective is empty, all duals and reduced costs are 0, whether there is one
layout or a million: zero duals say nothing about the number of layouts, nor do they confirm that
there are several.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from satsweeper.answers.options import Options
from satsweeper.board.codes import Cell
from satsweeper.board.facts import WrongModelError
from satsweeper.board.view import Flags
from satsweeper.engines.parts.apart import require, run_apart
from satsweeper.engines.parts.questions import (
    INCONSISTENT,
    OUT_OF_TIME,
    Board,
    Evidence,
    PartialAnswers,
)
from satsweeper.engines.parts.reduction import Reduction, reduction_of
from satsweeper.engines.parts.weak_duality import Relaxation, proved_bound
from satsweeper.engines.protocol import EngineAnswer
from satsweeper.linear.highs import Outcome, Program, mines_of
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline

_NEAR: Final = 1e-6
"""Values this near to 0 or 1 are tried as a layout; the board decides."""

_MISSED: Final = "cells without a verdict may still be certain: the relaxation is incomplete"


@dataclass(frozen=True)
class Extreme:
    """The lowest or the highest value of a cell over the relaxation.

    ``value`` is what HiGHS found, ``bound`` what its duals prove exactly: the value is no lower
    (lowest), or no higher (highest). ``duals`` are by clue, None for the total, and ``reduced``
    costs by cell, both signed so that they are rates of ``value``; zeros are left out.
    """

    value: float
    bound: Fraction
    duals: dict[Cell | None, float]
    reduced: dict[Cell, float]


@dataclass(frozen=True)
class Report:
    """What the relaxation says of one cell."""

    cell: Cell
    lowest: Extreme
    highest: Extreme


def classify(position: Position, options: Options) -> EngineAnswer:
    """Classify as far as the relaxation goes.

    Raises:
        EngineMissingError: highspy is not installed.
    """
    require("highspy", "ilp")
    return run_apart("ortools", _classify, position, options)


def report(position: Position, cell: Cell, flags: Flags = "trust") -> Report | None:
    """A cell's lowest and highest value with duals and reduced costs; None: no relaxed layout.

    In a process that has OR-Tools loaded, highspy cannot be imported.

    Raises:
        EngineMissingError: highspy is not installed.
        KeyError: the cell is not covered.
    """
    reduction = reduction_of(position, flags)
    column = reduction.variables[cell]
    program = Program(reduction.num_vars, reduction.rows())
    extremes = []
    for sign in (1, -1):
        program.cost(column, float(sign))
        outcome = program.run()
        if outcome.status != "optimal":
            return None
        extremes.append(_extreme(reduction, column, sign, outcome))
    return Report(cell, *extremes)


def duals_without_objective(
    position: Position, flags: Flags = "trust"
) -> dict[Cell | None, float] | None:
    """The duals by clue of the relaxation with an empty objective; None: no relaxed layout.

    They are all 0, since 0 is what an empty objective gains by a change of any clue: with one
    layout as with many. In a process that has OR-Tools loaded, highspy cannot be imported.
    """
    reduction = reduction_of(position, flags)
    outcome = Program(reduction.num_vars, reduction.rows()).run()
    if outcome.status != "optimal":
        return None
    clues = (equation.clue for equation in reduction.constraints)
    return dict(zip(clues, outcome.duals, strict=True))


def _extreme(reduction: Reduction, column: int, sign: int, outcome: Outcome) -> Extreme:
    clues = [equation.clue for equation in reduction.constraints]
    reduced = zip(reduction.variables, outcome.reduced, strict=True)
    return Extreme(
        value=sign * outcome.objective,
        bound=sign * proved_bound(reduction, column, sign, outcome),
        duals={c: sign * y for c, y in zip(clues, outcome.duals, strict=True) if abs(y) > _NEAR},
        reduced={cell: sign * d for cell, d in reduced if abs(d) > _NEAR},
    )


def _classify(position: Position, options: Options) -> EngineAnswer:
    deadline, answers = Deadline.after(options.timeout), PartialAnswers(options.tell)
    board = Board(position, options.flags)
    if board.impossible:
        return INCONSISTENT
    evidence = Evidence(board)
    if not board.cells:
        evidence.note(frozenset())
        return evidence.answer()
    reduction = reduction_of(position, options.flags)

    def look(outcome: Outcome) -> None:
        values = outcome.values[: reduction.num_vars]
        if all(min(abs(value), abs(value - 1)) < _NEAR for value in values):
            try:
                evidence.note(mines_of(values, reduction.num_vars))
            except WrongModelError:
                # Near to a layout is not a layout; nothing is concluded from it.
                return

    relaxation = Relaxation(reduction)
    first, impossible = relaxation.no_layout(deadline.left())
    if impossible:
        return INCONSISTENT
    if first.status == "optimal":
        look(first)
    late = first.status == "limit"
    for group in board.classes:
        column = group[0] - 1
        for sign in (1, -1):
            literal = -sign * group[0]
            if late or literal not in evidence.open:
                continue
            outcome, proved = relaxation.extreme(column, sign, deadline.left())
            late = outcome.status == "limit"
            if outcome.status == "optimal":
                look(outcome)
                if proved:
                    evidence.refuted.add(literal)
            answers.offer(evidence.answer)
    answer = evidence.answer((OUT_OF_TIME,) if late else ())
    if answer.decided or late or answer.status == "inconsistent":
        return answer
    return evidence.answer((_MISSED,))
