"""A position as a 0/1 program for HiGHS: a variable a covered cell, an equation a clue.

Complete. Both engines of this file keep one program from query to query.

`ilp` minimises and maximises each cell's variable; among layouts with the same value of this cell,
the costs prefer layouts that show other cells in a new way, which saves most of the queries.

`lp` adds a test constraint: a cell is forced to be a mine (or to be safe), and the program is
tested for a layout. The literature calls this method linear programming; the proofs of the program
without integrality are the engine `satsweeper.engines.lp_relaxation`.

Statuses are checked, and every layout is checked on the board. The claim that there is no layout
comes from a solver that computes with doubles; if the linear relaxation proves the claim as well,
the proof is checked in integers (`satsweeper.engines.parts.weak_duality`). A note gives the number
of verdicts without such a proof.
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
    """Classify by test constraints, at most two for each cell."""
    return classify_apart("ortools", _classify, position, options, _force)


def _classify(
    position: Position, options: Options, asking: Callable[[LinearProgram, int], Ask]
) -> Classification:
    """Classify with the queries of ``asking``, a function of the program and its variables."""
    deadline = Deadline.after(options.timeout)
    sums = PositionSums(position, options)
    variables = len(sums.cells)

    def begin(sums: PositionSums) -> Ask:
        return asking(LinearProgram(variables, sums.columns, integer=True), variables)

    return with_proofs(decide(position, options, begin), sums, deadline)


def _minimise_and_maximise(program: LinearProgram, variables: int) -> Ask:
    # The cost of the cell in question outweighs all other costs together, which are at most 1 each
    # and only choose among layouts with the same value of the cell.
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
            # The optimum does not have the value in question, so no layout has the value.
            return False
        for other in range(variables):
            # A cell shown in one way so far is cheaper in the other way; a cell shown both ways
            # has no cost.
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
