"""The contents of a picture as plain values, and their places in pixels.

The writers of SVG and of pixels need nothing else.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Final, NamedTuple

from pbcnf.shown import Drawn
from satsweeper.board.codes import Cell
from satsweeper.show.picture.strokes import BETWEEN, CAPITAL, text_width, wrapped


class TileKind(StrEnum):
    """The kind of a tile; the value is its description in words."""

    OPENED = "clue"
    FRESH = "clue, opened now"
    COVERED = "covered"
    UNKNOWN = "unknown"
    SAFE = "safe"
    MINE = "mine"
    FLAG = "flag"
    EXPLODED = "a mine that was opened"
    CHANCE = "chance of a mine in percent"


class Ring(StrEnum):
    """Why a cell is marked; the value is the reason in words, "" for an unmarked cell."""

    NONE = ""
    ASKED = "the cell in question"
    BECAUSE = "a reason"
    CLASH = "clashes"
    GUESS = "a guess"


class Tile(NamedTuple):
    """A cell: its kind, the characters on it (at most two), and why the cell is marked."""

    kind: TileKind
    glyph: str = ""
    ring: Ring = Ring.NONE

    def __str__(self) -> str:
        """Alternative text: glyph, kind, and why the cell is marked."""
        return ", ".join(filter(None, (self.glyph, self.kind, self.ring)))


Tiles = tuple[tuple[Tile, ...], ...]


@dataclass(frozen=True)
class Scene:
    """A picture: boards of equal size, the caption below them, and the legend of the signs.

    ``boards`` are pairs of a heading, which may be empty, and the tiles of a board, row by row.
    ``legend``: pairs of a sign and its meaning.
    """

    boards: tuple[tuple[str, Tiles], ...]
    caption: tuple[str, ...]
    legend: tuple[tuple[Tile, str], ...] = ()
    corner: Cell = (0, 0)
    """Row and column of the first cell that is shown."""

    @property
    def text(self) -> str:
        """The scene in characters."""
        parts = []
        for heading, tiles in self.boards:
            rows = (" ".join(tile.glyph or "." for tile in row) for row in tiles)
            parts += [heading, *rows]
        return "\n".join(filter(None, (*parts, *self.caption)))


@dataclass(frozen=True)
class Film(Drawn):
    """Pictures of equal size; ``durations``: the milliseconds for which each is shown."""

    scenes: tuple[Scene, ...]
    durations: tuple[int, ...]


# The places in a picture, in pixels: boards, rulers, the legend, and the lines of text below.

LEAST_CELL: Final = 8
LARGEST_CELL: Final = 96
_USUAL: Final = 28
_WIDE: Final = 1200
"""The greatest width of a board if the side of a cell is not given, unless cells get too small."""
_MARGIN: Final = 12
_LEAST_WIDTH: Final = 400
"""The least width of the lines of text below the board."""
GAP: Final = 1
"""The space between two cells."""
_CAPITAL: Final = 10
_SMALL: Final = 7
"""The height of capitals in the text below the board, and in the numbers beside the board."""
_LINE: Final = 20
_SAMPLE: Final = 18
"""The side of a tile in the legend."""


class Words(NamedTuple):
    """A line of text: left end ``x``, top of the capitals ``y``, and their height ``high``.

    ``faint``: whether the colour is the faint one of the palette.
    """

    x: float
    y: float
    text: str
    high: float
    faint: bool


class Placed(NamedTuple):
    """A tile and its place: the left side ``x``, the upper side ``y``, and the length ``side``."""

    x: int
    y: int
    side: int
    tile: Tile


@dataclass(frozen=True)
class Sheet:
    """The plan of a picture, and of all pictures of a film, which have equal sizes.

    ``cell``: the side of a cell in pixels. ``lines``: the most lines of text below the board in any
    picture, after wrapping. ``headings``: whether some board has a heading. ``corner``: row and
    column of the first cell.
    """

    rows: int
    columns: int
    boards: int
    cell: int
    lines: int
    headings: bool
    legend: tuple[tuple[Tile, str], ...]
    corner: Cell = (0, 0)

    @classmethod
    def of(cls, scenes: Iterable[Scene], cell: int | None) -> "Sheet":
        """The plan for ``scenes``; ``cell``: the side of a cell in pixels, None for the usual."""
        scenes = tuple(scenes)
        first = scenes[0]
        rows, columns = len(first.boards[0][1]), len(first.boards[0][1][0])
        # The usual side is smaller on wide boards.
        side = cell or max(min(_USUAL, _WIDE // (columns * len(first.boards))), 12)
        headings = any(heading for heading, _ in first.boards)
        corner = first.corner
        bare = cls(rows, columns, len(first.boards), side, 0, headings, first.legend, corner)
        lines = max(len(bare.said(scene)) for scene in scenes)
        return replace(bare, lines=lines)

    @cached_property
    def ruler(self) -> int:
        """The room for the numbers of rows and columns."""
        top, left = self.corner
        digits = len(str(max(top + self.rows, left + self.columns) - 1))
        return round((digits * (5 + BETWEEN)) * _SMALL / CAPITAL) + 6

    @cached_property
    def _board(self) -> tuple[int, int]:
        across = self.ruler + self.columns * self.cell
        return across, self.ruler + self.rows * self.cell + (_LINE if self.headings else 0)

    @cached_property
    def width(self) -> int:
        """The width of the whole picture."""
        boards = self.boards * self._board[0] + (self.boards - 1) * _MARGIN
        return max(boards, _LEAST_WIDTH) + 2 * _MARGIN

    @cached_property
    def height(self) -> int:
        """The height of the whole picture."""
        return self._below + self.lines * _LINE + _MARGIN // 2

    @cached_property
    def _below(self) -> int:
        signs = self.signs
        last = max((sign.y for sign, _ in signs), default=0)
        top = _MARGIN + self._board[1] + _MARGIN
        return last + _SAMPLE + _MARGIN if signs else top

    @cached_property
    def signs(self) -> list[tuple[Placed, Words]]:
        """The legend: tiles with their meanings, placed in as many lines as needed."""
        placed, x, y = [], _MARGIN, _MARGIN + self._board[1] + _MARGIN
        for tile, meaning in self.legend:
            long = text_width(meaning) * _CAPITAL / CAPITAL
            if x > _MARGIN and x + _SAMPLE + 6 + long > self.width - _MARGIN:
                x, y = _MARGIN, y + _SAMPLE + 6
            words = Words(x + _SAMPLE + 6, y + (_SAMPLE - _CAPITAL) / 2, meaning, _CAPITAL, True)
            placed.append((Placed(x, y, _SAMPLE, tile), words))
            x += round(_SAMPLE + 6 + long) + 16
        return placed

    def said(self, scene: Scene) -> list[str]:
        """The caption of ``scene``, wrapped into lines that fit the width of the picture."""
        most = (self.width - 2 * _MARGIN) * CAPITAL / _CAPITAL
        return [line for part in scene.caption for line in wrapped(part, most)]

    def words(self, scene: Scene) -> list[Words]:
        """The texts of ``scene``: caption, headings, and the numbers of rows and columns."""
        found = [
            Words(_MARGIN, self._below + at * _LINE + 2, line, _CAPITAL, False)
            for at, line in enumerate(self.said(scene))
        ]
        for number, (heading, _) in enumerate(scene.boards):
            left, top = self._corner(number)
            if heading:
                found.append(Words(left, top - self.ruler - _LINE + 4, heading, _CAPITAL, False))
            found += self._numbers(left, top)
        return found

    def tiles(self, scene: Scene) -> list[Placed]:
        """The tiles of ``scene``, every cell of every board, with their places."""
        side = self.cell - GAP
        found = []
        for number, (_, tiles) in enumerate(scene.boards):
            left, top = self._corner(number)
            for r, row in enumerate(tiles):
                y = top + r * self.cell
                found += [Placed(left + c * self.cell, y, side, t) for c, t in enumerate(row)]
        return found

    def _corner(self, number: int) -> tuple[int, int]:
        """The upper left corner of the first cell of board ``number``, as x and y."""
        left = _MARGIN + number * (self._board[0] + _MARGIN) + self.ruler
        return left, _MARGIN + (_LINE if self.headings else 0) + self.ruler

    def _numbers(self, left: int, top: int) -> list[Words]:
        unit, found = _SMALL / CAPITAL, []
        step = 1 if self.cell >= (16 if self.columns <= 100 else 24) else 5
        first_row, first_column = self.corner
        for at in range(-first_column % step, self.columns, step):
            number = str(first_column + at)
            x = left + (at + 0.5) * self.cell - text_width(number) * unit / 2
            found.append(Words(x, top - _SMALL - 5, number, _SMALL, True))
        step = 1 if self.cell >= 12 else 5
        for at in range(-first_row % step, self.rows, step):
            number = str(first_row + at)
            x = left - 6 - text_width(number) * unit
            y = top + (at + 0.5) * self.cell - _SMALL / 2
            found.append(Words(x, y, number, _SMALL, True))
        return found
