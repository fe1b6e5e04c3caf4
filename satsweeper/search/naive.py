"""The slow oracle: no rules, no reductions. One solver, every clue, two questions a cell."""

from time import perf_counter

from pbcnf.constraints.constraint import Cardinality
from pbcnf.emission.encode import encode, encode_many
from pbcnf.encoders.table import find_encoder
from satsweeper.answers.classification import Classification, Stats, Status
from satsweeper.answers.options import Options
from satsweeper.board.facts import Facts, check_layout
from satsweeper.board.planes import board_of, indices
from satsweeper.clues import constraints_of
from satsweeper.position import Position
from satsweeper.reasons.conflict import find_conflict
from satsweeper.solvers.protocol import LiveSolver, Satisfied, Unknown, Unsatisfied
from satsweeper.solvers.search_budget import SearchBudget
from satsweeper.solvers.sink import SolverSink, open_solver
from satsweeper.solvers.sum_range import refuse_if_huge
from satsweeper.solvers.table import line_up


def classify_naive(position: Position, options: Options, limit: SearchBudget) -> Classification:
    """Classify by assuming each cell to be a mine, then to be safe."""
    started = perf_counter()
    view = position.view(options.flags)
    size = view.geometry.size
    live = open_solver(line_up(options.solver)[0])
    try:
        sink = SolverSink(live)
        cells = indices(view.covered, size)
        variable = dict(zip(cells, range(1, len(cells) + 1), strict=True))
        sink.new_vars(len(cells))
        board = constraints_of(position, options.flags)
        for group in board.groups:
            encode_many(group.inputs, group.mines, group.mines, sink, options.encoding)
        if board.total is not None:
            encoder = find_encoder(options.total_encoding)
            refuse_if_huge(encoder, len(cells), board.total, board.total)
            every = Cardinality(range(1, len(cells) + 1), board.total, board.total)
            encode(every, sink, encoder)
        stats = Stats(solvers=1, variables=sink.num_vars, clauses=sink.num_clauses)
        status, safe, mines = _ask(variable, view.facts(), view.total, live, limit, stats)
    finally:
        live.close()
    conflict = find_conflict(view, (), limit.deadline) if status is Status.INCONSISTENT else None
    stats.seconds = perf_counter() - started
    found = Classification.of(
        view,
        status,
        board_of(safe, size),
        board_of(mines, size),
        stats=stats,
        engine="plain",
        solver=live.name,
        encoding=options.encoding,
    )
    return found.replaced(conflict=conflict)


def _ask(
    variable: dict[int, int],
    facts: Facts,
    total: int | None,
    live: LiveSolver,
    limit: SearchBudget,
    stats: Stats,
) -> tuple[Status, list[int], list[int]]:
    safe: list[int] = []
    mines: list[int] = []
    status = Status.CONSISTENT

    def possible(*assumptions: int) -> bool | None:
        answer = limit.solve(live, assumptions)
        while isinstance(answer, Unknown) and not limit.deadline.passed():
            # The budget of conflicts stopped the question, not the deadline: ask again with more.
            limit.widen()
            answer = limit.solve(live, assumptions)
        stats.sat_calls += 1
        if isinstance(answer, Satisfied):
            # A variable beyond the model's end is in no clause, so it may be taken as false.
            model = answer.model
            shown = [c for c, v in variable.items() if v <= len(model) and model[v - 1] > 0]
            check_layout(facts, shown, total)
            stats.models += 1
            return True
        return None if isinstance(answer, Unknown) else not isinstance(answer, Unsatisfied)

    # Without any layout both questions about a cell would be refuted, so consistency comes first.
    some = possible()
    if some is False:
        return Status.INCONSISTENT, safe, mines
    for cell, literal in variable.items():
        as_mine = possible(literal)
        # The position has a layout: a cell that cannot be a mine is safe in that layout.
        as_safe = possible(-literal) if as_mine is not False else True
        if as_mine is False:
            safe.append(cell)
        elif as_safe is False:
            mines.append(cell)
        elif as_mine is None or as_safe is None:
            status = Status.UNDECIDED
    return (Status.UNDECIDED if some is None else status), safe, mines
