"""A pseudo-Boolean proof of an answer of ``solve``: from the rows of an OPB file to its conclusion.

The proof logs the best solution first, so that from there on only better ones matter. Then come the
derivations of clauses, and either the cores of core-guided search (`cores`), or the lemmas by which
a solver refutes the clauses, those of "better than that" among them. Only steps that are used are
written, and each is deleted after its last use. Or a sum of rows refutes them, which is one step.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from pbcnf.constraints.constraint import Linear
from pbcnf.constraints.problem import Problem
from pbcnf.derivation.derivation_state import (
    BoundIds,
    Combined,
    Derivation,
    DerivationState,
    HalfDefinition,
    Propagated,
)
from pbcnf.derivation.inequalities import linear_inequality
from pbcnf.derivation.opb import derive_opb
from pbcnf.derivation.proof_file import literal_text, step_text, whole_proof
from pbcnf.derivation.trimming import left, trimmed
from pbcnf.literals import Lit
from pbcnf.proof import LratAddition, parse_drat, to_lrat
from pbcnf.proof.cutting_planes.checker import Derived, check_proof
from pbcnf.proof.cutting_planes.error import ProofError
from pbcnf.proof.cutting_planes.formula import PbFormula, read_formula
from satsweeper.certificate.cores import CoreProof
from satsweeper.certificate.refutation import implied
from satsweeper.linear.inequalities import AtLeastRow, Multipliers, inequalities
from satsweeper.linear.row_relaxation import relaxed
from satsweeper.optimisation.refutation import linear_refutation
from satsweeper.optimisation.run import DrupProof, Settings, better_than, prove_best, solve
from satsweeper.optimisation.search import Cost, PaidCore, SolveOutcome, SolveStatus, reached
from satsweeper.solvers.protocol import SolverFailedError

_AGAIN: Final = 10.0
"""The time limit of core-guided search alone, if another search was faster, in seconds."""
_SUMS: Final = 5.0
"""The time limit of a linear program whose multipliers refute the rows, in seconds."""


@dataclass(frozen=True, slots=True)
class AnswerProof:
    """A checked proof as text, and the number of constraints that it derives."""

    text: bytes = field(repr=False)
    steps: int


def answer_proof(
    raw: bytes,
    settings: Settings,
    problem: Problem,
    outcome: SolveOutcome,
    cores: Sequence[PaidCore] = (),
    seconds: float | None = None,
) -> AnswerProof | None:
    """Return the proof of an answer: optimum, no solution, or a solution where nothing is better.

    Return None if ``seconds`` were over first; not everything that takes long ends by then.

    Args:
        raw: the problem as OPB that checkers read; its objective is minimised.
        settings: encoders and solver, where clauses are to be refuted.
        problem: the same problem, as it is solved: its objective may be maximised.
        outcome: the answer.
        cores: what core-guided search has paid for. If that is not the optimum, and no sum of rows
            refutes the problem, the proof is searched for anew.
        seconds: the time limit of that search, None for none.

    Raises:
        ProofError: ``raw`` is not what checkers read.
        ValueError: a constraint has no derivation.
        SolverFailedError: the refutation does not hold, or the proof is refused.
    """
    formula = read_formula(raw, objective=True)
    rows = len(formula.constraints)
    model = outcome.model
    found, goal = Derivation(rows), 0
    if outcome.status is not SolveStatus.SATISFIABLE:
        made: tuple[Derivation, int] | None = None
        if model is None:
            multipliers = linear_refutation(problem, min(_SUMS, seconds or _SUMS))
            made = _summed(formula, problem, multipliers) if multipliers else None
        elif not _paid(problem, model, cores):
            made = _relaxed(formula, problem, model, min(_SUMS, seconds or _SUMS))
        if made is None:
            by: DrupProof | Sequence[PaidCore] | None = cores
            if model is None or not _paid(problem, model, cores):
                by = _cores_anew(problem, model, settings, seconds)
                by = by or prove_best(problem, outcome, settings, seconds)
            if by is None:
                return None
            made = _proved(raw, formula, problem, outcome, settings, by)
        found, goal = made
    lines = [step_text(step) for step in found.steps]
    conclusion, logged = f"UNSAT : {goal}", []
    if model is not None:
        shown = " ".join(map(literal_text, model))
        conclusion = f"SAT : {shown}"
        if outcome.value is not None:
            value = formula.value({*model})
            logged = [f"soli {shown} : {value} ;\n"]
            conclusion = f"BOUNDS {value} : {goal} {value} : {shown}"
    text = "".join(whole_proof(rows, [*logged, *lines], conclusion=conclusion)).encode("ascii")
    return AnswerProof(text, _checked(formula, text, outcome).last - rows)


def _paid(problem: Problem, model: Sequence[Lit], cores: Sequence[PaidCore]) -> bool:
    """Return whether ``cores`` alone prove that nothing is better than ``model``."""
    assert problem.objective is not None
    cost = Cost.of(problem.objective)
    return bool(cost.terms) and reached(cores, cost.in_model({*model}))


def _cores_anew(
    problem: Problem, model: Sequence[Lit] | None, settings: Settings, seconds: float | None
) -> list[PaidCore] | None:
    """Search for cores that prove that nothing is better than ``model``, for a short time."""
    if model is None or settings.only_linear:
        return None
    cores: list[PaidCore] = []
    limit = _AGAIN if seconds is None else min(_AGAIN, seconds / 2)
    solve(problem, replace(settings, strategy="core-guided"), seconds=limit, cores=cores)
    return cores if _paid(problem, model, cores) else None


def _summed(
    formula: PbFormula, problem: Problem, multipliers: Multipliers
) -> tuple[Derivation, int] | None:
    """Return the sum of rows of ``problem`` with these multipliers, one step, and its number.

    None: a row is none of the file's, as where its bound was beyond what its terms can reach.
    """
    parts = _parts(formula, inequalities(problem), multipliers)
    found = Derivation(len(formula.constraints))
    return None if parts is None else (found, found.add(Combined(parts)))


def _relaxed(
    formula: PbFormula, problem: Problem, model: Sequence[Lit], seconds: float
) -> tuple[Derivation, int] | None:
    """Prove by the duals of the linear relaxation, if their bound is the cost of ``model``."""
    assert problem.objective is not None
    cost, rows = Cost.of(problem.objective), inequalities(problem)
    terms, offset = cost.linear
    program = relaxed(rows, terms, problem.num_vars)
    proof = None if program is None else program.proved(program.run(seconds))
    best = cost.in_model({*model})
    if proof is None or not proof.factor or not proof.reaches(best - offset):
        return None
    parts = _parts(formula, rows, proof.multipliers)
    if not parts:
        return None
    # What is left of the cost once the rows are subtracted: axioms make up for it.
    left = {var: proof.factor * weight for var, weight in terms.items()}
    for index, factor in proof.multipliers.items():
        for var, each in rows[index].terms.items():
            left[var] = left.get(var, 0) - factor * each
    axioms = tuple((var if each > 0 else -var, abs(each)) for var, each in left.items() if each)
    better = len(formula.constraints) + 1
    found = Derivation(better)
    bound = found.add(Combined(parts, axioms, proof.factor))
    goal = found.add(Combined(((bound, abs(cost.unit)), (better, 1))))
    degree = formula.at_least(formula.value({*model})).degree
    return found, found.add(Combined(((goal, degree),))) if degree > 1 else goal


def _parts(
    formula: PbFormula, rows: Sequence[AtLeastRow], multipliers: Multipliers
) -> tuple[tuple[int, int], ...] | None:
    """Return numbers of constraints and factors; None if a row is none of the file's."""
    numbers = {}
    for number, (terms, degree) in enumerate(formula.constraints, start=1):
        row = linear_inequality([(weight, lit) for lit, weight in terms.items()], degree)
        numbers[frozenset(row.coefficients.items()), row.degree] = number
    parts = []
    for index, factor in multipliers.items():
        coefficients = {var: each for var, each in rows[index].terms.items() if each}
        at = numbers.get((frozenset(coefficients.items()), rows[index].least))
        if at is None:
            return None
        parts.append((at, factor))
    return tuple(parts)


