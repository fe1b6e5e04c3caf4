"""A position as counting constraints: exactly k of some cells are mines.

Variables 1 .. n are the covered cells, row by row. Nothing is simplified: each clue that counts a
covered cell is one constraint, so that the constraints have exactly the layouts of the board as
solutions. Exports, certificates and engines use this module; the session uses the constraints that
remain after the rules (``satsweeper.reduce.residual``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from satsweeper.board.arrays import ListRow, ListTable
from satsweeper.board.codes import MAX_CLUE, Cell
from satsweeper.board.facts import Flags, View
from satsweeper.board.planes import flat, indices, pad
from satsweeper.position import Position

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    try:
        import numpy as np
    except ImportError:
        np = None


class ClueSum(NamedTuple):
    """Exactly ``mines`` of ``variables`` are mines, by the clue at ``clue`` (None: by the total).

    ``mines`` may be negative or larger than the number of variables; then no layout exists.
    """

    variables: tuple[int, ...]
    mines: int
    clue: Cell | None


@dataclass(frozen=True, eq=False)
class ClueGroup:
    """Clues of one shape: exactly ``mines`` of each row of ``inputs`` are mines.

    ``inputs``: the variables that each clue counts, an int32 array of shape ``(clues, cells)``.
    ``clues``: the row and column of each clue, shape ``(clues, 2)``. ``mines``: the number of the
    clues less the trusted flags around each; if ``mines`` is negative or larger than the number of
    cells, no layout exists.
    """

    inputs: NDArray[np.int32] = field(repr=False)
    mines: int
    clues: NDArray[np.intp] = field(repr=False)

    @property
    def shape(self) -> tuple[int, int]:
        """The number of covered cells around each clue, and the number of mines among them."""
        return int(self.inputs.shape[1]), self.mines


@dataclass(frozen=True, eq=False)
class BoardConstraints:
    """The clues and the total of a position, over variables 1 .. n.

    ``cells``: row and column of the covered cells, shape ``(n, 2)``; the cell of variable ``v`` is
    at ``v - 1``. ``flags``: the flags taken for mines, shape ``(flags, 2)``. ``groups``: the clues,
    by ascending shape, in each group row by row. ``total``: the number of mines among all n cells,
    None if unknown; a total below 0 or above n means that no layout exists.
    """

    cells: NDArray[np.intp] = field(repr=False)
    flags: NDArray[np.intp] = field(repr=False)
    groups: tuple[ClueGroup, ...]
    total: int | None

    def sums(self) -> Iterator[ClueSum]:
        """Yield the sums one by one: clues by ascending shape, row by row, then the total."""
        for group in self.groups:
            rows = zip(group.inputs.tolist(), group.clues.tolist(), strict=True)
            for variables, (row, column) in rows:
                yield ClueSum(tuple(variables), group.mines, (row, column))
        if self.total is not None:
            yield ClueSum(tuple(range(1, len(self.cells) + 1)), self.total, None)

    def cell_list(self) -> list[Cell]:
        """Return the covered cells as tuples; the cell of variable ``v`` is at ``v - 1``."""
        return [(row, column) for row, column in self.cells.tolist()]


def constraints_of(position: Position, flags: Flags = "trust") -> BoardConstraints:
    """Return the counting constraints of ``position``.

    A clue without covered neighbours is left out if its trusted flags meet it; otherwise it becomes
    a constraint over no variables, which no layout meets.

    Raises:
        ValueError: ``flags`` is neither ``"trust"`` nor ``"ignore"``.

    >>> board = constraints_of(Position.parse("2 3 2\\n1?F\\n12?"))
    >>> board.cells.tolist(), board.total
    ([[0, 1], [1, 2]], 1)
    >>> [(group.inputs.tolist(), group.mines) for group in board.groups]
    [([[1], [1]], 1), ([[1, 2]], 1)]
    """
    view = position.view(flags)
    if np is None:
        return _listed(view)
    columns, size = position.columns, position.geometry.size
    covered, trusted = (
        flat(board, size)[:size].reshape(-1, columns + 1)[:, :columns].astype(bool)
        for board in (view.covered, view.trusted)
    )
    return BoardConstraints(
        cells=np.argwhere(covered),
        flags=np.argwhere(trusted),
        groups=_groups(position, covered, trusted),
        total=None if position.mines is None else position.mines - int(trusted.sum()),
    )


def _groups(
    position: Position, covered: NDArray[np.bool_], trusted: NDArray[np.bool_]
) -> tuple[ClueGroup, ...]:
    geometry = position.geometry
    # ``table`` holds the neighbours of each clue as indices of the padded board, where cells
    # outside the grid have no variable (0) and no flag.
    codes = np.frombuffer(pad(position.cells), np.int8)
    clues = np.flatnonzero((codes >= 0) & (codes <= MAX_CLUE))
    table = geometry.neighbour_table(clues)
    numbers = np.zeros(covered.shape, np.int32)
    numbers[covered] = np.arange(1, covered.sum() + 1)
    variables = _padded(numbers, geometry.reach)[table]
    flagged = _padded(trusted.astype(np.int32), geometry.reach)[table].sum(axis=1)
    held = variables > 0
    count = held.sum(axis=1)
    need = codes[clues] - flagged

    groups = []
    for n in np.unique(count).tolist():
        for mines in np.unique(need[count == n]).tolist():
            if n or mines:
                rows = (count == n) & (need == mines)
                inputs = variables[rows][held[rows]].reshape(-1, n) if n else variables[rows, :0]
                cells = np.column_stack(np.divmod(clues[rows], geometry.columns + 1))
                groups.append(ClueGroup(inputs, mines, cells))
    return tuple(groups)


def _listed(view: View) -> BoardConstraints:
    """Return the constraints in lists instead of arrays (``satsweeper.board.arrays``)."""
    geometry, size = view.geometry, view.geometry.size
    variables = {index: v for v, index in enumerate(indices(view.covered, size), start=1)}
    clues = []
    for clue in indices(view.clues, size):
        near = list(geometry.neighbours(clue))
        inputs = ListRow(variables[n] for n in near if n in variables)
        mines = view.value(clue) - sum(view.trusted >> n & 1 for n in near)
        if inputs or mines:
            clues.append(((len(inputs), mines), inputs, ListRow(geometry.cell(clue))))
    # The sort is stable: within a shape the clues stay in the order of the board.
    clues.sort(key=lambda entry: entry[0])
    groups: list[ClueGroup] = []
    for (_, mines), entries in groupby(clues, key=lambda entry: entry[0]):
        rows = list(entries)
        table: Any = ListTable(inputs for _, inputs, _ in rows)
        places: Any = ListTable(cell for _, _, cell in rows)
        groups.append(ClueGroup(table, mines, places))
    cells: Any = ListTable(ListRow(geometry.cell(index)) for index in variables)
    flags: Any = ListTable(ListRow(geometry.cell(index)) for index in indices(view.trusted, size))
    total = None if view.total is None else view.total - len(flags)
    return BoardConstraints(cells, flags, tuple(groups), total)


def _padded(values: NDArray[np.int32], reach: int) -> NDArray[np.int32]:
    """Return ``values`` in the order of a bit board, with zeros in padding bytes and at the end."""
    rows, columns = values.shape
    padded = np.zeros(rows * (columns + 1) + reach, np.int32)
    padded[: rows * (columns + 1)].reshape(rows, columns + 1)[:, :columns] = values
    return padded
