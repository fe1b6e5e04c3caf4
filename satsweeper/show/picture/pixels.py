"""Scenes as images by pillow: the strokes of SVG, and equal bytes on every machine.

Every tile and every letter is drawn once, eight times as large, and then reduced by averages of
whole numbers. No font and no curves of the system are used.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from pbcnf.wording import install_hint
from satsweeper.board.errors import MissingError
from satsweeper.show.palette import Palette
from satsweeper.show.picture.forms import Form, extent
from satsweeper.show.picture.marks import marks
from satsweeper.show.picture.scene import GAP, LINE_WIDTH, Film, Placed, Scene, Sheet, Tile, Words
from satsweeper.show.picture.strokes import CAPITAL, DEEP, Line, glyph, placed, width

if TYPE_CHECKING:
    from PIL.Image import Image

_FINE: Final = 8
"""The factor by which tiles and letters are drawn larger before they are reduced."""
_SHADES: Final = 5
"""The number of steps from the ground to a colour at the edge of a shape: few, so that a film has
few colours."""
_COLOURS: Final = 255
"""The most colours of a table: the 256th entry marks pixels that do not change between pictures."""
_PACKING: Final = np.array([1 << 16, 1 << 8, 1], np.uint32)
"""Factors that pack red, green and blue into one number."""
_PIECE: Final = 64
"""The greatest length of a piece of a line, in pixels."""
_PEN: Final = 1.15
"""The width of a letter's strokes, on its grid."""


_OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "gif": {"format": "GIF", "optimize": True, "disposal": 1},
    "webp": {"format": "WEBP", "lossless": True, "quality": 50, "method": 2, "exact": True},
    "png": {"format": "PNG", "optimize": True},
}
"""Ending of a file -> options for pillow. ``disposal`` 1: a picture of a GIF is drawn over the
picture before, so that only changes are stored."""


class PicturesMissingError(MissingError):
    """Pillow is not installed; the message is one line with the command that installs it."""


def check_pictures(file: str) -> None:
    """Raise PicturesMissingError, whose message names ``file``, if pillow is not installed."""
    try:
        import PIL.Image  # noqa: F401  # only whether it is there
    except ImportError:
        hint = install_hint("satsweeper[render]")
        raise PicturesMissingError(f"{file} needs pillow: {hint}; .svg does not") from None


def film_bytes(
    film: Film,
    palette: Palette,
    cell: int | None,
    ending: str,
    reach: Callable[[float], object] = lambda done: None,
) -> bytes:
    """The bytes of an animated GIF, WebP or PNG that repeats forever; of one scene, of a PNG.

    ``cell``: the side of a cell in pixels, None for the usual side. ``reach`` is called with the
    number of pictures drawn.
    """
    painter = Painter(Sheet.of(film.scenes, cell), palette)
    out = io.BytesIO()
    if len(film.scenes) == 1:
        painter.painted(film.scenes[0]).save(out, **_OPTIONS["png"])
        return out.getvalue()
    # With a table of colours a picture takes one byte a pixel; WebP has no tables.
    table = None if ending == "webp" else painter.table(film.scenes)
    images = []
    for done, scene in enumerate(film.scenes):
        images.append(painter.painted(scene, table))
        reach(done)
    images[0].save(
        out,
        save_all=True,
        append_images=images[1:],
        duration=list(film.durations),
        loop=0,
        **_OPTIONS[ending],
    )
    return out.getvalue()


ColourTable = tuple[bytes, NDArray[np.uint8]]
"""A table of colours: three bytes for each colour; and, indexed by packed colour, its place."""


