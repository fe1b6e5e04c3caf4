"""The cost in a live solver, with bounds that are asked later: which counter counts it."""

from collections.abc import Sequence
from typing import Final, Protocol

from pbcnf.encoders.cardinality.totalizer import Totalizer
from pbcnf.encoders.counter import Direction
from pbcnf.encoders.pseudo_boolean.adder import Adder
from pbcnf.encoders.pseudo_boolean.generalized_totalizer import GeneralizedTotalizer
from pbcnf.encoders.pseudo_boolean.global_polynomial_watchdog import GlobalPolynomialWatchdog
from pbcnf.encoders.table import find_encoder
from pbcnf.encoders.weighted_count import WeightedCounter
from pbcnf.errors import EncodingError
from pbcnf.formula import Formula
from pbcnf.literals import Block, Clause, Lit
from pbcnf.sink import ClauseSink

MOST_CLAUSES: Final = 300_000
"""The clauses that the first bound may need, if a counter with fewer is to be had."""
_MOST_IN_A_TREE: Final = 30_000
"""Of a generalized totalizer: other searches meet its clauses, too, in the same solver."""
_MOST_PAIRS: Final = 1_000_000
"""A generalized totalizer that might meet more pairs of sums is not tried."""
AUTO: Final = "auto"
COUNTERS: Final = ("totalizer", "generalized_totalizer", "global_polynomial_watchdog", "adder")


class CostCounter(Protocol):
    """The cost, as far as bounds on it can be assumed."""

    def at_most(self, bound: int) -> list[Lit]:
        """Literals to assume, or to add as units, for a cost of at most ``bound`` >= 0."""


def cost_counter(
    terms: dict[Lit, int], bound: int, sink: ClauseSink, name: str = AUTO
) -> CostCounter:
    """A counter of ``sum of weight * literal``; its bounds are at most ``bound``, the first asked.

    ``auto``: for equal weights a totalizer; for others, and if that is too large, the first of
    generalized_totalizer and global_polynomial_watchdog that is not, else adder. Too large is what
    needs more than ``MOST_CLAUSES`` for the first bound, for a generalized totalizer a tenth of
    them, or might meet very many sums.

    Raises EncodingError for an encoder that does not count these weights.
    """
    lits, weights = list(terms), list(terms.values())
    equal = len({*weights}) <= 1
    if name == "totalizer" and not equal:
        raise EncodingError("totalizer counts equal weights; the objective has others")
    fits = Totalizer().count_size(len(lits), bound, Direction.AT_MOST).clauses <= MOST_CLAUSES
    if equal and (name == "totalizer" or (name == AUTO and fits)):
        return _Equal(lits, weights[0] if weights else 1, bound, sink)
    encoder = _smallest(lits, weights, bound) if name == AUTO else find_encoder(name)
    if not isinstance(encoder, WeightedCounter):
        raise EncodingError(f"{name} leaves no bounds open; these do: {', '.join(COUNTERS)}")
    return encoder.count_weighted(lits, weights, sink)


class _Equal:
    """A unary counter, extended to the bounds that are asked."""

    def __init__(self, lits: Sequence[Lit], weight: int, bound: int, sink: ClauseSink) -> None:
        self._weight = weight
        upto = bound // weight
        self._count = Totalizer().count(lits, upto, sink, Direction.AT_MOST, downto=upto)

    def at_most(self, bound: int) -> list[Lit]:
        """Literals for this bound."""
        self._count.extend(bound // self._weight)
        return self._count.at_most(bound // self._weight)


def _smallest(lits: Sequence[Lit], weights: Sequence[int], bound: int) -> WeightedCounter:
    most = max(map(abs, lits), default=0)
    tree = _pairs(sorted(weights), bound) <= _MOST_PAIRS
    encoders: list[tuple[WeightedCounter, int]] = [(GlobalPolynomialWatchdog(), MOST_CLAUSES)]
    if tree:
        encoders.insert(0, (GeneralizedTotalizer(), _MOST_IN_A_TREE))
    for encoder, clauses in encoders:
        trial = _Trial(most, clauses)
        try:
            encoder.count_weighted(lits, weights, trial).at_most(bound)
        except _TooLargeError:
            continue
        return encoder
    return Adder()


def _pairs(ordered: Sequence[int], bound: int) -> int:
    """Pairs of sums that can meet in a balanced tree over these weights, at the most."""
    if len(ordered) < 2:
        return 0
    half = len(ordered) // 2
    met, pairs = 1, 0
    for part in (ordered[:half], ordered[half:]):
        met *= min(1 << min(len(part), 64), sum(part) + 1, bound + 1)
        pairs += _pairs(part, bound)
    return met + pairs


class _TooLargeError(Exception):
    """More clauses than a trial may have."""


class _Trial(Formula):
    """Takes so many clauses and no more."""

    def __init__(self, num_vars: int, clauses: int) -> None:
        super().__init__(num_vars)
        self._clauses = clauses

    def add_clause(self, clause: Clause) -> None:
        """Add a clause."""
        super().add_clause(clause)
        self._look()

    def add_block(self, block: Block) -> None:
        """Add clauses of one width."""
        super().add_block(block)
        self._look()

    def add_terminated(self, lits: Sequence[int], count: int) -> None:
        """Add clauses, a 0 after each."""
        super().add_terminated(lits, count)
        self._look()

    def _look(self) -> None:
        if self.num_clauses > self._clauses:
            raise _TooLargeError
