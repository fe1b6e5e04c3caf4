"""Solver programs: command lines and exit codes.

The entries were found by running the versions that Debian packages (cadical 1.5.3, cryptominisat
5.11.4, picosat 965, clasp 3.3.5, minisat 2.2.1), and from Kissat's manual. Any other program is
called as in a SAT competition: with the name of the file as its only argument, and with its answer
on standard output.
"""

from typing import Final, NamedTuple

from satsweeper.solvers.protocol import SolverError

EXTERNAL: Final = "external:"
"""The prefix of the names of solver programs."""


class Dialect(NamedTuple):
    """The command line of a program, and the meaning of its exit codes."""

    arguments: tuple[str, ...] = ()
    """The words of the command line before the formula's file."""
    result_file: bool = False
    """Whether the answer goes to a result file in MiniSat's form, the last argument."""
    satisfiable: tuple[int, ...] = (10,)
    """The exit codes that mean satisfiable."""
    unsatisfiable: tuple[int, ...] = (20,)
    """The exit codes that mean unsatisfiable."""


DIALECTS: Final[dict[str, Dialect]] = {
    "cadical": Dialect(("-q",)),
    # Exit code 30: satisfiable, and the model is the only one.
    "clasp": Dialect(("--verbose=0", "--outf=0"), satisfiable=(10, 30)),
    "cryptominisat5": Dialect(("--verb", "0")),
    "kissat": Dialect(("-q",)),
    "minisat": Dialect(("-verb=0",), result_file=True),
    "picosat": Dialect(),
}


class Program(NamedTuple):
    """A solver program on this machine: name (``external:...``), path and dialect."""

    name: str
    path: str
    dialect: Dialect


def find_program(name: str) -> Program:
    """Return the program with ``name``: ``external:`` and the name of a program on PATH.

    Raises:
        SolverError: no program of this name is on PATH.
    """
    import os
    import shutil

    called = name.removeprefix(EXTERNAL)
    path = shutil.which(called) if called and "\0" not in called else None
    if path is None:
        from pbcnf.wording import nearest

        near = nearest(called, DIALECTS)
        hint = f"; did you mean {EXTERNAL + near!r}?" if near else ""
        raise SolverError(
            f"solver {name!r}: no program {called!r} on PATH{hint}"
            f" (known: {', '.join(DIALECTS)}; others are called as in competitions)"
        )
    dialect = DIALECTS.get(os.path.basename(called), Dialect())
    return Program(name, os.path.abspath(path), dialect)
