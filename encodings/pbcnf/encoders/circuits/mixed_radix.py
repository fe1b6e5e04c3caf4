"""Mixed-radix numbers: a radix of its own for every place, and a choice that keeps digits small."""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np

Reached: TypeAlias = tuple[int, int]
"""A place, and what its digit is to be at least."""

Comparison: TypeAlias = list[list[tuple[Reached, bool]]]
"""Clauses for comparisons with a bound, digit by digit."""

_Partial: TypeAlias = tuple[int, tuple[int, ...], int, int]
"""The sum of all digits if only twos follow a base, which is what bases are chosen by, the base,
the sum of the digits below its end, and its product."""

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

    No digit exceeds the bound's where all higher ones reach theirs.

    >>> digits_at_most([1, 2], [2, 5])
    [[((1, 3), False)], [((1, 2), False), ((0, 2), False)]]
    """
    clauses: Comparison = []
    lower_above: list[tuple[Reached, bool]] = []
    for place in reversed(range(len(bound))):
        digit = bound[place]
        if digit < largest[place]:
            clauses.append([*lower_above, ((place, digit + 1), False)])
        # No number reaches this digit: all smaller places are free where the higher ones are equal.
        if digit > largest[place]:
            break
        if digit > 0:
            lower_above.append(((place, digit), False))
    return clauses


def digits_at_least(bound: Sequence[int], largest: Sequence[int]) -> Comparison:
    """Return the clauses of "at least the bound" over digits up to `largest`.

    Every digit reaches the bound's where no higher one exceeds its own.

    >>> digits_at_least([1, 2], [2, 5])
    [[((1, 2), True)], [((1, 3), True), ((0, 1), True)]]
    """
    clauses: Comparison = []
    higher_above: list[tuple[Reached, bool]] = []
    for place in reversed(range(len(bound))):
        digit = bound[place]
        # No number reaches this digit: a higher one must exceed its own, or the clause is empty.
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

    Bases are lengthened prime by prime, while that helps, and measured by the sum of the digits
    if nothing but twos followed. Of each length the best few are kept, and of those with one
    product, which leave the same quotients, only the best. The sum is never larger than in binary,
    and not always the smallest possible.

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
    patience = _PATIENCE
    # A beam search over products of primes: of all bases with one product the best is kept, then
    # the `width` best products go on; some rounds without progress end it.
    while kept and patience:
        quotients.look_at({part[3] * radix for part in kept for radix in _PRIMES})
        by_product: dict[int, _Partial] = {}
        for _, base, below, product in kept:
            total = quotients.sums[product][0]
            for radix in _PRIMES:
                longer = product * radix
                if longer not in quotients.sums:
                    break
                rest, ones = quotients.sums[longer]
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
    """The sum of the quotients of the weights by a product, and of the ones in them in binary."""

    def __init__(self, weights: frozenset[tuple[int, int]]) -> None:
        exact = sum(number * times for number, times in weights) < 2**62
        dtype = np.int64 if exact else object
        self._numbers, self._times = np.array(sorted(weights), dtype=dtype).T
        self._ones = np.bitwise_count if exact else np.frompyfunc(int.bit_count, 1, 1)
        self.largest = int(self._numbers[-1])
        self.sums: dict[int, tuple[int, int]] = {}
        self.look_at({1})

    def look_at(self, products: set[int]) -> None:
        """Work out the sums of those that are no larger than the largest weight."""
        new = [number for number in products if number <= self.largest]
        found = self._numbers // np.array(new, dtype=self._numbers.dtype)[:, None]
        sums = (found @ self._times).tolist(), (self._ones(found) @ self._times).tolist()
        self.sums.update(zip(new, zip(*sums, strict=True), strict=True))
