"""Binary numbers: adders of bits, sums that grow, and comparisons of a number with a constant.

The adders take arrays, so that many of them are emitted at once; each has an exact size beside it.
They are equivalences by default. With Direction.AT_MOST, the only other choice, the inputs imply
the outputs: the number that these stand for is at least the sum of the inputs. `BucketAdders`
collects adders bucket by bucket, where a bucket holds the bits worth one power of two, and emits
all of them at once.

Reference: Sinz: Towards an optimal CNF encoding of Boolean cardinality constraints, CP 2005, for
the implications; Een, Soerensson: Translating pseudo-Boolean constraints into SAT, JSAT 2006, for
the equivalences with clauses between sum and carry, and for the comparison; Brain, Hadarean,
Kroening, Martins: Automatic generation of propagation complete SAT encodings, VMCAI 2016, for the
14 clauses of the full adder.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from pbcnf.encoders.counter import Direction
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink, GuardedSink

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
else:
    try:
        import numpy as np
    except ImportError:
        # Without numpy, as in some browsers, clauses are added one by one.
        np = None

_Bit = TypeVar("_Bit", bound=Hashable)

# Clauses over numbered places, by width: a full adder has a, b, c, sum, carry at 1 to 5, a half
# adder a, b, sum, carry at 1 to 4.
_Pattern: TypeAlias = tuple[tuple[tuple[int, ...], ...], ...]

_FULL_ADDER: dict[Direction, _Pattern] = {
    Direction.BOTH: (
        (
            *((-1, -2, 5), (-1, -3, 5), (-2, -3, 5), (1, 2, -5), (1, 3, -5), (2, 3, -5)),
            *((-1, 4, 5), (-2, 4, 5), (-3, 4, 5), (1, -4, -5), (2, -4, -5), (3, -4, -5)),
        ),
        ((1, 2, 3, -4), (-1, -2, -3, 4)),
    ),
    Direction.AT_MOST: (
        ((-1, -2, 5), (-1, -3, 5), (-2, -3, 5)),
        ((1, 2, -3, 4), (1, -2, 3, 4), (-1, 2, 3, 4), (-1, -2, -3, 4)),
    ),
}
_HALF_ADDER: dict[Direction, _Pattern] = {
    Direction.BOTH: (
        ((1, -4), (2, -4), (-3, -4)),
        ((-1, -2, 4), (1, 2, -3), (-1, 3, 4), (-2, 3, 4)),
    ),
    Direction.AT_MOST: (((-1, -2, 4), (1, -2, 3), (-1, 2, 3)),),
}


def full_adder(
    adders: npt.ArrayLike, sink: ClauseSink, directions: Direction = Direction.BOTH
) -> None:
    """Emit ``a + b + c = total + 2 carry``, or ``<=`` in the direction AT_MOST.

    `adders` is one adder, its literals a, b, c, total, carry, or an array of several, one a row.

    The equivalences are propagation complete: whatever is known of the five bits, unit propagation
    finds everything that follows. They are Een and Soerensson's 6 clauses for the carry, 6
    redundant ones between sum and carry, and 2 of their 8 for the sum: with the redundant clauses
    unit propagation finds all that the other 6 say.

    >>> from pbcnf import Formula
    >>> f = Formula(num_vars=5)
    >>> full_adder([1, 2, 3, 4, 5], f, Direction.AT_MOST)
    >>> list(f.clauses())[:4]
    [[-1, -2, 5], [-1, -3, 5], [-2, -3, 5], [1, 2, -3, 4]]
    """
    _emit(_FULL_ADDER[directions], adders, sink)


def half_adder(
    adders: npt.ArrayLike, sink: ClauseSink, directions: Direction = Direction.BOTH
) -> None:
    """Emit ``a + b = total + 2 carry``, or ``<=`` in the direction AT_MOST.

    `adders` is one adder, its literals a, b, total, carry, or an array of several, one a row. The
    equivalences are propagation complete.
    """
    _emit(_HALF_ADDER[directions], adders, sink)


def carryless_adder(
    adders: npt.ArrayLike, sink: ClauseSink, directions: Direction = Direction.BOTH
) -> None:
    """Emit ``a + b = total`` or ``a + b + c = total``: at most one input is true.

    `adders` is one adder, its literals a, b, (c,) total, or an array of several, one a row.
    Propagation complete.

    >>> from pbcnf import Formula
    >>> f = Formula(num_vars=3)
    >>> carryless_adder([1, 2, 3], f)
    >>> list(f.clauses())
    [[-1, -2], [-1, 3], [-2, 3], [1, 2, -3]]
    """
    lits = _rows(adders)
    if not len(lits):
        return
    total = len(lits[0])
    inputs = range(1, total)
    pairs = *((-a, -b) for a, b in combinations(inputs, 2)), *((-a, total) for a in inputs)
    falls = ((*inputs, -total),) if directions is Direction.BOTH else ()
    _emit((pairs, falls) if falls else (pairs,), lits, sink)


def size_of_adders(full: int, half: int, directions: Direction = Direction.BOTH) -> EncodingSize:
    """Return the size of `full` full and `half` half adders, with two auxiliaries each.

    >>> size_of_adders(1, 0), size_of_adders(0, 1)
    (EncodingSize(variables=2, clauses=14, literals=44), \
EncodingSize(variables=2, clauses=7, literals=18))
    """
    if directions is Direction.BOTH:
        return EncodingSize(2, 14, 44) * full + EncodingSize(2, 7, 18) * half
    return EncodingSize(2, 7, 25) * full + EncodingSize(2, 3, 9) * half


def size_of_carryless_adders(
    full: int, half: int, directions: Direction = Direction.BOTH
) -> EncodingSize:
    """Return the size of `full` full and `half` half adders without carry, one auxiliary each."""
    if directions is Direction.AT_MOST:
        return EncodingSize(1, 6, 12) * full + EncodingSize(1, 3, 6) * half
    return EncodingSize(1, 7, 16) * full + EncodingSize(1, 4, 9) * half


def at_most_constant(bits: Sequence[Lit | None], bound: int, sink: ClauseSink) -> None:
    """Emit that the number is at most `bound` >= 0; bit i is worth 2**i, None is the constant 0.

    One clause per zero of the bound: the bit there is false, unless some bit at a higher one of the
    bound is false. Bits may be equal literals, not opposite ones. Over distinct bits the clauses
    are arc-consistent.

    >>> from pbcnf import Formula
    >>> f = Formula(num_vars=4)
    >>> at_most_constant([1, 2, 3, 4], 5, f)
    >>> list(f.clauses())
    [[-4], [-3, -2]]
    """
    _compare(_padded(bits, bound), bound, False, sink)


def at_least_constant(bits: Sequence[Lit | None], bound: int, sink: ClauseSink) -> None:
    """Emit that the number is at least `bound` >= 0; see `at_most_constant`.

    One clause per one of the bound: the bit there is true, unless some bit at a higher zero of the
    bound is true.

    >>> from pbcnf import Formula
    >>> f = Formula(num_vars=4)
    >>> at_least_constant([1, 2, 3, 4], 5, f)
    >>> list(f.clauses())
    [[4, 3], [4, 2, 1]]
    """
    # The number is at least `bound` iff its complement is at most the complement of `bound`; the
    # complement of an absent bit is the constant 1.
    opposite = [None if bit is None else -bit for bit in _padded(bits, bound)]
    _compare(opposite, _complement(len(opposite), bound), True, sink)


def size_of_at_most_constant(bits: Sequence[Hashable | None], bound: int) -> EncodingSize:
    """Return the size of `at_most_constant`; of the bits only matters which are equal or None.

    >>> size_of_at_most_constant("abcd", 5)
    EncodingSize(variables=0, clauses=2, literals=3)
    """
    return _size_of_compare(_padded(bits, bound), bound, False)


def size_of_at_least_constant(bits: Sequence[Hashable | None], bound: int) -> EncodingSize:
    """Return the size of `at_least_constant`; of the bits only matters which are equal or None."""
    padded = _padded(bits, bound)
    return _size_of_compare(padded, _complement(len(padded), bound), True)


def _rows(adders: npt.ArrayLike) -> npt.NDArray[np.integer]:
    """Return the adders, one a row, as an array; without numpy as a list."""
    if np is not None:
        return np.atleast_2d(adders)
    return adders if not adders or isinstance(adders[0], Sequence) else [adders]


def _emit(pattern: _Pattern, adders: npt.ArrayLike, sink: ClauseSink) -> None:
    lits = _rows(adders)
    if np is None:
        for clauses in pattern:
            for row in lits:
                for clause in clauses:
                    sink.add_clause([row[v - 1] if v > 0 else -row[-v - 1] for v in clause])
        return
    if not lits.size:
        return
    # Column v - 1 holds place v, column -v its negation.
    signed = np.concatenate((lits, -lits[:, ::-1]), axis=1, dtype=np.int32)
    for clauses in pattern:
        columns = _columns(clauses)
        block = np.empty((len(lits) * len(clauses), len(clauses[0])), dtype=np.int32)
        np.take(signed, columns, axis=1, out=block.reshape(len(lits), -1), mode="wrap")
        block.flags.writeable = False
        sink.add_block(block)


@lru_cache(maxsize=64)
def _columns(clauses: tuple[tuple[int, ...], ...]) -> npt.NDArray[np.intp]:
    return np.array([v - (v > 0) for clause in clauses for v in clause])


def _padded(bits: Sequence[_Bit | None], bound: int) -> list[_Bit | None]:
    return [*bits, *[None] * (bound.bit_length() - len(bits))]


def _complement(length: int, bound: int) -> int:
    return (1 << length) - 1 - bound


def _comparison(bits: Sequence[Lit | None], bound: int, absent: bool) -> Iterator[list[Lit]]:
    """Yield the clauses of: the number is at most `bound`; None stands for the constant `absent`.

    Every zero of the bound makes a clause, with the ones above it: the number is larger only if it
    has a one at the first place where the two differ.
    """
    ones: dict[Lit, None] = {}
    zeros = set()
    for place in reversed(range(len(bits))):
        bit = bits[place]
        if bound >> place & 1:
            if bit is not None:
                ones[-bit] = None
            elif not absent:
                # A constant 0 at a one of the bound: the lower bits cannot make the number larger.
                return
        elif bit is None:
            if absent:
                # A constant 1 at a zero of the bound: some higher bit must be 0 at a one of the
                # bound.
                yield list(ones)
                return
        elif bit not in zeros:  # else a clause with fewer literals is there
            zeros.add(bit)
            yield list({**ones, -bit: None})


def _compare(bits: Sequence[Lit | None], bound: int, absent: bool, sink: ClauseSink) -> None:
    for clause in _comparison(bits, bound, absent):
        sink.add_clause(clause)


def _size_of_compare(bits: Sequence[Hashable | None], bound: int, absent: bool) -> EncodingSize:
    numbers = {bit: number for number, bit in enumerate(dict.fromkeys(bits), start=1)}
    lits = [None if bit is None else numbers[bit] for bit in bits]
    widths = [len(clause) for clause in _comparison(lits, bound, absent)]
    return EncodingSize(0, len(widths), sum(widths))


_Rows: TypeAlias = list[tuple[Lit, ...]]


@dataclass(frozen=True, slots=True)
class BucketAdders:
    """The literals of adders, one a row, as `full_adder` and the other functions take them."""

    full: _Rows = field(default_factory=list)
    half: _Rows = field(default_factory=list)
    carryless: tuple[_Rows, _Rows] = field(default_factory=lambda: ([], []))
    """The full and the half adders of the highest bucket, which have no carries."""

    def add(self, bits: list[Lit], highest: bool, sink: ClauseSink) -> tuple[Lit | None, list[Lit]]:
        """Record the adders of one bucket; return the bit that remains, if any, and the carries.

        While there are three bits, a full adder replaces the first three by their sum, put last; a
        half adder adds two remaining bits. The highest bucket has no carries.
        """
        # The queue is known in advance: adder number i takes places 3i, 3i + 1, 3i + 2 of the bits
        # and, behind them, of the sums of the adders so far.
        full, half = number_of_adders(len(bits))
        count, end = full + half, 3 * full
        first = sink.new_vars(count if highest else 2 * count)
        sums = range(first, first + count)
        carries = range(first + count, first + 2 * count)
        outputs = (sums,) if highest else (sums, carries)
        queue = [*bits, *sums]
        fulls, halves = self.carryless if highest else (self.full, self.half)
        fulls += zip(queue[0:end:3], queue[1:end:3], queue[2:end:3], *outputs, strict=False)
        if half:
            halves.append((queue[end], queue[end + 1], *(output[-1] for output in outputs)))
        return queue[-1] if queue else None, [] if highest else [*carries]

    def emit(self, directions: Direction, highest: Direction, sink: ClauseSink) -> None:
        """Emit all adders: those with a carry in `directions`, the others in `highest`."""
        full_adder(self.full, sink, directions)
        half_adder(self.half, sink, directions)
        for rows in self.carryless:
            carryless_adder(rows, sink, highest)


def number_of_adders(bits: int) -> tuple[int, int]:
    """Return the numbers of full and half adders of a bucket through which `bits` bits pass.

    >>> number_of_adders(5), number_of_adders(6), number_of_adders(1)
    ((2, 0), (2, 1), (0, 0))
    """
    return max(bits - 1, 0) // 2, int(bits > 0 and bits % 2 == 0)


def ones(number: int) -> Iterator[int]:
    """Iterate over the places of the ones of a number, from the lowest."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


