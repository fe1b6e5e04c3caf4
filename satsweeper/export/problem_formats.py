"""A problem of anybody's in another format: as it stands, or encoded for counters and MaxSAT."""

from collections.abc import Callable, Iterable
from typing import IO, Final

from pbcnf.constraints.problem import Problem
from pbcnf.formats.write.counting import write_counting
from pbcnf.formats.write.icnf import write_icnf
from pbcnf.formats.write.knf import write_knf
from pbcnf.formats.write.lp import write_lp
from pbcnf.formats.write.mps import write_mps
from pbcnf.formats.write.opb import write_opb
from pbcnf.formats.write.wcnf import write_wcnf
from pbcnf.formula import Formula


def _smtlib(problem: Problem, stream: IO[bytes], comments: Iterable[str] = ()) -> None:
    from pbcnf.formats.smtlib.script import write_smtlib

    write_smtlib(problem, stream, comments=tuple(comments))


ConstraintWriter = Callable[[Problem, IO[bytes], Iterable[str]], None]
ClauseWriter = Callable[[Formula, int, IO[bytes], Iterable[str]], None]

CONSTRAINTS: Final[dict[str, ConstraintWriter]] = {
    "knf": write_knf,
    "opb": write_opb,
    "lp": write_lp,
    "mps": write_mps,
    "smt2": _smtlib,
}
"""Format -> how to write counting constraints as they are, without encoding them."""

CLAUSES: Final[dict[str, ClauseWriter]] = {
    "icnf": lambda formula, inputs, stream, comments: write_icnf(formula, (), stream, comments),
    "pmc": lambda formula, inputs, stream, comments: write_counting(
        formula, stream, show=range(1, inputs + 1), comments=comments
    ),
    "wcnf": lambda formula, inputs, stream, comments: write_wcnf(formula, (), stream, comments),
}
"""Format -> how to write a formula whose variables 1 .. inputs are the problem's own."""
