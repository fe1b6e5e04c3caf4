"""Products of two numbers, each a canonical form that equals a sum of gates.

A product is multiplied out on both sides: canonical forms into pairs of variables, sums of gates
into conjunctions. An equation is multiplied by a literal in two cases: while the literal is true
each product is the other factor, while it is false all are 0. So first the equation of the left
number is multiplied by each variable of the right one, then that of the right number by each gate
of the left one, and the sum of these is the equation of the product.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from pbcnf.derivation.statements.reasoning import Equation, Reasoning
from pbcnf.literals import Lit

WeightedLits = Sequence[tuple[int, Lit]]


class MultipliedSum(NamedTuple):
    """A number ``constant + form = gate_constant + gates``; the equation says so."""

    constant: int
    form: WeightedLits
    gate_constant: int
    gates: WeightedLits
    equation: Equation


class _Conjunction(NamedTuple):
    """A literal that equals a conjunction; None for a clause that always holds."""

    lit: Lit
    implied: int | None
    first: int | None
    second: int | None

    @property
    def exchanged(self) -> _Conjunction:
        """The same, with the second literal first."""
        return _Conjunction(self.lit, self.implied, self.second, self.first)


Pair = Callable[[Lit, Lit], tuple[Lit, Sequence[int]]]
"""Two literals -> the literal of their conjunction, and constraints that say so."""


def product(
    reasoning: Reasoning, left: MultipliedSum, right: MultipliedSum, canonical: Pair, gate: Pair
) -> Equation:
    """Return ``product of forms = product of gates``, both multiplied out."""

    def middle(one: Lit, other: Lit) -> tuple[Lit, Sequence[int]]:
        lit, halves = reasoning.define([(1, one), (1, other)], 2)
        return lit, halves.numbers

    def conjunction(pair: Pair, one: Lit, other: Lit) -> _Conjunction:
        lit, among = pair(one, other)
        clauses = [[lit, -one, -other], [-lit, one], [-lit, other]]
        return _Conjunction(
            lit,
            *(
                None
                if reasoning.true in each or any(-lit in each for lit in each)
                else reasoning.clause(each, among)
                for each in clauses
            ),
        )

    between = {
        (lit, y): conjunction(middle, lit, y)
        for lit in dict.fromkeys([g for _, g in left.gates])
        for _, y in right.form
    }
    parts = [(left.equation, right.constant), (right.equation, left.gate_constant)]
    # left * y, for each variable y of the right form.
    for weight, y in right.form:
        terms = [(a, conjunction(canonical, x, y)) for a, x in left.form]
        terms += [(-g, between[lit, y]) for g, lit in left.gates]
        constant = left.constant - left.gate_constant
        parts.append((_times(reasoning, left.equation, constant, terms, y), weight))
    # right * gate, for each gate of the left sum.
    for weight, lit in left.gates:
        terms = [(b, between[lit, y].exchanged) for b, y in right.form]
        terms += [(-h, conjunction(gate, other, lit)) for h, other in right.gates]
        constant = right.constant - right.gate_constant
        parts.append((_times(reasoning, right.equation, constant, terms, lit), weight))
    return reasoning.equation(parts)


def _times(
    reasoning: Reasoning,
    equation: Equation,
    constant: int,
    terms: Sequence[tuple[int, _Conjunction]],
    lit: Lit,
) -> Equation:
    """Return an equation ``constant + sum of weight * first = 0``, times a literal.

    ``terms``: weights and the conjunctions of what is summed with the literal.
    """
    sides = list[int | None]()
    # What never holds is no term: its first literal is the negation of the second one.
    terms = [(w, each) for w, each in terms if each.lit != -reasoning.true]
    for sign, side in ((1, equation.ge), (-1, equation.le)):
        # A variable says that the product is at least 0, and is true in both cases.
        weighted = [(sign * constant, lit), *((sign * w, each.lit) for w, each in terms)]
        at_least, halves = reasoning.define(weighted, 0)
        if halves.while_true is None or halves.while_false is None:
            sides.append(reasoning.axiom(weighted))
            continue
        on, off = [(halves.while_false, 1)], [(halves.while_false, 1)]
        on += [] if side is None else [(side, 1)]
        for w, each in terms:
            rows = [each.implied] if sign * w > 0 else [each.first]
            on += [(number, abs(w)) for number in rows if number is not None]
            if sign * w < 0 and each.second is not None:
                off.append((each.second, abs(w)))
        cases = [reasoning.refuted([at_least, -lit], on), reasoning.refuted([at_least, lit], off)]
        unit = reasoning.clause([at_least], cases)
        weight = abs(reasoning.row(halves.while_true).coefficients[at_least])
        sides.append(reasoning.summed([(halves.while_true, 1), (unit, weight)]))
    return Equation(*sides)
