"""The parts of a tile: filled shapes and strokes in the unit square, for SVG and for pixels."""

from itertools import pairwise
from math import cos, dist, pi, sin
from typing import Final, NamedTuple

from satsweeper.show.palette import TENTHS, Palette, ink_of
from satsweeper.show.picture.forms import Form, outline
from satsweeper.show.picture.scene import Ring, Tile, TileKind
from satsweeper.show.picture.strokes import CAPITAL, Line, Point, glyph, placed, text_width

_CORNERS: Final = 32
"""The corners of a ring around a disc."""
_ROOM: Final = 0.82
"""The greatest width of the characters on a tile."""
_PENNANT: Final = {
    Form.POINTED: 0.8, Form.FLAT: 0.8, Form.DISC: 0.8, Form.UP: 0.68, Form.DOWN: 0.68,
}  # fmt: skip
"""The size of a flag's pennant on other forms than squares."""
_INSIDE: Final = 0.88
"""The part of a shape that its outline leaves free."""
_COVERED: Final = frozenset(
    [TileKind.COVERED, TileKind.UNKNOWN, TileKind.SAFE, TileKind.MINE, TileKind.FLAG,
     TileKind.CHANCE]
)  # fmt: skip
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
    ground, shapes, ink = _look(tile, palette)
    drawn = [_filled(ground, tile.form)]
    if tile.dyed and tile.kind is TileKind.CHANCE:
        # The chance has the ground for its colour: of the dyed cell a frame is left.
        drawn = [_filled(palette.dyed_covered, tile.form), _filled(ground, tile.form, 0.1)]
    if tile.kind in _COVERED:
        drawn.append(_ringed(palette.edge, tile.form, 0.045, 0.05))
    elif tile.form is Form.DISC:
        drawn.append(_ringed(palette.faint, tile.form, 0.02, 0.04))
    drawn += [_fitted(shape, tile) for shape in shapes]
    drawn += _characters(tile, ink, bool(shapes))
    for text, top in ((tile.letters, True), (tile.note, False)):
        if text:
            drawn += _small(tile, text, ink if tile.kind is TileKind.CHANCE else palette.text, top)
    return drawn + _frame(tile, palette)


def _frame(tile: Tile, palette: Palette) -> list[Mark]:
    """The frame of a marked cell: double, dashed, or plain."""
    # A dark line is beside a light line, so that one of both contrasts with any ground.
    outer = _ringed(palette.outline, tile.form, 0.02, 0.04)
    wide = _ringed(palette.ground, tile.form, 0.1, 0.12)
    match tile.ring:
        case Ring.ASKED:
            return [
                outer,
                wide._replace(width=0.1),
                _ringed(palette.outline, tile.form, 0.14, 0.04),
            ]
        case Ring.CLASH:
            dashes = [
                wide._replace(colour=palette.clash, line=dash)
                for a, b in pairwise(wide.line)
                for dash in _dashes(a, b)
            ]
            return [outer, wide, *dashes]
        case Ring.BECAUSE:
            return [outer, wide._replace(colour=palette.because)]
        case Ring.GUESS:
            return [outer, wide._replace(colour=palette.guess)]
    return []


def _dashes(a: Point, b: Point) -> list[Line]:
    """Four dashes for a line of length 1, at least one, with their ends inside the line."""
    number = max(round(4 * dist(a, b)), 1)
    shares = [((k + 0.3) / number, (k + 0.7) / number) for k in range(number)]
    (ax, ay), (bx, by) = a, b
    return [
        tuple((ax + share * (bx - ax), ay + share * (by - ay)) for share in ends) for ends in shares
    ]


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
    if tile.kind in (TileKind.OPENED, TileKind.FRESH) and tile.glyph == "0" and not tile.zero:
        return []
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


def _look(tile: Tile, palette: Palette) -> tuple[str, list[Mark], str]:
    """The ground, the shapes upon it, and the colour of the characters."""
    covered = palette.dyed_covered if tile.dyed else palette.covered
    opened = palette.dyed_opened if tile.dyed else palette.opened
    disc: Line = ((0.5, 0.5),)
    match tile.kind:
        case TileKind.OPENED | TileKind.FRESH:
            number = min(int(tile.glyph), 8) if tile.glyph.isdigit() else 8
            ground = palette.tint if tile.kind is TileKind.FRESH else opened
            return ground, [], palette.digits[number]
        case TileKind.SAFE:
            return covered, _outlined(palette.safe, disc, 0.84, palette), palette.on_safe
        case TileKind.MINE:
            diamond = ((0.5, 0.03), (0.97, 0.5), (0.5, 0.97), (0.03, 0.5))
            return covered, _outlined(palette.mine, diamond, 0.0, palette), palette.on_mine
        case TileKind.FLAG:
            pennant = ((0.1, 0.08), (0.95, 0.5), (0.1, 0.92))
            return covered, _outlined(palette.flag, pennant, 0.0, palette), palette.on_flag
        case TileKind.EXPLODED:
            return palette.clash, [Mark(palette.ground, disc, 0.72)], palette.clash
        case TileKind.SHOWN:
            return opened, [Mark(palette.text, disc, 0.72)], palette.ground
        case TileKind.CHANCE:
            tenth = min(int(tile.glyph) // 10, 9)
            return TENTHS[tenth], [], ink_of((tenth + 0.5) / 10)
    return covered, [], palette.text


def _outlined(colour: str, line: Line, width: float, palette: Palette) -> list[Mark]:
    """A shape with a thin line around it, which contrasts with any ground."""
    across, down = (sum(each) / len(line) for each in zip(*line, strict=True))
    inside = tuple((across + _INSIDE * (x - across), down + _INSIDE * (y - down)) for x, y in line)
    outer = Mark(palette.outline, line, width)
    return [outer, Mark(colour, inside, _INSIDE * width)]
