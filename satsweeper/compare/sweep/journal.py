"""The folder of a sweep: a line of results per finished job, never lost, and the manifest."""

import fcntl
import json
import os
import platform
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import IO, Any, Final, Generic, Self, TypeVar

from pbcnf.formats.writing import replacing
from pbcnf.wording import counted
from satsweeper.board.errors import Error
from satsweeper.notation.error import printable
from satsweeper.processes.deadline import Deadline
from satsweeper.version import __version__

RESULTS: Final = "results.jsonl"

_SYNC: Final = 1.0
"""Seconds between two calls of fsync; without fsync, data survive the end of the process only."""


R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Records(Generic[R]):
    """The format of a folder of results.

    A job can be pickled; different jobs have different ``id``, equal on every machine. A result has
    the attribute ``job``, and ``as_json()`` returns the object of its line.

    ``schema``: the schema of the manifest. ``read`` turns the object of a line into a result, or
    raises ValueError. ``same``: the packages (names of ``versions``) whose versions must not change
    while a folder is filled.
    """

    schema: str
    read: Callable[[object], R]
    same: tuple[str, ...]


class JournalError(Error):
    """A folder that cannot take, or does not hold, a sweep's results; the message is one line."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder, which is created if missing: only one run writes into the folder.

    The lock ends with the process, in whatever way the process ends.

    Raises:
        JournalError: another run holds the lock, or the path is a file.
        OSError: the folder cannot be made or written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise JournalError(f"{printable(str(folder))}: not a folder") from None
    with open(folder / ".lock", "ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise JournalError(f"{folder}: another run is writing here") from None
        yield


def read_results(path: Path, read: Callable[[object], R]) -> list[R]:
    """The results in a file, in its order; none if there is no file.

    ``read`` turns the object of a line into a result, or raises ValueError. A last line without an
    end of line, cut off by a kill, is left out.

    Raises:
        JournalError: any other line is not a result.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return []
    found = []
    for number, line in enumerate(data.split(b"\n")[:-1], start=1):
        try:
            found.append(read(json.loads(line)))
        except ValueError as error:
            why = " ".join(str(error).split())
            raise JournalError(f"{path}:{number}: {why}") from None
    return found


def line_of(result: Any) -> bytes:
    """Return a result as a line of JSON, end of line included."""
    return json.dumps(result.as_json(), separators=(",", ":")).encode("ascii") + b"\n"


class Journal:
    """Appends results to ``results.jsonl`` of a folder; the folder is locked by the caller.

    A torn last line is removed first. A context manager.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / RESULTS
        # `__exit__` closes the file.
        self._file: IO[bytes] = open(self._path, "ab")  # noqa: SIM115
        self._next_sync = Deadline.after(_SYNC)

    def __enter__(self) -> Self:
        data = self._path.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            os.truncate(self._path, whole)
        return self

    def __exit__(self, *_: object) -> None:
        self._sync()
        self._file.close()

    def append(self, result: Any) -> None:
        """Write a result, which then survives the end of this process."""
        self._file.write(line_of(result))
        self._file.flush()
        if self._next_sync.passed():
            self._sync()

    def finish(self, results: Iterable[Any]) -> None:
        """Replace the content by ``results``, after every job is done."""
        with replacing(self._path) as stream:
            stream.writelines(map(line_of, results))

    def _sync(self) -> None:
        os.fsync(self._file.fileno())
        self._next_sync = Deadline.after(_SYNC)


# The manifest of a sweep, written before the first job: versions, machine, arguments, jobs.

MANIFEST: Final = "manifest.json"

_BEGINNING: Final = ("versions", "machine", "started")
"""Fields that keep the values from the start of a sweep when the sweep is resumed."""
_PACKAGES: Final = {"pysat": "python-sat", "numpy": "numpy", "joblib": "joblib"}


def manifest(
    schema: str,
    *,
    arguments: Sequence[str],
    jobs: int,
    digest: str,
    shard: tuple[int, int] | None,
    **own: Any,
) -> dict[str, Any]:
    """The manifest of a sweep that starts now, on this machine.

    ``digest`` is the digest of all jobs, ``jobs`` the number of jobs of this shard, ``own`` further
    fields of this kind of sweep.
    """
    return {
        "schema": schema,
        "versions": versions(),
        "machine": machine(),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "arguments": list(arguments),
        "jobs": jobs,
        "digest": digest,
        "shard": None if shard is None else list(shard),
        "resumed": [],
        **own,
    }


def resumed(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest of a resumed sweep: ``before``, with this time and machine added.

    ``now`` is the manifest of the sweep as if the sweep began now. Its description of the sweep
    replaces the description in ``before``, as the sweep may have grown.
    """
    again = [*before.get("resumed", []), {key: now[key] for key in ("started", "machine")}]
    return {**before, **now, **{key: before[key] for key in _BEGINNING}, "resumed": again}


