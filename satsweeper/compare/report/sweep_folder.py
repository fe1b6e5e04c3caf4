"""The folder of a sweep, read and checked: results, manifest, missing jobs."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from satsweeper.compare.instances.random_boards import columns_first
from satsweeper.compare.job.job import Result
from satsweeper.compare.sweep.choices import Planned
from satsweeper.compare.sweep.journal import (
    MANIFEST,
    RESULTS,
    JournalError,
    read_manifest,
    read_results,
)
from satsweeper.compare.sweep.plan import RECORDS

_COUNTS: Final = (
    "variables", "clauses", "literals", "conflicts", "propagations", "decisions", "calls", "budget"
)  # fmt: skip
_TEXTS: Final = ("instance", "name", "encoding", "total_encoding", "solver")


@dataclass(frozen=True, slots=True)
class SweepFolder:
    """The content of the folder of a sweep.

    ``jobs``: the number of jobs of the sweep, with or without a result. ``torn``: whether the last
    line is incomplete. ``repeated``: the number of lines left out because their job has an earlier
    line. ``timeout``: the time limit of a job in seconds, or None.
    """

    path: Path
    results: tuple[Result, ...]
    manifest: dict[str, Any]
    jobs: int
    timeout: float | None
    torn: bool
    repeated: int

    @property
    def complete(self) -> bool:
        """Whether every job has a result."""
        return len(self.results) >= self.jobs

    @property
    def faulty(self) -> dict[str, str]:
        """Encoding -> the fault that the audit after the sweep found."""
        found = self.manifest.get("faults")
        return {str(n): str(why) for n, why in found.items()} if isinstance(found, dict) else {}

    @property
    def planned(self) -> list[str]:
        """The manifest's lines about comparisons to come, a line a contest."""
        found = self.manifest.get("comparisons")
        known = Planned.__dataclass_fields__.keys()
        return [
            str(Planned(**each))
            for each in (found if isinstance(found, list) else [])
            if isinstance(each, dict) and each.keys() == known and each["comparisons"]
        ]

    @property
    def sizes(self) -> dict[str, float]:
        """Digest of an instance -> its size, for instances whose size is in the manifest."""
        return {
            digest: float(each["size"])
            for digest, each in self._instances()
            if _is_number(each.get("size"))
        }

    @property
    def families(self) -> dict[str, str]:
        """Digest of an instance -> its family, for instances in the manifest; may be empty."""
        return {digest: str(each.get("family") or "") for digest, each in self._instances()}

    @property
    def rows_first(self) -> dict[str, str]:
        """Names of drawn boards that were recorded rows first -> present names of these boards."""
        if "sizes" in self.manifest:
            return {}
        names = [result.job.name for result in self.results]
        return {name: now for name in names if (now := columns_first(name)) != name}

    @property
    def arguments(self) -> list[str]:
        """The arguments that repeat this sweep, in their present form; empty if unknown."""
        found = self.manifest.get("arguments")
        words = [str(word) for word in found] if isinstance(found, list) else []
        return words if "sizes" in self.manifest else [columns_first(word) for word in words]

    def _instances(self) -> Iterator[tuple[str, dict[str, Any]]]:
        listed = self.manifest.get("instances")
        for each in listed if isinstance(listed, list) else []:
            if isinstance(each, dict):
                yield str(each.get("digest")), each


def read_sweep_folder(path: str) -> SweepFolder:
    """The sweep in a folder.

    Raises:
        JournalError: there is no sweep, or a line or the manifest is invalid; one line.
        OSError: a file cannot be read.
    """
    folder = Path(path)
    manifest = read_manifest(folder, RECORDS.schema)
    if manifest is None:
        raise JournalError(f"{folder / MANIFEST}: no such file; is {folder} a sweep's folder?")
    file = folder / RESULTS
    try:
        lines = read_results(file, RECORDS.read)
    except (RecursionError, TypeError):
        raise JournalError(f"{file}: a line is not an object, or nested too deeply") from None
    found: dict[str, Result] = {}
    for number, result in enumerate(lines, start=1):
        if problem := _problem(result):
            raise JournalError(f"{file}:{number}: {problem}")
        found.setdefault(result.job.id, result)
    jobs, limits = manifest.get("jobs"), manifest.get("limits", {})
    if not isinstance(jobs, int) or isinstance(jobs, bool) or jobs < 0:
        raise JournalError(f"{folder / MANIFEST}: jobs is {jobs!r}, not a number from 0")
    seconds = limits.get("timeout") if isinstance(limits, dict) else limits
    if seconds is not None and not (_is_number(seconds) and seconds > 0):
        raise JournalError(
            f"{folder / MANIFEST}: the timeout is {seconds!r}, neither seconds above 0 nor null"
        )
    timeout = None if seconds is None else float(seconds)
    # Before the first job ends there is no file.
    data = file.read_bytes() if file.exists() else b""
    torn = data != b"" and not data.endswith(b"\n")
    repeated = len(lines) - len(found)
    return SweepFolder(folder, tuple(found.values()), manifest, jobs, timeout, torn, repeated)


def _problem(result: Result) -> str | None:
    """Return the fault in the values of a result, or None; field names were checked before."""
    for name in _TEXTS:
        if not isinstance(getattr(result.job, name), str):
            return f"{name} is {getattr(result.job, name)!r}, not a text"
    if not _is_count(result.job.seed):
        return f"seed is {result.job.seed!r}, not a number from 0"
    measured = result.measured
    for name, value in (("encode", measured.encode), ("solve", measured.solve)):
        if not _is_number(value) or value < 0:
            return f"{name} is {value!r}, not seconds from 0"
    if not _is_count(measured.memory):
        return f"memory is {measured.memory!r}, not bytes from 0"
    for name in _COUNTS:
        value = getattr(result, name)
        if value is not None and not _is_count(value):
            return f"{name} is {value!r}, neither a number from 0 nor null"
    for name in ("verdicts", "message"):
        value = getattr(result, name)
        if value is not None and not isinstance(value, str):
            return f"{name} is {value!r}, neither a text nor null"
    return None


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
