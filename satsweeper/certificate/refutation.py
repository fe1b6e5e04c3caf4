"""Refutations by a solver, checked and trimmed before they are written.

Whether a solver's proofs can be trusted is found out by trying: on a small formula first, and then
on every proof, which is turned into LRAT here and refused if it does not hold.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Final, Self

from pbcnf.proof import DratStep, LratAddition, LratStep, UnprovedError, parse_drat, to_lrat
from pbcnf.proof.steps import Addition
from satsweeper.solvers.protocol import Answer, SolverError, SolverFailedError, Unsatisfied
from satsweeper.solvers.pysat import PysatSolver
from satsweeper.solvers.table import SOLVERS, features

DEFAULT_SOLVER: Final = "glucose4"
"""The solver used by default: its proofs are short and quickly written."""

_HOLES: Final = 4


def refute(clauses: Sequence[Sequence[int]], solver: str) -> list[LratStep]:
    """Return a proof by a solver that the clauses are contradictory: LRAT, lemmas that matter.

    Raises:
        SolverError: no such solver, or it writes no proofs that hold.
        SolverFailedError: the solver finds a model, or its proof of these clauses does not hold.
    """
    found = refute_if_possible(clauses, solver)
    if found is None:
        raise SolverFailedError(f"solver {solver!r} finds a model where there can be none")
    return found


def refute_if_possible(clauses: Sequence[Sequence[int]], solver: str) -> list[LratStep] | None:
    """Refute clauses as ``refute`` does; return None if the solver finds a model."""
    refuse_unproving(solver)
    lines = _proof_of(clauses, solver)
    return None if lines is None else _trimmed(clauses, parse_drat(_text(lines)), solver)


def _trimmed(
    clauses: Sequence[Sequence[int]],
    steps: Sequence[DratStep],
    solver: str,
    marks: Mapping[int, bool] | None = None,
) -> list[LratStep]:
    """Turn a solver's proof into LRAT. Raises SolverFailedError if it does not hold."""
    try:
        return to_lrat(clauses, steps, goals=None if marks is None else (), marks=marks)
    except UnprovedError as error:
        raise SolverFailedError(f"solver {solver!r}: its proof does not hold: {error}") from None


class ProofInSteps:
    """A refutation made of many questions to one solver, which keeps what it has learned.

    Clauses come when they are needed, and what was proved by one question serves the next ones. A
    context manager; it frees the solver.

    Args:
        solver: one whose proofs hold.

    ``clauses``: all that were added, in their order.
    """

    def __init__(self, solver: str) -> None:
        refuse_unproving(solver)
        self.name = solver
        self.clauses: list[Sequence[int]] = []
        self._solver = PysatSolver(solver, proof=True)
        self._steps: list[DratStep] = []
        self._marks: dict[int, bool] = {}
        self._kept: set[frozenset[int]] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.close()

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses that are given."""
        for clause in clauses:
            self.clauses.append(clause)
            self._solver.add_clause(clause)

    def solve(self, assumptions: Sequence[int], conflicts: int | None) -> Answer:
        """Ask whether all clauses have a model with these literals, within a budget."""
        return self._solver.solve(assumptions, conflicts)

    def conflicts(self) -> int:
        """Return the number of conflicts so far."""
        return self._solver.conflicts()

    def conclude(self, *literals: int, mark: bool | None = None) -> int:
        """Prove a clause: the last answer was that there is no model without these literals.

        ``mark``: of the step, as for `pbcnf.proof.to_lrat`; a clause that is given needs no answer.
        Return the number of the step, from 1 on.
        """
        # The empty clause that ends the proof of an answer holds under the assumptions only. By
        # propagation the negation of the clause leads to a conflict with the lemmas before it.
        self._take_steps()
        self._steps.append(Addition(literals))
        if mark is not None:
            self._marks[len(self._steps) - 1] = mark
            self._kept.add(frozenset(literals))
        if literals:
            self._solver.add_clause(literals)
        return len(self._steps)

    def lrat(self) -> list[LratStep]:
        """Return the proof that the clauses are contradictory, given all that was concluded.

        Raises SolverFailedError if the solver's proof does not hold.
        """
        self._take_steps()
        return _trimmed(self.clauses, [*self._steps, Addition(())], self.name)

    def lrat_of_marked(self) -> list[LratStep]:
        """Return the proof of all clauses that were concluded with a mark.

        Raises SolverFailedError if the solver's proof does not hold.
        """
        return _trimmed(self.clauses, self._steps, self.name, self._marks)

    def _take_steps(self) -> None:
        steps = [step for step in parse_drat(self._solver.written()) if step.literals]
        # What was concluded stays, whatever the solver thinks of it.
        kept = self._kept
        self._steps += [
            step
            for step in steps
            if isinstance(step, Addition) or not kept or frozenset(step.literals) not in kept
        ]


def implied(lrat: list[LratStep], clauses: Sequence[Sequence[int]]) -> list[LratStep]:
    """Return the proof `lrat` if its lemmas are implied, else a proof by DEFAULT_SOLVER.

    In ``proof.pbp`` lemmas stand beside constraints that are no clauses, where RAT does not hold.
    No solver of PySAT was seen to write a RAT lemma.
    """
    hints = [hint for step in lrat if isinstance(step, LratAddition) for hint in step.hints]
    # A negative hint opens the hints of a resolvent: the lemma is not RUP, only RAT.
    return lrat if all(hint > 0 for hint in hints) else refute(clauses, DEFAULT_SOLVER)


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
    # The pigeonhole formula is contradictory, but not by unit propagation alone.
    sits = [[pigeon * _HOLES + hole + 1 for hole in range(_HOLES)] for pigeon in range(_HOLES + 1)]
    pairs = [(hole, *both) for hole in range(_HOLES) for both in combinations(sits, 2)]
    clauses = [*sits, *([-one[hole], -other[hole]] for hole, one, other in pairs)]
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
