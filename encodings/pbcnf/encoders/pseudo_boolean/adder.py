"""Een and Soerensson's adder network."""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from pbcnf.encoders.circuits.binary import (
    BinarySum,
    BucketAdders,
    at_least_constant,
    at_most_constant,
    number_of_adders,
    ones,
    size_of_adders,
    size_of_at_least_constant,
    size_of_at_most_constant,
    size_of_carryless_adders,
)
from pbcnf.encoders.counter import Direction, WeightedCount
from pbcnf.encoders.protocol import Propagation, UnitWeights
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit, negate
from pbcnf.sink import ClauseSink

if TYPE_CHECKING:  # What it imports needs numpy, and the page encodes by adders without it.
    from pbcnf.encoders.circuits.grouped_sums import GroupedSum


@dataclass(frozen=True, slots=True)
class Adder(UnitWeights):
    """Adds the weights of the true inputs in binary, bit by bit.

    Idea: each input is put into one bucket per one in the binary form of its weight; bucket i holds
    bits worth 2^i. From the lowest bucket up, while a bucket holds three bits, a full adder
    replaces its first three by their sum, put last, and by a carry in the next bucket; two that are
    left go through a half adder. The bits that remain, one per bucket, are compared with the
    bounds. For an upper bound alone the inputs of an adder need only imply its outputs. Two bounds
    share adders that are equivalences, with the redundant clauses between sum and carry. In
    addition, carries worth more than the upper bound are 0, which makes the adders of the highest
    bucket smaller; the negated inputs are added instead if that makes the upper bound smaller (for
    a lower bound alone it always does); and a bound that is equivalent to one clause is that
    clause.

    Auxiliary variables: the sum and, below the highest bucket, the carry of each adder. With two
    bounds they are equivalent to the bits of its inputs' sum; with one, the sums and carries stand
    for numbers that are at least as large. `Adder(equivalent=True)` makes them equivalent at every
    bound: where models are counted, for twice the clauses.

    Size: let L be the length of upper in binary, w(i) the number of weights with a one at bit i,
    and h(i) = w(i) + floor(h(i-1) / 2) the number of bits that pass through bucket i < L. A
    bucket has floor((h(i)-1)/2) full adders (2 auxiliaries, 14 clauses, 44 literals each; in the
    highest one 1, 7, 16) and, where h(i) is even and positive, one half adder (2, 7, 18; in the
    highest one 1, 4, 9). For one bound they take 7 clauses (6 in the highest bucket) and 3, of 25
    (12) and 9 (6) literals. The comparison takes at most one clause per zero of upper and per one
    of lower. There are O(n log upper) adders, and fewer than n if every weight is 1.

    Propagation: none claimed. Equivalent auxiliaries decide every total assignment of the inputs;
    those of one bound may stay open where the inputs do not raise them. Parsimonious with two
    bounds, or if made equivalent.

    Groups: a group is one input of a bucket, "one of the literals with this bit"
    (`encode_groups`), in an adder for each bound; nothing is claimed of propagation.

    Reference: Een, Soerensson: Translating pseudo-Boolean constraints into SAT, JSAT 2006. Their
    full adder has 20 clauses; the 14 used here propagate the same
    (`pbcnf.encoders.circuits.binary`).

    >>> from pbcnf import Formula, dimacs
    >>> f = Formula(num_vars=3)
    >>> Adder().encode_weighted([1, 2, 3], [2, 2, 1], 0, 3, f)
    >>> print(dimacs(f), end="")
    p cnf 4 3
    -1 -2 0
    -1 4 0
    -2 4 0
    """

    equivalent: bool = False

    name: ClassVar[str] = "adder"
    propagation: ClassVar[Propagation] = Propagation.NONE
    weighted_propagation: ClassVar[Propagation] = Propagation.NONE
    weighted_range_propagation: ClassVar[Propagation] = Propagation.NONE
    grouped_propagation: ClassVar[Propagation] = Propagation.NONE

    def grouped_steps(self, of: GroupedSum) -> int:
        """Return about how many clauses `encode_groups` emits at the most."""
        return 10 * of.bits()

    def encode_groups(self, of: GroupedSum, sink: ClauseSink) -> None:
        """Emit the clauses of a sum over groups, which other clauses must enforce."""
        for bound in of.one_sided():
            choices = bound.choices(sink)
            if choices is not None:
                self.encode_weighted(*choices.terms(sink), 0, choices.upper, sink)

    def weighted_parsimonious(self, weights: Sequence[int], lower: int, upper: int) -> bool:
        """Whether models extend uniquely: with two bounds, or where no auxiliary is free."""
        both = self.equivalent or (lower > 0 and upper < sum(weights))
        return both or self.weighted_size(weights, lower, upper).variables == 0

    def weighted_size(self, weights: Sequence[int], lower: int, upper: int) -> EncodingSize:
        """Return the exact size, see the class."""
        total = sum(weights)
        if total - lower < upper:
            lower, upper = total - upper, total - lower
        if lower == 0 and upper >= total - min(weights):
            return EncodingSize(0, 1, len(weights))
        return _size(weights, lower, upper, self._directions(lower))

    def encode_weighted(
        self, lits: Sequence[Lit], weights: Sequence[int], lower: int, upper: int, sink: ClauseSink
    ) -> None:
        """Emit the clauses for bounds that force no input."""
        total = sum(weights)
        if total - lower < upper:
            lits, lower, upper = negate(lits), total - upper, total - lower
        if lower == 0 and upper >= total - min(weights):
            sink.add_clause(negate(lits))
            return
        bits = _sum(lits, weights, upper, self._directions(lower), sink)
        at_most_constant(bits, upper, sink)
        at_least_constant(bits, lower, sink)

    def _directions(self, lower: int) -> Direction:
        return Direction.BOTH if self.equivalent or lower > 0 else Direction.AT_MOST

    def count_weighted(
        self, lits: Sequence[Lit], weights: Sequence[int], sink: ClauseSink
    ) -> WeightedCount:
        """Return a counter whose bounds are assumed later, see `WeightedCounter`.

        Its adders go one way, inputs to sums, with half the clauses; each bound takes a variable
        and one comparison. Added inputs are added to the sum so far. Nothing is claimed of unit
        propagation.

        >>> from pbcnf import Formula
        >>> f = Formula(num_vars=4)
        >>> total = Adder().count_weighted([1, 2, 3], [2, 2, 1], f)
        >>> total.at_most(3), total.at_most(5), total.at_least(6)
        ([-8], [], [5])
        >>> total.add_inputs([4], [3])
        >>> total.at_most(3)
        [-15]
        """
        return WeightedCount(BinarySum, lits, weights, sink)


