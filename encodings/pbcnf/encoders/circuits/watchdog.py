"""Watchdogs: one literal that unit propagation sets as soon as a weighted sum exceeds a bound.

An input enters a *bucket* for every bit of its weight. The true inputs of a bucket are counted in
unary, the carry of the bucket below is added, and half of that, rounded down, is the carry to the
bucket above. The *tare* is a constant added to the sum and to the bound alike such that bound + 1
becomes a multiple of the last bucket's weight: the bound is exceeded if and only if the count of
the last bucket reaches one number. In the *dynamic* watchdog (`Watchdog`) the tare is assumed, so
that one circuit serves every bound.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter as Multiset
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pbcnf.encoders.bounds import MirroredBounds
from pbcnf.encoders.circuits.unary import (
    Counts,
    Unary,
    UnaryAdder,
    add_unary,
    count_unary,
    put_off,
)
from pbcnf.encoders.protocol import Propagation
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink


class WatchdogEncoder(MirroredBounds):
    """An encoder of an upper bound by watchdogs: one of all inputs, one per input of the others.

    A lower bound is the upper one of the negated inputs; two bounds have an encoding each.
    """

    __slots__ = ()

    propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT
    weighted_range_propagation: ClassVar[Propagation] = Propagation.NONE
    shares: ClassVar[bool] = False
    by_weight: ClassVar[bool] = False
    _adder: ClassVar[UnaryAdder]
    """The adder that counts the inputs of a bucket and adds carries."""

    @staticmethod
    def is_shared(weights: Sequence[int]) -> bool:
        """Whether one watchdog counts all inputs."""
        return True

    @staticmethod
    def is_watched(weight: int) -> bool:
        """Whether each input of this weight has a watchdog of its own over the other inputs."""
        return False

    def weighted_parsimonious(self, weights: Sequence[int], lower: int, upper: int) -> bool:
        """Whether models extend uniquely: no auxiliary but the outputs of shared watchdogs."""
        total = sum(weights)
        # A bound that no single input may be missing from is a clause, without a watchdog.
        shared = sum(bound < total - min(weights) for bound in (upper, total - lower))
        outputs = shared if self.is_shared(weights) else 0
        return self.weighted_size(weights, lower, upper).variables <= outputs

    def sum_sizes(self, weights: Sequence[int], lower: int, upper: int) -> Iterator[EncodingSize]:
        """Yield the sizes of the watchdogs of an upper bound: `lower` is always 0."""
        if self.is_shared(weights) and sum(weights) > upper:
            yield _size(bits_of(weights), upper, 0, self._adder)
        if any(map(self.is_watched, weights)):
            yield from sizes_of_watchdogs(weights, upper, self.is_watched, self._adder)

    def encode_sum(
        self, lits: Sequence[Lit], weights: Sequence[int], lower: int, upper: int, sink: ClauseSink
    ) -> None:
        """Emit an upper bound: `lower` is always 0."""
        if self.is_shared(weights):
            together = put_off(self._adder, sum(map(int.bit_count, weights)), sink)
            encode_watchdog(lits, weights, upper, (), self._adder, together)
        if any(map(self.is_watched, weights)):
            encode_watchdog_per_input(lits, weights, upper, self.is_watched, self._adder, sink)


@dataclass(frozen=True, slots=True)
class Bucket:
    """A bucket: number of inputs, the bit of the tare, the largest carry, and the counts needed.

    The counts (`asked`) are counts of inputs and carry together, without the tare.
    """

    inputs: int
    tare: int
    carry: int
    asked: Counts

    @property
    def is_copy(self) -> bool:
        """Whether a lone input would be its own carry; a copy keeps clauses from repeating it."""
        return self.inputs == 1 and self.carry == 0


def encode_watchdog(
    lits: Sequence[Lit],
    weights: Sequence[int],
    bound: int,
    unless: Sequence[Lit],
    adder: UnaryAdder,
    sink: ClauseSink,
) -> None:
    """Emit that the sum is at most `bound` or a literal of `unless` is true.

    No weight exceeds `bound`. As soon as the true inputs exceed `bound`, unit propagation reduces
    the last clause to the literals of `unless`.
    """
    if sum(weights) <= bound:
        return
    carry = Unary((), ())
    terms = [*zip(lits, weights, strict=True)]
    by_bit = [
        [lit for lit, weight in terms if weight >> bit & 1]
        for bit in range(max(weights).bit_length())
    ]
    for inputs, bucket in zip(by_bit, buckets_of([*map(len, by_bit)], bound, adder), strict=False):
        if not bucket.asked:
            continue
        if not inputs:
            total = carry
        elif bucket.is_copy:
            copy = sink.new_var()
            sink.add_clause([-inputs[0], copy])
            total = Unary(bucket.asked, (copy,))
        elif not bucket.carry:
            total = count_unary(adder, inputs, bucket.asked, sink)
        else:
            asked = adder.summand(bucket.asked, bucket.inputs, bucket.carry)
            own = count_unary(adder, inputs, asked, sink)
            total = add_unary(adder, own, carry, bucket.asked, sink)
        # The carry needs no literals of its own: "at least c of this bucket, tare included" is "at
        # least c / 2 carries", with the same literal.
        carry = Unary(tuple([(count + bucket.tare) // 2 for count in total.counts]), total.lits)
    sink.add_clause([-carry.lits[0], *unless])


def encode_watchdog_per_input(
    lits: Sequence[Lit],
    weights: Sequence[int],
    bound: int,
    watched: Callable[[int], bool],
    adder: UnaryAdder,
    sink: ClauseSink,
) -> None:
    """Emit, for each input of a `watched` weight, that the others weigh at most the rest.

    The rest is `bound` minus the weight of the input; it binds if the input is true. Two inputs
    that together exceed `bound` are excluded by one clause; the watchdog of an input counts the
    inputs that can be true together with it.
    """
    for i, (lit, weight) in enumerate(zip(lits, weights, strict=True)):
        if not watched(weight):
            continue
        others: list[int] = []
        for j, other in enumerate(weights):
            if j == i:
                continue
            if weight + other <= bound:
                others.append(j)
            # A pair of watched inputs is excluded once only, for its first input.
            elif j > i or not watched(other):
                sink.add_clause([-lit, -lits[j]])
        encode_watchdog(
            [lits[j] for j in others],
            [weights[j] for j in others],
            bound - weight,
            [-lit],
            adder,
            sink,
        )


def sizes_of_watchdogs(
    weights: Sequence[int], bound: int, watched: Callable[[int], bool], adder: UnaryAdder
) -> Iterator[EncodingSize]:
    """Yield sizes that add up to the size of the watchdogs of one input each."""
    ascending = sorted(weights)
    watched_ascending = [weight for weight in ascending if watched(weight)]
    pairs = 0
    # Weights rise, so the rest of the bound (`left`) falls: an input too heavy beside one weight is
    # too heavy beside all later weights, and `bits` and `total` only have to be reduced.
    companions, bits, total = len(ascending), bits_of(ascending), sum(ascending)
    for weight, number in sorted(Multiset(watched_ascending).items()):
        left = bound - weight
        while companions and ascending[companions - 1] > left:
            companions -= 1
            total -= ascending[companions]
            _remove(ascending[companions], bits)
        # Inputs too heavy beside this one, not counting the input itself.
        excluded = len(ascending) - companions - (weight > left)
        excluded_watched = len(watched_ascending) - bisect_right(watched_ascending, left)
        excluded_watched -= weight > left
        # In halves: a pair of watched inputs comes from both sides, one with another from one.
        pairs += number * (2 * excluded - excluded_watched)
        own = weight if weight <= left else 0
        if total - own > left:
            others = list(bits)
            _remove(own, others)
            yield _size(others, left, 1, adder) * number
    yield EncodingSize(0, 1, 2) * (pairs // 2)


def _size(bits: Sequence[int], bound: int, unless: int, adder: UnaryAdder) -> EncodingSize:
    size = EncodingSize(0, 1, 1 + unless)
    for bucket in buckets_of(bits, bound, adder):
        # A bucket without inputs takes over the literals of its carry, as in `encode_watchdog`.
        if not bucket.asked or not bucket.inputs:
            continue
        asked = bucket.asked
        if bucket.is_copy:
            size += EncodingSize(1, 1, 2)
        if bucket.carry:
            size += adder.size_of_add(bucket.inputs, bucket.carry, asked)
            asked = adder.summand(asked, bucket.inputs, bucket.carry)
        size += adder.size_of_count(bucket.inputs, asked)
    return size


def buckets_of(bits: Sequence[int], bound: int, adder: UnaryAdder) -> list[Bucket]:
    """Return the buckets, lowest bit first; `bits` are the numbers of inputs with each bit."""
    last = max(bit for bit, inputs in enumerate(bits) if inputs)
    # sum > bound iff sum + tare >= bound + 1 + tare = reached * 2^last: the last bucket's count,
    # which has no bucket above to carry to, is at least `reached`.
    reached = (bound >> last) + 1
    tare = (reached << last) - bound - 1
    carries = [0]
    for bit in range(last):
        carries.append((bits[bit] + (tare >> bit & 1) + carries[bit]) // 2)
    asked: Counts = (reached,)
    buckets: list[Bucket] = []
    for bit in range(last, -1, -1):
        if bit < last:
            # A carry of t needs a count of 2t in the bucket, of which the bit of the tare supplies
            # one.
            asked = tuple(2 * count - (tare >> bit & 1) for count in asked)
        buckets.append(Bucket(bits[bit], tare >> bit & 1, carries[bit], asked))
        if carries[bit] == 0:
            asked = ()
        elif bits[bit]:
            asked = adder.summand(asked, carries[bit], bits[bit])
    return buckets[::-1]


def bits_of(weights: Sequence[int]) -> list[int]:
    """Return how many weights have each bit, from the lowest to the highest that occurs."""
    bits = [0] * max(weights).bit_length()
    for weight in weights:
        for bit in range(weight.bit_length()):
            bits[bit] += weight >> bit & 1
    return bits


def _remove(weight: int, bits: list[int]) -> None:
    for bit in range(weight.bit_length()):
        bits[bit] -= weight >> bit & 1


class Watchdog:
    """Buckets by bit of the weight, counted in unary with the carry from below; see `UpperBounds`.

    The tare consists of fresh variables, one more input in each bucket but the last. To assume a
    bound is to assume the tare variables that raise bound + 1 to a multiple of the last bucket's
    weight, and that the last bucket does not reach the count of this multiple. Later inputs join
    the counts of their buckets; the carries are then counted anew, with new tare variables.
    """

    def __init__(self) -> None:
        self.total = 0
        self._inputs: list[_Count | None] = []
        """For each bucket the count of its inputs, None without inputs."""
        self._last: _Count | None = None
        """The count of the last bucket, its carry included, as long as no inputs are added."""
        self._tare: list[Lit] = []

    def add(self, lits: Sequence[Lit], weights: Sequence[int]) -> None:
        """Add inputs."""
        for place in range(max(weights, default=0).bit_length()):
            chosen = [lit for lit, weight in zip(lits, weights, strict=True) if weight >> place & 1]
            if chosen:
                self._put(place, _balanced([_Input(lit) for lit in chosen]))
        self.total += sum(weights)

    def merge(self, other: Watchdog, sink: ClauseSink) -> None:
        """Add the buckets of another watchdog."""
        for place, count in enumerate(list(other._inputs)):
            if count is not None:
                self._put(place, count)
        self.total += other.total

    def at_most(self, bound: int, sink: ClauseSink) -> list[Lit]:
        """Emit the missing clauses for ``sum <= bound``; return the literals to assume."""
        last = self._last or self._stack(sink)
        places = len(self._tare)
        # As in `buckets_of`, but the tare's bits are inputs: a bound assumes its own to be true;
        # the others, left open, can be false.
        reached = (bound >> places) + 1
        tare = (reached << places) - bound - 1
        _demand(last, reached, sink)
        chosen = [lit for place, lit in enumerate(self._tare) if tare >> place & 1]
        return [-last.lits[reached], *chosen]

    def _put(self, place: int, count: _Count) -> None:
        self._inputs += [None] * (place + 1 - len(self._inputs))
        here = self._inputs[place]
        self._inputs[place] = _LiveSum(here, count) if here else count
        self._last = None

    def _stack(self, sink: ClauseSink) -> _Count:
        """Connect each bucket to the carry of the bucket below; return the last bucket."""
        carry: _Count | None = None
        first = sink.new_vars(len(self._inputs) - 1)
        self._tare = list(range(first, first + len(self._inputs) - 1))
        for place, inputs in enumerate(self._inputs):
            tare = _Input(self._tare[place]) if place < len(self._tare) else None
            parts = [part for part in (inputs, tare, carry) if part]
            total = parts[0]
            for part in parts[1:]:
                total = _LiveSum(total, part)
            # A count of at most one never carries.
            carry = _Half(total) if total.most > 1 else None
        self._last = total
        return total


class _Input:
    """A leaf, which counts one literal: its output "at least 1" is the literal."""

    def __init__(self, lit: Lit) -> None:
        self.most = 1
        self.lits = {1: lit}

    def needs(self, count: int) -> list[tuple[_Count, int]]:
        """Return nothing: the literal of a leaf exists already."""
        return []

    def emit(self, count: int, sink: ClauseSink) -> None:
        """Emit nothing."""


class _Half:
    """Half of a count, rounded down: every second output of the count."""

    def __init__(self, whole: _Count) -> None:
        self.most: int = whole.most // 2
        self.lits: dict[int, Lit] = {}
        self.parts: Sequence[_Count] = (whole,)

    def needs(self, count: int) -> list[tuple[_Count, int]]:
        """Return twice the count, of the whole."""
        return [(self.parts[0], 2 * count)]

    def emit(self, count: int, sink: ClauseSink) -> None:
        """Take over the output of the whole."""
        self.lits[count] = self.parts[0].lits[2 * count]


class _LiveSum:
    """The sum of two counts; ``lits[t]`` is implied by "at least t", for each t that is asked."""

    def __init__(self, left: _Count, right: _Count) -> None:
        self.most: int = left.most + right.most
        self.lits: dict[int, Lit] = {}
        self.parts: Sequence[_Count] = (left, right)

    def needs(self, count: int) -> list[tuple[_Count, int]]:
        """Return the parts with the counts of which a total of `count` can consist."""
        return [
            (part, share)
            for part in self.parts
            for share in range(max(1, count - (self.most - part.most)), min(part.most, count) + 1)
        ]

    def emit(self, count: int, sink: ClauseSink) -> None:
        """Emit a clause for each pair of counts of the parts whose sum is `count`."""
        left, right = self.parts
        self.lits[count] = lit = sink.new_var()
        for share in range(max(0, count - right.most), min(left.most, count) + 1):
            premise = [-left.lits[share]] if share else []
            premise += [-right.lits[count - share]] if share < count else []
            sink.add_clause([*premise, lit])


_Count = _Input | _Half | _LiveSum


def _balanced(counts: Sequence[_Count]) -> _Count:
    if len(counts) == 1:
        return counts[0]
    half = len(counts) // 2
    return _LiveSum(_balanced(counts[:half]), _balanced(counts[half:]))


def _demand(count: _Count, least: int, sink: ClauseSink) -> None:
    """Emit the output `least` of `count`, after the outputs of its parts that it needs."""
    # No recursion: a count whose inputs came one by one is deeper than Python's limit.
    pending = [(count, least)]
    while pending:
        here, asked = pending[-1]
        missing = [(part, share) for part, share in here.needs(asked) if share not in part.lits]
        if asked in here.lits:
            pending.pop()
        elif missing:
            pending += missing
        else:
            here.emit(asked, sink)
