"""Boards in notebooks: drawings of ``show/picture``, of bounded size, and boards in characters."""

import hashlib
import re
from dataclasses import fields, replace
from typing import Final

from pbcnf.palette import ON_DARK_PAGES, either
from pbcnf.wording import are, counted
from satsweeper.answers.classification import Classification, Explanation
from satsweeper.board.codes import Cell
from satsweeper.count.odds import Odds
from satsweeper.play.game import Game
from satsweeper.position import Position
from satsweeper.show.answers import odds_map
from satsweeper.show.palette import THEMES, Palette
from satsweeper.show.picture.boards import (
    explanation_scene,
    game_scene,
    odds_scene,
    plain_scene,
    verdict_scene,
)
from satsweeper.show.picture.scene import Film, Ring, Scene, Tiles
from satsweeper.show.picture.write import film_svg
from satsweeper.show.terminal import draw, window

Board = Position | Classification | Explanation | Odds | Game

_MOST: Final = 200_000
"""The most cells of a film that is drawn: the sum over all pictures of the film."""
SIDE: Final = 100
"""The most rows, and columns, of a drawn part of a board."""
CELLS: Final = 5_000
"""The most cells of a drawn part."""
_NAMES: Final = [each.name for each in fields(Palette) if each.name != "digits"]
_NAMED: Final = Palette(
    digits=tuple(f"@digit{at}" for at in range(9)), **{name: f"@{name}" for name in _NAMES}
)
"""A palette with the name of each entry in place of a colour, to be replaced in the drawing."""


def svg(value: Board | Film) -> str | None:
    """The drawing of ``value``; None for explanations without a board and too large films."""
    if isinstance(value, Film):
        cells = sum(len(tiles) * len(tiles[0]) for _, tiles in value.scenes[0].boards)
        return both_themes(value) if cells * len(value.scenes) <= _MOST else None
    if isinstance(value, Explanation) and value.classification is None:
        return None
    return both_themes(Film((part_of(_scene(value)),), (0,)))


def text(value: Board | Film) -> str:
    """The board of ``value`` in characters, marked cells in brackets, and the caption below.

    Of a film the last picture.
    """
    if isinstance(value, Position):
        return value.text().rstrip("\n")
    if isinstance(value, Explanation) and value.classification is None:
        return value.sentence
    if isinstance(value, Film):
        number, last = len(value.scenes), value.scenes[-1]
        return "\n".join([*_lines(last), f"(the last of {number} pictures)"])
    scene = _scene(value)
    if isinstance(value, Odds):
        drawn = odds_map(value, range(value.position.columns), plain=True).plain
        return "\n".join([drawn, *scene.caption])
    return "\n".join(_lines(scene))


def _scene(value: Board) -> Scene:
    if isinstance(value, Position):
        return plain_scene(value)
    if isinstance(value, Classification):
        return verdict_scene(value)
    if isinstance(value, Explanation):
        assert value.classification is not None
        return explanation_scene(value, value.classification)
    return odds_scene(value) if isinstance(value, Odds) else game_scene(value)


def _lines(scene: Scene) -> list[str]:
    lines = []
    for heading, tiles in scene.boards:
        rows = ["".join(tile.glyph or "?" for tile in row) for row in tiles]
        lines += [heading, draw(rows, _marked(tiles), styled=False).plain]
    return [*filter(None, lines), *scene.caption]


def _marked(tiles: Tiles) -> list[Cell]:
    """The cells with a ring, row by row."""
    return [
        (r, c)
        for r, row in enumerate(tiles)
        for c, tile in enumerate(row)
        if tile.ring is not Ring.NONE
    ]


def part_of(scene: Scene) -> Scene:
    """The scene, or the part around marked cells: at most 5,000 cells in 100 rows and columns.

    Marked cells are the cells with a ring. If they do not all fit into the part, the part begins
    with their first row and column; without marked cells, with row 0 and column 0.
    """
    tiles = scene.boards[0][1]
    rows, columns = len(tiles), len(tiles[0])
    across = min(columns, SIDE)
    down = min(rows, SIDE, CELLS // (across * len(scene.boards)))
    if (down, across) == (rows, columns):
        return scene
    marked = _marked(tiles)
    top = window(rows, down, [row for row, _ in marked]).start
    left = window(columns, across, [column for _, column in marked]).start
    boards = tuple(
        (heading, tuple(row[left : left + across] for row in each[top : top + down]))
        for heading, each in scene.boards
    )
    unseen = sum(not (top <= r < top + down and left <= c < left + across) for r, c in marked)
    more = f"; {counted(unseen, 'marked cell')} {are(unseen)} not" if unseen else ""
    note = (
        f"Rows {top} to {top + down - 1} of 0 to {rows - 1}, columns {left} to {left + across - 1}"
        f" of 0 to {columns - 1} are shown{more}."
    )
    return replace(scene, boards=boards, caption=(note, *scene.caption), corner=(top, left))


def both_themes(film: Film, cell: int | None = None, title: str | None = None) -> str:
    """The drawing as an element of SVG, light or dark as the page is that shows it.

    ``cell``: the side of a cell in pixels, None for the usual. ``title``: None for the first line
    of the caption.

    A viewer without style sheets, and paper, show the light colours. All ids and classes begin with
    a digest of the drawing, so that different drawings on one page do not share names.
    """
    drawing = film_svg(film, _NAMED, cell, title or film.scenes[-1].caption[0])
    key = f"s{hashlib.sha256(drawing.encode()).hexdigest()[:10]}"
    light, dark = _colours(THEMES["light"]), _colours(THEMES["dark"])

    def coloured(found: re.Match[str]) -> str:
        how, name = found.groups()
        plain = f'{how}="{light[name]}"'
        return plain if light[name] == dark[name] else f'class="{key}-{how}-{name}" {plain}'

    drawing = re.sub(r'\bid="', f'id="{key}', drawing)
    drawing = drawing.replace('href="#', f'href="#{key}')
    drawing = re.sub(rf'(fill|stroke)="@({"|".join(light)})"', coloured, drawing)
    used = sorted(set(re.findall(rf'class="{key}-(fill|stroke)-(\w+)"', drawing)))
    # Each rule selects one class: a selector with an ancestor would not match copies under <use>.
    # They inherit the scheme.
    rules = [
        f".{key}-{how}-{name}{{{how}:{either(light[name], dark[name])}}}" for how, name in used
    ]
    schemes = f":root.{key}{{color-scheme:light dark}}{ON_DARK_PAGES.format(f'.{key}')}"
    style = f"<style>{schemes}@media screen{{{''.join(rules)}}}</style>"
    head, _, body = drawing.partition(">")
    fits = f'class="{key}" style="max-width:100%;height:auto"'
    return f"{head} {fits}>{style}{body}"


def _colours(theme: Palette) -> dict[str, str]:
    named: dict[str, str] = {name: getattr(theme, name) for name in _NAMES}
    return named | {f"digit{at}": colour for at, colour in enumerate(theme.digits)}
