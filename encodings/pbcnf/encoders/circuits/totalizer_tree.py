"""The balanced tree of unary adders behind the totalizer.

All nodes with the same number of inputs are alike: they are kept as the rows of one array and
emitted together. Counts of other inputs are joined to it as nodes of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from pbcnf.encoders.circuits.asked import Asked, SharedCount, asked_below, outputs_of
from pbcnf.encoders.circuits.bulk import CHUNK, Indices, add_block, staircase
from pbcnf.literals import Block, Lit
from pbcnf.sink import ClauseSink

FEW = 1024
"""The clauses of adders with at most so many pairs of values are computed once, then kept."""


class Tree:
    """A totalizer over some literals, as far as it has been asked; it can grow.

    A node with m >= 2 inputs below it has the children with its first m // 2 and its other
    inputs. A leaf is its literal.
    """

    def __init__(self, lits: Sequence[Lit]) -> None:
        self._inputs = len(lits)
        self._nodes: dict[int, _Nodes] = {}
        places = defaultdict(list, {len(lits): [np.zeros(1, dtype=np.intp)]} if lits else {})
        while places:
            size = max(places)
            first = np.sort(np.concatenate(places.pop(size)))
            self._nodes[size] = _Nodes(size, first)
            if size > 1:
                places[size // 2].append(first)
                places[size - size // 2].append(first + size // 2)
        if lits:
            self._nodes[1].outputs[:, 0] = lits

    def grow(self, asked: Asked, sink: ClauseSink) -> list[Lit]:
        """Emit what is missing for these outputs of the root, and return them in order."""
        if not self._inputs:
            return []
        self.grow_below(asked, sink)
        root = self._nodes[self._inputs]
        self._grow_nodes(root, asked, sink)
        counts = outputs_of(asked)
        outputs: list[Lit] = root.outputs[0, counts.start - 1 : counts.stop - 1].tolist()
        return outputs

    def grow_below(self, asked: Asked, sink: ClauseSink) -> None:
        """Emit what is missing below the root for these outputs of the root."""
        for size, nodes in reversed(self._nodes.items()):
            if size < self._inputs:
                self._grow_nodes(nodes, asked_below(asked, size, self._inputs - size), sink)

    def close(self, asked: Asked, sink: ClauseSink) -> None:
        """Emit the root's clauses for outputs that are constants: false if rising, else true."""
        root = self._nodes[self._inputs]
        adder = _Adder(root.size // 2, root.size - root.size // 2, *asked, constant=True)
        self._stamp(adder, root, sink)

    def _grow_nodes(self, nodes: _Nodes, asked: Asked, sink: ClauseSink) -> None:
        if nodes.size == 1:
            return
        a, b = nodes.size // 2, nodes.size - nodes.size // 2
        for adder in nodes.grow(asked, a, b, sink):
            self._stamp(adder, nodes, sink)

    def _stamp(self, adder: _Adder, nodes: _Nodes, sink: ClauseSink) -> None:
        left = self._nodes[adder.a].at(nodes.places)
        right = self._nodes[adder.b].at(nodes.places + adder.a)
        _stamp(adder, np.concatenate((left, right, nodes.outputs), axis=1), sink)


def joined(left: SharedCount, right: SharedCount) -> SharedCount:
    """Return the sum of two counts, whatever is behind them: one more node of a totalizer."""
    return SharedCount(_Sum(left, right), left.inputs + right.inputs, (left, right))


class _Sum:
    """The sum of two counts that provide their part."""

    def __init__(self, left: SharedCount, right: SharedCount) -> None:
        self._parts = left, right
        self._node = _Nodes(left.inputs + right.inputs, np.zeros(1, dtype=np.intp))

    def grow(self, asked: Asked, sink: ClauseSink) -> list[Lit]:
        """Emit what is missing for these outputs, and return them in order."""
        left, right = self._parts
        columns = [_row(left, asked, right.inputs), _row(right, asked, left.inputs)]
        for adder in self._node.grow(asked, left.inputs, right.inputs, sink):
            _stamp(adder, np.concatenate((*columns, self._node.outputs), axis=1), sink)
        counts = outputs_of(asked)
        outputs: list[Lit] = self._node.outputs[0, counts.start - 1 : counts.stop - 1].tolist()
        return outputs


def _row(part: SharedCount, asked: Asked, others: int) -> Block:
    """Return the outputs that a sum needs of a part, in one row; 0 for the rest."""
    needed = asked_below(asked, part.inputs, others)
    counts = outputs_of(needed)
    row: Block = np.zeros((1, part.inputs), dtype=np.int32)
    row[0, counts.start - 1 : counts.stop - 1] = part.outputs(needed)
    return row


def _stamp(adder: _Adder, literals: Block, sink: ClauseSink) -> None:
    """Emit the clauses of one adder for every row: the left outputs, the right ones, the sums."""
    none = np.zeros((len(literals), 1), dtype=np.int32)
    # Column v holds what the adder's variable v stands for, column -v its negation.
    lookup = np.concatenate((none, literals, -literals[:, ::-1]), axis=1)
    for clauses in adder.patterns(CHUNK // len(literals)):
        block = np.empty((len(lookup) * len(clauses), clauses.shape[1]), dtype=np.int32)
        out = block.reshape(len(lookup), clauses.size)
        np.take(lookup, clauses.ravel(), axis=1, out=out, mode="wrap")
        add_block(sink, block)


class _Nodes:
    """The nodes with `size` inputs: node v counts the inputs from ``places[v]`` on.

    ``outputs[v, t - 1]`` stands for "at least t", 0 where that is not asked.
    """

    def __init__(self, size: int, places: Indices) -> None:
        self.size = size
        self.places = places
        self.built = Asked(range(0), range(0))
        self.outputs: Block = np.zeros((len(places), size), dtype=np.int32)

    def at(self, places: Indices) -> Block:
        """Return the outputs of the nodes at these places."""
        return self.outputs[np.searchsorted(self.places, places)]

    def grow(self, asked: Asked, a: int, b: int, sink: ClauseSink) -> list[_Adder]:
        """Allocate what is missing of the outputs asked; return the adders from a and b to them."""
        for new in _new(outputs_of(asked), outputs_of(self.built)):
            count = len(self.places) * len(new)
            first = sink.new_vars(count)
            variables = np.arange(first, first + count).reshape(-1, len(new))
            self.outputs[:, new.start - 1 : new.stop - 1] = variables
        parts = map(_new, asked, self.built)
        self.built = asked
        pairs = zip_longest(*parts, fillvalue=range(0))
        return [_Adder(a, b, rising, falling) for rising, falling in pairs]


def _new(asked: range, built: range) -> list[range]:
    """Return what is asked less what is built, which is contained in it."""
    parts = [range(asked.start, built.start), range(built.stop, asked.stop)] if built else [asked]
    return [part for part in parts if part]


class _Adder(NamedTuple):
    """The sum of two unary numbers up to a and b, as far as it is asked.

    In its clauses variable i is the left number's "at least i", a+j the right one's "at least j",
    and a+b+t is "at least t" of the sum, or left out where that is a constant.
    """

    a: int
    b: int
    rising: range
    falling: range
    constant: bool = False

    def patterns(self, chunk: int) -> Iterable[Indices]:
        """Return the clauses, in arrays of one width each."""
        return _few(self) if self.a * self.b <= FEW else self.clauses(chunk)

    def clauses(self, chunk: int) -> Iterator[Indices]:
        """Compute the clauses in arrays of about `chunk` rows."""
        a, b = self.a, self.b
        # i on the left and t-i on the right give t; either may be 0 and then needs no literal.
        if self.rising:
            for i, j in _pairs(a, b, self.rising, chunk):
                yield self._rows(-i, -a - j, a + b + i + j)
            for first, last in ((0, a), (a, b)):
                t = np.arange(self.rising.start, min(last + 1, self.rising.stop))
                yield self._rows(-first - t, a + b + t)
        # Less than i on the left and less than t+1-i on the right give less than t; a+1 and b+1
        # are never reached and need no literal.
        if self.falling:
            sums = range(self.falling.start + 1, self.falling.stop + 1)
            for i, j in _pairs(a, b, sums, chunk):
                yield self._rows(i, a + j, 1 - a - b - i - j)
            for first, other in ((0, b), (a, a)):
                t = np.arange(max(self.falling.start, other + 1), self.falling.stop)
                yield self._rows(first + t - other, -a - b - t)

    def _rows(self, *columns: Indices) -> Indices:
        return np.stack(columns[:-1] if self.constant else columns, axis=1)


@lru_cache(maxsize=512)
def _few(adder: _Adder) -> list[Indices]:
    parts = [part for part in adder.clauses(CHUNK) if len(part)]
    widths = sorted({part.shape[1] for part in parts})
    return [np.concatenate([p for p in parts if p.shape[1] == width]) for width in widths]


def _pairs(a: int, b: int, sums: range, chunk: int) -> Iterator[tuple[Indices, Indices]]:
    """Yield all i from 1 to a and j from 1 to b whose sum is among `sums`."""
    i = np.arange(max(1, sums.start - b), min(a, sums.stop - 2) + 1)
    if len(i) * b <= FEW:
        total = i[:, None] + np.arange(1, b + 1)
        row, column = np.nonzero((sums.start <= total) & (total < sums.stop))
        yield i[row], column + 1
        return
    starts, stops = np.maximum(1, sums.start - i), np.minimum(b + 1, sums.stop - i)
    for row, j in staircase(starts, stops, chunk):
        yield row + i[0], j
