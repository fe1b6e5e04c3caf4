"""``explain``: why one cell has its verdict."""

from typing import Literal

from satsweeper.answers.explanation import Explanation
from satsweeper.board.codes import Cell
from satsweeper.position import Position
from satsweeper.search.session import Session
from satsweeper.solvers.table import AUTO


def explain(
    position: Position,
    cell: Cell,
    *,
    solver: str = AUTO,
    flags: Literal["trust", "ignore"] = "trust",
) -> Explanation:
    """The reason for one covered cell's verdict.

    Raises:
        ValueError: the cell is not a covered one, or the position has no layout.

    >>> from satsweeper import Position, explain
    >>> explain(Position.parse("1??\\n12?\\n01?"), (0, 2)).reason
    Conflict(clues=((0, 0), (1, 1), (2, 1)), flags=(), total=False, irreducible=True)
    """
    with Session(position, solver=solver, flags=flags) as session:
        return session.explain(cell)
