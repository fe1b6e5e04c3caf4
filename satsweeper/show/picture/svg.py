"""A scene or a film as SVG: every kind of tile is drawn once, and every cell has a description.

A film is drawn by what changes: what a picture changes is laid over what was there, and shown from
its moment on (SMIL). Where nothing moves, the last picture is seen.
"""

from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape

from satsweeper.show.picture.marks import Mark, Palette, marks
from satsweeper.show.picture.scene import Film, Tile
from satsweeper.show.picture.sheet import Placed, Sheet, Words
from satsweeper.show.picture.strokes import CAPITAL, glyph, placed

_UNIT = 100
"""The side of a tile in its own drawing."""


def film_svg(film: Film, palette: Palette, cell: int | None, title: str) -> str:
    """A film as a document, which does not move if there is one scene."""
    sheet = Sheet.of(film.scenes, cell)
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
            *(_tile(name, tile, palette) for tile, name in known.items()),
            *(_letter(name, character) for character, name in letters.items()),
            "</defs>",
            f'<rect width="{sheet.width}" height="{sheet.height}" fill="{palette.page}"/>',
            *body,
            "</svg>\n",
        ]
    )


def _frames(
    film: Film, sheet: Sheet, palette: Palette, known: dict[Tile, str], letters: dict[str, str]
) -> Iterator[str]:
    whole, begins = sum(film.durations), 0
    legend: list[Placed | Words] = [part for sign in sheet.signs for part in sign]
    before: set[Placed | Words] = set()
    for scene, lasts in zip(film.scenes, film.durations, strict=True):
        now: list[Placed | Words] = [*sheet.tiles(scene), *sheet.words(scene), *legend]
        new = [part for part in now if part not in before]
        covered = [part for part in before.difference(now) if isinstance(part, Words)]
        yield "<g>"
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
                f'fill="{palette.page}"/>'
            )
        yield from _drawn(new, palette, known, letters)
        yield "</g>"
        before, begins = set(now), begins + lasts


def _drawn(
    parts: Iterable[Placed | Words],
    palette: Palette,
    known: dict[Tile, str],
    letters: dict[str, str],
) -> Iterator[str]:
    for part in parts:
        if isinstance(part, Placed):
            name = known.setdefault(part.tile, f"t{len(known)}")
            scale = part.side / _UNIT
            yield f'<use href="#{name}" transform="translate({part.x} {part.y}) scale({scale:g})"/>'
            continue
        unit = part.high / CAPITAL
        colour = palette.faint if part.faint else palette.text
        drawn = "".join(
            f'<use href="#{letters.setdefault(character, f"l{len(letters)}")}" x="{at:g}"/>'
            for at, character in placed(part.text)
        )
        yield (
            f'<g transform="translate({part.x:.2f} {part.y:.2f}) scale({unit:g})" '
            f'stroke="{colour}" aria-label="{escape(part.text, {chr(34): "&quot;"})}">{drawn}</g>'
        )


def _tile(name: str, tile: Tile, palette: Palette) -> str:
    shapes = "".join(_shape(mark) for mark in marks(tile, palette))
    return f'<g id="{name}"><title>{escape(str(tile))}</title>{shapes}</g>'


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
