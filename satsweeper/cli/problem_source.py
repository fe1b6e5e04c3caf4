"""The problem that a command reads, as often as needed, with progress; and its encoders."""

import argparse
import io
import os
import shlex
import sys
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from functools import partial
from typing import IO, TYPE_CHECKING, Final

from satsweeper.cli.exit_codes import InputError, input_errors, usage_errors
from satsweeper.cli.files import STDOUT
from satsweeper.cli.options import natural, option
from satsweeper.processes.standard_output import stdout_is_terminal
from satsweeper.show.progress import Reach, progress

if TYPE_CHECKING:
    from pbcnf.emission.whole_problems import Choices
    from pbcnf.formats.problem_file import ProblemFile

_PROBLEMS: Final = ("wcnf", "knf", "cnf+", "lp", "mps", "smt2")
"""Formats of problems that are recognised by their text."""
_OPB: Final = (b"*", b"min:", b"max:", b"soft:", b"[")
"""Beginnings of the first line of an OPB or WBO file."""


def watched_problem(
    problem: str,
    shown: str,
    files: ExitStack,
    what: str | Callable[[], str] = "encoding",
    *,
    strict: bool = False,
) -> "ProblemFile":
    """Open the file ``problem`` to be read constraint by constraint, with a progress bar.

    Args:
        problem: the name of the file, or ``-`` for standard input.
        shown: the name of the file in messages.
        files: closes the file at its end.
        what: the work that the progress bar names, or a function that returns it.
        strict: whether to refuse an OPB header with wrong numbers, as ``pbcnf.read_problem`` does.

    Raises:
        InputError: the file cannot be read.
        FormatError: the text breaks the rules of its format.
    """
    from pbcnf.formats.problems import open_problem

    with input_errors(shown):
        path = on_disk(problem, files)
        reach = files.enter_context(progress(what, os.path.getsize(path)))
        _Watched(path, reach).close()
    opened = partial(_Watched, path, reach)
    return files.enter_context(open_problem(opened, shown, strict=strict, path=problem))


def progress_beside(output: str, what: str) -> AbstractContextManager[object]:
    """Show the progress of the work ``what``, unless ``output`` goes to the terminal, too."""
    shown = output == STDOUT and stdout_is_terminal()
    return nullcontext() if shown else progress(what)


def refuse_problem(path: str, shown: str, begins: bytes = b"") -> None:
    """Raise InputError if the file given as a formula is a problem of a known format.

    ``shown`` is the name of the file in messages; ``begins`` is the beginning of standard input.
    """
    from pbcnf.formats.error import FormatError
    from pbcnf.formats.problem_file import FileLines
    from pbcnf.formats.problems import recognised

    def opened() -> IO[bytes]:
        return io.FileIO(path) if os.path.isfile(path) else io.BytesIO(begins)

    lines = FileLines(opened, shown, path=path)
    with suppress(FormatError, OSError, StopIteration):
        found = recognised(lines).name
        first = next(line for line in lines.again() if line.strip() and line[:1] != b"c")
        lines.close()
        if first.split()[:2] == [b"p", b"knf"]:
            found = "knf"
        # `recognised` takes a text of no known format for opb, so the first line is checked too.
        if found in _PROBLEMS or (found == "opb" and first.startswith(_OPB)):
            named = "PROBLEM" if path == STDOUT else shlex.quote(path)
            to = f"satsweeper encode {named} -o FILE.cnf"
            raise InputError(f"{shown}: this is {found}, not cnf: it becomes that by {to}")


def on_disk(problem: str, files: ExitStack) -> str:
    """Return a file that can be read repeatedly: a pipe is copied to a temporary file.

    ``files`` deletes the copy at its end. Copied is at most what a reader takes: of a line that is
    too long, enough for the reader to refuse it.
    """
    if problem != STDOUT and os.path.isfile(problem):
        return problem
    # Closed, and so deleted, with the other files of the command.
    copy = files.enter_context(tempfile.NamedTemporaryFile())  # noqa: SIM115
    if problem != STDOUT:
        with open(problem, "rb") as pipe:
            _copy(pipe, copy)
    elif sys.stdin is not None:
        _copy(sys.stdin.buffer, copy)
    copy.flush()
    return copy.name


def format_on_disk(path: str, shown: str) -> str:
    """Return the name of the format of the problem in the file ``path``, by its content.

    Raises FormatError, which names ``shown``, for a file of no format.
    """
    from pbcnf.formats.problem_file import FileLines
    from pbcnf.formats.problems import recognised

    lines = FileLines(lambda: io.FileIO(path), shown, path=path)
    try:
        return recognised(lines).name
    finally:
        lines.close()


def _copy(pipe: IO[bytes], copy: IO[bytes]) -> None:
    from pbcnf.formats.compressed import LONGEST_LINE

    in_line = 0
    while in_line <= LONGEST_LINE and (piece := pipe.read(1 << 20)):
        copy.write(piece)
        end = piece.rfind(b"\n") + 1
        in_line = len(piece) - end + (0 if end else in_line)


class _Watched(io.FileIO):
    """A file whose reading moves the progress bar."""

    def __init__(self, path: str, reach: Reach) -> None:
        super().__init__(path)
        self._reach = reach

    # Callers pass only these two kinds of buffers; the base class accepts more.
    def readinto(self, buffer: "memoryview | bytearray", /) -> int | None:  # type: ignore[override]
        """Read into the buffer and move the bar."""
        count = super().readinto(buffer)
        self._reach(self.tell())
        return count


# Options that name the encoders of the constraints.

KINDS: Final = {
    "at_most_one": "at-most-one constraints",
    "cardinality": "cardinality constraints",
    "pseudo_boolean": "pseudo-boolean constraints",
    "parity": "parities: direct, cut_3 to cut_8",
}
"""Field of ``Choices`` -> the kind of constraint that the option of this name is for."""

_MOST_CLAUSES: Final = 20_000_000
ENCODERS: Final = (
    option("--encoding NAME", "encoder of every kind of constraint that it can do"),
    *(
        option(f"--{kind.replace('_', '-')} NAME", f"encoder of {of} (chosen)")
        for kind, of in KINDS.items()
    ),
    option(
        "--choose RULE",
        "choose encoders by size, or by time as measured (docs/choice_by_time.md) (size)",
        choices=("size", "time"),
        default="size",
    ),
    option(
        "--max-clauses N",
        f"refuse a constraint that would have more clauses ({_MOST_CLAUSES:,})",
        type=natural("number of clauses", 1),
        default=_MOST_CLAUSES,
    ),
)
"""The encoder of each kind of constraint, and the limit on clauses."""


def choices_of(arguments: argparse.Namespace) -> "Choices":
    """Return the encoders that the arguments name; raise UsageError for an unknown name."""
    from pbcnf.emission.whole_problems import Choices, suited

    given = {
        name: getattr(arguments, name) for name in KINDS if getattr(arguments, name) is not None
    }
    with usage_errors():
        everywhere = {} if arguments.encoding is None else suited(arguments.encoding)
        return Choices(**{**everywhere, **given}, by=arguments.choose)
