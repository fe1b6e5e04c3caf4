"""What the two modulo totalizers share: a balanced tree of modulo nodes, emitted and measured."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from pbcnf.encoders.bounds.two_sided import TwoSided
from pbcnf.encoders.circuits.blocks import rows
from pbcnf.encoders.circuits.modulo_node import (
    Implications,
    ModuloBounds,
    Node,
    comparisons,
    inner_node,
    root_node,
)
from pbcnf.formula import EncodingSize
from pbcnf.literals import Block, Lit, negate
from pbcnf.sink import ClauseSink

_UNDIVIDED: Final = 4
"""Counts up to this, or up to p, have no quotient: it would save nothing and cost propagation."""

_FEW: Final = 100
"""Up to about this many clauses, building them one by one is faster than building a block."""


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
        root = self._root(n, bounds)
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
        root = self._root(len(lits), bounds)
        own = _emit_node(np.array([lits], dtype=np.int32), root, bounds, sink)
        for sign, columns in comparisons(root, bounds):
            sink.add_clause([sign * int(own[0, column]) for column in columns])

    def _root(self, n: int, bounds: ModuloBounds) -> Node:
        high, p = bounds.high, self.modulus(n, bounds.high)
        return root_node(n, bounds, high + 1 if high <= max(p, _UNDIVIDED) else p)


def _all_implications(node: Node, bounds: ModuloBounds) -> Iterator[Implications]:
    if bounds.rising:
        yield from node.implications(rising=True)
    if bounds.falling:
        yield from node.implications(rising=False)


def _count(inputs: Block, bounds: ModuloBounds, p: int, sink: ClauseSink) -> tuple[Block, Block]:
    """Emit a counter of every row of `inputs`; return their quotients and their remainders."""
    n = inputs.shape[1]
    if n == 1:
        return inputs[:, :0], inputs
    node = inner_node(n, bounds, p)
    own = _emit_node(inputs, node, bounds, sink)
    quotients = len(node.quotient.outputs)
    return own[:, :quotients], own[:, quotients : quotients + len(node.remainder.outputs)]


def _emit_node(inputs: Block, node: Node, bounds: ModuloBounds, sink: ClauseSink) -> Block:
    """Emit a node over every row of `inputs`, and all below it; return its auxiliaries."""
    batch, n = inputs.shape
    if n % 2:
        left = _count(inputs[:, : n // 2], bounds, node.p, sink)
        right = _count(inputs[:, n // 2 :], bounds, node.p, sink)
    else:
        quotients, remainders = _count(inputs.reshape(2 * batch, n // 2), bounds, node.p, sink)
        left, right = (quotients[::2], remainders[::2]), (quotients[1::2], remainders[1::2])
    count = batch * node.variables
    first = sink.new_vars(count)
    own = np.arange(first, first + count, dtype=np.int32).reshape(batch, node.variables)
    for part in _all_implications(node, bounds):
        digit = 0 if part.quotient else 1
        conclusions = []
        if part.columns:
            conclusions.append(own[:, part.columns] * (1 if part.rising else -1))
        if part.carry:
            conclusions.append(own[:, [node.carry] * len(part.sums)] * part.carry)
        _emit_implications(
            _denials(left[digit], part.rising),
            _denials(right[digit], part.rising),
            part,
            conclusions,
            sink,
        )
    return own


def _denials(digit: Block, rising: bool) -> Block:
    """Return in column i the literal that denies "digit >= i" (rising) or "digit <= i".

    0 stands for none: every digit is at least 0, and at most its largest value.
    """
    none = np.zeros((len(digit), 1), dtype=np.int32)
    return np.hstack((none, -digit) if rising else (digit, none))


def _emit_implications(
    left: Block, right: Block, part: Implications, conclusions: Sequence[Block], sink: ClauseSink
) -> None:
    """Emit one clause for each row and each pair of columns of `left` and `right`, the denials."""
    a, b = left.shape[1] - 1, right.shape[1] - 1
    sums = part.sums if part.rising else tuple(min(s, a + b) for s in part.sums)
    if left.size * len(sums) <= _FEW:
        tables = [literals.tolist() for literals in (left, right, *conclusions)]
        for x, y, *outputs in zip(*tables, strict=True):
            for place, s in enumerate(sums):
                conclusion = [literals[place] for literals in outputs]
                for i in range(max(0, s - b), min(a, s) + 1):
                    sink.add_clause(conclusion + [lit for lit in (x[i], y[s - i]) if lit])
        return
    rest = np.array(sums) - np.arange(a + 1)[:, np.newaxis]
    lefts, places = np.nonzero((rest >= 0) & (rest <= b))
    rights = rest[lefts, places]
    in_left, in_right = left[0, lefts] != 0, right[0, rights] != 0
    for with_left in (True, False):
        for with_right in (True, False):
            chosen = (in_left == with_left) & (in_right == with_right)
            if chosen.any():
                columns = [literals[:, places[chosen]] for literals in conclusions]
                columns += [left[:, lefts[chosen]]] * with_left
                columns += [right[:, rights[chosen]]] * with_right
                sink.add_block(rows(*columns))


@lru_cache(maxsize=4096)
def _size_of_count(n: int, bounds: ModuloBounds, p: int) -> EncodingSize:
    if n == 1:
        return EncodingSize(0, 0, 0)
    return _size_of_node(n, inner_node(n, bounds, p), bounds)


def _size_of_node(n: int, node: Node, bounds: ModuloBounds) -> EncodingSize:
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
