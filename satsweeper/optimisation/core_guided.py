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
from satsweeper.optimisation.search import Search, SolverQuestion, Strategy
from satsweeper.solvers.protocol import Answer, Satisfied, Unknown, Unsatisfied

_TRY: Final = 1_000
"""Most conflicts spent on one attempt at a smaller core, or at a larger bound of a core."""
_LEAST_TRY: Final = 50
"""Fewest conflicts spent on one attempt at a smaller core."""
_WORTH: Final = 32
"""Ratio of the conflicts spent on a smaller core to the average conflicts that found a core."""
_PROPAGATED: Final = 1
"""Budget of conflicts, the least possible, for cores that unit propagation finds."""
_MINIMISED: Final = 40
"""Literals of the largest core that is made irreducible."""


@dataclass
class _Reformulated:
    """The cost as ``lower`` and weights of literals that are assumed; a false one costs its own."""

    weights: dict[Lit, int]
    lower: int = 0
    counts: dict[Lit, tuple[UnaryCount, int]] = field(default_factory=dict)
    """Output literal of a counter -> the counter, and the bound that the literal states."""
    pending: list[tuple[list[Lit], int]] = field(default_factory=list)
    """Cores without a counter so far, and the cost of each."""

    def pay(self, core: list[Lit]) -> int:
        """Subtract the least weight in ``core`` from each of its literals, and return it."""
        least = min(self.weights[lit] for lit in core)
        self.lower += least
        for lit in core:
            self.weights[lit] -= least
            # At weight 0 a literal costs nothing more, and is no longer assumed.
            if not self.weights[lit]:
                del self.weights[lit]
        return least

    def add(self, lit: Lit, weight: int) -> None:
        """Add ``weight`` to the weight of ``lit``."""
        self.weights[lit] = self.weights.get(lit, 0) + weight

    def assumed(self, least: int) -> list[Lit]:
        """Return the literals of weight ``least`` or more, the heaviest first."""
        lits = [lit for lit, weight in self.weights.items() if weight >= least]
        return sorted(lits, key=lambda lit: -self.weights[lit])


def core_guided(search: Search) -> Strategy:
    """Search for the least cost from below: a generator of questions about cores."""
    # Conflicts spent on finding cores, and cores found: where cores are cheap, large ones do little
    # harm, and few conflicts are worth a smaller core.
    spent = cores = 0
    soft = _Reformulated({-lit: weight for lit, weight in search.cost.terms.items()})
    search.sink.solver.prefer(list(soft.weights))
    yield from first_model(search)
    least = _next_stratum(soft, max(soft.weights.values(), default=0) + 1)
    while not search.closed:
        if search.upper is not None:
            # A literal whose weight reaches the gap between the bounds is true in every better
            # model: it is fixed for good.
            spare = search.upper - soft.lower
            for lit in [lit for lit, weight in soft.weights.items() if weight >= spare]:
                search.sink.add_clause([lit])
                del soft.weights[lit]
        answer: Answer = Unknown("not asked yet")
        # Within a stratum (weights from `least` on) all that is still unpaid is assumed first,
        # under propagation alone: a core found so costs next to nothing.
        if least > 1:
            answer = yield SolverQuestion(soft.assumed(1), _PROPAGATED)
        if isinstance(answer, Unknown):
            before = search.sink.solver.conflicts()
            answer = yield SolverQuestion(soft.assumed(least))
            spent += search.sink.solver.conflicts() - before
            cores += isinstance(answer, Unsatisfied)
        if isinstance(answer, Satisfied):
            search.take(answer)
            # A model ends a run of disjoint cores: now each is counted, so that further false
            # literals of it have a price.
            if soft.pending:
                yield from _count(search, soft)
            elif least > 1:
                least = _next_stratum(soft, least)
            else:
                # Every weight is assumed unpaid and there is a model: it costs just what the cores
                # cost, which no model can undercut.
                search.raise_lower(soft.lower)
        elif isinstance(answer, Unsatisfied):
            # An empty core: no model at all, or (literals were fixed for better models) no better
            # one.
            if not answer.core:
                search.exhaust()
                return
            worth = min(max(_WORTH * spent // max(cores, 1), _LEAST_TRY), _TRY)
            core = yield from _reduced(search, answer.core, worth)
            soft.pending.append((core, soft.pay(core)))
            search.raise_lower(soft.lower)


def _next_stratum(soft: _Reformulated, least: int) -> int:
    """Return the least weight of the next stratum: weights above half of the largest one left."""
    left = [weight for weight in soft.weights.values() if weight < least]
    if not left:
        return 1
    half = max(left) // 2
    return max(min(weight for weight in left if weight > half), 1)


def _reduced(
    search: Search, core: list[Lit], conflicts: int
) -> Generator[SolverQuestion, Answer, list[Lit]]:
    """Return a subset of ``core`` that is a core, irreducible if that is cheap."""
    while len(core) > 1:
        answer = yield SolverQuestion(core, conflicts)
        if not isinstance(answer, Unsatisfied) or not answer.core:
            return core
        if len(answer.core) == len(core):
            break
        core = answer.core
    if len(core) > _MINIMISED:
        return core
    # Deletion: a literal without which the others still are a core is left out.
    for lit in list(core):
        if len(core) > 1 and lit in core:
            answer = yield SolverQuestion([other for other in core if other != lit], conflicts)
            if isinstance(answer, Satisfied):
                search.take(answer)
            elif isinstance(answer, Unsatisfied):
                core = answer.core or core
    return core


def _count(search: Search, soft: _Reformulated) -> Strategy:
    """Add a counter for each pending core: every further false literal costs its weight again."""
    pending, soft.pending = soft.pending, []
    for core, weight in pending:
        for lit in core:
            if lit in soft.counts:
                _go_on(soft, lit, weight)
        if len(core) == 1:
            search.sink.add_clause([-core[0]])
            continue
        # At least one literal of the core is false and paid for; the counter counts further ones.
        search.sink.add_clause([-lit for lit in core])
        count = Totalizer().count([-lit for lit in core], 1, search.sink, Direction.AT_MOST, 1)
        bound = 1
        while bound < len(core):
            answer = yield SolverQuestion(count.at_most(bound), _TRY)
            if isinstance(answer, Satisfied):
                search.take(answer)
            if not isinstance(answer, Unsatisfied):
                break
            if not answer.core:
                search.exhaust()
                return
            # No model keeps the number of false literals at ``bound``: pay for one more.
            bound += 1
            soft.lower += weight
            count.extend(bound)
        search.raise_lower(soft.lower)
        if bound < len(core):
            (output,) = count.at_most(bound)
            soft.counts[output] = count, bound
            soft.add(output, weight)


def _go_on(soft: _Reformulated, lit: Lit, weight: int) -> None:
    """Assume the next bound of the counter behind ``lit``, which has been paid for."""
    count, bound = soft.counts[lit]
    if bound + 1 < count.inputs:
        count.extend(bound + 1)
        (output,) = count.at_most(bound + 1)
        soft.counts[output] = count, bound + 1
        soft.add(output, weight)
