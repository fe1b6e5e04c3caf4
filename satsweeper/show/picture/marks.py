"""The parts of a tile: filled shapes and strokes in the unit square, for SVG and for pixels."""

from dataclasses import dataclass
from math import cos, pi, sin
from typing import Final, NamedTuple

from satsweeper.show.picture.forms import Form, outline
from satsweeper.show.picture.scene import Ring, Tile, TileKind
from satsweeper.show.picture.strokes import CAPITAL, Line, Point, glyph, placed, text_width

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
    dyed_covered: str
    dyed_opened: str
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
        dyed_covered="#8f9cab",
        dyed_opened="#d3d8dc",
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
        dyed_covered="#3f4a55",
        dyed_opened="#0a0d10",
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


_CORNERS: Final = 32
"""The corners of a ring around a disc."""
_ROOM: Final = 0.82
"""The greatest width of the characters on a tile."""
_PENNANT: Final = {
    Form.POINTED: 0.8, Form.FLAT: 0.8, Form.DISC: 0.8, Form.UP: 0.68, Form.DOWN: 0.68,
}  # fmt: skip
"""The size of a flag's pennant on other forms than squares."""
_LITTLE: Final = 0.2
"""The height of the letters of a rule, and of a note."""


class Mark(NamedTuple):
    """A shape of one colour: a filled area if ``width`` is 0, else a line with round ends.

    Coordinates and ``width`` are in sides of the tile; ``line`` with one point is a dot.
    """

    colour: str
    line: Line
    width: float = 0.0


def marks(tile: Tile, palette: Palette) -> list[Mark]:
    """The marks of a tile, from the bottom up; the lowest fills the form of the cell."""
    ground, shape, ink = _look(tile, palette)
    drawn = [_filled(ground, tile.form)]
    if tile.dyed and tile.kind is TileKind.CHANCE:
        # The chance has the ground for its colour: of the dyed cell a frame is left.
        drawn = [_filled(palette.dyed_covered, tile.form), _filled(ground, tile.form, 0.1)]
    if tile.form is Form.DISC:
        drawn.append(_ringed(palette.faint, tile.form, 0.02, 0.04))
    if shape is not None:
        drawn.append(_fitted(shape, tile))
    drawn += _characters(tile, ink, shape is not None)
    for text, top in ((tile.letters, True), (tile.note, False)):
        if text:
            drawn += _small(tile, text, ink if tile.kind is TileKind.CHANCE else palette.text, top)
    # A ring has a dark line beside a light line, so that one of both contrasts with any ground.
    if tile.ring is Ring.ASKED:
        drawn.append(_ringed(palette.ring, tile.form, 0.04, 0.08))
        drawn.append(_ringed(palette.page, tile.form, 0.1, 0.04))
        drawn.append(_ringed(palette.ring, tile.form, 0.14, 0.04))
    elif tile.ring:
        colour = {Ring.BECAUSE: ORANGE, Ring.CLASH: VERMILLION, Ring.GUESS: PURPLE}[tile.ring]
        drawn.append(_ringed(palette.ring, tile.form, 0.02, 0.04))
        drawn.append(_ringed(colour, tile.form, 0.1, 0.12))
    return drawn


def _fitted(shape: Mark, tile: Tile) -> Mark:
    """The shape of a tile; a pennant is smaller in forms without room at the corners."""
    share = _PENNANT.get(tile.form, 1) if tile.kind is TileKind.FLAG else 1
    if share == 1:
        return shape
    line = tuple((0.5 + share * (x - 0.5), 0.5 + share * (y - 0.5)) for x, y in shape.line)
    return Mark(shape.colour, line, shape.width)


def _filled(colour: str, form: Form, inset: float = 0.0) -> Mark:
    width = 1 - 2 * inset if form is Form.DISC else 0.0
    return Mark(colour, outline(form, inset), width)


def _ringed(colour: str, form: Form, inset: float, width: float) -> Mark:
    """The closed line at ``inset`` from the edges."""
    if form is Form.DISC:
        radius = 0.5 - inset
        turns = [2 * pi * k / _CORNERS for k in range(_CORNERS + 1)]
        circle = tuple((0.5 + radius * sin(t), 0.5 - radius * cos(t)) for t in turns)
        return Mark(colour, circle, width)
    around = outline(form, inset)
    return Mark(colour, (*around, around[0]), width)


