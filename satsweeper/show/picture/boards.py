"""Scenes of a board (plain, verdicts, odds, a reason, contradicting clues), and films of games."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from pbcnf.wording import counted
from satsweeper.answers.classification import Classification, Conflict, Explanation, Status
from satsweeper.board.codes import COVERED, FLAG, Cell
from satsweeper.count.odds import Odds
from satsweeper.play.game import EXPLODED, Game, Minefield
from satsweeper.play.narration import Moment
from satsweeper.position import Position
from satsweeper.show.answers import odds_sentences, percent
from satsweeper.show.picture.legend import LIMIT, SIGNS, legend
from satsweeper.show.picture.scene import Film, Ring, Scene, Tile, TileKind, Tiles
from satsweeper.show.sentences import clash_sentence

_KINDS: Final = {"S": TileKind.SAFE, "M": TileKind.MINE, "?": TileKind.UNKNOWN, "F": TileKind.FLAG}


def plain_scene(position: Position) -> Scene:
    """The plain board."""
    tiles = tuple(tuple(map(_given, row)) for row in position.cells.tolist())
    total = "unknown" if position.mines is None else position.mines
    return _scene(tiles, f"{position.columns}x{position.rows}, mines: {total}")


def verdict_scene(result: Classification) -> Scene:
    """The verdict of every covered cell, or the clues that contradict each other."""
    if result.status is Status.INCONSISTENT:
        clash = result.conflict
        rings = {} if clash is None else _ringed(clash, Ring.CLASH)
        return _scene(_tiles(result.grid(), rings), clash_sentence(result))
    counts = ", ".join(f"{count} {verdict}" for verdict, count in result.counts.items())
    late = [LIMIT] if result.status is Status.UNDECIDED else []
    return _scene(_tiles(result.grid()), f"{counts}.", *result.notes, *late)


def odds_scene(found: Odds) -> Scene:
    """The chance of a mine in every covered cell, in percent; S and M for certain cells."""
    position = found.position
    rows = []
    for r, row in enumerate(position.cells.tolist()):
        tiles = []
        for c, code in enumerate(row):
            chance = found.mine.get((r, c))
            glyph = "" if chance is None else percent(chance)
            tiles.append(Tile(_KINDS.get(glyph, TileKind.CHANCE), glyph) if glyph else _given(code))
        rows.append(tuple(tiles))
    return _scene(tuple(rows), *odds_sentences(found))


def game_scene(game: Game) -> Scene:
    """The player's view of a game, and its status."""
    rows = range(game.board.rows)
    tiles = tuple(
        tuple(_given(game[row, column]) for column in range(game.board.columns)) for row in rows
    )
    promised = f"{game.board}, first click {game.first_click}"
    seed = "" if game.seed is None else f", seed {game.seed}"
    made = counted(len(game.moves), "move")
    return _scene(tiles, f"{promised}{seed}: {game.status}, {made}, mines left: {game.mines_left}")


def explanation_scene(explanation: Explanation, result: Classification) -> Scene:
    """The reason for a verdict, or two layouts that differ in the cell."""
    reason, cell = explanation.reason, explanation.cell
    if reason is not None:
        rings = _ringed(reason, Ring.BECAUSE) | {cell: Ring.ASKED}
        total = "The total was needed." if reason.total else "The total was not needed."
        return _scene(_tiles(result.grid(), rings), explanation.sentence, total)
    asked = {cell: Ring.ASKED}
    mined = _tiles(explanation.mine_layout or (), asked)
    free = _tiles(explanation.safe_layout or (), asked)
    row, column = cell
    boards = (f"({row}, {column}) is a mine", mined), (f"({row}, {column}) is safe", free)
    return Scene(boards, (explanation.sentence,), legend(mined, free))


def _ringed(conflict: Conflict, ring: Ring) -> dict[Cell, Ring]:
    return dict.fromkeys((*conflict.clues, *conflict.flags), ring)


def _tiles(rows: Sequence[str], rings: Mapping[Cell, Ring] | None = None) -> Tiles:
    rings = rings or {}
    return tuple(
        tuple(
            Tile(_KINDS.get(symbol, TileKind.OPENED), symbol, rings.get((r, c), Ring.NONE))
            for c, symbol in enumerate(row)
        )
        for r, row in enumerate(rows)
    )


def _given(code: int) -> Tile:
    if code == FLAG:
        return Tile(TileKind.FLAG, "F")
    if code == EXPLODED:
        return Tile(TileKind.EXPLODED, "*")
    return Tile(TileKind.COVERED) if code == COVERED else Tile(TileKind.OPENED, str(code))


def _scene(tiles: Tiles, *caption: str) -> Scene:
    return Scene((("", tiles),), caption, legend(tiles))


# A film of a game has a scene for each moment of the game.

CERTAIN: Final = 500
"""Milliseconds for which the picture of a certain move is shown."""
_GUESS: Final = 3
_END: Final = 8
"""Factors of this time for the picture of a guess, and for the last picture."""


def game_film(moments: Iterable[Moment], what: str, certain: int = CERTAIN) -> Film:
    """The film of a game.

    Args:
        moments: the moments of the game, at least one.
        what: the game in words, the beginning of the line below the board.
        certain: milliseconds for which a certain move is shown; a guess is shown three times as
            long, the end eight times.
    """
    shown = list(moments)
    legend = [(Tile(TileKind.FRESH, "1"), "opened now")]
    if any(each.mines for each in shown):
        legend.append((Tile(TileKind.MINE, "M"), "certainly a mine"))
    if any(each.flags for each in shown):
        legend.append(SIGNS[TileKind.FLAG])
    if any(each.guess for each in shown):
        legend.append((Tile(TileKind.FRESH, "1", Ring.GUESS), "a guess"))
    if any(each.hit for each in shown):
        legend.append(SIGNS[TileKind.EXPLODED])
    scenes = []
    for number, each in enumerate(shown):
        state = f"move {number}, mines left: {each.mines_left}, guesses: {each.guesses}"
        caption = f"{what}: {state}", each.sentence
        scenes.append(Scene((("", _moment_tiles(each)),), caption, tuple(legend)))
    durations = [certain * (_GUESS if each.guess else 1) for each in shown]
    durations[-1] = certain * _END
    return Film(tuple(scenes), tuple(durations))


def _moment_tiles(moment: Moment) -> Tiles:
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
