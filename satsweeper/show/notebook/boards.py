"""Boards in notebooks: the scenes of ``show/picture``, bounded, and the same in characters."""

from typing import Final

from satsweeper.answers.classification import Classification
from satsweeper.answers.explanation import Explanation
from satsweeper.count.odds import Odds
from satsweeper.play.game import Game
from satsweeper.position import Position
from satsweeper.show.notebook.part import part_of
from satsweeper.show.odds import odds_map
from satsweeper.show.picture.boards import (
    explanation_scene,
    game_scene,
    odds_scene,
    plain_scene,
    verdict_scene,
)
from satsweeper.show.picture.both_themes import both_themes
from satsweeper.show.picture.scene import Film, Ring, Scene, Tiles
from satsweeper.show.terminal import draw

Board = Position | Classification | Explanation | Odds | Game

_MOST: Final = 200_000
"""Cells and pictures of a film that are drawn."""


def svg(value: Board | Film) -> str | None:
    """The drawing; None of an explanation without a board, and of a film that is too large."""
    if isinstance(value, Film):
        cells = sum(len(tiles) * len(tiles[0]) for _, tiles in value.scenes[0].boards)
        return both_themes(value) if cells * len(value.scenes) <= _MOST else None
    if isinstance(value, Explanation) and value.classification is None:
        return None
    return both_themes(Film((part_of(_scene(value)),), (0,)))


def text(value: Board | Film) -> str:
    """The board in characters, and what is said below it; brackets are about what stands out."""
    if isinstance(value, Position):
        return value.text().rstrip("\n")
    if isinstance(value, Explanation) and value.classification is None:
        return value.sentence
    if isinstance(value, Film):
        number, last = len(value.scenes), value.scenes[-1]
        return "\n".join([*_lines(last), f"(the last of {number} pictures)"])
    scene = _scene(value)
    if isinstance(value, Odds):
        drawn = odds_map(value, range(value.position.columns)).plain
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
    boards = [
        line for heading, tiles in scene.boards for line in (heading, _characters(tiles)) if line
    ]
    return [*boards, *scene.caption]


def _characters(tiles: Tiles) -> str:
    rows = ["".join(tile.glyph or "?" for tile in row) for row in tiles]
    marks = {
        (r, c)
        for r, row in enumerate(tiles)
        for c, tile in enumerate(row)
        if tile.ring is not Ring.NONE
    }
    return draw(rows, marks, styled=False).plain
