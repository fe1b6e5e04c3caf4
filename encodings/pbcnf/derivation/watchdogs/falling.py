"""Unary numbers whose literals fall: each implies the one before it."""

from __future__ import annotations

from collections.abc import Sequence

from pbcnf.derivation.ledger import Ledger, Parts
from pbcnf.literals import Lit


class Falling:
    """Literals, of which number j says "at least j" of one sum of literals, from 1 on, all of them.

    A single one may be anything. ``total``: what added up says that the sum of the literals is at
    most what they count, both multiplied by the same number.
    """

    def __init__(self, lits: Sequence[Lit], total: Parts, ledger: Ledger) -> None:
        self.lits = tuple(lits)
        self.total = total
        self._ledger = ledger
        self._rows: dict[tuple[int, int], int] = {}

    def falls(self, i: int, j: int) -> int:
        """Return the number of ``lits[i] >= lits[j]`` for i < j."""
        if (i, j) not in self._rows:
            if j == i + 1:
                self._rows[i, j] = self._next(self.lits[i], self.lits[j])
            else:
                middle = (i + j) // 2
                self._rows[i, j] = self._ledger.add(
                    [(self.falls(i, middle), 1), (self.falls(middle, j), 1)]
                )
        return self._rows[i, j]

    def half(self, tare: int, unit: int) -> Falling:
        """Return half of the count and of a `tare` of 0 or 1, rounded down.

        Twice as much is at most the count and the tare; ``total`` has the factor `unit`.
        """
        lits, start = self.lits, tare
        pairs = range(start, len(lits) - 1, 2)
        parts = [*self.total, *((self.falls(i, i + 1), unit) for i in pairs)]
        axioms = [(-lits[0], unit)] if tare else []
        if (len(lits) - start) % 2:
            axioms.append((lits[-1], unit))
        return Falling(lits[1 - tare :: 2], [(self._ledger.add(parts, axioms), 1)], self._ledger)

    def _next(self, one: Lit, other: Lit) -> int:
        """Add two definitions, and divide by so much that all weights are 1."""
        rows = self._ledger.rows
        upper, lower = self._ledger.if_false[one], self._ledger.if_false[-other]
        most = max(
            abs(rows[upper].coefficients[abs(one)]), abs(rows[lower].coefficients[abs(other)])
        )
        return self._ledger.add([(upper, 1), (lower, 1)], divisor=most)


def added_up(lits: Sequence[Lit], ledger: Ledger) -> int:
    """Return the number of ``counted >= sum of literals``, where literal j says ``counted >= j``.

    One step a literal: k - 1 times the row for the first k - 1 of them and the definition of number
    k give k times the row for k, divided and rounded up.
    """
    number = ledger.if_false[-lits[0]]
    for k, lit in enumerate(lits[1:], start=2):
        number = ledger.add([(number, k - 1), (ledger.if_false[-lit], 1)], divisor=k)
    return number
