"""DRUP proofs that a problem has no model, or no better model than the best one found."""

from dataclasses import dataclass, field

from pbcnf.constraints.constraint import Constraint, PseudoBoolean
from pbcnf.constraints.problem import Objective, Problem
from pbcnf.emission.whole_problems import encode_problem
from pbcnf.formula import Formula
from satsweeper.optimisation.run import DECIDES, Settings
from satsweeper.optimisation.search import SolveOutcome, SolveStatus
from satsweeper.optimisation.table import AUTO
from satsweeper.solvers.output import Claim
from satsweeper.solvers.protocol import SolverFailedError
from satsweeper.solvers.solve_formula import Solved, solve_formula


@dataclass(frozen=True, slots=True)
class DrupProof:
    """A formula and its refutation: lines of DRUP, the last one the empty clause."""

    formula: Formula = field(repr=False)
    lines: list[str] = field(repr=False)


def decide(
    problem: Problem, settings: Settings, seconds: float | None
) -> tuple[SolveOutcome, DrupProof | None]:
    """Decide ``problem``, without objective; prove it if there is no model. Raises as `solve`."""
    formula = _formula(problem, (), settings)
    solved = _solved(formula, settings, seconds)
    if solved.claim is Claim.SATISFIABLE:
        model = tuple(solved.model[: problem.num_vars])
        if not problem.holds(set(model)):
            raise SolverFailedError("wrong model: it does not satisfy the problem")
        return SolveOutcome(SolveStatus.SATISFIABLE, model), None
    if solved.claim is Claim.UNKNOWN:
        return SolveOutcome(SolveStatus.UNKNOWN, reason=solved.reason), None
    return SolveOutcome(SolveStatus.UNSATISFIABLE), DrupProof(formula, solved.proof)


def prove_best(
    problem: Problem, outcome: SolveOutcome, settings: Settings, seconds: float | None
) -> DrupProof | None:
    """Prove ``outcome`` by a second search: no model, or no model with a better value.

    Return None if the time was over first. Raises SolverFailedError if there is a better model.
    """
    better: tuple[Constraint, ...] = ()
    if outcome.value is not None:
        assert problem.objective is not None
        better = (_better(problem.objective, outcome.value),)
    formula = _formula(problem, better, settings)
    solved = _solved(formula, settings, seconds)
    if solved.claim is Claim.SATISFIABLE:
        raise SolverFailedError(f"there is a better model than that of value {outcome.value}")
    return None if solved.claim is Claim.UNKNOWN else DrupProof(formula, solved.proof)


def _better(objective: Objective, value: int) -> PseudoBoolean:
    """Return the constraint that ``objective`` is better than ``value``; values are integers."""
    left = value - objective.constant
    side = {"lower": left + 1} if objective.maximise else {"upper": left - 1}
    return PseudoBoolean(objective.lits, objective.weights, **side)


def _formula(problem: Problem, more: tuple[Constraint, ...], settings: Settings) -> Formula:
    formula = Formula(problem.num_vars)
    constraints = (*problem.constraints, *more)
    for _ in encode_problem(constraints, formula, settings.choices, settings.most_clauses):
        pass
    return formula


def _solved(formula: Formula, settings: Settings, seconds: float | None) -> Solved:
    solver = DECIDES if settings.solver == AUTO else settings.solver
    return solve_formula(formula, solver, seconds, proof=True)
