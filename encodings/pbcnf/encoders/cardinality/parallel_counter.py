"""Sinz's parallel counter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import ClassVar

from pbcnf.encoders.bounds import TwoSided
from pbcnf.encoders.circuits.binary import (
    at_least_constant,
    at_most_constant,
    full_adder,
    half_adder,
    size_of_adders,
    size_of_at_least_constant,
    size_of_at_most_constant,
)
from pbcnf.encoders.counter import Direction
from pbcnf.encoders.protocol import Propagation
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit, negate
from pbcnf.sink import ClauseSink


@dataclass(frozen=True, slots=True)
class ParallelCounter(TwoSided):
    """Counts the inputs in binary by a tree of ripple-carry adders.

    Idea: of n inputs, 2^m <= n < 2^(m+1), the first 2^m - 1 and the next n - 2^m are counted
    recursively; the last input is the carry into the addition of the two numbers. The result is
    compared with the bounds. For "at most" the inputs need only imply the outputs of an adder, 7
    clauses for a full one and 3 for a half one. At least k is at most n-k of the negated inputs,
    and a bound that is equivalent to one clause is that clause (`pbcnf.encoders.bounds`). A lower
    and an upper bound together share one counter, whose adders are equivalences (14 and 7 clauses).

    Auxiliary variables: the sum and the carry of each adder. With two bounds they are equivalent
    to the bits of its inputs' sum; with one, the sums and carries stand for numbers that are at
    least as large.

    Size: let b be the length of n in binary and p the number of ones in it. There are n-b full and
    b-p half adders, hence 2(n-p) auxiliaries. At most k <= n-2 takes 7(n-b) + 3(b-p) + z clauses,
    z the number of zeros among the b bits of k, and 25(n-b) + 9(b-p) literals beside the
    comparison. Two bounds take 14(n-b) + 7(b-p) clauses and as many for the comparison as upper
    has zeros and lower has ones. Sinz gives the maxima for "at most": 2n-2 auxiliaries, reached
    exactly for the powers of two; 7n - 3 floor(log2 n) - 6 clauses, reached exactly for a power of
    two with k = 0, which needs no encoder here. For n and k powers of two it is one less.

    Propagation: none claimed. At most 1 of 4 is the first conflict that unit propagation misses.
    With one bound it misses some total assignments of the inputs, too, from n = 8 on: the sum of
    an adder stays open where its inputs do not raise it. With two bounds a total assignment is
    always decided. Parsimonious with two bounds, not with one.

    Reference: Sinz: Towards an optimal CNF encoding of Boolean cardinality constraints, CP 2005
    (LT_PAR); Muller, Preparata: Bounds to complexities of networks for sorting and for switching,
    JACM 1975. For two bounds the clauses of the full adder are those of
    `pbcnf.encoders.circuits.binary`.

    >>> from pbcnf import Cardinality, Formula, dimacs, encode
    >>> f = Formula(num_vars=3)
    >>> encode(Cardinality([1, 2, 3], upper=1), f, encoder=ParallelCounter())
    >>> print(dimacs(f), end="")
    p cnf 5 8
    -1 -2 5 0
    -1 -3 5 0
    -2 -3 5 0
    1 2 -3 4 0
    1 -2 3 4 0
    -1 2 3 4 0
    -1 -2 -3 4 0
    -5 0
    """

    name: ClassVar[str] = "parallel_counter"
    propagation: ClassVar[Propagation] = Propagation.NONE

    def nontrivial_size(self, n: int, lower: int, upper: int) -> EncodingSize:
        """Return the exact size, see the class."""
        if upper == n:
            lower, upper = 0, n - lower
        if (lower, upper) == (0, n - 1):
            return EncodingSize(0, 1, n)
        bits = range(n.bit_length())
        size = _size_of_counter(n, _directions(lower)) + size_of_at_most_constant(bits, upper)
        return size + size_of_at_least_constant(bits, lower) if lower else size

    def encode(self, lits: Sequence[Lit], lower: int, upper: int, sink: ClauseSink) -> None:
        """Emit the clauses for non-trivial bounds."""
        n = len(lits)
        if upper == n:
            # A lower bound alone is an upper one of the negated inputs.
            lits, lower, upper = negate(lits), 0, n - lower
        if (lower, upper) == (0, n - 1):
            sink.add_clause(negate(lits))
            return
        bits = _counted(lits, _directions(lower), sink)
        at_most_constant(bits, upper, sink)
        at_least_constant(bits, lower, sink)


@dataclass(frozen=True, slots=True)
class CounterAdders:
    """The full and half adders of one counter, and the fresh variables for their outputs."""

    fresh: Iterator[Lit]
    full: list[tuple[Lit, ...]] = field(default_factory=list)
    half: list[tuple[Lit, ...]] = field(default_factory=list)

    def count(self, lits: Sequence[Lit]) -> list[Lit]:
        """Return the number of true literals in binary, the lowest bit first."""
        if len(lits) < 2:
            return list(lits)
        # The count of the first 2^k - 1 literals has k bits, the count of the following ones at
        # most k; the last literal is the carry into the addition of both counts.
        first = (1 << (len(lits).bit_length() - 1)) - 1
        longer, shorter = self.count(lits[:first]), self.count(lits[first:-1])
        carry = lits[-1]
        bits = []
        for a, b in zip_longest(longer, shorter):
            total, carry_out = next(self.fresh), next(self.fresh)
            if b is None:
                self.half.append((a, carry, total, carry_out))
            else:
                self.full.append((a, b, carry, total, carry_out))
            bits.append(total)
            carry = carry_out
        return [*bits, carry]


def _directions(lower: int) -> Direction:
    """Return the directions of the adders: for an upper bound alone the inputs imply the sum."""
    return Direction.BOTH if lower > 0 else Direction.AT_MOST


def _counted(lits: Sequence[Lit], directions: Direction, sink: ClauseSink) -> list[Lit]:
    """Emit the counter and return the number of true literals in binary."""
    variables = _size_of_counter(len(lits), directions).variables
    first = sink.new_vars(variables)
    adders = CounterAdders(iter(range(first, first + variables)))
    bits = adders.count(lits)
    full_adder(adders.full, sink, directions)
    half_adder(adders.half, sink, directions)
    return bits


def _size_of_counter(n: int, directions: Direction) -> EncodingSize:
    length = n.bit_length()
    return size_of_adders(n - length, length - n.bit_count(), directions)
