"""When a function on arrays becomes machine code: once plain Python would take longer.

A decorated function keeps to numbers, arrays and named tuples of them, calls only functions of this
package that do so too, and has equal results as plain Python and as machine code. A function begins
as plain Python, and its CPU time is added up. The total time is predicted as twice the time so far,
or more where more work is known to be left (``foresee``). When the prediction exceeds the cost of
compiling the function and its callees, estimated from their size, or the cost of loading them from
disk, the next call runs machine code. So short work never waits for a compiler, and long work takes
little more than the time of compiling in addition.
"""

import time
from collections.abc import Callable
from functools import cached_property, wraps
from importlib.util import find_spec
from math import inf
from threading import local
from typing import Any, Final, ParamSpec, TypeVar

from satsweeper.play.kernel import machine_code
from satsweeper.play.kernel.machine_code import is_kept

P = ParamSpec("P")
R = TypeVar("R")

COMPILES: Final = find_spec("numba") is not None
"""Whether functions may become machine code here."""

_IMPORT: Final = 0.3
_LOAD: Final = 0.1
_INSTRUCTION: Final = 0.0004
_ARRAY: Final = 0.015
"""CPU seconds to import numba, to load a function from disk, and to compile a function: for each
instruction of its bytecode and for each array among its parameters. The numbers were measured on
one machine; an error in them changes when a function is compiled, and never its results."""

_LASTS: Final = 2
"""The least factor by which the predicted total time of a function exceeds its time so far."""


class _Clock(local):
    """CPU seconds and calls of decorated functions in this thread."""

    loading = 0.0
    """CPU seconds spent on compiling and loading."""
    returned = 0.0
    """CPU seconds in calls that have returned, compiling and loading included."""
    running = 0
    """The number of nested calls that are running as plain Python."""
    more = 0.0
    """The work still to come, as a multiple of the work done so far: see ``foresee``."""


_CLOCK: Final = _Clock()


class CompiledFunction:
    """A decorated function and its machine code, ``code``: None as long as it is plain Python.

    ``spent``: CPU seconds of its calls as plain Python, without the time of nested calls of other
    decorated functions.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.code: Callable[..., Any] | None = None
        self.spent = 0.0

    def switch_if_due(self, arguments: tuple[Any, ...]) -> None:
        """Compile or load the function if plain Python would take longer.

        ``arguments`` are those of the next call: machine code is made for their types.
        """
        if _CLOCK.more < inf and not machine_code.is_made(self.function):
            made = machine_code.is_made
            spent = sum(part.spent for part in self.parts if not made(part.function))
            expected = spent * max(1 + _CLOCK.more, _LASTS)
            # The first comparison is cheap, and mostly spares ``price``, which looks at every
            # callee.
            if expected <= _LOAD or expected <= self.price():
                return
        started = time.thread_time()
        try:
            self.code = machine_code.code_of(self.function, arguments)
        finally:
            seconds = time.thread_time() - started
            _CLOCK.loading += seconds
            _CLOCK.returned += seconds
        if self.code is None:
            # numba cannot be imported: with -inf no time added later makes the function due again.
            self.spent = -inf

    @cached_property
    def parts(self) -> list["CompiledFunction"]:
        """The entries of the function and of all functions called by it, directly or not."""
        called = set(machine_code.callees(self.function))
        return [entry for entry in ENTRIES if entry.function in called]

    def price(self) -> float:
        """Estimate the CPU seconds needed to load or compile the function and its callees."""
        start = 0.0 if machine_code.is_loaded() else _IMPORT
        if is_kept(self.function):
            return start + _LOAD
        return start + sum(
            _INSTRUCTION * (len(each.__code__.co_code) // 2) + _ARRAY * machine_code.arrays_of(each)
            for each in machine_code.callees(self.function)
            if not (machine_code.is_made(each) or is_kept(each))
        )


ENTRIES: Final[list[CompiledFunction]] = []


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate ``function``: it runs as plain Python, and as machine code once that pays."""
    if not COMPILES:
        return function
    entry, clock = CompiledFunction(function), _CLOCK
    ENTRIES.append(entry)
    machine_code.CALLED.add(function)

    @wraps(function)
    def called(*arguments: P.args, **_: P.kwargs) -> R:
        if entry.code is None:
            entry.switch_if_due(arguments)
        code = entry.code
        # The time of machine code matters only to a plain caller, which subtracts it from its own
        # time. Without a plain caller no clock is read.
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
                # ``clock.returned`` has grown by the time of nested decorated calls and of loading.
                entry.spent += seconds - (clock.returned - returned)
            # ``seconds`` includes the nested calls, so it is added to the value before this call.
            clock.returned = returned + seconds

    return called


def foresee(more: float) -> None:
    """Set the work still to come to ``more`` times the work done so far; inf: compile at once."""
    _CLOCK.more = more


def loading() -> float:
    """CPU seconds that this thread has spent on compiling and loading so far."""
    return _CLOCK.loading
