"""Counters of the cost of a model: the encoder of an objective is chosen by weights and size."""

from collections.abc import Sequence
from typing import Final, Protocol

from pbcnf.encoders.cardinality.totalizer import Totalizer
from pbcnf.encoders.counter import Direction, WeightedCounter
from pbcnf.encoders.pseudo_boolean.adder import Adder
from pbcnf.encoders.pseudo_boolean.generalized_totalizer import GeneralizedTotalizer
from pbcnf.encoders.pseudo_boolean.global_polynomial_watchdog import GlobalPolynomialWatchdog
from pbcnf.encoders.table import find_encoder
from pbcnf.errors import EncodingError
from pbcnf.formula import LimitedFormula, TooManyClausesError
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink

MOST_CLAUSES: Final = 300_000
"""Limit on clauses for the first bound, if another counter needs fewer."""
_MOST_IN_A_TREE: Final = 30_000
"""Limit on clauses of a generalized totalizer; they slow down other searches in the solver."""
_MOST_PAIRS: Final = 1_000_000
"""Limit on pairs of sums for which a generalized totalizer is tried."""
AUTO: Final = "auto"
COUNTERS: Final = ("totalizer", "generalized_totalizer", "global_polynomial_watchdog", "adder")


class CostCounter(Protocol):
    """A counter of the cost, whose upper bounds are literals to assume."""

    def at_most(self, bound: int) -> list[Lit]:
        """Return literals to assume, or to add as units, for a cost of at most ``bound`` >= 0."""


def cost_counter(
    terms: dict[Lit, int], bound: int, sink: ClauseSink, name: str = AUTO
) -> CostCounter:
    """Return a counter of ``sum of weight * literal``, for bounds up to ``bound``.

    Args:
        terms: literal -> weight, above 0.
        bound: the largest bound, and the first that is assumed.
        sink: receives the clauses.
        name: one of ``COUNTERS``, or ``auto``: for equal weights a totalizer, unless too large;
            else the first of generalized_totalizer and global_polynomial_watchdog that is not too
            large; else adder. A counter is too large if it needs more than ``MOST_CLAUSES`` clauses
            for the first bound; a generalized totalizer also with more than a tenth of these
            clauses, or if its nodes might have very many pairs of sums.

    Raises EncodingError if the encoder ``name`` does not count these weights.
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
    """A unary counter of literals of equal weight, extended to each bound when it is assumed."""

    def __init__(self, lits: Sequence[Lit], weight: int, bound: int, sink: ClauseSink) -> None:
        self._weight = weight
        upto = bound // weight
        self._count = Totalizer().count(lits, upto, sink, Direction.AT_MOST, downto=upto)

    def at_most(self, bound: int) -> list[Lit]:
        """Return literals to assume for a cost of at most ``bound``."""
        self._count.extend(bound // self._weight)
        return self._count.at_most(bound // self._weight)


def _smallest(lits: Sequence[Lit], weights: Sequence[int], bound: int) -> WeightedCounter:
    """Return the first encoder, in the order of preference, that is small enough for ``bound``."""
    most = max(map(abs, lits), default=0)
    tree = _pairs(sorted(weights), bound) <= _MOST_PAIRS
    encoders: list[tuple[WeightedCounter, int]] = [(GlobalPolynomialWatchdog(), MOST_CLAUSES)]
    if tree:
        encoders.insert(0, (GeneralizedTotalizer(), _MOST_IN_A_TREE))
    for encoder, clauses in encoders:
        # The trial formula only counts clauses, and ends the encoding at the limit.
        trial = LimitedFormula(most, clauses)
        try:
            encoder.count_weighted(lits, weights, trial).at_most(bound)
        except TooManyClausesError:
            continue
        return encoder
    return Adder()


def _pairs(ordered: Sequence[int], bound: int) -> int:
    """Return an upper bound on the pairs of sums in a balanced tree over ``ordered`` weights."""
    if len(ordered) < 2:
        return 0
    # A node has at most as many sums as subsets of its weights, as values up to their total, and as
    # values up to the bound; the pairs of its two parts meet in it.
    half = len(ordered) // 2
    met, pairs = 1, 0
    for part in (ordered[:half], ordered[half:]):
        met *= min(1 << min(len(part), 64), sum(part) + 1, bound + 1)
        pairs += _pairs(part, bound)
    return met + pairs
