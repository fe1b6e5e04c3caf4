"""How to classify: the options that the session and every engine take, as one value."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from satsweeper.board.view import Flags

PORTFOLIO: Final = "portfolio"
"""The engine that is asked unless another is named: the session, and more where search fails."""
SESSION: Final = "sat"
"""Rules, tables and one incremental session alone."""
SESSIONS: Final = (PORTFOLIO, SESSION)
"""The engines that are the session, and have its options."""


@dataclass(frozen=True)
class Options:
    """What is told to whatever classifies.

    ``encoding``, ``total_encoding``, ``solver`` and ``plain`` are the session's; ``cap`` is the
    engine ``enumeration``'s: it leaves regions of more cells alone. ``timeout``: seconds, after
    which the answer may be partial. ``tell`` is called now and then with what is certain so far,
    for whoever may have to end the search.
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

    def check(self, sign: str = "") -> None:
        """Refuse options that the engine does not have; ``sign`` is put before their names.

        Raises:
            ValueError: an option is not of this engine.
        """
        if self.cap is not None and self.engine != "enumeration":
            raise ValueError(f"{sign}cap is for {sign}engine enumeration, not {self.engine}")
        of_session = (self.encoding, self.total_encoding, self.solver, self.plain)
        if self.engine not in SESSIONS and of_session != ("direct", "totalizer", "auto", False):
            raise ValueError(
                f"{sign}encoding, {sign}total-encoding, {sign}solver and {sign}plain are for"
                f" {sign}engine {' or '.join(SESSIONS)}, not {self.engine}"
            )
