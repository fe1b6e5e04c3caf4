"""The files that commands write: named by options, ``-`` for standard output.

A command checks that its files can be written before any work begins (``check_written``,
``require_writable``, ``require_folder``), so that no answer is computed that cannot be written.
"""

import argparse
import os
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import IO, TYPE_CHECKING, Final

from pbcnf.errors import Error
from satsweeper.cli.exit_codes import InputError, UsageError, input_errors, usage_errors
from satsweeper.processes.standard_output import (
    abandon_stdout,
    answer_stream,
    flush_stdout,
    print_answer,
    stdout_closed,
)

if TYPE_CHECKING:
    from pbcnf.formats.table import Format

STDOUT: Final = "-"

_BOARD: Final = 2**24
"""Number of bytes at the beginning of a file that are read to tell whether the file is a board."""


def check_written(source: str, options: Mapping[str, str | None], what: str = "board") -> None:
    """Refuse to overwrite the file ``source``, or to write two results to one file.

    Args:
        source: the name of the file that the command reads.
        options: option -> the name of a file to write; None if the option is not given.
        what: the kind of ``source`` in messages.

    Raises:
        UsageError: two of the files are the same.
        InputError: a file cannot be written.
    """
    given = {option: name for option, name in options.items() if name is not None}
    with _named(source):
        files = [os.path.realpath(name) for name in given.values() if name != STDOUT]
        read = os.path.realpath(source)
    if source != STDOUT and read in files:
        raise UsageError(f"{source} is the {what} itself and would be overwritten")
    _refuse_same(given)
    require_writable(*given.values())


def _refuse_same(given: Mapping[str, str]) -> None:
    """Raise UsageError if two options name one file; ``given``: option -> name."""
    taken: dict[str, str] = {}
    for option, name in given.items():
        earlier = taken.setdefault(name if name == STDOUT else os.path.realpath(name), option)
        if earlier != option:
            raise UsageError(f"{earlier} and {option} both name {given[earlier]}")


def check_outputs(named: Mapping[str, str | None], folder: str | None) -> None:
    """Refuse files that cannot all be written beside the results of a sweep.

    Args:
        named: option without dashes -> the name of its file; None if the option is not given.
        folder: the folder of the sweep, whose results must not be overwritten; None for no folder.

    Raises:
        UsageError: two files are the same, or one is part of the sweep.
    """
    from satsweeper.compare.sweep.journal import MANIFEST, RESULTS

    given = {f"--{option}": name for option, name in named.items() if name}
    if list(given.values()).count(STDOUT) > 1:
        raise UsageError("standard output (-) takes one of the files, or --json")
    parts = (RESULTS, MANIFEST) if folder is not None else ()
    of_sweep = {os.path.realpath(os.path.join(folder or "", part)) for part in parts}
    for option, name in given.items():
        if os.path.realpath(name) in of_sweep:
            raise UsageError(f"{option} {name} is part of the sweep and would be overwritten")
    _refuse_same(given)


def format_named(arguments: argparse.Namespace) -> "Format":
    """Return the format of --format, or else of the ending of the -o file; CNF on standard output.

    Raises UsageError if neither names a format, or both do and differ.
    """
    from pbcnf.errors import EncodingError
    from pbcnf.formats.table import format_to_write

    try:
        return format_to_write(arguments.output, arguments.format, "cnf")
    except EncodingError as error:
        fault = str(error)
        if not fault.startswith(arguments.output):
            fault = f"{arguments.output}: {fault}"
        hint = "" if arguments.format else "; --format names one"
        raise UsageError(f"-o {fault}{hint}") from None


def require_writable(*names: str | None) -> None:
    """Check that the files ``names`` can be written, without touching them; None is no file.

    Raises InputError, and UsageError for an empty name or the ending of an unsupported compression.
    """
    from pbcnf.errors import EncodingError
    from pbcnf.formats.table import ending

    for name in names:
        if name is None:
            continue
        if name == STDOUT:
            if stdout_closed():
                raise InputError("<stdout>: standard output is closed")
            continue
        if not name:
            raise UsageError("the name of a file to write is empty")
        with _named(name), usage_errors(EncodingError):
            ending(name)
            _try(name)


def require_folder(name: str) -> None:
    """Make the folder ``name`` if it does not exist, and check that files can be written into it.

    Raises InputError.
    """
    with _named(name, "folder"):
        os.makedirs(name, exist_ok=True)
        _try_folder(name)


def require_folder_for(name: str) -> None:
    """Check that the folder ``name`` exists or can be made, without making it.

    Raises InputError.
    """
    with _named(name, "folder"):
        path = os.path.realpath(name)
        while not os.path.lexists(path):
            path = os.path.dirname(path)
        _try_folder(path)


