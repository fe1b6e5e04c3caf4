"""The answer of advise, explain and odds to an inconsistent board: the clues that clash.

The JSON object has the schema of the command that was run, with ``"status": "inconsistent"`` and
``"conflict"`` as in the object of ``classify``; the exit code is 20.
"""

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from satsweeper.cli.arguments import take_over_time_left
from satsweeper.cli.exit_codes import INCONSISTENT
from satsweeper.cli.files import print_json

if TYPE_CHECKING:
    from satsweeper.answers.classification import Classification
    from satsweeper.position import Position
    from satsweeper.puzzle.answers import PuzzleClassification
    from satsweeper.show.terminal import Color


def find_conflict(arguments: argparse.Namespace, position: "Position") -> "Classification":
    """Classify ``position``, which is known to have no layout, in the time that is left."""
    from satsweeper.answers.classification import Status
    from satsweeper.answers.options import Options
    from satsweeper.engines.classify import classify_within

    left = take_over_time_left(arguments, position.rows * position.columns)
    result = classify_within(left, position, Options(flags=arguments.flags))
    # The caller has proved that there is no layout, so the status is certain even if the time was
    # over before the clues of a conflict were found.
    return result.replaced(status=Status.INCONSISTENT)


def print_conflict(
    arguments: argparse.Namespace,
    result: "Classification | PuzzleClassification",
    more: Mapping[str, object] | None = None,
) -> int:
    """Print the clues of ``result`` that clash, and return the exit code.

    ``more``: further entries of the JSON object of the command.
    """
    if arguments.json:
        schema = f"satsweeper/{arguments.command}/1"
        print_json({**result.as_json(), "schema": schema, **(more or {})})
    else:
        print_verdicts(result, getattr(arguments, "color", "auto"))
    return INCONSISTENT


def print_verdicts(
    result: "Classification | PuzzleClassification", color: "Color", *, stats: bool = False
) -> None:
    """Print a board with verdicts or a conflict, and the statistics if ``stats``."""
    from satsweeper.answers.classification import Classification
    from satsweeper.show.terminal import output_for, show_classification, show_stats

    console = output_for(color)
    if isinstance(result, Classification):
        show_classification(result, console)
    else:
        from satsweeper.show.puzzles import show_puzzle
        from satsweeper.show.terminal import console_for

        show_puzzle(result, console_for(color))
    if stats:
        show_stats(result.stats, console)
