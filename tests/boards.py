"""Small boards and all their layouts, by plain predicates that know nothing of the code; answers.

What an answer says is given as sets of cells, and reasons are held to the layouts.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from satsweeper import Classification, Conflict, Status

Cell = tuple[int, int]
Cells = NDArray[np.int8]

COVERED, FLAG = -1, -2
PROVABLE = {
    "total": "2 5 1\n1????\n1????\n", "open": "3 5 ?\n1????\n12?2?\n01?1?\n",
    "clash": "2 3 ?\n1?1\n2?1\n", "clash by the total": "1 4 0\n?1??\n",
    "flags": "2 4 ?\n1F??\n12??\n", "interior": "1 5 ?\n1????\n",
}  # fmt: skip
"""Boards with something to prove, named by what they are for."""
Parts = tuple[set[Cell], set[Cell], bool]


def neighbours(cell: Cell, shape: tuple[int, int]) -> list[Cell]:
    row, column = cell
    return [
        (r, c)
        for r in range(row - 1, row + 2)
        for c in range(column - 1, column + 2)
        if (r, c) != cell and 0 <= r < shape[0] and 0 <= c < shape[1]
    ]


class Board(NamedTuple):
    """A small position for brute force: cells as in ``Position``, and the total or None."""

    cells: Cells
    total: int | None

    def at(self, code: int) -> list[Cell]:
        return [(int(r), int(c)) for r, c in np.argwhere(self.cells == code)]

    def clues(self) -> list[Cell]:
        return [(int(r), int(c)) for r, c in np.argwhere(self.cells >= 0)]

    def opened(self, cell: Cell, clue: int) -> "Board":
        """The board on which one more cell shows its clue."""
        cells = self.cells.copy()
        cells[cell] = clue
        return self._replace(cells=cells)

    def layouts(
        self, clues: list[Cell] | None = None, flags: list[Cell] | None = None, total: bool = True
    ) -> Iterator[frozenset[Cell]]:
        """All sets of mines that meet some clues (all), hold some flags (all) and the total.

        A flag that is not held may be a mine or not.
        """
        clues = self.clues() if clues is None else clues
        flags = self.at(FLAG) if flags is None else flags
        hidden = [*self.at(COVERED), *self.at(FLAG)]
        near = {clue: set(neighbours(clue, self.cells.shape)) for clue in clues}
        for bits in product((False, True), repeat=len(hidden)):
            mines = frozenset(cell for cell, bit in zip(hidden, bits, strict=True) if bit)
            if (
                all(flag in mines for flag in flags)
                and (not total or self.total in (None, len(mines)))
                and all(len(near[clue] & mines) == self.cells[clue] for clue in clues)
            ):
                yield mines

    def verdicts(self) -> dict[Cell, str] | None:
        """Every covered cell's verdict by brute force; None if there is no layout."""
        layouts = list(self.layouts())
        if not layouts:
            return None
        always = frozenset.intersection(*layouts)
        ever = frozenset.union(*layouts)
        return {
            cell: "mine" if cell in always else "unknown" if cell in ever else "safe"
            for cell in self.at(COVERED)
        }


@st.composite
def boards(draw: st.DrawFn, most: int = 11, consistent: bool = False) -> Board:
    """Positions of games with up to ``most`` hidden cells, some of them spoilt."""
    rows, columns = draw(
        st.one_of(
            st.tuples(st.integers(1, 5), st.integers(1, 5)),
            st.tuples(st.just(1), st.integers(1, 14)),
            st.tuples(st.integers(1, 14), st.just(1)),
        )
    )
    kinds = st.sampled_from("mmmcccooooooF")
    cells = np.full((rows, columns), COVERED, np.int8)
    mines = set()
    hidden = 0
    for cell in np.ndindex(rows, columns):
        kind = draw(kinds)
        if hidden == most and kind != "o":
            kind = "o"
        hidden += kind != "o"
        if kind in "mF":
            mines.add(cell)
        cells[cell] = {"m": COVERED, "c": COVERED, "F": FLAG, "o": 0}[kind]
    for cell in np.ndindex(rows, columns):
        if cells[cell] == 0:
            cells[cell] = sum(near in mines for near in neighbours(cell, (rows, columns)))
    total = draw(st.sampled_from([None, len(mines), len(mines)]))
    if not consistent and draw(st.integers(0, 3)) == 0:
        cell = (draw(st.integers(0, rows - 1)), draw(st.integers(0, columns - 1)))
        if cells[cell] >= 0:
            cells[cell] = draw(st.integers(0, 8))
        if total is not None:
            total = min(max(total + draw(st.integers(-1, 1)), 0), rows * columns)
    return Board(cells, total)


def board_of(text: str, total: int | None = None) -> Board:
    """A board from rows of text (``?`` covered, ``F`` flag, digits)."""
    code = {"?": COVERED, "F": FLAG}
    rows = [[code[ch] if ch in code else int(ch) for ch in row] for row in text.split()]
    return Board(np.array(rows, np.int8), total)


def rows_of(mines: NDArray[np.bool_], opened: NDArray[np.bool_]) -> str:
    """The rows of a large board of which these cells are open."""
    height, width = mines.shape
    padded = np.pad(mines.astype(int), 1)
    steps = [(i, j) for i in range(3) for j in range(3) if (i, j) != (1, 1)]
    clues = sum(padded[i : i + height, j : j + width] for i, j in steps)
    shown = np.where(opened, np.char.mod("%d", clues), "?")
    return "".join("".join(row) + "\n" for row in shown)


@dataclass(frozen=True)
class CertainCells:
    """Status, safe cells and mines of a classification, and whether every other is unknown."""

    status: str
    safe: frozenset[Cell] = frozenset()
    mines: frozenset[Cell] = frozenset()
    decided: bool = True
    notes: tuple[str, ...] = ()


def certain_cells(answer: Classification) -> CertainCells:
    """A classification as status and sets."""
    decided = answer.status is not Status.UNDECIDED
    safe, mines = frozenset(answer.safe), frozenset(answer.mines)
    return CertainCells(str(answer.status), safe, mines, decided, answer.notes)


def verdicts(result: Classification) -> dict[Cell, str] | None:
    """The verdict of every covered cell, as ``Board.verdicts``; None if there is no layout."""
    if result.status is Status.INCONSISTENT:
        return None
    assert result.status is Status.CONSISTENT
    return {cell: str(verdict) for cell, verdict in result.verdict.items()}


def without_one(parts: Parts) -> Iterator[Parts]:
    """Clues, flags and total without one of them, in every way."""
    clues, flags, total = parts
    yield from ((clues - {clue}, flags, total) for clue in clues)
    yield from ((clues, flags - {flag}, total) for flag in flags)
    if total:
        yield clues, flags, False


def assert_refutes(board: Board, conflict: Conflict, *opposite: tuple[Cell, bool]) -> None:
    """Of a board no layout meets what is named; if it is irreducible, without any one some do.

    ``opposite``: a cell, and whether only layouts with a mine there count (or only those without).
    """

    def possible(parts: Parts) -> bool:
        clues, flags, total = parts
        every = board.layouts(list(clues), list(flags), total)
        return any(all((cell in mines) is mine for cell, mine in opposite) for mines in every)

    named = set(conflict.clues), set(conflict.flags), conflict.total
    assert named[0] <= set(board.clues())
    assert named[1] <= set(board.at(-2))
    assert not possible(named)
    assert not conflict.irreducible or all(map(possible, without_one(named)))
