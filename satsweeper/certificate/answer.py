"""A pseudo-Boolean proof of an answer of ``solve``: from the rows of an OPB file to its conclusion.

The proof logs the best solution first, so that from there on only better ones matter. Then come the
derivations of those clauses that the solver's refutation uses, the bound "better than that" among
them, and its lemmas with their hints; each step is deleted after its last use.
"""

from dataclasses import dataclass, field

from pbcnf.constraints.constraint import Linear
from pbcnf.constraints.problem import Problem
from pbcnf.derivation.derivation_state import BoundIds, Combined, Derivation, Propagated
from pbcnf.derivation.opb import derive_opb
from pbcnf.derivation.proof_file import literal_text, step_text, whole_proof
from pbcnf.derivation.trimming import left, trimmed
from pbcnf.proof import LratAddition, parse_drat, to_lrat
from pbcnf.proof.cutting_planes.checker import Derived, check_proof
from pbcnf.proof.cutting_planes.error import ProofError
from pbcnf.proof.cutting_planes.formula import PbFormula, read_formula
from satsweeper.certificate.refutation import implied
from satsweeper.optimisation.run import DrupProof, Settings, better_than
from satsweeper.optimisation.search import SolveOutcome, SolveStatus
from satsweeper.solvers.protocol import SolverFailedError


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
    drup: DrupProof | None,
) -> AnswerProof:
    """Return the proof of an answer: optimum, no solution, or a solution where nothing is better.

    Args:
        raw: the problem as OPB that checkers read; its objective is minimised.
        settings: the encoders with which ``drup`` was found.
        problem: the same problem, as it is solved: its objective may be maximised.
        outcome: the answer.
        drup: the refutation of the clauses of ``problem``, and of "better than ``outcome``" if it
            has a solution; None if ``outcome`` is a solution of a problem without objective.

    Raises:
        ProofError: ``raw`` is not what checkers read.
        ValueError: a constraint has no derivation.
        SolverFailedError: the refutation does not hold, or the proof is refused.
    """
    formula = read_formula(raw, objective=True)
    rows = len(formula.constraints)
    model = outcome.model
    found = Derivation(rows)
    goal = 0
    if drup is not None:
        found, goal = _refuted(raw, formula, problem, outcome, settings, drup)
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


def _refuted(
    raw: bytes,
    formula: PbFormula,
    problem: Problem,
    outcome: SolveOutcome,
    settings: Settings,
    drup: DrupProof,
) -> tuple[Derivation, int]:
    """Return steps that end in a contradiction, or in a bound on the objective, and its number."""
    further: list[tuple[Linear, BoundIds]] = []
    if outcome.value is not None and problem.objective is not None:
        # The solution that is logged adds this constraint behind the rows.
        number = len(formula.constraints) + 1
        ids = BoundIds(lower=number) if problem.objective.maximise else BoundIds(upper=number)
        further.append((better_than(problem.objective, outcome.value), ids))
    made = derive_opb(
        *(raw, problem.constraints, settings.choices, settings.most_clauses), further=further
    )
    clauses = [tuple(clause) for clause in made.formula.clauses()]
    if clauses != [tuple(clause) for clause in drup.formula.clauses()]:
        raise SolverFailedError("the clauses that were derived are not those that were refuted")
    refutation = parse_drat("\n".join(drup.lines).encode("ascii"))
    whole = made.derivation
    number_of = dict(enumerate(left(whole), start=1))
    goal = 0
    for step in implied(to_lrat(clauses, refutation), clauses):
        if isinstance(step, LratAddition):
            hints = tuple([number_of[hint] for hint in step.hints])
            goal = number_of[step.identifier] = whole.add(Propagated(step.literals, hints))
    if outcome.model is not None:
        # With the degree of the bound, literal axioms alone make the bound of the contradiction.
        degree = formula.at_least(formula.value({*outcome.model})).degree
        goal = whole.add(Combined(((goal, max(degree, 1)),)))
    found, numbers = trimmed(whole, [goal])
    return found, numbers[goal]


def _checked(formula: PbFormula, text: bytes, outcome: SolveOutcome) -> Derived:
    """Return what a proof derives. Raise unless it holds, and concludes ``outcome``."""
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
