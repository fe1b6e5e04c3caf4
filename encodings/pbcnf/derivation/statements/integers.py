"""Integers: canonical literals and literals of encodings, linked by equations."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from pbcnf.derivation.derivation_state import UnderivableError
from pbcnf.derivation.statements.gates import ExactGates
from pbcnf.derivation.statements.reasoning import Equation, Halves, Reasoning
from pbcnf.errors import EncodingError
from pbcnf.language.circuit import Ref
from pbcnf.language.integer_literals import IntegerLiterals
from pbcnf.language.integers import IntegerEncoding
from pbcnf.literals import Lit
from pbcnf.proof.cutting_planes.canonical import StatedInteger

MOST_DIGITAL: Final = 4096
"""The largest range of an integer in binary encoding."""


class LinkedInteger:
    """An integer: canonical literals, and what encodes it.

    `link` is the equation ``canonical form = constant + sum of weight * literal``.
    """

    def __init__(
        self,
        stated: StatedInteger,
        made: IntegerLiterals,
        encoding: IntegerEncoding,
        gates: ExactGates,
        reasoning: Reasoning,
    ) -> None:
        self.stated, self.made, self.encoding = stated, made, encoding
        self.gates, self.reasoning = gates, reasoning
        self.values = stated.values
        self.own: list[Lit] = [gates.literal(ref) for ref in made.refs]
        """The literals of the encoding."""
        self.chain: list[int] = []
        """Place j: literal j + 1 of the canonical ones implies literal j."""
        self._singles: list[Equation] = []
        """Place j, for `DIRECT`: ``[x = v_j] = o_j - o_(j + 1)``."""
        self._orders: list[Equation] = []
        """Place j, for `ORDER`: the canonical literal equals the encoding's literal."""
        self._known: dict[tuple[str, int], int | None] = {}
        self._least: dict[int, Equation] = {}
        self._equal: dict[int, list[int]] = {}
        if encoding is IntegerEncoding.BINARY and self.values[-1] - self.values[0] >= MOST_DIGITAL:
            raise EncodingError(
                f"the integer {stated.name} has no proof in binary encoding: its range is beyond"
                f" {MOST_DIGITAL:,}"
            )

    @property
    def canonical(self) -> range:
        """The canonical literals: at least the second value, the third one..."""
        return self.stated.literals

    def at_least(self, value: int) -> Lit:
        """Return the canonical literal of "at least `value`", or a constant one."""
        at = bisect_left(self.values, value)
        true = self.reasoning.true
        return true if at == 0 else -true if at == len(self.values) else self.canonical[at - 1]

    # The literals of the encoding from canonical ones.

    def encode(self, chain: Sequence[int]) -> None:
        """Introduce the literals of the encoding; ``chain`` says how canonical ones are ordered."""
        self.chain = [*chain]
        reasoning, o = self.reasoning, self.canonical
        match self.encoding:
            case IntegerEncoding.ORDER:
                pairs = [(reasoning.copied(y, c), -1) for y, c in zip(self.own, o, strict=True)]
                self._orders = [each.opposite for each, _ in pairs]
                self.link = reasoning.equation(zip(self._orders, self._gaps(), strict=True))
            case IntegerEncoding.DIRECT:
                for at, y in enumerate(self.own):
                    lits = ([o[at - 1]] if at else []) + ([-o[at]] if at < len(o) else [])
                    halves = self._introduce(y, lits)
                    self._singles.append(self._single(at, halves))
                self._telescope()
            case IntegerEncoding.BINARY:
                self._digits()

    def _introduce(self, var: Lit, lits: Sequence[Lit]) -> Halves:
        if not lits:
            number = self.reasoning.state.fix(var)
            return Halves(None, None, number)
        return self.reasoning.defined(var, [(1, lit) for lit in lits], len(lits))

    def _single(self, at: int, halves: Halves) -> Equation:
        """Return ``[x = v_at] = o_at - o_(at + 1)`` where the left side is defined as both."""
        # With o_0 = 1, and 0 behind the last one.
        if halves.unit is not None:
            return Equation(halves.unit, None)
        assert halves.while_false is not None
        assert halves.while_true is not None
        if 0 < at < len(self.canonical):
            # d <= o and d <= 1 - o' are 2 d <= 1 + o - o'; o >= o' makes it even.
            le = self.reasoning.state.add([(halves.while_true, 1), (self.chain[at - 1], 1)], (), 2)
            return Equation(halves.while_false, le)
        return Equation(halves.while_false, halves.while_true)

    def _gaps(self) -> list[int]:
        return [*self.stated.form.terms.values()]

    def _telescope(self) -> None:
        """Set the link of a direct encoding: ``sum of (v - v1) * [x = v]``."""
        weights = [
            (each, self.values[0] - v) for each, v in zip(self._singles, self.values, strict=True)
        ]
        self.link = self.reasoning.equation(weights)

    def _digits(self) -> None:
        reasoning, o, lowest = self.reasoning, self.canonical, self.values[0]
        singles: list[tuple[Lit, Equation]] = []
        for at in range(len(self.values)):
            lits = ([o[at - 1]] if at else []) + ([-o[at]] if at < len(o) else [])
            var = reasoning.state.fresh()
            singles.append((var, self._single(at, self._introduce(var, lits))))
        # The sum of all is 1; a digit is the sum of the values with it, of which one is true.
        everything = reasoning.equation([(each, 1) for _, each in singles])
        if everything.le is None:
            self.link = Equation(None, None)
            return
        digits: list[tuple[Equation, int]] = []
        for place, y in enumerate(self.own):
            some, others = list[Lit](), list[Lit]()
            for value, (var, _) in zip(self.values, singles, strict=True):
                ((some if (value - lowest) >> place & 1 else others).append)(var)
            if some:
                digit = self._equals_sum(self._any_of(y, some), everything.le, others, len(some))
            else:
                digit = Equation(reasoning.state.add([], [(y, 1)]), reasoning.state.fix(-y))
            digits.append((digit, 1 << place))
        # lowest + sum of 2^place * digit, as a sum of singles, which are canonical literals.
        weights = [(each, lowest - v) for (_, each), v in zip(singles, self.values, strict=True)]
        self.link = reasoning.equation([*weights, *((each, -weight) for each, weight in digits)])

    def _any_of(self, var: Lit, lits: Sequence[Lit]) -> Halves:
        return self.reasoning.defined(var, [(1, lit) for lit in lits], 1)

    def _equals_sum(
        self, halves: Halves, at_most: int, others: Sequence[Lit], size: int
    ) -> Equation:
        """Return ``var = sum`` of a disjunction of ``size`` literals, of which one is true.

        ``at_most``: these and the others are at most 1.
        """
        assert halves.while_true is not None
        assert halves.while_false is not None
        if size == 1:
            return Equation(halves.while_false, halves.while_true)
        own = self.reasoning.state.add([(at_most, 1)], [(lit, 1) for lit in others])
        ge = self.reasoning.state.add([(halves.while_false, 1), (own, size - 1)], (), size)
        return Equation(ge, halves.while_true)

    # Canonical literals from those of the encoding.

    def introduce(self, axioms: Sequence[int]) -> None:
        """Introduce the canonical literals; ``axioms`` say that the encoding is of a value."""
        reasoning, o = self.reasoning, self.canonical
        match self.encoding:
            case IntegerEncoding.ORDER:
                self._orders = [reasoning.copied(c, y) for c, y in zip(o, self.own, strict=True)]
                self.link = reasoning.equation(zip(self._orders, self._gaps(), strict=True))
                self.chain = [
                    reasoning.clause(
                        [o[at], -o[at + 1]],
                        [*axioms, *self._orders[at].numbers, *self._orders[at + 1].numbers],
                    )
                    for at in range(len(o) - 1)
                ]
            case IntegerEncoding.DIRECT:
                self._from_singles(axioms)
            case IntegerEncoding.BINARY:
                self._from_digits(axioms)

    def _from_singles(self, axioms: Sequence[int]) -> None:
        reasoning, o, y = self.reasoning, self.canonical, self.own
        at_least, at_most = self._exactly_one(axioms)
        sums = []
        for at, c in enumerate(o, start=1):
            halves = self._any_of(c, y[at:])
            sums.append(self._equals_sum(halves, at_most, y[:at], len(y) - at))
        # o_1 = 1 is the sum of all.
        bounds = [Equation(at_most, at_least), *sums, Equation(None, None)]
        # [x = v_j] = o_j - o_(j + 1): with signs, sum_j - sum_(j + 1) is the literal.
        self._singles = [
            reasoning.equation([(bounds[at].opposite, 1), (bounds[at + 1], 1)])
            for at in range(len(y))
        ]
        self.chain = [
            reasoning.summed([(self._number(self._singles[at + 1].le), 1)], (y[at + 1], 1))
            for at in range(len(o) - 1)
        ]
        self._telescope()

    @staticmethod
    def _number(number: int | None) -> int:
        assert number is not None
        return number

    def _exactly_one(self, axioms: Sequence[int]) -> tuple[int, int]:
        """Return ``sum >= 1`` and ``sum <= 1`` of a direct encoding."""
        reasoning, y = self.reasoning, self.own
        wanted = [dict.fromkeys(y, 1), dict.fromkeys(y, -1)]
        found = []
        for coefficients in wanted:
            for number in axioms:
                row = reasoning.row(number)
                if dict(row.coefficients) == coefficients and row.degree == (
                    1 if coefficients[y[0]] > 0 else -1
                ):
                    found.append(number)
                    break
            else:
                found.append(self._small(coefficients, axioms))
        return found[0], found[1]

    def _small(self, coefficients: dict[Lit, int], axioms: Sequence[int]) -> int:
        """Derive a bound of a direct encoding of one or two values, whose axioms are clauses."""
        y, reasoning = self.own, self.reasoning
        positive = coefficients[y[0]] > 0
        if len(y) == 1:
            return (
                reasoning.clause([y[0]], axioms)
                if positive
                else reasoning.state.add([], [(-y[0], 1)])
            )
        lits = [v if positive else -v for v in y]
        if len(y) == 2 or positive:
            return reasoning.clause(lits, axioms)
        raise UnderivableError("a direct encoding has no bound")

    def _from_digits(self, axioms: Sequence[int]) -> None:
        reasoning, o, lowest = self.reasoning, self.canonical, self.values[0]
        if not o:
            self.link = Equation(None, None)
            return
        terms = [(1 << place, y) for place, y in enumerate(self.own)]
        most = self.values[-1] - lowest
        # A literal for every number up to the largest one, those of values among them.
        known = dict(zip(self.values, (0, *o), strict=True))
        lits = [
            known.get(value) or reasoning.state.fresh()
            for value in range(lowest + 1, self.values[-1] + 1)
        ]
        halves = [reasoning.defined(c, terms, at) for at, c in enumerate(lits, start=1)]
        above = [self._number(each.while_true) for each in halves]
        below = [self._number(each.while_false) for each in halves]
        start = self._limit(terms, most + 1, axioms) if most + 1 < 1 << len(self.own) else None
        up, down = reasoning.state.add_up(above), reasoning.state.add_up(below[::-1], start)
        chain = [
            reasoning.refuted([lits[at], -lits[at + 1]], [(above[at + 1], 1), (below[at], 1)])
            for at in range(len(lits) - 1)
        ]
        # What no value is: its literal is that of the next value, by the axiom for that hole.
        holes = list[Equation]()
        for at, lit in enumerate(lits, start=1):
            value = lowest + at
            if value in known:
                continue
            later = self.values[bisect_left(self.values, value)] - lowest
            first = self.values[bisect_left(self.values, value) - 1] + 1 - lowest
            among = [*axioms, *chain[first - 1 : later], above[first - 1], below[later - 1]]
            for end in (first, later):
                among += self.gates.cone(self.made.at_least(lowest + end))
            holes.append(
                self._hole(lit, lits[first - 1], lits[later - 1], first, later, halves, among)
            )
        self.chain = chain
        if holes:
            every = [*chain, *(n for each in holes for n in each.numbers)]
            self.chain = [reasoning.clause([a, -b], every) for a, b in pairwise(o)]
        dense = Equation(down, up)
        self.link = reasoning.equation([(dense, 1), *((each.opposite, 1) for each in holes)])

    def _hole(
        self,
        lit: Lit,
        first: Lit,
        later: Lit,
        least: int,
        value: int,
        halves: Sequence[Halves],
        among: Sequence[int],
    ) -> Equation:
        """Derive that "at least a number of a hole" equals "at least the value behind it"."""
        reasoning, gates, lowest = self.reasoning, self.gates, self.values[0]
        # first -> its gate -> the gate of the value, by the axiom -> the literal of the value.
        begin = gates.literal(self.made.at_least(lowest + least))
        end = gates.literal(self.made.at_least(lowest + value))
        shown = [
            reasoning.clause([-first, begin], [*halves[least - 1].numbers, *among]),
            reasoning.clause([later, -end], [*halves[value - 1].numbers, *among]),
        ]
        return reasoning.same(lit, later, [*shown, *among])

    def _limit(self, terms: Sequence[tuple[int, Lit]], least: int, axioms: Sequence[int]) -> int:
        """Return "the digits are less than a number", from the axiom that says so."""
        reasoning = self.reasoning
        reached, halves = reasoning.define(terms, least)
        cones = [n for ref in self.made.axioms() for n in self.gates.cone(ref)]
        false = reasoning.clause([-reached], [*halves.numbers, *axioms, *cones])
        bound = self._number(halves.while_false)
        weight = abs(reasoning.row(bound).coefficients[reached])
        return reasoning.summed([(bound, 1), (false, weight)])

    # What all encodings share.

    def above(self, at: int) -> int | None:
        """Return ``form >= v_at`` while the canonical literal of that value is true.

        None where the literal's own step is enough.
        """
        # Each literal implies the one before: v_at - v_1 times the literal is at most the steps to
        # it. Those behind it are at least 0.
        if at == 1:
            return None
        if ("above", at) not in self._known:
            o, values, gaps = self.canonical, self.values, self._gaps()
            later = [(o[j], gaps[j]) for j in range(at, len(o))]
            parts = [(self.chain[j - 1], values[j] - values[0]) for j in range(1, at)]
            self._known["above", at] = self.reasoning.summed(parts, *later)
        return self._known["above", at]

    def below(self, at: int) -> int | None:
        """Return ``form <= v_(at - 1)`` while the canonical literal of value ``at`` is false.

        None where the literal's own step is enough.
        """
        o, values, gaps = self.canonical, self.values, self._gaps()
        if at == len(o):
            return None
        if ("below", at) not in self._known:
            earlier = [(-o[j], gaps[j]) for j in range(at - 1)]
            parts = [(self.chain[j - 1], values[-1] - values[j]) for j in range(at, len(o))]
            self._known["below", at] = self.reasoning.summed(parts, *earlier)
        return self._known["below", at]

    def bound_rows(self, lit: Lit) -> list[int]:
        """Return constraints on the form while a literal of `at_least` is false."""
        if abs(lit) == self.reasoning.true:
            return []
        at = abs(lit) - self.canonical[0] + 1
        found = self.below(at) if lit > 0 else self.above(at)
        return [] if found is None else [found]

    def _digit_rows(self, lit: Lit) -> list[int]:
        """Return constraints on the digits while a literal of `at_least` is false."""
        key = "digits", lit
        if key not in self._known:
            side = self.link.ge if lit > 0 else self.link.le
            rows = [*self.bound_rows(lit), *([] if side is None else [side])]
            self._known[key] = self.reasoning.summed([(n, 1) for n in rows]) if rows else None
        found = self._known[key]
        return [] if found is None else [found]

    def weighted(self, weight: int, bound: int) -> Lit:
        """Return the canonical literal of ``weight * x >= bound``."""
        if weight > 0:
            return self.at_least(-(-bound // weight))
        return -self.at_least(-bound // -weight + 1)

    # Gates of the encoding.

    def least(self, value: int) -> Equation:
        """Return the equation of canonical literal and gate of "at least `value`"."""
        if value not in self._least:
            self._least[value] = self._least_made(value)
        return self._least[value]

    def _least_made(self, value: int) -> Equation:
        at = bisect_left(self.values, value)
        lit, ref = self.at_least(value), self.made.at_least(value)
        gate = self.gates.literal(ref)
        if abs(lit) == self.reasoning.true and lit == gate:
            return Equation(None, None)
        if self.encoding is IntegerEncoding.ORDER:
            return self._orders[at - 1]
        among = self.gates.cone(ref)
        if self.encoding is IntegerEncoding.DIRECT:
            # o_at is the sum of the literals of later values, and 1 - o_at of the earlier ones.
            for some in (self._singles[at:], self._singles[:at]):
                among += self.reasoning.equation([(each, 1) for each in some]).numbers
        else:
            among += [*self._digit_rows(lit), *self._digit_rows(-lit)]
        return self.reasoning.same(lit, gate, among)

    def order_rows(self) -> list[int]:
        """Return the constraints that order the literals of an order encoding."""
        return [*self.chain, *(n for each in self._orders for n in each.numbers)]

    def total(self) -> Equation:
        """Return "the literals of a direct encoding are 1 in sum"."""
        return self.reasoning.equation([(each, 1) for each in self._singles])

    def beyond(self, ref: Ref) -> int:
        """Derive an axiom of a binary encoding, which canonical literals need not say."""
        gate, among = self.gates.literal(ref), self.gates.cone(ref)
        true = self.reasoning.true
        for lit in (true, -true):
            among += self._digit_rows(lit)
        for inner in self.gates.parts(-ref) if ref < 0 else []:
            among += self.gates.cone(inner)
        found = self.reasoning.clause_if([gate], among)
        if found is not None:
            return found
        # A hole: at most the last value before it, or at least the first one behind it.
        for before, after in pairwise(self.values):
            if after > before + 1 and ref == self._hole_axiom(before, after):
                known = [*self.least(before + 1).numbers, *self.least(after).numbers]
                return self.reasoning.clause([gate], [*known, *among])
        raise UnderivableError("an axiom of a binary encoding does not follow")

    def _hole_axiom(self, before: int, after: int) -> Ref:
        least = self.made.at_least
        return self.gates.circuit.disjunction([-least(before + 1), least(after)])

    def equal(self, value: int) -> list[int]:
        """Return constraints: the gate of a value is ``o_at and not o_(at + 1)``."""
        if value not in self._equal:
            self._equal[value] = self._equal_made(value)
        return self._equal[value]

    def around(self, value: int) -> tuple[Lit, Lit]:
        """Return the canonical literals "at least this value" and "more than this value"."""
        return self.at_least(value), self.at_least(value + 1)

    def _equal_made(self, value: int) -> list[int]:
        (low, high), ref = self.around(value), self.made.equals(value)
        gate, among = self.gates.literal(ref), self.gates.cone(ref)
        at = bisect_left(self.values, value)
        if self.encoding is IntegerEncoding.DIRECT:
            among += self._singles[at].numbers
            among += self.chain[max(at - 1, 0) : at]
        elif self.encoding is IntegerEncoding.ORDER:
            for one in self._orders[max(at - 1, 0) : at + 1]:
                among += one.numbers
        else:
            for lit in (low, -low, high, -high):
                among += self._digit_rows(lit)
        clauses = [[gate, -low, high], [-gate, low], [-gate, -high]]
        return [
            self.reasoning.clause(each, among)
            for each in clauses
            if self.reasoning.true not in each
        ]

    def single(self, value: int) -> Equation:
        """Return ``gate of the value = o_at - o_(at + 1)``."""
        at = bisect_left(self.values, value)
        if self.encoding is IntegerEncoding.DIRECT:
            return self._singles[at]
        ge, *others = self.equal(value)
        if 0 < at < len(self.canonical):
            parts = [*((each, 1) for each in others), (self.chain[at - 1], 1)]
            return Equation(ge, self.reasoning.state.add(parts, (), 2))
        return Equation(ge, others[0] if others else None)
