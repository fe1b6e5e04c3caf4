"""The door of numba: a function of this package, and all that it calls, as machine code.

Plain Python calls plain Python. So each function has a twin: the same code, whose globals hold
twins instead of functions. A twin is compiled once for the types of its parameters: any integer is
one of 64 bits, and a constant among the arguments has the type of its kind.
"""

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dis import get_instructions
from functools import cache
from types import FunctionType
from typing import Any, Final

from satsweeper.play.kernel.kept import kept_file

Tell = Callable[[], None]
_TOLD: Final[list[Tell]] = []


def is_loaded() -> bool:
    """Whether numba has been imported."""
    return "numba" in sys.modules


@cache
def _numba() -> Any:
    """numba, which tells when it compiles, not when it finds code on disk; None: it is broken."""
    try:
        found = _imported()
    except ImportError:
        return None
    event = found.core.event
    own = {"on_start": lambda *_: [tell() for tell in _TOLD], "on_end": lambda *_: None}
    event.register("numba:compile", type("Listener", (event.Listener,), own)())
    return found


def _imported() -> Any:
    import numba
    import numba.core.event

    return numba


@contextmanager
def told_of_compiling(tell: Tell) -> Iterator[None]:
    """Have ``tell`` called whenever a function is compiled in the block, before it is."""
    _TOLD.append(tell)
    try:
        yield
    finally:
        _TOLD.remove(tell)


def code_of(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Callable[..., Any] | None:
    """The machine code of a function, for arguments of these types; None: numba does not work."""
    numba = _numba()
    if numba is None:
        return None
    kinds = {int: numba.types.int64, float: numba.types.float64, bool: numba.types.boolean}
    wanted = [kinds.get(each.annotation) for each in _parameters(function)]
    found: Callable[..., Any] = _twin(function)
    with _cached_here():
        found.compile(  # type: ignore[attr-defined]
            tuple(
                numba.typeof(argument) if kind is None else kind
                for argument, kind in zip(arguments, wanted, strict=True)
            )
        )
    # From here on arguments are converted, where that is needed.
    found.disable_compile()  # type: ignore[attr-defined]
    return found


def _parameters(function: Callable[..., Any]) -> Iterable[inspect.Parameter]:
    return inspect.signature(function).parameters.values()


@cache
def arrays_of(function: Callable[..., Any]) -> int:
    """How many arrays a function is handed, those in named tuples included."""
    return sum(_arrays(each.annotation) for each in _parameters(function))


def _arrays(kind: Any) -> int:
    if hasattr(kind, "_fields"):
        return sum(map(_arrays, kind.__annotations__.values()))
    return kind not in (int, float, bool)


def is_made(function: Callable[..., Any]) -> bool:
    """Whether this process has compiled or loaded machine code of a function."""
    return function in _TWINS and bool(_TWINS[function].signatures)


@cache
def callees(function: Callable[..., Any]) -> Sequence[FunctionType]:
    """A function and all of this package that it calls, directly or not."""
    found: dict[FunctionType, None] = {}

    def visit(each: FunctionType) -> None:
        if each not in found:
            found[each] = None
            for callee in _called_by(each).values():
                visit(callee)

    assert isinstance(function, FunctionType)
    visit(function)
    return list(found)


def _called_by(function: FunctionType) -> dict[str, FunctionType]:
    """The functions of this package that are named in another one, by name."""
    names = {each.argval for each in get_instructions(function) if each.opname == "LOAD_GLOBAL"}
    named = {name: function.__globals__.get(name) for name in sorted(names)}
    return {
        name: inspect.unwrap(each)
        for name, each in named.items()
        if isinstance(each, FunctionType) and each.__module__.startswith(f"{__package__}.")
    }


CALLED: Final[set[Callable[..., Any]]] = set()
"""The functions that plain Python calls, as they are written."""
_TWINS: Final[dict[Callable[..., Any], Any]] = {}


def _twin(function: Callable[..., Any]) -> Any:
    """The dispatcher of numba for a function, with those of all that it calls among its globals."""
    if function in _TWINS:
        return _TWINS[function]
    assert isinstance(function, FunctionType)
    others = {name: _twin(each) for name, each in _called_by(function).items()}
    code, file = function.__code__, kept_file(function)
    if file is not None:
        code = code.replace(co_filename=str(file))
    twin = FunctionType(code, {**function.__globals__, **others}, function.__name__)
    with _cached_here():
        made = _numba().njit(
            cache=file is not None,
            error_model="numpy",
            nogil=True,
            _nrt=False,
            # Plain Python calls no others.
            no_cpython_wrapper=function not in CALLED,
            no_cfunc_wrapper=True,
        )(twin)
    made.get_call_template = _for_any_value(made.get_call_template)
    _TWINS[function] = made
    return made


def _for_any_value(template: Callable[..., Any]) -> Callable[..., Any]:
    """The question for a callee's code, without values of constants and widths of integers.

    With them, numba compiles a function once more for each that it is called with.
    """
    types = _numba().types

    def plain(kind: Any) -> Any:
        kind = types.unliteral(kind)
        return types.int64 if isinstance(kind, types.Integer) else kind

    def asked(args: Iterable[Any], kws: Mapping[str, Any]) -> Any:
        return template(tuple(map(plain, args)), {name: plain(kws[name]) for name in kws})

    return asked


@contextmanager
def _cached_here() -> Iterator[None]:
    """Machine code is kept beside the file of a twin, whatever folder numba has been told."""
    config = _numba().config
    before, config.CACHE_DIR = config.CACHE_DIR, ""
    try:
        yield
    finally:
        config.CACHE_DIR = before
