"""The best moves of a position: certain moves, else the best guess, and the chance to win."""

import argparse
import sys
from typing import Final

from satsweeper.cli.arguments import read_board, source_name
from satsweeper.cli.exit_codes import DONE, FAILED, LIMIT_REACHED, UsageError, usage_errors
from satsweeper.cli.files import print_json
from satsweeper.cli.inconsistent import find_conflict, print_conflict
from satsweeper.cli.lifetime import compiled_work
from satsweeper.cli.options import BOARD, JSON, option, timeout
from satsweeper.processes.standard_output import print_answer

EXAMPLE = """examples:
  satsweeper advise examples/expert.txt
  satsweeper advise --strategy safest --json examples/expert.txt
  satsweeper advise --first-click safe --mines 4 examples/covered_4x4.txt
"""


OPTIONS: Final = (
    *BOARD,
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
    position = read_board(arguments)
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
