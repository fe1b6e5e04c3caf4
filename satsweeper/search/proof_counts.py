"""Totalizers whose nodes are told apart: a proof says of each what its variables count.

Reference: Bailleux, Boufkhad: Efficient CNF Encoding of Boolean Cardinality Constraints, CP 2003.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

Clauses = list[list[int]]


class Count(NamedTuple):
    """Variables ``first``, ... say "at least 1, 2, ..., ``most`` of ``size`` cells"."""

    first: int
    most: int
    size: int
    parts: tuple[int, ...] = ()

    def between(self, low: int, high: int) -> Clauses:
        """That so many are mines; the empty clause if that cannot be."""
        if low > self.size or high < 0:
            return [[]]
        at_least = [[self.first + k - 1] for k in range(1, min(low, self.most) + 1)]
        return at_least + [[-(self.first + k - 1)] for k in range(high + 1, self.most + 1)]


def counts(cells: Sequence[int], most: int, first: int) -> Iterator[tuple[Count, Clauses]]:
    """The nodes from the leaves up, each with its clauses; none for a single cell.

    Args:
        cells: variables, at least one.
        most: how far to count.
        first: the first variable that may be used.
    """
    level = [Count(cell, 1, 1) for cell in cells]
    while len(level) > 1:
        above = level[: len(level) % 2]
        for a, b in zip(level[len(above) :: 2], level[len(above) + 1 :: 2], strict=True):
            size = a.size + b.size
            node = Count(first, min(size, most), size, (a.first, b.first))
            first += node.most
            yield node, _clauses(node, a, b)
            above.append(node)
        level = above


def _clauses(node: Count, a: Count, b: Count) -> Clauses:
    clauses = []
    for i in range(a.most + 1):
        for j in range(b.most + 1):
            both = [part.first + k - 1 for part, k in ((a, i), (b, j)) if k]
            if both:
                clauses.append([*(-v for v in both), node.first + min(i + j, node.most) - 1])
            # Fewer than i + 1 and j + 1 are at most i + j.
            ends = (i == a.most < a.size) or (j == b.most < b.size)
            if i + j < node.most and not ends:
                more = [p.first + k for p, k in ((a, i), (b, j)) if k < p.size]
                clauses.append([*more, -(node.first + i + j)])
    return clauses
