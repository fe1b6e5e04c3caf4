"""Numbers of layouts that are known by a formula: another witness for those that were counted."""

from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Final


def domino_tilings(n: int) -> int:
    """The coverings of n x n squares by dominoes, n even.

    P. W. Kasteleyn, The statistics of dimers on a lattice, Physica 27 (1961) 1209-1225: the product
    of ``4 cos^2(j pi / (n + 1)) + 4 cos^2(k pi / (n + 1))`` over all j and k from 1 to n / 2. The
    ``4 cos^2`` are the zeros of ``P(x) = sum over k of (-1)^k binomial(n - k, k) x^(n/2 - k)``, so
    that the product is the resultant of P(x) and (-1)^(n/2) P(-x): a determinant of integers.

    >>> [domino_tilings(n) for n in (2, 4, 6, 8)]
    [2, 36, 6728, 12988816]
    """
    half = n // 2
    one = [(-1) ** k * comb(n - k, k) for k in range(half + 1)]
    other = [comb(n - k, k) for k in range(half + 1)]
    rows = [
        [0] * shift + p + [0] * (half - 1 - shift) for p in (one, other) for shift in range(half)
    ]
    return abs(_determinant(rows))


def even_subgraphs(n: int) -> int:
    """The ways to lay an even number of mines round every vertex of a parity lattice of n x n.

    With E links and V = n * n vertices, all connected: 2 ^ (E - V + 1). Charges, even in number, or
    a fixed mine at an open end change nothing.
    """
    links = n * (n - 1) + sum((i + j) % 2 for i in range(n - 1) for j in range(n))
    return 1 << links - n * n + 1


_KNOWN: Final[dict[str, Callable[[int], int]]] = {
    "chessboard_with_private_cells": domino_tilings,
    "parity_lattice_with_open_end": even_subgraphs,
}


def known_count(family: str, size: int) -> int | None:
    """The layouts of the family's boards of this size, if there is a formula for them."""
    return _KNOWN[family](size) if family in _KNOWN else None


def _determinant(rows: list[list[int]]) -> int:
    left = [[Fraction(value) for value in row] for row in rows]
    product = Fraction(1)
    for at in range(len(left)):
        pivot = next((i for i in range(at, len(left)) if left[i][at]), None)
        if pivot is None:
            return 0
        if pivot != at:
            left[at], left[pivot] = left[pivot], left[at]
            product = -product
        product *= left[at][at]
        for row in left[at + 1 :]:
            if row[at]:
                factor = row[at] / left[at][at]
                for column in range(at, len(row)):
                    row[column] -= factor * left[at][column]
    return int(product)
