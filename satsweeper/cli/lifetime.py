"""The lifetime of a command: Ctrl-C, signals and the alarm of ``--timeout``, and who answers them.

Ctrl-C is one line on standard error and exit code 130, whenever it comes. Until a command runs
there is nothing to clean up, and an exception inside an import may come out as another one: an
interrupt then ends the process at once (`leave_at_interrupts`). While a command runs an interrupt
raises KeyboardInterrupt, so that half-written files and child processes are cleaned up
(`raise_interrupts`).

``--timeout`` is kept by an alarm that raises `TimeIsUp` wherever the command is (`alarm`), a moment
after the limit. A command that has a partial answer takes over before that (`take_over`): it ends
the alarm and keeps the limit by deadlines and worker processes. `sat` and `solve` answer SIGTERM
and its like by `TimeIsUp` too (`ended_by`).

Both exceptions may be lost, in a destructor or in an import that raises another error instead. So
the module remembers that they were raised (`interrupted`, `due_to_time`), and the alarm is repeated
until `silence` is called. Compiled code answers no signal before it returns: there a thread waits
for signals and ends the process (`signals_answered`).
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
"""Seconds after which the alarm is repeated, as an exception in a destructor is lost."""
_GRACE: Final = 0.3
"""Seconds between the limit of a command and its alarm, in which a partial answer may begin."""
_GRACE_PART: Final = 0.05
"""Part of the limit of a command that is added to `_GRACE`."""
_PATIENCE: Final = 0.4
"""Seconds in which the main thread answers a signal, unless compiled code keeps it busy."""


class TimeIsUp(BaseException):
    """The time of a command is over."""


class _SignalState:
    """Exceptions that signals have raised in this process; either may have been lost."""

    def __init__(self) -> None:
        self.interrupted = False
        """Whether Ctrl-C has raised KeyboardInterrupt."""
        self.time_is_up = False
        """Whether the alarm or a signal has raised TimeIsUp since `alarm` or `ended_by` began."""
        self.unanswered = False
        """Whether a signal of `ended_by` has raised TimeIsUp, and nothing was silenced since."""


_STATE: Final = _SignalState()


def leave_at_interrupts() -> None:
    """From now on an interrupt ends the process at once; an interrupt held back comes now.

    Nothing can answer while Python itself starts; who holds interrupts back until then, as
    ``scripts/run`` does, has them answered.
    """
    signal.signal(signal.SIGINT, _leave_at)
    sys.unraisablehook = _unraisable
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def ignore_interrupts() -> None:
    """From now on an interrupt does nothing: Python itself ends, and could not answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def raise_interrupts() -> None:
    """From now on an interrupt raises KeyboardInterrupt; unless it does already."""
    if signal.getsignal(signal.SIGINT) is _leave_at:
        signal.signal(signal.SIGINT, _raise_at)


def interrupted() -> bool:
    """Return whether an interrupt raised KeyboardInterrupt, which may have become another error."""
    return _STATE.interrupted


def leave() -> NoReturn:
    """End the process: one line, no clean-up, as a solver that was interrupted cannot be freed."""
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
    """Leave at an interrupt in a destructor or a callback, which Python would print and forget.

    TimeIsUp is not printed: the alarm is repeated.
    """
    if problem.exc_type is not None and issubclass(problem.exc_type, KeyboardInterrupt):
        leave()
    if problem.exc_type is not TimeIsUp:
        sys.__unraisablehook__(problem)


@contextmanager
def alarm(seconds: float | None, started: float) -> Iterator[None]:
    """Raise TimeIsUp in the block ``seconds`` after the moment ``started``; None: never.

    The moment is on the monotonic clock. The alarm comes 0.3 s and 5 % of the limit late, so that
    a command with a partial answer can take over. Only in the main thread.
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

    For a command that has taken over, and whose work may be ended at any moment. As an exception in
    a destructor is lost, the command looks at the clock as well, or has TimeIsUp raised again every
    ``repeat`` seconds.
    """
    if seconds is None or not _in_main_thread():
        yield
        return
    try:
        # 0 would be never.
        with _ringing(max(seconds, 1e-6), repeat):
            yield
    except TimeIsUp:
        # The exception was not lost: errors that come later have other causes.
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
        # Whoever runs this command may have had an alarm.
        signal.setitimer(signal.ITIMER_REAL, *timer)


@contextmanager
def ended_by(*numbers: signal.Signals) -> Iterator[list[int]]:
    """Raise TimeIsUp in the block at these signals too, and again until `silence` is called.

    A signal that is ignored stays so. Yields those that came: only the first raises anything. Only
    in the main thread.
    """
    came: list[int] = []
    _STATE.time_is_up = _STATE.unanswered = False

    def ring(number: int, frame: FrameType | None) -> None:
        came.append(number)
        if len(came) > 1:
            return
        _STATE.time_is_up = _STATE.unanswered = True
        # The exception may be lost: the alarm repeats it until `silence`.
        signal.signal(signal.SIGALRM, _ring)
        signal.setitimer(signal.ITIMER_REAL, REPEAT, REPEAT)
        raise TimeIsUp

    before = {number: signal.getsignal(number) for number in numbers if _in_main_thread()}
    watched = [number for number in before if before[number] is not signal.SIG_IGN]
    alarm = signal.getsignal(signal.SIGALRM)
    try:
        for number in watched:
            signal.signal(number, ring)
        yield came
    finally:
        _STATE.unanswered = False
        for number in watched:
            signal.signal(number, before[number] or signal.SIG_DFL)
        if came:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, alarm or signal.SIG_DFL)


def take_over() -> None:
    """End the alarm, if there is one: the command keeps the limit itself from here on.

    A signal that came before goes on ringing: that the command is still at work shows that the
    exception was lost, in a destructor or an import.
    """
    if not _STATE.unanswered:
        silence()


def silence() -> None:
    """End the alarm and the repetition of a signal: TimeIsUp has been answered."""
    _STATE.unanswered = False
    if signal.getsignal(signal.SIGALRM) is _ring:
        signal.setitimer(signal.ITIMER_REAL, 0)


def due_to_time(error: BaseException) -> bool:
    """Return whether ``error`` is TimeIsUp, or was raised after it by an import it broke off.

    Compiled code that raises another error instead need not chain it to TimeIsUp, so any error
    after the alarm counts.
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
    take seconds on a large board. So a thread waits for signals too, and ends the process at one
    that the main thread does not answer in time. Nothing may be half written when it does.
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
    """Read the numbers of signals from a pipe until its other end is closed."""
    while number := os.read(listening, 1):
        if number[0] not in (signal.SIGINT, signal.SIGALRM):
            continue
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
    raise TimeIsUp


# Progress of work that may be compiled, and signals answered while compiled code runs.


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
    """Report once a command that functions are compiled; yield a function that names the work.

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
    """Print on standard error that ``command`` is compiling functions."""
    complain(f"satsweeper {command}: compiling what takes long")