def changed(before: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Whether ``now`` describes another sweep than ``before``, arguments and machine aside."""
    described = [key for key in now if key not in {*_BEGINNING, "resumed", "arguments"}]
    return any(before.get(key) != json.loads(json.dumps(now[key])) for key in described)


def versions() -> dict[str, str | None]:
    """The versions of SatSweeper, Python and ``_PACKAGES``; None for a missing package."""
    found: dict[str, str | None] = {"satsweeper": __version__, "python": platform.python_version()}
    for name, package in _PACKAGES.items():
        try:
            found[name] = version(package)
        except PackageNotFoundError:
            found[name] = None
    return found


def machine() -> dict[str, Any]:
    """Processor, cores, bytes of memory, operating system; None for an unknown value."""
    cpu, memory = platform.processor() or None, None
    with suppress(OSError):
        found = re.search(
            r"(?m)^model name.*?:(.*)", Path("/proc/cpuinfo").read_text("utf-8", "replace")
        )
        cpu = found[1].strip() if found else cpu
    with suppress(AttributeError, ValueError, OSError):
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {
        "cpu": cpu,
        "cores": os.cpu_count(),
        "memory": memory,
        "os": f"{platform.system()} {platform.release()}",
        "architecture": platform.machine(),
    }


def write_manifest(folder: Path, content: Mapping[str, Any]) -> None:
    """Write the manifest of a folder, whole or not at all."""
    with replacing(folder / MANIFEST) as stream:
        stream.write(json.dumps(content, indent=1).encode("ascii") + b"\n")


def read_manifest(folder: Path, schema: str) -> dict[str, Any] | None:
    """Return the manifest of a folder; None if there is no manifest.

    Raises:
        JournalError: the file is not a manifest.
    """
    path = folder / MANIFEST
    try:
        content = json.loads(path.read_bytes())
        if content["schema"] != schema:
            raise ValueError(f"schema {content['schema']!r}, not {schema}")
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise JournalError(f"{path}: not the manifest of a sweep ({error})") from None
    return dict(content)


def check_same(
    folder: Path, before: Mapping[str, Any], now: Mapping[str, Any], same: Iterable[str]
) -> None:
    """Refuse to resume another sweep, a larger sweep, or one measured with another code.

    Raises:
        JournalError: ``before`` and ``now`` differ; the message names the difference.
    """
    other = (before.get("digest"), before.get("shard")) != (now["digest"], now["shard"])
    if other or before.get("jobs", 0) > now["jobs"]:
        older = "" if "sizes" in before else ", and sizes were written rows first then"
        raise JournalError(
            f"{folder}: holds {_sweep(before)}{older}; these arguments say {_sweep(now)}"
        )
    check_code(folder, before, now, same)


def check_code(
    folder: Path, before: Mapping[str, Any], now: Mapping[str, Any], same: Iterable[str]
) -> None:
    """Refuse results of other versions of the packages ``same``, or of different ``code``.

    The optional field ``code`` of a manifest maps names to digests of the code that results under
    these names depend on.

    Raises:
        JournalError: ``before`` and ``now`` differ; the message names the difference.
    """
    for name in same:
        held = before.get("versions", {}).get(name)
        if held != now["versions"][name]:
            raise JournalError(
                f"{folder}: was measured with {name} {held}, this is {now['versions'][name]}"
            )
    codes = before.get("code", {})
    for name, digest in now.get("code", {}).items():
        if codes.get(name) != digest:
            raise JournalError(
                f"{folder}: was measured with another version of {name}: code"
                f" {codes.get(name, 'unknown')}, this is {digest}"
            )


def _sweep(content: Mapping[str, Any]) -> str:
    part = content.get("shard")
    which = "" if part is None else f" in shard {part[0]}/{part[1]}"
    return f"{counted(content.get('jobs', 0), 'job')}{which} of the sweep {content.get('digest')}"
