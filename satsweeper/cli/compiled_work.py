"""Around work in machine code: what it shows on a terminal, and signals that it cannot answer.

A compiled function lets other threads run but answers no signal before it returns, which may take
seconds on a large board. A thread waits for signals, too: one that was not answered in time ends
the process. Nothing may be half written when it does.
"""

import os
import select
import signal
import sys
import threading
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from satsweeper.cli.exit_codes import LIMIT_REACHED
from satsweeper.cli.interrupts import leave
from satsweeper.show.progress import Reach, progress

_PATIENCE: Final = 0.4
"""Seconds in which a signal is to be answered."""


@contextmanager
def compiled_work(arguments: Namespace, what: str, total: float | None = None) -> Iterator[Reach]:
    """As ``progress``; in the block interrupts and ``--timeout`` hold whatever is computed."""
    command = f"satsweeper {arguments.command}"
    with (
        _signals_answered(command, arguments.time_limit),
        progress(compiling_first(what), total) as reach,
    ):
        yield reach


def compiling_first(what: str) -> str:
    """What is being done, and where nothing is compiled yet that this comes first: a minute."""
    from satsweeper.play.kernel.compiled import NEW

    return f"{what} (compiling first, this once)" if NEW else what


@contextmanager
def _signals_answered(command: str, limit: float | None) -> Iterator[None]:
    here = threading.current_thread() is threading.main_thread()
    if not here or not hasattr(signal, "SIGALRM"):
        yield
        return
    listening, told = os.pipe()
    os.set_blocking(told, False)
    before = signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    watch = threading.Thread(target=_watch, args=(listening, command, limit), daemon=True)
    watch.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(told)
        watch.join()
        os.close(listening)


def _watch(listening: int, command: str, limit: float | None) -> None:
    """Read the numbers of signals until the other end is closed."""
    while number := os.read(listening, 1):
        if number[0] not in (signal.SIGINT, signal.SIGALRM):
            continue
        if not select.select([listening], [], [], _PATIENCE)[0]:
            if number[0] == signal.SIGINT:
                leave()
            with suppress(OSError):
                sys.stderr.write(f"{command}: not done within {limit:g} s\n")
            os._exit(LIMIT_REACHED)
