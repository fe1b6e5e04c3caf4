"""Standard output is for the answer alone.

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
    """From now on ``sys.stdout`` alone writes to standard output, for a whole process.

    What C still holds back is written where descriptor 1 leads when the process ends: to standard
    error. Where the caller has closed standard output, the first answer is an error.
    """
    _open_standard_descriptors()
    found: Any = sys.stdout
    kept: io.TextIOWrapper
    if found is None:
        kept = io.TextIOWrapper(_Closed(os.devnull, "w"), "utf-8", write_through=True)
    else:
        found.flush()
        # A copy of a descriptor is closed in the programs that this process starts.
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
    """Keep Python from complaining once more when it closes a standard output that failed."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Closed(io.FileIO):
    """Standard output that was closed before the process began: nothing can be written to it."""

    def write(self, data: object) -> NoReturn:
        raise OSError(errno.EBADF, "standard output is closed", "<stdout>")


def _open_standard_descriptors() -> None:
    """Let those that are closed lead nowhere: the next file that is opened would get the number."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)
