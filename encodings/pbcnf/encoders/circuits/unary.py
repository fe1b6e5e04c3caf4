"""Unary numbers of watchdogs and mixed radix sorters: counted and added, by two kinds of adders.

The encoder `Totalizer` has a tree of its own (`pbcnf.encoders.circuits.totalizer_tree`).

A unary number is a sequence of literals, each implied by "at least t inputs are true" for its count
t; networks can make the literals equivalent. Only the counts that are needed get a literal.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, Protocol, TypeAlias

import numpy as np

from pbcnf.encoders.circuits import one_directional
from pbcnf.encoders.circuits.array_emission import add_clauses, rows
from pbcnf.encoders.circuits.networks import (
    Network,
    NetworkBuilder,
    Values,
    Wiring,
    small_merger,
)
from pbcnf.encoders.circuits.one_directional import NetworkSink
from pbcnf.encoders.circuits.template import Template, cached, template_unless_large
from pbcnf.encoders.counter import Direction
from pbcnf.formula import EncodingSize, Formula
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink

Counts: TypeAlias = tuple[int, ...]
"""Counts in increasing order."""

_MANY: Final = 200
"""The number of pairs of counts from which blocks of clauses are faster than single clauses."""

_PUT_OFF: Final = range(50, 350)
"""The numbers of inputs of a constraint for which its networks are emitted together."""

_MOST_INPUTS: Final = 128
"""The most inputs of a count or a sum that is a template in the cache."""


class Unary(NamedTuple):
    """The number of true literals among some: "at least `counts[k]`" implies `lits[k]`."""

    counts: Counts
    lits: tuple[Lit, ...]


class UnaryAdder(Hashable, Protocol):
    """A way to count literals and to add two counts.

    `asked` holds the counts that get an output: increasing, from 1 to the largest possible count.
    """

    def summand(self, asked: Counts, own: int, other: int) -> Counts:
        """Return the counts needed of a summand up to `own` beside a summand up to `other`."""
        ...

    def count(self, lits: Sequence[Lit], asked: Counts, sink: ClauseSink) -> Unary:
        """Emit the number of true literals among at least one."""
        ...

    def add(self, left: Unary, right: Unary, asked: Counts, sink: ClauseSink) -> Unary:
        """Emit the sum of two numbers, which have the counts that `summand` returns for `asked`."""
        ...

    def size_of_count(self, number: int, asked: Counts) -> EncodingSize:
        """Return the size of what `count` emits for `number` literals."""
        ...

    def size_of_add(self, left: int, right: int, asked: Counts) -> EncodingSize:
        """Return the size of what `add` emits for numbers of at most `left` and `right`."""
        ...


@dataclass(frozen=True, slots=True)
class TotalizerAdder:
    """Adds numbers by one clause per pair of counts, counts by totalizers; inputs imply outputs.

    A summand needs a count only if the other summand can supply the rest of a count of the sum.

    >>> from pbcnf import Formula
    >>> f = Formula(num_vars=3)
    >>> TotalizerAdder().count([1, 2, 3], (2,), f)
    Unary(counts=(2,), lits=(6,))
    >>> list(f.clauses())
    [[-2, 4], [-3, 4], [-2, -3, 5], [-5, 6], [-1, -4, 6]]
    """

    def summand(self, asked: Counts, own: int, other: int) -> Counts:
        """Return the counts up to `own` that some count of `asked` exceeds by 0 to `other`.

        >>> adder = TotalizerAdder()
        >>> adder.summand((3,), own=3, other=1), adder.summand((2, 6), own=9, other=1)
        ((2, 3), (1, 2, 5, 6))
        """
        return _summand(asked, own, other)

    def count(self, lits: Sequence[Lit], asked: Counts, sink: ClauseSink) -> Unary:
        """Emit a balanced tree of sums, left halves rounded down."""
        number = len(lits)
        if number == 1 or not asked:
            return Unary(asked, tuple(lits) if asked else ())
        half = number // 2
        left = self.count(lits[:half], self.summand(asked, half, number - half), sink)
        right = self.count(lits[half:], self.summand(asked, number - half, half), sink)
        return self.add(left, right, asked, sink)

    def add(self, left: Unary, right: Unary, asked: Counts, sink: ClauseSink) -> Unary:
        """Emit that counts i on the left and j on the right imply i + j; i or j may be 0."""
        first = sink.new_vars(len(asked))
        total = Unary(asked, tuple(range(first, first + len(asked))))
        few = len(left.lits) * len(right.lits) < _MANY
        (_add_few if few else _add_many)(left, right, total, sink)
        return total

    def size_of_count(self, number: int, asked: Counts) -> EncodingSize:
        """Return the size by recurrence over the tree."""
        return _size_of_totalizer(number, asked)

    def size_of_add(self, left: int, right: int, asked: Counts) -> EncodingSize:
        """Return the size: pairs of counts, less the literals that are left out."""
        clauses = alone = 0
        for total in asked:
            clauses += min(left, total) - max(0, total - right) + 1
            alone += (total <= left) + (total <= right)
        return EncodingSize(len(asked), clauses, 3 * clauses - alone)


def put_off(adder: UnaryAdder, inputs: int, sink: ClauseSink) -> ClauseSink:
    """Return a sink for the counts and sums of one constraint, whose number of inputs is given.

    Networks of one direction are put off (`NetworkSink`) where there are some, but small ones: that
    is faster than making their templates. The last thing added must be a clause.
    """
    if inputs not in _PUT_OFF or not isinstance(adder, NetworkAdder):
        return sink
    return sink if adder.directions is Direction.BOTH else NetworkSink(sink, adder.directions)


def count_unary(adder: UnaryAdder, lits: Sequence[Lit], asked: Counts, sink: ClauseSink) -> Unary:
    """Emit what ``adder.count`` emits, for few literals from a template."""
    if len(lits) > _MOST_INPUTS or isinstance(sink, NetworkSink):
        return adder.count(lits, asked, sink)
    template = cached(_template_of_count, adder, len(lits), asked)
    if template is None:
        return adder.count(lits, asked, sink)
    return _emit(template, lits, asked, sink)


def add_unary(
    adder: UnaryAdder, left: Unary, right: Unary, asked: Counts, sink: ClauseSink
) -> Unary:
    """Emit what ``adder.add`` emits, for few literals from a template."""
    if len(left.lits) + len(right.lits) > _MOST_INPUTS or isinstance(sink, NetworkSink):
        return adder.add(left, right, asked, sink)
    template = cached(_template_of_sum, adder, left.counts, right.counts, asked)
    if template is None:
        return adder.add(left, right, asked, sink)
    return _emit(template, (*left.lits, *right.lits), asked, sink)


def _emit(template: Template, lits: Sequence[Lit], asked: Counts, sink: ClauseSink) -> Unary:
    variables = template.emit(lits, sink)
    return Unary(asked, tuple([variables[output - 1] for output in template.outputs]))


def _template_of_count(adder: UnaryAdder, inputs: int, asked: Counts) -> Template | None:
    formula = Formula(num_vars=inputs)
    total = adder.count(range(1, inputs + 1), asked, formula)
    return template_unless_large(formula, inputs, total.lits)


def _template_of_sum(
    adder: UnaryAdder, left: Counts, right: Counts, asked: Counts
) -> Template | None:
    inputs = len(left) + len(right)
    formula, every = Formula(num_vars=inputs), tuple(range(1, inputs + 1))
    parts = Unary(left, every[: len(left)]), Unary(right, every[len(left) :])
    total = adder.add(*parts, asked, formula)
    return template_unless_large(formula, inputs, total.lits)


@lru_cache(maxsize=4096)
def _summand(asked: Counts, own: int, other: int) -> Counts:
    # Ranges of different totals may overlap: each count is taken once.
    counts: list[int] = []
    for total in asked:
        start = max(total - other, counts[-1] + 1 if counts else 1)
        counts.extend(range(start, min(own, total) + 1))
    return tuple(counts)


def _add_few(left: Unary, right: Unary, total: Unary, sink: ClauseSink) -> None:
    """Emit the clauses of `TotalizerAdder.add` one by one."""
    output = dict(zip(total.counts, total.lits, strict=True))
    parts = [[*zip(part.counts, part.lits, strict=True)] for part in (left, right)]
    clauses: list[tuple[Lit, ...]]
    clauses = [(-lit, output[count]) for part in parts for count, lit in part if count in output]
    clauses += [
        (-a, -b, output[i + j]) for i, a in parts[0] for j, b in parts[1] if i + j in output
    ]
    add_clauses(sink, clauses)


def _add_many(left: Unary, right: Unary, total: Unary, sink: ClauseSink) -> None:
    """Emit the clauses of `_add_few` as blocks."""
    beyond = total.counts[-1] + 1
    output = np.zeros(beyond + 1, dtype=np.int64)
    output[list(total.counts)] = total.lits
    i, j = np.array(left.counts), np.array(right.counts)
    a, b = np.array(left.lits), np.array(right.lits)
    for counts, lits in ((i, a), (j, b)):
        alone = output[counts] > 0
        if alone.any():
            sink.add_block(rows(-lits[alone], output[counts[alone]]))
    # Sums without an output have 0 in `output` and give no clause; larger ones count as `beyond`.
    sums = np.minimum(i[:, None] + j, beyond)
    x, y = np.nonzero(output[sums])
    if len(x):
        sink.add_block(rows(-a[x], -b[y], output[sums[x, y]]))


@lru_cache(maxsize=4096)
def _size_of_totalizer(number: int, asked: Counts) -> EncodingSize:
    if number == 1 or not asked:
        return EncodingSize(0, 0, 0)
    half, adder = number // 2, TotalizerAdder()
    return (
        _size_of_totalizer(half, adder.summand(asked, half, number - half))
        + _size_of_totalizer(number - half, adder.summand(asked, number - half, half))
        + adder.size_of_add(half, number - half, asked)
    )


@dataclass(frozen=True, slots=True)
class NetworkAdder:
    """Numbers are added by merging networks and counted by sorting networks.

    >>> from pbcnf import Formula
    >>> f = Formula(num_vars=2)
    >>> NetworkAdder(Direction.AT_MOST).count([1, 2], (2,), f), list(f.clauses())
    (Unary(counts=(2,), lits=(3,)), [[-1, -2, 3]])
    """

    directions: Direction
    distinct: bool = True
    """Whether no literal is repeated in the numbers added: only then merges leave values out."""

    def summand(self, asked: Counts, own: int, other: int) -> Counts:
        """Return all counts up to the last of `asked`: a merge takes whole sequences."""
        return tuple(range(1, min(own, asked[-1]) + 1)) if asked else ()

    def count(self, lits: Sequence[Lit], asked: Counts, sink: ClauseSink) -> Unary:
        """Emit a sorting network."""
        if isinstance(sink, NetworkSink):
            return Unary(asked, sink.put_off(_wiring(len(lits)), lits, asked))
        outputs = one_directional.emit(sorting_of(len(lits), asked), lits, self.directions, sink)
        return Unary(asked, tuple(outputs))

    def add(self, left: Unary, right: Unary, asked: Counts, sink: ClauseSink) -> Unary:
        """Emit a merging network."""
        lits = [*left.lits, *right.lits]
        if isinstance(sink, NetworkSink):
            wiring = small_merger(len(left.lits), len(right.lits))
            return Unary(asked, sink.put_off(wiring, lits, asked, self.distinct))
        network = merging_of(len(left.lits), len(right.lits), asked)
        outputs = one_directional.emit(network, lits, self.directions, sink, self.distinct)
        return Unary(asked, tuple(outputs))

    def size_of_count(self, number: int, asked: Counts) -> EncodingSize:
        """Return the size of the sorting network."""
        return _size_of_sorting(number, asked, self.directions)

    def size_of_add(self, left: int, right: int, asked: Counts) -> EncodingSize:
        """Return the size of the merging network."""
        last = asked[-1]
        parts = min(left, last), min(right, last)
        return _size_of_merging(*parts, asked, self.directions, self.distinct)


@lru_cache(maxsize=256)
def sorting_of(number: int, asked: Counts) -> Network:
    """Return the network by which a `NetworkAdder` counts."""
    builder, outputs = _sorter(number)
    return builder.network(outputs[np.array(asked) - 1])


@lru_cache(maxsize=256)
def merging_of(left: int, right: int, asked: Counts) -> Network:
    """Return the network by which a `NetworkAdder` adds numbers of `left` and `right` literals."""
    builder, outputs = _merger(left, right)
    return builder.network(outputs[np.array(asked) - 1])


@lru_cache(maxsize=256)
def _sorter(number: int) -> tuple[NetworkBuilder, Values]:
    builder = NetworkBuilder(number)
    return builder, builder.sort(builder.inputs(0, number))[0]


@lru_cache(maxsize=256)
def _wiring(number: int) -> Wiring:
    builder, outputs = _sorter(number)
    return builder.wiring(outputs)


@lru_cache(maxsize=256)
def _merger(left: int, right: int) -> tuple[NetworkBuilder, Values]:
    builder = NetworkBuilder(left + right)
    halves = builder.inputs(0, left), builder.inputs(left, left + right)
    return builder, builder.merge(*halves)[0]


@lru_cache(maxsize=4096)
def _size_of_sorting(number: int, asked: Counts, directions: Direction) -> EncodingSize:
    return one_directional.size(sorting_of(number, asked), directions)


@lru_cache(maxsize=4096)
def _size_of_merging(
    left: int, right: int, asked: Counts, directions: Direction, distinct: bool
) -> EncodingSize:
    network = merging_of(left, right, asked)
    # Of repeated literals no value is left out: those are the clauses of the network itself.
    return one_directional.size(network, directions) if distinct else network.size(directions)
