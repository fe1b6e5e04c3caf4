#!/usr/bin/env python3
"""Coverage of certain moves on random boards by method, and sizes of groups of cells.

Every game is drawn uniformly under its start convention: a corner of which only the first cell is
safe, and (3, 3) with all its neighbours safe. A method opens what it calls safe until it is stuck;
its share is that of the safe cells open then, the first click's included. The same game is then
played to its end, with the safest guess wherever nothing is certain, and at each position of it the
largest group of cells tied by clues is taken: of the cells that the single-clue rules leave
undecided, or of all that are next to a clue.

Intervals are of 95 %: means and shares of positions by a bootstrap over games, shares of games by
Wilson's score. What was claimed stands beside, and whether the interval excludes it.

Examples: scripts/measure_coverage.py --games 200
  scripts/measure_coverage.py --games 100 --methods subset,subset+total --no-groups --json
  scripts/measure_coverage.py --update docs/coverage.md
"""

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any, Final

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from satsweeper.board.size import FORM, BoardSize
from satsweeper.compare.sweep.backends import Backend, run_jobs
from satsweeper.play.draw import game_layout
from satsweeper.show.progress import progress
from scripts.certain_moves import summary as moves
from scripts.frame import arguments as frame

GAMES: Final = 2_000
_BATCH: Final = 10
"""Number of games that one process plays at a time."""
SECTION: Final = "coverage"


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, and print or write the tables; return the exit code."""
    arguments = _arguments(argv)
    return frame.ended("measure_coverage", lambda: _measure(arguments))


def _measure(arguments: argparse.Namespace) -> int:
    made_by = command(arguments)
    boards = [BoardSize.parse(text) for text in arguments.boards.split(",")]
    frame.require_section(arguments.update, arguments.section)
    plans = [
        moves.Plan(board, *start, arguments.methods, arguments.seed, arguments.groups)
        for board in boards
        for start in moves.STARTS
    ]
    found = measure(plans, arguments.games, arguments.jobs)
    text = "\n\n".join(map(moves.tables, found))
    if arguments.update is not None:
        frame.update(arguments.update, made_by, {arguments.section: text})
    if arguments.json:
        head = {"schema": "satsweeper/coverage/1", "command": made_by, "seed": arguments.seed}
        print(json.dumps(head | {"results": found}))
    else:
        print(text)
    return 0


def measure(plans: Sequence[moves.Plan], games: int, jobs: int = 1) -> list[dict[str, Any]]:
    """Return the summary of each plan, which does not depend on ``jobs``, the number of processes.

    Raises:
        ValueError: a board has no room for its first cell or its mines.
    """
    for plan in plans:
        try:
            game_layout(plan.board, plan.first, plan.first_click, plan.seed)
        except ValueError as error:
            raise ValueError(f"board {plan.board}: {error}") from None
    found = []
    # The jobs are ranges of games, without the names of a sweep's jobs: no result is kept on disk.
    numbers: list[Any] = [range(n, min(n + _BATCH, games)) for n in range(0, games, _BATCH)]
    with progress("games", len(plans) * games) as reach:
        for i, plan in enumerate(plans):
            played: dict[int, list[moves.Record]] = {}
            opening = partial(nullcontext, moves.Games(plan))
            for first, records in run_jobs(opening, numbers, Backend(jobs=jobs)):
                played[first] = records
                reach(i * games + sum(map(len, played.values())))
            records = [record for first in sorted(played) for record in played[first]]
            found.append(moves.summary(plan, records))
    return found


def command(arguments: argparse.Namespace) -> str:
    """Return the command that measures all figures again."""
    text = f"python scripts/measure_coverage.py --boards {arguments.boards}"
    text += f" --games {arguments.games} --seed {arguments.seed}"
    if arguments.methods != moves.DEFAULT:
        text += f" --methods {','.join(arguments.methods)}"
    return text + ("" if arguments.groups else " --no-groups")


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = frame.parser_of(__doc__)
    add = parser.add_argument
    add("--boards", metavar=FORM, default=moves.CLAIMED_BOARD, help="with commas")
    add("--games", type=frame.positive, default=GAMES, help=f"a start; {GAMES} by default")
    add("--seed", type=int, default=1)
    add("--jobs", type=frame.positive, default=1, help="processes (1)")
    add("--methods", type=frame.names_of(moves.METHODS), default=[*moves.DEFAULT],
        help=f"with commas, of {', '.join(moves.METHODS)}")  # fmt: skip
    add("--no-groups", dest="groups", action="store_false", help="coverage only, nothing guessed")
    add("--json", action="store_true", help="print one object instead of tables")
    frame.add_update(parser)
    add("--section", default=SECTION, help=f"which markers: {SECTION} unless another is named")
    arguments = parser.parse_args(argv)
    arguments.methods = tuple(arguments.methods)
    return arguments


if __name__ == "__main__":
    sys.exit(main())
