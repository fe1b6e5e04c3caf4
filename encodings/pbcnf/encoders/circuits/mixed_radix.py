"""Mixed-radix numbers: a base that keeps digits small, and places as sorters with carries.

Every place has a radix of its own. The inputs of a place are sorted, and every r-th output, with r
the radix, is a carry into the next place.
"""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from heapq import heapify, heappop, heappush
from typing import TypeAlias

import numpy as np

from pbcnf.encoders.circuits.unary import (
    Counts,
    NetworkAdder,
    Unary,
    UnaryAdder,
    add_unary,
    count_unary,
)
from pbcnf.encoders.counter import Direction
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit, negate
from pbcnf.sink import ClauseSink

Reached: TypeAlias = tuple[int, int]
"""A pair (place, d), for "the digit of the place is at least d"."""

Comparison: TypeAlias = list[list[tuple[Reached, bool]]]
"""Clauses that compare digits with a bound; a literal is a `Reached` and whether it is positive."""

_Partial: TypeAlias = tuple[int, tuple[int, ...], int, int]
"""(cost, base, sum of the digits within the base, product of the base). The cost, by which bases
are compared, is the sum of all digits if only twos follow the base."""

_PRIMES = (2, 3, 5, 7, 11, 13, 17)

# Bounds of the effort: bases kept of one length, weights times bases of one length, and how often
# in a row longer bases may bring nothing.
_WIDTH = 8
_EFFORT = 4000
_PATIENCE = 8


def digits(number: int, base: tuple[int, ...]) -> list[int]:
    """Return the digits of a number >= 0, the lowest first; the digit after the base is unbounded.

    >>> digits(11, (2, 3)), digits(11, ())
    ([1, 2, 1], [11])
    """
    result = []
    for radix in base:
        number, digit = divmod(number, radix)
        result.append(digit)
    return [*result, number]


def digits_at_most(bound: Sequence[int], largest: Sequence[int]) -> Comparison:
    """Return the clauses of "at most the bound" over digits up to `largest`.

    A digit does not exceed the digit of the bound if all higher digits reach those of the bound.

    >>> digits_at_most([1, 2], [2, 5])
    [[((1, 3), False)], [((1, 2), False), ((0, 2), False)]]
    """
    clauses: Comparison = []
    lower_above: list[tuple[Reached, bool]] = []
    for place in reversed(range(len(bound))):
        digit = bound[place]
        if digit < largest[place]:
            clauses.append([*lower_above, ((place, digit + 1), False)])
        # No number reaches this digit of the bound: with equal higher digits the lower ones are
        # free.
        if digit > largest[place]:
            break
        if digit > 0:
            lower_above.append(((place, digit), False))
    return clauses


def digits_at_least(bound: Sequence[int], largest: Sequence[int]) -> Comparison:
    """Return the clauses of "at least the bound" over digits up to `largest`.

    A digit reaches the digit of the bound if no higher digit exceeds that of the bound.

    >>> digits_at_least([1, 2], [2, 5])
    [[((1, 2), True)], [((1, 3), True), ((0, 1), True)]]
    """
    clauses: Comparison = []
    higher_above: list[tuple[Reached, bool]] = []
    for place in reversed(range(len(bound))):
        digit = bound[place]
        # No number reaches this digit of the bound: a higher digit must exceed that of the bound.
        if digit > largest[place]:
            clauses.append(higher_above)
            break
        if digit > 0:
            clauses.append([*higher_above, ((place, digit), True)])
        if digit < largest[place]:
            higher_above.append(((place, digit + 1), True))
    return clauses


def base_of(weights: Iterable[int]) -> tuple[int, ...]:
    """Return a base of primes up to 17 in which the digits of the weights have a small sum.

    Bases are lengthened prime by prime, while the cost falls, and compared by the sum of the digits
    if only twos followed. Of each length the best few bases are kept; of bases with the same
    product, which leave the same quotients, only the best. The sum of the digits is never larger
    than in binary, but not always the smallest possible.

    >>> base_of([2, 3, 8]), base_of([3, 9, 27]), base_of([1, 1, 1])
    ((2, 2, 2), (3, 3, 3), ())
    """
    return _base_of(frozenset(Multiset(weights).items()))


