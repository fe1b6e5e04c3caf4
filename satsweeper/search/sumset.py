"""Sets of numbers of mines as the bits of integers, and all sums of one number of each of many.

Bit ``k`` of a set says that ``k`` mines can be. Most sets are ranges: a region that can hold 2 and
5 mines can nearly always hold 3 and 4. Ranges together are one range again, and once that is as
wide as the largest gap in the others it closes all gaps, so that the least and the largest sum say
everything. Hundreds of thousands of sets cost no more than counting them. Where gaps stay, equal
sets are added by doubling.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Self


def bits(numbers: int) -> Iterator[int]:
    """Yield the numbers of a set, ascending."""
    while numbers:
        low = numbers & -numbers
        yield low.bit_length() - 1
        numbers ^= low


class InteriorSums(NamedTuple):
    """Numbers of mines of interchangeable cells that nothing constrains.

    All of them, and those with a mine and with no mine in any one cell.
    """

    any: int
    with_mine: int
    with_safe: int

    @classmethod
    def of(cls, cells: int) -> Self:
        """Return the numbers of ``cells`` cells; of none, no cell is a mine or safe."""
        return cls((2 << cells) - 1, (2 << cells) - 2 if cells else 0, (1 << cells) - 1)

    def both_open(self, allowed: int) -> bool:
        """Whether the allowed numbers leave every cell open, or there is no cell."""
        return self.any == 1 or bool(self.with_mine & allowed and self.with_safe & allowed)

    def verdict(self, allowed: int) -> bool | None:
        """Return whether all cells are mines under every allowed number; None: open, or no cell."""
        return None if self.both_open(allowed) else bool(self.with_mine & allowed)


class Sumset:
    """The sums of one number of each of some sets; a set can be left out of them.

    Args:
        sets: numbers from 0 as the bits of integers.
    """

    def __init__(self, sets: Iterable[int]) -> None:
        self._gapped: Counter[int] = Counter()
        self._low = self._width = self._empty = 0
        self._sums: dict[int | None, int] = {}
        for one, count in Counter(sets).items():
            self._add(one, count)

    def _add(self, one: int, count: int) -> None:
        if not one:
            self._empty += count
            return
        # A set is its least number, which only shifts all sums, and its shape above that.
        low, shape = _shape(one)
        self._low += count * low
        if _gap(shape) == 1:
            self._width += count * (shape.bit_length() - 1)
        else:
            self._gapped[shape] += count
            if not self._gapped[shape]:
                del self._gapped[shape]

    def leave(self, one: int) -> None:
        """Take ``one`` of the sets out."""
        self._add(one, -1)
        self._sums.clear()

    @property
    def span(self) -> tuple[int, int] | None:
        """The least and the largest sum if all numbers between are sums as well, else None."""
        if self._empty or max(map(_gap, self._gapped), default=1) > self._width + 1:
            return None
        # The ranges together are wider than every gap, so no number between is missed.
        wide = sum(count * (shape.bit_length() - 1) for shape, count in self._gapped.items())
        return self._low, self._low + self._width + wide

    def all(self) -> int:
        """Return the set of all sums."""
        if None not in self._sums:
            self._sums[None] = self._all()
        return self._sums[None]

    def without(self, one: int) -> int:
        """Return the set of sums over all sets but ``one``, a member of them."""
        if one not in self._sums:
            self._add(one, -1)
            self._sums[one] = self._all()
            self._add(one, 1)
        return self._sums[one]

    def holds(self, number: int) -> bool:
        """Whether ``number`` is a sum."""
        span = self.span
        if span is not None:
            return span[0] <= number <= span[1]
        return number >= 0 and bool(self.all() >> number & 1)

    def _all(self) -> int:
        if self._empty:
            return 0
        span = self.span
        if span is not None:
            return (2 << span[1] - span[0]) - 1 << span[0]
        # Sets with gaps first, whatever they leave open; the ranges then fill in their width.
        sums = 1
        for shape, count in self._gapped.items():
            sums = add_sets(sums, _times(shape, count))
        return _widened(sums, self._width) << self._low


def choose(sets: Sequence[int], total: int) -> list[int] | None:
    """Return a number of each set that add up to ``total``; None if no numbers do.

    >>> choose([0b1001, 0b11, 0b11], 4)
    [3, 0, 1]
    """
    rest = Sumset(sets)
    if not rest.holds(total):
        return None
    chosen = [0] * len(sets)
    # Ranges go last: while they are in the rest, it has no gaps or few.
    for k in sorted(range(len(sets)), key=lambda k: _gap(_shape(sets[k])[1]) == 1):
        one = sets[k]
        rest.leave(one)
        span = rest.span
        # Numbers of this set below would leave more than the rest can take.
        least = 0 if span is None else max(total - span[1], 0)
        number = least + next(n for n in bits(one >> least) if rest.holds(total - least - n))
        chosen[k] = number
        total -= number
    return chosen


def add_sets(a: int, b: int) -> int:
    """Return all sums of a number of ``a`` and a number of ``b``."""
    if a.bit_count() < b.bit_count():
        a, b = b, a
    result = 0
    while b:
        low = b & -b
        result |= a * low
        b ^= low
    return result


def complement(numbers: int, left: int, most: int | None = None) -> int:
    """Return the set of ``left - x`` for ``x <= left`` in ``numbers``, up to ``most``."""
    first = 0 if most is None else max(left - most, 0)
    length = left - first + 1
    # Reversing the bits 0 .. left turns bit x into bit left - x.
    digits = bin(numbers >> first & (1 << length) - 1)[2:].zfill(length)
    return int(digits[::-1], 2)


def _shape(one: int) -> tuple[int, int]:
    """Return the least number of a non-empty set, and the set shifted down by it."""
    low = (one & -one).bit_length() - 1
    return low, one >> low


def _gap(shape: int) -> int:
    """Return the largest difference of neighbouring numbers of a set that holds 0; at least 1."""
    if not shape & shape + 1:
        return 1
    return max(map(len, bin(shape)[2:].split("1"))) + 1


def _times(one: int, count: int) -> int:
    """Return the sums of ``count`` numbers of the set ``one``."""
    sums = 1
    while count:
        if count & 1:
            sums = add_sets(sums, one)
        count >>= 1
        if count:
            one = add_sets(one, one)
    return sums


def _widened(sums: int, width: int) -> int:
    """Return every number that is at most ``width`` above a number of ``sums``."""
    done = 0
    # Invariant: ``sums`` covers all numbers up to ``done`` above the first sums.
    while done < width:
        step = min(done + 1, width - done)
        sums |= sums << step
        done += step
    return sums
