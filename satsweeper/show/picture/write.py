"""The kinds of pictures, and how each is written: equal scenes give equal bytes."""

from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import Final
from xml.sax.saxutils import escape

from pbcnf.wording import counted
from satsweeper.show.palette import Palette
from satsweeper.show.picture.marks import Mark, marks
from satsweeper.show.picture.scene import LINE_WIDTH, Film, Placed, Scene, Sheet, Tile, Words
from satsweeper.show.picture.strokes import CAPITAL, glyph, placed

ENDINGS: Final[dict[str, str]] = {
    "svg": "both", "html": "both", "png": "both", "gif": "a game", "webp": "a game",
}  # fmt: skip
"""Ending of a file -> the subjects of such pictures: films of games, or boards and films."""
PIXELS: Final = ("png", "gif", "webp")
"""The endings of pictures that need pillow."""

_UNIT = 100
"""The side of a tile in ``<defs>``, where each kind of tile is drawn once."""

MOST_CELLS: Final = 40_000
MOST_PIXELS: Final = 40_000_000
"""The most cells, and the most pixels, of one picture."""


def ending_of(file: str, format: str | None = None) -> str:
    """The ending of ``file``, or ``format`` if ``file`` has none.

    Raises ValueError with one line if the ending is not ``format``, or no kind of picture has it.
    """
    ending = PurePath(file).suffix.removeprefix(".").lower()
    if format is not None and ending not in {"", format}:
        raise ValueError(f"{file}: the name says .{ending}, and the format is to be {format}")
    ending = format or ending
    if ending not in ENDINGS:
        raise ValueError(f"{file}: a picture ends with .{', .'.join(ENDINGS)}")
    return ending


def check_size(rows: int, columns: int, cell: int | None) -> None:
    """Raise ValueError with one line if a board is too large to be drawn.

    ``cell``: the side of a cell in pixels; None for the usual side, which is never too large.
    """
    if rows * columns > MOST_CELLS:
        raise ValueError(
            f"{counted(rows * columns, 'cell')}; a picture has {MOST_CELLS} at the most"
        )
    if cell is not None and rows * columns * cell * cell > MOST_PIXELS:
        raise ValueError(
            f"{columns}x{rows} cells of {cell} pixels are more than {MOST_PIXELS} pixels"
        )


def check_pixels(scene: Scene, cell: int | None) -> None:
    """Raise ValueError with one line if the picture of a scene has too many pixels."""
    sheet = Sheet.of((scene,), cell)
    if sheet.width * sheet.height > MOST_PIXELS:
        size = f"{sheet.width}x{sheet.height} pixels"
        raise ValueError(f"{size} with cells of {sheet.cell}; a picture has {MOST_PIXELS} at most")


def picture(
    film: Film,
    ending: str,
    palette: Palette,
    cell: int | None,
    title: str,
    reach: Callable[[float], object] = lambda done: None,
) -> bytes:
    """The bytes of a picture; ``reach`` is called with the number of scenes drawn.

    ``ending``: the kind of picture. ``cell``: the side of a cell in pixels, None for the usual.
    Raises PicturesMissingError if pillow is needed and not installed.
    """
    if ending == "svg":
        return film_svg(film, palette, cell, title).encode()
    if ending == "html":
        from satsweeper.show.picture.html import document

        return document(film, palette, film_svg(film, palette, cell, title), title).encode()
    from satsweeper.show.picture.pixels import check_pictures, film_bytes

    check_pictures(f".{ending}")
    return film_bytes(film, palette, cell, ending, reach)


def film_svg(film: Film, palette: Palette, cell: int | None, title: str) -> str:
    """A film as a document of SVG, animated if there is more than one scene.

    Every kind of tile is drawn once, and every cell has a description. Each scene has a group with
    the tiles and texts that differ from the scene before. The group is drawn over the groups before
    and becomes visible at the time of the scene (SMIL). A viewer without animation shows all
    groups, hence the last scene.
    """
    sheet = Sheet.of(film.scenes, cell)
    # Tile, or character -> its id in <defs>; both are filled while the body is made.
    known: dict[Tile, str] = {}
    letters: dict[str, str] = {}
    body = list(_frames(film, sheet, palette, known, letters))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{sheet.width}" '
            f'height="{sheet.height}" viewBox="0 0 {sheet.width} {sheet.height}" role="img">',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(film.scenes[-1].text)}</desc>",
            "<defs>",
            *(
                f'<g id="{name}"><title>{escape(str(tile))}</title>'
                f"{''.join(map(_shape, marks(tile, palette)))}</g>"
                for tile, name in known.items()
            ),
            *(_letter(name, character) for character, name in letters.items()),
            "</defs>",
            f'<rect width="{sheet.width}" height="{sheet.height}" fill="{palette.ground}"/>',
            *body,
            "</svg>\n",
        ]
    )


