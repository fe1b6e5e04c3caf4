"""Sets of numbers of mines as the bits of integers, and sumsets: one number from each set, added.

Bit ``k`` of a set says that ``k`` mines are possible. Most sets are ranges without gaps: a region
that can hold 2 and 5 mines can nearly always hold 3 and 4. The sum of ranges is a range, and if
this range covers the largest gap of the other sets, the sumset is a range as well, given by its
least and largest sum. Hundreds of thousands of sets cost no more than counting them. Where gaps
remain, equal sets are added by doubling.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Self


def bits(numbers: int) -> Iterator[int]:
    """Yield the numbers of the set ``numbers``, ascending."""
    while numbers:
        low = numbers & -numbers
        yield low.bit_length() - 1
        numbers ^= low


class InteriorSums(NamedTuple):
    """Possible numbers of mines of the interior, whose cells no clue constrains.

    ``any``: all numbers. ``with_mine``, ``with_safe``: the numbers of layouts in which a given cell
    of the interior is a mine, or is safe.
    """

    any: int
    with_mine: int
    with_safe: int

    @classmethod
    def of(cls, cells: int) -> Self:
        """Return the numbers for ``cells`` cells; without cells, ``with_mine`` is empty."""
        return cls((2 << cells) - 1, (2 << cells) - 2 if cells else 0, (1 << cells) - 1)

    def both_open(self, allowed: int) -> bool:
        """Whether the numbers ``allowed`` leave every cell open, or there is no cell."""
        return self.any == 1 or bool(self.with_mine & allowed and self.with_safe & allowed)

    def verdict(self, allowed: int) -> bool | None:
        """Return True: all cells are mines; False: all are safe; None: open, or there is no cell.

        ``allowed``: the numbers of mines that the interior may hold.
        """
        return None if self.both_open(allowed) else bool(self.with_mine & allowed)


class Sumset:
    """The sumset of some sets: all sums of one number from each; a set can be left out.

    Invariant: the sets with gaps are in ``_gapped``, by shape with their multiplicity; the ranges
    are added up in ``_width``, and the least numbers of all sets in ``_low``. ``_empty`` counts the
    empty sets: with one of them there is no sum.

    Args:
        sets: sets of numbers from 0, each as the bits of an integer.
    """

    def __init__(self, sets: Iterable[int]) -> None:
        self._gapped: Counter[int] = Counter()
        self._low = self._width = self._empty = 0
        self._sums: dict[int | None, int] = {}
        for numbers, count in Counter(sets).items():
            self._add(numbers, count)

    def _add(self, numbers: int, count: int) -> None:
        """Add ``count`` copies of the set ``numbers``; a negative count removes copies."""
        if not numbers:
            self._empty += count
            return
        # A set is its least number, which only shifts all sums, and its shape above that number.
        low, shape = _shape(numbers)
        self._low += count * low
        if _gap(shape) == 1:
            self._width += count * (shape.bit_length() - 1)
        else:
            self._gapped[shape] += count
            if not self._gapped[shape]:
                del self._gapped[shape]

    def leave(self, one: int) -> None:
        """Remove the set ``one``, a member of the sets."""
        self._add(one, -1)
        self._sums.clear()

    @property
    def span(self) -> tuple[int, int] | None:
        """The least and the largest sum if every number between them is a sum, else None."""
        if self._empty or max(map(_gap, self._gapped), default=1) > self._width + 1:
            return None
        # The sum of the ranges has ``_width + 1`` consecutive numbers, and neighbouring sums of the
        # other sets differ by at most that: the shifted ranges leave no number out.
        wide = sum(count * (shape.bit_length() - 1) for shape, count in self._gapped.items())
        return self._low, self._low + self._width + wide

    def all(self) -> int:
        """Return the set of all sums."""
        if None not in self._sums:
            self._sums[None] = self._all()
        return self._sums[None]

    def without(self, one: int) -> int:
        """Return the sumset without one copy of the set ``one``, a member of the sets."""
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
        # The sumset of the sets with gaps; adding ranges of total width w then adds to each sum
        # the numbers 0 to w.
        sums = 1
        for shape, count in self._gapped.items():
            sums = add_sets(sums, _times(shape, count))
        return _widened(sums, self._width) << self._low


def choose(sets: Sequence[int], total: int) -> list[int] | None:
    """Return one number from each set, which add up to ``total``; None if that is impossible.

    >>> choose([0b1001, 0b11, 0b11], 4)
    [3, 0, 1]
    """
    rest = Sumset(sets)
    if not rest.holds(total):
        return None
    chosen = [0] * len(sets)
    # Invariant: ``total`` is a sum of the sets that have no number yet. Ranges are chosen last:
    # while ranges remain, the sumset of the rest has few gaps or none, and `holds` is fast.
    for k in sorted(range(len(sets)), key=lambda k: _gap(_shape(sets[k])[1]) == 1):
        numbers = sets[k]
        rest.leave(numbers)
        span = rest.span
        # A number below ``least`` would leave more mines than the largest sum of the other sets.
        least = 0 if span is None else max(total - span[1], 0)
        number = least + next(n for n in bits(numbers >> least) if rest.holds(total - least - n))
        chosen[k] = number
        total -= number
    return chosen


def add_sets(a: int, b: int) -> int:
    """Return all sums of a number from the set ``a`` and a number from the set ``b``."""
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


def _shape(numbers: int) -> tuple[int, int]:
    """Return the least number of a non-empty set, and the set with that number subtracted."""
    low = (numbers & -numbers).bit_length() - 1
    return low, numbers >> low


def _gap(shape: int) -> int:
    """Return the largest difference of neighbouring numbers of a set that holds 0; at least 1."""
    if not shape & shape + 1:
        return 1
    return max(map(len, bin(shape)[2:].split("1"))) + 1


def _times(numbers: int, count: int) -> int:
    """Return the sums of ``count`` numbers from the set ``numbers``, by repeated doubling."""
    sums = 1
    while count:
        if count & 1:
            sums = add_sets(sums, numbers)
        count >>= 1
        if count:
            numbers = add_sets(numbers, numbers)
    return sums


def _widened(sums: int, width: int) -> int:
    """Return the numbers s + d for s in ``sums`` and d from 0 to ``width``."""
    done = 0
    # Invariant: ``sums`` holds s + d for each s of the set given and each d from 0 to ``done``.
    while done < width:
        step = min(done + 1, width - done)
        sums |= sums << step
        done += step
    return sums
