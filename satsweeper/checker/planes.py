"""All clues of a board at once: an integer is a set of places, a bit for each.

A board is a text of its rows, with a place beside each row and rows beyond both edges that are no
cells. The numbers of mines around all places are added up at once in four integers: their bits at a
place are the binary digits of its number.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

_EDGE: Final = "."


class PaddedGrid(NamedTuple):
    """The places of a board of ``rows`` x ``columns`` cells in such a text."""

    rows: int
    columns: int

    @property
    def step(self) -> int:
        """Distance from a place to the place below."""
        return self.columns + 1

    def text(self, rows: Sequence[str]) -> str:
        """Return ``rows`` as one text, with places that are no cells around them."""
        beyond = _EDGE * self.step
        return f"{beyond}{_EDGE.join(rows)}{_EDGE}{beyond}"

    def place(self, cell: tuple[int, int]) -> int:
        """The place of a cell."""
        return (cell[0] + 1) * self.step + cell[1]

    def cell(self, place: int) -> tuple[int, int]:
        """Row and column of a place that is a cell."""
        row, column = divmod(place - self.step, self.step)
        return row, column

    def around(self) -> tuple[int, ...]:
        """Return the distances from a cell to the eight places around it."""
        step = self.step
        return -step - 1, -step, -step + 1, -1, 1, step - 1, step, step + 1

    def first(self, places: int) -> int:
        """The place that comes first in the text."""
        return (self.rows + 2) * self.step - places.bit_length()

    def beside(self, mines: int) -> Iterator[int]:
        """Yield, for each of the eight directions, the places with one of ``mines`` that way."""
        for step in self.around():
            yield mines << step if step > 0 else mines >> -step


def added_up(sets: Iterable[int]) -> list[int]:
    """Count how many of 15 ``sets`` at most hold each place: four digits, the lowest first."""
    sums = [0, 0, 0, 0]
    for carry in sets:
        for digit, plane in enumerate(sums):
            sums[digit], carry = plane ^ carry, plane & carry
    return sums


def places(text: str, marks: str) -> int:
    """Return the places of the ASCII ``text`` that hold one of ``marks``."""
    chosen = dict.fromkeys(range(128), "0") | dict.fromkeys(map(ord, marks), "1")
    return int(text.translate(chosen), 2)


class Clues:
    """The clues of a board, digits in such a text."""

    def __init__(self, grid: PaddedGrid, text: str) -> None:
        self.grid = grid
        self.all = places(text, "012345678")
        self._digits = [places(text, marks) for marks in ("1357", "2367", "4567", "8")]

    def first_broken(self, mines: int) -> int | None:
        """Return the place of the first clue with a wrong number of ``mines`` around it, if any."""
        sums = added_up(self.grid.beside(mines))
        wrong = 0
        for digit, found in zip(self._digits, sums, strict=True):
            wrong |= digit ^ found
        wrong &= self.all
        return self.grid.first(wrong) if wrong else None
