"""``generate`` for boards with rules and geometries."""

import argparse
import sys
from typing import TYPE_CHECKING, Final

from satsweeper.cli.arguments import refuse_options
from satsweeper.cli.exit_codes import DONE, LIMIT_REACHED, UsageError, usage_errors
from satsweeper.cli.files import STDOUT, output, print_json, require_writable
from satsweeper.cli.lifetime import signals_answered
from satsweeper.processes.standard_output import print_answer
from satsweeper.show.progress import progress

if TYPE_CHECKING:
    from satsweeper.puzzle.play.generated import GeneratedPuzzle
    from satsweeper.puzzle.puzzle import Puzzle

_CLASSIC: Final = ("clicks", "strength", "no_total", "certify", "proof", "to")
"""The options that boards with rules do not have."""
_PLACE: Final = "{}"
MOST_CELLS: Final = 2_500
"""The most cells of a board with rules that is drawn."""


def generate_puzzles(arguments: argparse.Namespace) -> int:
    """Generate all boards, then write them; return the exit code."""
    puzzle = _check(arguments)
    from satsweeper.board.errors import LimitError
    from satsweeper.puzzle.errors import RuleError
    from satsweeper.puzzle.play.generate import BUDGET, generate_puzzle
    from satsweeper.show.puzzle_play import generated_lines, generated_sentence

    boards = []
    try:
        with (
            usage_errors(RuleError),
            signals_answered("satsweeper generate", arguments.time_limit),
            progress("generating", arguments.count) as reach,
        ):
            for number in range(arguments.count):
                reach(number)
                boards.append(
                    generate_puzzle(
                        puzzle,
                        style=arguments.style or "click",
                        no_guess=arguments.no_guess,
                        first_click=arguments.first_click,
                        start=arguments.start,
                        given=arguments.given,
                        seed=arguments.seed,
                        number=number,
                        budget=arguments.budget or BUDGET,
                    )
                )
    except LimitError as error:
        sys.stderr.write(f"{error}; nothing is written\n")
        return LIMIT_REACHED
    for board in boards:
        if arguments.output is not None:
            name = arguments.output.replace(_PLACE, str(board.number))
            with output(name) as stream:
                stream.write(_written(board, name).encode())
        if arguments.json:
            print_json(board.as_json())
        elif arguments.output == STDOUT:
            sys.stderr.write(f"{generated_sentence(board)}\n")
        elif arguments.output is not None:
            print_answer(generated_sentence(board))
        else:
            print_answer(*generated_lines(board))
    return DONE


def _check(arguments: argparse.Namespace) -> "Puzzle":
    """Refuse contradictory options; return the board with nothing open."""
    from satsweeper.puzzle.play.generate import CLICKS, STYLES

    refuse_options(arguments, _CLASSIC, "squares without rules")
    _known("style", arguments.style, STYLES)
    _known("first click", arguments.first_click, CLICKS)
    if arguments.style == "puzzle":
        refuse_options(arguments, ("first_click", "start"), "--style click")
    else:
        refuse_options(arguments, ("given",), "--style puzzle")
        if not arguments.no_guess:
            refuse_options(arguments, ("budget",), "--no-guess")
    if arguments.output is not None:
        if arguments.output == STDOUT and arguments.json:
            raise UsageError("--json and -o - would both be standard output")
        if arguments.count > 1 and _PLACE not in arguments.output:
            what = f"{_PLACE} is needed in the name of many files"
            raise UsageError(f"-o {arguments.output}: {what}")
        require_writable(arguments.output)
    found = empty_puzzle(arguments.board, arguments.rules, arguments.geometry)
    safe = len(found.geometry) - (found.mines or 0)
    if (arguments.given or 0) > safe:
        from pbcnf.wording import counted

        what = f"a board {arguments.board} has {counted(max(safe, 0), 'safe cell')}"
        raise UsageError(f"--given {arguments.given}: {what}")
    return found


def empty_puzzle(size: str, rules: str | None, geometry: str | None) -> "Puzzle":
    """Return a board with nothing open; raise UsageError for an impossible one."""
    from satsweeper.play.presets import board_named
    from satsweeper.puzzle.geometry.table import grid
    from satsweeper.puzzle.puzzle import Puzzle

    with usage_errors():
        found = board_named(size)
        if found.rows * found.columns > MOST_CELLS:
            what = f"{MOST_CELLS} cells are the most of a board with rules"
            raise UsageError(f"board {size}: {what}")
        cells = grid(geometry or "square", found.rows, found.columns)
        return Puzzle(cells, tuple((rules or "").split()), mines=found.mines)


def _known(what: str, name: str | None, names: tuple[str, ...]) -> None:
    if name is not None and name not in names:
        from pbcnf.wording import unknown_name

        raise UsageError(unknown_name(what, name, names))


def _written(board: "GeneratedPuzzle", name: str) -> str:
    if name.endswith(".json"):
        from satsweeper.puzzle.play.game import PuzzleGame

        return PuzzleGame.of(board).written()
    from satsweeper.puzzle.text_board import text_board

    return text_board(board.puzzle)
