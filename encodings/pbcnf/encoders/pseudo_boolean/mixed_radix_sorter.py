"""Sorters in a mixed radix."""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from typing import ClassVar

from pbcnf.encoders.circuits.mixed_radix import (
    Comparison,
    Reached,
    base_of,
    digits,
    digits_at_least,
    digits_at_most,
)
from pbcnf.encoders.circuits.unary import Counts, NetworkAdder, Unary
from pbcnf.encoders.counter import Direction
from pbcnf.encoders.protocol import Propagation
from pbcnf.encoders.weighted import UnitWeights
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit, negate
from pbcnf.sink import ClauseSink


@dataclass(frozen=True, slots=True)
class MixedRadixSorter(UnitWeights):
    """Adds in a mixed radix: a sorter per place, whose every r-th output is a carry.

    Idea: the weights are written in a base in which their digits have a small sum
    (`pbcnf.encoders.circuits.mixed_radix`). At each place the inputs are sorted, each as often as
    its digit says, together with the carries from below; with radix r the outputs r, 2r, ... are
    the carries to the next place, and what is left is the digit of the sum. The digits are compared
    with those of the bounds from the highest on. Both bounds share the sorters, whose comparators
    are equivalences. Inputs of one digit are sorted first and then counted several times each;
    these sequences and the carries are merged, the shortest first.

    Auxiliary variables, all equivalent to what they stand for: the values of the sorting and
    merging networks ("the high, or the low, of the two values compared is true"), and "the digit
    of this place is at least d" for the digits d of the bounds and the next ones; where the count
    is the digit, its output says that already.

    Size: the sum over the places (`weighted_size`): O(s log^2 s) for s inputs and carries, O(s)
    clauses for the digits, and per bound one clause at most for every place, over that place and
    the higher ones. Weights 1 are one sorting network.

    Propagation: one bound is detected. It is arc-consistent if every weight is 1, also for two
    bounds. For two bounds of different weights nothing is claimed; a total assignment of the
    inputs is always decided. Parsimonious at every bound.

    Reference: Een, Soerensson: Translating pseudo-Boolean constraints into SAT, JSAT 2006 (sorters
    and their bases). Codish, Fekete, Fuhs, Schneider-Kamp: Optimal base encodings for
    pseudo-Boolean constraints, TACAS 2011; the search here is bounded, not optimal.

    >>> from pbcnf import Formula, dimacs
    >>> f = Formula(num_vars=3)
    >>> MixedRadixSorter().encode_weighted([1, 2, 3], [1, 3, 3], 0, 4, f)
    >>> print(dimacs(f), end="")
    p cnf 4 4
    -2 -3 4 0
    2 -4 0
    3 -4 0
    -4 0
    """

    name: ClassVar[str] = "mixed_radix_sorter"
    propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT
    weighted_propagation: ClassVar[Propagation] = Propagation.DETECTS
    weighted_range_propagation: ClassVar[Propagation] = Propagation.NONE

    def weighted_parsimonious(self, weights: Sequence[int], lower: int, upper: int) -> bool:
        """Whether models extend uniquely: always."""
        return True

    def weighted_size(self, weights: Sequence[int], lower: int, upper: int) -> EncodingSize:
        """Return the exact size, see the class."""
        comparison, places = _plan(weights, lower, upper)
        size = EncodingSize(0, len(comparison), sum(map(len, comparison)))
        for place in places:
            size += _size_of_place(place)
        return size

    def encode_weighted(
        self, lits: Sequence[Lit], weights: Sequence[int], lower: int, upper: int, sink: ClauseSink
    ) -> None:
        """Emit the clauses for a sum in normal form."""
        comparison, places = _plan(weights, lower, upper)
        reached: dict[Reached, Lit] = {}
        rest, carry = list(weights), list[Lit]()
        for index, place in enumerate(places):
            held = [number % place.radix for number in rest]
            rest = [number // place.radix for number in rest]
            groups = [
                [lit for lit, digit in zip(lits, held, strict=True) if digit == times]
                for times, _ in place.groups
            ]
            outputs = _sort(place, groups, carry, sink)
            carry = [outputs[count] for count in place.carries]
            for least in place.asked:
                reached[index, least] = _remainder(place, least, outputs, sink)
        for clause in comparison:
            sink.add_clause([reached[term] if holds else -reached[term] for term, holds in clause])


_ADDER = NetworkAdder(Direction.BOTH)


@dataclass(frozen=True, slots=True)
class _Place:
    """One place of the sum. The radix of the last one exceeds every count: its digit is the count.

    `groups` holds how often inputs count, and how many of them there are; `carry` is the number of
    carries that come in; `asked` are the numbers that the digit is compared with. A lone input that
    is in other places too `is_copied`, for the sake of clauses that look at several places.
    """

    radix: int
    groups: tuple[tuple[int, int], ...]
    carry: int
    is_copied: bool
    asked: Counts = ()

    @property
    def length(self) -> int:
        """The largest count."""
        return sum(times * inputs for times, inputs in self.groups) + self.carry

    @property
    def largest_digit(self) -> int:
        return min(self.length, self.radix - 1)

    @property
    def carries(self) -> range:
        """The counts that are carries."""
        return range(self.radix, self.length + 1, self.radix)

    @property
    def counts(self) -> Counts:
        """All counts that are asked for."""
        asked = set(self.carries)
        for least in self.asked:
            asked.update(range(least, self.length + 1, self.radix))
        return tuple(sorted(asked))

    @property
    def is_direct(self) -> bool:
        """Whether the count is the digit, and the literals of the count say it."""
        return self.length < self.radix and not self.is_copied

    @property
    def is_alone(self) -> bool:
        """Whether one group is all there is: its elements say several counts each, unmerged."""
        return len(self.groups) == 1 and not self.carry

    def element(self, count: int) -> int:
        """Return which sorted element says that a count is reached."""
        return -(-count // self.groups[0][0]) if self.is_alone else count

    def sorters(self) -> list[tuple[int, Counts]]:
        """Return the number of inputs of each group, and what is asked of its sorter."""
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
        """Yield what is merged, shortest first: two (length, sequence) pairs, and what is asked.

        The sequences are the sorted groups, the carries, and then the merged ones in order.
        """
        counts = self.counts
        if not counts or self.is_alone:
            return
        lengths = [times * inputs for times, inputs in self.groups]
        lengths += [self.carry] if self.carry else []
        heap = [(min(length, counts[-1]), i) for i, length in enumerate(lengths)]
        heapify(heap)
        for merged in range(len(heap), 2 * len(heap) - 1):
            left, right = heappop(heap), heappop(heap)
            length = min(left[0] + right[0], counts[-1])
            yield left, right, tuple(range(1, length + 1)) if heap else counts
            heappush(heap, (length, merged))


def _plan(weights: Sequence[int], lower: int, upper: int) -> tuple[Comparison, list[_Place]]:
    """Return the comparison of the digits with the bounds, and what it asks of every place."""
    total, base = sum(weights), base_of(weights)
    rest, carry = list(weights), 0
    places: list[_Place] = []
    for radix in (*base, total + 1):
        held = [i for i, number in enumerate(rest) if number % radix]
        groups = tuple(sorted(Multiset(rest[i] % radix for i in held).items()))
        lone = len(held) == 1 and not carry
        is_copied = lone and sum(map(bool, digits(weights[held[0]], base))) > 1
        places.append(_Place(radix, groups, carry, is_copied))
        carry = places[-1].length // radix
        rest = [number // radix for number in rest]
    largest = [place.largest_digit for place in places]
    comparison: Comparison = []
    if upper < total:
        comparison += digits_at_most(digits(upper, base), largest)
    if lower > 0:
        comparison += digits_at_least(digits(lower, base), largest)
    asked: list[set[int]] = [set() for _ in places]
    for clause in comparison:
        for (index, least), _ in clause:
            asked[index].add(least)
    return comparison, [
        replace(place, asked=tuple(sorted(digits_of_place)))
        for place, digits_of_place in zip(places, asked, strict=True)
    ]


def _sort(
    place: _Place, groups: Sequence[Sequence[Lit]], carry: Sequence[Lit], sink: ClauseSink
) -> dict[int, Lit]:
    """Emit the sorter of a place and return the literals of the counts that are asked for."""
    counts = place.counts
    if not counts:
        return {}
    elements = [
        _ADDER.count(lits, asked, sink)
        for lits, (_, asked) in zip(groups, place.sorters(), strict=True)
    ]
    if place.is_alone:
        says = dict(zip(elements[0].counts, elements[0].lits, strict=True))
        return {count: says[place.element(count)] for count in counts}
    sequences: list[Sequence[Lit]] = [
        [lit for lit in sorted_group.lits for _ in range(times)]
        for sorted_group, (times, _) in zip(elements, place.groups, strict=True)
    ]
    if not sequences:
        return {count: carry[count - 1] for count in counts}
    sequences += [carry] if carry else []
    for (a, left), (b, right), asked in place.mergers():
        total = _ADDER.add(_first(a, sequences[left]), _first(b, sequences[right]), asked, sink)
        sequences.append(total.lits)
    return dict(zip(counts, sequences[-1], strict=True))


def _first(length: int, lits: Sequence[Lit]) -> Unary:
    return Unary(tuple(range(1, length + 1)), tuple(lits[:length]))


def _remainder(place: _Place, least: int, outputs: dict[int, Lit], sink: ClauseSink) -> Lit:
    """Return a literal that says that the digit of a place is at least `least`."""
    if place.is_direct:
        return outputs[least]
    digit = sink.new_var()
    for clause in _definition(place, least, outputs, digit):
        sink.add_clause(clause)
    return digit


def _definition(
    place: _Place, least: int, outputs: Mapping[int, Lit], digit: Lit
) -> Iterator[list[Lit]]:
    """Yield that `digit` is true if and only if the count is `least` above some multiple or more.

    Between two multiples of the radix, or beyond the last one, both directions are a clause.
    """
    for start in range(0, place.length + 1, place.radix):
        below = [outputs[start]] if start else []
        inside = [outputs[count] for count in (start + least,) if count in outputs]
        above = [outputs[count] for count in (start + place.radix,) if count in outputs]
        if inside and inside != above:
            yield [-inside[0], *above, digit]
        if not below or below[0] not in (*inside, *above):
            yield [-digit, *negate(below), *dict.fromkeys([*above, *inside])]


def _size_of_place(place: _Place) -> EncodingSize:
    size = EncodingSize(0, 0, 0)
    for inputs, asked in place.sorters():
        size += _ADDER.size_of_count(inputs, asked)
    for (left, _), (right, _), asked in place.mergers():
        size += _ADDER.size_of_add(left, right, asked)
    if not place.is_direct:
        elements = {count: place.element(count) for count in place.counts}
        for least in place.asked:
            clauses = list(_definition(place, least, elements, len(elements) + 1))
            size += EncodingSize(1, len(clauses), sum(map(len, clauses)))
    return size
