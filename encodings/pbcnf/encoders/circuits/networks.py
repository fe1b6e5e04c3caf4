"""Sorting and merging literals by networks of comparators, and the clauses of the networks.

A comparator has two input values and two output values: the high one is their disjunction, the low
one their conjunction. Every value has clauses of its own, so that a network is reduced to the
values that its outputs need: a value on which no needed output depends is left out, even if the
other value of its comparator stays. Values that bounds make constant make others constant in turn,
which takes neither variables nor clauses. `NetworkBuilder` puts networks together.

Reference: the networks: Batcher: Sorting networks and their applications, AFIPS 1968; Knuth: The
Art of Computer Programming 5.2.2, algorithm M; Parberry: The pairwise sorting network, Parallel
Processing Letters 1992; Karpinski, Piotrow: Encoding cardinality constraints using multiway merge
selection networks, Constraints 2019; the clauses: Een, Soerensson: Translating
pseudo-Boolean constraints into SAT, JSAT 2006; those of one direction alone: Asin, Nieuwenhuis,
Oliveras, Rodriguez-Carbonell: Cardinality networks, Constraints 2011.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, chain, pairwise
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pbcnf.encoders.circuits.array_emission import rows
from pbcnf.encoders.counter import Direction
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink

Values: TypeAlias = npt.NDArray[np.intp]
Literals: TypeAlias = npt.NDArray[np.int32]
Marks: TypeAlias = npt.NDArray[np.int8]
Mask: TypeAlias = npt.NDArray[np.bool_]

# Marks of what is needed of a value: nothing (0), a literal, a constant value, or both, in which
# case the literal gets a unit clause.
LITERAL, FALSE, TRUE = 1, 2, 4


def directions_of(n: int, lower: int, upper: int) -> Direction:
    """Return the directions that bounds of n inputs need, one of which at least is not trivial."""
    if lower <= 0:
        return Direction.AT_MOST
    return Direction.BOTH if upper < n else Direction.AT_LEAST


@dataclass(frozen=True, eq=False)
class Network:
    """A network of comparators, with a mark for what is needed of each value (`asked`).

    Values 0 .. inputs-1 are the inputs. Comparator i has the input values left[i] and right[i]
    and the output values inputs+2i (high) and inputs+2i+1 (low). `outputs` are the values that
    the network was built for.
    """

    inputs: int
    sides: Values
    """The rows `left` and `right`."""
    outputs: Values
    asked: Marks
    layers: Sequence[tuple[slice | Values, Values]]
    """The comparators of each layer, and their columns of `sides`.

    No value of a layer enters a comparator of that layer.
    """

    @staticmethod
    def of(
        inputs: int,
        sides: Values,
        layers: Sequence[tuple[slice | Values, Values]],
        outputs: Values,
        forbidden: Sequence[int] = (),
        required: Sequence[int] = (),
    ) -> Network:
        """Return the network of some layers of comparators.

        No value enters two comparators. The forbidden values are false, the required ones true.
        """
        asked = np.zeros(inputs + sides.size, dtype=np.int8)
        asked[outputs] = LITERAL
        pairs = asked[inputs:].view(np.int16)  # a comparator's two outputs
        if forbidden or required:
            asked[list(forbidden)] = FALSE
            asked[list(required)] = TRUE
        # Backwards: the needs of a comparator's outputs decide those of its inputs.
        for layer, entering in reversed(layers):
            asked[entering] = _OF_INPUTS.take(pairs[layer])
        if forbidden or required:
            # A constant beside an output with a literal gets a literal too: the inputs are no
            # constants.
            high, low = asked[inputs::2], asked[inputs + 1 :: 2]
            high[(high == FALSE) & (low & LITERAL != 0)] |= LITERAL
            low[(low == TRUE) & (high & LITERAL != 0)] |= LITERAL
        return Network(inputs, sides, outputs, asked, layers)

    @staticmethod
    def side_by_side(parts: Sequence[Wiring], asked: Sequence[Sequence[int]]) -> Network:
        """Return some networks as one, which has all their inputs and then all their comparators.

        `asked` are the outputs of each, counted from 1, all of them values of comparators.
        """
        widths, outputs = [part.width for part in parts], [len(part.outputs) for part in parts]
        counts = np.fromiter(chain.from_iterable(asked), np.intp)
        numbers = np.array([[part.inputs for part in parts], widths, outputs]).cumsum(axis=1)
        total = int(numbers[0, -1])
        first = total + 2 * (numbers[1] - widths)
        sides = np.concatenate([part.sides for part in parts], axis=1)
        sides += np.where(sides < 0, numbers[0].repeat(widths), first.repeat(widths))
        layer = np.concatenate([part.layers for part in parts])
        # Comparators stay in the order of the networks; a layer is one of every network.
        order, ends = layer.argsort(kind="stable"), np.bincount(layer).cumsum().tolist()
        ordered = sides.take(order, axis=1)
        layers = [(order[a:b], ordered[:, a:b]) for a, b in pairwise([0, *ends])]
        each = [*map(len, asked)]
        every = np.concatenate([part.outputs for part in parts])
        found = every[counts + (numbers[2] - outputs - 1).repeat(each)] + first.repeat(each)
        return Network.of(total, sides, layers, found)

    @property
    def left(self) -> Values:
        """The left inputs of the comparators."""
        left: Values = self.sides[0]
        return left

    @property
    def right(self) -> Values:
        """The right inputs of the comparators."""
        right: Values = self.sides[1]
        return right

    def emit(self, lits: Sequence[Lit], directions: Direction, sink: ClauseSink) -> list[Lit]:
        """Emit the network over `lits` and return the literals of its outputs."""
        literals = self.literals(lits, sink)
        self.add_clauses(literals, directions, sink)
        outputs: list[Lit] = literals[self.outputs].tolist()
        return outputs

    def literals(self, lits: Sequence[Lit], sink: ClauseSink) -> Literals:
        """Return the literals of all values that need a literal: `lits`, or fresh variables."""
        literals = np.zeros(len(self.asked), dtype=np.int32)
        literals[: self.inputs] = lits
        auxiliary = self.inputs + np.flatnonzero(self.asked[self.inputs :] & LITERAL)
        first = sink.new_vars(len(auxiliary))
        literals[auxiliary] = np.arange(first, first + len(auxiliary))
        return literals

    def add_clauses(self, literals: Literals, directions: Direction, sink: ClauseSink) -> None:
        """Emit the clauses of some directions: the inputs imply the outputs, or are implied."""
        # The high value is the disjunction of a and b, the low value their conjunction. A low value
        # that is constantly false excludes both inputs, a high value that is constantly true needs
        # one.
        a, b, values = literals[self.left], literals[self.right], literals[self.inputs :]
        high, low = values[::2], values[1::2]
        kinds = self.kinds
        if Direction.AT_MOST in directions:
            upwards = [(kinds.high, -a, high), (kinds.high, -b, high), (kinds.not_both, -a, -b)]
            _add(sink, *upwards)
            _add(sink, (kinds.low, -a, -b, low))
            _add(sink, (kinds.units_false, -values))
        if Direction.AT_LEAST in directions:
            downwards = [(kinds.low, a, -low), (kinds.low, b, -low), (kinds.either, a, b)]
            _add(sink, *downwards)
            _add(sink, (kinds.high, a, b, -high))
            _add(sink, (kinds.units_true, values))

    def size(self, directions: Direction) -> EncodingSize:
        """Return the exact size of what `emit` adds."""
        kinds = self.kinds
        high, low = int(np.count_nonzero(kinds.high)), int(np.count_nonzero(kinds.low))
        size = EncodingSize(high + low, 0, 0)
        if Direction.AT_MOST in directions:
            pairs, units = np.count_nonzero(kinds.not_both), np.count_nonzero(kinds.units_false)
            size += _size(int(pairs) + 2 * high, low, int(units))
        if Direction.AT_LEAST in directions:
            pairs, units = np.count_nonzero(kinds.either), np.count_nonzero(kinds.units_true)
            size += _size(int(pairs) + 2 * low, high, int(units))
        return size

    def units(self, directions: Direction) -> Mask:
        """Return the mask of values, without the inputs, with a unit clause in one direction."""
        kinds = self.kinds
        return kinds.units_false if directions is Direction.AT_MOST else kinds.units_true

    @cached_property
    def kinds(self) -> Kinds:
        """Return the masks of the kinds of clauses of the comparators."""
        values = self.asked[self.inputs :]
        high, low = values[::2], values[1::2]
        return Kinds(
            high & LITERAL != 0,
            low & LITERAL != 0,
            (low == FALSE) & (high & FALSE == 0),
            (high == TRUE) & (low & TRUE == 0),
            values == LITERAL | FALSE,
            values == LITERAL | TRUE,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """Masks: the comparators that have each kind of clause, the values that have a unit clause."""

    high: Mask
    low: Mask
    not_both: Mask
    either: Mask
    units_false: Mask
    units_true: Mask


class Wiring(NamedTuple):
    """The comparators of a network, whatever outputs are needed, as a part of a larger network.

    Values are counted from the first one behind the inputs: an input is negative. `sides` holds the
    left and right inputs of comparators, `layers` the layer of each comparator, and `outputs` the
    outputs in order.
    """

    inputs: int
    sides: Values
    layers: npt.NDArray[np.int16]
    outputs: Values
    width: int
    """The number of comparators."""
    passed: Sequence[int | None]
    """For each output the input that it is, None if it is a value of a comparator; or nothing."""

    @staticmethod
    def of(
        inputs: int, sides: Values, layers: npt.NDArray[np.int16], outputs: Sequence[int]
    ) -> Wiring:
        """Return the network; values are counted from the first input."""
        passed = [value if value < inputs else None for value in outputs]
        if passed.count(None) == len(passed):
            passed.clear()
        behind = np.array(outputs, dtype=np.intp) - inputs
        return Wiring(inputs, sides - inputs, layers, behind, len(layers), passed)


def _of_inputs() -> Marks:
    """Return the needs of the inputs of comparators, from the needs of their two outputs.

    If the high output is false, both inputs are false; if the low output is true, both are true;
    unless the other output needs the literals of the inputs. The result is a table whose index is
    the marks of both outputs, read as one 16-bit number.
    """
    marks = np.arange(8, dtype=np.int8)
    high, low = (column.ravel() for column in np.meshgrid(marks, marks))
    inputs = np.minimum(high | low, LITERAL)
    inputs[(high == FALSE) & (low & LITERAL == 0)] = FALSE
    inputs[(low == TRUE) & (high & LITERAL == 0)] = TRUE
    found = np.zeros(2**11, dtype=np.int8)
    found[np.stack((high, low), axis=1).view(np.int16).ravel()] = inputs
    return found


_OF_INPUTS: Final = _of_inputs()


def _add(sink: ClauseSink, *parts: tuple[Mask, *tuple[Literals, ...]]) -> None:
    """Emit clauses of one width: the literals of each part's columns where its mask says so."""
    columns = [[column[mask] for column in columns] for mask, *columns in parts]
    block = rows(*(np.concatenate(pieces) for pieces in zip(*columns, strict=True)))
    if len(block):
        sink.add_block(block)


