"""Progress of long work on standard error: drawn on a terminal, a line now and then elsewhere.

On a terminal work of less than a second shows nothing, in a file or a pipe work of less than half a
minute. A thread does it, so that the time goes on even during a step that reports no progress.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import Final

from satsweeper.processes.standard_output import stdout_is_terminal

_SILENT: Final = 1.0
"""Seconds before the first line is shown."""
_REDRAWN: Final = 0.1
"""Seconds between two updates of the line."""
_LINES: Final = (30.0, 900.0)
"""Seconds before the first line where there is no terminal; each comes after twice the time of the
one before, and after this many seconds more at most."""


Reach = Callable[[float], None]
"""A function that reports how much has been done, in the units of the total."""


@contextmanager
def progress(what: str | Callable[[], str], total: float | None = None) -> Iterator[Reach]:
    """Show on a separate line, while the block runs, the kind of work and its progress.

    The block gets a function to report how much is done.

    Args:
        what: the kind of work, as "encoding", or a function that returns it at each update.
        total: the whole work in any unit, for a bar with an estimate of the time left; None where
            the length of the work is not known.
    """
    if sys.stderr is None:
        yield lambda done: None
        return
    ended, done = Event(), 0.0

    def tell(now: float) -> None:
        nonlocal done
        done = now

    def draw() -> None:
        if ended.wait(_SILENT):
            return
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            Progress,
            ProgressColumn,
            TaskProgressColumn,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        name, elapsed = TextColumn("{task.description}"), TimeElapsedColumn()
        columns: list[ProgressColumn] = [name, elapsed]
        if total is not None:
            columns = [name, BarColumn(), TaskProgressColumn(), elapsed, TimeRemainingColumn()]
        # Without redirection, output that is printed meanwhile stays on its own stream instead of
        # going to standard error above the bar.
        with Progress(
            *columns,
            console=Console(stderr=True),
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        ) as bar:
            task = bar.add_task("", total=total)
            while True:
                said = what if isinstance(what, str) else what()
                bar.update(task, description=said, completed=done)
                if ended.wait(_REDRAWN):
                    break

    def write_lines() -> None:
        begun, (wait, most) = time.monotonic(), _LINES
        while not ended.wait(wait):
            from datetime import timedelta

            passed = time.monotonic() - begun
            said = what if isinstance(what, str) else what()
            part = f", {min(done / total, 1):.0%}" if total else ""
            line = f"{said}{part} after {timedelta(seconds=int(passed))}"
            with suppress(OSError, ValueError):  # Closed meanwhile, or a pipe that nobody reads.
                print(line, file=stream, flush=True)
            wait = min(passed, most)

    stream = sys.stderr
    thread = Thread(target=draw if stream.isatty() else write_lines, daemon=True)
    thread.start()
    try:
        yield tell
    finally:
        ended.set()
        thread.join()


def make_room() -> None:
    """Clear the line of the progress where standard output goes to a terminal as well."""
    if stdout_is_terminal() and sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
