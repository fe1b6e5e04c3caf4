"""Work that may be compiled: a notice that it is, and signals answered while compiled code runs.

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
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from satsweeper.cli.exit_codes import LIMIT_REACHED
from satsweeper.cli.interrupts import leave
from satsweeper.show.progress import Reach, progress

_PATIENCE: Final = 0.4
"""Seconds in which a signal is to be answered."""


@contextmanager
def compiled_work(arguments: Namespace, what: str, total: float | None = None) -> Iterator[Reach]:
    """Show ``progress(what, total)``; Ctrl-C and ``--timeout`` end the block even in compiled code.

    The share of ``total`` that is reached says how much work is left, and so whether to compile.
    """
    from satsweeper.play.kernel.compiled import foresee

    command = f"satsweeper {arguments.command}"

    def reached(done: float) -> None:
        reach(done)
        if total is not None and done:
            foresee(total / done - 1)

    with (
        _signals_answered(command, arguments.time_limit),
        compiling_told(arguments, what) as name,
        progress(name, total) as reach,
    ):
        try:
            yield reached
        finally:
            foresee(0)


@contextmanager
def compiling_told(arguments: Namespace, what: str) -> Iterator[Callable[[], str]]:
    """Say once a command that functions are being compiled; yield a function that names the work.

    On a terminal the name says so, ``what`` and "(compiling)", which the progress shows; elsewhere
    a line on standard error does.
    """
    from satsweeper.play.kernel.machine_code import told_of_compiling

    def tell() -> None:
        if not hasattr(arguments, "compiles"):
            arguments.compiles = True
            if sys.stderr is not None and not sys.stderr.isatty():
                say_compiling(arguments.command)

    def name() -> str:
        return f"{what} (compiling)" if hasattr(arguments, "compiles") else what

    with told_of_compiling(tell):
        yield name


def say_compiling(command: str) -> None:
    """Say on standard error that ``command`` is compiling functions."""
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write(f"satsweeper {command}: compiling what takes long\n")
            sys.stderr.flush()


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
