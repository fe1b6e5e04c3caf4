"""Core-guided search: assume that nothing is paid, and pay for what cannot be had together.

Each core, a set of literals that cannot all be true, costs its least weight; a totalizer then
counts how many of them are false, and each further one costs the same again (OLL). Cores are
disjoint until a model is found, and only then counted. What propagation alone finds, such as a
clause over what costs, comes first, whatever it weighs; what has to be searched for goes by weight,
large ones first, and each stratum ends with a model, so that the best answer so far improves
meanwhile. (By weight alone set covers took 2 to 40 times as long, and facility locations up to 100
times; without strata integer programs 2 to 4 times.) What alone would cost more than the best model
is made true for good.

References: Andres, Kaufmann, Matheis, Schaub, Unsatisfiability-based optimization in clasp,
ICLP 2012; Morgado, Dodaro, Marques-Silva, Core-guided MaxSAT with soft cardinality constraints,
CP 2014; Berg, Järvisalo, Weight-aware core extraction in SAT-based MaxSAT solving, CP 2017;
Ansótegui, Bonet, Gabàs, Levy, Improving SAT-based weighted MaxSAT solvers, CP 2012.
"""

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Final

from pbcnf.encoders.cardinality.totalizer import Totalizer
from pbcnf.encoders.counter import Direction, UnaryCount
from pbcnf.literals import Lit
from satsweeper.optimisation.linear import first_model
from satsweeper.optimisation.search import Question, Search, Strategy
from satsweeper.solvers.protocol import Answer, Satisfied, Unknown, Unsatisfied

_TRY: Final = 1_000
"""Conflicts after which a smaller core, or a larger bound of one, is given up at the latest."""
_LEAST_TRY: Final = 50
"""A smaller core is not given up before so many conflicts."""
_WORTH: Final = 32
"""Of what cores cost to find on average, so many times as much is spent to make one smaller."""
_PROPAGATED: Final = 1
"""Conflicts, the least that can be asked for, within which a core counts as propagated."""
_MINIMISED: Final = 40
"""Literals of the largest core that is made irreducible."""


@dataclass
class _Reformulated:
    """The cost as ``lower`` and weights of literals that are assumed; a false one costs its own."""

    weights: dict[Lit, int]
    lower: int = 0
    counts: dict[Lit, tuple[UnaryCount, int]] = field(default_factory=dict)
    """A literal that says "at most so many": the counter and the bound."""
    pending: list[tuple[list[Lit], int]] = field(default_factory=list)
    """Cores to be counted yet, and what each costs."""

    def pay(self, core: list[Lit]) -> int:
        """Take the least weight of a core from each of its literals, and return it."""
        least = min(self.weights[lit] for lit in core)
        self.lower += least
        for lit in core:
            self.lower_weight(lit, least)
        return least

    def lower_weight(self, lit: Lit, by: int) -> None:
        """A literal costs less now; one that costs nothing is not assumed any more."""
        self.weights[lit] -= by
        if not self.weights[lit]:
            del self.weights[lit]

    def add(self, lit: Lit, weight: int) -> None:
        """A literal costs this much more."""
        self.weights[lit] = self.weights.get(lit, 0) + weight

    def assumed(self, least: int) -> list[Lit]:
        """The literals that cost at least so much, the dearest first."""
        lits = [lit for lit, weight in self.weights.items() if weight >= least]
        return sorted(lits, key=lambda lit: -self.weights[lit])


