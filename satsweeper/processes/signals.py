"""Signals of child processes: Ctrl-C is left to the parent, and children end with their parent."""

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

RAISING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM, signal.SIGXCPU)
"""Signals that a command may answer by an exception."""
_SET_PARENT_DEATH_SIGNAL: Final = 1


def end_with(parent: int, last: signal.Signals = signal.SIGKILL) -> bool:
    """Ignore Ctrl-C, and have the signal ``last`` sent to this process when ``parent`` ends.

    Return False if the parent has ended already. Linux sends the signal when the thread that
    started this process ends; on macOS a process notices at its next read from the pipe.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "linux":
        return True
    ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, last)
    return os.getppid() == parent


def let_the_parent_answer(external: bool) -> None:
    """Ignore signals to a whole process group: the parent answers them and ends this process.

    ``external``: this process runs a program, and the parent ends this process by SIGTERM, which is
    therefore not ignored.
    """
    for number in (signal.SIGHUP,) if external else (signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def held(*numbers: signal.Signals) -> Iterator[None]:
    """Delay signals until the end of the block, so that no exception interrupts its statements.

    A process started in the block inherits which signals are ignored.
    """
    handlers = {number: signal.getsignal(number) for number in numbers}
    if threading.current_thread() is not threading.main_thread():
        handlers = {}
    delayed: list[int] = []
    try:
        for number, handler in handlers.items():
            # SIG_IGN and SIG_DFL are not callable and stay: a process started in the block
            # inherits an ignored signal, but never a handler.
            if callable(handler):
                signal.signal(number, lambda number, frame: delayed.append(number))
        yield
    finally:
        for number, handler in handlers.items():
            if callable(handler):
                signal.signal(number, handler)
        for late in delayed:
            signal.raise_signal(late)