def _size(pairs: np.intp | int, triples: np.intp | int, units: np.intp | int) -> EncodingSize:
    clauses, literals = pairs + triples + units, 2 * pairs + 3 * triples + units
    return EncodingSize(0, int(clauses), int(literals))


def sorting_network(n: int, first: int = 1, last: int | None = None) -> Network:
    """Return Batcher's odd-even merge sort of n values, true values first.

    Output j, counted from 1, stands for "at least j of the inputs are true". Outputs before `first`
    and after `last` (by default n) are not built.

    >>> from pbcnf import Direction, Formula
    >>> f = Formula(num_vars=2)
    >>> sorting_network(2).emit([1, 2], Direction.AT_MOST, f), list(f.clauses())
    ([3, 4], [[-1, 3], [-2, 3], [-1, -2, 4]])
    """
    builder = NetworkBuilder(n)
    return builder.network(builder.sort(builder.inputs(0, n))[0, first - 1 : last])


class NetworkBuilder:
    """Puts comparators together, many equal networks at once.

    Sequences of values are the rows of arrays: one operation does the same to every row. A value
    may enter only one operation.
    """

    def __init__(self, inputs: int) -> None:
        """Start with the input values and no comparator."""
        self._inputs = inputs
        self._end = inputs
        self._layers: list[tuple[Values, Values]] = []
        self._forbidden: list[int] = []
        self._required: list[int] = []

    def inputs(self, start: int, stop: int) -> Values:
        """Return the inputs start .. stop-1 as one row."""
        return np.arange(start, stop)[None]

    def forbid(self, values: Values) -> None:
        """Make `values` false; no value of these may enter another operation."""
        self._forbidden += values.ravel().tolist()

    def require(self, values: Values) -> None:
        """Make `values` true; no value of these may enter another operation."""
        self._required += values.ravel().tolist()

    def network(self, outputs: Values) -> Network:
        """Return the network so far, with the given output values."""
        ends = [*accumulate((len(left) for left, _ in self._layers), initial=0)]
        sides, constant = self._sides(), (self._forbidden, self._required)
        layers = [(slice(a, b), sides[:, a:b]) for a, b in pairwise(ends)]
        return Network.of(self._inputs, sides, layers, outputs, *constant)

    def wiring(self, outputs: Values) -> Wiring:
        """Return the unfinished network as a part of others; none of its values may be constant."""
        widths = [len(left) for left, _ in self._layers]
        layers = np.arange(len(widths), dtype=np.int16).repeat(widths)  # quick to sort
        return Wiring.of(self._inputs, self._sides(), layers, outputs.tolist())

    def _sides(self) -> Values:
        return np.concatenate([np.zeros((2, 0), dtype=np.intp), *self._layers], axis=1)

    def sort(self, values: Values) -> Values:
        """Return every row sorted, the true values first."""
        values = values.copy()
        n = values.shape[1]
        wires = np.arange(n)
        distances = [1 << i for i in reversed(range(max(n - 1, 0).bit_length()))]
        for p in distances:  # wires of one remainder modulo p become sorted
            for r, d in [(0, p), *((p, q - p) for q in distances if q > p)]:
                high = wires[: n - d]
                high = high[(high & p) == r]
                self._compare(values, high, high + d)
        return values

    def merge(self, left: Values, right: Values) -> Values:
        """Return the rows of `left` and `right`, each sorted, merged row by row."""
        a, b = left.shape[1], right.shape[1]
        half, layers = _merge_layers(a, b)
        values = np.empty((len(left), 2 * half), dtype=np.intp)
        values[:, :a], values[:, half : half + b] = left, right
        for to, moved, high, low in layers:
            if len(to):
                values[:, to] = values[:, moved]
            self._compare(values, high, low)
        return values[:, : a + b]

    def compare_pairs(self, values: Values) -> tuple[Values, Values]:
        """Return the larger and the smaller values of neighbours; a last one alone is larger."""
        paired = values.shape[1] // 2 * 2
        high, low = self._exchange(values[:, :paired:2], values[:, 1:paired:2])
        return np.hstack((high, values[:, paired:])), low

    def merge_pairwise(self, left: Values, right: Values) -> Values:
        """Return the rows of `left` and `right`, each sorted, merged row by row.

        Value by value `left` must be at least `right`, which must not be longer: the comparators
        with which a merge of odd and even places begins are not needed then.
        """
        a, b = left.shape[1], right.shape[1]
        length = 1 << (max(a, 1) - 1).bit_length()
        # Both sides take turns; absent values are -1 and count as less than false.
        values = np.full((len(left), 2 * length), -1, dtype=np.intp)
        values[:, : 2 * a : 2], values[:, 1 : 2 * b : 2] = left, right
        d = length - 1
        while d > 0:
            high, low = slice(1, 2 * length - d, 2), slice(d + 1, None, 2)
            values[:, high], values[:, low] = self._exchange(values[:, high], values[:, low])
            d //= 2
        return values[:, : a + b]

    def merge_four(self, columns: Sequence[Values]) -> Values:
        """Return the rows of at most four sequences, each sorted, merged row by row.

        The values of each place are sorted. Then the sequences of odd and of even places are
        combined, from the farthest places to the nearest: the odd ones have 0 to 4 more true
        values. Exchanges of an odd value with the even one two places before leave 0 to 2, and
        neighbours are compared as in a merge of two.
        """
        number, widths = len(columns[0]), [column.shape[1] for column in columns]
        length = 1 << (max(*widths, 1) - 1).bit_length()
        # Axes: row, place, column. Absent values are -1 and count as less than false.
        every = np.full((number, length, 4), -1, dtype=np.intp)
        for i, (column, width) in enumerate(zip(columns, widths, strict=True)):
            every[:, :width, i] = column
        for high, low in (((0, 2), (1, 3)), ((0, 1), (2, 3)), ((1,), (2,))):
            every[..., high], every[..., low] = self._exchange(every[..., high], every[..., low])
        while length > 1:
            length //= 2
            odd, even = every[:, :length].copy(), every[:, length:].copy()
            even[..., :-2], odd[..., 2:] = self._exchange(odd[..., 2:], even[..., :-2])
            every = np.empty((number, length, 2 * odd.shape[-1]), dtype=np.intp)
            every[..., 0], every[..., -1] = odd[..., 0], even[..., -1]
            every[..., 1:-1:2], every[..., 2::2] = self._exchange(odd[..., 1:], even[..., :-1])
        return every[:, 0, : sum(widths)]

    def _exchange(self, left: Values, right: Values) -> tuple[Values, Values]:
        """Return the high and low values of comparators; a value beside an absent one is high."""
        high, low = np.maximum(left, right), np.full_like(left, -1)
        real = (left >= 0) & (right >= 0)
        outputs = np.arange(self._end, self._end + 2 * int(real.sum()), 2)
        high[real], low[real] = outputs, outputs + 1
        self._end += 2 * len(outputs)
        self._layers.append((left[real], right[real]))
        return high, low

    def _compare(self, values: Values, high: Values, low: Values) -> None:
        """Put comparators between columns of `values`."""
        left, right = values[:, high], values[:, low]
        outputs = np.arange(self._end, self._end + 2 * left.size, 2).reshape(left.shape)
        values[:, high], values[:, low] = outputs, outputs + 1
        self._end += 2 * left.size
        self._layers.append((left.ravel(), right.ravel()))


