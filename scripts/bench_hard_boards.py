#!/usr/bin/env python3
"""Growth of five solvers and four engines on the families of hard boards.

Sizes of a family grow until a contender has no answer within the limit of CPU time; every run is a
child that ends there. A point is run several times, each with another seed: for another instance
where the family has seeds, and, unless the seed is 0, for a formula with its variables renamed and
its clauses shuffled. It tells the median, the least and the most. A size is decided if every run
is. An answer that is not the family's, or verdicts of two engines that differ, end all work.

What is measured is written into DIR as it comes; the same command goes on there, and with
everything measured it only writes the tables.

Exit codes: 0 done; 1 a wrong answer, or bad input; 2 wrong usage; 130 interrupted.

Examples: scripts/bench_hard_boards.py -o growth --quick
  scripts/bench_hard_boards.py -o growth --limit 5 --jobs 2 --update docs/hard_boards.md
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

# From any folder, installed or not: the packages of this checkout.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "encodings"))

from satsweeper.board.errors import Error
from satsweeper.compare.sweep.backends import Backend, run_jobs
from satsweeper.compare.sweep.journal import (
    RESULTS,
    Journal,
    JournalError,
    locked,
    machine,
    read_manifest,
    read_results,
    versions,
    write_manifest,
)
from satsweeper.show.progress import progress
from scripts.bench.machine import versions_of
from scripts.frame.arguments import above_zero, ended, names, parser_of, positive
from scripts.frame.pages import add_update, require_section, update
from scripts.growth.measuring import (
    LADDERS,
    QUICK,
    Ladder,
    Measured,
    Measurer,
    Point,
    Setting,
    check_agreement,
    measured_of,
    next_points,
    steps_done,
    steps_in_all,
)
from scripts.growth.tables import setting, summary, tables

SCHEMA: Final = "satsweeper/growth/1"
SECTION: Final = "growth"
_LIMIT: Final = 10.0
_QUICK_LIMIT: Final = 2.0


def main(argv: Sequence[str] | None = None) -> int:
    """Measure what is left, and print or write the tables."""
    arguments = _arguments(argv)
    errors = OSError, ValueError, Error
    return ended(
        "bench_hard_boards", lambda: _bench(arguments), errors, "; the same command goes on"
    )


def _bench(arguments: argparse.Namespace) -> int:
    given = Setting(arguments.limit, arguments.repetitions, arguments.seed)
    require_section(arguments.update, SECTION)
    found = measure_into(arguments.out, arguments.ladders, given, arguments.jobs)
    text = sections(arguments.out, arguments.ladders, found)
    if arguments.update is None:
        print(text)
    else:
        update(arguments.update, command(arguments), {SECTION: text})
    return 0


def measure_into(
    folder: Path, ladders: dict[str, Ladder], given: Setting, jobs: int = 1
) -> dict[Point, Measured]:
    """Measure points that the folder does not hold; return all points of these ladders.

    Raises:
        JournalError: the folder holds something else, or another run is writing there.
        DefectError: a wrong answer.
    """
    settings = {"limit": given.limit, "repetitions": given.repetitions, "seed": given.seed}
    with locked(folder):
        before = read_manifest(folder, SCHEMA)
        if before is None:
            started = datetime.now(UTC).isoformat(timespec="seconds")
            content = {"schema": SCHEMA, "versions": _versions(), "machine": machine()}
            write_manifest(folder, content | {"started": started, "settings": settings})
        elif (before["settings"], before["versions"]) != (settings, _versions()):
            raise JournalError(f"{folder}: was measured with other settings or versions")
        held = read_results(folder / RESULTS, measured_of)
        found = {each.job: each for each in held}
        check_agreement(held)
        opening = partial(Measurer, given)
        alone = opening() if jobs == 1 else nullcontext()
        with (
            Journal[Measured](folder) as journal,
            alone as runner,
            progress("growth", steps_in_all(ladders)) as reach,
        ):
            while points := next_points(ladders, found):
                reach(steps_done(ladders, found))
                for each in _measured(points, runner, opening, jobs):
                    journal.append(each)
                    found[each.job] = each
                    check_agreement(list(found.values()))
                    reach(steps_done(ladders, found))
    return found


def _measured(
    points: Sequence[Point], runner: Measurer | None, opening: partial[Measurer], jobs: int
) -> Iterator[Measured]:
    if runner is not None:
        yield from map(runner.run, points)
    else:
        yield from run_jobs(opening, points, Backend(jobs=jobs))


def sections(folder: Path, ladders: dict[str, Ladder], found: dict[Point, Measured]) -> str:
    """Return the sections of a page: the setting, decided sizes, and a table a family."""
    manifest = read_manifest(folder, SCHEMA)
    assert manifest is not None
    by_family = tables(ladders, found, manifest["settings"]["limit"])
    return "\n\n".join([setting(manifest, found), summary(ladders, found), by_family])


def command(arguments: argparse.Namespace) -> str:
    """Return the command that makes these figures again."""
    text = f"python scripts/bench_hard_boards.py -o DIR --limit {arguments.limit:g}"
    text += f" --repetitions {arguments.repetitions} --seed {arguments.seed}"
    if arguments.families is not None:
        text += f" --families {','.join(arguments.families)}"
    return text + (" --quick" if arguments.quick else "") + " --update docs/hard_boards.md"


def _versions() -> dict[str, Any]:
    return versions() | versions_of(["highspy"])


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = parser_of(__doc__)
    add = parser.add_argument
    add("-o", "--out", metavar="DIR", type=Path, required=True, help="what was measured")
    add("--families", type=names, help=f"with commas, of: {', '.join(LADDERS)}; all by default")
    add("--limit", metavar="SECONDS", type=above_zero, help="CPU time of a run (10)")
    add("--repetitions", metavar="N", type=positive, default=3, help="runs a point (3)")
    add("--seed", metavar="N", type=int, default=0, help="the first (0)")
    add("--jobs", metavar="N", type=positive, default=1, help="processes (1)")
    add("--quick", action="store_true", help="the same on next to nothing")
    add_update(parser)
    arguments = parser.parse_args(argv)
    if arguments.limit is None:
        arguments.limit = _QUICK_LIMIT if arguments.quick else _LIMIT
    known = QUICK if arguments.quick else LADDERS
    chosen = list(known) if arguments.families is None else arguments.families
    if unknown := [name for name in chosen if name not in known]:
        parser.error(f"unknown family {', '.join(unknown)}: of {', '.join(known)}")
    arguments.ladders = {name: known[name] for name in chosen}
    return arguments


if __name__ == "__main__":
    sys.exit(main())
