"""Facts: a view and all cells proved so far, as bit boards; and the check of layouts."""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

from satsweeper.board.codes import COVERED, FLAG, MAX_CLUE, Cell
from satsweeper.board.errors import CellError, DefectError
from satsweeper.board.geometry import Count, Square
from satsweeper.board.planes import board_of, unequal

_WHOLE = 20_000
"""Bits of the largest board that is checked as a whole rather than through a window."""


class WrongModelError(DefectError):
    """A solver's model is not a layout of the board: a defect of the solver or of an encoding."""


class Facts(NamedTuple):
    """A position and all cells proved so far: ``undecided`` shrinks and ``mines`` grows.

    ``undecided`` are the covered cells without a verdict, ``mines`` all known mines, trusted flags
    included; every other covered cell is proved safe.
    """

    geometry: Square
    clues: int
    values: Count
    undecided: int
    mines: int

    def opened(self, index: int, clue: int) -> "Facts":
        """Return the facts once the covered cell ``index`` shows ``clue``."""
        bit = 1 << index
        b0, b1, b2, b3 = (plane | bit * (clue >> k & 1) for k, plane in enumerate(self.values))
        return Facts(
            self.geometry,
            self.clues | bit,
            (b0, b1, b2, b3),
            self.undecided & ~bit,
            self.mines & ~bit,
        )

    def decided(self, safe: int, mines: int) -> "Facts":
        """Return the facts with more cells proved: bit boards ``safe`` and ``mines``."""
        return Facts(
            self.geometry,
            self.clues,
            self.values,
            self.undecided & ~(safe | mines),
            self.mines | mines,
        )


class Window(NamedTuple):
    """A range of bits of the board, and the clues there to check; costs grow with the range only.

    Bit 0 of the window's bit boards is bit ``base`` of the whole board, and ``size`` the number of
    their bits.
    """

    geometry: Square
    base: int
    size: int
    clues: int
    values: Count
    mines: int

    @classmethod
    def around(cls, facts: Facts, cells: Sequence[int]) -> "Window":
        """Return the window that holds every clue next to ``cells``."""
        geometry, clues, values, _, mines = facts
        if geometry.size <= _WHOLE:
            near = geometry.spread(board_of(cells, geometry.size))
            return cls(geometry, 0, geometry.size, clues & near, values, mines)
        base = max(min(cells) - 2 * geometry.reach, 0)
        size = min(max(cells) + 2 * geometry.reach + 1, geometry.size) - base
        near = geometry.spread(board_of([cell - base for cell in cells], size))

        def cut(board: int) -> int:
            return board >> base & (1 << size) - 1

        v0, v1, v2, v3 = (cut(plane) for plane in values)
        return cls(geometry, base, size, cut(clues) & near, (v0, v1, v2, v3), cut(mines))

    def check(self, mines: Iterable[int]) -> None:
        """Raise WrongModelError unless ``mines``, with known mines, meet every clue of the window.

        Args:
            mines: board indices, all within the window.
        """
        base = self.base
        if base:
            mines = [cell - base for cell in mines]
        layout = self.mines | board_of(mines, self.size)
        wrong = unequal(self.geometry.count(layout), self.values) & self.clues
        if wrong:
            at = (wrong & -wrong).bit_length() - 1 + base
            raise WrongModelError(f"a model breaks the clue at {self.geometry.cell(at)}")


def check_layout(facts: Facts, mines: Iterable[int], total: int | None) -> int:
    """Return the checked layout with ``mines`` among the undecided cells, as a bit board.

    Raises WrongModelError unless every clue of the board and the total hold.
    """
    layout = facts.mines | board_of(mines, facts.geometry.size)
    wrong = unequal(facts.geometry.count(layout), facts.values) & facts.clues
    if wrong or total not in (None, layout.bit_count()):
        raise WrongModelError("a layout put together from regions breaks a clue or the total")
    return layout


# A position under one reading of its flags, as bit boards; proved cells are in `Facts`.

Flags = Literal["trust", "ignore"]
"""Reading of flags: with "trust" flagged cells are mines, with "ignore" covered cells."""

_HIDDEN: Final = (COVERED & 255, FLAG & 255)


class View(NamedTuple):
    """A position under one reading of its flags, as bit boards: the input of every search.

    ``codes`` are the cells as ``Position.padded`` gives them; ``clues`` and ``values`` the opened
    cells and their numbers. ``covered`` are the cells that get a verdict, ``trusted`` the flagged
    cells taken for mines; with ``flags`` "ignore", ``trusted`` is empty and flagged cells are
    covered.
    ``total`` counts the mines of the whole board, trusted flags included; None if it is unknown.
    """

    geometry: Square
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