def _try(name: str) -> None:
    # A regular file is written under another name in the same folder and then moved, so the folder
    # must be writable; devices and pipes are written to directly.
    path = os.path.realpath(name)
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mode = stat.S_IFREG
    if stat.S_ISDIR(mode) or name.endswith(os.sep):
        raise IsADirectoryError(0, "Is a directory")
    if stat.S_ISREG(mode):
        _try_folder(os.path.dirname(path))
    elif not os.access(path, os.W_OK):
        raise PermissionError(0, "Permission denied")


def _try_folder(folder: str) -> None:
    """Raise OSError unless files can be made in ``folder``."""
    if not os.path.isdir(folder):
        # Raises the error of a missing folder, or of a file in its place.
        os.listdir(folder)
    import tempfile

    tempfile.TemporaryFile(dir=folder).close()


@contextmanager
def _named(name: str, what: str = "file") -> Iterator[None]:
    """Turn errors in the block, about the file or folder ``name``, into InputError.

    ``what`` is "file" or "folder", for messages.
    """
    try:
        with input_errors(name):
            yield
    except Error:
        raise
    except ValueError as error:
        raise InputError(f"the name of a {what}: {error}") from None


def refuse_board(path: str, shown: str, format: str, begins: bytes = b"") -> None:
    """Raise InputError if the file given as a formula or a problem is a board.

    Args:
        path: the name of the file, or ``-``.
        shown: the name of the file in the message.
        format: the format in which ``export`` should write the board, for the message.
        begins: the beginning of standard input.
    """
    import shlex

    if is_board(path, begins):
        board = "BOARD" if path == STDOUT else shlex.quote(path)
        to = f"satsweeper export {board} -o FILE.{format}"
        raise InputError(f"{shown}: this is a board: {to} makes a file of it")


def is_board(path: str, begins: bytes = b"") -> bool:
    """Return whether the file ``path`` is a board; without such a file, whether ``begins`` is."""
    from satsweeper.notation.error import BoardError
    from satsweeper.notation.read_board import read_board

    data = begins
    if os.path.isfile(path):
        with open(path, "rb") as stream:
            data = stream.read(_BOARD)
    # A file of digits and signs alone may be clauses; a covered cell or a flag is ?, #, H or F.
    if not any(symbol in data for symbol in b"?#HF"):
        return False
    try:
        read_board(data, path)
    except (BoardError, ValueError):
        return False
    return True


def print_json(answer: object) -> None:
    """Print ``answer`` as one JSON object on a line of standard output."""
    import json

    print_answer(json.dumps(answer))


@contextmanager
def opened(name: str, shown: str) -> Iterator[IO[bytes]]:
    """Open the file ``name``, or standard input, to read; faults of the file become InputError.

    ``shown`` is the name of the file in messages.
    """
    from pbcnf.formats.error import FormatError

    if name == STDOUT and sys.stdin is None:
        raise InputError("<stdin>: standard input is closed")
    try:
        with input_errors(shown), ExitStack() as files:
            standard = name == STDOUT
            yield sys.stdin.buffer if standard else files.enter_context(open(name, "rb"))
    except FormatError:
        raise
    except ValueError as error:
        # The compressed data are damaged or too large, or the name holds a NUL.
        raise InputError(f"{shown}: {error}") from None
    except MemoryError:
        raise InputError(f"{shown}: not enough memory") from None


@contextmanager
def output(name: str) -> Iterator[IO[bytes]]:
    """Open the file ``name`` or standard output to write; raise InputError if that fails."""
    from pbcnf.formats.writing import replacing

    if name != STDOUT:
        with input_errors(name), replacing(name) as stream:
            yield stream
        return
    require_writable(STDOUT)
    try:
        flush_stdout()
        yield answer_stream().buffer
        flush_stdout()
    except BrokenPipeError:
        raise
    except OSError as error:
        abandon_stdout()
        raise InputError(f"<stdout>: {error.strerror or error}") from None


@contextmanager
def outputs(written: str, names: str | None) -> Iterator[tuple[IO[bytes], IO[bytes] | None]]:
    """Open the files ``written`` and ``names``, its name map, to write; None is no map.

    Raises InputError as `output` does.
    """
    with ExitStack() as files:
        mapped = None if names is None else files.enter_context(output(names))
        yield files.enter_context(output(written)), mapped


def check_proof(name: str | None, *others: str | None) -> None:
    """Refuse the --proof file ``name`` if not writable or one of the files ``others``."""
    if name is None:
        return
    if name == STDOUT:
        raise UsageError("--proof writes to a file, not to standard output")
    for other in others:
        if other not in (None, STDOUT) and os.path.realpath(name) == os.path.realpath(other):
            raise UsageError(f"--proof and another file are both {name}")
    require_writable(name)
