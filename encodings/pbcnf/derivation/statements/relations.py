"""Relations as they are stated, and the gates of what a builder makes of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from pbcnf.derivation.statements.integers import LinkedInteger
from pbcnf.derivation.statements.maxima import EqualMaxima
from pbcnf.derivation.statements.pairs import BoundLiteral, TwoIntegers, at_most_one
from pbcnf.derivation.statements.reasoning import Equation
from pbcnf.language.circuit import FALSE, TRUE, Operation, Ref
from pbcnf.language.expressions import (
    Comparison,
    Compound,
    Not,
    Operand,
    Proposition,
    Sum,
)
from pbcnf.language.integers import IntegerVariable
from pbcnf.language.relations import MOST_PLACES
from pbcnf.literals import Lit


class EqualRelations(EqualMaxima):
    """Relations: all different, rows of a table, lexicographic order."""

    def _all_different(self, at: int, operands: Sequence[Operand]) -> Equation:
        each = self.nodes[at]
        assert isinstance(each, Proposition)
        shifted: list[tuple[LinkedInteger, int]] = []
        for whole in map(Sum.of, operands):
            match [*whole.terms]:
                case [(IntegerVariable() as variable, 1)]:
                    shifted.append((self.integers[variable], whole.constant))
        places = sum(len(integer.values) for integer, _ in shifted)
        if len(shifted) < len(operands) or places > MOST_PLACES:
            return self._all_unequal(at, operands, each)
        reasoning, gates = self.reasoning, self.gates
        *pairs, last = self.made(at)
        whole_side, ref = self.side(last), self.ref(each)
        gate = gates.literal(ref)
        # Places: of each value the literals of those that can have it, in order.
        limits = self._limits(each, shifted)
        limiting = {
            place: self._limiting(limited, gate, [*gates.own[abs(ref)], *cone])
            for place, (limited, cone) in limits.items()
        }
        for (x, _), _ in (pair for pair in Counter(shifted).items() if pair[1] > 1):
            # A number is not different from itself, and no value is left to it.
            never = reasoning.clause([-whole_side.lit], self.rows_of(at))
            known = [*x.chain, *(n for value in x.values for n in x.equal(value))]
            known += [n for some in limiting.values() for n in some]
            other = reasoning.clause([whole_side.lit, -gate], known)
            return Equation(other, reasoning.clause([-whole_side.lit, gate], [never]))
        clauses: dict[tuple[int, int, int], int] = {}
        back: list[int] = []
        own_whole = whole_side.halves.numbers
        for number, (i, j) in enumerate(combinations(range(len(shifted)), 2)):
            above, below, either = [self.side(one) for one in pairs[3 * number : 3 * number + 3]]
            (x, s), (y, t) = shifted[i], shifted[j]
            if x is y:
                # Two different numbers are added to one integer: it has not two values.
                either_holds = [
                    *above.halves.numbers,
                    *below.halves.numbers,
                    *either.halves.numbers,
                ]
                back.append(reasoning.clause([either.lit, -gate], either_holds))
                for value in x.values:
                    if value + s - t in x.values:
                        lits = [-gates.literal(x.made.equals(v)) for v in (value, value + s - t)]
                        known = [*x.equal(value), *x.equal(value + s - t), *x.chain]
                        clauses[i, j, value + s] = reasoning.clause([-whole_side.lit, *lits], known)
                continue
            two = TwoIntegers(x, 1, y, -1, reasoning)
            total = t - s
            least, most = below.opposite, above.opposite
            own = [*either.halves.numbers]
            stated = reasoning.clause([-whole_side.lit, either.lit], own_whole)

            def excluded(
                value: int, partner: int, shift: int = s, two: TwoIntegers = two
            ) -> list[int]:
                one, other = two.x.made.equals(value), two.y.made.equals(partner)
                among = limiting[value + shift]
                lits = [-gate, -gates.literal(one), -gates.literal(other)]
                return [reasoning.clause(lits, among), *two.x.equal(value), *two.y.equal(partner)]

            for value in x.values:
                partner = two.partner(total, value)
                if partner is not None:
                    held = two.equal_values(least, most, value, partner)
                    lits = [
                        -gates.literal(x.made.equals(value)),
                        -gates.literal(y.made.equals(partner)),
                    ]
                    among = [*held, *x.equal(value), *y.equal(partner), *own, stated]
                    clauses[i, j, value + s] = reasoning.clause([-whole_side.lit, *lits], among)
            never = two.never_equal(least, most, total, [-gate], excluded)
            back.append(reasoning.clause([either.lit, -gate], [never, *own]))
        to = self._limits_hold(whole_side, shifted, limits, clauses)
        one = reasoning.clause([-whole_side.lit, gate], [*to, *gates.own[abs(ref)]])
        other = reasoning.clause([whole_side.lit, -gate], [*back, *own_whole])
        return Equation(other, one)

    def _limiting(self, ref: Ref, whole: Lit, among: Sequence[int]) -> list[int]:
        """Return constraints: ``whole`` excludes two integers with one value."""
        reasoning, gates = self.reasoning, self.gates
        if ref > 0 and self.circuit[ref].operation is Operation.SUM:
            lit, halves = gates.sides[ref][-1]
            assert halves.while_true is not None
            return [halves.while_true, reasoning.clause([-whole, lit], among)]
        return [reasoning.clause([-whole, gates.literal(ref)], among), *gates.cone(ref)]

    def _all_unequal(self, at: int, operands: Sequence[Operand], each: Proposition) -> Equation:
        """Show that all are different in pairs, where the builder compares pairs, too."""
        *pairs, last = [self.side(one) for one in self.made(at)]
        parts = each.parts if isinstance(each, Compound) and len(operands) > 2 else (each,)
        among = [*last.halves.numbers, *self.gates.cone(self.ref(each))]
        for number, (two, part) in enumerate(zip(combinations(operands, 2), parts, strict=True)):
            above, below, either = pairs[3 * number : 3 * number + 3]
            ref = self.ref(part)
            if isinstance(part, Not) and isinstance(part.part, Comparison):
                sides = below.opposite, above.opposite, either.opposite
                among += self.different(part.part, sides, ref).numbers
                continue
            places = [self.places[operand] for operand in two]
            known = [n for side in (above, below, either) for n in side.halves.numbers]
            known += [n for place in places for n in self._known[place].numbers]
            # A parity inside may have become part of this one.
            inner = [ref, *(self.ref(one) for one in two if isinstance(one, Proposition))]
            known += [n for one in inner for n in self.gates.cone(one)]
            cases = [*map(self.literal, places), *self.gates.leaves(ref)]
            gate = self.gates.literal(ref)
            among += self.reasoning.same(either.lit, gate, known, cases).numbers
        return self._same(last.lit, self.ref(each), among)

    def _limits(
        self, each: Proposition, shifted: Sequence[tuple[LinkedInteger, int]]
    ) -> dict[int, tuple[Ref, list[int]]]:
        """Return for each value the gate that limits the value, and its definitions."""
        places = sorted({value + shift for integer, shift in shifted for value in integer.values})
        counts = {
            place: sum(place - shift in integer.values for integer, shift in shifted)
            for place in places
        }
        exact = len(places) == len(shifted)
        limited = [place for place in places if counts[place] > 1 or exact]
        parts = each.parts if isinstance(each, Compound) else (each,)
        found = {}
        for place, part in zip(limited, parts, strict=True):
            ref = self.ref(part)
            found[place] = ref, self.gates.cone(ref)
        return found

    def _limits_hold(
        self,
        whole: BoundLiteral,
        shifted: Sequence[tuple[LinkedInteger, int]],
        limits: Mapping[int, tuple[Ref, list[int]]],
        clauses: Mapping[tuple[int, int, int], int],
    ) -> list[int]:
        """Show that pairwise different values keep each limit."""
        reasoning, gates = self.reasoning, self.gates
        here = {
            place: [
                at for at, (integer, shift) in enumerate(shifted) if place - shift in integer.values
            ]
            for place in limits
        }
        most: dict[int, int] = {}
        for place, own in here.items():
            if len(own) > 1:
                pairs = [[clauses[i, j, place] for i in own if i < j] for j in own[1:]]
                most[place] = at_most_one(reasoning, pairs)
        found = []
        for place, (ref, cone) in limits.items():
            gate = gates.literal(ref)
            bounds = [most[place]] if place in most else []
            gate_sum = self.circuit[ref]
            own = [clauses[i, j, place] for i, j in combinations(here[place], 2)]
            number = (
                reasoning.clause_if([-whole.lit, gate], [*own, *cone]) if len(own) < 2 else None
            )
            if number is None and gate_sum.operation is Operation.SUM and ref > 0:
                sides = []
                for lit, halves in gates.sides[abs(ref)]:
                    half = halves.while_false
                    assert half is not None
                    options = [
                        *bounds,
                        *(
                            [self._taken(place, shifted, most)]
                            if len(gates.sides[abs(ref)]) > 1
                            else []
                        ),
                    ]
                    for bound in options:
                        row = reasoning.row(bound).coefficients.get(abs(whole.lit), 0)
                        del row
                        if reasoning.state.sum_refutes([-whole.lit, lit], [(bound, 1), (half, 1)]):
                            sides.append(
                                reasoning.refuted([-whole.lit, lit], [(bound, 1), (half, 1)])
                            )
                            break
                number = reasoning.clause([-whole.lit, gate], [*sides, *cone])
            if number is None:
                values = [shifted[at][0].equal(place - shifted[at][1]) for at in here[place]]
                known = [*own, *bounds, *cone, *(n for each in values for n in each)]
                number = reasoning.clause([-whole.lit, gate], known)
            found.append(number)
        return found

    def _taken(
        self, place: int, shifted: Sequence[tuple[LinkedInteger, int]], most: Mapping[int, int]
    ) -> int:
        """Return the constraint "some integer has the value", by counting values and integers."""
        parts = [(number, 1) for other, number in most.items() if other != place]
        for integer, _ in shifted:
            total = self.reasoning.equation(
                [(integer.single(value), 1) for value in integer.values]
            )
            if total.ge is not None:
                parts.append((total.ge, 1))
        return self.reasoning.summed(parts)

    def _entry(
        self, terms: Sequence[tuple[Operand, int]], lower: int | None, upper: int | None
    ) -> tuple[Comparison, Ref]:
        """Return a comparison that a relation consists of, and its gate."""
        found = Comparison([*terms], lower, upper)
        return found, self.lowering._compared(found)

    def _table(self, at: int) -> Equation:
        each = self.nodes[at]
        assert isinstance(each, Compound)
        assert each.origin is not None
        _, (operands,), rows = each.origin
        reasoning, gates, made = self.reasoning, self.gates, iter(self.made(at))
        columns = [Sum.of(operand) for operand in operands]
        equal: dict[tuple[int, int], tuple[BoundLiteral, BoundLiteral, BoundLiteral, Ref]] = {}
        among: list[int] = []
        chosen: list[tuple[BoundLiteral, Ref]] = []
        for row in rows:
            for place in enumerate(row):
                if place not in equal:
                    lower, upper, whole = (self.side(next(made)) for _ in range(3))
                    column = columns[place[0]]
                    value = place[1] - column.constant
                    one, ref = self._entry([*column.terms], value, value)
                    among += self.compared(one, lower, upper, whole, ref).numbers
                    equal[place] = lower, upper, whole, ref
            side = self.side(next(made))
            ref = self.circuit.conjunction([equal[place][3] for place in enumerate(row)])
            gates.literal(ref)
            known = [n for place in enumerate(row) for n in equal[place][2].halves.numbers]
            inner = [*side.halves.numbers, *known, *among, *gates.cone(ref)]
            chosen.append((side, ref))
            among += reasoning.same(side.lit, gates.literal(ref), inner).numbers
        whole = self.side(next(made))
        for (at_one, value), (_, upper, this, _) in equal.items():
            for (at_other, more), (least, _, other, _) in equal.items():
                if at_one == at_other and value < more:
                    among.append(self._exclusive(upper, this, least, other))
        among += [n for side, _ in chosen for n in side.halves.numbers]
        among += whole.halves.numbers
        ref = self.ref(each)
        gate, cone = gates.literal(ref), gates.cone(ref)
        shown = [
            reasoning.clause([-whole.lit, gates.literal(part)], [*among, *gates.cone(part), *cone])
            for part in gates.parts(ref)
        ]
        return Equation(
            reasoning.clause([whole.lit, -gate], [*among, *cone]),
            reasoning.clause([-whole.lit, gate], [*shown, *cone]),
        )

    def _exclusive(
        self, upper: BoundLiteral, one: BoundLiteral, lower: BoundLiteral, other: BoundLiteral
    ) -> int:
        """Show that a number has not two values; the first one is smaller."""
        known = [
            *one.halves.numbers,
            *other.halves.numbers,
            *upper.halves.numbers,
            *lower.halves.numbers,
        ]
        if upper.halves.while_true is not None and lower.halves.while_true is not None:
            parts = [(upper.halves.while_true, 1), (lower.halves.while_true, 1)]
            known.append(self.reasoning.refuted([-upper.lit, -lower.lit], parts))
        return self.reasoning.clause([-one.lit, -other.lit], known)

    def _lexicographic(self, at: int) -> Equation:
        each = self.nodes[at]
        assert isinstance(each, Compound)
        assert each.origin is not None
        _, (ahead, behind), _ = each.origin
        made = iter(self.made(at))
        first = self.side(next(made))
        found, lit = (TRUE if len(ahead) <= len(behind) else FALSE), first.lit
        same = self.reasoning.same(lit, self.gates.literal(found), first.halves.numbers)
        for a, b in reversed([*zip(ahead, behind, strict=False)]):
            difference = Sum.of(a).plus(b, -1)
            sides = [self.side(next(made)) for _ in range(4)]
            among = [n for side in sides for n in side.halves.numbers] + same.numbers
            refs: list[Ref] = []
            for side, upper in ((sides[0], 0), (sides[1], -1)):
                one, ref = self._entry([*difference.terms], None, upper - difference.constant)
                among += self.compared(one, None, side, side, ref).numbers
                refs.append(ref)
            later = self.circuit.disjunction([refs[1], found])
            known = [*among, *self.gates.cone(later)]
            among += self.reasoning.same(sides[2].lit, self.gates.literal(later), known).numbers
            found = self.circuit.conjunction([refs[0], later])
            gate = self.gates.literal(found)
            same = self.reasoning.same(sides[3].lit, gate, [*among, *self.gates.cone(found)])
        return same
