"""A count kept as quotient and remainder: one addition of two of them, as a plan of its clauses.

A node of the tree counts its inputs as ``q*p + r`` with ``0 <= r < p``, both digits in unary: Q[t]
says "q >= t", R[t] says "r >= t". Two counts are added like numbers of two digits: the remainders
give the carry C ("they sum to p or more") and the new remainder; the quotients and the carry give
the new quotient. *Rising* clauses say that a result is at least something, *falling* clauses that
it is at most something: an upper bound needs the first, a lower bound the second.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


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
    def is_clause(self) -> bool:
        """Whether the bounds are a clause: at least one, without an upper bound."""
        return self.low == 1 and not self.rising


class Digit(NamedTuple):
    """A number in unary: its outputs, and what the bounds fix next to them.

    Given are the last true and the first false constant, each none or one.
    """

    outputs: tuple[int, ...]
    true: tuple[int, ...] = ()
    false: tuple[int, ...] = ()


class Implications(NamedTuple):
    """For each s of `sums`, one clause per pair of a left digit i and a right digit j with i+j = s.

    Rising: "left >= i and right >= j" implies the output in the column of s, or nothing without
    columns. Falling: "left <= i and right <= j" implies its negation; an s that is larger than
    the digits together stands for that largest sum. A carry of 1 or -1 is one more literal of
    that sign in the conclusion, 0 is none.
    """

    quotient: bool
    rising: bool
    sums: tuple[int, ...]
    columns: tuple[int, ...]
    carry: int


class ModuloNode(NamedTuple):
    """An addition: the largest counts of the children, whether a carry is possible, the result.

    Its auxiliaries are in columns 0, 1, ...: the quotient, the remainder, and last the carry.
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
        """The number of its auxiliaries."""
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
        """Return the cases of the addition: the digit, what it is beyond the sum, the carry.

        Where the sum itself tells whether there is a carry, its literal is left out.
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
