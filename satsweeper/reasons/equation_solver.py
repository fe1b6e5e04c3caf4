"""Assignments that meet all equations but one, found by a live solver.

Each equation is switched on by a selector; for an equation of a single variable, that variable is
the selector. An equation that is settled is asserted for good, so that later questions get cheaper.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from pbcnf.constraints.constraint import Cardinality
from pbcnf.emission.encode import encode
from pbcnf.encoders.table import find_encoder
from pbcnf.sink import GuardedSink
from satsweeper.linear.equations import Equation
from satsweeper.solvers.protocol import Satisfied, Unsatisfied
from satsweeper.solvers.pysat import PysatSolver
from satsweeper.solvers.sink import SolverSink
from satsweeper.solvers.table import FAST

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

    @property
    def conflicts(self) -> int:
        """The conflicts that the solver has met."""
        return self._sink.solver.conflicts()

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
