"""Rounds of measurements into a folder, until there is enough to choose an entry from."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

from satsweeper.certificate.folder import FolderTakenError
from satsweeper.compare.sweep.backends import Backend, Opening, Runner, run_jobs
from satsweeper.compare.sweep.journal import (
    MANIFEST,
    RESULTS,
    Journal,
    locked,
    machine,
    read_manifest,
    read_results,
    versions,
    write_manifest,
)
from satsweeper.competition.measurement import Measurement, Probe, measurement_of
from satsweeper.competition.measuring import WEAK, Bar, Measurer
from satsweeper.competition.selection import Wish, next_round
from satsweeper.notation.error import printable

SCHEMA: Final = "satsweeper/entry-measurements/1"
_SAME: Final = ("satsweeper", "pysat")
"""Packages whose versions must not change on the way."""


def measure_into(
    folder: Path,
    wish: Wish,
    bar: Bar,
    jobs: int = 1,
    *,
    opening: Opening[Probe, Measurement] | None = None,
    reach: Callable[[float], None] = lambda hard: None,
) -> list[Measurement]:
    """Measure what an entry is chosen from, beyond what the folder holds already.

    Args:
        folder: made if need be; empty, or one that this function has been called with before, for
            the same bar and seed. ``results.jsonl`` has a line a measurement.
        wish: what the entry is to be.
        bar: the solvers and their seconds.
        jobs: measurements at a time.
        opening: makes what measures; ``Measurer`` unless given.
        reach: is told how many instances only the strong solver solves.

    Raises:
        FolderTakenError: the folder holds something else.
        JournalError: a line of its journal is damaged, or another run is writing there.
        DefectError: an answer contradicts the argument of a family.
    """
    _refuse_other(folder, bar, wish.seed)
    opening = opening or partial(Measurer, bar)
    with locked(folder):
        if read_manifest(folder, SCHEMA) is None:
            write_manifest(folder, _manifest(bar, wish.seed))
        held = {each.job: each for each in measurements_in(folder)}
        found: dict[Probe, Measurement] = {}
        alone: AbstractContextManager[Runner[Probe, Measurement] | None]
        alone = opening() if jobs == 1 else nullcontext()
        with Journal[Measurement](folder) as journal, alone as runner:
            # Rounds that are held are gone through again, so that the end is the same wherever an
            # earlier run was ended.
            while probes := next_round(wish, bar.weak_seconds, found):
                found |= {probe: held[probe] for probe in probes if probe in held}
                reach(_hard(found.values()))
                for each in _measured([p for p in probes if p not in held], runner, opening, jobs):
                    journal.append(each)
                    found[each.job] = each
                    reach(_hard(found.values()))
    return list(found.values())


def measurements_in(folder: Path) -> list[Measurement]:
    """Return the measurements in a folder, in the order in which they were made."""
    return read_results(folder / RESULTS, measurement_of)


def _measured(
    probes: Sequence[Probe],
    runner: Runner[Probe, Measurement] | None,
    opening: Opening[Probe, Measurement],
    jobs: int,
) -> Iterator[Measurement]:
    if runner is not None:
        yield from map(runner.run, probes)
    elif probes:
        yield from run_jobs(opening, probes, Backend(jobs=jobs))


def _hard(found: Any) -> int:
    return sum(each.grade == "hard" for each in found)


def _settings(bar: Bar, seed: int) -> dict[str, Any]:
    return {**asdict(bar), "weak": WEAK, "seed": seed}


def _manifest(bar: Bar, seed: int) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "versions": versions(),
        "machine": machine(),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "settings": _settings(bar, seed),
    }


def _refuse_other(folder: Path, bar: Bar, seed: int) -> None:
    """Refuse a folder that holds anything but measurements for this bar."""
    name = printable(str(folder))
    if not folder.is_dir():
        if folder.exists():
            raise FolderTakenError(f"{name}: not a folder")
        return
    held = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    if held and MANIFEST not in held:
        raise FolderTakenError(f"{name}: holds something else ({printable(held[0])})")
    before = read_manifest(folder, SCHEMA) if held else None
    if before is None:
        return
    now = _settings(bar, seed)
    for key, value in now.items():
        was = before["settings"].get(key)
        if was != value:
            said = key.replace("_", "-")
            raise FolderTakenError(f"{name}: was measured with {said} {was}, not {value}")
    for package in _SAME:
        was, is_now = before["versions"].get(package), versions()[package]
        if was != is_now:
            raise FolderTakenError(f"{name}: was measured with {package} {was}, this is {is_now}")
