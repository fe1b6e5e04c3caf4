"""Every covered cell of a board: safe in every layout, a mine in every layout, or unknown."""

import argparse
from time import monotonic
from typing import TYPE_CHECKING

from satsweeper.cli.main import DONE, INCONSISTENT, LIMIT_REACHED, InputError, UsageError
from satsweeper.cli.options import (
    add_board,
    add_encodings,
    add_solver,
    check_names,
    positive_seconds,
    read_board,
)

if TYPE_CHECKING:
    from satsweeper.classification import Classification
    from satsweeper.position import Position
    from satsweeper.worker import Options

EXAMPLE = """examples:
  satsweeper classify examples/expert.txt
  satsweeper classify --json --mines unknown examples/expert.txt
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of ``classify``."""
    add_board(parser)
    add_encodings(parser)
    add_solver(parser)
    parser.add_argument("--engine", choices=("sat",), default="sat", help="how (sat)")
    parser.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=positive_seconds,
        help="stop then; what is proved until then is certain (exit code 124)",
    )
    parser.add_argument(
        "--plain", action="store_true", help="no reductions: two questions a cell; slow, an oracle"
    )
    parser.add_argument("--stats", action="store_true", help="also print what it cost")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Classify, print, and say by the exit code what came out."""
    check_names(arguments)
    position = read_board(arguments)
    from satsweeper.classification import Status

    try:
        result = _classify(arguments, position)
    except ValueError as error:
        raise UsageError(str(error)) from None
    if arguments.json:
        import json

        print(json.dumps(result.as_json()))
    else:
        from satsweeper.show.terminal import show_classification, show_stats

        show_classification(result)
        if arguments.stats:
            show_stats(result.stats)
    return {Status.INCONSISTENT: INCONSISTENT, Status.UNDECIDED: LIMIT_REACHED}.get(
        result.status, DONE
    )


def _classify(arguments: argparse.Namespace, position: "Position") -> "Classification":
    options: Options = {
        "encoding": arguments.encoding,
        "total_encoding": arguments.total_encoding,
        "solver": arguments.solver,
        "flags": arguments.flags,
        "plain": arguments.plain,
    }
    if arguments.timeout is None:
        from satsweeper.verdicts import classify

        return classify(position, **options)
    from satsweeper.worker import WorkerDiedError, classify_within

    # The limit is on the whole command; reading the board is a part of it.
    left = arguments.timeout - (monotonic() - arguments.started)
    try:
        return classify_within(max(left, 0.0), position, options)
    except WorkerDiedError as error:
        raise InputError(str(error)) from None
