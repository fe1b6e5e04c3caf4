"""A layout and the cells that have been opened, as bit boards: fast enough for millions."""

from dataclasses import dataclass

from satsweeper.board.codes import COVERED, FLAG, PADDING
from satsweeper.board.geometry import Count
from satsweeper.board.layout import Layout
from satsweeper.board.planes import spaced
from satsweeper.position import Position

_COVERED = COVERED & 255
_FLAG = FLAG & 255


@dataclass(slots=True)
class Minefield:
    """A layout and its open cells; sets of cells are bit boards.

    ``opened`` are the free cells that have been opened, ``exploded`` the mines that have.

    >>> from satsweeper.board.geometry import Square
    >>> field = Minefield(Layout(Square(1, 4), mines=0b1))
    >>> field.open(0b1000) == 0b1110, field.won, field.lost
    (True, True, False)
    """

    layout: Layout
    opened: int = 0
    exploded: int = 0

    @property
    def won(self) -> bool:
        """Whether every cell without a mine is open, and no mine is."""
        return self.opened == self.layout.free and not self.exploded

    @property
    def lost(self) -> bool:
        """Whether a mine has been opened."""
        return self.exploded != 0

    @property
    def covered(self) -> int:
        """The cells that have not been opened."""
        return (self.layout.free | self.layout.mines) & ~(self.opened | self.exploded)

    @property
    def values(self) -> Count:
        """The clues of the opened cells, bit-sliced; 0 elsewhere."""
        b0, b1, b2, b3 = self.layout.numbers
        opened = self.opened
        return b0 & opened, b1 & opened, b2 & opened, b3 & opened

    def clue(self, index: int) -> int:
        """The number of mines around the free cell ``index``; 0 for a mine."""
        return sum((plane >> index & 1) << k for k, plane in enumerate(self.layout.numbers))

    def open(self, cells: int, flags: int = 0) -> int:
        """Open ``cells``; each 0 opens its neighbours. Returns the free cells that are newly open.

        ``flags``: cells that no 0 opens.
        """
        layout = self.layout
        spread, zeros = layout.geometry.spread, layout.zeros
        before = self.opened
        self.exploded |= cells & layout.mines
        after = before | cells & layout.free
        waiting = after & ~before & zeros
        room = layout.free & ~flags
        while waiting:
            # Next to a 0 there is no mine, but padding there may be.
            reached = spread(waiting) & room & ~after
            after |= reached
            waiting = reached & zeros
        self.opened = after
        return after & ~before

    def position(self, flags: int = 0, total: bool = True) -> Position:
        """The position that the player sees, with ``flags``, and the total if ``total``.

        Raises:
            ValueError: the game is lost, or a flag is on no covered cell.
        """
        covered = self.covered
        if self.lost or flags & ~covered:
            raise ValueError("a lost game is no position" if self.lost else "a flag on open ground")
        layout, opened = self.layout, self.opened
        geometry = layout.geometry
        size = geometry.size
        padding = (1 << size) - 1 ^ (covered | opened)
        codes = PADDING * spaced(padding, size) + _FLAG * spaced(flags, size)
        codes += _COVERED * spaced(covered & ~flags, size)
        for k, plane in enumerate(self.values):
            codes += spaced(plane, size) << k
        mines = layout.mines.bit_count() if total else None
        return Position.of_padded(codes.to_bytes(size, "little"), mines, geometry)