@dataclass
class _Effort:
    """What cores cost to find: where they come for nothing, large ones do little harm."""

    conflicts: int = 0
    cores: int = 0

    @property
    def worth(self) -> int:
        """Conflicts after which an attempt at a smaller core is given up."""
        return min(max(_WORTH * self.conflicts // max(self.cores, 1), _LEAST_TRY), _TRY)


def core_guided(search: Search) -> Strategy:
    """Search for the least cost from below."""
    effort = _Effort()
    soft = _Reformulated({-lit: weight for lit, weight in search.cost.terms.items()})
    search.sink.solver.prefer(list(soft.weights))
    yield from first_model(search)
    least = _next_stratum(soft, max(soft.weights.values(), default=0) + 1)
    while not search.closed:
        _harden(search, soft)
        answer: Answer = Unknown("not asked yet")
        if least > 1:
            answer = yield Question(soft.assumed(1), _PROPAGATED)
        if isinstance(answer, Unknown):
            before = search.sink.solver.conflicts()
            answer = yield Question(soft.assumed(least))
            effort.conflicts += search.sink.solver.conflicts() - before
            effort.cores += isinstance(answer, Unsatisfied)
        if isinstance(answer, Satisfied):
            search.take(answer)
            if soft.pending:
                yield from _count(search, soft)
            elif least > 1:
                least = _next_stratum(soft, least)
            else:
                search.raise_lower(soft.lower)
        elif isinstance(answer, Unsatisfied):
            if not answer.core:
                search.exhaust()
                return
            core = yield from _reduced(search, answer.core, effort.worth)
            soft.pending.append((core, soft.pay(core)))
            search.raise_lower(soft.lower)


def _next_stratum(soft: _Reformulated, least: int) -> int:
    """The least weight of the next stratum: all that are at least half of the largest one left."""
    left = [weight for weight in soft.weights.values() if weight < least]
    if not left:
        return 1
    half = max(left) // 2
    return max(min(weight for weight in left if weight > half), 1)


def _harden(search: Search, soft: _Reformulated) -> None:
    """What costs more than the best model can save is true in every better model."""
    if search.upper is None:
        return
    spare = search.upper - soft.lower
    for lit in [lit for lit, weight in soft.weights.items() if weight >= spare]:
        search.sink.add_clause([lit])
        del soft.weights[lit]


def _reduced(
    search: Search, core: list[Lit], conflicts: int
) -> Generator[Question, Answer, list[Lit]]:
    """Part of a core that is a core, irreducible where that takes few conflicts a literal."""
    while len(core) > 1:
        answer = yield Question(core, conflicts)
        if not isinstance(answer, Unsatisfied) or not answer.core:
            return core
        if len(answer.core) == len(core):
            break
        core = answer.core
    if len(core) > _MINIMISED:
        return core
    for lit in list(core):
        if len(core) > 1 and lit in core:
            answer = yield Question([other for other in core if other != lit], conflicts)
            if isinstance(answer, Satisfied):
                search.take(answer)
            elif isinstance(answer, Unsatisfied):
                core = answer.core or core
    return core


def _count(search: Search, soft: _Reformulated) -> Strategy:
    """Count the cores that are pending: a further literal that is false costs as much again."""
    pending, soft.pending = soft.pending, []
    for core, weight in pending:
        for lit in core:
            if lit in soft.counts:
                _go_on(soft, lit, weight)
        if len(core) == 1:
            search.sink.add_clause([-core[0]])
            continue
        search.sink.add_clause([-lit for lit in core])
        count = Totalizer().count([-lit for lit in core], 1, search.sink, Direction.AT_MOST, 1)
        bound = 1
        while bound < len(core):
            answer = yield Question(count.at_most(bound), _TRY)
            if isinstance(answer, Satisfied):
                search.take(answer)
            if not isinstance(answer, Unsatisfied):
                break
            if not answer.core:
                search.exhaust()
                return
            bound += 1
            soft.lower += weight
            count.extend(bound)
        search.raise_lower(soft.lower)
        if bound < len(core):
            (told,) = count.at_most(bound)
            soft.counts[told] = count, bound
            soft.add(told, weight)


def _go_on(soft: _Reformulated, lit: Lit, weight: int) -> None:
    """A literal "at most so many" has been paid for: one more costs as much."""
    count, bound = soft.counts[lit]
    if bound + 1 < count.inputs:
        count.extend(bound + 1)
        (told,) = count.at_most(bound + 1)
        soft.counts[told] = count, bound + 1
        soft.add(told, weight)
