"""Limits of a job, the memory and CPU time of a process, and how a job ended beyond its limits."""

import ctypes
import mmap
import resource
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass
from time import thread_time
from typing import Final

_GRACE: Final = 10.0
"""Factor and summand from CPU seconds to the wall-clock seconds of a job."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one job; None is no limit.

    Args:
        seconds: limit of CPU time, which a busy machine does not shorten; for an external program,
            whose CPU time is not measured, limit of wall-clock time.
        wall: limit of wall-clock time in seconds, for jobs that hang without computing; None is
            ``10 * seconds + 10``.
        memory: limit of the whole process in bytes, the interpreter's 50 MB or so included.

    Raises:
        ValueError: a limit that is not positive.
    """

    seconds: float | None = None
    wall: float | None = None
    memory: int | None = None

    def __post_init__(self) -> None:
        """Check that every limit is positive and finite."""
        for name in ("seconds", "wall", "memory"):
            value = getattr(self, name)
            if value is not None and not 0 < value < float("inf"):
                raise ValueError(f"limit {name}={value}: more than 0 is needed")

    def clock(self, external: bool) -> float | None:
        """Return the seconds of wall-clock time that a job may take; None for no limit."""
        given = [self.wall] if self.wall is not None else []
        if self.seconds is not None and (external or not given):
            given.append(self.seconds if external else _GRACE * self.seconds + _GRACE)
        return min(given, default=None)


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a job without a result.

    Args:
        how: ``timeout``, ``memory``, ``crash`` or ``error``.
        what: the signal or exit code of a crash, or the exception of an error, in one line; None
            for ``timeout`` and ``memory``.
        seconds: CPU time of this job.
        memory: bytes of memory at the highest measurement during this job.
    """

    how: str
    what: str | None
    seconds: float = 0.0
    memory: int = 0

    def __str__(self) -> str:
        """Return ``how`` and ``what``, as in "crash (SIGSEGV)"."""
        return self.how if self.what is None else f"{self.how} ({self.what})"


def how_ended(code: int | None) -> str:
    """Return the exit code of a process in words, or the name of the signal that ended it."""
    if code is not None and code < 0:
        return signal.Signals(-code).name
    return f"exit code {code}"


# Memory and CPU time of a process: the current size, the peak so far, a limit, and a clock.

UNIT: Final = 1 if sys.platform == "darwin" else 1024
"""Bytes in the unit of ``ru_maxrss``."""


def memory_now(process: int | str = "self") -> int:
    """Return the bytes of a process in memory; 0 on systems without ``/proc``."""
    return _pages(process, 1)


def limit_memory(more: int) -> None:
    """Limit the address space of this process to ``more`` bytes above its current size.

    Allocations over the limit fail. On systems without ``/proc`` or ``RLIMIT_AS`` nothing is
    limited.
    """
    now = _pages("self", 0)
    if now:
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        most = now + more if hard == resource.RLIM_INFINITY else min(now + more, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def forget_peak() -> None:
    """Reset the peak to the memory in use now; on systems without ``/proc`` the old peak stays."""
    with suppress(OSError, AttributeError):
        # glibc keeps memory that earlier work has freed; returned to the system, that memory does
        # not count for the work that follows.
        ctypes.CDLL(None).malloc_trim(0)
    with suppress(OSError), open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def peak_memory() -> int:
    """Return the peak of memory in bytes since ``forget_peak``."""
    with suppress(OSError, ValueError, IndexError), open("/proc/self/status", "rb") as file:
        return int(file.read().split(b"VmHWM:")[1].split()[0]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * UNIT


def cpu_seconds(children: bool) -> float:
    """Return the CPU seconds of this thread.

    ``children``: whether to add the CPU seconds of all child processes that have been waited for.
    """
    spent = thread_time()
    if children:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent += usage.ru_utime + usage.ru_stime
    return spent


def _pages(process: int | str, field: int) -> int:
    with suppress(OSError, ValueError, IndexError), open(f"/proc/{process}/statm", "rb") as file:
        return int(file.read().split()[field]) * mmap.PAGESIZE
    return 0
