"""Polynomials in the number of mines, packed: coefficients side by side in one integer, in lanes.

A lane is a whole number of bytes, wide enough that no coefficient overflows.
"""

from collections.abc import Iterable
from functools import lru_cache
from math import comb
from typing import NamedTuple


def pack(numbers: Iterable[int], width: int) -> int:
    """The coefficients as one integer, ``width`` bits each, a multiple of 8."""
    size = width // 8
    return int.from_bytes(b"".join([n.to_bytes(size, "little") for n in numbers]), "little")


def lanes(number: int, width: int, count: int) -> tuple[int, ...]:
    """The ``count`` coefficients that lie in a number, ``width`` bits each, a multiple of 8."""
    if count == 1:
        return (number,)
    size = width // 8
    raw = number.to_bytes(size * count, "little")
    read = int.from_bytes
    return tuple([read(raw[at : at + size], "little") for at in range(0, size * count, size)])


class Ways(NamedTuple):
    """For each number of mines the ways to place them in a box; and with a given cell mined."""

    all: list[int]
    mined: list[int]


@lru_cache(maxsize=4096)
def ways(size: int, weights: tuple[int, int]) -> Ways:
    """Of a box of ``size`` cells, each way times the weights of its mines and of its safe cells."""
    mine, safe = weights
    scale = [mine**k * safe ** (size - k) for k in range(size + 1)]
    return Ways(
        [comb(size, k) * scale[k] for k in range(size + 1)],
        [comb(size - 1, k - 1) * scale[k] if k else 0 for k in range(size + 1)],
    )
