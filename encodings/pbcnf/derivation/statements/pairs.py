"""Two integers: bounds on a weighted sum of both, and different values, value by value."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import NamedTuple

from pbcnf.derivation.statements.integers import LinkedInteger
from pbcnf.derivation.statements.reasoning import Halves, Reasoning
from pbcnf.literals import Lit


class BoundLiteral(NamedTuple):
    """A literal that is true exactly if a bound holds, and what it means."""

    lit: Lit
    halves: Halves

    @property
    def opposite(self) -> BoundLiteral:
        """The negation."""
        true, false, unit = self.halves
        return BoundLiteral(-self.lit, Halves(false, true, unit))


class TwoIntegers(NamedTuple):
    """The sum ``a * x + b * y``, treated value by value of ``x``."""

    x: LinkedInteger
    a: int
    y: LinkedInteger
    b: int
    reasoning: Reasoning

    def ascending(self) -> list[int]:
        """Return the values of x by ``a * value``."""
        return [*self.x.values] if self.a > 0 else [*self.x.values][::-1]

    def implied(
        self,
        clause: Sequence[Lit],
        half: int | None,
        *literals: tuple[LinkedInteger, int, Lit],
        unit: int | None = None,
    ) -> int | None:
        """Derive a clause from half of a bound, and what canonical literals say while false.

        ``unit``: says that the bound never holds, or always.

        None where it always holds.
        """
        true = self.reasoning.true
        if true in clause:
            return None
        if unit is not None and any(
            self.reasoning.row(unit).coefficients.get(abs(lit)) == (1 if lit > 0 else -1)
            for lit in clause
        ):
            return unit
        parts = [] if half is None else [(half, 1)]
        rest = [lit for lit in clause if lit != -true]
        for integer, weight, lit in literals:
            parts += [(row, abs(weight)) for row in integer.bound_rows(lit)]
        if parts:
            found = self.reasoning.refuted_if(rest, parts)
            if found is not None:
                return found
        return self.reasoning.clause(rest, [number for number, _ in parts])

    # a * x + b * y <= upper

    def at_most(self, upper: int, value: int) -> tuple[Lit, Lit]:
        """Return the literals of ``a * x >= a * value`` and ``b * y <= upper - a * value``."""
        return self.x.weighted(self.a, self.a * value), self.y.weighted(
            -self.b, self.a * value - upper
        )

    def clauses_of_bound(self, side: BoundLiteral, upper: int) -> dict[int, int]:
        """Derive, for each value of x, that the bound limits y: ``value -> clause``."""
        found = {}
        for value in self.x.values:
            reached, limited = self.at_most(upper, value)
            number = self.implied(
                [-side.lit, -reached, limited],
                side.halves.while_true,
                (self.x, self.a, -reached),
                (self.y, self.b, limited),
                unit=side.halves.unit,
            )
            if number is not None:
                found[value] = number
        return found

    def bound_of_clauses(
        self, side: BoundLiteral, upper: int, guard: Lit, known: Callable[[int], list[int]]
    ) -> int:
        """Derive the bound where the guard is false; ``known`` says what follows for a value."""
        last: list[int] = []
        values = self.ascending()
        for at, value in enumerate(values):
            beyond = self._next(values, at)
            _, limited = self.at_most(upper, value)
            lemma = self.implied(
                [side.lit, -limited, beyond],
                side.halves.while_false,
                (self.y, self.b, -limited),
                (self.x, self.a, beyond),
                unit=side.halves.unit,
            )
            among = [*last, *([] if lemma is None else [lemma]), *known(value)]
            if side.halves.unit is not None:
                among.append(side.halves.unit)
            last = [self.reasoning.clause([side.lit, guard, beyond], among)]
        return last[0]

    def _next(self, values: Sequence[int], at: int) -> Lit:
        """Return the literal of ``a * x`` being at least what follows; false at the end."""
        if at + 1 == len(values):
            return -self.reasoning.true
        return self.x.weighted(self.a, self.a * values[at + 1])

    # a * x + b * y = total

    def partner(self, total: int, value: int) -> int | None:
        """Return the value of y with which a value of x has the total; None if there is none."""
        partner, rest = divmod(total - self.a * value, self.b)
        at = bisect_left(self.y.values, partner)
        there = at < len(self.y.values) and self.y.values[at] == partner
        return partner if not rest and there else None

    def equal_values(
        self, least: BoundLiteral, most: BoundLiteral, value: int, partner: int
    ) -> list[int]:
        """Derive that with these two values both bounds hold."""
        found = []
        for side, sign in ((least, 1), (most, -1)):
            one = self.x.weighted(sign * self.a, sign * self.a * value)
            other = self.y.weighted(sign * self.b, sign * self.b * partner)
            found.append(
                self.implied(
                    [side.lit, -one, -other],
                    side.halves.while_false,
                    (self.x, self.a, -one),
                    (self.y, self.b, -other),
                    unit=side.halves.unit,
                )
            )
            if side.halves.unit is not None:
                found.append(side.halves.unit)
        return [each for each in found if each is not None]

    def never_equal(
        self,
        least: BoundLiteral,
        most: BoundLiteral,
        total: int,
        guards: Sequence[Lit],
        excluded: Callable[[int, int], list[int]],
    ) -> int:
        """Derive that not both bounds hold, or one of the guards.

        ``excluded``: what says that two values, whose total this is, exclude each other.
        """
        last: list[int] = []
        values = self.ascending()
        head = [-least.lit, -most.lit, *guards]
        for at, value in enumerate(values):
            beyond = self._next(values, at)
            here = self.x.weighted(self.a, self.a * value)
            low = self.y.weighted(self.b, total - self.a * value)
            high = self.y.weighted(-self.b, self.a * value - total)
            lemmas = [
                self.implied(
                    [-least.lit, beyond, low],
                    least.halves.while_true,
                    (self.x, self.a, beyond),
                    (self.y, self.b, low),
                    unit=least.halves.unit,
                ),
                self.implied(
                    [-most.lit, -here, high],
                    most.halves.while_true,
                    (self.x, self.a, -here),
                    (self.y, self.b, high),
                    unit=most.halves.unit,
                ),
            ]
            among = [*last, *(each for each in lemmas if each is not None)]
            partner = self.partner(total, value)
            if partner is not None:
                among += excluded(value, partner)
            for side in (least, most):
                if side.halves.unit is not None:
                    among.append(side.halves.unit)
            last = [self.reasoning.clause([*head, beyond], among)]
        return last[0]


def at_most_one(reasoning: Reasoning, pairs: Sequence[Sequence[int]]) -> int:
    """Return ``sum <= 1``, each up to a common guard, of the clauses of two literals.

    ``pairs``: of each literal but the first, the clauses with those before it, in order.
    """
    # Of k literals: the clauses of the last one and k - 2 times the sum of those before are k - 1
    # times what is wanted, but for less than k - 1.
    found = pairs[0][0]
    for own in pairs[1:]:
        size = len(own)
        parts = [*((number, 1) for number in own), (found, size - 1)]
        found = reasoning.state.add(parts, (), size)
    return found
