"""A pseudo-Boolean proof of an answer of ``solve``: from the rows of an OPB file to its conclusion.

The proof logs the best solution first, so that from there on only better ones matter. What shows
that there is none is tried in this order, the shortest proofs first:

* sums of rows, modulo 2 or 3 as well, where there is no solution at all;
* what branching on the relaxation has learned (`BranchProof`), with no clause of an encoding, or
  learns within a second when it begins with the best solution;
* the cores of core-guided search (`CoreProof`), with the clauses of the problem derived;
* both of these from a second search, for some seconds;
* the lemmas by which a solver refutes the clauses, those of "better than that" among them.

Only steps that are used are written, and each is deleted after its last use. Of a solution that
need not be the best one, the proof holds a lower bound: that of the relaxation or of the cores.
"""

from collections.abc import Callable, Sequence
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
from pbcnf.derivation.opb import CertifiedEncoding, derive_opb
from pbcnf.derivation.proof_file import literal_text, step_text, whole_proof
from pbcnf.derivation.trimming import left, trimmed
from pbcnf.proof import LratAddition, parse_drat, to_lrat
from pbcnf.proof.cutting_planes.checker import Derived, check_proof
from pbcnf.proof.cutting_planes.error import ProofError
from pbcnf.proof.cutting_planes.formula import PbFormula, read_formula
from satsweeper.certificate.branching import BranchProof, numbers_of_rows
from satsweeper.certificate.cores import CoreProof
from satsweeper.certificate.refutation import implied
from satsweeper.linear.inequalities import Multipliers
from satsweeper.linear.relaxation import available
from satsweeper.optimisation.refutation import linear_refutation, refuted_modulo
from satsweeper.optimisation.run import DrupProof, Settings, better_than, prove_best, solve
from satsweeper.optimisation.search import Cost, SearchLog, SolveOutcome, SolveStatus, reached
from satsweeper.processes.deadline import Deadline
from satsweeper.solvers.protocol import SolverFailedError

_BRIEFLY: Final = (1.0, 0.2)
"""The time limit of a second search by branching alone, as a multiple of the time of the first
search, and seconds that are added."""
_AGAIN: Final = (3.0, 0.5)
"""The same of a second search by branching and cores."""
_MOST: Final = 10.0
"""The largest such limit, in seconds."""
_SUMS: Final = 5.0
"""The time limit of a linear program whose multipliers refute the rows, in seconds."""


@dataclass(frozen=True, slots=True)
class AnswerProof:
    """A checked proof as text, the number of constraints that it derives, and its conclusion.

    ``bound``: the lower bound on the objective that is minimised, None where none is concluded.
    ``closed``: whether nothing is left open: an optimum, no solution, or one where none is better.
    """

    text: bytes = field(repr=False)
    steps: int
    bound: int | None = None
    closed: bool = True


def answer_proof(
    raw: bytes,
    settings: Settings,
    problem: Problem,
    outcome: SolveOutcome,
    log: SearchLog | None = None,
    seconds: float | None = None,
) -> AnswerProof | None:
    """Return the proof of an answer: optimum, no solution, or a solution, with a bound if possible.

    Return None if ``seconds`` were over first; not everything that takes long ends by then.

    Args:
        raw: the problem as OPB that checkers read; its objective is minimised.
        settings: encoders and solver, where clauses are to be refuted.
        problem: the same problem, as it is solved: its objective may be maximised.
        outcome: the answer.
        log: what the search has paid for and learned. If no proof comes of that, it is searched for
            anew.
        seconds: the time limit of that search, None for none.

    Raises:
        ProofError: ``raw`` is not what checkers read.
        ValueError: a constraint has no derivation.
        SolverFailedError: the refutation does not hold, or the proof is refused.
    """
    made = _Answer(raw, settings, problem, outcome, Deadline.after(seconds))
    proof = made.proof(log or SearchLog())
    if proof is None:
        return None
    found, conclusion = proof
    lines = [step_text(step) for step in found.steps]
    rows = len(made.formula.constraints)
    if made.better is not None:
        lines.insert(0, f"soli {made.shown} : {made.value} ;\n")
    text = "".join(whole_proof(rows, lines, conclusion=conclusion)).encode("ascii")
    derived = _checked(made.formula, text, outcome)
    steps, bounds = derived.last - rows, derived.bounds
    if bounds is None:
        return AnswerProof(text, steps)
    return AnswerProof(text, steps, bounds.lower, bounds.lower == bounds.upper)


_Found = tuple[Derivation, int]
"""A derivation, and the number of its goal: a contradiction, or a bound on the cost."""


