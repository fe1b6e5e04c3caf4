"""``play`` on boards with rules and geometries."""

import argparse
import os
from itertools import count
from secrets import randbelow
from typing import TYPE_CHECKING, Final

from satsweeper.cli.arguments import refuse_options
from satsweeper.cli.exit_codes import InputError, UsageError, usage_errors

if TYPE_CHECKING:
    from satsweeper.puzzle.play.game import PuzzleGame
    from satsweeper.show.play.puzzle_session import PuzzleGameSession

_SEEDS: Final = 2**31
FOR_NEW: Final = ("level", "size", "geometry", "first_click", "no_guess", "strength", "seed")
"""The options that do not go with a game in a file."""


def puzzle_session(arguments: argparse.Namespace) -> "PuzzleGameSession | None":
    """Return the game that ``--rules``, ``--geometry`` or the file names; None for a classic one.

    Raises BoardError and UsageError for what cannot be played.
    """
    if arguments.file is not None:
        return _of_file(arguments)
    if arguments.rules is None and arguments.geometry is None:
        return None
    _refuse(arguments)
    if arguments.first_click == "windows":
        raise UsageError("--first-click windows is for squares without rules")
    from satsweeper.cli.generate_puzzle import empty_puzzle
    from satsweeper.play.presets import PRESETS
    from satsweeper.puzzle.play.game import PuzzleGame
    from satsweeper.puzzle.play.generate import generate_puzzle
    from satsweeper.show.play.puzzle_session import PuzzleGameSession
    from satsweeper.show.progress import progress

    board = arguments.size or list(PRESETS.values())[arguments.level or 0]
    puzzle = empty_puzzle(str(board), arguments.rules, arguments.geometry)
    seed = randbelow(_SEEDS) if arguments.seed is None else arguments.seed
    numbers = count()

    def following() -> PuzzleGame:
        found = generate_puzzle(
            puzzle,
            no_guess=arguments.no_guess,
            first_click=arguments.first_click,
            seed=seed,
            number=next(numbers),
        )
        return PuzzleGame.of(found)

    with usage_errors(), progress("drawing"):
        return PuzzleGameSession(following(), following)


def played_sentence(game: "PuzzleGame") -> str:
    """Return the rules, the cells, the seed and the status of a game."""
    rules = " ".join(game.puzzle.rules) or "V"
    return f"rules {rules}, {game.puzzle.geometry.name}, --seed {game.seed}: {game.status}"


def _of_file(arguments: argparse.Namespace) -> "PuzzleGameSession | None":
    if not os.path.isfile(arguments.file):
        return None
    from satsweeper.notation.board_file import board_data
    from satsweeper.puzzle.headers import is_game, may_hold_rules

    data, source = board_data(arguments.file)
    if not is_game(data):
        if may_hold_rules(data):
            what = "play takes squares with plain clues, and games of game new --rules"
            raise InputError(f"{source}: a board with rules or of other cells: {what}")
        return None
    _refuse(arguments)
    refuse_options(arguments, FOR_NEW, "a new game, without FILE")
    from satsweeper.puzzle.play.game import PuzzleGame
    from satsweeper.show.play.puzzle_session import PuzzleGameSession

    return PuzzleGameSession(PuzzleGame.read(data, source, (arguments.rules or "").split()))


def _refuse(arguments: argparse.Namespace) -> None:
    refuse_options(arguments, ("record", "proof", "strength"), "squares without rules")
    if arguments.strategy != "safest":
        raise UsageError("--strategy: on boards with rules safest alone guesses")
