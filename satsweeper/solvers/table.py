"""The table of solvers: names and features.

Every column was found by a probe in a separate process (``solvers/probe.py``), since several
solvers answer wrongly or end the interpreter if they lack a feature. A test repeats the probe and
compares its results with this table.
"""

from typing import Final, NamedTuple

from satsweeper.solvers.programs import EXTERNAL, find_program
from satsweeper.solvers.protocol import SolverError

AUTO: Final = "auto"
"""The default: ``FAST``, and ``STRONG`` for regions that ``FAST`` does not settle quickly."""

FAST: Final = "minisat22"
"""The solver with the least overhead on small formulas."""
STRONG: Final = "cadical195"
"""The solver for hard regions."""


class Features(NamedTuple):
    """Features of a solver beyond adding clauses and solving under assumptions with cores."""

    budget: bool
    """Whether a search stops after a given number of conflicts."""
    phases: bool
    """Whether preferred phases can be set."""
    native: bool
    """Whether "at most k of these literals" is a native constraint, without an encoding."""
    proof: bool = False
    """Whether DRUP proofs are valid. (MapleSAT's proofs number every variable one too high.)"""


SOLVERS: Final[dict[str, Features]] = {
    "cadical103": Features(budget=True, phases=False, native=False, proof=True),
    "cadical153": Features(budget=True, phases=True, native=False, proof=True),
    "cadical195": Features(budget=True, phases=True, native=False, proof=True),
    "cadical300": Features(budget=True, phases=True, native=False, proof=True),
    "ergo": Features(budget=True, phases=True, native=False, proof=True),
    "gluecard3": Features(budget=True, phases=True, native=True, proof=True),
    "gluecard4": Features(budget=True, phases=True, native=True, proof=True),
    "glucose3": Features(budget=True, phases=True, native=False, proof=True),
    "glucose4": Features(budget=True, phases=True, native=False, proof=True),
    "glucose42": Features(budget=True, phases=True, native=False, proof=True),
    "lingeling": Features(budget=False, phases=True, native=False, proof=True),
    "maplechrono": Features(budget=True, phases=True, native=False, proof=True),
    "maplecm": Features(budget=True, phases=True, native=False, proof=True),
    "maplesat": Features(budget=True, phases=True, native=False),
    "mergesat3": Features(budget=True, phases=True, native=False),
    "minicard": Features(budget=True, phases=True, native=True),
    "minisat22": Features(budget=True, phases=True, native=False),
    "minisat-ep": Features(budget=True, phases=True, native=False),
    "minisat-gh": Features(budget=True, phases=True, native=False),
}

REFUSED: Final[dict[str, str]] = {
    "kissat404": "it ignores assumptions, so that every cell would come back unknown, and it "
    "ends the program when a clause is added after a solve",
    "cryptominisat5": "PySAT needs a package of its own for it that does not offer assumptions "
    "through the same interface",
}


def line_up(name: str) -> tuple[str, str]:
    """Return the first solver and the solver for hard regions, for a name or ``AUTO``.

    Raises:
        SolverError: `features` refuses ``name``.
    """
    if name == AUTO:
        return FAST, STRONG
    features(name, (AUTO,))
    return name, name


def features(name: str, others: tuple[str, ...] = ()) -> Features:
    """Return the features of the solver ``name``; a program on PATH has none of them.

    ``others``: further valid names, for the suggestions of the error message.

    Raises:
        SolverError: the name is not in the table, or it is in `REFUSED` (the message has the
            reason), or there is no such program.
    """
    if name.startswith(EXTERNAL):
        find_program(name)
        return Features(budget=False, phases=False, native=False)
    if name in SOLVERS:
        return SOLVERS[name]
    if name in REFUSED:
        raise SolverError(f"solver {name!r} cannot classify: {REFUSED[name]}")
    # Imported only for the error message.
    import shutil

    from pbcnf.wording import nearest, unknown_name

    known, outside = [*others, *SOLVERS], f"{EXTERNAL}PROGRAM for one on PATH"
    if shutil.which(name):
        if nearest(name, known) is None:
            raise SolverError(f"unknown solver {name!r}; did you mean {EXTERNAL + name!r}?")
        outside = f"{EXTERNAL}{name}, which is on PATH"
    raise SolverError(unknown_name("solver", name, known, f", and {outside}"))
