"""Sinz's sequential counter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pbcnf.constraints.normal_form import at_most_of_negations
from pbcnf.encoders.bounds.two_sided import TwoSided
from pbcnf.encoders.cardinality.knuth_counter import KnuthCounter
from pbcnf.encoders.circuits.bulk import CHUNK, add_rows
from pbcnf.encoders.circuits.sequential_grid import Grid, grid_size
from pbcnf.encoders.counter import Direction, UnaryCount, open_count, outputs_for
from pbcnf.encoders.protocol import Propagation
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink

_TWO_SIDED = KnuthCounter()


@dataclass(frozen=True, slots=True)
class SequentialCounter(TwoSided):
    """Reads the inputs one after the other and keeps their number so far in unary.

    Idea: a row of counters; input i raises counter i-1 to counter i, and raising it beyond the
    bound is forbidden. At least k is at most n-k of the negated inputs. Sinz gives no form for a
    lower and an upper bound together: with both, the clauses are those of `KnuthCounter`.

    Auxiliary variables: s[i][j] for 1 <= i < n, 1 <= j <= k (k = upper, or n-lower if only the
    lower bound is given): implied by "at least j of the first i inputs are true". With two
    bounds, those of `KnuthCounter`.

    Size: at most k, as published: (n-1)k auxiliaries, 2nk+n-3k-1 clauses, (n-2)(5k+1)+k+3
    literals. Two bounds: that of `KnuthCounter`.

    Propagation: arc-consistent. Parsimonious with two bounds, not with one.

    Reference: Sinz: Towards an optimal CNF encoding of Boolean cardinality constraints, CP 2005
    (LT_SEQ). The full rectangle s[i][j] is kept as published; `KnuthCounter` drops the variables
    that no count can reach or that cannot matter any more.

    >>> from pbcnf import Cardinality, Formula, dimacs, encode
    >>> f = Formula(num_vars=3)
    >>> encode(Cardinality([1, 2, 3], upper=1), f, encoder="sequential_counter")
    >>> print(dimacs(f), end="")
    p cnf 5 5
    -1 4 0
    -2 5 0
    -2 -4 0
    -3 -5 0
    -4 5 0
    """

    name: ClassVar[str] = "sequential_counter"
    propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT

    def nontrivial_size(self, n: int, lower: int, upper: int) -> EncodingSize:
        """Return the exact size, see the class."""
        if lower > 0 and upper < n:
            return _TWO_SIDED.size(n, lower, upper)
        k = upper if lower == 0 else n - lower
        return EncodingSize((n - 1) * k, 2 * n * k + n - 3 * k - 1, (n - 2) * (5 * k + 1) + k + 3)

    def encode(self, lits: Sequence[Lit], lower: int, upper: int, sink: ClauseSink) -> None:
        """Emit the clauses for non-trivial bounds."""
        if lower > 0 and upper < len(lits):
            _TWO_SIDED.encode(lits, lower, upper, sink)
            return
        if upper == len(lits):
            lits, upper = at_most_of_negations(lits, lower)
        _at_most(lits, upper, sink)

    def count(
        self,
        lits: Sequence[Lit],
        upto: int,
        sink: ClauseSink,
        directions: Direction = Direction.BOTH,
        downto: int = 0,
    ) -> UnaryCount:
        """Emit a counter of `lits` whose bounds are assumed later, and may rise and fall.

        Every bound from `downto` to `upto` may be asked; `extend` adds others: columns k of the
        grid upward, rows j of it downward. The variables are those of `KnuthCounter`, and the
        same with all n inputs: j+k <= n+1, j <= n+1-downto, k <= upto+1. Literals may repeat
        and be opposite. Raises TypeError or ValueError for a value that is no literal, ValueError
        if there is no such bound.

        >>> from pbcnf import Formula
        >>> f = Formula(num_vars=3)
        >>> total = SequentialCounter().count([1, 2, 3], upto=1, sink=f)
        >>> total.at_most(0), total.at_most(1), total.at_least(1)
        ([-9], [-8], [9])
        >>> total.extend(upto=2)
        >>> total.at_most(0), total.at_most(1), total.at_most(2)
        ([-9], [-8], [-10])
        """
        return open_count(lits, Grid, sink, downto, upto, directions)

    def count_size(
        self, n: int, upto: int, directions: Direction = Direction.BOTH, downto: int = 0
    ) -> EncodingSize:
        """Return the exact size of a counter of n distinct inputs, its `false` included."""
        return grid_size(n, outputs_for(n, downto, upto, directions)) + EncodingSize(1, 1, 1)


def _at_most(lits: Sequence[Lit], k: int, sink: ClauseSink) -> None:
    """Emit Sinz's clauses: true inputs are counted, and one more than k is a conflict."""
    n = len(lits)
    start = sink.new_vars((n - 1) * k)
    # Row by row: s[i][1] is the literal first[i], and the others of the row follow it.
    first = np.arange(start, start + (n - 1) * k, k, dtype=np.int32)[:, None]
    offsets = np.arange(k, dtype=np.int32)
    x = -np.array(lits, dtype=np.int32)[:, None]
    add_rows(sink, x[:-1], first)
    add_rows(sink, x[1:], -first - offsets[-1])
    if k > 1:
        add_rows(sink, -first[0] - offsets[1:])
    step = max(1, CHUNK // k)
    for row in range(1, n - 1, step):
        here = slice(row, min(row + step, n - 1))
        after = first[here] + offsets
        before = after - np.int32(k)
        add_rows(sink, -before, after)
        if k > 1:
            add_rows(sink, x[here], -before[:, :-1], after[:, 1:])
