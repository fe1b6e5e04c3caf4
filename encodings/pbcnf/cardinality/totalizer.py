"""The totalizer, bounded on both sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from pbcnf.counter import Direction, UnaryCount
from pbcnf.encoder import EncodingSize, Propagation
from pbcnf.literals import Lit, literal
from pbcnf.normal_form import size_of
from pbcnf.sink import ClauseSink, NormalisingSink


@dataclass(frozen=True, slots=True)
class Totalizer:
    """A balanced binary tree of adders in unary.

    Idea: split the inputs into halves (the left one rounded down), count each half in unary, and
    add two unary numbers by one clause per pair of values. A bound of the whole asks only some
    outputs of each node, given how many inputs lie outside the node; others are left out, and
    the root's outputs are the constants that the bounds make them.

    Auxiliary variables: o[v][t] for every inner node v but the root: "at least t of the m inputs
    below v are true", for max(1, upper+1-(n-m)) <= t <= min(m, upper+1) with an upper bound
    alone, max(1, lower-(n-m)) <= t <= min(m, lower) with a lower bound alone (each implied in
    one direction), and max(1, lower-(n-m)) <= t <= min(m, upper+1) with both (equivalent; the
    clauses that would define the ends of that range, lower-(n-m) and upper+1, in the direction
    in which the bounds fix them anyway, are left out).

    Size: the sum over the nodes, by recurrence (`size`); O(n k) auxiliaries and O(n k) clauses
    for a small bound k, O(n^2) clauses in general.

    Propagation: arc-consistent. Parsimonious with two bounds, not with one.

    Reference: Bailleux, Boufkhad: Efficient CNF encoding of Boolean cardinality constraints, CP
    2003. Outputs capped at upper+1: Buettner, Rintanen: Satisfiability planning with constraints
    on the number of actions, ICAPS 2005; Martins, Joshi, Manquinho, Lynce: Incremental
    cardinality constraints for MaxSAT, CP 2014.

    >>> from pbcnf import Cardinality, Formula, dimacs, encode
    >>> f = Formula(num_vars=3)
    >>> encode(Cardinality([1, 2, 3], upper=1), f, encoder="totalizer")
    >>> print(dimacs(f), end="")
    p cnf 5 5
    -3 4 0
    -2 4 0
    -2 -3 5 0
    -5 0
    -1 -4 0
    """

    name: ClassVar[str] = "totalizer"
    propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT

    def parsimonious(self, n: int, lower: int, upper: int) -> bool:
        """Whether models extend uniquely: with two bounds, and where no auxiliary is needed."""
        return self.size(n, lower, upper).variables == 0 or (lower > 0 and upper < n)

    def size(self, n: int, lower: int, upper: int) -> EncodingSize:
        """Return the exact size, see the class."""
        return size_of(n, lower, upper, _size)

    def encode(self, lits: Sequence[Lit], lower: int, upper: int, sink: ClauseSink) -> None:
        """Emit the clauses for non-trivial bounds."""
        n, half = len(lits), len(lits) // 2
        asked = _Asked.bounds(n, lower, upper)
        left = _count(lits[:half], n - half, asked, sink)
        right = _count(lits[half:], half, asked, sink)
        _add(left, right, (half, n - half), asked.at_root(), {}, sink)

    def count(
        self,
        lits: Sequence[Lit],
        upto: int,
        sink: ClauseSink,
        directions: Direction = Direction.BOTH,
    ) -> UnaryCount:
        """Emit a counter of `lits` whose bounds are assumed later, and may rise and fall.

        `upto` is the largest bound that will be asked: the outputs count up to upto+1. Literals
        may repeat and be opposite. Raises TypeError or ValueError for a value that is no literal.

        >>> from pbcnf import Formula
        >>> f = Formula(num_vars=4)
        >>> total = Totalizer().count([1, 2, 3, 4], upto=2, sink=f)
        >>> total.at_most(2), total.at_least(1), total.at_most(4), total.at_least(5)
        ([-12], [10], [], [5])
        """
        lits = [literal(lit) for lit in lits]
        if len({abs(lit) for lit in lits}) < len(lits):
            sink = NormalisingSink(sink)
        false = sink.new_var()
        sink.add_clause([-false])
        asked = _Asked.outputs(min(len(lits), upto + 1), directions)
        outputs = _count(lits, 0, asked, sink) if lits and upto >= 0 else {}
        return UnaryCount(len(lits), tuple(outputs.values()), directions, false)


@dataclass(frozen=True, slots=True)
class _Asked:
    """The outputs asked of the root: implied by the inputs (rising), implying them (falling)."""

    rising: range
    falling: range

    @staticmethod
    def bounds(n: int, lower: int, upper: int) -> _Asked:
        # With both bounds rising starts at lower+1, not at upper+1, and falling ends at upper,
        # not at lower: bounds need less, but this makes every output equivalent to its meaning.
        if lower == 0:
            return _Asked(range(upper + 1, upper + 2), range(0))
        if upper == n:
            return _Asked(range(0), range(lower, lower + 1))
        return _Asked(range(lower + 1, upper + 2), range(lower, upper + 1))

    @staticmethod
    def outputs(last: int, directions: Direction) -> _Asked:
        every = range(1, last + 1)
        return _Asked(
            every if Direction.AT_MOST in directions else range(0),
            every if Direction.AT_LEAST in directions else range(0),
        )

    def at(self, inputs: int, outside: int) -> _Asked:
        """Return what a node must provide, given how many inputs lie below and outside it."""
        return _Asked(
            _reachable(self.rising, inputs, outside), _reachable(self.falling, inputs, outside)
        )

    def at_root(self) -> _Asked:
        """Return what the root must provide if its outputs are constants: the two bounds."""
        return _Asked(self.rising[-1:], self.falling[:1])

    def all(self) -> list[int]:
        return sorted({*self.rising, *self.falling})


def _reachable(asked: range, inputs: int, outside: int) -> range:
    if not asked:
        return asked
    return range(max(1, asked.start - outside), min(inputs, asked.stop - 1) + 1)


def _count(lits: Sequence[Lit], outside: int, asked: _Asked, sink: ClauseSink) -> dict[int, Lit]:
    """Return the unary count of `lits`, a node of the tree, as far as it is asked."""
    if len(lits) == 1:
        return {1: lits[0]}
    half = len(lits) // 2
    left = _count(lits[:half], outside + len(lits) - half, asked, sink)
    right = _count(lits[half:], outside + half, asked, sink)
    here = asked.at(len(lits), outside)
    outputs = {t: sink.new_var() for t in here.all()}
    _add(left, right, (half, len(lits) - half), here, outputs, sink)
    return outputs


def _add(
    left: dict[int, Lit],
    right: dict[int, Lit],
    inputs: tuple[int, int],
    asked: _Asked,
    outputs: dict[int, Lit],
    sink: ClauseSink,
) -> None:
    """Emit the sum of two unary numbers. An output that is missing is a constant at its bound."""
    a, b = inputs
    for t in asked.rising:  # i on the left and t-i on the right give t
        out = [outputs[t]] if outputs else []
        for i in range(max(0, t - b), min(a, t) + 1):
            both = ([-left[i]] if i > 0 else []) + ([-right[t - i]] if t > i else [])
            sink.add_clause(both + out)
    for t in asked.falling:  # at most i on the left and t-1-i on the right do not give t
        out = [-outputs[t]] if outputs else []
        for i in range(max(0, t - 1 - b), min(a, t - 1) + 1):
            both = ([left[i + 1]] if i < a else []) + ([right[t - i]] if t - 1 - i < b else [])
            sink.add_clause(both + out)


def _size(n: int, lower: int, upper: int) -> EncodingSize:
    asked = _Asked.bounds(n, lower, upper)
    half = n // 2
    parts = [
        _size_below(half, n - half, asked),
        _size_below(n - half, half, asked),
        _size_of_add(half, n - half, asked.at_root(), outputs=0),
    ]
    return _sum(parts)


@lru_cache(maxsize=4096)
def _size_below(n: int, outside: int, asked: _Asked) -> EncodingSize:
    """Return the size of a node with n inputs below it and everything under it."""
    if n == 1:
        return EncodingSize(0, 0, 0)
    half = n // 2
    here = asked.at(n, outside)
    parts = [
        _size_below(half, outside + n - half, asked),
        _size_below(n - half, outside + half, asked),
        _size_of_add(half, n - half, here, outputs=len(here.all())),
    ]
    return _sum(parts)


def _size_of_add(a: int, b: int, asked: _Asked, outputs: int) -> EncodingSize:
    """Return the size of one addition: pairs of values, less the literals that are constants."""
    width = 3 if outputs else 2
    clauses = literals = 0
    for t in [*asked.rising, *(t - 1 for t in asked.falling)]:
        pairs = min(a, t) - max(0, t - b) + 1
        clauses += pairs
        literals += width * pairs
    literals -= sum((t <= a) + (t <= b) for t in asked.rising)
    literals -= sum((t > a) + (t > b) for t in asked.falling)
    return EncodingSize(outputs, clauses, literals)


def _sum(parts: Sequence[EncodingSize]) -> EncodingSize:
    return EncodingSize(
        sum(part.variables for part in parts),
        sum(part.clauses for part in parts),
        sum(part.literals for part in parts),
    )
