#!/usr/bin/env python3
"""Random boards of any shape under any rules, held to brute force over all layouts.

Each subject is a geometry with one rule or two: singles (every rule, and # with a letter of its own
at each clue), pairs, geometries. Boards have up to 25 cells, totals or none, flags right or wrong,
regions, weights, several mines in a cell, and are consistent or not. Verdicts, status, conflicts
and reasons (enough, and none of their parts left out), layouts of unknown cells, and openings in a
session are compared with plain readings of the rules. Whatever is wrong is one line, with the
smallest board found on which it is wrong, too.

Exit codes: 0 nothing was wrong; 1 something was; 2 wrong usage; 130 interrupted.

Examples: scripts/fuzz --rules --boards 200
  scripts/fuzz --rules --groups singles --boards 10000 --seed 1 --json
  scripts/fuzz --rules --only 'square: 2A' --boards 1 --start 4711
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from satsweeper.show.progress import progress
from scripts.frame.arguments import INTERRUPTED, at_least, names_of, parser_of, positive
from scripts.fuzzing.rule_boards import subjects
from scripts.fuzzing.rule_checks import RuleTally, examine

GROUPS: Final = ("singles", "pairs", "geometries")


def main(argv: Sequence[str] | None = None) -> int:
    """Examine the boards of each subject, print a line for each, and return the exit code."""
    arguments = _arguments(argv)
    chosen = subjects(arguments.groups)
    if arguments.only:
        chosen = [each for each in chosen if str(each).startswith(arguments.only)]
        if not chosen:
            sys.stderr.write(f"scripts/fuzz --rules: no subject begins with {arguments.only!r}\n")
            return 2
    stream = sys.stderr if arguments.json else sys.stdout
    tallies: list[RuleTally] = []
    interrupted = False
    before = sum(os.times()[:4])
    with progress("subjects", len(chosen)) as reach:
        try:
            for number, subject in enumerate(chosen, start=1):
                found = examine(subject, arguments.boards, arguments.seed, arguments.start)
                tallies.append(found)
                for failure in found.failures:
                    print(failure.line(), file=stream, flush=True)
                if not arguments.json:
                    print(line_of(found), flush=True)
                reach(number)
        except KeyboardInterrupt:
            interrupted = True
    spent = round(sum(os.times()[:4]) - before, 3)
    if arguments.json:
        about = {"seed": arguments.seed, "start": arguments.start, "cpu_seconds": spent}
        of_all = [{**asdict(each), "subject": str(each.subject)} for each in tallies]
        print(json.dumps({"schema": "satsweeper/fuzz-rules/1", **about, "subjects": of_all}))
    else:
        print(summary(tallies, {"seed": arguments.seed, "seconds": spent}))
    if interrupted:
        sys.stderr.write("interrupted\n")
        return INTERRUPTED
    return 1 if any(each.failures for each in tallies) else 0


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = parser_of(__doc__, prog="scripts/fuzz --rules")
    add = parser.add_argument
    add("--boards", type=positive, default=100, metavar="N", help="a subject (%(default)s)")
    add("--groups", type=names_of(GROUPS), default=[*GROUPS], metavar="A,B",
        help=f"of {', '.join(GROUPS)} (all)")  # fmt: skip
    add("--only", metavar="TEXT", default="", help="subjects that begin so: 'square: 2A'")
    add("--seed", type=int, default=0, metavar="N", help="of all boards (%(default)s)")
    add("--start", type=at_least(0), default=0, metavar="K", help="the first one (%(default)s)")
    add("--json", action="store_true", help="one object; failures on standard error")
    return parser.parse_args(argv)


def line_of(found: RuleTally) -> str:
    """Return the counts of a subject as a line."""
    wrong = f"{len(found.failures)} wrong" if found.failures else "none wrong"
    return (
        f"{found.subject!s:24} {found.boards:,} boards, {found.inconsistent:,} without a layout,"
        f" {found.certain:,} with certain cells, {found.reasons:,} reasons, {wrong}"
    )


def summary(tallies: Sequence[RuleTally], about: dict[str, Any]) -> str:
    """Return the sums over all subjects."""
    boards = sum(each.boards for each in tallies)
    reasons = sum(each.reasons for each in tallies)
    wrong = sum(len(each.failures) for each in tallies)
    return (
        f"seed {about['seed']}: {len(tallies)} subjects, {boards:,} boards, {reasons:,} reasons,"
        f" {wrong} wrong, {about['seconds']:.1f} s of CPU"
        f" ({1000 * about['seconds'] / max(boards, 1):.2f} ms a board)"
    )


if __name__ == "__main__":
    sys.exit(main())
