"""The slow oracle for boards of any shape: one solver, two questions a cell, no reductions.

No backbone, no cell that stands for others, no known cell left out of clauses: every variable of an
opened cell is decided by a unit clause, and every part of the board holds for good.
"""

from __future__ import annotations

from time import perf_counter

from satsweeper.answers.classification import Stats, Status, Verdict
from satsweeper.answers.options import Options
from satsweeper.board.facts import WrongModelError
from satsweeper.processes.deadline import Deadline
from satsweeper.puzzle.answers import PuzzleClassification
from satsweeper.puzzle.board_constraints import board_constraints
from satsweeper.puzzle.clause_writer import ClauseWriter
from satsweeper.puzzle.lazy_connection import CuttingSolver
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.session import PuzzleSession
from satsweeper.solvers.protocol import Satisfied, Unknown
from satsweeper.solvers.search_budget import LimitedSolver
from satsweeper.solvers.sink import SolverSink, open_solver
from satsweeper.solvers.table import line_up


def classify_naive(puzzle: Puzzle, options: Options) -> PuzzleClassification:
    """Classify by assuming each cell to be a mine, then to be safe.

    ``options``: the solver, encodings, flags and time limit.
    """
    begun = perf_counter()
    deadline = Deadline.after(options.timeout)
    inner = open_solver(line_up(options.solver)[0])
    try:
        sink = SolverSink(inner)
        sink.new_vars(puzzle.board.num_vars)
        constraints = board_constraints(puzzle, options.flags)
        writer = ClauseWriter(sink, {}, options.encoding, options.total_encoding)
        for constraint in constraints:
            constraint.write(writer)
        solver = CuttingSolver(inner, writer, puzzle.board.num_vars)
        selectors = [*writer.selectors.values()]
        for lit in (*selectors, *[v if true else -v for v, true in puzzle.known.items()]):
            sink.add_clause([lit])
        stats = Stats(solvers=1, variables=sink.num_vars, clauses=sink.num_clauses)
        stats.constraints = len(constraints)

        def possible(*literals: int) -> bool | None:
            """Whether the board has a layout with ``literals``; None at the limit."""
            # Units decide the selectors; assumed once more they tell the solver which connections
            # its models need.
            answer = LimitedSolver(solver, deadline, None).solve([*selectors, *literals])
            if isinstance(answer, Satisfied):
                stats.models += 1
                mines = {lit for lit in answer.model[: puzzle.board.num_vars] if lit > 0}
                if not all(each.holds(mines) for each in constraints):
                    raise WrongModelError("a solver's model violates a constraint of the board")
            return None if isinstance(answer, Unknown) else isinstance(answer, Satisfied)

        some = possible()
        found: dict[int, Verdict] = {}
        status = Status.CONSISTENT if some else Status.UNDECIDED
        for cell in puzzle.hidden(options.flags) if some is not False else ():
            # The board has a layout: a cell that cannot be a mine is safe in it.
            as_mine = possible(cell + 1)
            as_safe = possible(-cell - 1) if as_mine is not False else True
            found[cell] = Verdict.UNKNOWN
            if as_mine is False:
                found[cell] = Verdict.SAFE
            elif as_safe is False:
                found[cell] = Verdict.MINE
            elif as_mine is None or as_safe is None:
                status = Status.UNDECIDED
        stats.sat_calls = solver.calls
    finally:
        inner.close()
    conflict = None
    if some is False:
        status = Status.INCONSISTENT
        with PuzzleSession(puzzle, solver=options.solver, flags=options.flags) as session:
            conflict = session.conflict(deadline)
    stats.seconds = perf_counter() - begun
    return PuzzleClassification(
        puzzle,
        status,
        found,
        stats,
        options.flags,
        inner.name,
        options.encoding,
        "plain",
        conflict,
    )
