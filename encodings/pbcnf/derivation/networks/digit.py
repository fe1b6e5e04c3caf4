"""The variable of a digit, "at least d": defined by the outputs of its place, then its clauses.

Of the outputs between two carries, number d is reached if the next carry is, and only if the last
carry is. So all differences but the one that a clause is about have one sign, and their sum is what
defines the digit.
"""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Iterator, Sequence
from functools import cached_property

from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.derivation.networks.falling import Falling
from pbcnf.encoders.circuits.radix_place import Place
from pbcnf.literals import Clause, Lit, Var

_Pair = int | None


class Digit:
    """Says that the count of a place is `least` above some multiple of its radix, or more."""

    def __init__(
        self, var: Var, least: int, place: Place, total: Falling, state: DerivationState
    ) -> None:
        self.var = var
        self._least = least
        self._place = place
        self._total = total
        self._state = state
        self._starts = range(0, place.length + 1, place.radix)
        inside = [self._output(start + least) for start in self._starts]
        above = [self._output(start) for start in self._starts[1:]]
        lits = Multiset([lit for lit in inside if lit] + [-lit for lit in above])
        both = {lit: min(lits[lit], lits[-lit]) for lit in lits}
        terms = [(lits[lit] - both[lit], lit) for lit in lits if lits[lit] > both[lit]]
        count = len(above) + 1 - sum(both.values()) // 2
        if count > sum(times for times, _ in terms):
            state.if_false[-var] = state.fix(-var)  # inputs that count often skip the digit
        else:
            state.define(var, terms, count)

    def derive(self, clauses: Sequence[Clause]) -> list[int]:
        """Return the numbers of the clauses, in order."""
        kinds = [*self._kinds()]
        found = []
        for clause, (i, is_true) in zip(clauses, kinds, strict=True):
            number = self._state.if_false.get(self.var if is_true else -self.var)
            before, behind = self._above if is_true else self._below
            rows = [number, before[i], behind[i]]
            parts = [(row, 1) for row in rows if row is not None]
            lits = [*dict.fromkeys(clause)]
            found.append(self._state.derive_by_sum(lits, parts, bounded=False))
        return found

    def _output(self, count: int) -> Lit:
        return self._total.lits[count - 1] if count <= self._place.length else 0

    def _kinds(self) -> Iterator[tuple[int, bool]]:
        """Yield of each clause which multiple it starts from, and whether the digit is true."""
        for i, start in enumerate(self._starts):
            inside = self._output(start + self._least)
            above = self._output(start + self._place.radix)
            if inside and inside != above:
                yield i, True
            if not start or self._output(start) not in (inside, above):
                yield i, False

    @cached_property
    def _above(self) -> tuple[list[_Pair], list[_Pair]]:
        """That outputs inside are at least the carry above: sums before a place, and behind it."""
        return self._sums(
            [(start + self._least, start + self._place.radix) for start in self._starts]
        )

    @cached_property
    def _below(self) -> tuple[list[_Pair], list[_Pair]]:
        """That outputs inside are at most the carry below: sums before a place, and behind it."""
        return self._sums([(start, start + self._least) for start in self._starts])

    def _sums(self, pairs: Sequence[tuple[int, int]]) -> tuple[list[_Pair], list[_Pair]]:
        falls = [self._falls(*pair) for pair in pairs]
        return self._added_up(falls[:-1]), self._added_up(falls[:0:-1])[::-1]

    def _added_up(self, rows: Sequence[_Pair]) -> list[_Pair]:
        """Return the sums of the first none, one, two, ... rows."""
        found: list[_Pair] = [None]
        for row in rows:
            last = found[-1]
            if row is None or last is None:
                found.append(row or last)
            else:
                found.append(self._state.add([(last, 1), (row, 1)]))
        return found

    def _falls(self, count: int, further: int) -> _Pair:
        if not count or further > self._place.length:
            return None
        return self._total.falls(count - 1, further - 1)
