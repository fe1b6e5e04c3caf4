"""Irreducible contradictory sets of equations.

The start is a refutation by sums. Then each equation is left out in turn. If a solver finds an
assignment that satisfies the other equations, the equation is needed, and model rotation shows that
more equations are needed. If the solver, or a sum of the other equations, refutes the others, the
equation is left out. A question without an answer is repeated with a larger budget in the next
round.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from math import inf
from random import Random
from typing import Final, NamedTuple

from pbcnf.constraints.constraint import Cardinality
from pbcnf.emission.encode import encode
from pbcnf.encoders.table import find_encoder
from pbcnf.sink import GuardedSink
from satsweeper.linear.equations import Equation, ModularRow
from satsweeper.linear.refutation import Refutation, refutation_of, renamed, used
from satsweeper.linear.relaxation import available, solution
from satsweeper.reasons.rotation import Rotation
from satsweeper.solvers.protocol import Satisfied, Unsatisfied
from satsweeper.solvers.pysat import PysatSolver
from satsweeper.solvers.sink import SolverSink
from satsweeper.solvers.table import FAST

# Assignments that satisfy all equations but one, found by a live solver.
#
# Each equation has a selector literal, which implies the equation; the selector of an equation with
# a single variable is the variable's literal. Needed equations are asserted as units, which makes
# later questions cheaper.

_SHORT: Final = 8
"""The number of variables of the largest equation encoded without auxiliary variables."""
_MOST_CLAUSES: Final = 2_000_000
"""The largest number of clauses of an equation; a larger equation is not encoded, so that models
may violate it and the caller has to check them."""


class MetAssignment(NamedTuple):
    """An assignment to be checked by the caller: ``ones`` are 1, all other variables 0."""

    ones: set[int]


class Clash(NamedTuple):
    """Equations, by index, that no assignment satisfies together."""

    indices: frozenset[int]


class EquationSolver:
    """A live solver with equations, each behind a selector; `close` frees the solver.

    Args:
        equations: the equations by index.
        given: indices of equations that are never left out.
    """

    def __init__(self, equations: Mapping[int, Equation], given: Collection[int] = ()) -> None:
        self._equations = equations
        self._sink = SolverSink(PysatSolver(FAST))
        self._variable: dict[int, int] = {}
        self._selector: dict[int, int] = {}
        self._settled: set[int] = set()
        self._counted = Counter(v for variables, _ in equations.values() for v in variables)
        self._alone: dict[int, list[int]] = {}
        for index, (variables, number) in equations.items():
            self._selector[index] = self._add(index, variables, number)
        self.settle(given)

    def settle(self, indices: Collection[int]) -> None:
        """Assert the equations ``indices`` as units: later questions cannot leave them out."""
        for index in indices:
            if index not in self._settled:
                self._settled.add(index)
                self._sink.add_clause([self._selector[index]])

    def without(
        self, index: int, kept: Collection[int], budget: int, near: Collection[int] | None = None
    ) -> MetAssignment | Clash | None:
        """Find an assignment that satisfies all kept equations but ``index``, or refute the others.

        None if the budget was used up.

        Args:
            index: the equation to leave out. If it has a single variable, this variable is assumed
                to have its other value, as no assignment satisfies all kept equations.
            kept: the equations of the question, ``index`` among them; they are contradictory.
            budget: the most conflicts of the question.
            near: the variables that are 1 in the assignment whose values are the preferred phases;
                None: no preference.
        """
        assumed = [self._selector[i] for i in kept if i not in self._settled and i != index]
        variables, number = self._equations[index]
        if len(variables) == 1 and 0 <= number <= 1:
            assumed.append(-self._selector[index])
        if near is not None:
            self._sink.solver.prefer(
                [lit if v in near else -lit for v, lit in self._variable.items()]
            )
        answer = self._sink.solver.solve(assumed, budget)
        if isinstance(answer, Satisfied):
            return MetAssignment(self._ones(answer.model, kept, index))
        if not isinstance(answer, Unsatisfied):
            return None
        core = set(answer.core)
        if -self._selector[index] in core:
            # The others are refuted under the other value of the variable. Under the value of
            # equation ``index`` all kept equations are contradictory. So the others are, too.
            return Clash(frozenset(kept) - {index})
        # Equations with the same single variable share a selector: all of them are in the core.
        others = [i for i in kept if i != index]
        return Clash(
            frozenset(i for i in others if i in self._settled or self._selector[i] in core)
        )

    def _add(self, index: int, variables: Sequence[int], number: int) -> int:
        """Add an equation and return its selector."""
        sink = self._sink
        # ``alone``: private variables, which no other equation has; they are not encoded.
        alone = [v for v in variables if self._counted[v] == 1] if len(variables) > _SHORT else []
        inner = [v for v in variables if v not in set(alone)] if alone else variables
        for v in inner:
            if v not in self._variable:
                self._variable[v] = sink.new_var()
        literals = [self._variable[v] for v in inner]
        if len(variables) == 1 and 0 <= number <= 1:
            return literals[0] if number else -literals[0]
        selector = sink.new_var()
        # Private variables can supply 0 to len(alone) ones, so the other variables get a range.
        # `_ones` gives the private variables their values afterwards.
        lower, upper = max(number - len(alone), 0), min(number, len(inner))
        if lower > upper:
            sink.add_clause([-selector])
            return selector
        encoder = find_encoder("direct" if len(inner) <= _SHORT else "totalizer")
        self._alone[index] = alone
        if encoder.size(len(inner), lower, upper).clauses <= _MOST_CLAUSES:
            guarded = GuardedSink(sink, -selector)
            encode(Cardinality(literals, lower, upper), guarded, encoder)
        return selector

    def _ones(self, model: Sequence[int], kept: Collection[int], out: int) -> set[int]:
        """Return the variables that are 1 in ``model``, with private variables filled in.

        ``out``: the equation left out, whose private variables stay 0.
        """
        ones = {v for v, lit in self._variable.items() if lit <= len(model) and model[lit - 1] > 0}
        for index, alone in self._alone.items():
            if alone and index in kept and index != out:
                variables, number = self._equations[index]
                missing = number - sum(v in ones for v in variables)
                ones.update(alone[: max(missing, 0)])
        return ones

    def close(self) -> None:
        """Free the solver."""
        self._sink.solver.close()


_BUDGETS: Final = (300, 3_000, 20_000)
"""The most solver conflicts of a question, for each round."""
_MISSES: Final = 12
"""The number of questions without an answer after which a round ends."""
_EASY: Final = 3
"""The number of first questions without an answer, in the first round, that sums do not retry."""
_TRIES: Final = 4
"""The number of failures of sums in a round after which only search is used."""
SOON: Final = 2_500_000
"""The effort of about a second, measured in variables of the equations that steps visit."""
_SET_UP: Final = 22
"""The cost of setting up, in steps of search."""
_BY_SUMS: Final = 15
"""The cost of one attempt by sums, in steps of search."""
_LEAST: Final = 50
"""The number of steps below which the effort is too small to begin."""
_SECONDS: Final = 2.0
"""The time limit of one linear program, in seconds."""


class Irreducible(NamedTuple):
    """A contradictory set of equations, by index in ascending order, with its refutation.

    ``irreducible``: whether for each equation of the set that is not given, some assignment
    satisfies all others. ``refutation``: by the index among all equations; it uses equations of the
    set, or, with ``by_search``, also equations that search left out.
    """

    indices: tuple[int, ...]
    irreducible: bool
    refutation: Refutation
    by_search: bool


def irreducible(
    equations: Sequence[Equation],
    given: Collection[int] = (),
    left: Callable[[], float | None] = lambda: None,
    effort: float = inf,
) -> Irreducible | None:
    """Return an irreducible contradictory subset of ``equations``; None if no sum refutes them.

    Args:
        equations: the equations; earlier ones are left out first.
        given: indices of equations that are not to be left out.
        left: returns the seconds until the deadline, None if there is no deadline.
        effort: the limit on the cost after the first refutation, in the unit of ``SOON``.
    """
    refutation = refutation_of(equations, given, left)
    if refutation is None:
        return None
    kept = frozenset(used(refutation)) | frozenset(given)
    if effort < (_SET_UP + _LEAST) * _step(equations, kept):
        return Irreducible(tuple(sorted(kept)), False, refutation, by_search=False)
    run = _Reduction(equations, given, left, refutation, effort)
    try:
        done = run.settle_all()
    finally:
        run.solver.close()
    indices = tuple(sorted(run.kept))
    # Search may have left out equations of the refutation: look for a sum of the kept ones.
    if not run.kept.issuperset(used(refutation)):
        given_places = {place for place, index in enumerate(indices) if index in run.given}
        some = [equations[i] for i in indices]
        fewer = None if left() == 0 else refutation_of(some, given_places, left)
        if fewer is None:
            return Irreducible(indices, done, refutation, by_search=True)
        refutation = renamed(fewer, indices)
    return Irreducible(indices, done, refutation, by_search=False)


def _step(equations: Sequence[Equation], indices: Collection[int]) -> int:
    """Return the cost of a step that visits the equations ``indices``."""
    return sum(len(equations[index][0]) + 1 for index in indices)


class _Reduction:
    """The state of the reduction; invariant: the equations ``kept`` are contradictory."""

    def __init__(
        self,
        equations: Sequence[Equation],
        given: Collection[int],
        left: Callable[[], float | None],
        refutation: Refutation,
        effort: float,
    ) -> None:
        self.equations = equations
        self.given = frozenset(given)
        self.left = left
        self.refutation = refutation
        self.tries = _TRIES
        self.kept = frozenset(used(refutation)) | self.given
        clash = {index: equations[index] for index in self.kept}
        self.solver = EquationSolver(clash, self.given)
        self.rotation = Rotation(clash, self.given)
        self.step = _step(equations, self.kept)
        self.effort = effort - _SET_UP * self.step

    def settle_all(self) -> bool:
        """Settle equations within effort and time; return whether every kept one is needed."""
        for budget in _BUDGETS:
            misses, self.tries = 0, _TRIES
            order = sorted(self.kept - self.given)
            if budget == _BUDGETS[0]:
                # Neighbouring equations tend to give equal answers, so the first round visits the
                # equations in random order.
                Random(0).shuffle(order)
            for index in order:
                if index not in self.kept or index in self.rotation.needed:
                    continue
                if self.left() == 0 or self.effort < 0 or misses == _MISSES:
                    break
                easy = budget == _BUDGETS[0] and misses < _EASY
                conflicts = budget if easy or self.rotation.needed else _BUDGETS[1]
                if not self._by_search(index, conflicts):
                    last = budget == _BUDGETS[-1]
                    misses += easy or not self._by_sums(index, branch=last)
        return self.kept == self.rotation.needed | self.given

    def _by_search(self, index: int, budget: int) -> bool:
        """Whether the solver settles equation ``index`` as needed or as left out."""
        # The kept equations are contradictory. Either they still are without equation ``index``,
        # which is left out with all equations outside the core, or some assignment satisfies all
        # other kept equations, and the equation is needed.
        self.effort -= self.step
        answer = self.solver.without(index, self.kept, budget, self.rotation.near(index))
        if isinstance(answer, Clash):
            self._keep(answer.indices)
        return isinstance(answer, Clash) or (answer is not None and self._spread(answer.ones))

    def _by_sums(self, index: int, *, branch: bool) -> bool:
        """Whether a linear program or elimination settles equation ``index``.

        ``branch``: whether the linear program may branch to find an assignment.
        """
        if not self.tries:
            return False
        self.effort -= _BY_SUMS * self.step
        others = sorted(self.kept - {index})
        some = [self.equations[i] for i in others]
        if available():
            rest = self.left()
            seconds = _SECONDS if rest is None else min(rest, _SECONDS)
            # The cost makes the sum of equation ``index`` deviate as little as possible: an
            # equation with a positive weight in the refutation has too low a sum in every solution
            # of the others, so that its sum is maximised.
            cost: dict[int, float] = {}
            if not isinstance(self.refutation, ModularRow):
                sign = -1.0 if self.refutation.weights.get(index, 0) > 0 else 1.0
                cost = dict.fromkeys(self.equations[index][0], sign)
            ones = solution(some, cost, seconds, integer=branch)
            if ones is not None and self._spread(ones):
                return True
        given = {place for place, i in enumerate(others) if i in self.given}
        # A refutation of the other equations: equation ``index`` and all equations that the
        # refutation does not use are left out.
        fewer = refutation_of(some, given, self.left)
        if fewer is None:
            self.tries -= 1
            return False
        self._keep(self.given | {others[place] for place in used(fewer)})
        return True

    def _spread(self, ones: set[int]) -> bool:
        """Whether ``ones`` shows a needed equation; rotation then finds further ones."""
        # A needed equation stays needed when other equations are left out: the assignment that
        # shows it satisfies all others, hence every subset of them. So needed equations may be
        # asserted as units.
        self.effort -= self.step
        if not self.rotation.spread(ones):
            return False
        self.solver.settle(self.rotation.needed)
        return True

    def _keep(self, indices: Collection[int]) -> None:
        """Leave out all kept equations but ``indices``."""
        for index in self.kept.difference(indices):
            self.rotation.drop(index)
        self.kept = self.kept.intersection(indices)
