"""Ctrl-C is one line on standard error and exit code 130, whenever it comes.

Until a command runs there is nothing to clean up, and an exception inside an import may come out
as something else: an interrupt then ends the process at once. While a command runs it raises
KeyboardInterrupt, so that files half written and children go.
"""

import os
import signal
import sys
from types import FrameType
from typing import NoReturn

from satsweeper.cli.exit_codes import INTERRUPTED


class _Raised:
    """Whether an interrupt was raised; what is then seen of it may be another exception."""

    came = False


def leave_at_interrupts() -> None:
    """From now on an interrupt ends the process at once; one that was held back comes now.

    Nothing can answer while Python itself starts; who holds interrupts back until then, as
    ``scripts/run`` does, has them answered.
    """
    signal.signal(signal.SIGINT, _leave_at)
    sys.unraisablehook = _unraisable
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def ignore_interrupts() -> None:
    """From now on nothing comes of an interrupt: Python itself ends, and could not answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def raise_interrupts() -> None:
    """From now on an interrupt raises KeyboardInterrupt; unless it does already."""
    if signal.getsignal(signal.SIGINT) is _leave_at:
        signal.signal(signal.SIGINT, _raise_at)


def interrupted() -> bool:
    """Whether an interrupt was raised, whatever came of it."""
    return _Raised.came


def leave() -> NoReturn:
    """End the process: one line, no clean-up, as a solver that was interrupted cannot be freed."""
    try:
        os.write(2, b"interrupted\n")
    finally:
        os._exit(INTERRUPTED)


def _leave_at(number: int, frame: FrameType | None) -> None:
    leave()


def _raise_at(number: int, frame: FrameType | None) -> None:
    _Raised.came = True
    raise KeyboardInterrupt


def _unraisable(problem: "sys.UnraisableHookArgs") -> None:
    """An interrupt in a destructor or a callback would be printed and forgotten.

    So would be the end of the time, which comes again.
    """
    if problem.exc_type is not None and issubclass(problem.exc_type, KeyboardInterrupt):
        leave()
    if getattr(problem.exc_type, "__name__", "") == "TimeIsUp":
        return
    sys.__unraisablehook__(problem)