def _proved(
    raw: bytes,
    formula: PbFormula,
    problem: Problem,
    outcome: SolveOutcome,
    settings: Settings,
    by: DrupProof | Sequence[PaidCore],
) -> tuple[Derivation, int]:
    """Return steps that end in a contradiction, or in a bound on the objective, and its number."""
    further: list[tuple[Linear, BoundIds]] = []
    # The solution that is logged adds a constraint behind the rows.
    better = len(formula.constraints) + 1
    objective = problem.objective
    if isinstance(by, DrupProof) and outcome.value is not None and objective is not None:
        ids = BoundIds(lower=better) if objective.maximise else BoundIds(upper=better)
        further.append((better_than(objective, outcome.value), ids))
    known = int(outcome.value is not None)
    made = derive_opb(
        *(raw, problem.constraints, settings.choices, settings.most_clauses),
        known=known,
        further=further,
    )
    clauses = [tuple(clause) for clause in made.formula.clauses()]
    whole = made.derivation
    if isinstance(by, DrupProof):
        goal = _refuted(by, clauses, whole)
    else:
        assert objective is not None
        assert outcome.model is not None
        cost, state = Cost.of(objective), DerivationState(whole)
        auxiliary = [step.var for step in whole.steps if isinstance(step, HalfDefinition)]
        state.last_var = max([made.formula.num_vars, *auxiliary])
        best = cost.in_model({*outcome.model})
        goal = CoreProof(state, cost, by, better, best).add(clauses, left(whole))
    if known:
        last = whole.additions()[-1]
        if not isinstance(last, Propagated) or last.clause:
            # A bound on the cost contradicts what is better.
            goal = whole.add(Combined(((goal, 1), (better, 1))))
        # With the degree of the bound, literal axioms alone make the bound of the contradiction.
        degree = formula.at_least(formula.value(set(outcome.model or ()))).degree
        goal = whole.add(Combined(((goal, degree),))) if degree > 1 else goal
    found, numbers = trimmed(whole, [goal])
    return found, numbers[goal]


