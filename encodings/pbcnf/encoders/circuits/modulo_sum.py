"""Base class of the two modulo totalizers: a balanced tree of modulo nodes and its size."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np

from pbcnf.encoders.bounds.two_sided import TwoSided
from pbcnf.encoders.circuits.modulo_node import (
    Implications,
    ModuloBounds,
    ModuloNode,
    comparisons,
    inner_node,
    root_node,
)
from pbcnf.encoders.circuits.modulo_plan import plan
from pbcnf.formula import EncodingSize
from pbcnf.literals import Block, Lit, negate
from pbcnf.sink import ClauseSink

_UNDIVIDED: Final = 4
"""Counts up to this, or up to p, have no quotient: it would save nothing and cost propagation."""


class ModuloSum(TwoSided):
    """A modulo totalizer, up to the choice of its modulus."""

    __slots__ = ()

    @staticmethod
    @abstractmethod
    def modulus(n: int, high: int) -> int:
        """Return p >= 2 for n inputs counted up to `high`, unless `high` is not divided."""

    def nontrivial_size(self, n: int, lower: int, upper: int) -> EncodingSize:
        """Return the exact size, see the class."""
        bounds = ModuloBounds.of(n, lower, upper)
        if bounds.is_clause:
            return EncodingSize(0, 1, n)
        root = root_of(self, n, bounds)
        compared = len(comparisons(root, bounds))
        return _size_of_node(n, root, bounds) + EncodingSize(0, compared, 2 * compared)

    def encode(self, lits: Sequence[Lit], lower: int, upper: int, sink: ClauseSink) -> None:
        """Emit the clauses for non-trivial bounds."""
        bounds = ModuloBounds.of(len(lits), lower, upper)
        if bounds.mirrored:
            lits = negate(lits)
        if bounds.is_clause:
            sink.add_clause(lits)
            return
        root = root_of(self, len(lits), bounds)
        nodes: _Batches = {}
        own = _put_down(np.array([lits], dtype=np.int32), root, bounds, nodes, sink)
        for node, batches in nodes.items():
            plan(node, bounds.rising, bounds.falling).emit(batches, sink)
        for sign, columns in comparisons(root, bounds):
            sink.add_clause([sign * int(own[0, column]) for column in columns])


def root_of(encoder: ModuloSum, n: int, bounds: ModuloBounds) -> ModuloNode:
    """Return the root of the tree over n inputs, with the modulus of all nodes."""
    high, p = bounds.high, encoder.modulus(n, bounds.high)
    return root_node(n, bounds, high + 1 if high <= max(p, _UNDIVIDED) else p)


_Batches: TypeAlias = dict[ModuloNode, list[Block]]
"""Rows of literals of all nodes of a kind, to be emitted by a `ModuloPlan`."""


def _all_implications(node: ModuloNode, bounds: ModuloBounds) -> Iterator[Implications]:
    if bounds.rising:
        yield from node.implications(rising=True)
    if bounds.falling:
        yield from node.implications(rising=False)


def _count(inputs: Block, bounds: ModuloBounds, p: int, nodes: _Batches, sink: ClauseSink) -> Block:
    """Put down a counter of every row of `inputs`; return quotients and remainders."""
    n = inputs.shape[1]
    if n == 1:
        return inputs
    node = inner_node(n, bounds, p)
    own = _put_down(inputs, node, bounds, nodes, sink)
    digits = len(node.quotient.outputs) + len(node.remainder.outputs)
    return own[:, :digits]


def _put_down(
    inputs: Block, node: ModuloNode, bounds: ModuloBounds, nodes: _Batches, sink: ClauseSink
) -> Block:
    """Put down a node over every row of `inputs`, and all below it; return its auxiliaries."""
    batch, n = inputs.shape
    halves = [inputs[:, : n // 2], inputs[:, n // 2 :]]
    # Halves of one size are nodes of one shape: both go on as rows of one batch.
    if n % 2:
        digits = [_count(half, bounds, node.p, nodes, sink) for half in halves]
    else:
        both = _count(inputs.reshape(2 * batch, n // 2), bounds, node.p, nodes, sink)
        digits = [both[::2], both[1::2]]
    count = batch * node.variables
    first = sink.new_vars(count)
    own = np.arange(first, first + count, dtype=np.int32).reshape(batch, node.variables)
    nodes.setdefault(node, []).append(np.hstack((*digits, own)))
    return own


@lru_cache(maxsize=4096)
def _size_of_count(n: int, bounds: ModuloBounds, p: int) -> EncodingSize:
    if n == 1:
        return EncodingSize(0, 0, 0)
    return _size_of_node(n, inner_node(n, bounds, p), bounds)


def _size_of_node(n: int, node: ModuloNode, bounds: ModuloBounds) -> EncodingSize:
    """Return the size of a node over n inputs and of all below it."""
    size = EncodingSize(node.variables, 0, 0)
    for part in _all_implications(node, bounds):
        size += _size_of_implications(*node.largest(part.quotient), part)
    for inputs in (n // 2, n - n // 2):
        size += _size_of_count(inputs, bounds, node.p)
    return size


def _size_of_implications(a: int, b: int, part: Implications) -> EncodingSize:
    """Count the pairs of digits i <= a and j <= b, and their literals but the constant ones."""
    width = 2 + bool(part.columns) + bool(part.carry)
    clauses = literals = 0
    for s in part.sums:
        if not part.rising:
            s = min(s, a + b)
        pairs = max(0, min(a, s) - max(0, s - b) + 1)
        clauses += pairs
        literals += width * pairs
        if pairs:
            literals -= (s <= a) + (s <= b) if part.rising else (s >= a) + (s >= b)
    return EncodingSize(0, clauses, literals)
