"""``satsweeper COMMAND ...``: the table of commands, and the exit codes they share.

Nothing heavy is imported before a command runs, so that ``--help`` answers at once.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from time import monotonic
from typing import Final

from satsweeper.board.errors import Error
from satsweeper.cli.exit_codes import DONE, FAILED, INTERRUPTED, USAGE, UsageError
from satsweeper.version import __version__

COMMANDS: Final[dict[str, str]] = {
    "classify": "every covered cell: safe, mine or unknown",
    "engines": "the ways to classify, what each promises; and compared on boards",
    "explain": "the clues that force one cell's verdict, or two layouts that differ there",
    "certify": "the verdicts with a proof and layouts, for others to check",
    "check": "check a certificate without trusting what wrote it",
    "odds": "how likely every covered cell is a mine, as exact fractions",
    "export": "a board as a file for other solvers",
    "lint": "a CNF file against the rules of the SAT Competition",
    "encode": "a pseudo-Boolean problem (OPB, KNF) as CNF",
    "sat": "solve a DIMACS CNF file, answering as in the SAT competitions",
    "decode": "the answer of another solver back on the board, checked there",
    "convert": "a board in another format: JSMinesweeper, ms_toollib, game IDs, JSON ...",
    "compare": "encodings and solvers beside one another: every contender on every instance",
    "report": "what a sweep found: tables, one page of HTML, CSV, LaTeX, mkplot",
    "audit": "what every encoder promises, computed; and other libraries beside them",
}
"""Command name -> one line of help. The command is ``satsweeper/cli/NAME.py``."""

_CODES = """exit codes: 0 done; 20 the board is inconsistent; 1 bad input or a failed check; 2 wrong
usage; 124 a limit was reached and a partial answer printed; 130 interrupted"""


class _Help(argparse.RawDescriptionHelpFormatter):
    """Keeps the layout of examples."""


# Nothing here multiplies matrices, and numpy's threads for it cost more to start than small boards.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    try:
        try:
            return _run(list(sys.argv[1:] if argv is None else argv))
        finally:
            # Help is printed on the way out, too; a closed standard output is None.
            if sys.stdout is not None:
                sys.stdout.flush()
    except KeyboardInterrupt:
        # A solver that was interrupted may not be freed safely: leave without clean-up.
        _complain("interrupted")
        os._exit(INTERRUPTED)
    except BrokenPipeError:
        # The reader has what it wanted.
        _abandon_stdout()
        return DONE
    except SystemExit as ended:
        # So does rich leave when it meets a broken pipe.
        if isinstance(ended.__context__, BrokenPipeError):
            return DONE
        raise
    except OSError as error:
        _abandon_stdout()
        _complain(f"satsweeper: {error.strerror or error}")
        return FAILED


def _abandon_stdout() -> None:
    """Keep Python from complaining once more when it closes standard output."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(line: str) -> None:
    """One line on standard error, if anybody reads it."""
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write(f"{line}\n")
            sys.stderr.flush()


def _run(argv: list[str]) -> int:
    started = monotonic()
    parser = argparse.ArgumentParser(
        prog="satsweeper",
        description="Minesweeper as satisfiability: verdicts, reasons, encodings, exports.",
        epilog="example: satsweeper classify examples/expert.txt\n" + _CODES,
        formatter_class=_Help,
    )
    parser.add_argument("--version", action="version", version=f"satsweeper {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    chosen = next((word for word in argv if not word.startswith("-")), None)
    for name, summary in COMMANDS.items():
        if name == chosen:
            module = import_module(f"satsweeper.cli.{name}")
            sub = commands.add_parser(
                name,
                help=summary,
                description=module.__doc__,
                epilog=module.EXAMPLE + "\n" + _CODES,
                formatter_class=_Help,
            )
            module.add_arguments(sub)
            sub.set_defaults(run=module.run)
        else:
            commands.add_parser(name, help=summary)
    arguments = parser.parse_args(argv, argparse.Namespace(started=started))
    try:
        code: int = arguments.run(arguments)
        return code
    except UsageError as error:
        _complain(f"satsweeper {arguments.command}: {error}")
        return USAGE
    except _foreseen() as error:
        _complain(str(error))
        return FAILED


def _foreseen() -> tuple[type[Exception], ...]:
    """The errors that are one line for a person; looked up when there is one."""
    from pbcnf.errors import Error as EncodingError

    return Error, EncodingError
