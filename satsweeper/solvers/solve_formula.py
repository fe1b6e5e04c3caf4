"""A formula to a solver, as in the SAT competitions: its claim, a checked model, a proof."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from pbcnf.formula import Formula
from satsweeper.processes.deadline import Deadline
from satsweeper.processes.signals import let_the_parent_answer
from satsweeper.solvers.evaluation import completed, first_unsatisfied
from satsweeper.solvers.external import solve_externally
from satsweeper.solvers.output import Claim
from satsweeper.solvers.programs import EXTERNAL, find_program
from satsweeper.solvers.protocol import (
    Answer,
    Satisfied,
    SolverError,
    SolverFailedError,
    Unknown,
    Unsatisfied,
)
from satsweeper.solvers.pysat import PysatSolver
from satsweeper.solvers.table import AUTO, SOLVERS, STRONG, features

MOST_VARIABLES: Final = 10**8
"""A model names every variable, be it in a clause or not."""
_WIDTH: Final = 79


@dataclass(frozen=True)
class Solved:
    """A claim with its model or proof, and the cost.

    ``model``: the literal of each variable in order, checked against every clause; only with
    SATISFIABLE. ``proof``: lines of DRUP, the last one the empty clause; only with UNSATISFIABLE,
    if it was asked for. ``reason``: why the claim is UNKNOWN.
    """

    claim: Claim
    model: list[int] = field(default_factory=list, repr=False)
    proof: list[str] = field(default_factory=list, repr=False)
    reason: str = ""


def solve_formula(
    formula: Formula,
    solver: str,
    seconds: float | None = None,
    *,
    proof: bool = False,
    apart: bool = False,
) -> Solved:
    """Solve a formula.

    Args:
        formula: any, with an empty clause or without variables too.
        solver: a name of ``SOLVERS``, ``external:`` and a program on PATH, or ``auto``.
        seconds: the limit, after which the claim is UNKNOWN.
        proof: whether to bring the proof of an unsatisfiable formula.
        apart: search in another process without a limit, too: any exception ends the search, as
            that of a signal, which a solver in this process would not let through.

    Raises:
        SolverError: no such solver, or one that cannot prove.
        SolverFailedError: the solver failed, or its model does not satisfy the formula.
        ValueError: too many variables.
    """
    solver = check_solver(solver, proof)
    if formula.num_vars > MOST_VARIABLES:
        raise ValueError(f"{formula.num_vars} variables: the limit is {MOST_VARIABLES}")
    if any(
        bool(len(flat)) and (flat[0] == 0 or bool(np.any((flat[1:] == 0) & (flat[:-1] == 0))))
        for flat in formula.terminated()
    ):
        # An empty clause, a 0 at the start or behind another 0: not every solver can be told, and
        # none need be asked.
        return Solved(Claim.UNSATISFIABLE, proof=["0"] if proof else [])
    answer: Answer
    lines: list[str] = []
    if solver.startswith(EXTERNAL):
        answer = solve_externally(find_program(solver), formula, (), seconds)
    elif seconds is None and not apart:
        answer, lines = _search(None, Deadline(), formula, solver, proof)
    else:
        from satsweeper.processes.worker import WorkerDiedError, within

        try:
            found: tuple[Answer, list[str]] | None = within(
                seconds, solver, _search, formula, solver, proof
            )
            answer, lines = (Unknown("time"), []) if found is None else found
        except WorkerDiedError as error:
            if not error.from_outside:
                raise SolverFailedError(str(error)) from None
            answer = Unknown(str(error))
    if isinstance(answer, Unsatisfied):
        ended = [*lines, "0"] if proof and lines[-1:] != ["0"] else lines
        return Solved(Claim.UNSATISFIABLE, proof=ended)
    if isinstance(answer, Unknown):
        return Solved(Claim.UNKNOWN, reason=answer.reason)
    wrong = first_unsatisfied(formula, answer.model)
    if wrong is not None:
        clause = " ".join(map(str, [*wrong, 0]))
        raise SolverFailedError(f"{solver}: wrong model: it does not satisfy the clause {clause}")
    return Solved(Claim.SATISFIABLE, model=completed(answer.model, formula.num_vars))


def check_solver(solver: str, proof: bool) -> str:
    """Return the name of the solver that is meant, which differs for ``auto`` alone.

    Raises SolverError for a solver that does not exist, or cannot prove and should.
    """
    if solver == AUTO:
        return STRONG
    row = features(solver, (AUTO,))
    if proof and not row.proof:
        able = ", ".join(name for name, row in SOLVERS.items() if row.proof)
        raise SolverError(f"solver {solver!r} writes no proofs that hold; these do: {able}")
    return solver


def value_lines(model: Sequence[int]) -> Iterator[str]:
    """A model as ``v`` lines of less than 80 characters, the last one ended by 0.

    >>> list(value_lines([1, -2]))
    ['v 1 -2 0']
    """
    return wrapped(map(str, (*model, 0)))


def wrapped(words: Iterable[str]) -> Iterator[str]:
    """Words as ``v`` lines of less than 80 characters, unless a word is longer than that."""
    line = "v"
    for word in words:
        if len(line) + 1 + len(word) > _WIDTH and line != "v":
            yield line
            line = "v"
        line += f" {word}"
    yield line


def _search(
    send: Callable[[Any], None] | None, deadline: Deadline, formula: Formula, name: str, proof: bool
) -> tuple[Answer, list[str]]:
    """A job of a worker: the answer of a solver of PySAT, and its proof if there is one."""
    if send is not None:
        let_the_parent_answer(external=False)
    solver = PysatSolver(name, proof=proof)
    try:
        solver.add_clauses(formula.tuples())
        answer = solver.solve()
        if isinstance(answer, Satisfied):
            # Some solvers have variables of their own.
            most = formula.num_vars
            return Satisfied([lit for lit in answer.model if abs(lit) <= most]), []
        return answer, solver.proof() if proof else []
    finally:
        solver.close()
