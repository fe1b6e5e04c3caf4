"""Hints about a position, searched for in a process that can be ended at any moment.

A search gets the position that the player sees, and nothing else: no hint knows the layout. Flags
may be wrong, so they are taken for covered cells.
"""

import threading
from collections.abc import Callable
from typing import Final

from satsweeper.processes.worker import Worker, WorkerDiedError
from satsweeper.show.play.searches import SearchResult

Job = Callable[..., "SearchResult"]
"""A function of ``send`` (for intermediate results), a ``Deadline`` and a position."""

_START: Final = 120.0
"""Seconds that a process may take to start."""
_MOMENT: Final = 0.05
"""Seconds to wait for a process that is about to start."""


class Hints:
    """Jobs in a separate process, each with a limit in seconds.

    Args:
        seconds: the limit of a job.
        first: a job that imports what the others need, whose time is not counted.
    """

    def __init__(self, seconds: float, first: Job) -> None:
        self.seconds = seconds
        self._first = first
        self._worker = Worker("the search for hints")
        self._alone = threading.Lock()
        self._stopped = self._closed = False

    def begin(self) -> None:
        """Start the process, so that the first hint comes at once."""
        self.ask(self._first)

    def ask(self, job: Job, *arguments: object) -> SearchResult | None:
        """The result of a job within the limit; None if the job was stopped.

        Raises:
            WorkerDiedError: its process ended by itself.
        """
        with self._alone:
            if self._closed:
                return None
            self._stopped = False
            try:
                if not self._worker.running:
                    self._worker.ask(_START, self._first)
                found: SearchResult | None = self._worker.ask(self.seconds, job, *arguments)
            except WorkerDiedError:
                if self._stopped:
                    return None
                raise
        return found or SearchResult(said=f"Nothing found within {self.seconds:g} s.", whole=False)

    def stop(self) -> None:
        """End the running job, from another thread."""
        if self._alone.locked():
            self._stopped = True
            self._worker.kill()

    def close(self) -> None:
        """End the running job, and run no further jobs."""
        self._closed = self._stopped = True
        # A process that is only about to start is ended a moment later.
        while not self._alone.acquire(timeout=_MOMENT):
            self._worker.kill()
        self._worker.end()
        self._alone.release()
