"""Zeros and ones that meet all of some equations but one: asked of a solver, in one after another.

Each equation stands behind a literal to assume; one of a single variable needs none but that. What
has to hold from now on is not assumed but told for good, so that questions get cheaper.
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
"""Variables of an equation up to which it is encoded without auxiliary ones."""
_MOST_CLAUSES: Final = 2_000_000
"""Of an equation at the most; a larger one is left to who checks what is found."""


class Met(NamedTuple):
    """The variables that are 1; the others are 0. Check it."""

    ones: set[int]


class Clash(NamedTuple):
    """Equations that no zeros and ones meet."""

    indices: frozenset[int]


class Layouts:
    """A solver that holds equations, each with a switch; a context manager that frees it.

    Args:
        equations: by index.
        given: indices of equations that are never left out.
    """

    def __init__(self, equations: Mapping[int, Equation], given: Collection[int] = ()) -> None:
        self._equations = equations
        self._sink = SolverSink(PysatSolver(FAST))
        self._variable: dict[int, int] = {}
        self._switch: dict[int, int] = {}
        self._settled: set[int] = set()
        self._counted = Counter(v for variables, _ in equations.values() for v in variables)
        self._alone: dict[int, list[int]] = {}
        for index, (variables, number) in equations.items():
            self._switch[index] = self._add(index, variables, number)
        self.settle(given)

    @property
    def conflicts(self) -> int:
        """That the solver has met."""
        return self._sink.solver.conflicts()

    def settle(self, indices: Collection[int]) -> None:
        """From now on these equations always hold: no question leaves them out."""
        for index in indices:
            if index not in self._settled:
                self._settled.add(index)
                self._sink.add_clause([self._switch[index]])

    def without(
        self, index: int, kept: Collection[int], budget: int, near: Collection[int] | None = None
    ) -> Met | Clash | None:
        """Whether zeros and ones meet all kept equations but one; None: the budget was used up.

        Args:
            index: the one. If it is of a single variable, that has its other value then: all
                kept equations are known to clash.
            kept: which equations there are, ``index`` among them.
            budget: conflicts that the solver may meet.
            near: variables that are 1 where to look first, the others 0; None for anywhere.
        """
        assumed = [self._switch[i] for i in kept if i not in self._settled and i != index]
        variables, number = self._equations[index]
        if len(variables) == 1 and 0 <= number <= 1:
            assumed.append(-self._switch[index])
        if near is not None:
            self._sink.solver.prefer(
                [lit if v in near else -lit for v, lit in self._variable.items()]
            )
        answer = self._sink.solver.solve(assumed, budget)
        if isinstance(answer, Satisfied):
            return Met(self._ones(answer.model, kept, index))
        if not isinstance(answer, Unsatisfied):
            return None
        core = set(answer.core)
        if -self._switch[index] in core:
            # The one case; in the other the equation holds, and all that are kept clash.
            return Clash(frozenset(kept) - {index})
        # Two equations of the same variable alone have one switch.
        others = [i for i in kept if i != index]
        return Clash(frozenset(i for i in others if i in self._settled or self._switch[i] in core))

    def _add(self, index: int, variables: Sequence[int], number: int) -> int:
        """Add one equation; returns the literal that switches it on."""
        sink = self._sink
        alone = [v for v in variables if self._counted[v] == 1] if len(variables) > _SHORT else []
        inner = [v for v in variables if v not in set(alone)] if alone else variables
        for v in inner:
            if v not in self._variable:
                self._variable[v] = sink.new_var()
        literals = [self._variable[v] for v in inner]
        if len(variables) == 1 and 0 <= number <= 1:
            return literals[0] if number else -literals[0]
        switch = sink.new_var()
        # Variables of this equation alone make up for what the others leave, as far as they go.
        lower, upper = max(number - len(alone), 0), min(number, len(inner))
        if lower > upper:
            sink.add_clause([-switch])
            return switch
        encoder = find_encoder("direct" if len(inner) <= _SHORT else "totalizer")
        self._alone[index] = alone
        if encoder.size(len(inner), lower, upper).clauses <= _MOST_CLAUSES:
            guarded = GuardedSink(sink, -switch)
            encode(Cardinality(literals, lower, upper), guarded, encoder)
        return switch

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
