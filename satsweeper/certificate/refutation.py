"""Refutations by a solver, checked and trimmed before they are written.

Whether a solver's proofs can be trusted is found out by trying: on a small formula first, and then
on every proof, which is turned into LRAT here and refused if it does not hold.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Final

from pbcnf.proof import (
    Addition,
    LratAddition,
    LratStep,
    UnprovedError,
    parse_drat,
    to_lrat,
)
from satsweeper.solvers.protocol import SolverError, SolverFailedError, Unsatisfied
from satsweeper.solvers.pysat import PysatSolver
from satsweeper.solvers.table import SOLVERS, features

DEFAULT_SOLVER: Final = "glucose4"
"""The solver used by default: its proofs are short and quickly written."""

_HOLES: Final = 4


@dataclass(frozen=True)
class Refutation:
    """A proof that some clauses are contradictory: only the lemmas that matter, in LRAT."""

    lrat: list[LratStep] = field(repr=False)

    @property
    def lemmas(self) -> list[Addition]:
        """The lemmas as a DRUP proof."""
        return [Addition(step.literals) for step in self.lrat if isinstance(step, LratAddition)]

    @property
    def implied(self) -> bool:
        """Whether each lemma is implied (RUP), and none only RAT."""
        additions = (step for step in self.lrat if isinstance(step, LratAddition))
        return all(hint > 0 for step in additions for hint in step.hints)


def refute(clauses: Sequence[Sequence[int]], solver: str) -> Refutation:
    """Return a proof by a solver that the clauses are contradictory.

    Raises:
        SolverError: no such solver, or it writes no proofs that hold.
        SolverFailedError: it finds a model, or its proof of these clauses does not hold.
    """
    found = refute_if_possible(clauses, solver)
    if found is None:
        raise SolverFailedError(f"solver {solver!r} finds a model where there can be none")
    return found


def refute_if_possible(clauses: Sequence[Sequence[int]], solver: str) -> Refutation | None:
    """Refute clauses as ``refute`` does; return None if the solver finds a model."""
    refuse_unproving(solver)
    lines = _proof_of(clauses, solver)
    if lines is None:
        return None
    try:
        return Refutation(to_lrat(clauses, parse_drat(_text(lines))))
    except UnprovedError as error:
        raise SolverFailedError(f"solver {solver!r}: its proof does not hold: {error}") from None


def implied(refutation: Refutation, clauses: Sequence[Sequence[int]]) -> Refutation:
    """Return `refutation` if its lemmas are implied, else a refutation by DEFAULT_SOLVER.

    In ``proof.pbp`` lemmas stand beside constraints that are no clauses, where RAT does not hold.
    No solver of PySAT was seen to write a RAT lemma.
    """
    return refutation if refutation.implied else refute(clauses, DEFAULT_SOLVER)


@cache
def refuse_unproving(solver: str) -> None:
    """Raise SolverError unless the solver, tried on a small formula, writes a proof that holds."""
    features(solver)
    why = _fault(solver)
    if why is not None:
        proving = ", ".join(name for name, row in SOLVERS.items() if row.proof)
        raise SolverError(f"solver {solver!r} cannot certify: {why} (these can: {proving})")


def _fault(solver: str) -> str | None:
    if solver not in SOLVERS:
        return "only solvers of PySAT hand over their proofs"
    if not SOLVERS[solver].proof:
        return "it writes no proofs, or none that hold"
    clauses = _pigeons(_HOLES)
    lines = _proof_of(clauses, solver)
    if lines is None:
        return "it calls a contradictory formula satisfiable"
    try:
        to_lrat(clauses, parse_drat(_text(lines)))
    except ValueError as error:
        return f"its proof of a small formula does not hold: {error}"
    return None


def _proof_of(clauses: Iterable[Sequence[int]], name: str) -> list[str] | None:
    """Return the lines of DRUP, or None if the solver found a model."""
    solver = PysatSolver(name, proof=True)
    try:
        for clause in clauses:
            solver.add_clause(clause)
        return solver.proof() if isinstance(solver.solve(), Unsatisfied) else None
    finally:
        solver.close()


def _text(lines: Sequence[str]) -> bytes:
    return "\n".join(lines).encode("ascii")


def _pigeons(holes: int) -> list[list[int]]:
    """Return the pigeonhole formula: contradictory, but not by unit propagation alone."""
    sits = [[pigeon * holes + hole + 1 for hole in range(holes)] for pigeon in range(holes + 1)]
    alone = [
        [-one[hole], -other[hole]] for hole in range(holes) for one, other in combinations(sits, 2)
    ]
    return [*sits, *alone]
