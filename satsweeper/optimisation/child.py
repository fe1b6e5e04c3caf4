"""A problem decided or optimised in a worker, which is ended at the limit."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from pbcnf.constraints.problem import Problem
from pbcnf.literals import Lit
from satsweeper.optimisation.proof import DrupProof, decide, prove_best
from satsweeper.optimisation.run import Settings, solve
from satsweeper.optimisation.search import SolveOutcome, SolveStatus
from satsweeper.processes.deadline import Deadline
from satsweeper.processes.signals import let_the_parent_answer
from satsweeper.processes.worker import Worker, WorkerDiedError

Found = Callable[[SolveOutcome], object]


def solve_apart(
    problem: Problem,
    settings: Settings,
    seconds: float | None,
    found: Found,
    proof: bool = False,
) -> tuple[SolveOutcome, DrupProof | None]:
    """Solve ``problem`` in a worker within ``seconds``; an exception in ``found`` ends the worker.

    Args:
        problem: as for `solve`.
        settings: as for `solve`.
        seconds: as for `solve`.
        found: called with each outcome that is better than those before it.
        proof: whether to return a proof that there is no model, or no better one, if that holds.

    Raises:
        WorkerDiedError: the worker crashed before it had found a model.
        ValueError: as `solve`.
    """
    best = SolveOutcome(SolveStatus.UNKNOWN, reason="time")

    def heard(outcome: SolveOutcome) -> None:
        nonlocal best
        best = outcome
        found(outcome)

    with Worker(f"solver {settings.solver_of(problem)!r}", settings.external) as worker:
        try:
            answer = worker.ask(seconds, _work, problem, settings, proof, heard=heard)
        except WorkerDiedError as error:
            if best.model is None and not error.from_outside:
                raise
            return replace(best, reason=str(error)), None
    # A worker ended at the limit has sent nothing, or an outcome last.
    return answer if isinstance(answer, tuple) else (best, None)


def _work(
    send: Callable[[Any], None],
    deadline: Deadline,
    problem: Problem,
    settings: Settings,
    proof: bool,
) -> tuple[SolveOutcome, DrupProof | None]:
    def found(model: Sequence[Lit], value: int | None) -> None:
        send(SolveOutcome(SolveStatus.SATISFIABLE, tuple(model), value, reason="time"))

    let_the_parent_answer(settings.external)
    if proof and problem.objective is None:
        return decide(problem, settings, deadline.left())
    outcome = solve(problem, settings, seconds=deadline.left(), found=found)
    if not proof or outcome.status not in (SolveStatus.OPTIMUM, SolveStatus.UNSATISFIABLE):
        return outcome, None
    send(outcome)
    return outcome, prove_best(problem, outcome, settings, deadline.left())
