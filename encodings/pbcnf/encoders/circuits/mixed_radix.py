"""Mixed-radix numbers: a radix of its own for every place, and a choice that keeps digits small."""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from operator import mul
from typing import NamedTuple, TypeAlias

Reached: TypeAlias = tuple[int, int]
"""A place, and what its digit is to be at least."""

Comparison: TypeAlias = list[list[tuple[Reached, bool]]]
"""Clauses that say which digits are reached and which not."""

_PRIMES = (2, 3, 5, 7, 11, 13, 17)

# Bounds of the effort: bases kept of one length, weights times bases of one length, and how often
# in a row longer bases may bring nothing.
_WIDTH = 8
_EFFORT = 4000
_PATIENCE = 8


def digits(number: int, base: tuple[int, ...]) -> list[int]:
    """Return the digits of a number >= 0, the lowest first; the one after the base is unbounded.

    >>> digits(11, (2, 3)), digits(11, ())
    ([1, 2, 1], [11])
    """
    result = []
    for radix in base:
        number, digit = divmod(number, radix)
        result.append(digit)
    return [*result, number]


def digits_at_most(bound: Sequence[int], largest: Sequence[int]) -> Comparison:
    """Return that digits up to `largest` make at most the bound, whose digits are given.

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
        if digit > largest[place]:
            break
        if digit > 0:
            lower_above.append(((place, digit), False))
    return clauses


def digits_at_least(bound: Sequence[int], largest: Sequence[int]) -> Comparison:
    """Return that digits up to `largest` make at least the bound, whose digits are given.

    Every digit reaches the bound's where no higher one exceeds its own.

    >>> digits_at_least([1, 2], [2, 5])
    [[((1, 2), True)], [((1, 3), True), ((0, 1), True)]]
    """
    clauses: Comparison = []
    higher_above: list[tuple[Reached, bool]] = []
    for place in reversed(range(len(bound))):
        digit = bound[place]
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


class _Partial(NamedTuple):
    """A base, in the order in which bases are preferred, and its product.

    `digit_sum` is the sum of all digits if only twos follow, `below` of those below the end.
    """

    digit_sum: int
    base: tuple[int, ...]
    below: int
    product: int


@lru_cache(maxsize=256)
def _base_of(weights: frozenset[tuple[int, int]]) -> tuple[int, ...]:
    numbers, counts = zip(*sorted(weights), strict=True)
    largest = numbers[-1]

    @cache
    def quotients(product: int) -> tuple[int, int]:
        """Return the sum of the quotients by a product, and of their digits in binary."""
        found = [number // product for number in numbers]
        return sum(map(mul, found, counts)), sum(map(mul, map(int.bit_count, found), counts))

    best = _Partial(quotients(1)[1], (), 0, 1)
    width = max(1, min(_WIDTH, _EFFORT // len(weights)))
    kept, patience = [best], _PATIENCE
    while kept and patience:
        by_product: dict[int, _Partial] = {}
        for _, base, below, product in kept:
            total = quotients(product)[0]
            for radix in _PRIMES:
                longer = product * radix
                if longer > largest:
                    break
                rest, ones = quotients(longer)
                digit_sum = below + total - radix * rest
                measured = _Partial(digit_sum + ones, (*base, radix), digit_sum, longer)
                by_product[longer] = min(by_product.get(longer, measured), measured)
        kept = sorted(by_product.values())[:width]
        patience -= 1
        if kept and kept[0].digit_sum < best.digit_sum:
            best, patience = kept[0], _PATIENCE
    twos = (largest // best.product).bit_length() - 1
    return best.base + (2,) * twos
