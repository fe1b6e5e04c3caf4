"""The contents of a picture as plain values, and their places in pixels.

The writers of SVG and of pixels need nothing else.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import chain
from math import ceil
from typing import Final, NamedTuple

from pbcnf.shown import Drawn
from satsweeper.board.codes import Cell
from satsweeper.show.picture.arrangement import Arrangement, Label
from satsweeper.show.picture.forms import Form
from satsweeper.show.picture.strokes import BETWEEN, CAPITAL, Line, Point, text_width, wrapped


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
    SHOWN = "a mine that is shown"
    CHANCE = "chance of a mine in percent"


class Ring(StrEnum):
    """Why a cell is marked; the value is the reason in words, "" for an unmarked cell."""

    NONE = ""
    ASKED = "the cell in question"
    BECAUSE = "a reason"
    CLASH = "clashes"
    GUESS = "a guess"


class Tile(NamedTuple):
    """A cell: its kind, the characters on it, and why the cell is marked.

    ``glyph``: at most two characters on a plain board; under other rules up to four numbers with
    blanks between them.
    """

    kind: TileKind
    glyph: str = ""
    ring: Ring = Ring.NONE
    form: Form = Form.SQUARE
    dyed: bool = False
    letters: str = ""
    """The letters of a clue's own rule, drawn small above the clue."""
    note: str = ""
    """A further fact about the cell, drawn small below."""
    zero: bool = False
    """Whether a clue 0 is written: where nothing is written, it is plain that there is no mine."""

    def __str__(self) -> str:
        """Alternative text: letters and glyph, kind, and what else is known of the cell."""
        said = f"{self.letters} {self.glyph}".strip()
        dyed = "dyed" if self.dyed else ""
        return ", ".join(filter(None, (said, self.kind, dyed, self.note, self.ring)))

    def __repr__(self) -> str:
        """The fields that differ from the usual ones."""
        usual = self._field_defaults
        given = [f"{n}={v!r}" for n, v in self._asdict().items() if usual.get(n, None) != v]
        return f"Tile({', '.join(given)})"

    @property
    def text(self) -> str:
        """The letters and the glyph as a word; a point for a cell without."""
        return self.letters + self.glyph.replace(" ", "") or "."


Tiles = tuple[tuple[Tile, ...], ...]


@dataclass(frozen=True)
class Scene:
    """A picture: boards of equal size, the caption below them, and the legend of the signs.

    ``boards`` are pairs of a heading, which may be empty, and the tiles of a board, row by row.
    ``legend``: pairs of a sign and its meaning; a sign with the meaning "" is joined to the next.
    """

    boards: tuple[tuple[str, Tiles], ...]
    caption: tuple[str, ...]
    legend: tuple[tuple[Tile, str], ...] = ()
    corner: Cell = (0, 0)
    """Row and column of the first cell that is shown."""
    arrangement: Arrangement | None = None
    """The places of the cells, in the rows of the boards; None: squares in a grid."""

    @property
    def text(self) -> str:
        """The scene in characters."""
        parts = []
        for heading, tiles in self.boards:
            texts = [[tile.text for tile in row] for row in tiles]
            longest = max(len(text) for row in texts for text in row)
            # On a plain board a chance in percent is longer than the rest, and not aligned.
            wide = longest if self.arrangement else 1
            parts += [heading, *(" ".join(text.rjust(wide) for text in row) for row in texts)]
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
_ROOMY: Final = 36
"""The usual side of a cell where clues may have several characters."""
_WIDE: Final = 1200
"""The greatest width of a board if the side of a cell is not given, unless cells get too small."""
_MARGIN: Final = 12
_LEAST_WIDTH: Final = 400
"""The least width of the lines of text below the board."""
GAP: Final = 1
"""The space between two cells."""
LINE_WIDTH: Final = 1.5
"""The width of lines behind the cells."""
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

    x: float
    y: float
    side: int
    tile: Tile


