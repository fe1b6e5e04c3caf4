"""Signals around the start and the end of a child: who gets Ctrl-C, and who ends with whom."""

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

RAISING: Final = (
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGALRM,
    signal.SIGXCPU,
)
"""Signals that a command may answer by an exception."""
_SET_PARENT_DEATH_SIGNAL: Final = 1


def end_with(parent: int, last: signal.Signals = signal.SIGKILL) -> bool:
    """Ignore Ctrl-C, and get this signal when the parent ends; False: it has ended already.

    Linux sends the signal when the thread ends that started this process; other systems do not.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "linux":
        return True
    ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, last)
    return os.getppid() == parent


def let_the_parent_answer(external: bool) -> None:
    """Ignore signals that a whole group of processes gets: the parent answers, and ends this one.

    ``external``: this process runs a program, and the parent ends it by SIGTERM, which stays.
    """
    for number in (signal.SIGHUP,) if external else (signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def no_interrupt() -> Iterator[None]:
    """Hold Ctrl-C back; a process started meanwhile never sees one, not even while it starts."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def held(*numbers: signal.Signals) -> Iterator[None]:
    """Let signals wait whose handlers raise, so that whoever starts a process learns of it.

    The process is started with its signals as they are.
    """
    handlers = {number: signal.getsignal(number) for number in numbers}
    if threading.current_thread() is not threading.main_thread():
        handlers = {}
    came: list[int] = []
    try:
        for number, handler in handlers.items():
            # What is ignored here is to be ignored by the process as well.
            if callable(handler):
                signal.signal(number, lambda number, frame: came.append(number))
        yield
    finally:
        for number, handler in handlers.items():
            if callable(handler):
                signal.signal(number, handler)
        for late in came:
            signal.raise_signal(late)
