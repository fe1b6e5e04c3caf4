"""A sum in binary that takes further inputs, compared with the bounds that are asked."""

from __future__ import annotations

from collections.abc import Sequence

from pbcnf.encoders.circuits.binary import (
    at_most_constant,
    size_of_adders,
    size_of_at_most_constant,
    size_of_carryless_adders,
)
from pbcnf.encoders.circuits.buckets import BucketAdders, number_of_adders
from pbcnf.encoders.counter import Direction
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink, GuardedSink


class BinarySum:
    """A number in binary that is at least the weight of the true inputs, see `UpperBounds`.

    Inputs wait in a bucket per one of their weight until a bound is asked; then the bits of the
    number so far join them, and each bucket is added up, from the lowest. The adders go one way:
    inputs imply sums and carries. A bound takes a variable, "the number exceeds the bound", and
    the clauses of one comparison.
    """

    def __init__(self) -> None:
        self.total = 0
        self._buckets: list[list[Lit]] = []
        """Per place the bits still to be added; one or none after `_add_up`."""
        self._exceeds: dict[int, Lit] = {}

    def add(self, lits: Sequence[Lit], weights: Sequence[int]) -> None:
        """Add inputs."""
        for lit, weight in zip(lits, weights, strict=True):
            self._put(_ones(weight), [lit])
            self.total += weight

    def merge(self, other: BinarySum, sink: ClauseSink) -> None:
        """Add the number `other`; its bits stay usable."""
        other._add_up(sink)
        for place, bucket in enumerate(list(other._buckets)):
            self._put([place], bucket)
        self.total += other.total

    def at_most(self, bound: int, sink: ClauseSink) -> list[Lit]:
        """Emit what is missing for this bound; return the literal to assume."""
        self._add_up(sink)
        if bound not in self._exceeds:
            self._exceeds[bound] = exceeds = sink.new_var()
            bits = [bucket[0] if bucket else None for bucket in self._buckets]
            at_most_constant(bits, bound, GuardedSink(sink, exceeds))
        return [-self._exceeds[bound]]

    def _put(self, places: Sequence[int], lits: Sequence[Lit]) -> None:
        self._buckets += [[] for _ in range(max(places, default=-1) + 1 - len(self._buckets))]
        for place in places:
            self._buckets[place] = [*lits, *self._buckets[place]]
        if lits:
            self._exceeds = {}

    def _add_up(self, sink: ClauseSink) -> None:
        if all(len(bucket) < 2 for bucket in self._buckets):
            return
        carries: list[Lit] = []
        adders = BucketAdders()
        places = self.total.bit_length()
        self._buckets += [[] for _ in range(places - len(self._buckets))]
        for place, bucket in enumerate(self._buckets):
            bit, carries = adders.add([*bucket, *carries], place == places - 1, sink)
            self._buckets[place] = [] if bit is None else [bit]
        # No sum of the inputs so far reaches the place above the highest.
        adders.emit(Direction.AT_MOST, Direction.BOTH, sink)


def size_of_binary_sum(weights: Sequence[int], bounds: Sequence[int]) -> EncodingSize:
    """Return the size of the sum of distinct inputs and of these bounds, 0 to total - 1 each."""
    if not bounds:
        return EncodingSize(0, 0, 0)
    places = sum(weights).bit_length()
    size, bits, carries = EncodingSize(0, 0, 0), list[str | None](), 0
    for place in range(places):
        ones = [i for i, weight in enumerate(weights) if weight >> place & 1]
        height = len(ones) + carries
        add = size_of_carryless_adders if place == places - 1 else size_of_adders_one_way
        size += add(*number_of_adders(height))
        # Equal bits, one and the same input at several places, have equal labels.
        alone = height == 1 and ones
        bits.append(f"x{ones[0]}" if alone else str(place) if height else None)
        carries = height // 2
    for bound in set(bounds):
        compared = size_of_at_most_constant(bits, bound)
        size += compared + EncodingSize(1, 0, compared.clauses)
    return size


def size_of_adders_one_way(full: int, half: int) -> EncodingSize:
    """Return the size of `full` and `half` adders whose inputs imply their outputs."""
    return size_of_adders(full, half, Direction.AT_MOST)


def _ones(weight: int) -> list[int]:
    """Return the places of the ones of a number."""
    return [place for place in range(weight.bit_length()) if weight >> place & 1]
