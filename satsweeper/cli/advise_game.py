"""``advise`` of the record of a game: each move judged, and luck and skill summed up."""

import argparse
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, cast

from satsweeper.board.codes import Cell
from satsweeper.cli.arguments import source_name, take_over_time_left
from satsweeper.cli.exit_codes import DONE, LIMIT_REACHED, InputError, UsageError, complain
from satsweeper.cli.files import print_json
from satsweeper.cli.lifetime import REPEAT, TimeIsUp, compiled_work, raise_after

if TYPE_CHECKING:
    from satsweeper.play.game import Game, Move
    from satsweeper.play.judgement import GuessSum
    from satsweeper.play.narration import Moment

_OF_BOARDS: Final = {
    "strategy": "exact",
    "first_click": "none",
    "mines": None,
    "flags": "trust",
    "rules": None,
    "geometry": None,
}
"""The options that are for boards, and their defaults."""
_HEADS: Final = ("", "move", "cell", "was", "safe", "safest", "wins", "best", "at", "lost")
_LIMITS: Final = 2000, 3 * 10**7
"""The most layouts, and the effort of a tree, where chances to win are exact: under a second each,
so that ``--timeout`` is answered."""


def advise_game(arguments: argparse.Namespace, data: str | bytes, source: str) -> int:
    """Print each move of a record as it is judged, and the sum; return the exit code."""
    from satsweeper.play.judgement import Judge
    from satsweeper.play.narration import narrate_record
    from satsweeper.play.record import read_game

    for name, default in _OF_BOARDS.items():
        if getattr(arguments, name, default) != default:
            raise UsageError(f"--{name.replace('_', '-')} is for a board, and this is a game")
    game = read_game(data, source)
    left = take_over_time_left(arguments)
    moments: list[Moment] = []
    code = DONE
    try:
        with (
            compiled_work(arguments, "judging", len(game.moves)) as reach,
            raise_after(left, REPEAT),
        ):
            for moment in narrate_record(game, Judge(*_LIMITS)):
                moments.append(moment)
                reach(len(moments) - 1)
    except ValueError as error:
        raise InputError(f"{source_name(arguments.board)}: {error}") from None
    except TimeIsUp:
        code = LIMIT_REACHED
        done = f"{max(0, len(moments) - 1)} of {len(game.moves)} moves are judged"
        complain(f"satsweeper advise: not done within {arguments.time_limit:g} s: {done}")
    made = list(zip(game.moves, moments[1:], strict=False))
    if arguments.json:
        print_json(_as_json(game, made))
    else:
        _show(game, made)
    return code


def _summed(game: "Game", made: "list[tuple[Move, Moment]]") -> "GuessSum":
    """Return the sum of the guesses that are judged and not taken back."""
    from satsweeper.play.efficiency import lasting
    from satsweeper.play.judgement import GuessSum

    judged = [made[at][1].judged for at in lasting(move for move, _ in made)]
    lost = game.lost and len(made) == len(game.moves)
    return GuessSum([each for each in judged if each is not None], lost)


def _as_json(game: "Game", made: "list[tuple[Move, Moment]]") -> dict[str, Any]:
    from satsweeper.play.efficiency import Efficiency, lasting

    stay = set(lasting(move for move, _ in made))
    moves = []
    for at, (move, moment) in enumerate(made):
        found: dict[str, Any] = {"move": move.action}
        if move.cell is not None:
            found["cell"] = move.cell
        if moment.judged is not None:
            found |= moment.judged.as_json()
            if moment.judged.is_guess:
                found["survived"] = not moment.hit
                if moment.judged.safe is not None:
                    found["luck"] = float((not moment.hit) - moment.judged.safe)
        if move.cell is not None and at not in stay:
            found["taken_back"] = True
        moves.append(found)
    clicks = Efficiency.of(game)
    return {
        "schema": "satsweeper/review/1",
        "board": str(game.board),
        "first_click": "none" if game.given else game.first_click,
        "seed": None if game.given else game.seed,
        "number": game.number,
        "status": game.status,
        "whole": len(made) == len(game.moves),
        "moves": moves,
        "sum": _summed(game, made).as_json(),
        "efficiency": None if clicks is None else clicks.as_json(),
    }


def _show(game: "Game", made: "list[tuple[Move, Moment]]") -> None:
    from satsweeper.play.efficiency import Efficiency
    from satsweeper.report.table import Table
    from satsweeper.show.sentences import percent
    from satsweeper.show.table import show_line, show_table
    from satsweeper.show.terminal import console_for

    rows = tuple(_row(at, *each) for at, each in enumerate(made, 1))
    seed = "" if game.given else f", seed {game.seed}"
    console = console_for()
    caption = f"{game.board}{seed}: {game.status}"
    show_table(console, Table(caption, _HEADS, rows, frozenset({0, 4, 5, 6, 7, 9}), (5, 8)))
    part = "" if len(made) == len(game.moves) else f"Up to move {len(made)}: "
    show_line(console, part + _summed(game, made).sentences(percent))
    clicks = Efficiency.of(game)
    if clicks is not None:
        show_line(console, clicks.sentence())


def _row(number: int, move: "Move", moment: "Moment") -> tuple[str, ...]:
    """Return the row of a move: what it was, what it was worth, and the best move."""
    from satsweeper.play.judgement import MoveKind, WorthSource
    from satsweeper.show.sentences import percent

    judged = moment.judged
    assert judged is not None
    kind = "" if judged.kind is MoveKind.UNDO else str(judged.kind)
    if judged.kind is MoveKind.FLAG:
        safe = judged.safe
        kind = (
            "" if safe is None else "certain" if safe == 0 else "wrong" if safe == 1 else "unsure"
        )
    cell = "" if move.cell is None else f"{move.cell[0]},{move.cell[1]}"
    row = [str(number), move.action, cell, kind]
    weighed = judged.is_guess or judged.kind is MoveKind.MISTAKE
    for chance in (judged.safe, judged.safest):
        row.append(percent(chance) if weighed and chance is not None else "")
    worths = judged.worths
    if worths is None:
        return (*row, "", "", "", "")
    best, played = (percent(Fraction(each)) for each in (worths.best, worths.played))
    sign = {WorthSource.EXACT: "", WorthSource.ESTIMATE: "~", WorthSource.BOUND: "<= "}
    known = worths.source is WorthSource.EXACT
    row += [played if known else "", best if known else ""]
    instead = ",".join(map(str, cast(Cell, worths.best_cell)))
    return (*row, instead if worths.cost else "", f"{sign[worths.source]}{100 * worths.cost:.1f}")
