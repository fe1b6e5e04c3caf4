"""Core-guided search (OLL): assume that no literal with a cost is true, and learn from the cores.

A core is a set of assumed literals that cannot all be true. It raises the lower bound by its least
weight, which is subtracted from the weights of its literals; a totalizer then counts how many of
them are false, and each further false literal costs that weight again. Totalizers are added only
when a model ends a series of cores. Cores that unit propagation alone finds, such as a clause over
literals with a cost, come first, whatever their weight. Cores that need search go by strata, large
weights first; each stratum ends with a model, so that the best model improves meanwhile. (By
weight alone set covers took 2 to 40 times as long, and facility locations up to 100 times; without
strata integer programs 2 to 4 times.) An assumed literal whose weight alone reaches the gap to the
best model is made true for good.

References: Andres, Kaufmann, Matheis, Schaub, Unsatisfiability-based optimization in clasp,
ICLP 2012; Morgado, Dodaro, Marques-Silva, Core-guided MaxSAT with soft cardinality constraints,
CP 2014; Berg, Järvisalo, Weight-aware core extraction in SAT-based MaxSAT solving, CP 2017;
Ansótegui, Bonet, Gabàs, Levy, Improving SAT-based weighted MaxSAT solvers, CP 2012.
"""

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pbcnf.literals import Lit
from satsweeper.optimisation.linear import first_model
from satsweeper.optimisation.search import PaidCore, Search, SolverQuestion, Strategy
from satsweeper.solvers.protocol import Answer, Satisfied, Unknown, Unsatisfied

