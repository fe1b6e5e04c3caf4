"""The options of a classification as one value: engine, its settings, flags, time limit."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Final

from satsweeper.board.facts import Flags
from satsweeper.board.value import Value

PORTFOLIO: Final = "portfolio"
"""The default engine: the session, with elimination and linear programs where search fails."""
SESSION: Final = "sat"
"""The engine of rules, tables and one incremental session, without linear algebra."""


class Options(Value):
    """The engine, its settings, the reading of flags, and the time limit.

    ``encoding``, ``total_encoding``, ``solver`` and ``plain`` apply to the engines ``portfolio``
    and ``sat`` alone, and ``cap`` to ``enumeration``, which skips regions of more than ``cap``
    cells (``satsweeper.engines.table.check_options``). ``timeout``: seconds, after which the answer
    may be partial; None: no limit. ``tell`` is called from time to time with a partial answer, so
    that a caller can end the search at any time.
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

    @cached_property
    def by_session(self) -> bool:
        """Whether the engine is the session."""
        return self.engine in (PORTFOLIO, SESSION)

    @cached_property
    def at_once(self) -> bool:
        """Whether nothing is asked for that a session alone has.

        That is a named solver, an encoding, a time limit, partial answers, the slow oracle.
        """
        given = self.solver, self.encoding, self.total_encoding, self.plain, self.timeout, self.tell
        return given == ("auto", "direct", "totalizer", False, None, None)