def _sum(
    lits: Sequence[Lit],
    weights: Sequence[int],
    upper: int,
    directions: Direction,
    sink: ClauseSink,
) -> list[Lit | None]:
    """Emit the adders and return the bits of the sum, up to the highest of `upper`."""
    terms = list(zip(lits, weights, strict=True))
    longest = max(weights).bit_length()
    places = upper.bit_length()
    bits: list[Lit | None] = []
    carries: list[Lit] = []
    adders = BucketAdders()
    # No weight exceeds `upper`, so all bits are in these places. A carry out of the highest place
    # would exceed `upper`: its adders have none, and exclude two true inputs.
    for place in range(places):
        bucket = [lit for lit, weight in terms if weight >> place & 1] if place < longest else []
        bit, carries = adders.add(bucket + carries, place == places - 1, sink)
        bits.append(bit)
    adders.emit(directions, directions, sink)
    return bits


def _size(weights: Sequence[int], lower: int, upper: int, directions: Direction) -> EncodingSize:
    heights = [0] * upper.bit_length()
    single: dict[int, int] = {}
    for weight, times in Multiset(weights).items():
        for place in ones(weight):
            heights[place] += times
            single[place] = weight
    size = EncodingSize(0, 0, 0)
    carries = 0
    # Bits that are the same input must have the same label: the weight of the input, which no other
    # input has where the input is alone in a bucket. Other bits are labelled by their place, as
    # strings.
    bits: list[int | str | None] = []
    for place, inputs in enumerate(heights):
        height = inputs + carries
        highest = place == len(heights) - 1
        size_of = size_of_carryless_adders if highest else size_of_adders
        size += size_of(*number_of_adders(height), directions)
        alone = height == 1 and inputs == 1
        bits.append(single[place] if alone else str(place) if height else None)
        carries = height // 2
    return size + size_of_at_most_constant(bits, upper) + size_of_at_least_constant(bits, lower)
