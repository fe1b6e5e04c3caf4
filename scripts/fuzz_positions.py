#!/usr/bin/env python3
"""Random positions through everything that answers, held to brute force over all layouts.

Positions of every shape with up to 16 hidden cells, consistent or not, total known, unknown or
wrong, flags right or wrong, trusted or ignored. The seed and a position's number determine it and
all that is asked about it. Whatever is wrong is one line: seed, number, board, call, what is true,
what was said, and the smallest board on which the same check fails.

Exit codes: 0 nothing was wrong; 1 something was; 2 wrong usage; 130 interrupted, with the counts so
far. To go on after an interruption, give --start the number it names.

Examples: scripts/fuzz --positions 1000
  scripts/fuzz --positions 1000000 --seed 1 --jobs 2 --json
  scripts/fuzz --positions 1 --start 4711 --share all=1
"""

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from satsweeper.show.progress import progress
from scripts.frame.arguments import INTERRUPTED, above_zero, at_least, parser_of, positive
from scripts.fuzzing.checks import CHECKS
from scripts.fuzzing.run import Plan, Tally, examine, side_by_side


def main(argv: Sequence[str] | None = None) -> int:
    """Examine the positions, print the summary, and return the exit code."""
    checks = "\n".join(f"  {n:12} {c.share:<6g} {c.about}" for n, c in CHECKS.items())
    epilog = f"checks, and the share of the positions that each gets:\n{checks}"
    parser = parser_of(__doc__, prog="scripts/fuzz", epilog=epilog)
    add = parser.add_argument
    add("--positions", type=positive, default=1000, metavar="N", help="how many (%(default)s)")
    add("--seed", type=int, default=0, metavar="N", help="of all positions (%(default)s)")
    add("--start", type=at_least(0), default=0, metavar="K", help="the first one (%(default)s)")
    add("--jobs", type=positive, default=1, metavar="N",
        help="processes (%(default)s: this one); with two or more, one that dies or never comes"
        " back is a failure and the others go on")  # fmt: skip
    add("--share", type=shares, default="", metavar="NAME=SHARE",
        help="other shares than those below, with commas: certificate=1,heavy=0")  # fmt: skip
    add("--failures", type=positive, default=10, metavar="N", help="stop after (%(default)s)")
    add("--limit", type=above_zero, default=120.0, metavar="SECONDS",
        help="a position (%(default)s)")  # fmt: skip
    add("--json", action="store_true", help="one object; failures also on standard error")
    arguments = parser.parse_args(argv)
    plan = Plan(arguments.seed, arguments.share, arguments.limit)
    numbers = range(arguments.start, arguments.start + arguments.positions)
    results = ((index, examine(plan, index)) for index in numbers)
    if arguments.jobs > 1:
        results = side_by_side(plan, numbers, arguments.jobs)
    stream = sys.stderr if arguments.json else sys.stdout
    found, following, ahead = Tally(), arguments.start, set[int]()
    interrupted = False
    before = sum(os.times()[:4])
    with progress("positions", len(numbers)) as reach, closing(results):
        try:
            for index, more in results:
                found.add(more)
                ahead.add(index)
                # The least number that has not been examined; positions finish out of order.
                while following in ahead:
                    ahead.remove(following)
                    following += 1
                for failure in more.failures:
                    print(failure.line(), file=stream, flush=True)
                reach(found.positions)
                if len(found.failures) >= arguments.failures:
                    break
        except KeyboardInterrupt:
            interrupted = True
    spent = round(sum(os.times()[:4]) - before, 3)
    about = {"seed": plan.seed, "start": arguments.start, "next": following, "cpu_seconds": spent}
    if arguments.json:
        print(json.dumps({"schema": "satsweeper/fuzz/1", **about, **found.as_json()}))
    else:
        print(summary(found, about))
    if interrupted:
        sys.stderr.write(f"interrupted; go on with --start {following}\n")
        return INTERRUPTED
    return 1 if found.failures else 0


def summary(found: Tally, about: Mapping[str, Any]) -> str:
    """Return the summary: numbers of checks, of positions by kind, and of wrong answers."""
    seconds = about["cpu_seconds"]
    groups: dict[str, list[str]] = {}
    for kind, count in sorted(found.kinds.items()):
        group, name = kind.split(maxsplit=1)
        groups.setdefault(group, []).append(f"{name} {count:,}")
    lines = [
        "checks: " + ", ".join(f"{name} {found.checks[name]:,}" for name in CHECKS),
        *(f"{group}: {', '.join(counts)}" for group, counts in groups.items()),
        f"seed {about['seed']}, positions {about['start']} to {about['next'] - 1}:"
        f" {found.positions:,} positions, {found.checks.total():,} checks,"
        f" {len(found.failures)} wrong, {seconds:.1f} s of CPU"
        f" ({1000 * seconds / max(found.positions, 1):.2f} ms a position)",
    ]
    return "\n".join(lines)


def shares(text: str) -> dict[str, float]:
    """Parse ``NAME=SHARE`` with commas; ``all`` names every check.

    Checks that are not named keep their shares.
    """
    found = {name: check.share for name, check in CHECKS.items()}
    for part in text.split(",") if text else ():
        name, _, number = part.partition("=")
        share = -1.0
        with suppress(ValueError):
            share = float(number)
        if name not in (*CHECKS, "all") or not 0 <= share <= 1:
            known = f"of all, {', '.join(CHECKS)}, from 0 to 1"
            raise argparse.ArgumentTypeError(f"{part!r} is not NAME=SHARE, {known}")
        found |= dict.fromkeys(CHECKS, share) if name == "all" else {name: share}
    return found


if __name__ == "__main__":
    sys.exit(main())
