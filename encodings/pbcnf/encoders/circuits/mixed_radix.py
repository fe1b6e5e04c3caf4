"""Mixed-radix numbers: a radix of its own for every place, and a choice that keeps digits small."""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import TypeAlias

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


@dataclass(frozen=True, slots=True)
class _Partial:
    """A base, the sum of the digits below its end, and how often each quotient is left."""

    base: tuple[int, ...]
    below: int
    quotients: dict[int, int]

    @property
    def digit_sum(self) -> int:
        """The sum of all digits if only twos follow."""
        return self.below + sum(q.bit_count() * count for q, count in self.quotients.items())

    def longer(self, radix: int) -> _Partial:
        quotients: dict[int, int] = {}
        below = self.below
        for number, count in self.quotients.items():
            quotient, digit = divmod(number, radix)
            below += digit * count
            if quotient:
                quotients[quotient] = quotients.get(quotient, 0) + count
        return _Partial((*self.base, radix), below, quotients)

    def completed(self) -> tuple[int, ...]:
        twos = max(self.quotients, default=1).bit_length() - 1
        return self.base + (2,) * twos


@lru_cache(maxsize=256)
def _base_of(weights: frozenset[tuple[int, int]]) -> tuple[int, ...]:
    best = _Partial((), 0, dict(sorted(weights)))
    width = max(1, min(_WIDTH, _EFFORT // len(weights)))
    kept, patience = [best], _PATIENCE
    while kept and patience:
        by_product: dict[int, tuple[int, _Partial]] = {}
        for shorter in kept:
            largest = max(shorter.quotients, default=0)
            for radix in _PRIMES:
                if radix <= largest:
                    longer = shorter.longer(radix)
                    key, measured = prod(longer.base), (longer.digit_sum, longer)
                    by_product[key] = min(by_product.get(key, measured), measured, key=_rank)
        ranked = sorted(by_product.values(), key=_rank)[:width]
        kept = [partial for _, partial in ranked]
        patience -= 1
        if kept and kept[0].digit_sum < best.digit_sum:
            best, patience = kept[0], _PATIENCE
    return best.completed()


def _rank(measured: tuple[int, _Partial]) -> tuple[int, tuple[int, ...]]:
    return measured[0], measured[1].base
