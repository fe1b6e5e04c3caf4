"""The parts of a tile: filled shapes and strokes in the unit square, for SVG and for pixels."""

from typing import NamedTuple

from satsweeper.show.picture.palette import (
    BLACK,
    ORANGE,
    PURPLE,
    RUST,
    SKY,
    VERMILLION,
    WHITE,
    YELLOW,
    Palette,
    heat,
    ink_on,
)
from satsweeper.show.picture.scene import Ring, Tile, TileKind
from satsweeper.show.picture.strokes import CAPITAL, Line, glyph, placed, text_width


class Mark(NamedTuple):
    """A shape of one colour: filled if it has no width, else a line with round ends."""

    colour: str
    line: Line
    width: float = 0.0


def marks(tile: Tile, palette: Palette) -> list[Mark]:
    """The marks of a tile, from the bottom up; the lowest fills the whole square."""
    ground, shape, ink = _look(tile, palette)
    drawn = [Mark(ground, _square(0.0))]
    if shape is not None:
        drawn.append(shape)
    high = 0.5 if shape is None and len(tile.glyph) < 2 else 0.36
    drawn += _written(tile.glyph, high, ink)
    return drawn + _ring(tile.ring, palette)


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
            ground = heat(int(tile.glyph))
            return ground, None, ink_on(ground)
    return palette.covered, None, palette.unknown


def _written(text: str, high: float, ink: str) -> list[Mark]:
    unit = high / CAPITAL
    left, top = 0.5 - text_width(text) * unit / 2, 0.5 - high / 2
    if text == "F":
        left -= 0.12
    return [
        Mark(
            ink,
            tuple((left + (at + x) * unit, top + y * unit) for x, y in line),
            0.16 * high if len(text) < 2 else 0.18 * high,
        )
        for at, character in placed(text)
        for line in glyph(character)
    ]


def _ring(ring: Ring, palette: Palette) -> list[Mark]:
    if not ring:
        return []
    if ring is Ring.ASKED:
        return [
            Mark(palette.ring, _closed(0.04), 0.08),
            Mark(palette.page, _closed(0.1), 0.04),
            Mark(palette.ring, _closed(0.14), 0.04),
        ]
    colour = {Ring.BECAUSE: ORANGE, Ring.CLASH: VERMILLION, Ring.GUESS: PURPLE}[ring]
    return [Mark(palette.ring, _closed(0.02), 0.04), Mark(colour, _closed(0.1), 0.12)]


def _square(inset: float) -> Line:
    low, high = inset, 1 - inset
    return (low, low), (high, low), (high, high), (low, high)


def _closed(inset: float) -> Line:
    square = _square(inset)
    return (*square, square[0])
