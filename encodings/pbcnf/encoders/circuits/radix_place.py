"""Places of a sum in a mixed radix: sorters, whose every r-th output is a carry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from pbcnf.encoders.circuits.unary import Counts, NetworkAdder, Unary, add_unary, count_unary
from pbcnf.encoders.counter import Direction
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit, negate
from pbcnf.sink import ClauseSink


@dataclass(frozen=True, slots=True)
class Place:
    """A place of the sum; the radix of the last place exceeds every count.

    `groups` holds how often inputs count, and how many of them there are; `carry` is the number of
    carries that come in; `asked` are the numbers that the digit is compared with; `tare` is a
    constant that is added. A lone input that is in other places too `is_copied`, for the sake of
    clauses that look at several places, or of its carry that it may meet there. What the counts
    say is equivalent to them, or in the direction AT_MOST implied by them.
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

    @property
    def adder(self) -> NetworkAdder:
        """The adder that counts the inputs and adds the carries."""
        return NetworkAdder(self.directions, all(times == 1 for times, _ in self.groups))

    @property
    def length(self) -> int:
        """The largest count."""
        return sum(times * inputs for times, inputs in self.groups) + self.carry

    @property
    def largest_digit(self) -> int:
        """The largest digit without a tare."""
        return min(self.length, self.radix - 1)

    @property
    def carries(self) -> range:
        """The counts that are carries."""
        return range(self.radix - self.tare, self.length + 1, self.radix)[: self.most]

    @property
    def counts(self) -> Counts:
        """All counts that need an output."""
        asked = set(self.carries)
        for least in self.asked:
            asked.update(range(least, self.length + 1, self.radix))
        return tuple(sorted(asked))

    @property
    def is_direct(self) -> bool:
        """Whether the count is the digit, and the literals of the count say it."""
        return self.length < self.radix and not self.is_copied

    @property
    def copies_carry(self) -> bool:
        """Whether the carry of the place would be a lone input."""
        return self.is_copied and bool(self.carries)

    @property
    def is_lone(self) -> bool:
        """Whether the place has an input and nothing else."""
        return len(self.groups) == 1 and self.groups[0][1] == 1 and not self.carry

    @property
    def is_alone(self) -> bool:
        """Whether the place has a single group, whose elements stand for several counts each."""
        return len(self.groups) == 1 and not self.carry

    def element(self, count: int) -> int:
        """Return the index of the sorted element that stands for "the count is reached"."""
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
    """Emit the sorter of a place and return the literals of the counts that are asked for."""
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
        says = dict(zip(elements[0].counts, lits, strict=True))
        return {count: says[place.element(count)] for count in counts}
    # A sorted group that counts `times` times is sorted still when each of its literals is
    # repeated.
    sequences: list[Sequence[Lit]] = [
        [lit for lit in sorted_group.lits for _ in range(times)]
        for sorted_group, (times, _) in zip(elements, place.groups, strict=True)
    ]
    if not sequences:
        return {count: carry[count - 1] for count in counts}
    sequences += [carry] if carry else []
    for (a, left), (b, right), asked in place.mergers():
        parts = _first(a, sequences[left]), _first(b, sequences[right])
        total = add_unary(place.adder, *parts, asked, sink)
        sequences.append(total.lits)
    return dict(zip(counts, sequences[-1], strict=True))


def _first(length: int, lits: Sequence[Lit]) -> Unary:
    return Unary(tuple(range(1, length + 1)), tuple(lits[:length]))


def remainder(place: Place, least: int, outputs: dict[int, Lit], sink: ClauseSink) -> Lit:
    """Return a literal that says that the digit of a place is at least `least`."""
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
    """Return the size of what `sort`, and `remainder` for every number asked, emit."""
    size = EncodingSize(1, 1, 2) if place.copies_carry else EncodingSize(0, 0, 0)
    for inputs, asked in place.sorters():
        size += place.adder.size_of_count(inputs, asked)
    for (left, _), (right, _), asked in place.mergers():
        size += place.adder.size_of_add(left, right, asked)
    if not place.is_direct:
        elements = {count: place.element(count) for count in place.counts}
        for least in place.asked:
            clauses = list(definition_of(place, least, elements, len(elements) + 1))
            size += EncodingSize(1, len(clauses), sum(map(len, clauses)))
    return size
