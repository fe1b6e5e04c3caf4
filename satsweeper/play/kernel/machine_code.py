"""Machine code by numba, of a function of this package and of all that it calls.

A function that runs as plain Python must find plain functions in its globals, while numba needs
compiled functions there. So each function has a *twin*: a function with equal bytecode, whose
globals hold the twins of its callees. A twin is compiled once, for the types of its parameters.
Every integer has the type ``int64``, and a constant the type of its value, so that no call needs
another version of the machine code.
"""

import inspect
import os
import platform
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dis import get_instructions
from functools import cache
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from types import FunctionType
from typing import Any, Final

# The cache of machine code: a folder of the user, named by a digest of everything that the code
# depends on. numba keeps machine code in ``__pycache__`` beside the file that defines a function,
# and discards the code when the time of that file changes. So the folder has a copy of every file
# of this package, all with one fixed time: checkouts and environments with equal files and versions
# share the code. numba adds the processor to the key and replaces each of its files atomically, so
# that processes may share the folder.

_HERE: Final = Path(__file__).parent
_COPY: Final = ".copy"
"""The suffix of copies: not ``.py``, so that nothing imports a copy as a module."""
_TIME: Final = 1_000_000_000
"""The modification time of every copy, in seconds since 1970: any constant will do."""


@cache
def folder() -> Path | None:
    """Return the folder of the cache, made if need be; None if no folder can be written.

    Machine code from the folder is executed, so write access to the folder would let other users
    execute anything: the folder must belong to the user, and nobody else may write there. The
    folder is in the user's cache, or if that cannot be used, in ``__pycache__`` beside the files of
    this package.
    """
    name = f"kernel-{_digest()}"
    beside = _HERE / "__pycache__"
    for place in filter(None, (_cache(), beside)):
        found = place / name
        # Whoever can write in the parent folder can replace ``found`` by a folder of his own, so
        # the parent must be the user's as well. ``__pycache__`` is exempt: whoever can write there
        # can replace the modules of this package anyway.
        owned = (found,) if place == beside else (place, found)
        with suppress(OSError):
            if all(map(_make_own, owned)):
                for path in _HERE.glob("*.py"):
                    copy = (found / path.name).with_suffix(_COPY)
                    if not copy.exists():
                        # The copy is written under another name and then renamed, so that other
                        # processes find a whole copy or none.
                        part = copy.with_name(f"{copy.name}.{os.getpid()}")
                        part.write_bytes(path.read_bytes())
                        os.utime(part, (_TIME, _TIME))
                        part.replace(copy)
                return found
    return None


def _cache() -> Path | None:
    """The folder ``satsweeper`` in the user's cache; None for a user without a home."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    # A relative path would depend on the current folder, so it is ignored.
    if os.path.isabs(named):
        return Path(named, "satsweeper")
    with suppress(RuntimeError):
        home = Path("~").expanduser()
        if home.is_absolute():
            return home / ".cache" / "satsweeper"
    return None


def _make_own(place: Path) -> bool:
    """Make the folder ``place`` if need be; return whether only the user can write there."""
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not os.access(place, os.W_OK):
        return False
    if not hasattr(os, "geteuid"):
        return True
    found = place.lstat()
    own = stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()
    return own and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _digest() -> str:
    """16 hexadecimal digits of the files of this package and the versions of Python and numba."""
    digest = sha256()
    for path in sorted(_HERE.glob("*.py")):
        digest.update(path.read_bytes())
    words = [sys.implementation.cache_tag, sys.version, platform.machine()]
    for name in ("numba", "llvmlite", "numpy"):
        with suppress(metadata.PackageNotFoundError):
            words.append(f"{name} {metadata.version(name)}")
    digest.update("\n".join(map(str, words)).encode())
    return digest.hexdigest()[:16]


def kept_file(function: Callable[..., Any]) -> Path | None:
    """The copy of the file that defines ``function``; None if its machine code is not cached."""
    path, place = Path(function.__code__.co_filename), folder()
    return None if place is None or path.parent != _HERE else (place / path.name).with_suffix(_COPY)


def kept_names() -> frozenset[str]:
    """The functions whose machine code is in the cache, as ``MODULE.NAME``."""
    place = folder()
    names: list[str] = []
    if place is not None:
        with suppress(OSError):
            names = os.listdir(place / "__pycache__")
    return frozenset(name.partition("-")[0] for name in names if name.endswith(".nbi"))


_first_names: Final = cache(kept_names)


def is_kept(function: Callable[..., Any]) -> bool:
    """Whether machine code of ``function`` was in the cache when this process first asked."""
    return name_of(function) in _first_names()


def name_of(function: Callable[..., Any]) -> str:
    """The name ``MODULE.NAME`` of ``function``, with which the names of numba's files begin."""
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__}"


