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
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from satsweeper.board.errors import Error
from satsweeper.compare.sweep import journal
from satsweeper.compare.sweep.backends import Backend, run_jobs
from satsweeper.families.table import FAMILIES
from satsweeper.report.table import padded_table
from satsweeper.show.progress import progress
from satsweeper.solvers.table import SOLVERS
from scripts.bench import growth as measuring
from scripts.bench.output import versions_of
from scripts.frame import arguments as frame

_MEASURABLE: Final = 0.02
"""Least median in CPU seconds of a point from which growth is measured."""
_LAST: Final = 3
"""Largest number of sizes over which growth is measured."""
HEADS: Final = (
    "contender", "decided up to", "CPU seconds there", "not decided",
    f"times as long for n + {measuring.STEP}", "between",
)  # fmt: skip


class Growth(NamedTuple):
    """The factor by which the time grows for a size larger by ``STEP``, and its interval.

    ``least`` and ``most`` are the ends of the interval, ``first`` and ``last`` the two sizes from
    which the factor is computed.
    """

    factor: float
    least: float
    most: float
    first: int
    last: int


def growth_of(points: Sequence[measuring.Measured]) -> Growth | None:
    """Return the growth over the last `_LAST` measurable points; None with fewer than two points.

    The lower end of the interval is computed from the longest time at the first point and the
    shortest at the last, the upper end from the shortest at the first and the longest at the last.
    """
    measurable = [each for each in points if each.decided and each.seconds[0] >= _MEASURABLE]
    if len(measurable) < 2:
        return None
    first, last = measurable[-_LAST:][0], measurable[-1]
    power = measuring.STEP / (last.job.size - first.job.size)
    # Seconds are (median, least, most). A power brings the factor between the two sizes to STEP.
    early, late = first.seconds, last.seconds
    factors = [late[0] / early[0], late[1] / early[2], late[2] / early[1]]
    middle, least, most = (factor**power for factor in factors)
    return Growth(middle, least, most, first.job.size, last.job.size)


def growth_beyond(points: Sequence[measuring.Measured], limit: float) -> float | None:
    """Return a lower bound of the factor of a contender that timed out at its last size.

    The last size took more than ``limit`` seconds, and the size before at most its longest time.
    None if the contender did not time out, or if the size before was too quick to be measured.
    """
    if len(points) < 2 or points[-1].runs[-1].reason != measuring.TIMEOUT:
        return None
    last, late = points[-2:]
    if last.seconds[0] < _MEASURABLE:
        return None
    power = measuring.STEP / (late.job.size - last.job.size)
    return float((limit / last.seconds[2]) ** power)


def tables(ladders: Mapping[str, measuring.Ladder], found: measuring.Found, limit: float) -> str:
    """Return a heading and a table for every family; ``limit``: CPU seconds of a run."""
    parts = []
    for name, ladder in ladders.items():
        rows = [
            _row(contender, _points(name, contender, ladder, found), limit)
            for contender in measuring.contenders_of(FAMILIES[name])
        ]
        sizes = ", ".join(map(str, ladder.sizes()))
        parts += [f"### Growth of `{name}`", f"Sizes: {sizes}.", padded_table([HEADS, *rows])]
    return "\n\n".join(parts)


def summary(ladders: Mapping[str, measuring.Ladder], found: measuring.Found) -> str:
    """Return the largest size that each contender decides; ``+``: all sizes that were tried."""
    contenders = (*measuring.ON_FORMULAS, *measuring.ON_BOARDS, measuring.SUMS)
    rows: list[Sequence[str]] = [("family", *(f"`{each}`" for each in contenders))]
    for name, ladder in ladders.items():
        cells = [f"`{name}`"]
        for contender in contenders:
            points = _points(name, contender, ladder, found)
            decided = [each.job.size for each in points if each.decided]
            end = "+" if points and points[-1].decided else ""
            cells.append(f"{decided[-1]}{end}" if decided else "none" if points else "-")
        rows.append(cells)
    return padded_table(rows)


def _points(
    family: str, contender: str, ladder: measuring.Ladder, found: measuring.Found
) -> list[measuring.Measured]:
    """Return the measurements of a contender on a family, by size."""
    points = (found.get(measuring.Point(family, contender, size)) for size in ladder.sizes())
    return [each for each in points if each is not None]


def _row(contender: str, points: Sequence[measuring.Measured], limit: float) -> Sequence[str]:
    kind = "solver" if contender in SOLVERS else "sums" if contender == measuring.SUMS else "engine"
    decided = [each for each in points if each.decided]
    factor, between = "-", "-"
    growth, beyond = growth_of(points), growth_beyond(points, limit)
    if growth is not None:
        factor = interval(growth.factor, growth.least, growth.most)
        between = f"{growth.first} and {growth.last}"
    elif beyond is not None:
        factor = f"over {_number(beyond)}"
        between = f"{points[-2].job.size} and {points[-1].job.size}"
    end, upto = "every size is", ("none", "-")
    if not points[-1].decided:
        end = f"{points[-1].job.size} ({points[-1].runs[-1].reason})"
    if decided:
        upto = str(decided[-1].job.size), interval(*decided[-1].seconds)
    return f"{kind} `{contender}`", *upto, end, factor, between


def interval(middle: float, least: float, most: float) -> str:
    """Return a number and its interval as text, for example ``1.3 (0.97 to 1.6)``."""
    return f"{_number(middle)} ({_number(least)} to {_number(most)})"


