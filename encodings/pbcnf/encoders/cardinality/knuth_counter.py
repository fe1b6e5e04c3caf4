"""Knuth's smaller form of the sequential counter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pbcnf.constraints.normal_form import at_most_of_negations
from pbcnf.encoders.bounds import TwoSided
from pbcnf.encoders.circuits.array_emission import add_rows
from pbcnf.encoders.circuits.sequential_grid import Grid, Shape
from pbcnf.encoders.protocol import Propagation
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink


@dataclass(frozen=True, slots=True)
class KnuthCounter(TwoSided):
    """Sinz's sequential counter without the counts that are out of reach or no longer matter.

    Idea: of Sinz's counts "at least k of the first i" only those are kept where k <= i and where
    the remaining inputs could still break the bound; below, i is written j+k-1. At least k is at
    most n-k of the negated inputs. Two bounds share one set of auxiliaries with both directions.

    Auxiliary variables: s[j][k] for j, k >= 1: "at least k of the first j+k-1 inputs are true".
    With an upper bound r alone 1 <= j <= n-r and 1 <= k <= r, and s[j][k] is only implied by
    that; with two bounds 1 <= j <= n-lower, 1 <= k <= upper, j+k <= n, and it is equivalent.

    Size: at most r: r(n-r) auxiliaries, 2r(n-r)+n-2r clauses, 2r(n-r-1)+(n-r)(3r+1) literals.
    Two bounds l <= r with d = r-l: W = r(n-l) - d(d+1)/2 auxiliaries, 4W-2d clauses, 10W-n-5d
    literals; exactly k of n thus takes k(n-k) auxiliaries and 4k(n-k) clauses.

    Propagation: arc-consistent. Parsimonious with two bounds, not with one.

    Reference: Knuth: The Art of Computer Programming 7.2.2.2 (2015), formulas (18) and (19), for
    the upper bound. The two-sided form adds the converses of those implications.

    >>> from pbcnf import Cardinality, Formula, dimacs, encode
    >>> f = Formula(num_vars=3)
    >>> encode(Cardinality([1, 2, 3], upper=2), f, encoder="knuth_counter")
    >>> print(dimacs(f), end="")
    p cnf 5 3
    -1 4 0
    -2 -4 5 0
    -3 -5 0
    """

    name: ClassVar[str] = "knuth_counter"
    propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT

    def nontrivial_size(self, n: int, lower: int, upper: int) -> EncodingSize:
        """Return the exact size, see the class."""
        if upper == n:
            lower, upper = 0, n - lower
        r, rest = upper, n - upper
        if lower == 0:
            return EncodingSize(
                r * rest, 2 * r * rest + n - 2 * r, 2 * r * (rest - 1) + rest * (3 * r + 1)
            )
        d = upper - lower
        w = r * (n - lower) - d * (d + 1) // 2
        return EncodingSize(w, 4 * w - 2 * d, 10 * w - n - 5 * d)

    def encode(self, lits: Sequence[Lit], lower: int, upper: int, sink: ClauseSink) -> None:
        """Emit the clauses for non-trivial bounds."""
        n = len(lits)
        if upper == n:
            lits, upper = at_most_of_negations(lits, lower)
            lower = 0
        rows = n - lower if lower > 0 else n - upper
        # Counts of all n inputs are constants at the bounds: the grid ends one input before.
        grid, shape = Grid(lits[:-1]), Shape(rows, upper)
        grid.grow_to(shape, shape if lower > 0 else Shape(0, 0), sink)
        inputs = np.array(lits, dtype=np.int32)
        add_rows(sink, -inputs[upper:], -grid.s[1 : n - upper + 1, upper])
        if lower > 0:
            start = n - lower
            add_rows(sink, inputs[start:], grid.s[start, 1 : lower + 1])
