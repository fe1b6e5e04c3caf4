"""A whole sweep: planned, run in processes that may be killed, written down, resumed."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from satsweeper.compare.sweep.run import sweep as sweep


def __getattr__(name: str) -> Any:
    """Import ``sweep`` on first use: the processes of a sweep need only parts of this."""
    if name != "sweep":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from satsweeper.compare.sweep.run import sweep

    return sweep
