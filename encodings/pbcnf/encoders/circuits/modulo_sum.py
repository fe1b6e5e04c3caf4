"""The two modulo totalizers but for their modulus: nodes of a balanced tree, clauses, and sizes.

A node of the tree counts its inputs as ``q*p + r`` with ``0 <= r < p``, both digits in unary:
Q[t] says "q >= t", R[t] says "r >= t". Two counts are added like numbers of two digits: the
remainders give the carry C ("they sum to p or more") and the new remainder; the quotients and the
carry give the new quotient. *Rising* clauses say that a result is at least something, *falling*
clauses that it is at most something: an upper bound needs the first, a lower bound the second.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from pbcnf.encoders.bounds import TwoSided
from pbcnf.encoders.circuits.array_emission import Indices, picked
from pbcnf.encoders.circuits.template import cached
from pbcnf.formula import EncodingSize
from pbcnf.literals import Block, Lit, negate
from pbcnf.sink import ClauseSink

_FEW: Final = 100
"""The largest number of clauses that are emitted faster one by one than as blocks."""

_MOST_KEPT: Final = 64
"""The largest modulus whose plans are cached; such a plan has some hundred kilobytes."""

_UNDIVIDED: Final = 4
"""Counts up to 4, or up to p, get no quotient, which would save nothing and cost propagation."""


class ModuloBounds(NamedTuple):
    """The bounds of the inputs or, where those are nearer to 0, of their negations (mirrored)."""

    low: int
    high: int
    rising: bool
    falling: bool
    mirrored: bool

    @staticmethod
    def of(n: int, lower: int, upper: int) -> ModuloBounds:
        """Return non-trivial bounds of n inputs.

        A single bound stands for both: at most k is "exactly k" without the falling clauses, since
        more inputs may be made true until there are k, and rising clauses allow for fewer.

        >>> ModuloBounds.of(9, 0, 7)
        ModuloBounds(low=2, high=2, rising=False, falling=True, mirrored=True)
        """
        low, high = lower or upper, upper if upper < n else lower
        if low + high < n or (low + high == n and upper < n):
            return ModuloBounds(low, high, rising=upper < n, falling=lower > 0, mirrored=False)
        return ModuloBounds(n - high, n - low, rising=lower > 0, falling=upper < n, mirrored=True)

    @property
    def directions(self) -> list[bool]:
        """The directions of the clauses: True for rising clauses, False for falling clauses."""
        return [True] * self.rising + [False] * self.falling

    @property
    def is_clause(self) -> bool:
        """Whether the bounds are a clause: at least one, without an upper bound."""
        return self.low == 1 and not self.rising


class Digit(NamedTuple):
    """A number in unary: its outputs, and the constants that the bounds fix.

    `true` holds the last output that is constantly true, `false` the first that is constantly
    false; each has one element, or none.
    """

    outputs: tuple[int, ...]
    true: tuple[int, ...] = ()
    false: tuple[int, ...] = ()


class Implications(NamedTuple):
    """For each s of `sums`, one clause per pair of a left digit i and a right digit j with i+j = s.

    Rising: "left >= i and right >= j" implies the output in the column of s; without columns the
    premise is excluded. Falling: "left <= i and right <= j" implies the negation of the output; an
    s larger than the largest sum of the digits stands for that sum. A `carry` of 1 or -1 adds the
    carry, or its negation, to the conclusion; 0 adds nothing.
    """

    quotient: bool
    rising: bool
    sums: tuple[int, ...]
    columns: tuple[int, ...]
    carry: int


class ModuloNode(NamedTuple):
    """An addition: the largest counts of the children, whether a carry is possible, the result.

    The auxiliaries of the node are in columns 0, 1, ...: the quotient, the remainder, and last the
    carry.
    """

    left: int
    right: int
    p: int
    carries: bool
    quotient: Digit = Digit(())
    remainder: Digit = Digit(())

    @property
    def carry_is_quotient(self) -> bool:
        """Whether the carry is Q[1], since the children have no quotients."""
        return self.quotient.outputs == (1,) and max(self.left, self.right) < self.p

    @property
    def variables(self) -> int:
        """The number of auxiliaries of the node."""
        outputs = len(self.quotient.outputs) + len(self.remainder.outputs)
        return outputs + (self.carries and not self.carry_is_quotient)

    @property
    def carry(self) -> int:
        """The column of the carry."""
        return 0 if self.carry_is_quotient else self.variables - 1

    def largest(self, quotient: bool) -> tuple[int, int]:
        """Return the largest quotients, or remainders, of the children."""
        if quotient:
            return self.left // self.p, self.right // self.p
        return min(self.left, self.p - 1), min(self.right, self.p - 1)

    def implications(self, rising: bool) -> Iterator[Implications]:
        """Yield the clauses of one direction."""
        constants = self.remainder.false if rising else self.remainder.true
        if self.carries and not constants:  # a constant of the remainder says more of the carry
            yield Implications(False, rising, (self.p - (not rising),), (), 1 if rising else -1)
        for quotient, more, carry in self._parts(rising):
            digit = self.quotient if quotient else self.remainder
            first = 0 if quotient else len(self.quotient.outputs)
            columns = tuple(range(first, first + len(digit.outputs)))
            constants = digit.false if rising else digit.true
            for values, outputs in ((digit.outputs, columns), (constants, ())):
                if values:
                    sums = tuple(t - more - (not rising) for t in values)
                    yield Implications(quotient, rising, sums, outputs, carry)

    def _parts(self, rising: bool) -> list[tuple[bool, int, int]]:
        """Return the cases of the addition: quotient or not, digit minus sum, and the carry.

        Where the sum itself decides whether there is a carry, the literal of the carry is left out.
        """
        if not self.carries:
            return [(False, 0, 0), (True, 0, 0)]
        # Rising: a sum of t makes "at least t" true or there is a carry, one of t + p makes it true
        # either way. Falling: a sum below t makes it false, one below t + p if there is a carry.
        remainder = [(False, 0, 1 if rising else 0), (False, -self.p, 0 if rising else -1)]
        if self.carry_is_quotient:
            return remainder
        # The new quotient is the sum of the quotients, and one more if there is a carry.
        return [*remainder, (True, 0, 0 if rising else 1), (True, 1, -1 if rising else 0)]


def inner_node(n: int, bounds: ModuloBounds, p: int) -> ModuloNode:
    """Return the node over n inputs below the root; more than `high` are never true."""
    most = min(n, bounds.high)
    carries = most >= p
    quotient = Digit(tuple(range(1, most // p + 1)), false=(most // p + 1,))
    if carries:
        remainder = Digit(tuple(range(1, p)))
    else:
        remainder = Digit(tuple(range(1, most + 1)), false=(most + 1,))
    return ModuloNode(min(n // 2, most), min(n - n // 2, most), p, carries, quotient, remainder)


def root_node(n: int, bounds: ModuloBounds, p: int) -> ModuloNode:
    """Return the root: the bounds fix its outputs, except for those that must be compared."""
    low, high = bounds.low, bounds.high
    node = ModuloNode(min(n // 2, high), min(n - n // 2, high), p, carries=high >= p)
    # Only remainders that the ends of the range exclude need an output.
    true = (low % p,) if low % p > 0 else ()
    false = (high % p + 1,) if high % p + 1 < p else ()
    compared: set[int] = set()
    if low // p < high // p:
        compared = {low // p + 1 for _ in true} | {high // p for _ in false}
        remainder = Digit(tuple(sorted({*true, *false})))
    elif node.carries and low % p + p <= sum(node.largest(quotient=False)):
        remainder = Digit((), true, false)
    else:  # the remainders never sum to low % p + p: no carry
        node = node._replace(carries=False)
        remainder = Digit((), true, (high % p + 1,))
    quotient = Digit(tuple(sorted(compared)), (low // p,) if low >= p else (), (high // p + 1,))
    return node._replace(quotient=quotient, remainder=remainder)


def comparisons(root: ModuloNode, bounds: ModuloBounds) -> list[tuple[int, tuple[int, int]]]:
    """Return the clauses that compare the root's outputs with the bounds: sign and columns.

    They say "q > low // p or r >= low % p" and "q < high // p or r <= high % p".
    """
    quotients, remainder = len(root.quotient.outputs), root.remainder.outputs
    low, high = bounds.low % root.p, bounds.high % root.p + 1
    clauses = []
    if low in remainder:
        clauses.append((1, (0, quotients + remainder.index(low))))
    if high in remainder:
        clauses.append((-1, (quotients - 1, quotients + remainder.index(high))))
    return clauses


class ModuloPlan:
    """The clauses of a node over a row of literals.

    A row holds the quotient and the remainder of the left child, those of the right child, and the
    auxiliaries of the node. A clause is four places in the row, from 1 on: negative for the
    negation, 0 for no literal.
    """

    def __init__(self, node: ModuloNode, *directions: bool) -> None:
        self._parts = [
            _clauses(node, part) for rising in directions for part in node.implications(rising)
        ]

    def emit(self, batches: Sequence[Block], sink: ClauseSink) -> None:
        """Emit the clauses for every row of each batch."""
        if sum(map(len, batches)) * sum(map(len, self._parts)) <= _FEW:
            for batch in batches:
                signed = [(0, *row, *[-lit for lit in reversed(row)]) for row in batch.tolist()]
                for part in self._lists:
                    for row in signed:
                        for clause in part:
                            sink.add_clause([row[place] for place in clause if place])
            return
        literals = np.concatenate(batches)
        none = np.zeros((len(literals), 1), dtype=np.int32)
        lookup = np.hstack((none, literals, -literals[:, ::-1]))
        for clauses in self._by_width:
            sink.add_block(picked(lookup, clauses))

    @cached_property
    def _lists(self) -> list[list[list[int]]]:
        return [part.tolist() for part in self._parts]

    @cached_property
    def _by_width(self) -> list[Indices]:
        clauses = np.concatenate(self._parts)
        widths = np.count_nonzero(clauses, axis=1)
        found = []
        for width in np.flatnonzero(np.bincount(widths)):
            chosen = clauses[widths == width]
            found.append(chosen[chosen != 0].reshape(len(chosen), width))
        return found


def _clauses(node: ModuloNode, part: Implications) -> Indices:
    """Return a clause for each sum and each pair of digits with this sum."""
    digits = [*zip(*map(node.largest, (True, False)), strict=True)]  # of the children
    (a, b), which = node.largest(part.quotient), 0 if part.quotient else 1
    in_left, in_right = sum(digits[0][:which]), sum(digits[0]) + sum(digits[1][:which])
    own = sum(digits[0]) + sum(digits[1]) + 1
    sums = np.array(part.sums)
    if not part.rising:
        sums = np.minimum(sums, a + b)
    rest = sums[:, np.newaxis] - np.arange(a + 1)
    at, lefts = np.nonzero((rest >= 0) & (rest <= b))
    rights = rest[at, lefts]
    clauses = np.zeros((len(at), 4), dtype=np.intp)
    if part.columns:
        clauses[:, 0] = (own + np.array(part.columns))[at] * (1 if part.rising else -1)
    if part.carry:
        clauses[:, 1] = part.carry * (own + node.carry)
    clauses[:, 2] = _denials(lefts, a, in_left, part.rising)
    clauses[:, 3] = _denials(rights, b, in_right, part.rising)
    return clauses


def _denials(values: Indices, largest: int, start: int, rising: bool) -> Indices:
    """Return the places of literals that deny "digit >= value" (rising) or "digit <= value".

    A place 0 is no literal: every digit is at least 0, and at most `largest`.
    """
    if rising:
        return np.where(values == 0, 0, -(start + values))
    return np.where(values == largest, 0, start + values + 1)


class ModuloSum(TwoSided):
    """A modulo totalizer, up to the choice of its modulus."""

    __slots__ = ()

    @staticmethod
    @abstractmethod
    def modulus(n: int, high: int) -> int:
        """Return p >= 2 for n inputs counted up to `high`, unless `high` is not divided."""

    def nontrivial_size(self, n: int, lower: int, upper: int) -> EncodingSize:
        """Return the exact size, see the class."""
        bounds = ModuloBounds.of(n, lower, upper)
        if bounds.is_clause:
            return EncodingSize(0, 1, n)
        root = root_of(self, n, bounds)
        compared = len(comparisons(root, bounds))
        return _size_of_node(n, root, bounds) + EncodingSize(0, compared, 2 * compared)

    def encode(self, lits: Sequence[Lit], lower: int, upper: int, sink: ClauseSink) -> None:
        """Emit the clauses for non-trivial bounds."""
        bounds = ModuloBounds.of(len(lits), lower, upper)
        if bounds.mirrored:
            lits = negate(lits)
        if bounds.is_clause:
            sink.add_clause(lits)
            return
        root = root_of(self, len(lits), bounds)
        nodes: _Batches = {}
        own = _put_down(np.array([lits], dtype=np.int32), root, bounds, nodes, sink)
        for node, batches in nodes.items():
            if node.p <= _MOST_KEPT:  # the plan of a small node is made once, then kept
                plan = cached(ModuloPlan, node, *bounds.directions)
            else:
                plan = ModuloPlan(node, *bounds.directions)
            plan.emit(batches, sink)
        for sign, columns in comparisons(root, bounds):
            sink.add_clause([sign * int(own[0, column]) for column in columns])


def root_of(encoder: ModuloSum, n: int, bounds: ModuloBounds) -> ModuloNode:
    """Return the root of the tree over n inputs, with the modulus of all nodes."""
    high, p = bounds.high, encoder.modulus(n, bounds.high)
    return root_node(n, bounds, high + 1 if high <= max(p, _UNDIVIDED) else p)


_Batches: TypeAlias = dict[ModuloNode, list[Block]]
"""For each kind of node the rows of literals, in batches, to be emitted by a `ModuloPlan`."""


def _count(inputs: Block, bounds: ModuloBounds, p: int, nodes: _Batches, sink: ClauseSink) -> Block:
    """Allocate a counter of every row of `inputs`; return its quotient and remainder digits."""
    n = inputs.shape[1]
    if n == 1:
        return inputs
    node = inner_node(n, bounds, p)
    own = _put_down(inputs, node, bounds, nodes, sink)
    digits = len(node.quotient.outputs) + len(node.remainder.outputs)
    return own[:, :digits]


def _put_down(
    inputs: Block, node: ModuloNode, bounds: ModuloBounds, nodes: _Batches, sink: ClauseSink
) -> Block:
    """Allocate a node over every row of `inputs`, and all nodes below; return its auxiliaries."""
    batch, n = inputs.shape
    halves = [inputs[:, : n // 2], inputs[:, n // 2 :]]
    # Halves of one size are nodes of one shape: both go on as rows of one batch.
    if n % 2:
        digits = [_count(half, bounds, node.p, nodes, sink) for half in halves]
    else:
        both = _count(inputs.reshape(2 * batch, n // 2), bounds, node.p, nodes, sink)
        digits = [both[::2], both[1::2]]
    count = batch * node.variables
    first = sink.new_vars(count)
    own = np.arange(first, first + count, dtype=np.int32).reshape(batch, node.variables)
    nodes.setdefault(node, []).append(np.hstack((*digits, own)))
    return own


@lru_cache(maxsize=4096)
def _size_of_count(n: int, bounds: ModuloBounds, p: int) -> EncodingSize:
    if n == 1:
        return EncodingSize(0, 0, 0)
    return _size_of_node(n, inner_node(n, bounds, p), bounds)


def _size_of_node(n: int, node: ModuloNode, bounds: ModuloBounds) -> EncodingSize:
    """Return the size of a node over n inputs and of all below it."""
    size = EncodingSize(node.variables, 0, 0)
    for rising in bounds.directions:
        for part in node.implications(rising):
            size += _size_of_implications(*node.largest(part.quotient), part)
    for inputs in (n // 2, n - n // 2):
        size += _size_of_count(inputs, bounds, node.p)
    return size


def _size_of_implications(a: int, b: int, part: Implications) -> EncodingSize:
    """Count the pairs of digits i <= a and j <= b, and their literals but the constant ones."""
    width = 2 + bool(part.columns) + bool(part.carry)
    clauses = literals = 0
    for s in part.sums:
        if not part.rising:
            s = min(s, a + b)
        # Pairs (i, j) with i + j = s have i from max(0, s - b) to min(a, s). A condition that
        # always holds, "at least 0" or "at most the largest", has no literal.
        pairs = max(0, min(a, s) - max(0, s - b) + 1)
        clauses += pairs
        literals += width * pairs
        if pairs:
            literals -= (s <= a) + (s <= b) if part.rising else (s >= a) + (s >= b)
    return EncodingSize(0, clauses, literals)
