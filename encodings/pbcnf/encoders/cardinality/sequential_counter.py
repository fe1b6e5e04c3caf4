"""Sinz's sequential counter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pbcnf.encoders.cardinality.knuth_counter import KnuthCounter
from pbcnf.encoders.circuits.sequential_grid import Grid, grid_size
from pbcnf.encoders.counter import Direction, UnaryCount, outputs_for
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink


@dataclass(frozen=True, slots=True)
class SequentialCounter(KnuthCounter):
    """Counts the true inputs in unary, input after input.

    Idea: a row of counters; input i raises counter i-1 to counter i, and raising it beyond the
    bound is forbidden. The clauses are those of `KnuthCounter`: of the (n-1)k variables as
    published, the variables that no count reaches and those that cannot matter any more are left
    out. This encoder also has `count`, for bounds that change.

    Auxiliary variables, size, propagation: those of `KnuthCounter`, whose `encode` is inherited.

    Reference: Sinz: Towards an optimal CNF encoding of Boolean cardinality constraints, CP 2005
    (LT_SEQ), less those variables.

    >>> from pbcnf import Cardinality, Formula, dimacs, encode
    >>> f = Formula(num_vars=3)
    >>> encode(Cardinality([1, 2, 3], upper=1), f, encoder="sequential_counter")
    >>> print(dimacs(f), end="")
    p cnf 5 5
    -4 5 0
    -1 4 0
    -2 5 0
    -2 -4 0
    -3 -5 0
    """

    name: ClassVar[str] = "sequential_counter"

    def count(
        self,
        lits: Sequence[Lit],
        upto: int,
        sink: ClauseSink,
        directions: Direction = Direction.BOTH,
        downto: int = 0,
    ) -> UnaryCount:
        """Emit a counter of `lits` whose bounds are assumed later, and may rise and fall.

        Every bound from `downto` to `upto` may be requested; `extend` adds larger bounds as columns
        k of the grid, smaller bounds as rows j. The variables s[j][k] are those of `KnuthCounter`,
        also for counts of all n inputs: j+k <= n+1, j <= n+1-downto, k <= upto+1. Literals may
        repeat and be opposite. Raises TypeError or ValueError for a value that is no literal,
        ValueError if there is no such bound.

        >>> from pbcnf import Formula
        >>> f = Formula(num_vars=3)
        >>> total = SequentialCounter().count([1, 2, 3], upto=1, sink=f)
        >>> total.at_most(0), total.at_most(1), total.at_least(1)
        ([-9], [-8], [9])
        >>> total.extend(upto=2)
        >>> total.at_most(0), total.at_most(1), total.at_most(2)
        ([-9], [-8], [-10])
        """
        return UnaryCount(lits, Grid, sink, downto, upto, directions)

    def count_size(
        self, n: int, upto: int, directions: Direction = Direction.BOTH, downto: int = 0
    ) -> EncodingSize:
        """Return the exact size of a counter of n distinct inputs, its `false` included."""
        return grid_size(n, outputs_for(n, downto, upto, directions)) + EncodingSize(1, 1, 1)
