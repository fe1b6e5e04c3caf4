"""The clauses of a network for one direction, with fewer variables and clauses.

For "at most" one clause makes the low value of a comparator true: both its inputs imply it. Where
the low value enters another comparator and nothing else, the value is left out, and its two inputs
stand for it in that comparator's clauses: a variable and a clause less, and unit propagation finds
as much, because the new clauses are resolvents on the value. No input of a value that is left out
is left out itself, so that clauses have at most five literals. For "at least" it is high values
that are left out.

Reference: Abio, Nieuwenhuis, Oliveras, Rodriguez-Carbonell: A parametric approach for smaller and
better encodings of cardinality constraints, CP 2013, mixes comparators with direct clauses, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from pbcnf.encoders.circuits.array_emission import (
    add_block,
    add_by_width,
    add_flat,
    lookup_array,
)
from pbcnf.encoders.circuits.networks import LITERAL, Mask, Network, Values, Wiring
from pbcnf.encoders.counter import Direction
from pbcnf.formula import EncodingSize
from pbcnf.literals import MAX_VAR, Block, Clause, Lit, Var
from pbcnf.sink import ClauseSink

_CHUNK: Final = 2**12
"""The number of comparators whose clauses are added at a time."""

_AT_ONCE: Final = 2**10
"""The number of comparators whose clauses are cut out at a time, in the processor's caches."""

_LARGE: Final = 290
"""The number of comparators, each of at most 14 integers, whose order `add_by_width` keeps."""

# The clauses of a comparator: for each place of a clause the one of `columns` in `_clauses`, and
# the one of `conditions`.
_COLUMNS: Final = (0, 1, 4, 6, 2, 3, 4, 6, 0, 1, 2, 3, 5, 6)
_CONDITIONS: Final = (0, 1, 0, 0, 0, 2, 0, 0, 3, 4, 3, 5, 6, 3)


def emit(
    network: Network,
    lits: Sequence[Lit],
    directions: Direction,
    sink: ClauseSink,
    distinct: bool = True,
) -> list[Lit]:
    """Emit the network over `lits` and return the literals of its outputs; see `Network.emit`.

    Nothing is left out unless the literals are `distinct`.
    """
    if directions is Direction.BOTH:
        return network.emit(lits, directions, sink)
    variables, skipped = numbering(network, directions, distinct)
    auxiliaries = int(variables[-1]) - network.inputs if len(variables) else 0
    literals = lookup_array(lits, sink.new_vars(auxiliaries), auxiliaries)
    width = network.sides.shape[1]
    parts = [slice(at, min(at + _CHUNK, width)) for at in range(0, width, _CHUNK)]
    for clauses in _clauses(network, directions, variables, skipped, parts):
        add_by_width(sink, literals[clauses])
    units = literals[variables[network.inputs :][network.units(directions)]]
    if len(units):
        add_block(sink, units[:, None] * (-1 if directions is Direction.AT_MOST else 1))
    outputs: list[Lit] = literals[variables[network.outputs]].tolist()
    return outputs


