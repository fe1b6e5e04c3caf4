"""The contents of a picture as plain values, which are all that a drawing needs."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from pbcnf.shown import Drawn
from satsweeper.board.codes import Cell


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
    """Why a cell stands out."""

    NONE = ""
    ASKED = "the cell in question"
    BECAUSE = "a reason"
    CLASH = "clashes"
    GUESS = "a guess"


class Tile(NamedTuple):
    """A cell: its kind, the characters on it, and why it stands out."""

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

    ``boards`` have a heading each, which may be empty.
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
    """Pictures of one size, and how many milliseconds each is seen."""

    scenes: tuple[Scene, ...]
    durations: tuple[int, ...]