@dataclass(frozen=True)
class Sheet:
    """The plan of a picture, and of all pictures of a film, which have equal sizes.

    ``cell``: the side of a cell in pixels. ``text_lines``: the most lines of text below the board
    in any picture, after wrapping. ``headings``: whether some board has a heading. ``corner``: row
    and column of the first cell.
    """

    rows: int
    columns: int
    boards: int
    cell: int
    text_lines: int
    headings: bool
    legend: tuple[tuple[Tile, str], ...]
    corner: Cell = (0, 0)
    arrangement: Arrangement | None = None

    @classmethod
    def of(cls, scenes: Iterable[Scene], cell: int | None) -> "Sheet":
        """The plan for ``scenes``; ``cell``: the side of a cell in pixels, None for the usual."""
        scenes = tuple(scenes)
        first = scenes[0]
        rows, columns = len(first.boards[0][1]), len(first.boards[0][1][0])
        usual, across, plan = _USUAL, columns, first.arrangement
        if plan is not None:
            usual, across = _ROOMY, ceil(plan.width)
        # The usual side is smaller on wide boards.
        side = cell or max(min(usual, _WIDE // (across * len(first.boards))), 12)
        headings = any(heading for heading, _ in first.boards)
        corner = first.corner
        bare = cls(rows, columns, len(first.boards), side, 0, headings, first.legend, corner, plan)
        lines = max(len(bare.said(scene)) for scene in scenes)
        return replace(bare, text_lines=lines)

    @cached_property
    def ruler(self) -> int:
        """The room for the numbers of rows and columns."""
        top, left = self.corner
        digits = len(str(max(top + self.rows, left + self.columns) - 1))
        return round((digits * (5 + BETWEEN)) * _SMALL / CAPITAL) + 6

    @cached_property
    def _board(self) -> tuple[int, int]:
        if self.arrangement is not None:
            width, height = self.arrangement.width * self.cell, self.arrangement.height * self.cell
            return ceil(width), ceil(height) + (_LINE if self.headings else 0)
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
        return self._below + self.text_lines * _LINE + _MARGIN // 2

    @cached_property
    def _below(self) -> int:
        signs = self.signs
        last = round(signs[-1][0][0].y) if signs else 0
        top = _MARGIN + self._board[1] + _MARGIN
        return last + _SAMPLE + _MARGIN if signs else top

    @cached_property
    def signs(self) -> list[tuple[list[Placed], Words]]:
        """The legend: tiles with their meanings, placed in as many lines as needed."""
        placed, joined = [], list[Tile]()
        x, y = _MARGIN, _MARGIN + self._board[1] + _MARGIN
        for tile, meaning in self.legend:
            joined.append(tile)
            if not meaning:
                continue
            across = _SAMPLE * len(joined) + 6
            long = text_width(meaning) * _CAPITAL / CAPITAL
            if x > _MARGIN and x + across + long > self.width - _MARGIN:
                x, y = _MARGIN, y + _SAMPLE + 6
            words = Words(x + across, y + (_SAMPLE - _CAPITAL) / 2, meaning, _CAPITAL, True)
            signs = [Placed(x + at * _SAMPLE, y, _SAMPLE, each) for at, each in enumerate(joined)]
            placed.append((signs, words))
            x += round(across + long) + 16
            joined = []
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
                x = left
                if self.arrangement is not None:
                    x = _MARGIN + number * (self._board[0] + _MARGIN)
                found.append(Words(x, _MARGIN + 4, heading, _CAPITAL, False))
            found += self._numbers(left, top)
        return found

    def lines(self, scene: Scene) -> list[Line]:
        """The lines behind the cells of ``scene``."""
        if self.arrangement is None:
            return []
        found = []
        for number in range(len(scene.boards)):
            left, top = self._corner(number)
            for line in self.arrangement.lines:
                found.append(tuple((left + x * self.cell, top + y * self.cell) for x, y in line))
        return found

    def tiles(self, scene: Scene) -> list[Placed]:
        """The tiles of ``scene``, every cell of every board, with their places."""
        side = self.cell - GAP
        found = []
        for number, (_, tiles) in enumerate(scene.boards):
            left, top = self._corner(number)
            if self.arrangement is not None:
                cells = zip(chain(*self.arrangement.rows), chain(*tiles), strict=True)
                for cell, tile in cells:
                    x, y = self.arrangement.places[cell]
                    across, down = left + (x - 0.5) * self.cell, top + (y - 0.5) * self.cell
                    found.append(Placed(round(across, 2), round(down, 2), side, tile))
                continue
            for r, row in enumerate(tiles):
                y = top + r * self.cell
                found += [Placed(left + c * self.cell, y, side, t) for c, t in enumerate(row)]
        return found

    def _corner(self, number: int) -> Point:
        """The upper left corner of the first cell of board ``number``, as x and y.

        Of an arrangement the point where its coordinates are 0.
        """
        if self.arrangement is not None:
            west, north = self.arrangement.box[0]
            x = _MARGIN + number * (self._board[0] + _MARGIN) - west * self.cell
            return x, _MARGIN + (_LINE if self.headings else 0) - north * self.cell
        left = _MARGIN + number * (self._board[0] + _MARGIN) + self.ruler
        return left, _MARGIN + (_LINE if self.headings else 0) + self.ruler

    def _numbers(self, left: float, top: float) -> list[Words]:
        unit, found = _SMALL / CAPITAL, []
        if self.arrangement is not None:
            for (x, y), text, _, ends in filter(self._has_room, self.arrangement.labels):
                x = left + x * self.cell - text_width(text) * unit / (1 if ends else 2)
                found.append(Words(x, top + y * self.cell - _SMALL / 2, text, _SMALL, True))
            return found
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

    def _has_room(self, label: Label) -> bool:
        """Whether a label is drawn: of a ruler's numbers in a small picture each fifth."""
        return not label.ruler or self.cell >= 16 or int(label.text) % 5 == 0