def _number(value: float) -> str:
    digits = 4 if value < 0.01 else 3 if value < 0.1 else 2 if value < 10 else 1
    return f"{value:.{digits}f}"


def setting(manifest: Mapping[str, Any], found: measuring.Found) -> str:
    """Return date, limits, machine and versions as a list in Markdown, with the total CPU time."""
    limits, versions = manifest["settings"], manifest["versions"]
    runs = [run for each in found.values() for run in each.runs]
    minutes = sum(run.seconds for run in runs) / 60
    named = ", ".join(f"{name} {version or '-'}" for name, version in versions.items())
    machine = manifest["machine"]
    return (
        f"- Measured on {manifest['started'][:10]}: {len(runs)} runs, {minutes:.0f} minutes of"
        f" CPU time.\n- A limit of {limits['limit']:g} CPU seconds a run, {limits['repetitions']}"
        f" runs a point, seeds from {limits['seed']} on.\n- {machine['cpu']}, {machine['cores']}"
        f" cores; {named}."
    )


SCHEMA: Final = "satsweeper/growth/1"
SECTION: Final = "growth"


def main(argv: Sequence[str] | None = None) -> int:
    """Measure the remaining points, and print or write the tables; return the exit code."""
    parser = frame.parser_of(__doc__)
    add = parser.add_argument
    add("-o", "--out", metavar="DIR", type=Path, required=True, help="what was measured")
    add("--families", type=frame.names,
        help=f"with commas, of: {', '.join(measuring.LADDERS)}; all by default")  # fmt: skip
    add("--limit", metavar="SECONDS", type=frame.above_zero, help="CPU time of a run (10)")
    add("--repetitions", metavar="N", type=frame.positive, default=3, help="runs a point (3)")
    add("--seed", metavar="N", type=int, default=0, help="the first (0)")
    add("--jobs", metavar="N", type=frame.positive, default=1, help="processes (1)")
    add("--quick", action="store_true", help="the same on next to nothing")
    frame.add_update(parser)
    arguments = parser.parse_args(argv)
    if arguments.limit is None:
        arguments.limit = 2.0 if arguments.quick else 10.0
    known = measuring.QUICK if arguments.quick else measuring.LADDERS
    chosen = list(known) if arguments.families is None else arguments.families
    if unknown := [name for name in chosen if name not in known]:
        parser.error(f"unknown family {', '.join(unknown)}: of {', '.join(known)}")
    arguments.ladders = {name: known[name] for name in chosen}
    errors, hint = (OSError, ValueError, Error), "; the same command goes on"
    return frame.ended("bench_hard_boards", lambda: _bench(arguments), errors, hint)


def _bench(arguments: argparse.Namespace) -> int:
    given = measuring.Setting(arguments.limit, arguments.repetitions, arguments.seed)
    frame.require_section(arguments.update, SECTION)
    found = measure_into(arguments.out, arguments.ladders, given, arguments.jobs)
    manifest = journal.read_manifest(arguments.out, SCHEMA)
    assert manifest is not None
    by_family = tables(arguments.ladders, found, manifest["settings"]["limit"])
    text = "\n\n".join([setting(manifest, found), summary(arguments.ladders, found), by_family])
    if arguments.update is None:
        print(text)
    else:
        frame.update(arguments.update, command(arguments), {SECTION: text})
    return 0


def measure_into(
    folder: Path, ladders: dict[str, measuring.Ladder], given: measuring.Setting, jobs: int = 1
) -> dict[measuring.Point, measuring.Measured]:
    """Measure points of ``ladders`` that the folder does not hold; return all points.

    Raises:
        JournalError: the folder holds other results, or another run is writing there.
        DefectError: a contender gave a wrong answer.
    """
    versions = journal.versions() | versions_of(["highspy"])
    about = {"settings": given._asdict(), "versions": versions}
    with journal.locked(folder):
        before = journal.read_manifest(folder, SCHEMA)
        if before is None:
            started = datetime.now(UTC).isoformat(timespec="seconds")
            content = {"schema": SCHEMA, "machine": journal.machine(), "started": started}
            journal.write_manifest(folder, content | about)
        elif any(before[key] != value for key, value in about.items()):
            raise journal.JournalError(f"{folder}: was measured with other settings or versions")
        results = journal.read_results(folder / journal.RESULTS, measuring.measured_of)
        found = {each.job: each for each in results}
        measuring.check_agreement(results)
        opening = partial(measuring.Measurer, given)
        with (
            journal.Journal(folder) as kept,
            opening() as runner,
            progress("growth", measuring.steps_in_all(ladders)) as reach,
        ):
            while points := measuring.next_points(ladders, found):
                reach(measuring.steps_done(ladders, found))
                apart = run_jobs(opening, points, Backend(jobs=jobs)) if jobs > 1 else None
                for each in apart or map(runner.run, points):
                    kept.append(each)
                    found[each.job] = each
                    measuring.check_agreement(list(found.values()))
                    reach(measuring.steps_done(ladders, found))
    return found


def command(arguments: argparse.Namespace) -> str:
    """Return the command that measures all figures again."""
    text = f"python scripts/bench_hard_boards.py -o DIR --limit {arguments.limit:g}"
    text += f" --repetitions {arguments.repetitions} --seed {arguments.seed}"
    if arguments.families is not None:
        text += f" --families {','.join(arguments.families)}"
    return text + (" --quick" if arguments.quick else "") + " --update docs/hard_boards.md"


if __name__ == "__main__":
    sys.exit(main())
