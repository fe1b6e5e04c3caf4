"""The part of a board that a terminal shows: as roomy as fits, scrolled to the cursor."""

from dataclasses import dataclass
from typing import Final

from satsweeper.board.codes import Cell

TIGHT: Final = 1
ROOMY: Final = 2
ODDS: Final = 3
"""Characters a cell: its symbol alone; with a bar before it; with two digits of a chance."""


@dataclass(frozen=True, slots=True)
class Viewport:
    """A window of a board: ``rows`` rows from ``top``, ``columns`` columns from ``left``.

    ``margin``: characters for the number of a row and the mark of the cursor's; ``ruler``: whether
    a line with the numbers of columns is above the board.
    """

    pitch: int
    margin: int
    ruler: bool
    top: int
    left: int
    rows: int
    columns: int

    @property
    def down(self) -> range:
        """The rows shown."""
        return range(self.top, self.top + self.rows)

    @property
    def across(self) -> range:
        """The columns shown."""
        return range(self.left, self.left + self.columns)

    def cell_at(self, x: int, y: int) -> Cell | None:
        """The cell drawn at a place, both counted from 0; None beside the board."""
        row = self.top + y - self.ruler
        # A bar belongs to the cell behind it.
        column = self.left + (x - self.margin) // self.pitch
        beside = x < self.margin or y < self.ruler
        return (
            None if beside or row not in self.down or column not in self.across else (row, column)
        )

    def place_of(self, cell: Cell) -> tuple[int, int]:
        """The place of the symbol of a visible cell: x and y."""
        row, column = cell
        x = self.margin + self.pitch * (column - self.left) + (self.pitch > TIGHT)
        return x, row - self.top + self.ruler


def fit(
    board: tuple[int, int],
    screen: tuple[int, int],
    cursor: Cell,
    before: Viewport | None = None,
    odds: bool = False,
) -> Viewport:
    """The window of a board on a screen that holds the cursor.

    It moves no farther from where it was ``before`` than it must, as long as it is as large.

    Args:
        board: rows and columns.
        screen: width and height in characters, both at least 1.
        cursor: the cell that must be seen.
        before: the window before this one.
        odds: whether chances are shown, which need more room a cell.
    """
    rows, columns = board
    width, height = screen
    numbers = len(str(rows - 1)) + 1
    pitches = (ODDS, ROOMY) if odds else (ROOMY,)
    pitch = next((p for p in pitches if numbers + p * columns + 1 <= width), 0)
    margin = numbers
    if not pitch:
        pitch = ROOMY if odds else TIGHT
        if pitch == TIGHT and numbers + columns > width:
            margin = 1
    ruler = height > rows or 3 < height < rows
    shown = (
        min(rows, max(height - ruler, 1)),
        min(columns, max((width - margin - (pitch > TIGHT)) // pitch, 1)),
    )
    kept = (0, 0)
    if before is not None and (before.rows, before.columns) == shown:
        kept = (before.top, before.left)
    top, left = (
        _start(length, count, at, start)
        for length, count, at, start in zip(board, shown, cursor, kept, strict=True)
    )
    return Viewport(pitch, margin, ruler, top, left, *shown)


def _start(length: int, shown: int, cursor: int, start: int) -> int:
    """The first of ``shown`` numbers below ``length``, with the cursor among them."""
    start = min(max(start, cursor - shown + 1), cursor)
    return min(max(start, 0), length - shown)
