"""Optima and refutations proved by what branching has learned, without any encoding.

A clause that branching learns holds of every better solution. Either a sum of rows, times integers
that were duals of the relaxation, and of "better than the best solution" contradicts the negation
of the clause: one ``pol`` step, and one ``rup`` step that names the sum and the literals that are
known by then. Or propagation on rows and earlier clauses does: one ``rup`` step, whose hints are
the constraints that were met on the way from the negation to the conflict. So each node of the tree
becomes a clause over its decisions, those of its children resolve to that, and the root is the
empty clause. What a solver with the whole encoding has found is tried in the same way, and left out
if propagation does not show it.
"""

from collections.abc import Callable, Sequence
from typing import Final

from pbcnf.constraints.problem import Problem
from pbcnf.derivation.derivation_state import Combined, DerivationState, Propagated
from pbcnf.derivation.inequalities import LinearInequality, combined, linear_inequality
from pbcnf.literals import Lit
from pbcnf.proof.cutting_planes.formula import PbFormula
from satsweeper.certificate.propagation import ConstraintPropagation
from satsweeper.linear.inequalities import Multipliers, inequalities
from satsweeper.optimisation.search import Cost, LearnedClause

_TRIES: Final = 400
"""The limit on literals that are made true to derive a clause beyond propagation alone."""


