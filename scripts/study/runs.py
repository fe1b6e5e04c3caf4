"""Sweeps of scripts that end when their time is over, and go on with what is done."""

import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any, Final

from satsweeper.compare.job.job import Result, result_of
from satsweeper.compare.sweep.backends import Backend, Opening
from satsweeper.compare.sweep.journal import RESULTS, read_manifest, read_results
from satsweeper.compare.sweep.plan import RECORDS
from satsweeper.compare.sweep.resumable import ResumableSweep
from satsweeper.compare.sweep.run import Prepared, manifest_of
from satsweeper.compare.wrong_answers.disagreement import Watch
from satsweeper.show.progress import progress
from scripts.frame import arguments as frame

SPENT: Final = 124
"""The exit code where the time was over before the last job."""


class WrongAnswerError(Exception):
    """Two contenders differ, or a model is wrong; the message is one line."""


class _SpentError(Exception):
    """The time is over."""


def add_options(parser: ArgumentParser) -> None:
    """Add the options of a sweep, and --update."""
    add = parser.add_argument
    add("-o", "--output", metavar="DIR", type=Path, required=True, help="results")
    add("--budget", metavar="MINUTES", type=frame.above_zero,
        help="stop after so long; exit code 124")  # fmt: skip
    add("--quick", action="store_true", help="the same on next to nothing")
    add("--resume", action="store_true", help="go on with DIR")
    add("--jobs", metavar="N", type=frame.positive, default=1, help="processes (1)")
    frame.add_update(parser)


def deadline(arguments: Namespace) -> float:
    """Return the moment on the clock of ``time.monotonic`` after which no job begins."""
    return time.monotonic() + (inf if arguments.budget is None else 60 * arguments.budget)


def swept(
    name: str,
    prepared: Prepared,
    opening: Opening,
    folder: Path,
    arguments: Namespace,
    until: float,
) -> tuple[list[Result], bool]:
    """Run the remaining jobs into ``folder``; return all results, and whether none is missing.

    Args:
        name: the title of the progress, which begins the message of a wrong answer.
        prepared: the sweep.
        opening: makes what runs a job.
        folder: created if missing.
        arguments: those of `add_options`.
        until: as of `deadline`.

    Raises:
        WrongAnswerError: a contender gave a wrong answer, so no comparison means anything.
        JournalError, BackendError: as in any sweep.
    """
    folder.mkdir(parents=True, exist_ok=True)
    content = manifest_of(prepared, sys.argv)
    with progress(name, len(prepared.jobs)) as show:

        def reach(done: float) -> None:
            show(done)
            if time.monotonic() > until and done < len(prepared.jobs):
                raise _SpentError

        backend = Backend(jobs=arguments.jobs)
        about = prepared.jobs, content, RECORDS, Watch().see, opening, backend
        try:
            sweep = ResumableSweep(*about, reach=reach)
            results, wrong = sweep.run(folder, resume=arguments.resume)
        except _SpentError:
            return read_results(folder / RESULTS, result_of), False
    if wrong is not None:
        raise WrongAnswerError(f"{name}: {wrong}")
    return results, True


def measured_on(folders: Sequence[Path], results: Sequence[Result]) -> str:
    """Return jobs, CPU time, days, versions and machines, from the manifests of ``folders``."""
    days: set[str] = set()
    machines: dict[str, None] = {}
    for folder in folders:
        manifest: Mapping[str, Any] = read_manifest(folder, RECORDS.schema) or {}
        days |= {each["started"][:10] for each in (manifest, *manifest["resumed"])}
        machine = manifest["machine"]
        held = ", ".join(f"{name} {of or '-'}" for name, of in manifest["versions"].items())
        memory = "" if machine["memory"] is None else f", {machine['memory'] / 2**30:.0f} GiB"
        cores = f"{machine['cpu']}, {machine['cores']} cores{memory}"
        machines[f"- {held}; {cores}, {machine['os']}."] = None
    spent = sum(each.measured.encode + each.measured.solve for each in results)
    unsolved = sum(not each.status.solved for each in results)
    return "\n".join([
        f"- {len(results):,} jobs, {unsolved:,} of them unsolved, {spent / 60:.1f} minutes of CPU"
        " time in encoding and solving, runs that were stopped included.",
        f"- Measured on {', '.join(sorted(days))}.",
        *machines,
    ])  # fmt: skip
