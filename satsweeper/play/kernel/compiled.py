"""When a function on arrays becomes machine code: once plain Python would take longer.

What is decorated keeps to numbers, arrays and named tuples of them, calls only functions of this
package that do so too, and gives the same results as plain Python and as machine code. It begins as
plain Python, whose time is added up. All of the work is expected to take twice as long, or as many
times as is known to be left (``foresee``). Where that exceeds what it takes to compile the function
and all that it calls, as guessed from their size, or to load them from disk, the next call is one
of machine code. So short work waits for nothing, and nothing waits for much more than compiling.
"""

import time
from collections.abc import Callable
from functools import cached_property, wraps
from importlib.util import find_spec
from math import inf
from threading import local
from typing import Any, Final, ParamSpec, TypeVar

from satsweeper.play.kernel import machine
from satsweeper.play.kernel.kept import is_kept

P = ParamSpec("P")
R = TypeVar("R")

COMPILES: Final = find_spec("numba") is not None
"""Whether functions may become machine code here."""

_IMPORT: Final = 0.3
_LOAD: Final = 0.1
_INSTRUCTION: Final = 0.0004
_ARRAY: Final = 0.015
"""CPU seconds: to import numba, to load a function, and to compile one, for each instruction of
Python's and for each array among its parameters. Measured; they need not be right."""


_LASTS: Final = 2
"""How many times as long as it has lasted work is expected to last at the least."""


class _Clock(local):
    """CPU seconds of this thread: in ``loading``, compiling included; in decorated functions that
    have returned. How many are running as plain Python. ``more``: as ``foresee``."""

    loading = 0.0
    returned = 0.0
    running = 0
    more = 0.0


_CLOCK: Final = _Clock()


class Entry:
    """A function that plain Python calls: as it is written, until ``code`` is its machine code.

    ``spent``: CPU seconds as plain Python, without those of other entries that it called.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.code: Callable[..., Any] | None = None
        self.spent = 0.0

    def switch_if_due(self, arguments: tuple[Any, ...]) -> None:
        """Compile or load the function if plain Python takes longer; ``arguments`` tell types."""
        if _CLOCK.more < inf and not machine.is_made(self.function):
            spent = sum(part.spent for part in self.parts if not machine.is_made(part.function))
            expected = spent * max(1 + _CLOCK.more, _LASTS)
            if expected <= _LOAD or expected <= self.price():
                return
        started = time.thread_time()
        try:
            self.code = machine.code_of(self.function, arguments)
        finally:
            seconds = time.thread_time() - started
            _CLOCK.loading += seconds
            _CLOCK.returned += seconds
        if self.code is None:
            # Never again: it costs whatever is spent.
            self.spent = -inf

    @cached_property
    def parts(self) -> list["Entry"]:
        """The entry and all others that it calls, directly or not."""
        called = set(machine.callees(self.function))
        return [entry for entry in ENTRIES if entry.function in called]

    def price(self) -> float:
        """CPU seconds that it takes, about, to have the machine code."""
        start = 0.0 if machine.is_loaded() else _IMPORT
        if is_kept(self.function):
            return start + _LOAD
        return start + sum(
            _INSTRUCTION * (len(each.__code__.co_code) // 2) + _ARRAY * machine.arrays_of(each)
            for each in machine.callees(self.function)
            if not (machine.is_made(each) or is_kept(each))
        )


ENTRIES: Final[list[Entry]] = []


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """The function, which becomes machine code at a call when that is worth it."""
    if not COMPILES:
        return function
    entry, clock = Entry(function), _CLOCK
    ENTRIES.append(entry)
    machine.CALLED.add(function)

    @wraps(function)
    def called(*arguments: P.args, **_: P.kwargs) -> R:
        if entry.code is None:
            entry.switch_if_due(arguments)
        code = entry.code
        if code is not None and not clock.running:
            return code(*arguments)  # type: ignore[no-any-return]
        started, returned = time.thread_time(), clock.returned
        clock.running += code is None
        try:
            return function(*arguments) if code is None else code(*arguments)  # type: ignore[call-arg]
        finally:
            seconds = time.thread_time() - started
            if code is None:
                clock.running -= 1
                entry.spent += seconds - (clock.returned - returned)
            clock.returned = returned + seconds

    return called


def foresee(more: float) -> None:
    """Tell how many times as much work as was done is still to come; inf: compile at once."""
    _CLOCK.more = more


def loading() -> float:
    """CPU seconds that this thread has spent on compiling and loading so far."""
    return _CLOCK.loading
