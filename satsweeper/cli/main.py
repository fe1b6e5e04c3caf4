"""``satsweeper COMMAND ...``: one command is run, and every way to end has its exit code."""

import argparse
import os
import sys
from collections.abc import Sequence
from time import monotonic

from satsweeper.board.errors import Error
from satsweeper.cli.exit_codes import DONE, FAILED, LIMIT_REACHED, USAGE, UsageError, complain
from satsweeper.cli.lifetime import (
    TimeIsUp,
    alarm,
    due_to_time,
    interrupted,
    leave,
    raise_interrupts,
)
from satsweeper.cli.parser import parser_of
from satsweeper.processes.standard_output import abandon_stdout, flush_stdout

# Nothing here multiplies matrices, and numpy's threads for it cost more to start than small boards.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    try:
        try:
            return _run(list(sys.argv[1:] if argv is None else argv))
        finally:
            # Help is printed on the way out, too.
            flush_stdout()
    except KeyboardInterrupt:
        leave()
    except BrokenPipeError:
        # The reader of the output has ended, as `head` does: no fault.
        abandon_stdout()
        return DONE
    except SystemExit as ended:
        # rich raises SystemExit at a broken pipe.
        if isinstance(ended.__context__, BrokenPipeError):
            return DONE
        raise
    except OSError as error:
        abandon_stdout()
        complain(f"{error.filename or 'satsweeper'}: {error.strerror or error}")
        return FAILED


def _run(argv: list[str]) -> int:
    started = monotonic()
    chosen = [word for word in argv if not word.startswith("-")][:1]
    parser, commands = parser_of(chosen)
    arguments = parser.parse_args(argv, argparse.Namespace(started=started, time_limit=None))
    raise_interrupts()
    if "SATSWEEPER_SETUP" in os.environ:
        from satsweeper.cli.extras import provide

        if provide(arguments):
            started = arguments.started = monotonic()
    try:
        with alarm(arguments.time_limit, started):
            code: int = arguments.run(arguments)
        return code
    except TimeIsUp:
        return _out_of_time(arguments)
    except Exception as error:
        if interrupted():
            # An import that is interrupted may fail in other words.
            raise KeyboardInterrupt from None
        if isinstance(error, UsageError):
            complain(commands[arguments.command].complaint(str(error)))
            return USAGE
        if isinstance(error, Error):
            complain(str(error))
            return FAILED
        if arguments.time_limit is not None and due_to_time(error):
            # So may an import that the alarm breaks off.
            return _out_of_time(arguments)
        if isinstance(error, MemoryError) or "failed to map segment" in str(error):
            complain(f"satsweeper {arguments.command}: not enough memory")
            return FAILED
        raise


def _out_of_time(arguments: argparse.Namespace) -> int:
    """Report that the limit of the command came first; return the exit code."""
    complain(f"satsweeper {arguments.command}: not done within {arguments.time_limit:g} s")
    return LIMIT_REACHED
