"""The results of a sweep on disk: a line per finished job, written as it ends, lost never."""

import fcntl
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, Generic, Protocol, TypeVar

from pbcnf.formats.writing import replacing
from satsweeper.board.errors import Error
from satsweeper.notation.error import printable
from satsweeper.processes.deadline import Deadline

RESULTS: Final = "results.jsonl"

_SYNC: Final = 1.0
"""Seconds between two writes to the disk itself; what a process has written outlives it anyway."""


class SweepJob(Protocol):
    """A piece of work that any process can do by itself; picklable."""

    @property
    def id(self) -> str:
        """An identifier that differs between jobs and is equal on every machine."""
        ...


J = TypeVar("J", bound=SweepJob)


class SweepResult(Protocol):
    """The result of a job."""

    @property
    def job(self) -> Any:
        """The job of the result, a `SweepJob`."""
        ...

    def as_json(self) -> dict[str, Any]:
        """Return the object of one line of the journal."""
        ...


R = TypeVar("R", bound=SweepResult)


@dataclass(frozen=True, slots=True)
class Records(Generic[R]):
    """The format of a folder of results.

    ``schema`` is the schema of the manifest; ``read`` makes a result of the object of a line, or
    raises ValueError; ``same`` are the packages (names of ``versions``) whose versions must not
    change while a folder is filled.
    """

    schema: str
    read: Callable[[object], R]
    same: tuple[str, ...]


class JournalError(Error):
    """A folder that cannot take, or does not hold, a sweep's results; the message is one line."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """The only run that writes into this folder, which is made if need be.

    The lock ends with the process, however that ends.

    Raises:
        JournalError: another run holds it, or it is a file.
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

    ``read`` makes one of the object of a line, or raises ValueError. A last line that a kill has
    torn off (it has no end of line) is left out.

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


def line_of(result: SweepResult) -> bytes:
    """Return a result as a line of JSON, end of line included."""
    return json.dumps(result.as_json(), separators=(",", ":")).encode("ascii") + b"\n"


class Journal(Generic[R]):
    """Appends results to ``results.jsonl`` of a folder; the folder is locked by the caller.

    What a torn last line held is cut off first. A context manager.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / RESULTS
        # Open as long as the journal, which is a context manager.
        self._file: IO[bytes] = open(self._path, "ab")  # noqa: SIM115
        self._next_sync = Deadline.after(_SYNC)

    def __enter__(self) -> "Journal[R]":
        self._cut()
        return self

    def __exit__(self, *_: object) -> None:
        self._sync()
        self._file.close()

    def append(self, result: R) -> None:
        """Write a result down; from here on it survives the end of this process."""
        self._file.write(line_of(result))
        self._file.flush()
        if self._next_sync.passed():
            self._sync()

    def finish(self, jobs: Sequence[SweepJob], done: Iterable[R]) -> None:
        """Put the file into the order of the plan, once every job that is wanted is done."""
        by_id = {result.job.id: result for result in done}
        with replacing(self._path) as stream:
            for job in jobs:
                if job.id in by_id:
                    stream.write(line_of(by_id[job.id]))

    def _sync(self) -> None:
        os.fsync(self._file.fileno())
        self._next_sync = Deadline.after(_SYNC)

    def _cut(self) -> None:
        data = self._path.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            os.truncate(self._path, whole)
