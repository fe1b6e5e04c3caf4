"""The door of numba: functions on arrays as machine code, or as plain Python where it is missing.

What is decorated keeps to numbers, arrays and named tuples of them, and gives the same results
either way; as plain Python it takes some hundred times as long. Machine code is kept for later
processes in ``__pycache__``, or in the user's cache where that cannot be written, under a digest of
all that is compiled: numba itself notices only changes of the file that a function stands in.
"""

import os
from collections.abc import Callable, Iterable, Mapping
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
    numba.config.CACHE_DIR = _FOLDER
    try:
        made = numba.njit(cache=True, error_model="numpy", nogil=True, _nrt=False)(function)
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


def _folder() -> str:
    here = Path(__file__).parent
    digest = sha256()
    for path in sorted(here.glob("*.py")):
        digest.update(path.read_bytes())
    beside = here / "__pycache__"
    if not os.access(beside if beside.exists() else here, os.W_OK):
        home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        beside = Path(home) / "satsweeper"
    return str(beside / f"kernel-{digest.hexdigest()[:16]}")


_FOLDER: Final = _folder()

NEW: Final = COMPILES and not Path(_FOLDER).exists()
"""Whether nothing has been compiled here yet: the first calls take a minute or so."""
