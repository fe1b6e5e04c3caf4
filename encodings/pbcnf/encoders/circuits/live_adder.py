"""A sum in binary that takes further inputs, compared with the bounds that are asked."""

from __future__ import annotations

from collections.abc import Sequence

from pbcnf.encoders.circuits.binary import at_most_constant
from pbcnf.encoders.circuits.buckets import BucketAdders
from pbcnf.encoders.counter import Direction
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
            # The number is at least the sum, not equal to it: it can only be bounded from above.
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


def _ones(weight: int) -> list[int]:
    """Return the places of the ones of a number."""
    return [place for place in range(weight.bit_length()) if weight >> place & 1]
