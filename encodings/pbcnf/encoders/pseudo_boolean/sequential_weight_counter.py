"""The sequential weight counter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from pbcnf.encoders.bounds import MirroredBounds
from pbcnf.encoders.cardinality.knuth_counter import KnuthCounter
from pbcnf.encoders.circuits.array_emission import Indices, add_block, rows
from pbcnf.encoders.protocol import Propagation
from pbcnf.formula import EncodingSize
from pbcnf.literals import Block, Lit
from pbcnf.sink import ClauseSink


@dataclass(frozen=True, slots=True)
class SequentialWeightCounter(MirroredBounds):
    """Counts the weight of the true inputs in unary, input after input.

    Idea: a row of counters as in `SequentialCounter`, but input i raises the count by its weight.
    Counts that no sum attains, that are decided, or that cannot matter any more are left out. At
    least l is at most ``total - l`` of the negated inputs, and a clause where no single input may
    be missing; two bounds share one set of auxiliaries with both directions.

    Auxiliary variables: s[i][j] for 1 <= i < n, by decreasing weight: "the first i inputs weigh
    at least j", where j is a sum that some of them have. With an upper bound k alone
    ``k - rest < j <= k``, where the rest is the weight of the other inputs, and s[i][j] is only
    implied by that; with two bounds ``lower - rest <= j <= upper`` without the least such sum,
    and it is equivalent to it. Where s[i][j] and s[i-1][j] say the same, they are one variable.

    Size: by the attainable sums of each row (`weighted_size`); at most k: less than nk
    auxiliaries, two clauses for each, and at most one per input; twice as many with two bounds.
    Equal weights take what `KnuthCounter` takes, ``k(n-k)`` auxiliaries for at most k < n-1.

    Propagation: arc-consistent for one bound, and for two if the weights are equal. For two
    bounds with different weights all that each of the bounds implies by itself is propagated,
    but not all that both imply together (that 3 and some 2s are never 4): nothing is claimed.
    Parsimonious with two bounds, not with one.

    Groups: not used.

    Reference: Hoelldobler, Manthey, Steinke: A compact encoding of pseudo-Boolean constraints
    into SAT, KI 2012, for the upper bound and with every j from 1 to k. The two-sided form adds
    the converses of those implications.

    >>> from pbcnf import Formula, dimacs
    >>> f = Formula(num_vars=3)
    >>> SequentialWeightCounter().encode_weighted([1, 2, 3], [3, 2, 2], 0, 4, f)
    >>> print(dimacs(f), end="")
    p cnf 4 3
    -4 -2 0
    -4 -3 0
    -1 4 0
    """

    name: ClassVar[str] = "sequential_weight_counter"
    propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT
    weighted_propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT
    weighted_range_propagation: ClassVar[Propagation] = Propagation.NONE

    def sum_sizes(self, weights: Sequence[int], lower: int, upper: int) -> Iterator[EncodingSize]:
        """Yield the sizes of the rows, from the attainable sums alone."""
        least, most = -(-lower // weights[0]), upper // weights[0]
        if weights[0] == weights[-1] and least <= most:
            yield KnuthCounter().size(len(weights), least, most)
            return
        for row in _rows(weights, lower, upper):
            new = int(np.count_nonzero(row.fresh))
            same = int(np.count_nonzero(row.fresh & (row.keep < row.places)))
            less = int(np.count_nonzero(row.fresh & (row.add > 0)))
            clauses, literals = new + same, 2 * new + less + 2 * same
            if lower:
                clauses += new + less
                literals += 2 * new + same + 2 * less
            if row.top < row.places:
                clauses += 1
                literals += 1 + (row.top > 0)
            if row.bottom:
                clauses += 1
                literals += 1 + (row.bottom < row.places)
            yield EncodingSize(new, clauses, literals)

    def encode_sum(
        self, lits: Sequence[Lit], weights: Sequence[int], lower: int, upper: int, sink: ClauseSink
    ) -> None:
        """Emit the clauses for decreasing weights."""
        clauses: dict[int, list[Block]] = {2: [], 3: []}

        def put(*columns: npt.ArrayLike) -> None:
            clauses[len(columns)].append(rows(*columns))

        before = np.zeros(1, dtype=np.int32)  # place 0 is never looked up
        for x, row in zip(lits, _rows(weights, lower, upper), strict=False):
            if row.top < row.places:
                sink.add_clause([*([-int(before[row.top])] if row.top else []), -x])
            if row.bottom:
                sink.add_clause([x, *before[row.bottom : row.bottom + 1].tolist()])
            fresh = row.fresh
            new = int(np.count_nonzero(fresh))
            var = np.zeros(len(fresh), dtype=np.int32)
            var[~fresh] = before[row.keep[~fresh]]
            var[fresh] = own = np.arange(new) + sink.new_vars(new)
            keep, add = row.keep[fresh], row.add[fresh]
            same, less = keep < row.places, add > 0
            put(-before[keep[same]], own[same])
            put(-before[add[less]], -x, own[less])
            put(-x, own[~less])
            if lower:
                put(-own[less], before[add[less]])
                put(-own[same], x, before[keep[same]])
                put(-own[~same], x)
            before = np.concatenate((before[:1], var))
        for blocks in clauses.values():
            add_block(sink, np.concatenate(blocks))


class _CounterRow(NamedTuple):
    """The effect of an input, by places among the counts before the input.

    Place 0 is constantly true; place `places`, one beyond the last count, is constantly false.
    After the input a count holds if the count at its place in `keep` held before the input, or if
    the count at its place in `add` did and the input is true. If the count at `top` holds, the
    input must be false; if the count at `bottom` does not hold, the input must be true.
    """

    keep: Indices
    add: Indices
    top: int
    bottom: int
    places: int

    @property
    def fresh(self) -> npt.NDArray[np.bool_]:
        """Mask of the counts that differ from every count before the input."""
        differ: npt.NDArray[np.bool_] = self.keep != self.add
        return differ


def _rows(weights: Sequence[int], lower: int, upper: int) -> Iterator[_CounterRow]:
    """Yield the rows for decreasing weights; ``lower == 0`` for an upper bound alone."""
    rest = sum(weights)
    exact = np.int64 if rest < 2**62 else object
    sums = np.zeros(1, dtype=exact)  # the least one is certain, the others are counts
    for weight in weights:
        before, rest = sums, rest - weight
        least = max(lower - rest, 0) if lower else max(upper - rest, 0) + 1
        # Two sorted runs: sorting stably merges them, much faster than `np.union1d`.
        after = np.concatenate((before, before + weight))
        after.sort(kind="stable")
        after = after[np.concatenate(([True], after[1:] != after[:-1]))]
        sums = after[after.searchsorted(least) : after.searchsorted(upper, side="right")]
        if not lower:
            sums = np.concatenate((np.zeros(1, dtype=exact), sums))
        counts = sums[1:] if rest else sums[:0]
        yield _CounterRow(
            before.searchsorted(counts),
            before.searchsorted(counts - weight),
            int(before.searchsorted(upper + 1 - weight)),
            int(before.searchsorted(least)) if lower else 0,
            len(before),
        )
        if not len(sums):  # nothing can meet both bounds, and this row says so
            return
