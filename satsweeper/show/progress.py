"""Progress of long work on a terminal's standard error; nothing is drawn anywhere else.

Work of less than a second shows nothing. Longer work is drawn by a thread, so that the time goes on
even during a step that reports no progress.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Final

from satsweeper.processes.standard_output import stdout_is_terminal

_SILENT: Final = 1.0
"""Seconds before the first line is shown."""
_REDRAWN: Final = 0.1
"""Seconds between two updates of the line."""


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
    if sys.stderr is None or not sys.stderr.isatty():
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

    thread = Thread(target=draw, daemon=True)
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
