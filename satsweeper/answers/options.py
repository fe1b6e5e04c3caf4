"""The options of a classification as one value: engine, its settings, flags, time limit."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from satsweeper.board.facts import Flags

PORTFOLIO: Final = "portfolio"
"""The engine that is asked unless another is named: the session, and more where search fails."""
SESSION: Final = "sat"
"""Rules, tables and one incremental session alone."""


@dataclass(frozen=True)
class Options:
    """The engine, its settings, the reading of flags, and the time limit.

    ``encoding``, ``total_encoding``, ``solver`` and ``plain`` are for the session alone, ``cap``
    for the engine ``enumeration``, which leaves regions of more cells alone
    (``satsweeper.engines.table.check_options``). ``timeout``: seconds, after which the answer may
    be partial. ``tell`` is called now and then with a partial answer, so that a caller can end the
    search at any time.
    """

    engine: str = PORTFOLIO
    encoding: str = "direct"
    total_encoding: str = "totalizer"
    solver: str = "auto"
    flags: Flags = "trust"
    plain: bool = False
    timeout: float | None = None
    cap: int | None = None
    tell: Callable[[Any], object] | None = None
