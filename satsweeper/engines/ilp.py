"""A position as a 0/1 program for HiGHS: a variable a covered cell, an equation a clue.

Complete. Both engines of this file keep one program from query to query.

`ilp` minimises and maximises each cell's variable; among equals the solver prefers layouts that
show other cells differently, which saves most of the queries.

`lp` adds a test constraint: it forces a cell to be a mine (or to be safe), and sees whether a
layout is left. Its name in the literature is linear programming; what the program without
integrality can prove is `satsweeper.engines.lp_relaxation`.

Statuses are checked, and every layout is checked on the board. That there is no layout is the claim
of a solver that computes with doubles; where the linear relaxation proves it too, the proof is
checked in integers (`satsweeper.engines.parts.weak_duality`), and a note says how many verdicts
rest on HiGHS's word.
"""

from collections.abc import Callable

from satsweeper.answers.classification import Classification
from satsweeper.answers.options import Options
from satsweeper.engines.parts.position_sums import PositionSums
from satsweeper.engines.parts.query_loop import Ask, Found, classify_apart, decide
from satsweeper.engines.parts.weak_duality import with_proofs
from satsweeper.linear.highs import LinearProgram, mines_of
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline


def by_optimising(position: Position, options: Options) -> Classification:
    """Classify by minimising and maximising each cell over the 0/1 program."""
    return classify_apart("ortools", _classify, position, options, _minimise_and_maximise)


def by_test_constraints(position: Position, options: Options) -> Classification:
    """Classify by test constraints, two a cell at the most."""
    return classify_apart("ortools", _classify, position, options, _force)


def _classify(
    position: Position, options: Options, asking: Callable[[LinearProgram, int], Ask]
) -> Classification:
    """Classify with what ``asking`` makes of the program and its number of variables."""
    deadline = Deadline.after(options.timeout)
    sums = PositionSums(position, options)
    variables = len(sums.cells)

    def begin(sums: PositionSums) -> Ask:
        return asking(LinearProgram(variables, sums.columns, integer=True), variables)

    return with_proofs(decide(position, options, begin), sums, deadline)


def _minimise_and_maximise(program: LinearProgram, variables: int) -> Ask:
    # The cost of the cell in question outweighs all others, which only prefer new layouts.
    first = 4.0 * variables
    side = [0.0] * variables

    def ask(literal: int, seconds: float | None) -> Found:
        column = abs(literal) - 1
        if literal:
            program.cost(column, -first if literal > 0 else first)
        outcome = program.run(seconds)
        if literal:
            program.cost(column, side[column])
        if outcome.status != "optimal":
            return False if outcome.status == "infeasible" else None
        mines = mines_of(outcome.values, variables)
        if literal and (abs(literal) in mines) is not (literal > 0):
            # Even the best value is not the value in question, so no layout has it.
            return False
        for other in range(variables):
            # A cell seen one way so far is cheaper the other way; seen both ways, it costs nothing.
            wanted = 1.0 if other + 1 in mines else -1.0
            if literal and side[other] != wanted:
                wanted = 0.0
            if side[other] != wanted:
                side[other] = wanted
                program.cost(other, wanted)
        return mines

    return ask


def _force(program: LinearProgram, variables: int) -> Ask:
    def ask(literal: int, seconds: float | None) -> Found:
        column = abs(literal) - 1
        if literal:
            forced = 1.0 if literal > 0 else 0.0
            program.bounds(column, forced, forced)
        outcome = program.run(seconds)
        if literal:
            program.bounds(column, 0.0, 1.0)
        if outcome.status == "optimal":
            return mines_of(outcome.values, variables)
        return False if outcome.status == "infeasible" else None

    return ask
