"""Progress of work that may be compiled, and signals answered while compiled code runs."""

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from satsweeper.cli.exit_codes import complain
from satsweeper.cli.lifetime import signals_answered
from satsweeper.show.progress import Reach, progress


@contextmanager
def compiled_work(arguments: Namespace, what: str, total: float | None = None) -> Iterator[Reach]:
    """Show ``progress(what, total)``; Ctrl-C and ``--timeout`` end the block even in compiled code.

    The share of ``total`` that is reached says how much work is left, and so whether to compile.
    """
    from satsweeper.play.kernel.compiled import foresee

    command = f"satsweeper {arguments.command}"

    def reached(done: float) -> None:
        reach(done)
        if total is not None and done:
            foresee(total / done - 1)

    with (
        signals_answered(command, arguments.time_limit),
        compiling_reported(arguments, what) as name,
        progress(name, total) as reach,
    ):
        try:
            yield reached
        finally:
            foresee(0)


@contextmanager
def compiling_reported(arguments: Namespace, what: str) -> Iterator[Callable[[], str]]:
    """Report once a command that functions are compiled; yield a function that names the work.

    On a terminal the name says so, ``what`` and "(compiling)", which the progress shows; elsewhere
    a line on standard error does.
    """
    from satsweeper.play.kernel.machine_code import told_of_compiling

    def tell() -> None:
        if not hasattr(arguments, "compiles"):
            arguments.compiles = True
            if sys.stderr is not None and not sys.stderr.isatty():
                say_compiling(arguments.command)

    def name() -> str:
        return f"{what} (compiling)" if hasattr(arguments, "compiles") else what

    with told_of_compiling(tell):
        yield name


def say_compiling(command: str) -> None:
    """Print on standard error that ``command`` is compiling functions."""
    complain(f"satsweeper {command}: compiling what takes long")
