"""Memory and CPU time of a process: the current size, the peak so far, a limit, and a clock."""

import ctypes
import mmap
import resource
import sys
from contextlib import suppress
from time import thread_time
from typing import Final

UNIT: Final = 1 if sys.platform == "darwin" else 1024
"""Bytes in the unit of ``ru_maxrss``."""


def memory_now(process: int | str = "self") -> int:
    """Return the bytes of a process in memory; 0 on systems without ``/proc``."""
    return _pages(process, 1)


def limit_memory(more: int) -> None:
    """Limit the address space of this process to ``more`` bytes above its current size.

    Allocations beyond the limit fail.

    Where the system has no such limit, nothing is limited.
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
        # What earlier work has freed is not this work's: glibc keeps it.
        ctypes.CDLL(None).malloc_trim(0)
    with suppress(OSError), open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def peak_memory() -> int:
    """Return the peak of memory in bytes since ``forget_peak``."""
    with suppress(OSError, ValueError, IndexError), open("/proc/self/status", "rb") as file:
        return int(file.read().split(b"VmHWM:")[1].split()[0]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * UNIT


def cpu_seconds(children: bool) -> float:
    """Return the CPU seconds of this thread, and of all ``children`` that have been waited for."""
    spent = thread_time()
    if children:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent += usage.ru_utime + usage.ru_stime
    return spent


def _pages(process: int | str, field: int) -> int:
    with suppress(OSError, ValueError, IndexError), open(f"/proc/{process}/statm", "rb") as file:
        return int(file.read().split()[field]) * mmap.PAGESIZE
    return 0