@lru_cache(maxsize=256)
def _base_of(weights: frozenset[tuple[int, int]]) -> tuple[int, ...]:
    quotients = _Quotients(weights)
    best: _Partial = (quotients.sums[1][1], (), 0, 1)
    width = max(1, min(_WIDTH, _EFFORT // len(weights)))
    kept = [best]
    patience, sums = _PATIENCE, quotients.sums
    # A beam search over products of primes: of all bases with one product the best is kept, then
    # the `width` best products go on; some rounds without progress end it.
    while kept and patience:
        quotients.look_at({part[3] * radix for part in kept for radix in _PRIMES})
        by_product: dict[int, _Partial] = {}
        for _, base, below, product in kept:
            total = sums[product][0]
            for radix in _PRIMES:
                longer = product * radix
                if longer not in sums:
                    break
                rest, ones = sums[longer]
                # total - radix * rest is the sum of the digits of this place: that many inputs are
                # sorted here.
                lower = below + total - radix * rest
                measured = (lower + ones, (*base, radix), lower, longer)
                if longer not in by_product or measured < by_product[longer]:
                    by_product[longer] = measured
        kept = sorted(by_product.values())[:width]
        patience -= 1
        if kept and kept[0][0] < best[0]:
            best, patience = kept[0], _PATIENCE
    return best[1] + (2,) * ((quotients.largest // best[3]).bit_length() - 1)


class _Quotients:
    """For products of bases, the sum of the quotients of the weights and of their 1 bits."""

    def __init__(self, weights: frozenset[tuple[int, int]]) -> None:
        exact = sum(number * times for number, times in weights) < 2**62
        dtype = np.int64 if exact else object
        self._numbers, self._times = np.array(sorted(weights), dtype=dtype).T
        self._ones = np.bitwise_count if exact else np.frompyfunc(int.bit_count, 1, 1)
        self.largest = int(self._numbers[-1])
        self.sums: dict[int, tuple[int, int]] = {}
        """Product -> (sum of the quotients, sum of the numbers of 1 bits of the quotients)."""
        self.look_at({1})

    def look_at(self, products: set[int]) -> None:
        """Compute `sums` for all `products` up to the largest weight."""
        new = [number for number in products if number <= self.largest]
        found = self._numbers // np.array(new, dtype=self._numbers.dtype)[:, None]
        sums = (found @ self._times).tolist(), (self._ones(found) @ self._times).tolist()
        self.sums.update(zip(new, zip(*sums, strict=True), strict=True))


@dataclass(eq=False)
class Place:
    """A place of the sum; the radix of the last place exceeds every count.

    Its fields are set before any of its counts is asked for.
    `groups` holds pairs (times, inputs): this number of inputs, each of which counts `times` times.
    `carry` is the number of carries from the place below; `asked` holds the numbers that the digit
    is compared with; `tare` is a constant that is added. A lone input that is in other places too
    `is_copied`: a clause over several places could otherwise contain it twice, as could a sorter
    whose inputs are it and its own carry. The literals of counts are equivalent to "the count is
    reached", or implied by it in the direction AT_MOST.
    """

    radix: int
    groups: tuple[tuple[int, int], ...]
    carry: int
    is_copied: bool
    asked: Counts = ()
    tare: int = 0
    most: int | None = None
    """The number of carries that matter further up."""
    directions: Direction = Direction.BOTH

    @cached_property
    def adder(self) -> NetworkAdder:
        """The adder that counts the inputs and adds the carries."""
        return NetworkAdder(self.directions, all(times == 1 for times, _ in self.groups))

    @cached_property
    def length(self) -> int:
        """The largest count."""
        return sum(times * inputs for times, inputs in self.groups) + self.carry

    @property
    def carries(self) -> range:
        """The counts that are carries."""
        return range(self.radix - self.tare, self.length + 1, self.radix)[: self.most]

    @cached_property
    def counts(self) -> Counts:
        """All counts that need an output."""
        asked = set(self.carries)
        for least in self.asked:
            asked.update(range(least, self.length + 1, self.radix))
        return tuple(sorted(asked))

    @property
    def is_direct(self) -> bool:
        """Whether the count is the digit, so that the count's literals serve for the digit."""
        return self.length < self.radix and not self.is_copied

    @property
    def copies_carry(self) -> bool:
        """Whether the carry of the place would be a lone input."""
        return self.is_copied and bool(self.carries)

    @cached_property
    def is_alone(self) -> bool:
        """Whether the place has a single group, whose elements stand for several counts each."""
        return len(self.groups) == 1 and not self.carry

    def element(self, count: int) -> int:
        """Return the index of the sorted element that stands for "the count is reached"."""
        return -(-count // self.groups[0][0]) if self.is_alone else count

    def sorters(self) -> list[tuple[int, Counts]]:
        """Return for each group the number of inputs, and the counts that its sorter provides."""
        counts = self.counts
        if not counts:
            return []
        if self.is_alone:
            asked = tuple(sorted({self.element(count) for count in counts}))
            return [(self.groups[0][1], asked)]
        return [
            (inputs, tuple(range(1, min(inputs, -(-counts[-1] // times)) + 1)))
            for times, inputs in self.groups
        ]

    def mergers(self) -> Iterator[tuple[tuple[int, int], tuple[int, int], Counts]]:
        """Yield the merges, shortest first: two (length, sequence) pairs and the counts needed.

        The sequences are the sorted groups, the carries, and then the merged ones in order.
        """
        counts = self.counts
        if not counts or self.is_alone:
            return
        lengths = [times * inputs for times, inputs in self.groups]
        lengths += [self.carry] if self.carry else []
        # Counts beyond the largest that is needed are never made, so no sequence is longer. The two
        # shortest are merged first, as in Huffman's trees.
        heap = [(min(length, counts[-1]), i) for i, length in enumerate(lengths)]
        heapify(heap)
        for merged in range(len(heap), 2 * len(heap) - 1):
            left, right = heappop(heap), heappop(heap)
            length = min(left[0] + right[0], counts[-1])
            yield left, right, tuple(range(1, length + 1)) if heap else counts
            heappush(heap, (length, merged))


def sort(
    place: Place, groups: Sequence[Sequence[Lit]], carry: Sequence[Lit], sink: ClauseSink
) -> dict[int, Lit]:
    """Emit the sorter of a place and return the literals of `place.counts`."""
    counts = place.counts
    if not counts:
        return {}
    elements = [
        count_unary(place.adder, lits, asked, sink)
        for lits, (_, asked) in zip(groups, place.sorters(), strict=True)
    ]
    if place.is_alone:
        lits = elements[0].lits
        if place.copies_carry:
            lits = (sink.new_var(),)
            sink.add_clause([-elements[0].lits[0], lits[0]])
        lit_of = dict(zip(elements[0].counts, lits, strict=True))
        return {count: lit_of[place.element(count)] for count in counts}
    # A sorted group that counts `times` times is sorted still when each of its literals is
    # repeated.
    sequences: list[Sequence[Lit]] = [
        [lit for lit in sorted_group.lits for _ in range(times)]
        for sorted_group, (times, _) in zip(elements, place.groups, strict=True)
    ]
    return merge(place, [place.adder], sequences, carry, sink)


def merge(
    place: Place,
    adders: Sequence[UnaryAdder],
    sequences: Sequence[Sequence[Lit]],
    carry: Sequence[Lit],
    sink: ClauseSink,
) -> dict[int, Lit]:
    """Emit the merges of a place, each by the smallest of `adders`, as `place.mergers` orders them.

    `sequences` are the sorted inputs in the order of `place.groups`. Returns the literals of
    `place.counts`.
    """
    merged = [*sequences, *([carry] if carry else [])]
    if len(merged) == 1:
        return {count: merged[0][count - 1] for count in place.counts}
    for (a, left), (b, right), asked in place.mergers():
        parts = _first(a, merged[left]), _first(b, merged[right])
        adder = smallest_of_add(adders, a, b, asked)
        merged.append(add_unary(adder, *parts, asked, sink).lits)
    return dict(zip(place.counts, merged[-1], strict=True))


def smallest(
    adders: Sequence[UnaryAdder], size_of: Callable[[UnaryAdder], EncodingSize]
) -> UnaryAdder:
    """Return the first of `adders` with the fewest variables and clauses of `size_of`."""

    def together(adder: UnaryAdder) -> int:
        size = size_of(adder)
        return size.variables + size.clauses

    return min(adders, key=together) if len(adders) > 1 else adders[0]


def smallest_of_add(
    adders: Sequence[UnaryAdder], left: int, right: int, asked: Counts
) -> UnaryAdder:
    """Return the first of `adders` whose sum of `left` and `right` literals is smallest."""
    return smallest(adders, lambda adder: adder.size_of_add(left, right, asked))


def _first(length: int, lits: Sequence[Lit]) -> Unary:
    return Unary(tuple(range(1, length + 1)), tuple(lits[:length]))


def remainder(place: Place, least: int, outputs: dict[int, Lit], sink: ClauseSink) -> Lit:
    """Return a literal for "the digit of the place is at least `least`"."""
    if place.is_direct:
        return outputs[least]
    digit = sink.new_var()
    for clause in definition_of(place, least, outputs, digit):
        sink.add_clause(clause)
    return digit


def definition_of(
    place: Place, least: int, outputs: Mapping[int, Lit], digit: Lit
) -> Iterator[list[Lit]]:
    """Yield the clauses of: `digit` is true iff the count modulo the radix is at least `least`.

    Between two multiples of the radix, or beyond the last one, both directions are a clause.
    """
    for start in range(0, place.length + 1, place.radix):
        below = [outputs[start]] if start else []
        inside = [outputs[count] for count in (start + least,) if count in outputs]
        above = [outputs[count] for count in (start + place.radix,) if count in outputs]
        # A group's element stands for several counts: where literals are equal, the clause would
        # be a tautology.
        if inside and inside != above:
            yield [-inside[0], *above, digit]
        if not below or below[0] not in (*inside, *above):
            yield [-digit, *negate(below), *dict.fromkeys([*above, *inside])]


def size_of_place(place: Place) -> EncodingSize:
    """Return the size of the clauses of `sort`, and of `remainder` for each of `place.asked`."""
    size = EncodingSize(1, 1, 2) if place.copies_carry else EncodingSize(0, 0, 0)
    for inputs, asked in place.sorters():
        size += place.adder.size_of_count(inputs, asked)
    for (left, _), (right, _), asked in place.mergers():
        size += place.adder.size_of_add(left, right, asked)
    if not place.is_direct:
        # Only which counts share a literal matters to the clauses: elements stand for literals.
        elements = {count: place.element(count) for count in place.counts}
        for least in place.asked:
            clauses = list(definition_of(place, least, elements, len(elements) + 1))
            size += EncodingSize(1, len(clauses), sum(map(len, clauses)))
    return size