class _Answer:
    """An answer to be proved, and ways to do it; each returns None if it does not lead there."""

    def __init__(
        self,
        raw: bytes,
        settings: Settings,
        problem: Problem,
        outcome: SolveOutcome,
        deadline: Deadline,
    ) -> None:
        self.formula: Final = read_formula(raw, objective=True)
        self._raw = raw
        self._settings = settings
        self._problem = problem
        self._outcome = outcome
        self._deadline = deadline
        self._rows: Final = len(self.formula.constraints)
        model = outcome.model
        self.shown = "" if model is None else " ".join(map(literal_text, model))
        self.value = 0 if model is None else self.formula.value({*model})
        """The objective of the solution, as it is minimised."""
        scored = model is not None and self.formula.objective is not None
        self.better: Final = self._rows + 1 if scored else None
        """The number of the constraint that the logged solution adds: less than its objective."""
        objective = problem.objective
        self._cost = Cost({}, 0, 1) if objective is None else Cost.of(objective)
        self._best = None if model is None else self._cost.in_model({*model})

    def proof(self, log: SearchLog) -> tuple[Derivation, str] | None:
        """Return the steps and the conclusion; None if time was over first."""
        if self._outcome.model is not None and self.better is None:
            return Derivation(self._rows), f"SAT : {self.shown}"
        if self._outcome.status is SolveStatus.SATISFIABLE:
            return self._bounded(log)
        found = self._refuted(log)
        if found is None:
            return None
        whole, goal = found
        if self.better is None:
            derivation, numbers = trimmed(whole, [goal])
            return derivation, f"UNSAT : {numbers[goal]}"
        return self._concluded(whole, goal, self.value)

    def _concluded(self, whole: Derivation, goal: int, lower: int) -> tuple[Derivation, str]:
        """Return the steps of a proof of bounds, ``goal`` being a contradiction if they meet."""
        # With the degree of the bound, literal axioms alone make the bound of a contradiction.
        degree = self.formula.at_least(lower).degree
        if lower == self.value and degree > 1:
            goal = whole.add(Combined(((goal, degree),)))
        derivation, numbers = trimmed(whole, [goal])
        return derivation, f"BOUNDS {lower} : {numbers[goal]} {self.value} : {self.shown}"

    def _refuted(self, log: SearchLog) -> _Found | None:
        """Prove that there is no better solution, or none at all."""
        found = self._by_rows() if self.better is None else None
        found = found or self._by_branching(log)
        again = self._problem.objective is not None and not self._settings.only_linear
        if found is None and again and available():
            # Where it is enough it takes little time, and makes much shorter proofs than cores do.
            found = self._by_branching(self._searched_again("branching", log, _BRIEFLY))
        found = found or self._by_cores_alone(log)
        if found is None and again:
            log = self._searched_again("auto", log, _AGAIN)
            found = self._by_branching(log) or self._by_cores_alone(log)
        if found is None:
            drup = prove_best(self._problem, self._outcome, self._settings, self._deadline.left())
            found = None if drup is None else self._by_clauses(drup)
        return found

    def _by_branching(self, log: SearchLog) -> _Found | None:
        """Prove by what branching has learned, if it is enough."""
        state, below = self._begun(Derivation(self._rows + (self.better is not None)))
        goal = BranchProof(state, self.formula, self._problem, below).add(log.clauses)
        return None if goal is None else (state.derivation, goal)

    def _by_cores_alone(self, log: SearchLog) -> _Found | None:
        """Prove by cores, if they are enough."""
        if self._best is None or not self._cost.terms or not reached(log.cores, self._best):
            return None
        found = self._by_cores(log)
        return None if found is None else found[:2]

    def _begun(self, whole: Derivation) -> tuple[DerivationState, int | None]:
        """Return the state of a derivation, and the number of "the cost is below the best one"."""
        state = DerivationState(whole)
        if self.better is None:
            return state, None
        terms, degree = self.formula.at_most(self.value - 1)
        state.declare(self.better, [(weight, lit) for lit, weight in terms.items()], degree)
        unit = abs(self._cost.unit)
        return state, self.better if unit == 1 else state.add([(self.better, 1)], (), unit)

    def _by_rows(self) -> _Found | None:
        """Refute the rows by one sum of them, or by two that are rounded modulo 2 or 3."""
        left = self._deadline.left()
        found = Derivation(self._rows)
        multipliers = linear_refutation(self._problem, _SUMS if left is None else min(_SUMS, left))
        if multipliers:
            parts = self._parts(multipliers)
            return None if parts is None else (found, found.add(Combined(parts)))
        modular = refuted_modulo(self._problem)
        if modular is None:
            return None
        # All weights of the sum of equations are multiples of the modulus, the number is not.
        # Divided and rounded up, both directions together say that 0 is at least 1.
        halves = [self._parts(each) for each in (modular.lower, modular.upper)]
        sums = [found.add(Combined(each, (), modular.modulus)) for each in halves if each]
        return (found, found.add(Combined(tuple((s, 1) for s in sums)))) if len(sums) > 1 else None

    def _parts(self, multipliers: Multipliers) -> tuple[tuple[int, int], ...] | None:
        """Return numbers of constraints and factors; None if a row is none of the file's.

        Such is a row whose bound was beyond what its terms can reach.
        """
        numbers = numbers_of_rows(self.formula, self._problem)
        parts = [(numbers[index], factor) for index, factor in multipliers.items()]
        found = tuple([(number, factor) for number, factor in parts if number is not None])
        return found if len(found) == len(parts) else None

    def _searched_again(
        self, strategy: str, first: SearchLog, limits: tuple[float, float]
    ) -> SearchLog:
        """Search once more from the solution on, for a short time, see `_BRIEFLY`."""
        log, left = SearchLog(), self._deadline.left()
        limit = min(limits[0] * first.seconds + limits[1], _MOST)
        limit = limit if left is None else min(limit, left / 2)
        settings = replace(self._settings, strategy=strategy)
        solve(self._problem, settings, seconds=limit, log=log, start=self._outcome.model)
        return log

    def _encoded(self, further: Sequence[tuple[Linear, BoundIds]] = ()) -> CertifiedEncoding:
        """Return the clauses of the problem, derived from the rows."""
        settings = self._settings
        return derive_opb(
            *(self._raw, self._problem.constraints, settings.choices, settings.most_clauses),
            known=int(self.better is not None),
            further=further,
        )

    def _by_cores(
        self, log: SearchLog, over: Callable[[], bool] = lambda: False
    ) -> tuple[Derivation, int, int] | None:
        """Prove a bound on the cost by the cores of ``log``, or a contradiction if it is reached.

        Return the bound as well. None: a core is none, as it rests on a clause of branching that
        was not derived.
        """
        made = self._encoded()
        whole = made.derivation
        numbers, (state, below) = left(whole), self._begun(whole)
        assert below is not None
        clauses = [tuple(clause) for clause in made.formula.clauses()]
        auxiliary = [step.var for step in whole.steps if isinstance(step, HalfDefinition)]
        state.last_var = max([made.formula.num_vars, *auxiliary])
        branched = BranchProof(state, self.formula, self._problem, below)
        branched.add(log.clauses, over)
        clauses += [clause for clause, _ in branched.derived]
        numbers += [number for _, number in branched.derived]
        try:
            found = CoreProof(state, self._cost, log.cores, below).add(clauses, numbers, over)
        except SolverFailedError:
            return None
        return self._met(whole, below, *found)

    def _met(
        self, whole: Derivation, below: int, goal: int, bound: int | None
    ) -> tuple[Derivation, int, int]:
        """Return a contradiction where a bound, constraint ``goal``, meets the best cost.

        ``bound``: None if ``goal`` is a contradiction. What is derived holds of better solutions
        alone, so that it may be above the best cost.
        """
        assert self._best is not None
        if bound is not None and bound >= self._best:
            goal = whole.add(Combined(((goal, 1), (below, 1))))
        return whole, goal, self._best if bound is None else min(bound, self._best)

    def _by_clauses(self, drup: DrupProof) -> _Found:
        """Derive the clauses that ``drup`` refutes, and its lemmas."""
        further: list[tuple[Linear, BoundIds]] = []
        objective = self._problem.objective
        if self.better is not None and objective is not None:
            ids = BoundIds(**{"lower" if objective.maximise else "upper": self.better})
            further.append((better_than(objective, self._outcome.value or 0), ids))
        made = self._encoded(further)
        whole, clauses = made.derivation, [tuple(clause) for clause in made.formula.clauses()]
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
        return whole, goal

    def _bounded(self, log: SearchLog) -> tuple[Derivation, str]:
        """Prove a lower bound beside a solution: by the relaxation or by cores, whichever is more.

        Half of the time that is left goes into it, the rest into writing and checking.
        """
        limit = self._deadline.left()
        over = Deadline.after(None if limit is None else limit / 2).passed
        state, below = self._begun(Derivation(self._rows + 1))
        branched = BranchProof(state, self.formula, self._problem, below)
        assert self._best is not None
        assert below is not None
        refuted = branched.add(log.clauses, over)
        goal_and_bound = (refuted, None) if refuted else branched.bound(log.clauses, self._cost)
        found = self._met(state.derivation, below, *goal_and_bound)
        if found[2] < min(sum(core.weight for core in log.cores), self._best):
            found = max(found, self._by_cores(log, over) or found, key=lambda each: each[2])
        whole, goal, bound = found
        unit = abs(self._cost.unit)
        if unit > 1 and bound < self._best:
            goal = whole.add(Combined(((goal, unit),)))
        return self._concluded(whole, goal, self.value - unit * (self._best - bound))


def _checked(formula: PbFormula, text: bytes, outcome: SolveOutcome) -> Derived:
    """Return the constraints that a proof derives. Raise unless it concludes ``outcome``."""
    try:
        derived = check_proof(formula, text)
    except ProofError as error:
        raise SolverFailedError(f"the proof of the answer does not hold: {error}") from None
    bounds = derived.bounds
    match outcome.status:
        case SolveStatus.UNSATISFIABLE:
            concluded = derived.refuted
        case SolveStatus.OPTIMUM if formula.objective is not None:
            concluded = bounds is not None and bounds.lower == bounds.upper
        case _:
            concluded = derived.satisfied or bounds is not None
    if not concluded:
        raise SolverFailedError(f"the proof does not conclude {outcome.status}")
    return derived
