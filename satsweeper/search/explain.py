"""``explain``: the reason for the verdict of one cell, also within a time limit."""

from collections.abc import Callable

from satsweeper.answers.classification import Classification, Explanation, Status, Verdict
from satsweeper.board.codes import Cell
from satsweeper.board.errors import LimitError
from satsweeper.board.facts import Flags, covered_index
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline
from satsweeper.search.session import Session
from satsweeper.solvers.programs import EXTERNAL
from satsweeper.solvers.search_budget import SearchBudget
from satsweeper.solvers.table import AUTO


def explain(
    position: Position,
    cell: Cell,
    *,
    solver: str = AUTO,
    flags: Flags = "trust",
) -> Explanation:
    """Return the reason for the verdict of one covered cell.

    Raises:
        ValueError: the cell is not a covered one, or the position has no layout.

    >>> from satsweeper import Position, explain
    >>> explain(Position.parse("1??\\n12?\\n01?"), (0, 2)).reason
    Conflict(clues=((0, 0), (1, 1), (2, 1)), flags=(), total=False, irreducible=True)
    """
    with Session(position, solver=solver, flags=flags) as session:
        return session.explain(cell)


PartialExplanation = tuple[Classification | None, Explanation | None]
"""All verdicts, and the reason for one verdict; None for what was not found in time."""


def explain_within(
    seconds: float | None, position: Position, cell: Cell, solver: str, flags: Flags
) -> PartialExplanation:
    """Return the verdicts of a board and `explain` of one cell, as far as time allows.

    Without a limit (None) no process is started. An inconsistent board has no explanation. A reason
    that is not irreducible when the time is over is given as it is. The verdict of the cell may be
    proved long before the others: half of the time is for its reason then.

    Raises:
        WorkerDiedError: that process ended without an answer.
        ValueError: as ``explain``, but for a position without a layout.
    """
    covered_index(position.view(flags), cell)
    if seconds is None:
        return _explain_partly(lambda part: None, Deadline(), position, cell, solver, flags)
    from satsweeper.processes.worker import within

    found: PartialExplanation | None = within(
        seconds,
        solver,
        _explain_partly,
        position,
        cell,
        solver,
        flags,
        external=solver.startswith(EXTERNAL),
    )
    return found or (None, None)


def _explain_partly(
    send: Callable[[PartialExplanation], object],
    deadline: Deadline,
    position: Position,
    cell: Cell,
    solver: str,
    flags: Flags,
) -> PartialExplanation:
    left = deadline.left()
    first = SearchBudget(Deadline.after(None if left is None else left / 2))
    with Session(position, solver=solver, flags=flags) as session:
        result = session.classify(first, lambda partial: send((partial, None)))
        if result.status is Status.UNDECIDED and result.verdict[cell] is Verdict.UNKNOWN:
            result = session.classify(SearchBudget(deadline), lambda partial: send((partial, None)))
        send((result, None))
        if result.status is Status.INCONSISTENT:
            return result, None
        try:
            if left is not None and result.verdict[cell] is not Verdict.UNKNOWN:
                # All of the position is a reason, should no better one be there in time.
                send((result, session.explain(cell, Deadline.after(0.0))))
            return result, session.explain(cell, deadline)
        except LimitError:
            return result, None
