"""The result of a command on a game file: a line for a person, or an object for programs."""

from typing import Any, Final

from pbcnf.wording import counted
from satsweeper.board.planes import indices
from satsweeper.play.game_file import GameFile, Guess
from satsweeper.show.odds import percent

SCHEMA: Final = "satsweeper/game/1"


def sentence(game: GameFile, before: GameFile | None = None, guess: Guess | None = None) -> str:
    """The changes since ``before`` (None for a new game), and the status of the game."""
    done = [f"new game, seed {game.text.record.seed}"] if before is None else []
    if guess is not None:
        row, column = guess.cell
        risk = "" if guess.chance is None else f", a mine with {percent(guess.chance)} %"
        done.append(f"nothing is certain: guessed {row},{column}{risk}")
    for verb, number, noun in _changes(game, before):
        if number and before is not None:
            done.append(f"{verb} {counted(number, noun)}")
    left = counted(_mines_left(game), "mine")
    return f"{', '.join(done) or 'nothing to do'}; {_status(game)}, {left} left"


def as_json(
    game: GameFile, before: GameFile | None = None, guess: Guess | None = None
) -> dict[str, Any]:
    """The same as the object that ``game --json`` prints.

    In ``grid`` a cell is ``0``-``8``, ``?`` covered, ``F`` a flag or ``*`` an exploded mine.
    """
    geometry = game.layout.geometry
    guessed = None
    if guess is not None:
        chance = guess.chance
        known = {} if chance is None else {"mine": str(chance), "value": float(chance)}
        guessed = {"cell": list(guess.cell), **known}
    return {
        "schema": SCHEMA,
        "rows": geometry.rows,
        "columns": geometry.columns,
        "mines": game.layout.mines.bit_count(),
        "mines_left": _mines_left(game),
        "seed": game.text.record.seed,
        "status": _status(game),
        "done": {verb: number for verb, number, _ in _changes(game, before)},
        "guess": guessed,
        "exploded": [list(geometry.cell(i)) for i in indices(game.exploded, geometry.size)],
        "grid": [row.translate(_PLAIN) for row in game.rows],
    }


_PLAIN: Final = str.maketrans(" .!", "0?F")


def _status(game: GameFile) -> str:
    return "won" if game.won else "lost" if game.exploded else "in play"


def _mines_left(game: GameFile) -> int:
    return game.layout.mines.bit_count() - (game.flags | game.exploded).bit_count()


def _changes(game: GameFile, before: GameFile | None) -> list[tuple[str, int, str]]:
    """The changes: a verb, a number, and a noun each."""
    opened, flags, exploded, chosen = 0, 0, 0, 0
    if before is not None:
        opened, flags = before.opened, before.flags
        exploded, chosen = before.exploded, before.chosen
    return [
        ("opened", (game.opened & ~opened).bit_count(), "cell"),
        ("hit", (game.exploded & ~exploded).bit_count(), "mine"),
        ("flagged", (game.flags & ~flags).bit_count(), "mine"),
        ("unflagged", (flags & ~game.flags).bit_count(), "cell"),
        ("chose", (game.chosen & ~chosen).bit_count(), "cell"),
    ]