def _frames(
    film: Film, sheet: Sheet, palette: Palette, known: dict[Tile, str], letters: dict[str, str]
) -> Iterator[str]:
    whole, begins = sum(film.durations), 0
    legend: list[Placed | Words] = []
    for tiles, meaning in sheet.signs:
        legend += [*tiles, meaning]
    before: set[Placed | Words] = set()
    for scene, lasts in zip(film.scenes, film.durations, strict=True):
        now: list[Placed | Words] = [*sheet.tiles(scene), *sheet.words(scene), *legend]
        new = [part for part in now if part not in before]
        covered = [part for part in before.difference(now) if isinstance(part, Words)]
        yield "<g>"
        if not begins:
            # The lines behind the cells, of boards that have some.
            for line in sheet.lines(scene):
                points = "L".join(f"{x:.2f} {y:.2f}" for x, y in line)
                yield (
                    f'<path d="M{points}" fill="none" stroke="{palette.faint}" '
                    f'stroke-width="{LINE_WIDTH}" stroke-linecap="round"/>'
                )
        if begins:
            share = f"{begins / whole:.5f}"
            yield (
                '<animate attributeName="visibility" values="hidden;visible" '
                f'keyTimes="0;{share}" calcMode="discrete" dur="{whole / 1000:g}s" '
                'repeatCount="indefinite"/>'
            )
        for words in sorted(covered):
            yield (
                f'<rect x="0" y="{words.y - 4:g}" width="{sheet.width}" height="20" '
                f'fill="{palette.ground}"/>'
            )
        for part in new:
            if isinstance(part, Placed):
                name = known.setdefault(part.tile, f"t{len(known)}")
                place = f"translate({part.x:g} {part.y:g}) scale({part.side / _UNIT:g})"
                yield f'<use href="#{name}" transform="{place}"/>'
                continue
            colour = palette.faint if part.faint else palette.text
            drawn = "".join(
                f'<use href="#{letters.setdefault(character, f"l{len(letters)}")}" x="{at:g}"/>'
                for at, character in placed(part.text)
            )
            yield (
                f'<g transform="translate({part.x:.2f} {part.y:.2f}) '
                f'scale({part.high / CAPITAL:g})" stroke="{colour}" '
                f'aria-label="{escape(part.text, {chr(34): "&quot;"})}">{drawn}</g>'
            )
        yield "</g>"
        before, begins = set(now), begins + lasts


def _shape(mark: Mark) -> str:
    points = [f"{x * _UNIT:.4g} {y * _UNIT:.4g}" for x, y in mark.line]
    if not mark.width:
        return f'<path d="M{"L".join(points)}Z" fill="{mark.colour}"/>'
    if len(points) == 1:
        x, y = mark.line[0]
        at = f'cx="{x * _UNIT:.4g}" cy="{y * _UNIT:.4g}" r="{mark.width * _UNIT / 2:.4g}"'
        return f'<circle {at} fill="{mark.colour}"/>'
    return (
        f'<path d="M{"L".join(points)}" fill="none" stroke="{mark.colour}" '
        f'stroke-width="{mark.width * _UNIT:.4g}" stroke-linecap="round" stroke-linejoin="round"/>'
    )


def _letter(name: str, character: str) -> str:
    lines = []
    for line in glyph(character):
        ends = line if len(line) > 1 else (line[0], line[0])
        lines.append("M" + "L".join(f"{x:.3g} {y:.3g}" for x, y in ends))
    return (
        f'<path id="{name}" d="{"".join(lines)}" fill="none" stroke-width="1.15" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )
