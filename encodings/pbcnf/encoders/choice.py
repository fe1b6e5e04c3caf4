"""The encoder of a constraint for which none is named: one rule, by kind and predicted size.

* At most one, exactly one, and the same of the negated literals: `pairwise` up to six literals,
  `product` beyond.
* Other bounds of plain literals: `direct` up to eight literals; beyond, the first that is
  affordable of `totalizer`, which is arc-consistent, `k_modulo_totalizer` and `parallel_counter`,
  in the order in which they were measured to solve large bounds (docs/encodings.md: networks,
  though arc-consistent, are behind all three); `adder` beyond 20,000 literals.
* Weighted sums: of the encoders that are arc-consistent for each bound the affordable one with
  the fewest variables and clauses; if there is none, of those that detect every conflict; else
  `adder`.
* Parities: `direct` up to four literals, `cut_4` beyond: pieces of four literals have the fewest
  variables and clauses (see `pbcnf.encoders.parity.cut`).

An encoding is affordable if it has at most `MOST_TIMES` the clauses of the smallest of ours, which
is nearly always `adder`, the one that propagates least. Sizes are exact and found before anything
is encoded. Where finding one would itself take long, as that of a diagram with very many sums, the
encoder is taken to be too large: a choice takes some seconds at the most.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import itemgetter
from typing import Final, NamedTuple

from pbcnf.encoders.at_most_one.pairwise import Pairwise
from pbcnf.encoders.at_most_one.product import Product
from pbcnf.encoders.cardinality.direct import Direct
from pbcnf.encoders.cardinality.k_modulo_totalizer import KModuloTotalizer
from pbcnf.encoders.cardinality.parallel_counter import ParallelCounter
from pbcnf.encoders.cardinality.totalizer import Totalizer
from pbcnf.encoders.parities import ParityEncoder
from pbcnf.encoders.parity.cut import DEFAULT_WIDTH, CutParity
from pbcnf.encoders.parity.direct import DirectParity
from pbcnf.encoders.protocol import Encoder, Propagation
from pbcnf.encoders.pseudo_boolean.adder import Adder
from pbcnf.encoders.pseudo_boolean.binary_merge import BinaryMerge
from pbcnf.encoders.pseudo_boolean.binary_merge_gac import BinaryMergeGac
from pbcnf.encoders.pseudo_boolean.decision_diagram import DecisionDiagram
from pbcnf.encoders.pseudo_boolean.generalized_totalizer import GeneralizedTotalizer
from pbcnf.encoders.pseudo_boolean.global_polynomial_watchdog import GlobalPolynomialWatchdog
from pbcnf.encoders.pseudo_boolean.local_polynomial_watchdog import LocalPolynomialWatchdog
from pbcnf.encoders.pseudo_boolean.mixed_radix_sorter import MixedRadixSorter
from pbcnf.encoders.pseudo_boolean.sequential_weight_counter import SequentialWeightCounter
from pbcnf.encoders.weighted import WeightedEncoder
from pbcnf.wording import counted

MOST_TIMES: Final = 3
"""How many times the clauses of the smallest: stronger propagation is worth that much."""

_PAIRWISE: Final = 6
_DIRECT: Final = 8
_FORESEEN: Final = 20_000
"""The literals up to which the sizes of counters are found."""
_STEPS: Final = 30_000
"""The steps, in the units of each encoder, that finding the size of a weighted sum may take."""


_CACHED: Final = 1_000
"""The length of the sums whose encoders are remembered."""


class Chosen(NamedTuple):
    """An encoder, and in words why it is the one."""

    encoder: Encoder
    reason: str


class ChosenParity(NamedTuple):
    """An encoder of parities, and in words why it is the one."""

    encoder: ParityEncoder
    reason: str


def parity_encoder_for(n: int) -> ChosenParity:
    """Return the encoder of a parity of n literals, of which there are at least two.

    >>> parity_encoder_for(4).encoder.name, parity_encoder_for(5).encoder.name
    ('direct', 'cut_4')
    """
    return _SHORT_PARITY if n <= DEFAULT_WIDTH else _LONG_PARITY


def encoder_for(weights: Sequence[int], lower: int, upper: int) -> Chosen:
    """Return the encoder of bounds that are neither trivial nor a clause; weights are >= 1.

    >>> encoder_for((1,) * 9, 0, 4).encoder.name, encoder_for((2, 3, 4), 0, 6).encoder.name
    ('totalizer', 'decision_diagram')
    """
    n = len(weights)
    if max(weights) > 1:
        find = _weighted if n <= _CACHED else _weighted.__wrapped__
        return find(tuple(weights), lower, upper)
    if is_at_most_one(n, lower, upper):
        return _FEW_AT_MOST_ONE if n <= _PAIRWISE else _MANY_AT_MOST_ONE
    return _FEW if n <= _DIRECT else _counted(n, lower, upper)


def is_at_most_one(n: int, lower: int, upper: int) -> bool:
    """Whether bounds that are neither trivial nor a clause say at most one, or all but one."""
    return (upper == 1 and lower <= 1) or (lower == n - 1 and upper >= n - 1)


_SHORT_PARITY: Final = ChosenParity(
    DirectParity(), f"a parity of up to {DEFAULT_WIDTH} literals: no auxiliary variables"
)
_LONG_PARITY: Final = ChosenParity(
    CutParity(), f"a parity of more than {DEFAULT_WIDTH} literals: the smallest pieces"
)
_FEW_AT_MOST_ONE: Final = Chosen(
    Pairwise(), f"at most one of up to {_PAIRWISE} literals: a clause per pair"
)
_MANY_AT_MOST_ONE: Final = Chosen(Product(), f"at most one of more than {_PAIRWISE} literals")
_FEW: Final = Chosen(Direct(), f"up to {_DIRECT} literals: no auxiliary variables")


@lru_cache(maxsize=1024)
def _counted(n: int, lower: int, upper: int) -> Chosen:
    if n > _FORESEEN:
        return Chosen(_ADDER, f"more than {_FORESEEN:,} literals: the smallest")
    sizes = {each: each.size(n, lower, upper) for each in _COUNTERS}
    fewest = min(size.clauses for size in (*sizes.values(), _ADDER.size(n, lower, upper)))
    beyond: list[str] = []
    for encoder, size in sizes.items():
        if size.clauses <= MOST_TIMES * fewest:
            return Chosen(encoder, "; ".join([f"more than {_DIRECT} literals", *beyond]))
        would = f"{encoder.name} would need {counted(size.clauses, 'clause', ',')}"
        beyond.append(f"{would}, the smallest {fewest:,}")
    raise AssertionError(f"{fewest} clauses, the fewest, are affordable")


@lru_cache(maxsize=256)
def _weighted(weights: tuple[int, ...], lower: int, upper: int) -> Chosen:
    steps = _Steps.of(weights, lower, upper)
    sizes = {
        encoder: (strength, encoder.weighted_size(weights, lower, upper))
        for strength, encoders in _PROPAGATING.items()
        for encoder, of in encoders
        if of(steps) <= _STEPS
    }
    fewest = (
        min(
            [_ADDER.weighted_size(weights, lower, upper).clauses]
            + [size.clauses for _, size in sizes.values()]
        )
        if sizes
        else 0
    )
    for strength in _PROPAGATING:
        found = [
            (size.variables + size.clauses, encoder, size)
            for encoder, (claimed, size) in sizes.items()
            if claimed is strength and size.clauses <= MOST_TIMES * fewest
        ]
        if found:
            _, encoder, size = min(found, key=itemgetter(0))
            return Chosen(
                encoder,
                f"the smallest that is affordable and {strength.value}:"
                f" {counted(size.variables, 'variable', ',')},"
                f" {counted(size.clauses, 'clause', ',')}",
            )
    return Chosen(_ADDER, "the smallest: whatever propagates more is too large")


class _Steps(NamedTuple):
    """What finding the size of a sum may take at the most, for each way to do it."""

    sums: int
    """The sums of the first inputs, one input more at a time."""
    pairs: int
    """The pairs of sums that meet in a balanced tree, but at its root."""
    bits: int
    """The ones in all weights."""
    different: int
    """The different weights."""

    @staticmethod
    def of(weights: Sequence[int], lower: int, upper: int) -> _Steps:
        """Count them for weights as encoders take them: the largest first."""
        ordered = sorted(weights, reverse=True)
        bound = upper if upper < sum(ordered) else sum(ordered) - lower
        half = len(ordered) // 2
        return _Steps(
            sum(_sums(i, total, bound) for i, total in enumerate(accumulate(ordered), start=1)),
            _pairs(ordered[:half], bound) + _pairs(ordered[half:], bound),
            sum(map(int.bit_count, ordered)),
            len(set(ordered)),
        )


def _sums(inputs: int, total: int, bound: int) -> int:
    """Return how many sums up to `bound` so many inputs of that total can have at the most."""
    return min(1 << min(inputs, 64), total + 1, bound + 1)


def _pairs(ordered: Sequence[int], bound: int) -> int:
    if len(ordered) < 2:
        return 0
    half = len(ordered) // 2
    left, right = ordered[:half], ordered[half:]
    met = _sums(len(left), sum(left), bound) * _sums(len(right), sum(right), bound)
    return met + _pairs(left, bound) + _pairs(right, bound)


_ADDER: Final = Adder()
_COUNTERS: Final = (Totalizer(), KModuloTotalizer(), ParallelCounter())

_PROPAGATING: Final[
    dict[Propagation, tuple[tuple[WeightedEncoder, Callable[[_Steps], int]], ...]]
] = {
    Propagation.ARC_CONSISTENT: (
        (DecisionDiagram(), lambda steps: steps.sums),
        (SequentialWeightCounter(), lambda steps: steps.sums),
        (GeneralizedTotalizer(), lambda steps: steps.pairs // 8),
        (LocalPolynomialWatchdog(), lambda steps: steps.bits * steps.different),
        (BinaryMergeGac(), lambda steps: steps.bits * steps.different),
    ),
    Propagation.DETECTS: (
        (GlobalPolynomialWatchdog(), lambda steps: steps.bits),
        (BinaryMerge(), lambda steps: steps.bits),
        (MixedRadixSorter(), lambda steps: steps.bits),
    ),
}
"""The encoders of weighted sums by what they find of each bound, and the steps of their sizes."""
