"""The grid of counts behind the sequential counters in Knuth's form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from pbcnf.encoders.circuits.array_emission import CHUNK, Indices, add_rows
from pbcnf.encoders.circuits.output_ranges import Asked
from pbcnf.formula import EncodingSize
from pbcnf.literals import Block, Lit
from pbcnf.sink import ClauseSink


class Shape(NamedTuple):
    """The counts s[j][k] with 1 <= j <= rows and 1 <= k <= columns."""

    rows: int
    columns: int

    @staticmethod
    def of(counts: range, inputs: int) -> Shape:
        """Return the part of the grid that these counts of all inputs need."""
        return Shape(inputs + 1 - counts.start, counts.stop - 1) if counts else Shape(0, 0)


class Grid:
    """The counts of m inputs, taken one after the other, as far as needed; a grid can grow.

    s[j][k] for j, k >= 1 and j+k-1 <= m stands for "at least k of the first j+k-1 inputs are true",
    which is the same as "fewer than j of them are false". A range of bounds needs a rectangle of
    counts, less the corner that would lie beyond the last input.
    """

    def __init__(self, lits: Sequence[Lit]) -> None:
        self._inputs = np.array(lits, dtype=np.int32)
        self.s: Block = np.zeros((1, 1), dtype=np.int32)
        """The variable s[j][k] at ``s[j, k]``; 0 for no variable, as in row 0 and column 0."""
        self._raised = self._lowered = Shape(0, 0)

    def grow(self, asked: Asked, sink: ClauseSink) -> list[Lit]:
        """Emit the missing part of the grid for these counts of all inputs; return the outputs."""
        m = len(self._inputs)
        raised, lowered = (Shape.of(part, m) for part in asked)
        self.grow_to(raised, lowered, sink)
        last_row, last_column = (size - 1 for size in self.s.shape)
        return [int(self.s[m + 1 - k, k]) for k in range(m + 1 - last_row, last_column + 1)]

    def grow_to(self, raised: Shape, lowered: Shape, sink: ClauseSink) -> None:
        """Emit missing clauses: inputs raise the counts of `raised`; the converse for `lowered`.

        Both shapes are equal unless one is empty, and contain those given before.
        """
        # Both are equal unless one is empty, (0, 0): the larger one has all variables.
        self._allocate(max(raised, lowered), sink)
        for j, k in self._places(raised, self._raised):
            self._raise(j, k, sink)
        for j, k in self._places(lowered, self._lowered):
            self._lower(j, k, sink)
        self._raised, self._lowered = raised, lowered

    def _allocate(self, shape: Shape, sink: ClauseSink) -> None:
        old, (height, width) = self.s, self.s.shape
        self.s = np.zeros((shape.rows + 1, shape.columns + 1), dtype=np.int32)
        self.s[:height, :width] = old
        for j, k in self._places(shape, Shape(height - 1, width - 1)):
            inside = self._last_input(j, k) <= len(self._inputs)
            count = int(np.count_nonzero(inside))
            first = sink.new_vars(count)
            self.s[j, k][inside] = np.arange(first, first + count)

    def _raise(self, j: slice, k: slice, sink: ClauseSink) -> None:
        """Emit that a count once reached stays reached, and that a true input raises the count."""
        later, higher = slice(max(j.start, 2), j.stop), slice(max(k.start, 2), k.stop)
        self._emit(later, k, sink, -self.s[_before(later), k], self.s[later, k])
        if k.start == 1:
            one = slice(1, 2)
            self._emit(j, one, sink, -self._input(j, one), self.s[j, one])
        x = self._input(j, higher)
        self._emit(j, higher, sink, -x, -self.s[j, _before(higher)], self.s[j, higher])

    def _lower(self, j: slice, k: slice, sink: ClauseSink) -> None:
        """Emit that a count rises only with a true input, and only by one."""
        later, higher = slice(max(j.start, 2), j.stop), slice(max(k.start, 2), k.stop)
        if j.start == 1:
            one = slice(1, 2)
            self._emit(one, k, sink, -self.s[one, k], self._input(one, k))
        x = self._input(later, k)
        self._emit(later, k, sink, -self.s[later, k], self.s[_before(later), k], x)
        self._emit(j, higher, sink, -self.s[j, higher], self.s[j, _before(higher)])

    def _emit(self, j: slice, k: slice, sink: ClauseSink, *columns: Block) -> None:
        if columns[0].size:
            beyond = j.stop + k.stop - 3 > len(self._inputs)
            where = self._last_input(j, k) <= len(self._inputs) if beyond else None
            add_rows(sink, *columns, where=where)

    def _places(self, shape: Shape, built: Shape) -> Iterator[tuple[slice, slice]]:
        """Yield rectangles that cover the part of `shape` outside `built`, a part of `shape`."""
        beside = slice(1, built.rows + 1), slice(built.columns + 1, shape.columns + 1)
        below = slice(built.rows + 1, shape.rows + 1), slice(1, shape.columns + 1)
        for j, k in (beside, below):
            start, stop = j.start, min(j.stop, len(self._inputs) + 2 - k.start)
            while start < stop and k.start < k.stop:
                inside = slice(k.start, min(k.stop, len(self._inputs) + 2 - start))
                end = min(stop, start + max(1, CHUNK // (inside.stop - inside.start)))
                yield slice(start, end), inside
                start = end

    def _last_input(self, j: slice, k: slice) -> Indices:
        """Return j+k-1: the number of the last input that s[j][k] counts."""
        return np.add.outer(np.arange(j.start, j.stop), np.arange(k.start - 1, k.stop - 1))

    def _input(self, j: slice, k: slice) -> Block:
        """Return the input of a place; any literal in the corner without counts."""
        return self._inputs.take(self._last_input(j, k) - 1, mode="clip")


def grid_size(inputs: int, asked: Asked) -> EncodingSize:
    """Return the exact size of a grid grown for the counts `asked` of all inputs."""
    size = EncodingSize(0, 0, 0)
    for part, raised in zip(asked, (True, False), strict=True):
        if not part:
            continue
        height, width = Shape.of(part, inputs)
        corner = max(0, height + width - inputs - 1)
        counts = height * width - corner * (corner + 1) // 2
        # In row 1 no count stays or falls behind; in column 1 there is no lower count.
        absent, shorter = (width, height) if raised else (height, width)
        clauses = EncodingSize(0, 2 * counts - absent, 5 * counts - 2 * absent - shorter)
        size = EncodingSize(counts, size.clauses, size.literals) + clauses
    return size


def _before(part: slice) -> slice:
    return slice(part.start - 1, part.stop - 1)
