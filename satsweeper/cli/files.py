"""The files that commands write: named by options, ``-`` for standard output."""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import IO, Final

from satsweeper.cli.exit_codes import InputError, UsageError

STDOUT: Final = "-"


def check_files(source: str, written: str, names: str | None, what: str = "board") -> None:
    """Refuse to write over what is read (``what`` it is), or two things to one file.

    Raises UsageError, and InputError for what cannot be the name of a file.
    """
    try:
        files = [os.path.realpath(name) for name in (written, names) if name not in (None, STDOUT)]
        read = os.path.realpath(source)
    except ValueError as error:
        raise InputError(f"the name of a file: {error}") from None
    if source != STDOUT and read in files:
        raise UsageError(f"{source} is the {what} itself and would be overwritten")
    if names == written or (names and len(files) == 2 and files[0] == files[1]):
        raise UsageError(f"-o and --map both name {written}")


def print_json(answer: object) -> None:
    """An object on a line of standard output."""
    import json

    print(json.dumps(answer))


@contextmanager
def opened(name: str, shown: str) -> Iterator[IO[bytes]]:
    """A file or standard input to read; InputError for whatever is wrong with it or in it.

    ``shown`` is how a message names it.
    """
    from pbcnf.formats.error import FormatError

    if name == STDOUT and sys.stdin is None:
        raise InputError("<stdin>: standard input is closed")
    try:
        if name == STDOUT:
            yield sys.stdin.buffer
        else:
            with open(name, "rb") as stream:
                yield stream
    except FormatError:
        raise
    except OSError as error:
        raise InputError(f"{shown}: {error.strerror or error}") from None
    except ValueError as error:
        # Damaged or too large when unpacked; or a NUL in the name.
        raise InputError(f"{shown}: {error}") from None
    except MemoryError:
        raise InputError(f"{shown}: not enough memory") from None


@contextmanager
def output(name: str) -> Iterator[IO[bytes]]:
    """The stream to write to; InputError for what cannot be written."""
    from pbcnf.formats.writing import replacing
    from satsweeper.notation.error import printable

    if name == STDOUT:
        with _stdout() as stream:
            yield stream
        return
    try:
        with replacing(name) as stream:
            yield stream
    except OSError as error:
        raise InputError(f"{printable(name)}: {error.strerror or error}") from None


@contextmanager
def outputs(written: str, names: str | None) -> Iterator[tuple[IO[bytes], IO[bytes] | None]]:
    """The streams of a file and of its name map, if one is wanted; InputError as ``output``."""
    with ExitStack() as files:
        mapped = None if names is None else files.enter_context(output(names))
        yield files.enter_context(output(written)), mapped


@contextmanager
def _stdout() -> Iterator[IO[bytes]]:
    if sys.stdout is None:
        raise InputError("<stdout>: standard output is closed")
    try:
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        # Python would try to write the rest once more when it closes standard output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise InputError(f"<stdout>: {error.strerror or error}") from None