class BinarySum:
    """A number in binary that is at least the weight of the true inputs, see `UpperBounds`.

    An input waits in one bucket for each 1 bit of its weight until a bound is requested. Then each
    bucket, from the lowest, is added up together with the bit of the number so far. The adders go
    one way: inputs imply sums and carries. A bound takes a variable, "the number exceeds the
    bound", and the clauses of one comparison.
    """

    def __init__(self) -> None:
        self.total = 0
        self._buckets: list[list[Lit]] = []
        """Per place the bits still to be added; one or none after `_add_up`."""
        self._exceeds: dict[int, Lit] = {}

    def add(self, lits: Sequence[Lit], weights: Sequence[int]) -> None:
        """Add inputs."""
        for lit, weight in zip(lits, weights, strict=True):
            self._put([*ones(weight)], [lit])
            self.total += weight

    def merge(self, other: BinarySum, sink: ClauseSink) -> None:
        """Add the number `other`; its bits stay usable."""
        other._add_up(sink)
        for place, bucket in enumerate(list(other._buckets)):
            self._put([place], bucket)
        self.total += other.total

    def at_most(self, bound: int, sink: ClauseSink) -> list[Lit]:
        """Emit the missing clauses for ``sum <= bound``; return the literal to assume."""
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
        # The highest place needs no carry: the sum of all weights has no bit above it.
        adders.emit(Direction.AT_MOST, Direction.BOTH, sink)