def _characters(tile: Tile, ink: str, shaped: bool) -> list[Mark]:
    """The glyph: a number in the middle; two beside each other; more of them in two lines."""
    words = tile.glyph.split()
    lines = [words[at : at + 2] for at in range(0, len(words), 2)]
    # One character on plain ground is large; on a shape, or beside a second one, smaller.
    single = len(tile.glyph) < 2
    high = 0.5 if not shaped and single else 0.36 if len(lines) < 2 else 0.28
    if tile.ring and len(words) > 1:
        high *= 0.75 if tile.letters else 0.85
    if tile.kind is TileKind.FLAG:
        high *= _PENNANT.get(tile.form, 1)
    widest = max((text_width("  ".join(line)) for line in lines), default=0)
    high = min(high, _ROOM * CAPITAL / widest) if widest else high
    middle = 0.5 + (0.13 if tile.ring else 0.08) * bool(tile.letters)
    drawn = []
    for number, line in enumerate(lines):
        # The letter of a flag stands where the pennant is wide.
        aside = 0.12 if tile.glyph == "F" else 0.0
        top = middle + (number - (len(lines) - 1) / 2) * (high + 0.1) - high / 2
        drawn += _text("  ".join(line), ink, (0.5 - aside, top), high, single)
    return drawn


def _small(tile: Tile, text: str, ink: str, above: bool) -> list[Mark]:
    """A small text: of a square in the corner above left or below right, else above or below."""
    wide = text_width(text) * _LITTLE / CAPITAL
    if tile.form is Form.SQUARE:
        edge = 0.2 if tile.ring else 0.09
        at = (edge + wide / 2, edge) if above else (1 - edge - wide / 2, 1 - edge - _LITTLE)
    else:
        at = (0.5, 0.03) if above else (0.5, 0.97 - _LITTLE)
    return _text(text, ink, at, _LITTLE, False)


def _text(text: str, ink: str, at: Point, high: float, single: bool) -> list[Mark]:
    """A line of text with the middle of its upper edge at ``at``."""
    unit = high / CAPITAL
    left = at[0] - text_width(text) * unit / 2
    return [
        Mark(
            ink,
            tuple((left + (across + x) * unit, at[1] + y * unit) for x, y in line),
            (0.16 if single else 0.18) * high,
        )
        for across, character in placed(text)
        for line in glyph(character)
    ]


def _look(tile: Tile, palette: Palette) -> tuple[str, Mark | None, str]:
    """The ground, the shape upon it, and the colour of the characters."""
    covered = palette.dyed_covered if tile.dyed else palette.covered
    opened = palette.dyed_opened if tile.dyed else palette.opened
    match tile.kind:
        case TileKind.OPENED | TileKind.FRESH:
            fresh = tile.kind is TileKind.FRESH
            if fresh and tile.glyph == "0":
                return palette.fresh, None, palette.faint
            number = min(int(tile.glyph), 8) if tile.glyph.isdigit() else 8
            return palette.fresh if fresh else opened, None, palette.digits[number]
        case TileKind.SAFE:
            return covered, Mark(SKY, ((0.5, 0.5),), 0.8), BLACK
        case TileKind.MINE:
            diamond = ((0.5, 0.03), (0.97, 0.5), (0.5, 0.97), (0.03, 0.5))
            return covered, Mark(RUST, diamond), WHITE
        case TileKind.FLAG:
            pennant = ((0.1, 0.08), (0.95, 0.5), (0.1, 0.92))
            return covered, Mark(YELLOW, pennant), BLACK
        case TileKind.EXPLODED:
            return VERMILLION, Mark(BLACK, ((0.5, 0.5),), 0.72), WHITE
        case TileKind.SHOWN:
            return opened, Mark(palette.text, ((0.5, 0.5),), 0.72), palette.page
        case TileKind.CHANCE:
            ground = CIVIDIS[min(int(tile.glyph) // 10, 9)]
            # The ink is black or white, whichever has more contrast by relative luminance (WCAG).
            return ground, None, WHITE if luminance(ground) < 0.18 else BLACK
    return covered, None, palette.unknown
