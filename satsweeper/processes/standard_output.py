"""Standard output kept for the answer alone, whatever libraries print.

Libraries print on descriptor 1 whenever they like, from compiled code as well, and child processes
inherit it. So the process keeps what its caller calls standard output under another number, which
``sys.stdout`` alone writes to, and lets descriptor 1 be standard error.
"""

import errno
import io
import os
import sys
from typing import Any, NoReturn


def reserve_stdout() -> None:
    """Let ``sys.stdout`` alone write to standard output, for the rest of this process.

    The buffer of C's ``stdout`` is flushed at the end of the process, to where descriptor 1 leads
    then: to standard error. Where the caller has closed standard output, whatever is printed raises
    OSError.
    """
    _open_standard_descriptors()
    found: Any = sys.stdout
    kept: io.TextIOWrapper
    if found is None:
        kept = io.TextIOWrapper(_Closed(os.devnull, "w"), "utf-8", write_through=True)
    else:
        # Nothing that was printed before may stay in the old stream, whose descriptor changes.
        found.flush()
        # A duplicate is not inherited by the programs that this process starts.
        copy, unbuffered = os.dup(1), isinstance(found.buffer, io.RawIOBase)
        kept = io.TextIOWrapper(
            os.fdopen(copy, "wb", 0 if unbuffered else -1, closefd=False),
            *(found.encoding, found.errors, "\n", found.line_buffering, found.write_through),
        )
    sys.stdout = sys.__stdout__ = kept  # type: ignore[misc]
    os.dup2(2, 1)


def stdout_closed() -> bool:
    """Whether the caller has closed standard output."""
    return sys.stdout is None or isinstance(getattr(sys.stdout, "buffer", None), _Closed)


def abandon_stdout() -> None:
    """Discard what ``sys.stdout`` holds after it failed: closing it would fail once more."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Closed(io.FileIO):
    """Standard output that was closed before the process began: nothing can be written to it."""

    def write(self, data: object) -> NoReturn:
        raise OSError(errno.EBADF, "standard output is closed", "<stdout>")


def _open_standard_descriptors() -> None:
    """Open the null device as descriptor 0, 1 or 2 where the caller has closed that descriptor.

    Otherwise the next file that is opened gets its number, and what is printed is written there.
    """
    # The lowest free number is the one that is given out.
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)
