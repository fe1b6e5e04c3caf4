"""The door of numba: functions on arrays as machine code, or as plain Python where it is missing.

What is decorated keeps to numbers, arrays and named tuples of them, and gives the same results
either way; as plain Python it takes some hundred times as long. Machine code is kept for later
processes in ``__pycache__``, or in the user's cache where that cannot be written, under a digest of
all that is compiled: numba itself notices only changes of the file that a function stands in. Where
neither can be written, nothing is kept.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])


def _imported() -> Any:
    try:
        import numba
    except ImportError:
        return None
    return numba


numba: Final = _imported()

COMPILES: Final = numba is not None
"""Whether functions become machine code here."""


def compiled(function: F) -> F:
    """The function, compiled at its first call."""
    if numba is None:
        return function
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = _FOLDER or before
    try:
        keeps = _FOLDER is not None
        made = numba.njit(cache=keeps, error_model="numpy", nogil=True, _nrt=False)(function)
    finally:
        numba.config.CACHE_DIR = before
    made.get_call_template = _for_any_value(made.get_call_template)
    return cast(F, made)


def _for_any_value(template: Callable[..., Any]) -> Callable[..., Any]:
    """The question for a callee's code, without the values of constants among the arguments.

    With them, numba compiles a function once more for each constant that it is called with.
    """
    plain = numba.types.unliteral

    def asked(args: Iterable[Any], kws: Mapping[str, Any]) -> Any:
        return template(tuple(map(plain, args)), {name: plain(kws[name]) for name in kws})

    return asked


def _folder() -> str | None:
    here = Path(__file__).parent
    digest = sha256()
    for path in sorted(here.glob("*.py")):
        digest.update(path.read_bytes())
    name = f"kernel-{digest.hexdigest()[:16]}"
    cache = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache", "satsweeper")
    for folder in (here / "__pycache__", cache):
        # Who has no home has no cache in it.
        with suppress(OSError, RuntimeError):
            folder = folder.expanduser()
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return str(folder / name)
    return None


_FOLDER: Final = _folder()

NEW: Final = COMPILES and (_FOLDER is None or not Path(_FOLDER).exists())
"""Whether nothing has been compiled here yet: the first calls take a minute or so."""
