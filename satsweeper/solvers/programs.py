"""Solver programs: command lines and exit codes.

Found by running the versions that Debian packages (cadical 1.5.3, cryptominisat 5.11.4, picosat
965, clasp 3.3.5, minisat 2.2.1), and from Kissat's manual. Any other program is called as a
competition calls it: with the name of the file, answering on standard output.
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
    """The answer goes to a file named after the formula's, in MiniSat's form."""
    satisfiable: tuple[int, ...] = (10,)
    unsatisfiable: tuple[int, ...] = (20,)


DIALECTS: Final[dict[str, Dialect]] = {
    "cadical": Dialect(("-q",)),
    # 30: a model, and it is the only one.
    "clasp": Dialect(("--verbose=0", "--outf=0"), satisfiable=(10, 30)),
    "cryptominisat5": Dialect(("--verb", "0")),
    "kissat": Dialect(("-q",)),
    "minisat": Dialect(("-verb=0",), result_file=True),
    "picosat": Dialect(),
}


class Program(NamedTuple):
    """A solver on this machine."""

    name: str
    path: str
    dialect: Dialect


def find_program(name: str) -> Program:
    """The program behind a name: ``external:`` and what it is called on PATH.

    Raises:
        SolverError: there is no such program.
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
