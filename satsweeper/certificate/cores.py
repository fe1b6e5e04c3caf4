"""Optima proved by the cores that core-guided search has paid for, refuted one by one.

Of a core C, literals that cannot all be true, the clause "one of them is false" is proved by a
solver that writes proofs, from the clauses of the problem and what was proved before. An output y_t
of its counter means "at least t of them are false"; from the halves of these definitions and the
clause follows (`DerivationState.add_up`)

    the number of false literals of C  >=  1 + y_2 + ... + y_j.

Each core is paid for with a weight. These inequalities, times how much of its weight a core has
given to its outputs, add up to: the cost is at least the sum of all that was paid, as what is left
of the literals' weights is at least 0. A literal that alone costs as much as is left to save is
false in every better solution: so says this sum together with "better than the best solution".
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from pbcnf.derivation.derivation_state import DerivationState, Propagated
from pbcnf.literals import Clause, Lit
from pbcnf.proof import LratAddition
from satsweeper.certificate.refutation import DEFAULT_SOLVER, ProofInSteps
from satsweeper.optimisation.search import Cost, PaidCore
from satsweeper.solvers.protocol import Answer, SolverFailedError, Unknown, Unsatisfied

_CONFLICTS: Final = 2_000
"""Conflicts of a question between two looks at the clock."""


@dataclass
class _Counted:
    """The counter of a core: its outputs by number, and the inequalities that they are in."""

    outputs: dict[int, Lit] = field(default_factory=dict)
    given: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    """Number -> the weight that the core has given to this output; 1 stands for the core."""
    sums: list[int] = field(default_factory=list)
    """The number of the inequality with the outputs 2 to j, j = 1, 2, ..."""


class CoreProof:
    """The steps of a proof by cores, appended to the derivation of ``state``.

    Args:
        state: the state of the derivation of the problem's clauses.
        cost: the cost of the objective, in which the cores were paid for.
        cores: as `Search` has recorded them.
        better: the number of the constraint "the cost is below the best one", in units of the cost.
    """

    def __init__(
        self,
        state: DerivationState,
        cost: Cost,
        cores: Sequence[PaidCore],
        better: int,
    ) -> None:
        self._state = state
        self._cost = cost
        self._cores = cores
        self._better = better
        self._counted = [_Counted() for _ in cores]
        self._clauses: list[Clause] = []
        self._numbers: list[int] = []

    def add(
        self,
        clauses: Sequence[Clause],
        numbers: Sequence[int],
        over: Callable[[], bool] = lambda: False,
    ) -> tuple[int, int | None]:
        """Add the steps; return the number of the last, and the bound on the cost that it says.

        If it is a contradiction, the bound is None.

        Args:
            clauses: those of the problem, and further ones that every better solution satisfies.
            numbers: the numbers of the constraints that they are.
            over: whether the time is over: the bound is that of the cores before, then.

        Raises SolverFailedError if a core is none, or the solver's proof does not hold.
        """
        self._count()
        state = self._state
        marked: dict[int, int] = {}
        with ProofInSteps(DEFAULT_SOLVER) as solver:
            solver.add([*clauses, *self._clauses])
            for place, core in enumerate(self._cores):
                lits = self._literals(core)
                if lits and not core.weight:
                    marked[solver.conclude(*lits, mark=True)] = place
                    continue
                answer: Answer = Unknown("not asked yet")
                while isinstance(answer, Unknown) and not over():
                    answer = solver.solve(lits, _CONFLICTS)
                if isinstance(answer, Unknown):
                    break
                if not isinstance(answer, Unsatisfied):
                    raise SolverFailedError("a core that was paid for is none")
                marked[solver.conclude(*(-lit for lit in lits), mark=False)] = place
            steps = solver.lrat_of_marked()
        number_of = dict(enumerate([*numbers, *self._numbers], start=1))
        spare: tuple[int, int] | None = None
        paid = 0
        for step in steps:
            if not isinstance(step, LratAddition):
                continue
            place = marked.get(step.line, -1)
            if place >= 0 and not self._cores[place].weight and step.literals:
                # All cores before this one have their clauses by now.
                if spare is None or spare[0] != paid:
                    spare = paid, self._sum([(self._better, 1)])
                number = state.propagate(step.literals, [spare[1]])
            else:
                number = state.derivation.add(
                    Propagated(step.literals, tuple([number_of[hint] for hint in step.hints]))
                )
            number_of[step.identifier] = number
            if not step.literals:
                return number, None
            if place >= 0 and self._cores[place].weight:
                paid += self._cores[place].weight
                self._pay(place, number)
        return self._sum([]), paid

    def _literals(self, core: PaidCore) -> list[Lit]:
        """Return the assumptions of a core."""
        return [
            each if isinstance(each, int) else -self._counted[each[0]].outputs[each[1] + 1]
            for each in core.literals
        ]

    def _count(self) -> None:
        """Introduce the counters of all cores, with the outputs that occur in cores."""
        most: dict[int, int] = defaultdict(int)
        for core in self._cores:
            for each in core.literals:
                if not isinstance(each, int):
                    most[each[0]] = max(most[each[0]], each[1] + 1)
        # The counter of a core counts literals of counters of earlier cores.
        for place in sorted(most):
            false = [-lit for lit in self._literals(self._cores[place])]
            self._counted[place].outputs = dict(
                enumerate(self._totalizer(false, most[place], least=2), start=2)
            )

    def _totalizer(self, lits: Sequence[Lit], most: int, least: int = 1) -> list[Lit]:
        """Return outputs "at least t of ``lits``", t from ``least`` to ``most`` if possible."""
        if len(lits) == 1:
            return [*lits]
        half = len(lits) // 2
        left, right = self._totalizer(lits[:half], most), self._totalizer(lits[half:], most)
        state = self._state
        outputs = {}
        for number in range(least, min(len(lits), most) + 1):
            outputs[number] = state.fresh()
            state.define(outputs[number], [(1, lit) for lit in lits], number)
        for one in range(len(left) + 1):
            for other in range(len(right) + 1):
                if one + other in outputs:
                    output = outputs[one + other]
                    counted = [(left, one, half), (right, other, len(lits) - half)]
                    clause = [-part[n - 1] for part, n, _ in counted if n]
                    halves = [
                        state.if_false[-part[n - 1]] for part, n, size in counted if n and size > 1
                    ]
                    parts = [(number, 1) for number in (state.if_false[output], *halves)]
                    self._clauses.append([*clause, output])
                    self._numbers.append(
                        state.derive_by_sum([*clause, output], parts, bounded=False)
                    )
        return [*outputs.values()]

    def _pay(self, place: int, number: int) -> None:
        """Take down that the clause of a core is constraint ``number``, and paid for."""
        core = self._cores[place]
        counted = self._counted[place]
        false = [(1, -lit) for lit in self._literals(core)]
        counted.sums.append(self._state.declare(number, false, 1))
        for output in counted.outputs.values():
            half = self._state.if_false[-output]
            last = self._state.add_up([half], counted.sums[-1])
            assert last is not None
            counted.sums.append(last)
        for given in (1, 2):
            counted.given[given] += core.weight
        for each in core.literals:
            if not isinstance(each, int):
                # The next output costs what was paid for this one.
                self._counted[each[0]].given[each[1] + 2] += core.weight

    def _sum(self, further: list[tuple[int, int]]) -> int:
        """Add up all that was paid so far, and ``further``: constraints with factors."""
        parts = [*further]
        left: dict[Lit, int] = dict(self._cost.terms)
        for counted in self._counted:
            for j, number in enumerate(counted.sums, start=1):
                after = counted.given[j + 1] if j < len(counted.sums) else 0
                if counted.given[j] > after:
                    parts.append((number, counted.given[j] - after))
            if counted.sums:
                for output, lit in counted.outputs.items():
                    left[lit] = left.get(lit, 0) + counted.given[output]
        for core, counted in zip(self._cores, self._counted, strict=True):
            if counted.sums:
                for lit in self._literals(core):
                    left[-lit] -= core.weight
        # Without anything further, what is left of the weights makes the whole cost of the sum.
        axioms = [] if further else [(lit, weight) for lit, weight in left.items() if weight]
        return self._state.add(parts, axioms)