class BranchProof:
    """The steps of a proof by branching, appended to the derivation of ``state``.

    Args:
        state: the state of a derivation that begins with the rows.
        formula: the rows, as checkers read them.
        problem: the same rows, as the search has numbered them.
        better: the number of the constraint "the cost is below the best one", in units of the cost;
            None if there is no solution.

    ``refuted``: the number of the empty clause, once it is derived. ``derived``: the clauses that
    were, and their numbers.
    """

    def __init__(
        self, state: DerivationState, formula: PbFormula, problem: Problem, better: int | None
    ) -> None:
        self.refuted: int | None = None
        self.derived: list[tuple[tuple[Lit, ...], int]] = []
        self._state = state
        self._better = better
        self._propagation = ConstraintPropagation()
        self._numbers: list[int] = []
        """For each constraint that is propagated on, its number."""
        self._units: dict[Lit, int] = {}
        """Known literal -> the number of the clause that it is."""
        for number, (terms, degree) in enumerate(formula.constraints, start=1):
            state.declare(number, [(weight, lit) for lit, weight in terms.items()], degree)
            self._learn(state.rows[number], number)
        self._rows = numbers_of_rows(formula, problem)
        if better is not None:
            self._learn(state.rows[better], better)

    def add(
        self, clauses: Sequence[LearnedClause], over: Callable[[], bool] = lambda: False
    ) -> int | None:
        """Derive ``clauses`` in their order; return the number of the empty clause, None if none.

        A clause that does not follow in one of the two ways is left out, and so are all that come
        when the time is ``over``.
        """
        for clause, multipliers, factor in clauses:
            if self.refuted is not None or over():
                break
            if not multipliers:
                self._by_propagation(clause)
            elif factor == 0 or self._better is not None:
                self._by_sum(clause, multipliers, factor)
        return self.refuted

    def bound(self, clauses: Sequence[LearnedClause], cost: Cost) -> tuple[int, int]:
        """Derive a lower bound on ``cost`` by the last sum of ``clauses`` that gives one.

        What is known takes part. Return the number of the constraint, and the bound.
        """
        state, signed = self._state, cost.linear[0]
        sums = [each for each in clauses if not each.clause and each.factor]
        parts = self._parts(sums[-1].multipliers) if sums else None
        if parts:
            factor = sums[-1].factor
            total = combined([(state.rows[number], times) for number, times in parts])
            rest = {var: factor * weight for var, weight in signed.items()}
            for var, each in total.coefficients.items():
                rest[var] = rest.get(var, 0) - each
            # What the sum lacks of the cost is added: known literals, worth 1, and axioms, worth 0.
            lits = [(var if each > 0 else -var, abs(each)) for var, each in rest.items() if each]
            parts += [(self._units[lit], each) for lit, each in lits if lit in self._units]
            axioms = [(lit, each) for lit, each in lits if lit not in self._units]
            number = state.add(parts, axioms, factor)
            if state.rows[number].literal_degree > 0:
                return number, state.rows[number].literal_degree
        return state.add([], [*cost.terms.items()]), 0

    def _learn(self, row: LinearInequality, number: int) -> None:
        """Propagate on constraint ``number`` as well, and derive the literals that this forces."""
        if self.refuted is not None:
            return
        known = len(self._propagation.trail)
        self._numbers.append(number)
        terms = {lit: weight for weight, lit in row.terms()}
        conflict = self._propagation.add(terms, row.literal_degree)
        for lit in self._propagation.trail[known:]:
            index, others = self._propagation.reason(lit)
            hints = [*(self._units[other] for other in others), self._numbers[index]]
            self._units[lit] = self._clause((lit,), hints)
        if conflict is not None:
            others = self._propagation.reason_of(conflict)
            hints = [*(self._units[other] for other in others), self._numbers[conflict]]
            self.refuted = self._clause((), hints)

    def _by_propagation(self, clause: Sequence[Lit]) -> None:
        # Propagation is enough, unless the solver has used clauses that it had learned before: then
        # further literals are tried, and what refutes them becomes a clause as well.
        given = [-lit for lit in clause]
        tried: list[Lit] = []
        for _ in range(_TRIES):
            found = self._propagation.refute([*given, *tried])
            if found is None:
                lit = self._propagation.tight([*given, *tried])
                if lit is None:
                    return
                tried.append(lit)
                continue
            hints = [*map(self._units.__getitem__, found.known)]
            hints += [self._numbers[index] for index in found.indices]
            self._keep([-lit for lit in found.assumed], hints)
            if self.refuted is not None or {*given}.issuperset(found.assumed):
                return
            tried = []

    def _by_sum(self, clause: Sequence[Lit], multipliers: Multipliers, factor: int) -> None:
        parts = self._parts(multipliers)
        if parts is None:
            return
        if factor and self._better is not None:
            parts.append((self._better, factor))
        total = combined([(self._state.rows[number], times) for number, times in parts])
        weights = {lit: weight for weight, lit in total.terms()}
        known = sorted([(weights[-lit], lit) for lit in self._units if -lit in weights])
        slack = sum(weights.values()) - total.literal_degree
        slack -= sum([weights.get(lit, 0) for lit in clause])
        spare = -1 - slack + sum([weight for weight, lit in known if -lit not in clause])
        if spare < 0:
            return
        hints = [self._state.derivation.add(Combined(tuple(parts)))]
        for weight, lit in known:
            # Known literals without which the slack is below 0 as well are left out.
            if weight <= spare:
                spare -= weight
            elif -lit not in clause:
                hints.append(self._units[lit])
        self._keep(clause, hints)

    def _parts(self, multipliers: Multipliers) -> list[tuple[int, int]] | None:
        """Return numbers of rows and factors; None if a row is none of the file's."""
        parts = []
        for index, factor in multipliers.items():
            number = self._rows[index]
            if number is None:
                return None
            parts.append((number, factor))
        return parts

    def _keep(self, clause: Sequence[Lit], hints: Sequence[int]) -> None:
        """Derive a clause, by propagation on ``hints``, and propagate on it from here on."""
        number = self._clause(tuple(clause), hints)
        if not clause:
            self.refuted = number
            return
        self.derived.append((tuple(clause), number))
        self._learn(linear_inequality([(1, lit) for lit in clause], 1), number)

    def _clause(self, clause: tuple[Lit, ...], hints: Sequence[int]) -> int:
        state = self._state
        number = state.derivation.add(Propagated(clause, tuple(hints)))
        if len(clause) == 1:
            state.rows[number] = linear_inequality([(1, clause[0])], 1)
        return number


def numbers_of_rows(formula: PbFormula, problem: Problem) -> list[int | None]:
    """Return for each row of `inequalities` of ``problem`` its number in ``formula``.

    None: it is none of the file's, as where its bound was beyond what its terms can reach.
    """
    numbers = {}
    for number, (terms, degree) in enumerate(formula.constraints, start=1):
        row = linear_inequality([(weight, lit) for lit, weight in terms.items()], degree)
        numbers[frozenset(row.coefficients.items()), row.degree] = number
    rows = inequalities(problem)
    contents = [(frozenset([t for t in row.terms.items() if t[1]]), row.least) for row in rows]
    return [numbers.get(content) for content in contents]
