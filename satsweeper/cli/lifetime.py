"""The lifetime of a command: how Ctrl-C, signals and the alarm of ``--timeout`` are answered.

Ctrl-C at any moment gives one line on standard error and exit code 130. Before a command runs an
interrupt ends the process at once (`leave_at_interrupts`): there is nothing to clean up, and an
import may turn an exception into another one. While a command runs an interrupt raises
KeyboardInterrupt, so that half-written files and child processes are cleaned up
(`raise_interrupts`).

``--timeout`` (but for `compare` and `engines`, where it is a limit for each job) is kept by an
alarm that raises `TimeIsUp` in the command (`alarm`), a moment after the limit. A command that has
a partial answer calls `take_over`, which ends the alarm, and keeps the limit by deadlines and
worker processes. In `sat` and `solve` SIGTERM, SIGHUP and SIGXCPU raise `TimeIsUp` too
(`ended_by`).

KeyboardInterrupt and `TimeIsUp` may be lost, in a destructor or in an import that raises another
error instead. So the module records that they were raised (`interrupted`, `due_to_time`), and the
alarm is repeated until `silence` is called. Compiled code answers no signal before it returns:
while compiled code runs, a thread waits for signals and ends the process (`signals_answered`).
"""

import os
import select
import signal
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final, NoReturn

from satsweeper.cli.exit_codes import INTERRUPTED, LIMIT_REACHED, complain
from satsweeper.show.progress import Reach, progress

REPEAT: Final = 0.5
"""Seconds after which the alarm is repeated; an exception in a destructor is lost."""
_GRACE: Final = 0.3
"""Seconds between the limit of a command and its alarm, time for the command to take over."""
_GRACE_PART: Final = 0.05
"""Part of the limit of a command that is added to `_GRACE`."""
_PATIENCE: Final = 0.4
"""Seconds in which the main thread answers a signal, unless compiled code keeps it busy."""


class TimeIsUp(BaseException):
    """The time of a command is over."""


class _SignalState:
    """Record of the exceptions that signals have raised in this process, lost or not."""

    def __init__(self) -> None:
        self.interrupted = False
        """Whether Ctrl-C has raised KeyboardInterrupt."""
        self.time_is_up = False
        """Whether the alarm or a signal has raised TimeIsUp since `alarm` or `ended_by` began."""
        self.unanswered = False
        """Whether a signal of `ended_by` has raised TimeIsUp, without a call of `silence` since."""


_STATE: Final = _SignalState()


