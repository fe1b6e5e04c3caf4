"""The file of ``solve --best``: the best solution so far, written while the search goes on.

A thread writes the file, so that the search never waits for a disk. Solutions that come quickly are
not all written: writing takes a tenth of the time at the most. The last solution is always written.
"""

from collections.abc import Callable, Iterable
from threading import Event, Lock, Thread
from typing import Final, Self

from satsweeper.cli.exit_codes import InputError
from satsweeper.cli.files import output

_PAUSE: Final = 9
"""Pause after a write, in multiples of the time that the write took."""

Lines = Callable[[], Iterable[str]]
"""Function that returns the lines of the file, called only when they are written."""


class BestSoFarFile:
    """A file that holds the newest lines given to `put`, complete at any moment.

    A context manager: at its end the file is up to date, or ``error`` says why writing failed.
    """

    def __init__(self, name: str | None) -> None:
        """Write to the file ``name``; None: write nothing."""
        self._name = name
        self.error: InputError | None = None
        self._lines: Lines | None = None
        self._lock = Lock()
        self._come, self._ended = Event(), Event()
        self._thread: Thread | None = None

    def put(self, lines: Lines) -> None:
        """Write ``lines`` soon, in place of lines that were put before and not yet written."""
        if self._name is None:
            return
        with self._lock:
            self._lines = lines
        self._come.set()
        if self._thread is None:
            self._thread = Thread(target=self._write_all, daemon=True)
            self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Write the lines that were put last, unless they are written already."""
        self._ended.set()
        self._come.set()
        if self._thread is not None:
            self._thread.join()

    def _write_all(self) -> None:
        from time import monotonic

        while self._come.wait():
            self._come.clear()
            with self._lock:
                lines, self._lines = self._lines, None
            if lines is None:
                if self._ended.is_set():
                    return
                continue
            began = monotonic()
            self._write(lines)
            self._ended.wait(_PAUSE * (monotonic() - began))
            if self._ended.is_set():
                self._come.set()

    def _write(self, lines: Lines) -> None:
        assert self._name is not None
        try:
            with output(self._name) as stream:
                stream.writelines(
                    f"{line}\n".encode("utf-8", "surrogateescape") for line in lines()
                )
            self.error = None
        except InputError as error:
            self.error = error