class NetworkSink:
    """A sink that puts networks of one direction off, to emit many small ones at once.

    Each network would take some hundred array operations of its own, however small it is. The
    clauses are the same, in the same order. The outputs of a network put off are promises:
    integers above MAX_VAR, which stand for literals in what is added to this sink.
    """

    def __init__(self, sink: ClauseSink, directions: Direction) -> None:
        """Emit to `sink`; `directions` is one direction."""
        self._sink = sink
        self._directions = directions
        self._kept = np.zeros(0, dtype=np.int32)
        """The literals of the promises that are emitted."""
        self._promised = MAX_VAR + 1
        """The next promise."""
        self._clear()

    def _clear(self) -> None:
        self._networks: list[Wiring] = []
        self._distinct: list[bool] = []
        self._lits: list[Lit] = []
        self._asked: list[Sequence[int]] = []
        self._comparators = 0

    def put_off(
        self, network: Wiring, lits: Sequence[Lit], asked: Sequence[int], distinct: bool = True
    ) -> tuple[Lit, ...]:
        """Put the clauses of a network over `lits` off, and promise its outputs `asked`.

        Outputs are counted from 1. Nothing is left out unless the literals are `distinct`.
        """
        if self._comparators + network.width > _CHUNK:
            self.emit()
        first, found = self._promised, tuple[Lit, ...]()
        if network.passed:  # some outputs are inputs
            passed = [network.passed[count - 1] for count in asked]
            asked = [count for count, at in zip(asked, passed, strict=True) if at is None]
            promises = iter(range(first, first + len(asked)))
            found = tuple([next(promises) if at is None else lits[at] for at in passed])
        self._promised += len(asked)
        self._networks.append(network)
        self._asked.append(asked)
        self._distinct.append(distinct)
        self._lits += lits
        self._comparators += network.width
        return found or tuple(range(first, self._promised))

    def emit(self) -> None:
        """Emit what was put off."""
        if not self._networks:
            return
        directions, widths = self._directions, [part.width for part in self._networks]
        network = Network.side_by_side(self._networks, self._asked)
        distinct = all(self._distinct) or np.repeat(self._distinct, widths)
        variables, skipped = numbering(network, directions, distinct)
        auxiliaries = int(variables[-1]) - network.inputs
        first = self._sink.new_vars(auxiliaries)
        outputs = variables[network.outputs] + np.int32(first - network.inputs - 1)
        self._kept = np.concatenate((self._kept, outputs))
        lits = np.array(self._lits, dtype=np.int64)
        promised = np.flatnonzero(lits > MAX_VAR)
        lits[promised] = self._kept[lits[promised] - MAX_VAR - 1]
        literals = lookup_array(lits, first, auxiliaries)
        parts = [*_parts(widths)]
        found = _clauses(network, directions, variables, skipped, [part for part, _ in parts])
        for clauses, (_, add) in zip(found, parts, strict=True):
            add(self._sink, literals[clauses])
        self._clear()

    def _kept_or_plain(self, lit: Lit) -> Lit:
        if -MAX_VAR <= lit <= MAX_VAR:
            return lit
        kept = int(self._kept[abs(lit) - MAX_VAR - 1])
        return kept if lit > 0 else -kept

    @property
    def num_vars(self) -> int:
        """The number of allocated variables, with the variables of postponed networks."""
        self.emit()
        return self._sink.num_vars

    def new_var(self) -> Var:
        """Allocate one variable behind the variables of postponed networks."""
        return self.new_vars(1)

    def new_vars(self, count: int) -> Var:
        """Allocate variables behind the variables of postponed networks."""
        self.emit()
        return self._sink.new_vars(count)

    def add_clause(self, clause: Clause) -> None:
        """Add one clause behind the clauses of postponed networks."""
        self.emit()
        self._sink.add_clause([*map(self._kept_or_plain, clause)])

    def add_block(self, block: Block) -> None:
        """Add clauses without promises behind the clauses of postponed networks."""
        self.emit()
        self._sink.add_block(block)


def _parts(widths: Sequence[int]) -> Iterator[tuple[slice, Callable[[ClauseSink, Block], None]]]:
    """Yield the comparators whose clauses are added at once, and how, for some networks.

    A network has the order of clauses that `emit` gives it: only in large ones it is by width.
    """
    start = end = 0
    for width in widths:
        if width > _LARGE:
            if start < end:
                yield slice(start, end), add_flat
            start, end = end, end + width
            while start < end:
                yield slice(start, min(start + _CHUNK, end)), add_by_width
                start += _CHUNK
            start = end
        else:
            end += width
    if start < end:
        yield slice(start, end), add_flat