def leave_at_interrupts() -> None:
    """Let interrupts end the process at once from now on, also an interrupt that was blocked.

    While Python itself starts, an interrupt cannot be answered. A program that blocks SIGINT before
    it starts Python, as ``scripts/run`` does, has the interrupt answered here.
    """
    signal.signal(signal.SIGINT, _leave_at)
    sys.unraisablehook = _unraisable
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def ignore_interrupts() -> None:
    """Ignore interrupts from now on: while Python itself ends, no handler can answer them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def raise_interrupts() -> None:
    """Let interrupts raise KeyboardInterrupt from now on, instead of ending the process."""
    if signal.getsignal(signal.SIGINT) is _leave_at:
        signal.signal(signal.SIGINT, _raise_at)


def interrupted() -> bool:
    """Return whether an interrupt raised KeyboardInterrupt, which may have become another error."""
    return _STATE.interrupted


def leave() -> NoReturn:
    """End the process after one line, without clean-up: an interrupted solver cannot be freed."""
    try:
        os.write(2, b"interrupted\n")
    finally:
        os._exit(INTERRUPTED)


def _leave_at(number: int, frame: FrameType | None) -> None:
    leave()


def _raise_at(number: int, frame: FrameType | None) -> None:
    _STATE.interrupted = True
    raise KeyboardInterrupt


def _unraisable(problem: "sys.UnraisableHookArgs") -> None:
    """End the process at an interrupt in a destructor or callback, which Python would only print.

    TimeIsUp is dropped without a print: the alarm is repeated.
    """
    if problem.exc_type is not None and issubclass(problem.exc_type, KeyboardInterrupt):
        leave()
    if problem.exc_type is not TimeIsUp:
        sys.__unraisablehook__(problem)


@contextmanager
def alarm(seconds: float | None, started: float) -> Iterator[None]:
    """Raise TimeIsUp in the block ``seconds`` after the moment ``started``; None: never.

    ``started`` is a moment of the monotonic clock. The alarm comes 0.3 s and 5 % of the limit late,
    so that a command with a partial answer can take over. In other threads than the main thread
    nothing is raised.
    """
    from satsweeper.processes.deadline import Deadline

    _STATE.time_is_up = False
    if seconds is None or not _in_main_thread():
        yield
        return
    left = Deadline.after(seconds, started).left() or 0.0
    with _ringing(left + _GRACE + _GRACE_PART * seconds, REPEAT):
        yield


@contextmanager
def raise_after(seconds: float | None, repeat: float = 0.0) -> Iterator[None]:
    """Raise TimeIsUp in the block after ``seconds``; None: never.

    For a command that has taken over, and whose work may be ended at any moment. An exception in a
    destructor is lost, so the command also reads the clock, or has TimeIsUp raised again every
    ``repeat`` seconds (0: once).
    """
    if seconds is None or not _in_main_thread():
        yield
        return
    try:
        # A timer of 0 seconds would be no timer.
        with _ringing(max(seconds, 1e-6), repeat):
            yield
    except TimeIsUp:
        # The exception has arrived, so later errors are not due to the time.
        _STATE.time_is_up = False
        raise


@contextmanager
def _ringing(seconds: float, repeat: float) -> Iterator[None]:
    """Raise TimeIsUp in the block after ``seconds``, and again every ``repeat`` seconds."""
    handler, timer = signal.signal(signal.SIGALRM, _ring), signal.getitimer(signal.ITIMER_REAL)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, repeat)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        # The caller of the command may have set an alarm, which goes on.
        signal.setitimer(signal.ITIMER_REAL, *timer)


@contextmanager
def ended_by(*numbers: signal.Signals) -> Iterator[list[int]]:
    """Raise TimeIsUp in the block at the signals ``numbers``, and again until `silence` is called.

    Yields the list of the signals received so far; only the first of them raises TimeIsUp. Signals
    that are ignored stay ignored. In other threads than the main thread nothing is raised.
    """
    received: list[int] = []
    _STATE.time_is_up = _STATE.unanswered = False

    def ring(number: int, frame: FrameType | None) -> None:
        received.append(number)
        if len(received) > 1:
            return
        _STATE.time_is_up = _STATE.unanswered = True
        # The exception may be lost, so an alarm raises TimeIsUp again until `silence` is called.
        signal.signal(signal.SIGALRM, _ring)
        signal.setitimer(signal.ITIMER_REAL, REPEAT, REPEAT)
        raise TimeIsUp

    before = {number: signal.getsignal(number) for number in numbers if _in_main_thread()}
    watched = [number for number in before if before[number] is not signal.SIG_IGN]
    alarm = signal.getsignal(signal.SIGALRM)
    try:
        for number in watched:
            signal.signal(number, ring)
        yield received
    finally:
        _STATE.unanswered = False
        for number in watched:
            signal.signal(number, before[number] or signal.SIG_DFL)
        if received:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, alarm or signal.SIG_DFL)


def take_over() -> None:
    """End the alarm, if any: from now on the command itself keeps the time limit.

    After a signal of `ended_by` the alarm goes on: as the command is still running, the TimeIsUp of
    the signal was lost, in a destructor or an import, and has to be raised again.
    """
    if not _STATE.unanswered:
        silence()


def silence() -> None:
    """End the alarm and the repetition of a signal: TimeIsUp has been answered."""
    _STATE.unanswered = False
    if signal.getsignal(signal.SIGALRM) is _ring:
        signal.setitimer(signal.ITIMER_REAL, 0)


def due_to_time(error: BaseException) -> bool:
    """Return whether ``error`` is TimeIsUp or may have been caused by TimeIsUp.

    An interrupted import raises another error, which compiled code need not chain to TimeIsUp. So
    every error after the alarm counts as due to time.
    """
    if _STATE.time_is_up:
        return True
    found: BaseException | None = error
    while found is not None and not isinstance(found, TimeIsUp):
        found = found.__cause__ or found.__context__
    return found is not None


@contextmanager
def signals_answered(command: str, limit: float | None) -> Iterator[None]:
    """Answer Ctrl-C and the alarm in the block even while compiled code runs.

    A compiled function lets other threads run but answers no signal before it returns, which may
    take seconds on a large board. So a thread waits for signals too, and ends the process if the
    main thread does not answer a signal within `_PATIENCE` seconds. The process is ended without
    clean-up, so the block must not write files. ``command`` and ``limit`` (seconds) are named in
    the message.
    """
    if not _in_main_thread():
        yield
        return
    from threading import Thread

    listening, wakeup = os.pipe()
    os.set_blocking(wakeup, False)
    before = signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)
    watch = Thread(target=_watch, args=(listening, command, limit), daemon=True)
    watch.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(wakeup)
        watch.join()
        os.close(listening)


def _watch(listening: int, command: str, limit: float | None) -> None:
    """Read the numbers of signals from a pipe until its other end is closed.

    Python writes the number of each signal to the pipe at once, before the main thread handles it.
    """
    while number := os.read(listening, 1):
        if number[0] not in (signal.SIGINT, signal.SIGALRM):
            continue
        # The end of the pipe shows that the main thread has answered and left the block; another
        # signal starts the wait anew.
        if not select.select([listening], [], [], _PATIENCE)[0]:
            if number[0] == signal.SIGINT:
                leave()
            with suppress(OSError):
                sys.stderr.write(f"{command}: not done within {limit:g} s\n")
            os._exit(LIMIT_REACHED)


def _in_main_thread() -> bool:
    from threading import current_thread, main_thread

    return current_thread() is main_thread()


def _ring(number: int, frame: FrameType | None) -> None:
    _STATE.time_is_up = True
    while frame is not None:
        if frame.f_code.co_name == "__del__":
            # Python prints what a finalizer raises, and goes on. The alarm repeats.
            return
        frame = frame.f_back
    raise TimeIsUp


# Work in functions that may be compiled: its progress, and signals while compiled code runs.


@contextmanager
def compiled_work(arguments: Namespace, what: str, total: float | None = None) -> Iterator[Reach]:
    """Show ``progress(what, total)``; Ctrl-C and ``--timeout`` end the block even in compiled code.

    Yields the function that reports how much of ``total`` is done. From the share that is done
    follows how much work is left, and so whether compiling pays.
    """
    from satsweeper.play.kernel.compiled import foresee

    command = f"satsweeper {arguments.command}"

    def reached(done: float) -> None:
        reach(done)
        if total is not None and done:
            foresee(total / done - 1)

    with (
        signals_answered(command, arguments.time_limit),
        compiling_reported(arguments, what) as name,
        progress(name, total) as reach,
    ):
        try:
            yield reached
        finally:
            foresee(0)


@contextmanager
def compiling_reported(arguments: Namespace, what: str) -> Iterator[Callable[[], str]]:
    """Report, once for each command, that functions are being compiled.

    Yields a function that returns the name of the work for the progress: ``what``, with
    "(compiling)" behind it once functions are compiled. If standard error is no terminal, a line is
    printed there instead.
    """
    from satsweeper.play.kernel.machine_code import told_of_compiling

    def report() -> None:
        if not hasattr(arguments, "compiles"):
            arguments.compiles = True
            if sys.stderr is not None and not sys.stderr.isatty():
                say_compiling(arguments.command)

    def name() -> str:
        return f"{what} (compiling)" if hasattr(arguments, "compiles") else what

    with told_of_compiling(report):
        yield name


def say_compiling(command: str) -> None:
    """Print on standard error that ``command`` is compiling functions."""
    complain(f"satsweeper {command}: compiling what takes long")