Tell = Callable[[], None]
_TOLD: Final[list[Tell]] = []
"""Functions to call before anything is compiled."""


def is_loaded() -> bool:
    """Whether numba has been imported."""
    return "numba" in sys.modules


@cache
def _numba() -> Any:
    """Import numba and listen to its compiler; None if numba cannot be imported."""
    try:
        import numba
        import numba.core.event
    except ImportError:
        return None
    # The event begins when code is compiled, not when compiled code is loaded from disk.
    event: Any = numba.core.event
    own = {"on_start": lambda *_: [tell() for tell in _TOLD], "on_end": lambda *_: None}
    event.register("numba:compile", type("Listener", (event.Listener,), own)())
    return numba


@contextmanager
def told_of_compiling(tell: Tell) -> Iterator[None]:
    """Call ``tell`` before each function that is compiled within the block."""
    _TOLD.append(tell)
    try:
        yield
    finally:
        _TOLD.remove(tell)


def code_of(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Callable[..., Any] | None:
    """Return ``function`` as machine code for the types of ``arguments``; None without numba."""
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
    # From now on arguments of other types are converted to these types, and no further version is
    # compiled.
    found.disable_compile()  # type: ignore[attr-defined]
    return found


def _parameters(function: Callable[..., Any]) -> Iterable[inspect.Parameter]:
    return inspect.signature(function).parameters.values()


@cache
def arrays_of(function: Callable[..., Any]) -> int:
    """Count the arrays among the parameters of ``function``, those in named tuples included."""
    return sum(_arrays(each.annotation) for each in _parameters(function))


def _arrays(kind: Any) -> int:
    if hasattr(kind, "_fields"):
        return sum(map(_arrays, kind.__annotations__.values()))
    return kind not in (int, float, bool)


def is_made(function: Callable[..., Any]) -> bool:
    """Whether the process has compiled or loaded the machine code of ``function``."""
    return function in _TWINS and bool(_TWINS[function].signatures)


@cache
def callees(function: Callable[..., Any]) -> Sequence[FunctionType]:
    """``function`` and all functions of the package called by ``function``, directly or not."""
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
    """The functions of this package among the globals that ``function`` uses, by their names."""
    names = {each.argval for each in get_instructions(function) if each.opname == "LOAD_GLOBAL"}
    named = {name: function.__globals__.get(name) for name in sorted(names)}
    return {
        name: inspect.unwrap(each)
        for name, each in named.items()
        if isinstance(each, FunctionType) and each.__module__.startswith(f"{__package__}.")
    }


CALLED: Final[set[Callable[..., Any]]] = set()
"""The undecorated functions that plain Python calls, whose machine code needs a Python wrapper."""
_TWINS: Final[dict[Callable[..., Any], Any]] = {}
"""Function -> the twin of the function, as numba's dispatcher."""


def _twin(function: Callable[..., Any]) -> Any:
    """Return the twin of ``function``, as numba's dispatcher; twins of its callees are made too."""
    if function in _TWINS:
        return _TWINS[function]
    assert isinstance(function, FunctionType)
    others = {name: _twin(each) for name, each in _called_by(function).items()}
    code, file = function.__code__, kept_file(function)
    if file is not None:
        # numba keeps machine code beside the file that the bytecode names, and compares the time of
        # that file: the bytecode of the twin names the copy in the cache.
        code = code.replace(co_filename=str(file))
    twin = FunctionType(code, {**function.__globals__, **others}, function.__name__)
    with _cached_here():
        made = _numba().njit(
            cache=file is not None,
            # These functions never divide by 0 (``error_model``) or create an array (``_nrt``), so
            # no code is needed for either. They touch no object of Python, so that other threads
            # may run meanwhile (``nogil``).
            error_model="numpy",
            nogil=True,
            _nrt=False,
            # A wrapper takes time to compile, and only calls from plain Python need one.
            no_cpython_wrapper=function not in CALLED,
            no_cfunc_wrapper=True,
        )(twin)
    made.get_call_template = _for_any_value(made.get_call_template)
    _TWINS[function] = made
    return made


def _for_any_value(template: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap ``template``, which numba calls for a callee of given types, to widen these types.

    A constant gets the type of its value, and every integer type becomes ``int64``. Otherwise numba
    would compile the callee again for each constant and each width of integer.
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
    """Let numba keep code beside the file of a twin, not in NUMBA_CACHE_DIR, within the block."""
    config = _numba().config
    before, config.CACHE_DIR = config.CACHE_DIR, ""
    try:
        yield
    finally:
        config.CACHE_DIR = before
