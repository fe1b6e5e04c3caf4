"""The parts of a tile: filled shapes and strokes in the unit square, for SVG and for pixels."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from satsweeper.show.picture.scene import Ring, Tile, TileKind
from satsweeper.show.picture.strokes import CAPITAL, Line, glyph, placed, text_width

# Colours that colour-blind readers tell apart. Verdicts have colours of Okabe and Ito (Color
# Universal Design, 2008) that differ in lightness as well; chances have steps of cividis (Nuñez,
# Anderton and Renslow, PLoS ONE 13(7), 2018). Every colour repeats a character or a shape.

CIVIDIS: Final = (
    "#00224e", "#123570", "#3b496c", "#575d6d", "#707173",
    "#8a8678", "#a59c74", "#c3b369", "#e1cc55", "#fee838",
)  # fmt: skip
"""Colours of chances of a mine, one for each tenth, from 0 on."""

SKY, VERMILLION, ORANGE, PURPLE, YELLOW = "#56b4e9", "#d55e00", "#e69f00", "#cc79a7", "#f0e442"
RUST = "#a33f00"
"""A darker vermillion, on which white characters are legible."""
BLACK, WHITE = "#101418", "#ffffff"


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of a theme, as ``#rrggbb``.

    ``digits`` are the colours of the clues 0 to 8.
    """

    page: str
    text: str
    faint: str
    covered: str
    opened: str
    fresh: str
    unknown: str
    digits: tuple[str, ...]
    ring: str


THEMES: Final = {
    "light": Palette(
        page="#ffffff",
        text="#20262c",
        faint="#6a737c",
        covered="#b4bec9",
        opened="#f1f2f0",
        fresh="#cfe9f9",
        unknown="#2c3640",
        digits=("#b9bdc0", "#0060a8", "#006b4a", "#a84400", "#4a3fb5",
                "#a3232f", "#665900", "#4f5b66", "#20262c"),
        ring="#101418",
    ),
    "dark": Palette(
        page="#14181c",
        text="#e6e9ec",
        faint="#98a3ad",
        covered="#56626e",
        opened="#20262c",
        fresh="#0c3850",
        unknown="#e6e9ec",
        digits=("#4a545d", "#5fb4f5", "#4cc9a0", "#f59a4d", "#b0a9ff",
                "#ff8a92", "#d8c84a", "#b5c2cc", "#ffffff"),
        ring="#ffffff",
    ),
}  # fmt: skip
"""Name of a theme -> its colours."""


def luminance(colour: str) -> float:
    """The relative luminance of a colour, 0 to 1."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


class Mark(NamedTuple):
    """A shape of one colour: a filled area if ``width`` is 0, else a line with round ends.

    Coordinates and ``width`` are in sides of the tile; ``line`` with one point is a dot.
    """

    colour: str
    line: Line
    width: float = 0.0


def marks(tile: Tile, palette: Palette) -> list[Mark]:
    """The marks of a tile, from the bottom up; the lowest fills the whole square."""
    ground, shape, ink = _look(tile, palette)
    drawn = [Mark(ground, ((0, 0), (1, 0), (1, 1), (0, 1)))]
    if shape is not None:
        drawn.append(shape)
    # One character on plain ground is large; on a shape, or beside a second one, smaller. The
    # letter of a flag stands where the pennant is wide.
    single = len(tile.glyph) < 2
    high = 0.5 if shape is None and single else 0.36
    unit = high / CAPITAL
    left, top = 0.5 - text_width(tile.glyph) * unit / 2, 0.5 - high / 2
    if tile.glyph == "F":
        left -= 0.12
    for at, character in placed(tile.glyph):
        for line in glyph(character):
            points = tuple((left + (at + x) * unit, top + y * unit) for x, y in line)
            drawn.append(Mark(ink, points, (0.16 if single else 0.18) * high))
    # A ring has a dark line beside a light line, so that one of both contrasts with any ground.
    if tile.ring is Ring.ASKED:
        drawn.append(Mark(palette.ring, _closed(0.04), 0.08))
        drawn.append(Mark(palette.page, _closed(0.1), 0.04))
        drawn.append(Mark(palette.ring, _closed(0.14), 0.04))
    elif tile.ring:
        colour = {Ring.BECAUSE: ORANGE, Ring.CLASH: VERMILLION, Ring.GUESS: PURPLE}[tile.ring]
        drawn += [Mark(palette.ring, _closed(0.02), 0.04), Mark(colour, _closed(0.1), 0.12)]
    return drawn


def _look(tile: Tile, palette: Palette) -> tuple[str, Mark | None, str]:
    """The ground, the shape upon it, and the colour of the characters."""
    match tile.kind:
        case TileKind.OPENED | TileKind.FRESH:
            ground = palette.opened if tile.kind is TileKind.OPENED else palette.fresh
            faint = tile.kind is TileKind.FRESH and tile.glyph == "0"
            ink = palette.faint if faint else palette.digits[int(tile.glyph)]
            return ground, None, ink
        case TileKind.SAFE:
            return palette.covered, Mark(SKY, ((0.5, 0.5),), 0.8), BLACK
        case TileKind.MINE:
            diamond = ((0.5, 0.03), (0.97, 0.5), (0.5, 0.97), (0.03, 0.5))
            return palette.covered, Mark(RUST, diamond), WHITE
        case TileKind.FLAG:
            pennant = ((0.1, 0.08), (0.95, 0.5), (0.1, 0.92))
            return palette.covered, Mark(YELLOW, pennant), BLACK
        case TileKind.EXPLODED:
            return VERMILLION, Mark(BLACK, ((0.5, 0.5),), 0.72), WHITE
        case TileKind.CHANCE:
            ground = CIVIDIS[min(int(tile.glyph) // 10, 9)]
            # The ink is black or white, whichever has more contrast by relative luminance (WCAG).
            return ground, None, WHITE if luminance(ground) < 0.18 else BLACK
    return palette.covered, None, palette.unknown


def _closed(inset: float) -> Line:
    """The outline of the tile, ``inset`` from its sides."""
    low, high = inset, 1 - inset
    return (low, low), (high, low), (high, high), (low, high), (low, low)
