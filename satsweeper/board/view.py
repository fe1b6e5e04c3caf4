"""A position under one reading of its flags, as bit boards; proved cells are in `Facts`."""

from typing import Final, Literal, NamedTuple

from satsweeper.board.codes import COVERED, FLAG, MAX_CLUE, Cell
from satsweeper.board.errors import CellError
from satsweeper.board.facts import Facts
from satsweeper.board.geometry import Count, Geometry

Flags = Literal["trust", "ignore"]
"""Flags are mines, or they mean nothing."""

_HIDDEN: Final = (COVERED & 255, FLAG & 255)


class View(NamedTuple):
    """A position under one reading of its flags, as bit boards: the input of every search.

    ``codes`` are the cells as ``Position.padded`` gives them; ``clues`` and ``values`` the opened
    cells and their numbers. ``covered`` are the cells that get a verdict, ``trusted`` the flags
    that are taken for mines; with ``flags`` "ignore" there are none, and flagged cells are covered.
    ``total`` counts the mines of the whole board, trusted flags included; None if it is unknown.
    """

    geometry: Geometry
    codes: bytes
    clues: int
    values: Count
    covered: int
    trusted: int
    total: int | None
    flags: Flags

    def facts(self) -> Facts:
        """Return the facts before anything is proved: trusted flags are mines."""
        return Facts(self.geometry, self.clues, self.values, self.covered, self.trusted)

    def opened(self, index: int, clue: int) -> "View":
        """Return the view once the covered cell ``index`` shows ``clue``."""
        facts = self.facts().opened(index, clue)
        return self._replace(
            codes=self.codes[:index] + bytes([clue]) + self.codes[index + 1 :],
            clues=facts.clues,
            values=facts.values,
            covered=facts.undecided,
        )

    def value(self, clue: int) -> int:
        """Return the number that ``clue`` shows."""
        return self.codes[clue]

    def hidden(self, clue: int) -> list[int]:
        """Return the covered and flagged cells that ``clue`` counts."""
        codes = self.codes
        return [cell for cell in self.geometry.neighbours(clue) if codes[cell] in _HIDDEN]

    def clues_at(self, cell: int) -> list[int]:
        """Return the clues that count ``cell``."""
        codes = self.codes
        return [clue for clue in self.geometry.neighbours(cell) if codes[clue] <= MAX_CLUE]


def covered_index(view: View, cell: Cell) -> int:
    """Return the board index of a covered cell.

    Raises:
        CellError: the cell is not on the board, a clue, or a trusted flag.
    """
    row, column = cell
    geometry = view.geometry
    if not (0 <= row < geometry.rows and 0 <= column < geometry.columns):
        raise CellError(
            f"cell ({row}, {column}) is not on the board: rows are 0 to {geometry.rows - 1}, "
            f"columns 0 to {geometry.columns - 1}"
        )
    index = geometry.index(cell)
    if not view.covered >> index & 1:
        code = view.codes[index]
        what = "carries a trusted flag" if code == FLAG & 255 else f"is a clue, {code}"
        raise CellError(f"cell ({row}, {column}) {what}: a covered cell is needed")
    return index
