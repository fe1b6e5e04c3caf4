"""The tree of unary adders behind the totalizer, for inputs that are few: without arrays.

The same variables and clauses, in the same order, as the tree of arrays in `totalizer_tree`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, zip_longest
from operator import neg
from typing import NamedTuple

from pbcnf.encoders.circuits.asked import Asked, asked_below, outputs_of
from pbcnf.literals import Lit, picker
from pbcnf.sink import ClauseSink

FEW = 1024
"""The clauses of adders with at most so many pairs of values are computed once, then kept."""


class SmallTree:
    """A totalizer over some literals, as far as it has been asked; it can grow.

    A node with m >= 2 inputs below it has the children with its first m // 2 and its other
    inputs. A leaf is its literal.
    """

    def __init__(self, lits: Sequence[Lit]) -> None:
        self._inputs = len(lits)
        self._nodes: dict[int, _Nodes] = {}
        places: dict[int, list[int]] = {len(lits): [0]} if lits else {}
        while places:
            size = max(places)
            first = sorted(places.pop(size))
            self._nodes[size] = _Nodes(size, first)
            if size > 1:
                places.setdefault(size // 2, []).extend(first)
                places.setdefault(size - size // 2, []).extend([p + size // 2 for p in first])
        if lits:
            self._nodes[1].outputs = {place: [lit] for place, lit in enumerate(lits)}

    def grow(self, asked: Asked, sink: ClauseSink) -> list[Lit]:
        """Emit what is missing for these outputs of the root, and return them in order."""
        if not self._inputs:
            return []
        self.grow_below(asked, sink)
        root = self._nodes[self._inputs]
        self._grow_nodes(root, asked, sink)
        counts = outputs_of(asked)
        return root.outputs[0][counts.start - 1 : counts.stop - 1]

    def grow_below(self, asked: Asked, sink: ClauseSink) -> None:
        """Emit what is missing below the root for these outputs of the root."""
        for size, nodes in reversed(self._nodes.items()):
            if size < self._inputs:
                self._grow_nodes(nodes, asked_below(asked, size, self._inputs - size), sink)

    def close(self, asked: Asked, sink: ClauseSink) -> None:
        """Emit the root's clauses for outputs that are constants: false if rising, else true."""
        root = self._nodes[self._inputs]
        adder = Adder(root.size // 2, root.size - root.size // 2, *asked, constant=True)
        self._stamp(adder, root, sink)

    def _grow_nodes(self, nodes: _Nodes, asked: Asked, sink: ClauseSink) -> None:
        if nodes.size > 1:
            nodes.allocate(asked, sink)
            a, b = nodes.size // 2, nodes.size - nodes.size // 2
            parts = map(less, asked, nodes.built)
            for rising, falling in zip_longest(*parts, fillvalue=range(0)):
                self._stamp(Adder(a, b, rising, falling), nodes, sink)
            nodes.built = asked

    def _stamp(self, adder: Adder, nodes: _Nodes, sink: ClauseSink) -> None:
        left, right = self._nodes[adder.a].outputs, self._nodes[adder.b].outputs
        lookups = []
        for place, outputs in nodes.outputs.items():
            literals = [*left[place], *right[place + adder.a], *outputs]
            # Place v has what the adder's variable v stands for, place -v its negation.
            lookups.append((0, *literals, *map(neg, reversed(literals))))
        add = sink.add_clause
        for clauses in adder.patterns():
            for lookup in lookups:
                for clause in clauses:
                    add(clause(lookup))


class _Nodes:
    """The nodes with `size` inputs, by the first of them.

    ``outputs[place][t - 1]`` stands for "at least t", 0 where that is not asked.
    """

    def __init__(self, size: int, places: Sequence[int]) -> None:
        self.size = size
        self.built = Asked(range(0), range(0))
        self.outputs: dict[int, list[Lit]] = {place: [0] * size for place in places}

    def allocate(self, asked: Asked, sink: ClauseSink) -> None:
        """Allocate what is missing of the outputs asked."""
        for new in less(outputs_of(asked), outputs_of(self.built)):
            first = sink.new_vars(len(self.outputs) * len(new))
            for outputs in self.outputs.values():
                outputs[new.start - 1 : new.stop - 1] = range(first, first + len(new))
                first += len(new)


def less(asked: range, built: range) -> list[range]:
    """Return what is asked less what is built, which is contained in it."""
    parts = [range(asked.start, built.start), range(built.stop, asked.stop)] if built else [asked]
    return [part for part in parts if part]


Clauses = list[tuple[int, ...]]
Pickers = list[Callable[[Sequence[int]], tuple[int, ...]]]


class Adder(NamedTuple):
    """The sum of two unary numbers up to a and b, as far as it is asked.

    In its clauses variable i is the left number's "at least i", a+j the right one's "at least j",
    and a+b+t is "at least t" of the sum, or left out where that is a constant.
    """

    a: int
    b: int
    rising: range
    falling: range
    constant: bool = False

    def patterns(self) -> Iterable[Pickers]:
        """Return what picks the clauses: by width if they are few."""
        if self.a * self.b <= FEW:
            return _few(self)
        return ([*map(picker, clauses)] for clauses in self.clauses())

    def clauses(self) -> list[Clauses]:
        """Compute the clauses."""
        a, b, rising, falling, _ = self
        n, falls = a + b, range(falling.start + 1, falling.stop + 1)
        found: list[Clauses] = [
            # i on the left and t-i on the right give t; either may be 0 and needs no literal then.
            [(-i, -a - j, n + i + j) for i, j in _pairs(a, b, rising)],
            [(-t, n + t) for t in range(rising.start, min(a + 1, rising.stop))],
            [(-a - t, n + t) for t in range(rising.start, min(b + 1, rising.stop))],
            # Less than i on the left and less than t+1-i on the right give less than t; a+1 and
            # b+1 are never reached and need no literal.
            [(i, a + j, 1 - n - i - j) for i, j in _pairs(a, b, falls)],
            [(t - b, -n - t) for t in range(max(falling.start, b + 1), falling.stop)],
            [(t, -n - t) for t in range(max(falling.start, a + 1), falling.stop)],
        ]
        return [[c[:-1] for c in part] for part in found] if self.constant else found


@lru_cache(maxsize=128)
def _few(adder: Adder) -> list[Pickers]:
    every = [*chain.from_iterable(adder.clauses())]
    widths = sorted({*map(len, every)})
    return [[picker(clause) for clause in every if len(clause) == width] for width in widths]


def _pairs(a: int, b: int, sums: range) -> Iterator[tuple[int, int]]:
    """Yield all i from 1 to a and j from 1 to b whose sum is among `sums`."""
    for i in range(max(1, sums.start - b), min(a, sums.stop - 2) + 1):
        for j in range(max(1, sums.start - i), min(b + 1, sums.stop - i)):
            yield i, j
