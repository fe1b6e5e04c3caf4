"""Irreducible sets of equations that clash.

The start is a refutation by sums. Then each equation is left out in turn. A solver may find an
assignment that meets the others: then the equation is needed, and so are most equations around it,
as rotation shows. Or the solver, or sums of the others, refute the others: then the equation is
left out. A question that neither answers soon is asked again, with more effort, after the others.
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

# Assignments that meet all equations but one, found by a live solver.
#
# Each equation is switched on by a selector; for an equation of a single variable, that variable is
# the selector. An equation that is settled is asserted for good, so that later questions get
# cheaper.

_SHORT: Final = 8
"""Variables of the largest equation that is encoded without auxiliary variables."""
_MOST_CLAUSES: Final = 2_000_000
"""Clauses of an equation, at the most; a larger equation is only checked by the caller."""


class MetAssignment(NamedTuple):
    """An assignment to be checked by the caller: ``ones`` are 1, all other variables 0."""

    ones: set[int]


class Clash(NamedTuple):
    """Equations, by index, that no assignment meets."""

    indices: frozenset[int]


class EquationSolver:
    """A live solver with equations, each behind a selector; `close` frees the solver.

    Args:
        equations: by index.
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
        """Assert the equations ``indices`` for good: no later question leaves them out."""
        for index in indices:
            if index not in self._settled:
                self._settled.add(index)
                self._sink.add_clause([self._selector[index]])

    def without(
        self, index: int, kept: Collection[int], budget: int, near: Collection[int] | None = None
    ) -> MetAssignment | Clash | None:
        """Find an assignment that meets all kept equations but ``index``; None: budget used up.

        Args:
            index: the equation to miss. If it has a single variable, that variable gets its other
                value: all kept equations are known to clash.
            kept: the equations of the question, ``index`` among them.
            budget: conflicts that the solver may meet.
            near: variables that are 1 where to look first, the others 0; None for anywhere.
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
            # With its other value there is no assignment; with its own, all kept ones clash.
            return Clash(frozenset(kept) - {index})
        # Two equations of the same variable alone have one selector.
        others = [i for i in kept if i != index]
        return Clash(
            frozenset(i for i in others if i in self._settled or self._selector[i] in core)
        )

    def _add(self, index: int, variables: Sequence[int], number: int) -> int:
        """Add an equation and return its selector."""
        sink = self._sink
        alone = [v for v in variables if self._counted[v] == 1] if len(variables) > _SHORT else []
        inner = [v for v in variables if v not in set(alone)] if alone else variables
        for v in inner:
            if v not in self._variable:
                self._variable[v] = sink.new_var()
        literals = [self._variable[v] for v in inner]
        if len(variables) == 1 and 0 <= number <= 1:
            return literals[0] if number else -literals[0]
        selector = sink.new_var()
        # Variables of this equation alone make up for what the others leave, as far as they go.
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
"""Conflicts that the solver may meet in a question, round by round."""
_MISSES: Final = 12
"""Questions of a round that may stay without an answer."""
_EASY: Final = 3
"""Unanswered questions of the first round for which only search is tried."""
_TRIES: Final = 4
"""Failures of sums in a round, after which only search is tried."""
SOON: Final = 2_500_000
"""Effort of a second or so: variables of equations that steps look at."""
_SET_UP: Final = 22
_BY_SUMS: Final = 15
"""The cost of one attempt by sums (and ``_SET_UP``: of setting up), in steps of search."""
_LEAST: Final = 50
"""With effort for fewer steps than this, no step is taken."""
_SECONDS: Final = 2.0
"""Seconds of a linear program, at the most."""


class Irreducible(NamedTuple):
    """Equations that clash, by index in ascending order, and what is known of them.

    ``irreducible``: for each that may be left out, some assignment meets all others.
    ``refutation``: a sum of these equations, or, with ``by_search``, also of some that search left
    out; by the index among all equations that were given.
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
    """Return an irreducible clash among ``equations``; None if no sum of them shows a clash.

    Args:
        equations: the first are the first to be left out.
        given: indices of equations that are not to be left out.
        left: the seconds that are left, None for any.
        effort: the cost after the first refutation, see ``SOON``.
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
    if not run.kept.issuperset(used(refutation)):
        own = {place for place, index in enumerate(indices) if index in run.given}
        some = [equations[i] for i in indices]
        fewer = None if left() == 0 else refutation_of(some, own, left)
        if fewer is None:
            return Irreducible(indices, done, refutation, by_search=True)
        refutation = renamed(fewer, indices)
    return Irreducible(indices, done, refutation, by_search=False)


def _step(equations: Sequence[Equation], indices: Collection[int]) -> int:
    """Return the cost of a step that looks at the equations ``indices``."""
    return sum(len(equations[index][0]) + 1 for index in indices)


class _Reduction:
    """The equations kept so far: every other equation was seen not to be needed."""

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
        """Settle as many equations as effort and time allow; whether all kept ones are needed."""
        for budget in _BUDGETS:
            misses, self.tries = 0, _TRIES
            order = sorted(self.kept - self.given)
            if budget == _BUDGETS[0]:
                # The first answers matter most, wherever they are; neighbours are alike.
                Random(0).shuffle(order)
            for index in order:
                if index not in self.kept or index in self.rotation.needed:
                    continue
                if self.left() == 0 or self.effort < 0 or misses == _MISSES:
                    break
                easy = budget == _BUDGETS[0] and misses < _EASY
                own = budget if easy or self.rotation.needed else _BUDGETS[1]
                if not self._by_search(index, own):
                    last = budget == _BUDGETS[-1]
                    misses += easy or not self._by_sums(index, branch=last)
        return self.kept == self.rotation.needed | self.given

    def _by_search(self, index: int, budget: int) -> bool:
        """Whether a solver finds out if equation ``index`` is needed."""
        # Invariant: the kept equations clash. So without this one either they clash still, and it
        # is left out with whatever else the clash does not name, or an assignment meets all others.
        self.effort -= self.step
        answer = self.solver.without(index, self.kept, budget, self.rotation.near(index))
        if isinstance(answer, Clash):
            self._keep(answer.indices)
        return isinstance(answer, Clash) or (answer is not None and self._spread(answer.ones))

    def _by_sums(self, index: int, *, branch: bool) -> bool:
        """Whether a linear program, or elimination, finds out if equation ``index`` is needed."""
        if not self.tries:
            return False
        self.effort -= _BY_SUMS * self.step
        others = sorted(self.kept - {index})
        some = [self.equations[i] for i in others]
        if available():
            rest = self.left()
            seconds = _SECONDS if rest is None else min(rest, _SECONDS)
            # A solution that misses the equation by as little as possible: where its weight in the
            # refutation is positive, its sum comes out too low.
            cost: dict[int, float] = {}
            if not isinstance(self.refutation, ModularRow):
                sign = -1.0 if self.refutation.weights.get(index, 0) > 0 else 1.0
                cost = dict.fromkeys(self.equations[index][0], sign)
            ones = solution(some, cost, seconds, integer=branch)
            if ones is not None and self._spread(ones):
                return True
        given = {place for place, i in enumerate(others) if i in self.given}
        # Equations that still clash by sums need neither this one nor those the sum does not use.
        fewer = refutation_of(some, given, self.left)
        if fewer is None:
            self.tries -= 1
            return False
        self._keep(self.given | {others[place] for place in used(fewer)})
        return True

    def _spread(self, ones: set[int]) -> bool:
        # What is needed now stays needed whatever else is left out: the assignment that shows it
        # meets all others, hence any part of them. So it can be asserted for good.
        self.effort -= self.step
        if not self.rotation.spread(ones):
            return False
        self.solver.settle(self.rotation.needed)
        return True

    def _keep(self, indices: Collection[int]) -> None:
        for index in self.kept.difference(indices):
            self.rotation.drop(index)
        self.kept = self.kept.intersection(indices)