def _refuted(drup: DrupProof, clauses: Sequence[tuple[Lit, ...]], whole: Derivation) -> int:
    """Append the lemmas of a refutation of ``clauses``; return the number of the empty clause."""
    if clauses != [tuple(clause) for clause in drup.formula.clauses()]:
        raise SolverFailedError("the clauses that were derived are not those that were refuted")
    refutation = parse_drat("\n".join(drup.lines).encode("ascii"))
    number_of = dict(enumerate(left(whole), start=1))
    goal = 0
    for step in implied(to_lrat(clauses, refutation), clauses):
        if isinstance(step, LratAddition):
            hints = tuple([number_of[hint] for hint in step.hints])
            goal = number_of[step.identifier] = whole.add(Propagated(step.literals, hints))
            if not step.literals:
                break
    return goal


def _checked(formula: PbFormula, text: bytes, outcome: SolveOutcome) -> Derived:
    """Return the constraints that a proof derives. Raise unless it concludes ``outcome``."""
    try:
        derived = check_proof(formula, text)
    except ProofError as error:
        raise SolverFailedError(f"the proof of the answer does not hold: {error}") from None
    match outcome.status:
        case SolveStatus.UNSATISFIABLE:
            concluded = derived.refuted
        case SolveStatus.OPTIMUM:
            bounds = derived.bounds
            concluded = bounds is not None and bounds.lower == bounds.upper
        case _:
            concluded = derived.satisfied
    if not concluded:
        raise SolverFailedError(f"the proof does not conclude {outcome.status}")
    return derived