if TYPE_CHECKING:
    from pbcnf.encoders.counter import UnaryCount

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
    """The cost as ``lower`` plus the weight of each assumed literal that is false."""

    weights: dict[Lit, int]
    """Assumed literal -> weight, above 0."""
    lower: int = 0
    """Weight paid for cores so far: no model better than the best model costs less."""
    counts: dict[Lit, tuple["UnaryCount", int]] = field(default_factory=dict)
    """Output literal of a counter -> the counter, and the bound that the literal states."""
    pending: list[tuple[list[Lit], int, int]] = field(default_factory=list)
    """Cores without a counter so far, the cost of each, and its place in ``cores``."""
    cores: list[PaidCore] = field(default_factory=list)
    """All cores so far, and literals that became true."""
    means: dict[Lit, tuple[int, int]] = field(default_factory=dict)
    """Output literal of a counter -> how `PaidCore` writes it."""

    def record(self, lits: list[Lit], weight: int) -> int:
        """Append to ``cores``; return the place."""
        self.cores.append(PaidCore(tuple([self.means.get(lit, lit) for lit in lits]), weight))
        return len(self.cores) - 1

    def pay(self, core: list[Lit]) -> int:
        """Subtract the least weight in ``core`` from each of its literals; return that weight."""
        # Every better model makes some literal of the core false, and so costs the least weight.
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
    # Conflicts spent on finding cores, and cores found: where cores are cheap, large cores do
    # little harm, and few conflicts are worth a smaller core.
    spent = cores = 0
    soft = _Reformulated({-lit: weight for lit, weight in search.cost.terms.items()})
    soft.cores = search.log.cores
    search.sink.solver.prefer(list(soft.weights))
    yield from first_model(search)
    least = _next_stratum(soft, max(soft.weights.values(), default=0) + 1)
    while not search.closed:
        if search.upper is not None:
            # A literal whose weight reaches the gap between the bounds is true in every better
            # model, and is made true by a unit clause.
            spare = search.upper - soft.lower
            for lit in [lit for lit, weight in soft.weights.items() if weight >= spare]:
                search.sink.add_clause([lit])
                soft.record([lit], 0)
                del soft.weights[lit]
        answer: Answer = Unknown("not asked yet")
        # Within a stratum (weights from `least` on) all literals with a weight are assumed first,
        # under propagation alone: a core found by propagation costs next to nothing.
        if least > 1:
            answer = yield SolverQuestion(soft.assumed(1), _PROPAGATED)
        if isinstance(answer, Unknown):
            before = search.sink.solver.conflicts()
            answer = yield SolverQuestion(soft.assumed(least))
            spent += search.sink.solver.conflicts() - before
            cores += isinstance(answer, Unsatisfied)
        if isinstance(answer, Satisfied):
            search.take(answer)
            # A model ends a series of cores: now each gets its counter, which puts a weight on
            # every further false literal of the core.
            if soft.pending:
                yield from _count_cores(search, soft)
            elif least > 1:
                least = _next_stratum(soft, least)
            else:
                # All literals with a weight were assumed and are true in the model, so the model
                # costs `soft.lower`, and no better model costs less.
                search.raise_lower(soft.lower)
        elif isinstance(answer, Unsatisfied):
            # An empty core refutes the clauses alone: there is no model, or, since literals may
            # have been fixed that only better models make true, no better model.
            if not answer.core:
                soft.record([], 0)
                search.exhaust()
                return
            worth = min(max(_WORTH * spent // max(cores, 1), _LEAST_TRY), _TRY)
            core = yield from _reduced(search, answer.core, worth)
            paid = soft.pay(core)
            soft.pending.append((core, paid, soft.record(core, paid)))
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
    """Return a subset of ``core`` that is a core, irreducible if ``conflicts`` a question suffice.

    Cores of more than ``_MINIMISED`` literals are not made irreducible.
    """
    # Asked again, the solver often returns a part of the core: until the core stays as large.
    while len(core) > 1:
        answer = yield SolverQuestion(core, conflicts)
        if not isinstance(answer, Unsatisfied) or not answer.core:
            return core
        if len(answer.core) == len(core):
            break
        core = answer.core
    if len(core) > _MINIMISED:
        return core
    # Deletion: a literal is left out if the other literals are still a core.
    for lit in list(core):
        if len(core) > 1 and lit in core:
            answer = yield SolverQuestion([other for other in core if other != lit], conflicts)
            if isinstance(answer, Satisfied):
                search.take(answer)
            elif isinstance(answer, Unsatisfied):
                core = answer.core or core
    return core


def _count_cores(search: Search, soft: _Reformulated) -> Strategy:
    """Add a counter for each pending core: every further false literal costs its weight again."""
    # Many problems need no counter, and encoders take long to import.
    from pbcnf.encoders.cardinality.totalizer import Totalizer
    from pbcnf.encoders.counter import Direction

    pending, soft.pending = soft.pending, []
    for core, weight, place in pending:
        for lit in core:
            if lit in soft.counts:
                _assume_next_bound(soft, lit, weight)
        # The only literal of a core is false in every better model, and paid: nothing to count.
        if len(core) == 1:
            search.sink.add_clause([-core[0]])
            continue
        # At least one literal of the core is false, and paid; the counter counts further literals.
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
                soft.record([], 0)
                search.exhaust()
                return
            soft.cores.append(PaidCore(((place, bound),), weight))
            # No model keeps the number of false literals at ``bound``: pay for one more.
            bound += 1
            soft.lower += weight
            count.extend(bound)
        search.raise_lower(soft.lower)
        if bound < len(core):
            (output,) = count.at_most(bound)
            soft.counts[output] = count, bound
            soft.means[output] = place, bound
            soft.add(output, weight)


def _assume_next_bound(soft: _Reformulated, lit: Lit, weight: int) -> None:
    """Give ``weight`` to the next bound of the counter whose output ``lit`` was in a paid core."""
    count, bound = soft.counts[lit]
    if bound + 1 < count.inputs:
        count.extend(bound + 1)
        (output,) = count.at_most(bound + 1)
        soft.counts[output] = count, bound + 1
        soft.means[output] = soft.means[lit][0], bound + 1
        soft.add(output, weight)
