"""Sessions of any board: squares with plain clues have a session of their own, the fast one."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, overload

from satsweeper.answers.classification import Classification, Explanation
from satsweeper.board.codes import Cell
from satsweeper.board.errors import LimitError
from satsweeper.board.facts import Flags
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline
from satsweeper.search import session as squares
from satsweeper.solvers.programs import EXTERNAL
from satsweeper.solvers.table import AUTO

if TYPE_CHECKING:
    from satsweeper.puzzle.answers import PuzzleClassification, PuzzleExplanation
    from satsweeper.puzzle.puzzle import Puzzle


class Session(squares.PositionSession):
    """A session: it classifies a board, also after further cells are opened.

    That of a `Puzzle` is a `PuzzleSession`, with ``classify()``, ``reveal(cell, clue)``,
    ``explain(cell)`` and ``close()`` as well.

    Args:
        board: the board at the start.
        options: the arguments of `satsweeper.search.session.PositionSession` for a `Position`, of
            `satsweeper.puzzle.session.PuzzleSession` for a `Puzzle`.

    Raises:
        ValueError: an unknown name, a solver that cannot do the job, a board that lacks what a rule
            needs.

    >>> from satsweeper import Puzzle
    >>> with Session(Puzzle.parse("rules: C\\nmines: 2\\n1 ? ?\\n? ? ?")) as session:
    ...     print(session.classify().grid())
    ...     session.reveal((0, 1), 2)
    ...     print(session.classify().grid())
    ['1??', 'S??']
    ['12?', 'SM?']
    """

    if TYPE_CHECKING:

        @overload
        def __new__(cls, position: Position, **options: Any) -> Session: ...

        @overload
        def __new__(cls, position: Puzzle, **options: Any) -> Any: ...

    def __new__(cls, position: Position | Puzzle, **options: Any) -> Any:
        """Return a session of squares; of any other board its own, which is already open."""
        if isinstance(position, Position):
            return super().__new__(cls)
        from satsweeper.puzzle.session import PuzzleSession

        return PuzzleSession(position, **options)


@overload
def explain(
    board: Position, cell: Cell, *, solver: str = ..., flags: Flags = ...
) -> Explanation: ...


@overload
def explain(
    board: Puzzle, cell: Hashable, *, solver: str = ..., flags: Flags = ...
) -> PuzzleExplanation: ...


def explain(
    board: Position | Puzzle, cell: Any, *, solver: str = AUTO, flags: Flags = "trust"
) -> Explanation | PuzzleExplanation:
    """Return the reason for the verdict of one covered cell.

    Args:
        board: the board.
        cell: the name of the cell; on grids ``(row, column)``.
        solver: a name of ``satsweeper.solvers.table.SOLVERS``, or ``auto``.
        flags: whether flags are trusted to be mines, or ignored.

    Raises:
        ValueError: ``cell`` is not a covered cell, or the board has no layout.

    >>> from satsweeper import Position, Puzzle
    >>> explain(Position.parse("1??\\n12?\\n01?"), (0, 2)).reason
    Conflict(clues=((0, 0), (1, 1), (2, 1)), flags=(), total=False, irreducible=True)
    >>> explain(Puzzle.parse("rules: W\\n0 ? ?\\n? ? ?"), (0, 1)).sentence
    '(0, 1) is safe in every layout with the 0 at (0, 0).'
    """
    if isinstance(board, Position):
        return squares.explain(board, cell, solver=solver, flags=flags)
    from satsweeper.puzzle.session import PuzzleSession

    with PuzzleSession(board, solver=solver, flags=flags) as session:
        return session.explain(cell)


def explain_within(
    seconds: float | None, board: Position | Puzzle, cell: Any, solver: str, flags: Flags
) -> tuple[Classification | PuzzleClassification | None, Explanation | PuzzleExplanation | None]:
    """Return verdicts and the explanation of ``cell``, each None if not found within ``seconds``.

    Of a `Puzzle` there are verdicts only if it has no layout: then their conflict is why. With
    ``seconds`` None no process is started.

    Raises:
        WorkerDiedError: the process ended without an answer.
        ValueError: ``cell`` is not a covered cell of the board.
    """
    if isinstance(board, Position):
        return squares.explain_within(seconds, board, cell, solver, flags)
    if seconds is None:
        return _explain_puzzle(lambda part: None, Deadline(), board, cell, solver, flags)
    from satsweeper.processes.worker import within

    job = _explain_puzzle, board, cell, solver, flags
    found: tuple[PuzzleClassification | None, PuzzleExplanation | None] | None = within(
        seconds, solver, *job, external=solver.startswith(EXTERNAL)
    )
    return found or (None, None)


def _explain_puzzle(
    send: Callable[[object], object],
    deadline: Deadline,
    puzzle: Puzzle,
    cell: Hashable,
    solver: str,
    flags: str,
) -> tuple[PuzzleClassification | None, PuzzleExplanation | None]:
    """Return why a covered cell is safe or a mine, or the conflict of a board without a layout.

    ``send`` is called with a reason of which fewer parts may be enough, if time is limited.
    """
    from satsweeper.puzzle.session import PuzzleSession

    with PuzzleSession(puzzle, solver=solver, flags=flags) as session:
        consistent = session.consistent(deadline)
        if consistent is False:
            return session.classify(deadline.left()), None
        try:
            if consistent and deadline.left() is not None:
                over = Deadline.after(0.0)
                send((None, session.explain(cell, deadline, reduce_until=over)))
            return None, session.explain(cell, deadline)
        except LimitError:
            return None, None
