"""Standard output kept for the answer alone, whatever libraries print.

Libraries print at any time: compiled code on descriptor 1, which child processes inherit, and
Python code on ``sys.stdout``. So the process duplicates the standard output of its caller to
another descriptor, which is used for answers alone, and redirects both descriptor 1 and
``sys.stdout`` to standard error.
"""

import errno
import io
import os
import sys
from typing import Any, NoReturn, TextIO


class _Answers(io.TextIOWrapper):
    """The stream to the caller's standard output after `reserve_stdout`."""


def reserve_stdout() -> None:
    """Let answers alone be written to standard output, for the rest of this process.

    The buffer of C's ``stdout`` is flushed at the end of the process to descriptor 1, which is
    standard error by then. If the caller has closed standard output, every print of an answer
    raises OSError.
    """
    # The null device is opened as each of the descriptors 0, 1 and 2 that the caller has closed.
    # The system gives out the lowest free number: otherwise a file opened later would get one of
    # the three, and prints would be written to that file.
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)
    found: Any = sys.stdout
    if found is None:
        kept = _Answers(_Closed(os.devnull, "w"), "utf-8", write_through=True)
    else:
        # Text printed before is flushed while the old stream still has the caller's descriptor.
        found.flush()
        # `os.dup` makes a descriptor that programs started by this process do not inherit.
        copy, unbuffered = os.dup(1), isinstance(found.buffer, io.RawIOBase)
        kept = _Answers(
            os.fdopen(copy, "wb", 0 if unbuffered else -1, closefd=False),
            *(found.encoding, found.errors, "\n", found.line_buffering, found.write_through),
        )
    os.dup2(2, 1)
    # As on standard error: line by line, and characters outside the encoding are escaped.
    output = io.BufferedWriter(_LibraryOutput(1, "w", closefd=False))
    sys.stdout = io.TextIOWrapper(output, errors="backslashreplace", line_buffering=True)
    # Python and rich read the width of the terminal from `sys.__stdout__`.
    sys.__stdout__ = kept  # type: ignore[misc]


def answer_stream() -> TextIO:
    """Return the stream of answers: reserved standard output, or else ``sys.stdout``."""
    return sys.__stdout__ if isinstance(sys.__stdout__, _Answers) else sys.stdout


def print_answer(*lines: object, end: str = "\n") -> None:
    """Print lines of an answer; ``end`` follows the last."""
    print(*lines, sep="\n", end=end, file=answer_stream())


def stdout_closed() -> bool:
    """Return whether the caller has closed standard output."""
    stream = answer_stream()
    return stream is None or isinstance(getattr(stream, "buffer", None), _Closed)


def stdout_is_terminal() -> bool:
    """Return whether answers go to a terminal."""
    stream = answer_stream()
    return stream is not None and stream.isatty()


def flush_stdout() -> None:
    """Flush the stream of answers."""
    if (stream := answer_stream()) is not None:
        stream.flush()


def abandon_stdout() -> None:
    """Discard the buffer of the stream of answers after a failed write; else closing fails too."""
    if (stream := answer_stream()) is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class _LibraryOutput(io.FileIO):
    """Stream for the output of libraries: a failed write loses the output and raises nothing."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes


class _Closed(io.FileIO):
    """Standard output that was closed before the process began: every write fails."""

    def write(self, data: object) -> NoReturn:
        raise OSError(errno.EBADF, "standard output is closed", "<stdout>")
