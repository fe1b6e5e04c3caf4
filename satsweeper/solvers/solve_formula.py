"""The solving of a formula, as in the SAT competitions: a claim, a checked model, a proof."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pbcnf.formula import Formula
from satsweeper.processes.deadline import Deadline
from satsweeper.processes.signals import let_the_parent_answer
from satsweeper.solvers.evaluation import completed, first_unsatisfied
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
"""The largest number of variables, since a model has a literal for every variable."""
_WIDTH: Final = 79


@dataclass(frozen=True)
class Solved:
    """A claim with its model, its proof, or the reason why it is UNKNOWN.

    ``model``: the literal of each variable in order, checked against every clause; empty unless
    SATISFIABLE. ``proof``: lines of DRUP, the last of them the empty clause; empty unless the claim
    is UNSATISFIABLE and a proof was requested. ``reason``: the limit reached, with UNKNOWN.
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
        formula: any formula, also with an empty clause or without variables.
        solver: a name of ``SOLVERS``, ``external:`` and a program on PATH, or ``auto``.
        seconds: the time limit, after which the claim is UNKNOWN; None: no limit.
        proof: whether to return the proof of an unsatisfiable formula.
        apart: whether to search in another process even without a limit. Then an exception, such as
            one from a signal handler, ends the search at once; a solver in this process would
            delay it until the end of the search.

    Raises:
        SolverError: there is no solver of this name, or the solver cannot write a requested proof.
        SolverFailedError: the solver failed, or its model does not satisfy the formula.
        ValueError: too many variables.
    """
    import numpy as np

    solver = check_solver(solver, proof)
    if formula.num_vars > MOST_VARIABLES:
        raise ValueError(f"{formula.num_vars} variables: the limit is {MOST_VARIABLES}")
    if any(
        bool(len(flat)) and (flat[0] == 0 or bool(np.any((flat[1:] == 0) & (flat[:-1] == 0))))
        for flat in formula.terminated()
    ):
        # A 0 at the start or after another 0 is an empty clause. Not every solver accepts an empty
        # clause, and the answer is known without a solver.
        return Solved(Claim.UNSATISFIABLE, proof=["0"] if proof else [])
    answer: Answer
    lines: list[str] = []
    if solver.startswith(EXTERNAL):
        from satsweeper.solvers.external import solve_externally

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
    """Return the name of the solver to use: ``solver``, or the default for ``auto``.

    Raises SolverError if there is no solver of this name, or if ``proof`` is True and the solver
    writes no valid proofs.
    """
    if solver == AUTO:
        return STRONG
    row = features(solver, (AUTO,))
    if proof and not row.proof:
        able = ", ".join(name for name, row in SOLVERS.items() if row.proof)
        raise SolverError(f"solver {solver!r} writes no proofs that hold; these do: {able}")
    return solver


def value_lines(model: Sequence[int]) -> Iterator[str]:
    """Yield ``model`` as ``v`` lines of less than 80 characters; the last line ends with 0.

    >>> list(value_lines([1, -2]))
    ['v 1 -2 0']
    """
    return wrapped(map(str, (*model, 0)))


def wrapped(words: Iterable[str]) -> Iterator[str]:
    """Yield ``words`` as ``v`` lines of less than 80 characters, unless a word is longer."""
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
    """Return the answer of the PySAT solver ``name`` and its proof, an empty list without one.

    The job of a worker process, or, with ``send`` None, a call in this process.
    """
    if send is not None:
        let_the_parent_answer(external=False)
    solver = PysatSolver(name, proof=proof)
    try:
        solver.add_clauses(formula.tuples())
        answer = solver.solve()
        if isinstance(answer, Satisfied):
            # Some solvers add variables; their literals are not part of the model.
            most = formula.num_vars
            return Satisfied([lit for lit in answer.model if abs(lit) <= most]), []
        return answer, solver.proof() if proof else []
    finally:
        solver.close()
