"""What a job may take, and how a job ended that took more."""

import signal
from dataclasses import dataclass
from typing import Final

_GRACE: Final = 10.0


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one job; None is no limit.

    ``seconds`` are of CPU time, so that a busy machine takes nothing away; for an external program,
    whose CPU time is not seen, they are of wall-clock time. ``wall`` are seconds on the clock, ten
    times ``seconds`` and ten more unless given: for what hangs without computing. ``memory`` are
    bytes: of the whole process, the interpreter's 50 MB or so included.

    Raises:
        ValueError: a limit that is not positive.
    """

    seconds: float | None = None
    wall: float | None = None
    memory: int | None = None

    def __post_init__(self) -> None:
        """Check the numbers."""
        for name in ("seconds", "wall", "memory"):
            value = getattr(self, name)
            if value is not None and not 0 < value < float("inf"):
                raise ValueError(f"limit {name}={value}: more than 0 is needed")

    def clock(self, external: bool) -> float | None:
        """Seconds on the clock that a job may take."""
        given = [self.wall] if self.wall is not None else []
        if self.seconds is not None and (external or not given):
            given.append(self.seconds if external else _GRACE * self.seconds + _GRACE)
        return min(given, default=None)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a job ended instead of giving a result.

    ``how``: ``timeout``, ``memory``, ``crash`` or ``error``; ``what``: the signal or exit code of
    a crash, the exception of an error, in one line. ``seconds`` of CPU time, and bytes of memory
    at the worst moment seen, both of this job.
    """

    how: str
    what: str | None
    seconds: float = 0.0
    memory: int = 0

    def __str__(self) -> str:
        """As in "crash (SIGSEGV)"."""
        return self.how if self.what is None else f"{self.how} ({self.what})"


def how_ended(code: int | None) -> str:
    """The exit code of a process, or the signal that ended it."""
    if code is not None and code < 0:
        return signal.Signals(-code).name
    return f"exit code {code}"


def one_line(error: BaseException) -> str:
    """An exception and its kind."""
    return " ".join(f"{type(error).__name__}: {error}".split())
