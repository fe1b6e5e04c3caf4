"""Machine code for every compiled function of play, made before it is needed."""

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final

from satsweeper.play import kernel
from satsweeper.play.advice import advise
from satsweeper.play.generation.run import generate
from satsweeper.play.kernel.compiled import ENTRIES, foresee
from satsweeper.play.kernel.machine_code import folder, kept_names, name_of
from satsweeper.play.playing import play
from satsweeper.position import Position

_WORK: Final[tuple[Callable[[], object], ...]] = (
    lambda: advise(Position.parse("3 3 2\n???\n???\n???")),
    lambda: advise(Position.parse("9 9 10\n" + 9 * ("?" * 9 + "\n"))),
    lambda: play("9x9/10", "exact", seed=5),
    lambda: play("9x9/10", "learned", seed=5),
    lambda: play("9x9/10", "progress", seed=5),
    lambda: generate("9x9/10", no_guess=True),
)
"""Calls that together run every function that can become machine code."""
STEPS: Final = len(_WORK)


def warm(reach: Callable[[float], object]) -> None:
    """Compile every function whose machine code is not in the cache yet.

    ``reach`` is called with the number of ``STEPS`` that are done.
    """
    for done, work in enumerate(_WORK):
        reach(done)
        foresee(float("inf"))
        work()


def kept() -> dict[str, Any]:
    """The folder of the cache, the number of compiled functions, and how many are in the cache."""
    # ``ENTRIES`` has the functions of imported modules only, so import all of them.
    for module in iter_modules(kernel.__path__):
        import_module(f"{kernel.__name__}.{module.name}")
    names, place = kept_names(), folder()
    return {
        "folder": None if place is None else str(place),
        "functions": len(ENTRIES),
        "kept": sum(name_of(entry.function) in names for entry in ENTRIES),
    }