def size(network: Network, directions: Direction) -> EncodingSize:
    """Return the exact size of what `emit` adds."""
    if directions is Direction.BOTH:
        return network.size(directions)
    skipped, count = _skipped(network, directions), np.count_nonzero
    has_one, has_all, neither = _kinds(network, directions, skipped)
    some = has_all | neither
    ones, pairs, units = map(count, (has_one, some, network.units(directions)))
    # Two literals stand for an input that is left out, in each clause that would have the input.
    more = count(has_all)
    for side in (network.left, network.right):
        left_out = skipped[side]
        more += count(has_one & left_out) + count(some & left_out)
    own = count(network.asked[network.inputs :] & LITERAL) - count(skipped)
    return EncodingSize(
        int(own), int(2 * ones + pairs + units), int(4 * ones + 2 * pairs + units + more)
    )


def numbering(
    network: Network, directions: Direction, distinct: bool | Mask = True
) -> tuple[Values, Mask]:
    """Return the variables of the values, from 1 on and inputs first, and the values left out.

    A value without a variable of its own has the number of an earlier value. Only comparators that
    are `distinct` leave values out.
    """
    skipped = _skipped(network, directions, distinct)
    has_own = (network.asked & LITERAL != 0) & ~skipped
    has_own[: network.inputs] = True
    return has_own.cumsum(dtype=np.int32), skipped


def _skipped(network: Network, directions: Direction, distinct: bool | Mask = True) -> Mask:
    """Return the mask of values left out, chosen layer by layer from the inputs on."""
    sides, offset = network.sides, 1 if directions is Direction.AT_MOST else 0
    fit = np.zeros(len(network.asked), dtype=np.bool_)
    fit[sides] = True
    fit &= network.asked == LITERAL
    fit[network.outputs] = False
    skipped = np.zeros(len(network.asked), dtype=np.bool_)
    start = network.inputs + offset
    own = skipped[start::2]
    own[:] = fit[start::2] & distinct
    for layer, entering in network.layers[1:]:
        # Where an input is left out itself, two literals stand for it already: this value stays.
        gone = skipped[entering]
        own[layer] &= ~(gone[0] | gone[1])
    return skipped


def _kinds(network: Network, directions: Direction, skipped: Mask) -> tuple[Mask, Mask, Mask]:
    """Return masks of comparators: an output that one input decides, or both decide, or neither.

    For "at most" one input decides high values. The values left out have no clause.
    """
    kinds, n = network.kinds, network.inputs
    if directions is Direction.AT_MOST:
        return kinds.high, kinds.low & ~skipped[n + 1 :: 2], kinds.not_both
    return kinds.low, kinds.high & ~skipped[n::2], kinds.either


def _clauses(
    network: Network,
    directions: Direction,
    variables: Values,
    skipped: Mask,
    parts: Sequence[slice],
) -> Iterator[Values]:
    """Yield the clauses of some comparators at a time over the variables, a 0 after each."""
    n, sign = network.inputs, 1 if directions is Direction.AT_MOST else -1
    high, low = sign * variables[n::2], sign * variables[n + 1 :: 2]
    ones, alls = (high, low) if directions is Direction.AT_MOST else (low, high)
    has_one, has_all, neither = _kinds(network, directions, skipped)
    left_out = skipped[network.sides]
    # The comparators that the values left out come from: the two inputs of each stand for it.
    source = np.where(left_out, (network.sides - n) >> 1, 0)
    first = -sign * variables[np.where(left_out, network.left[source], network.sides)]
    second = -sign * variables[network.right[source]]
    some = has_all | neither
    columns = (first[0], second[0], first[1], second[1], ones, alls, np.zeros_like(ones))
    # The masks are: always, left input left out, right input left out.
    conditions = [mask & way for mask in (has_one, some) for way in (True, *left_out)]
    conditions.append(has_all)
    for part in parts:
        found = []
        for start in range(part.start, part.stop, _AT_ONCE):
            now = slice(start, min(start + _AT_ONCE, part.stop))
            taken = np.array([columns[index][now] for index in _COLUMNS])
            where = np.array([conditions[index][now] for index in _CONDITIONS])
            found.append(taken.T[where.T])
        yield found[0] if len(found) == 1 else np.concatenate(found)