class Painter:
    """Paints scenes of one sheet, and keeps drawn tiles and letters for reuse."""

    def __init__(self, sheet: Sheet, palette: Palette) -> None:
        self._sheet = sheet
        self._palette = palette
        self._tiles: dict[tuple[int, Tile], Image] = {}
        self._forms: dict[tuple[int, Form], Image] = {}
        self._letters: dict[tuple[str, float, float], Image] = {}

    def painted(self, scene: Scene, table: ColourTable | None = None) -> Image:
        """A scene as an image, with a table of colours if one is given."""
        from PIL import Image

        sheet = self._sheet
        image = Image.new("RGB", (sheet.width, sheet.height), self._palette.ground)
        signs = sheet.signs
        for line in sheet.lines(scene):
            self._draw(image, line)
        for placed_tile in [*sheet.tiles(scene), *(sign for tiles, _ in signs for sign in tiles)]:
            across, down, mask = self._place(placed_tile)
            at = round(placed_tile.x) - across, round(placed_tile.y) - down
            image.paste(self._tile(placed_tile), at, mask)
        for words in [*sheet.words(scene), *(words for _, words in signs)]:
            self._write(image, words)
        if table is None:
            return image
        colours, places = table
        packed = np.asarray(image, np.uint32) @ _PACKING
        indexed = Image.frombytes("P", image.size, places[packed].tobytes())
        indexed.putpalette(colours)
        return indexed

    def table(self, scenes: Iterable[Scene]) -> ColourTable | None:
        """The table of all colours of ``scenes``; None if there are more than ``_COLOURS``."""
        from PIL import Image

        palette, side = self._palette, self._sheet.cell - GAP
        inks = Image.new("RGB", (_SHADES + 1, 2), palette.ground)
        shades = Image.frombytes("L", (_SHADES + 1, 1), bytes(range(0, 256, 255 // _SHADES)))
        for row, ink in enumerate((palette.text, palette.faint)):
            inks.paste(ink, (0, row), shades)
        tiles = {
            tile for scene in scenes for _, rows in scene.boards for row in rows for tile in row
        }
        cells = [Placed(0, 0, side, tile) for tile in sorted(tiles)]
        signs = [sign for tiles, _ in self._sheet.signs for sign in tiles]
        images = [inks, *map(self._tile, cells), *map(self._tile, signs)]
        found = {
            int(c) for image in images for c in np.unique(np.asarray(image, np.uint32) @ _PACKING)
        }
        if len(found) > _COLOURS:
            return None
        places = np.zeros(1 << 24, np.uint8)
        places[sorted(found)] = range(len(found))
        return b"".join(colour.to_bytes(3, "big") for colour in sorted(found)), places

    def _tile(self, each: Placed) -> Image:
        from PIL import Image

        key = each.side, each.tile
        if key not in self._tiles:
            left, up, right, down = _reach(each.tile.form, each.side)
            size = left + each.side + right, up + each.side + down
            image = Image.new("RGB", size)
            for mark in marks(each.tile, self._palette):
                line = tuple((x + left / each.side, y + up / each.side) for x, y in mark.line)
                image.paste(mark.colour, (0, 0), _mask(*size, [line], each.side, mark.width))
            self._tiles[key] = image
        return self._tiles[key]

    def _place(self, each: Placed) -> tuple[int, int, Image | None]:
        """The pixels by which a tile reaches out to the left and up, and the mask of its form.

        None: all pixels, those of a square.
        """
        if each.tile.form is Form.SQUARE:
            return 0, 0, None
        key = each.side, each.tile.form
        left, up, right, down = _reach(each.tile.form, each.side)
        if key not in self._forms:
            lowest = marks(Tile(each.tile.kind, "1", form=each.tile.form), self._palette)[0]
            line = tuple((x + left / each.side, y + up / each.side) for x, y in lowest.line)
            size = left + each.side + right, up + each.side + down
            self._forms[key] = _mask(*size, [line], each.side, lowest.width)
        return left, up, self._forms[key]

    def _draw(self, image: Image, line: Line) -> None:
        """Draw a line in pieces, as a mask covers the rectangle around what it draws."""
        for (ax, ay), (bx, by) in pairwise(line):
            pieces = int(max(abs(bx - ax), abs(by - ay)) / _PIECE) + 1
            for k in range(pieces):
                ends = [
                    (ax + (bx - ax) * share, ay + (by - ay) * share)
                    for share in (k / pieces, (k + 1) / pieces)
                ]
                left, top = (int(min(each)) - 2 for each in zip(*ends, strict=True))
                right, down = (int(max(each)) + 3 for each in zip(*ends, strict=True))
                piece = tuple((x - left, y - top) for x, y in ends)
                mask = _mask(right - left, down - top, [piece], 1, LINE_WIDTH)
                image.paste(self._palette.faint, (left, top), mask)

    def _write(self, image: Image, words: Words) -> None:
        colour = self._palette.faint if words.faint else self._palette.text
        unit = words.high / CAPITAL
        for at, character in placed(words.text):
            x = words.x + at * unit
            left = int(x)
            # The place is rounded to a quarter of a pixel, so that four images of each letter are
            # enough.
            aside = round((x - left) * 4) / 4
            mask = self._letter(character, words.high, aside)
            image.paste(colour, (left - 2, round(words.y) - 2), mask)

    def _letter(self, character: str, high: float, aside: float) -> Any:
        key = character, high, aside
        if key not in self._letters:
            unit = high / CAPITAL
            lines = [
                tuple((x + (2 + aside) / unit, y + 2 / unit) for x, y in line)
                for line in glyph(character)
            ]
            across = int(width(character) * unit) + 6
            down = int((CAPITAL + DEEP) * unit) + 6
            self._letters[key] = _mask(across, down, lines, unit, _PEN)
        return self._letters[key]


def _reach(form: Form, side: int) -> tuple[int, int, int, int]:
    """The whole pixels by which a form reaches out of its square: left, up, right, down."""
    (west, north), (east, south) = extent(form)
    return (
        ceil(round(-west * side, 6)),
        ceil(round(-north * side, 6)),
        ceil(round((east - 1) * side, 6)),
        ceil(round((south - 1) * side, 6)),
    )


def _mask(across: int, down: int, lines: Iterable[Line], unit: float, pen: float) -> Image:
    """The coverage of each pixel by ``lines`` of width ``pen``, or by their inside if ``pen`` is 0.

    ``across`` and ``down``: the size of the image in pixels; ``unit``: pixels for each unit of the
    points and of ``pen``.
    """
    from PIL import Image, ImageDraw

    fine = Image.new("L", (across * _FINE, down * _FINE))
    draw = ImageDraw.Draw(fine)
    scale = unit * _FINE
    radius = pen * scale / 2
    for line in lines:
        points = [(round(x * scale), round(y * scale)) for x, y in line]
        if not pen:
            draw.polygon(points, fill=255)
            continue
        if len(points) > 1:
            draw.line(points, fill=255, width=max(round(2 * radius), 1), joint="curve")
        for x, y in {points[0], points[-1]}:
            draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)
    step = 255 / _SHADES
    return fine.reduce(_FINE).point([round(round(level / step) * step) for level in range(256)])
