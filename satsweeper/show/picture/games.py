"""A film of a game: a scene for each of its moments."""

from collections.abc import Iterable
from typing import Final

from satsweeper.play.minefield import Minefield
from satsweeper.play.narration import Moment
from satsweeper.show.picture.scene import Film, Ring, Scene, Tile, TileKind, Tiles

CERTAIN: Final = 500
"""Milliseconds for which a certain move is seen."""
_GUESS: Final = 3
_END: Final = 8
"""Factors of the time for which a guess, and the end, are seen."""


def game_film(moments: Iterable[Moment], what: str, certain: int = CERTAIN) -> Film:
    """The film of a game.

    Args:
        moments: one at least.
        what: which game it is, as a line below the board.
        certain: milliseconds for which a certain move is seen; a guess is seen three times as
            long, the end eight times.
    """
    shown = list(moments)
    legend = _legend(shown)
    scenes = tuple(_scene(number, each, what, legend) for number, each in enumerate(shown))
    durations = [certain * (_GUESS if each.guess else 1) for each in shown]
    durations[-1] = certain * _END
    return Film(scenes, tuple(durations))


def _scene(number: int, moment: Moment, what: str, legend: tuple[tuple[Tile, str], ...]) -> Scene:
    stands = f"move {number}, mines left: {moment.mines_left}, guesses: {moment.guesses}"
    return Scene((("", _tiles(moment)),), (f"{what}: {stands}", moment.sentence), legend)


def _tiles(moment: Moment) -> Tiles:
    geometry = moment.layout.geometry
    guess = None if moment.guess is None else geometry.index(moment.guess)
    return tuple(
        tuple(
            _tile(moment, index, Ring.GUESS if index == guess else Ring.NONE)
            for index in range(row * geometry.stride, row * geometry.stride + geometry.columns)
        )
        for row in range(geometry.rows)
    )


def _tile(moment: Moment, index: int, ring: Ring) -> Tile:
    if moment.hit >> index & 1:
        return Tile(TileKind.EXPLODED, "*", ring)
    if moment.mines >> index & 1:
        return Tile(TileKind.MINE, "M", ring)
    if moment.flags >> index & 1:
        return Tile(TileKind.FLAG, "F", ring)
    if not moment.opened >> index & 1:
        return Tile(TileKind.COVERED, "", ring)
    kind = TileKind.FRESH if moment.fresh >> index & 1 else TileKind.OPENED
    return Tile(kind, str(Minefield(moment.layout).clue(index)), ring)


def _legend(moments: list[Moment]) -> tuple[tuple[Tile, str], ...]:
    signs = [(Tile(TileKind.FRESH, "1"), "opened now")]
    if any(each.mines for each in moments):
        signs.append((Tile(TileKind.MINE, "M"), "certainly a mine"))
    if any(each.flags for each in moments):
        signs.append((Tile(TileKind.FLAG, "F"), "flag"))
    if any(each.guess for each in moments):
        signs.append((Tile(TileKind.FRESH, "1", Ring.GUESS), "a guess"))
    if any(each.hit for each in moments):
        signs.append((Tile(TileKind.EXPLODED, "*"), "a mine that was opened"))
    return tuple(signs)
