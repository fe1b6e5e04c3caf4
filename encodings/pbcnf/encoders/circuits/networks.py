"""Sorting and merging literals by comparator networks.

`NetworkBuilder` puts networks together; what they are reduced to and which clauses they have is
said in `pbcnf.encoders.circuits.comparators`.

Reference: Batcher: Sorting networks and their applications, AFIPS 1968; Knuth: The Art of Computer
Programming 5.2.2, algorithm M.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from pbcnf.encoders.circuits.comparators import Network, Values


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
        """Make the values false. They enter nothing then."""
        self._forbidden += values.ravel().tolist()

    def require(self, values: Values) -> None:
        """Make the values true. They enter nothing then."""
        self._required += values.ravel().tolist()

    def network(self, outputs: Values) -> Network:
        """Return the network so far, with the given output values."""
        return Network.of(self._inputs, self._layers, outputs, self._forbidden, self._required)

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

    def _compare(self, values: Values, high: Values, low: Values) -> None:
        """Put comparators between columns of `values`."""
        left, right = values[:, high], values[:, low]
        outputs = np.arange(self._end, self._end + 2 * left.size, 2).reshape(left.shape)
        values[:, high], values[:, low] = outputs, outputs + 1
        self._end += 2 * left.size
        self._layers.append((left.ravel(), right.ravel()))


@lru_cache(maxsize=256)
def _merge_layers(a: int, b: int) -> tuple[int, list[tuple[Values, Values, Values, Values]]]:
    """Return where the right wires begin, and for each layer what moves where, and what compares.

    Both sides are padded to a power of two by absent wires, which stand for false. With one of them
    a comparator would only move the other value up: there is none, the value moves.
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
