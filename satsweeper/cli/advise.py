"""The best moves of a position, or the luck and the skill of a game.

BOARD: certain moves, else the best guess, and the chance to win. On a board with rules or of other
cells than squares the choices are all covered cells, the safest first, by exact odds; the chance to
win is not looked for.

GAME is a record (satsweeper play --record). Each move is judged by what its player could see: it
was certain, a guess, a needless guess, as another cell was certain, or a mistake. A guess costs the
chance to win after the best move less that after the guess: exact where few layouts are left, else
about, by the chance to survive this move and the next; of a needless guess a bound is known. The
sum says how likely it was to survive the guesses, and how many clicks the board needs (3BV, ZiNi).
--json prints {"schema": "satsweeper/review/1", "board", "first_click", "seed", "number", "status",
"whole" (false at the limit), "moves": [{"move", "cell", "kind", "safe", "safest", "win", "best":
{"cell", "win"}, "cost", "cost_is" (exact, estimate, bound), "survived", "luck", "taken_back"}],
"sum": {"guesses", "needless", "mistakes", "survived", "expected", "chance", "cost"}, "efficiency"};
an estimate has "next_safe" in place of "win".
"""

import argparse
import sys
from typing import TYPE_CHECKING, Final

from satsweeper.cli.arguments import read_board_or_puzzle, source_name
from satsweeper.cli.exit_codes import (
    DONE,
    FAILED,
    INCONSISTENT,
    LIMIT_REACHED,
    InputError,
    UsageError,
    usage_errors,
)
from satsweeper.cli.files import print_json
from satsweeper.cli.inconsistent import find_conflict, print_conflict
from satsweeper.cli.lifetime import compiled_work, signals_answered
from satsweeper.cli.options import BOARD, JSON, option, timeout
from satsweeper.processes.standard_output import print_answer

if TYPE_CHECKING:
    from satsweeper.puzzle.puzzle import Puzzle

EXAMPLE = """examples:
  satsweeper advise examples/expert.txt
  satsweeper advise --strategy safest --json examples/expert.txt
  satsweeper advise --first-click safe --mines 4 examples/covered_4x4.txt
  satsweeper generate 5x5/8 --rules C -o c.txt && satsweeper advise c.txt
  satsweeper advise examples/game.jsonl
"""


OPTIONS: Final = (
    option("board FILE", "a board in any format, or the record of a game; - is standard input"),
    *BOARD[1:],
    option("--strategy NAME",
           "who decides where the chance to win is not known exactly: random, score_003, safest,"
           " progress, second_safety, exact, or MODULE:NAME (exact)", default="exact"),
    option("--first-click PROMISE", "on a board with nothing open, what is promised of the cell"
           " that is opened first: none, safe or opening (none)", default="none"),
    timeout("give up then (exit code 124)"),
    JSON,
)  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Print certain moves or the best guess; return the exit code."""
    from satsweeper.notation.board_file import board_data
    from satsweeper.play.record import is_record

    data, source = board_data(arguments.board)
    if is_record(data):
        from satsweeper.cli.advise_game import advise_game

        return advise_game(arguments, data, source)
    position = read_board_or_puzzle(arguments, (data, source))
    from satsweeper.position import Position

    if not isinstance(position, Position):
        return _advise_puzzle(arguments, position)
    from satsweeper.count.budget import OddsLimitError
    from satsweeper.count.odds import NoLayoutError
    from satsweeper.play.advice import advise
    from satsweeper.play.simulation.plan import first_click_named
    from satsweeper.play.strategies.table import check_strategy

    with usage_errors():
        check_strategy(arguments.strategy)
        first_click_named(arguments.first_click)
    try:
        with compiled_work(arguments, "looking ahead"):
            advice = advise(
                position,
                arguments.strategy,
                first_click=arguments.first_click,
                flags=arguments.flags,
            )
    except NoLayoutError:
        return print_conflict(arguments, find_conflict(arguments, position))
    except OddsLimitError as error:
        print(f"{source_name(arguments.board)}: {error}", file=sys.stderr)
        return LIMIT_REACHED
    except ValueError as error:
        raise UsageError(str(error)) from None
    if arguments.json:
        print_json(advice.as_json())
    if advice.needs_total:
        what = "no cell is certain, and a guess needs the total, which is unknown: --mines N"
        print(f"{source_name(arguments.board)}: {what}", file=sys.stderr)
        return FAILED
    if not arguments.json:
        from satsweeper.show.sentences import advice_text

        print_answer(advice_text(advice))
    return DONE


def _advise_puzzle(arguments: argparse.Namespace, puzzle: "Puzzle") -> int:
    """Print certain cells, or all choices by their odds; return the exit code."""
    from satsweeper.board.errors import LimitError
    from satsweeper.puzzle.errors import RuleError
    from satsweeper.puzzle.play.advice import advise_puzzle
    from satsweeper.puzzle.sentences import conflict_sentence
    from satsweeper.show.progress import progress

    if arguments.strategy not in ("exact", "safest"):
        raise UsageError("--strategy: on boards with rules safest alone puts cells in order")
    if arguments.first_click != "none":
        raise UsageError("--first-click is for squares without rules")
    try:
        with signals_answered("satsweeper advise", arguments.time_limit), progress("counting"):
            advice = advise_puzzle(puzzle, arguments.flags)
    except LimitError as error:
        print(f"{source_name(arguments.board)}: {error}", file=sys.stderr)
        return LIMIT_REACHED
    except RuleError as error:
        raise InputError(f"{source_name(arguments.board)}: {error}") from None
    clash = advice.inconsistent
    if clash is not None:
        if arguments.json:
            print_json({**clash.as_json(), "schema": "satsweeper/advise/1"})
        elif clash.conflict is not None:
            print_answer(conflict_sentence(puzzle, clash.conflict))
        return INCONSISTENT
    if arguments.json:
        print_json(advice.as_json())
    if advice.needs_total:
        what = "no cell is certain, and a guess needs the total, which is unknown: --mines N"
        print(f"{source_name(arguments.board)}: {what}", file=sys.stderr)
        return FAILED
    if not arguments.json:
        from satsweeper.show.puzzle_play import advice_lines

        print_answer(*advice_lines(advice))
    return DONE