@lru_cache(maxsize=256)
def _merge_layers(a: int, b: int) -> tuple[int, list[tuple[Values, Values, Values, Values]]]:
    """Return the first wire of the right side, and the moves and comparators of each layer.

    Both sides are padded to a power of two by absent wires, which stand for false. A comparator
    with an absent wire would only move the other value to the high wire: a move replaces it. A
    layer is four arrays: targets and sources of moves, high and low wires of comparators.
    """
    half = 1 << (max(a, b, 1) - 1).bit_length()
    present = np.zeros(2 * half, dtype=np.bool_)
    present[:a] = present[half : half + b] = True
    wires = np.arange(2 * half)
    layers = []
    d = half
    while d > 0:
        high = wires[:half] if d == half else wires[d:-d]
        if d < half:  # wires of one remainder modulo d are sorted if they hold one side only
            high = high[(high & d != 0) & (high % d < min(a, b))]
        low = high + d
        here, there = present[high], present[low]
        moved, real = there & ~here, there & here
        layers.append((high[moved], low[moved], high[real], low[real]))
        present[high[moved]], present[low[moved]] = True, False
        d //= 2
    return half, layers


@lru_cache(maxsize=1024)
def small_merger(a: int, b: int) -> Wiring:
    """Return the network of `NetworkBuilder.merge` for a row, comparator by comparator.

    Up to some hundred comparators this is several times as fast as its arrays.
    """
    half, fewer, end = 1 << (max(a, b) - 1).bit_length(), min(a, b), a + b
    wires = [*range(a), *[-1] * (half - a), *range(a, end), *[-1] * (half - b)]
    left, right, layers = list[int](), list[int](), list[int]()
    d, layer = half, 0
    while d > 0:
        # As in `_merge_layers`; an absent wire is -1.
        starts, width = range(d, 2 * half - d, 2 * d), min(d, fewer)
        if d == half:
            starts, width = range(1), half
        for high in [start + i for start in starts for i in range(width)]:
            low_value, high_value = wires[high + d], wires[high]
            if low_value < 0:
                continue
            if high_value < 0:
                wires[high], wires[high + d] = low_value, -1
                continue
            left.append(high_value)
            right.append(low_value)
            layers.append(layer)
            wires[high], wires[high + d] = end, end + 1
            end += 2
        d, layer = d // 2, layer + 1
    number = np.array(layers, dtype=np.int16)
    return Wiring.of(a + b, np.array((left, right), dtype=np.intp), number, wires[: a + b])
