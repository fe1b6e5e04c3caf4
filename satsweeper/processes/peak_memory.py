"""How much memory this process has needed at the worst moment since it was last asked to forget."""

import ctypes
import sys
from contextlib import suppress
from typing import Final

UNIT: Final = 1 if sys.platform == "darwin" else 1024
"""Bytes in the unit of ``ru_maxrss``."""


def forget_peak() -> None:
    """Begin anew, with what is in use now; where the system cannot, the old peak stays."""
    with suppress(OSError, AttributeError):
        # What earlier work has freed is not this work's: glibc keeps it.
        ctypes.CDLL(None).malloc_trim(0)
    with suppress(OSError), open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def peak_memory() -> int:
    """Bytes in memory at the worst moment; 0 where the system does not tell."""
    with suppress(OSError, ValueError, IndexError), open("/proc/self/status", "rb") as file:
        return int(file.read().split(b"VmHWM:")[1].split()[0]) * 1024
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * UNIT
