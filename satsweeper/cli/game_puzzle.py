"""``game`` on boards with rules and geometries."""

import argparse
import sys
from typing import TYPE_CHECKING

from satsweeper.board.errors import LimitError
from satsweeper.cli.arguments import refuse_options, source_name
from satsweeper.cli.exit_codes import DONE, LIMIT_REACHED, InputError, UsageError, usage_errors
from satsweeper.cli.files import STDOUT, output, print_json
from satsweeper.cli.lifetime import signals_answered
from satsweeper.processes.standard_output import answer_stream
from satsweeper.puzzle.errors import RuleError
from satsweeper.show.progress import progress

if TYPE_CHECKING:
    from satsweeper.board.size import BoardSize
    from satsweeper.puzzle.play.game import PuzzleGame, PuzzleGuess


def new_game(arguments: argparse.Namespace, board: "BoardSize", seed: int) -> int:
    """Write a new game of this size and seed; return the exit code."""
    from satsweeper.cli.generate_puzzle import empty_puzzle
    from satsweeper.puzzle.play.game import PuzzleGame
    from satsweeper.puzzle.play.generate import generate_puzzle

    _refuse(arguments)
    if arguments.first_click == "windows":
        raise UsageError("--first-click windows is for squares without rules")
    puzzle = empty_puzzle(str(board), arguments.rules, arguments.geometry)
    try:
        with (
            usage_errors(RuleError),
            signals_answered("satsweeper game", arguments.time_limit),
            progress("drawing"),
        ):
            generated = generate_puzzle(
                puzzle,
                first_click=arguments.first_click or "none",
                start=arguments.start or (0, 0),
                seed=seed,
            )
    except LimitError as error:
        sys.stderr.write(f"{error}; nothing is written\n")
        return LIMIT_REACHED
    return _finish(arguments, PuzzleGame.of(generated), None, None)


def play_game(arguments: argparse.Namespace, data: str | bytes, source: str) -> int:
    """Open what was chosen, or make certain moves, as the action says; return the exit code."""
    from satsweeper.puzzle.play.game import PuzzleGame, marked, processed, solved

    _refuse(arguments)
    game = PuzzleGame.read(data, source, (arguments.rules or "").split())
    guess = None
    try:
        with signals_answered("satsweeper game", arguments.time_limit), progress("playing"):
            if arguments.action == "process":
                after = processed(game)
            else:
                after, guess = (marked if arguments.mark else solved)(game)
    except LimitError as error:
        why = "no move is certain, and the chances are too hard to count"
        sys.stderr.write(f"{source_name(arguments.file)}: {why}: {error}\n")
        return LIMIT_REACHED
    except RuleError as error:
        raise InputError(f"{source_name(arguments.file)}: {error}") from None
    return _finish(arguments, after, game, guess)


def _refuse(arguments: argparse.Namespace) -> None:
    refuse_options(arguments, ("proof",), "squares without rules")
    if arguments.strategy not in (None, "safest"):
        raise UsageError("--strategy: on boards with rules safest alone guesses")


def _finish(
    arguments: argparse.Namespace,
    game: "PuzzleGame",
    before: "PuzzleGame | None",
    guess: "PuzzleGuess | None",
) -> int:
    """Write the file and print the changes."""
    from satsweeper.show.answers import as_json, sentence

    with output(arguments.file) as stream:
        stream.write(game.written().encode())
    if arguments.json:
        print_json(as_json(game, before, guess))
        return DONE
    where = sys.stderr if arguments.file == STDOUT else answer_stream()
    rows = game.rows if arguments.verbose else []
    print(sentence(game, before, guess), *rows, sep="\n", file=where)
    return DONE
