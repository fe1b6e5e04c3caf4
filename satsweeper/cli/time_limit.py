"""The limit of time on a whole command: reading, working and writing.

An alarm raises :class:`TimeIsUp` wherever the command is. A command that has a partial answer to
give takes the rest of the limit in its own hands before that (:func:`take_over`).
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType
from typing import Final

from satsweeper.cli.bell import Bell

AGAIN: Final = 0.5
"""Seconds after which the alarm comes again: an exception in a destructor is lost."""

_LATE: Final = 0.3
_PART: Final = 0.05
"""Seconds, and the part of the limit, that the alarm comes late."""


class TimeIsUp(BaseException):
    """The time of a command is over."""


class _Rung:
    """The sources that have raised TimeIsUp since `ended_by` began."""

    came = False
    """Whether an alarm or a signal has."""
    signalled = False
    """Whether a signal has, which was not silenced since."""


def led_to(error: BaseException) -> bool:
    """Whether TimeIsUp is this, or came before it: an import that is broken off fails as it may.

    What C raises instead need not know of it, so any error behind the alarm counts.
    """
    if _Rung.came:
        return True
    found: BaseException | None = error
    while found is not None and not isinstance(found, TimeIsUp):
        found = found.__cause__ or found.__context__
    return found is not None


_BELL: Final = Bell(TimeIsUp)
"""Rings where the system has no interval timers."""


@contextmanager
def alarm(seconds: float | None, started: float) -> Iterator[None]:
    """Raise TimeIsUp in the block so many seconds after a moment (``monotonic``); None: never.

    A little later, so that whoever has a partial answer to give can begin. Only in the main
    thread.
    """
    here = threading.current_thread() is threading.main_thread()
    if seconds is None or not here:
        yield
        return
    if not hasattr(signal, "setitimer"):
        left = max(seconds - (monotonic() - started), 0.0)
        with _ringing(left + _LATE + _PART * seconds, AGAIN):
            yield
        return
    handler, timer = signal.signal(signal.SIGALRM, _ring), signal.getitimer(signal.ITIMER_REAL)
    try:
        left = max(seconds - (monotonic() - started), 0.0)
        signal.setitimer(signal.ITIMER_REAL, left + _LATE + _PART * seconds, AGAIN)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        # Whoever runs this command may have had an alarm.
        signal.setitimer(signal.ITIMER_REAL, *timer)


@contextmanager
def ended_by(*names: str) -> Iterator[list[int]]:
    """Raise TimeIsUp in the block at these signals too, and again until it is silenced.

    Each is a name that the system may lack; one that is ignored stays so. Yields those that came:
    after the first one there is nothing more to raise. Only in the main thread.
    """
    came: list[int] = []
    _Rung.came = _Rung.signalled = False

    def ring(number: int, frame: FrameType | None) -> None:
        came.append(number)
        if len(came) > 1:
            return
        _Rung.came = _Rung.signalled = True
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, _ring)
            signal.setitimer(signal.ITIMER_REAL, AGAIN, AGAIN)
        raise TimeIsUp

    here = threading.current_thread() is threading.main_thread()
    known = [getattr(signal, name) for name in names if here and hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in known}
    watched = [number for number in known if before[number] is not signal.SIG_IGN]
    alarm = signal.getsignal(signal.SIGALRM) if hasattr(signal, "setitimer") else None
    try:
        for number in watched:
            signal.signal(number, ring)
        yield came
    finally:
        _Rung.signalled = False
        for number in watched:
            signal.signal(number, before[number] or signal.SIG_DFL)
        if came and hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, alarm or signal.SIG_DFL)


def take_over() -> None:
    """End the alarm, if there is one: the command keeps the limit itself from here on.

    A signal that came before goes on ringing: that the command is still at work shows that the
    exception was lost, in a destructor or an import.
    """
    if not _Rung.signalled:
        silence()


def silence() -> None:
    """End what rings, alarm or signal: TimeIsUp was heard."""
    _Rung.signalled = False
    if not hasattr(signal, "setitimer"):
        _BELL.set(0)
    elif signal.getsignal(signal.SIGALRM) is _ring:
        signal.setitimer(signal.ITIMER_REAL, 0)


@contextmanager
def ring_once(seconds: float | None, again: float = 0.0) -> Iterator[None]:
    """Raise TimeIsUp in the block after ``seconds``, once; None: never.

    For a command that has taken over, and whose work may be ended at any moment. An exception in a
    destructor is lost: the command looks at the clock as well, or has it raised ``again``, every
    so many seconds.
    """
    here = threading.current_thread() is threading.main_thread()
    if seconds is None or not here:
        yield
        return
    if not hasattr(signal, "setitimer"):
        with _ringing(max(seconds, 1e-6), again):
            yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    try:
        # 0 would be never.
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6), again)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _ringing(seconds: float, again: float = 0.0) -> Iterator[None]:
    try:
        _BELL.set(seconds, again)
        yield
    finally:
        _BELL.set(0)


def _ring(number: int, frame: FrameType | None) -> None:
    _Rung.came = True
    raise TimeIsUp
