"""How likely every covered cell is a mine: exact fractions, counted in integers."""

import argparse
from fractions import Fraction
from typing import TYPE_CHECKING

from satsweeper.cli.exit_codes import DONE, INCONSISTENT, LIMIT_REACHED, UsageError
from satsweeper.cli.files import print_json
from satsweeper.cli.options import (
    add_board,
    add_color,
    add_timeout,
    natural,
    read_board,
    source_name,
    time_left,
)
from satsweeper.show.progress import progress

if TYPE_CHECKING:
    from satsweeper.position import Position

EXAMPLE = """examples:
  satsweeper odds examples/expert.txt
  satsweeper odds --all examples/wikipedia_corner.txt
  satsweeper odds --json --mines unknown --density 0.2 examples/expert.txt
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of ``odds``."""
    add_board(parser)
    parser.add_argument(
        "--density",
        metavar="P",
        type=_chance,
        help="each covered cell is a mine with this chance (0.2, 1/5); the total must be unknown",
    )
    add_timeout(parser, "give up then (exit code 124)")
    parser.add_argument(
        "--max-width",
        metavar="N",
        type=natural("number of clues", 1),
        help="refuse regions with more clues open at once (40; exit code 124)",
    )
    parser.add_argument("--all", action="store_true", help="also list the chance of every cell")
    add_color(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Count and print; an inconsistent board is shown as ``classify`` shows it."""
    position = read_board(arguments)
    if arguments.density is not None and position.mines is not None:
        raise UsageError("--density excludes a known total; add --mines unknown")
    import sys

    from satsweeper.count.bound import MAX_WIDTH, OddsLimitError
    from satsweeper.count.odds import NoLayoutError, odds

    try:
        with progress("counting"):
            result = odds(
                position,
                flags=arguments.flags,
                density=arguments.density,
                max_width=MAX_WIDTH if arguments.max_width is None else arguments.max_width,
            )
    except NoLayoutError:
        return _inconsistent(arguments, position)
    except OddsLimitError as error:
        print(f"{source_name(arguments.board)}: {error}", file=sys.stderr)
        return LIMIT_REACHED
    if arguments.json:
        print_json(result.as_json())
    else:
        from satsweeper.show.console import console_for
        from satsweeper.show.odds import show_odds

        show_odds(result, console_for(arguments.color), every=arguments.all)
    return DONE


def _inconsistent(arguments: argparse.Namespace, position: "Position") -> int:
    """Print the clues that clash, as ``classify`` does."""
    from satsweeper.answers.classification import Status
    from satsweeper.answers.options import Options
    from satsweeper.engines.asking.classify import classify_within

    left = time_left(arguments, position.rows * position.columns)
    result = classify_within(left, position, Options(flags=arguments.flags))
    if result.status is not Status.INCONSISTENT:
        # The time was over before the clues that clash were found; counting has proved it.
        from dataclasses import replace

        result = replace(result, status=Status.INCONSISTENT)
    if arguments.json:
        print_json(result.as_json())
    else:
        from satsweeper.show.console import console_for
        from satsweeper.show.terminal import show_classification

        show_classification(result, console_for(arguments.color))
    return INCONSISTENT


def _chance(text: str) -> Fraction:
    try:
        chance = Fraction(text) if len(text) < 50 and "e" not in text.lower() else Fraction(0)
    except (ValueError, ZeroDivisionError):
        chance = Fraction(0)
    if not 0 < chance < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0 and below 1")
    return chance
