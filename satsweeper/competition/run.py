"""Rounds of measurements into a folder, until there is enough to choose an entry from."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

from satsweeper.certificate.folder import FolderTakenError
from satsweeper.compare.sweep.backends import Backend, Opening, run_jobs
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


def measure_into(
    folder: Path,
    wish: Wish,
    bar: Bar,
    jobs: int = 1,
    *,
    opening: Opening | None = None,
    reach: Callable[[float], None] = lambda hard: None,
) -> list[Measurement]:
    """Measure the candidates for an entry, except those that the folder holds already.

    Args:
        folder: created if missing; empty, or a folder of earlier measurements with equal bar and
            seed. ``results.jsonl`` has a line for each measurement.
        wish: the required size and composition of the entry.
        bar: the solvers and their seconds.
        jobs: number of measurements at a time.
        opening: returns the object that measures; ``Measurer`` unless given.
        reach: is called with the number of instances that only the strong solver solves.

    Raises:
        FolderTakenError: the folder holds anything else.
        JournalError: a line of the journal is damaged, or another run writes into the folder.
        DefectError: an answer contradicts the argument of a family.
    """
    settings = {**asdict(bar), "weak": WEAK, "seed": wish.seed}
    refuse_other(folder, SCHEMA, settings)
    opening = opening or partial(Measurer, bar)

    def tell() -> None:
        reach(sum(each.grade == "hard" for each in found.values()))

    with locked(folder):
        if read_manifest(folder, SCHEMA) is None:
            started = datetime.now(UTC).isoformat(timespec="seconds")
            about = {"schema": SCHEMA, "versions": versions(), "machine": machine()}
            write_manifest(folder, about | {"started": started, "settings": settings})
        held = {each.job: each for each in measurements_in(folder)}
        found: dict[Probe, Measurement] = {}
        alone: AbstractContextManager[Any]
        alone = opening() if jobs == 1 else nullcontext()
        with Journal(folder) as journal, alone as runner:
            # Rounds start from the first with the measurements held already, so that the outcome
            # does not depend on where an earlier run ended.
            while probes := next_round(wish, bar.weak_seconds, found):
                found |= {probe: held[probe] for probe in probes if probe in held}
                tell()
                for each in _measured([p for p in probes if p not in held], runner, opening, jobs):
                    journal.append(each)
                    found[each.job] = each
                    tell()
    return list(found.values())


def measurements_in(folder: Path) -> list[Measurement]:
    """Return the measurements in a folder, in the order in which they were made."""
    return read_results(folder / RESULTS, measurement_of)


def _measured(
    probes: Sequence[Probe],
    runner: Any,
    opening: Opening,
    jobs: int,
) -> Iterator[Measurement]:
    if runner is not None:
        yield from map(runner.run, probes)
    elif probes:
        yield from run_jobs(opening, probes, Backend(jobs=jobs))


def refuse_other(folder: Path, schema: str, settings: Mapping[str, Any]) -> None:
    """Refuse a folder that holds anything but what was begun with these settings.

    Raises:
        FolderTakenError: the folder holds anything else, or the packages are of other versions.
    """
    name = printable(str(folder))
    if not folder.is_dir():
        if folder.exists():
            raise FolderTakenError(f"{name}: not a folder")
        return
    held = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    if held and MANIFEST not in held:
        raise FolderTakenError(f"{name}: holds something else ({printable(held[0])})")
    before = read_manifest(folder, schema) if held else None
    if before is None:
        return
    done = "measured" if schema == SCHEMA else "written"
    for key, value in settings.items():
        was = before["settings"].get(key)
        if was != value:
            option = key.replace("_", "-")
            raise FolderTakenError(f"{name}: was {done} with {option} {was}, not {value}")
    # The packages that make the instances and solve them.
    for package in ("satsweeper", "pysat"):
        was, is_now = before["versions"].get(package), versions()[package]
        if was != is_now:
            raise FolderTakenError(f"{name}: was {done} with {package} {was}, this is {is_now}")
