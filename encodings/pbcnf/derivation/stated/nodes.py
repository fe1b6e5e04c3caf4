"""Nodes of a statements file and the gates that a builder makes of them: each pair is equal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from pbcnf.derivation.derivation_state import UnderivableError
from pbcnf.derivation.stated.gates import ExactGates
from pbcnf.derivation.stated.integers import LinkedInteger
from pbcnf.derivation.stated.pairs import Side, TwoIntegers, at_most_one
from pbcnf.derivation.stated.reasoning import Equation, Halves, Reasoning
from pbcnf.derivation.stated.recorded import RecordedEncoding
from pbcnf.errors import EncodingError
from pbcnf.language.circuit import FALSE, TRUE, Operation, Ref
from pbcnf.language.expressions import (
    Comparison,
    Compound,
    Connective,
    Constant,
    IntegerProduct,
    Literal,
    Maximum,
    Not,
    Operand,
    Proposition,
    Sum,
)
from pbcnf.language.integers import IntegerVariable
from pbcnf.language.lowering import _integers
from pbcnf.literals import Lit, Var
from pbcnf.proof.cutting_planes.canonical import CanonicalRows, Defined


class EqualNodes:
    """What is shown of nodes: ``value = value of its gates``, each node once."""

    def __init__(
        self,
        canonical: CanonicalRows,
        nodes: Sequence[Operand],
        meanings: Mapping[Var, Halves],
        encoding: RecordedEncoding,
        integers: Mapping[IntegerVariable, LinkedInteger],
        gates: ExactGates,
        reasoning: Reasoning,
    ) -> None:
        """``meanings``: of each canonical variable that was defined."""
        self.canonical, self.nodes, self.meanings = canonical, nodes, meanings
        self.lowering, self.circuit = encoding.lowering, encoding.circuit
        self.integers, self.gates, self.reasoning = integers, gates, reasoning
        self.places = {each: at for at, each in enumerate(nodes) if at in canonical.values}
        self._known: dict[int, Equation] = {}

    def literal(self, at: int) -> Lit:
        """Return the canonical literal of a proposition."""
        value = self.canonical.values[at]
        assert isinstance(value, int)
        return value

    def ref(self, each: Proposition) -> Ref:
        """Return the reference of a proposition."""
        return self.lowering.ref(each)

    def made(self, at: int) -> list[Defined]:
        """Return what was defined for a node."""
        return self.canonical.made.get(at, [])

    def side(self, defined: Defined) -> Side:
        """Return a variable with what it means."""
        return Side(defined.var, self.meanings[defined.var])

    def rows_of(self, at: int) -> list[int]:
        """Return the constraints of all that was defined for a node."""
        return [
            n for each in self.made(at) for n in self._numbers(self.meanings[each.var])
        ]

    @staticmethod
    def _numbers(halves: Halves) -> list[int]:
        return halves.numbers

    def equation(self, root: int) -> Equation:
        """Return ``value of the node = value of its gates``."""
        waiting = [(root, False)]
        while waiting:
            at, ready = waiting.pop()
            if at in self._known:
                continue
            if ready:
                self._known[at] = self._made_equal(at)
            else:
                waiting.append((at, True))
                waiting += [(part, False) for part in self._needed(self.nodes[at])]
        return self._known[root]

    def _needed(self, each: Operand) -> list[int]:
        """Return the nodes whose equations that of an expression needs."""
        match each:
            case Compound(origin=(_, operands, _)):
                every = [term for some in operands for part in some for term in Sum.of(part).terms]
                found = [self.places[part] for part, _ in every]
            case Compound():
                found = [self.places[part] for part in each.parts]
            case Not(part=Comparison() as inner) if inner.lower == inner.upper:
                found = [self.places[part] for part, _ in inner.terms]
            case Not():
                found = [self.places[each.part]]
            case Comparison() | Sum():
                found = [self.places[part] for part, _ in each.terms]
            case _:
                found = []
        return found

    def _made_equal(self, at: int) -> Equation:
        each = self.nodes[at]
        match each:
            case Literal():
                return Equation(None, None)
            case IntegerVariable():
                return self.integers[each].link
            case Sum():
                return self.linear(each.terms)
            case Constant():
                return self._same(self.literal(at), self.ref(each), self.rows_of(at))
            case Not(part=Comparison() as inner) if inner.lower == inner.upper:
                return self._different(self.places[inner], each, inner)
            case Not():
                return self._known[self.places[each.part]].opposite
            case Compound(origin=(name, _, _)):
                return self._relation(at, each, name)
            case Compound():
                return self._compound(at, each)
            case Comparison():
                lower, upper, whole = self._bounds(at, each)
                return self.compared(each, lower, upper, whole)
            case IntegerProduct():
                raise EncodingError("a product of integers in a statement has no proof yet")
            case Maximum():
                raise EncodingError("a maximum in a statement has no proof yet")
        raise UnderivableError(f"{type(each).__name__} has no derivation")

    def linear(self, terms: object) -> Equation:
        """Return the equation of a weighted sum."""
        pairs: list[tuple[Equation, int]] = []
        for each, weight in terms:  # type: ignore[attr-defined]
            pairs.append((self._known[self.places[each]], weight))
        return self.reasoning.equation(pairs)

    def _same(self, lit: Lit, ref: Ref, among: Sequence[int], cases: Sequence[Lit] = ()) -> Equation:
        gate = self.gates.literal(ref)
        return self.reasoning.same(lit, gate, [*among, *self.gates.own[abs(ref)]], cases)

    def _compound(self, at: int, each: Compound) -> Equation:
        parts = [self.places[part] for part in each.parts]
        lit, ref = self.literal(at), self.ref(each)
        among = [*self.rows_of(at), *(n for part in parts for n in self._known[part].numbers)]
        if each.connective is Connective.XOR:
            return self._parity(at, lit, ref, parts)
        cases = [self.literal(parts[0])] if each.connective is Connective.ITE else []
        if each.connective is Connective.ITE:
            return self._same(lit, ref, [*among, *self.gates.cone(ref)], cases)
        return self._same(lit, ref, among)

    def _parity(self, at: int, lit: Lit, ref: Ref, parts: Sequence[int]) -> Equation:
        """Show that two parities of equal parts, in whatever order, are equal."""
        # Few parts: by their values.
        among = [*self.rows_of(at), *(n for part in parts for n in self._known[part].numbers)]
        if len(parts) > 8:
            raise EncodingError(f"a parity of {len(parts)} parts in a statement has no proof yet")
        cases = [self.literal(part) for part in parts]
        return self._same(lit, ref, [*among, *self.gates.cone(ref)], [*dict.fromkeys(cases)])

    # Comparisons.

    def _bounds(self, at: int, each: Comparison) -> tuple[Side | None, Side | None, Side]:
        sides = [self.side(one) for one in self.made(at)]
        if each.lower is not None and each.upper is not None:
            return sides[0], sides[1], sides[2]
        if each.lower is None and each.upper is None:
            return None, None, sides[0]
        return (sides[0], None, sides[0]) if each.upper is None else (None, sides[0], sides[0])

    def compared(
        self,
        each: Comparison,
        lower: Side | None,
        upper: Side | None,
        whole: Side,
        ref: Ref | None = None,
    ) -> Equation:
        """Show that a comparison, of which bounds are defined, equals its gate."""
        integers = _integers(each)
        if any(isinstance(part, Maximum | IntegerProduct) for part, _ in each.terms):
            raise EncodingError("a product or a maximum in a statement has no proof yet")
        ref = self.lowering._known(each) if ref is None else ref
        if integers is not None and len(integers) == 1:
            variable, weight = integers[0]
            return self._one_integer(self.integers[variable], weight, each, lower, upper, whole, ref)
        if integers is not None and len(integers) == 2 and self.lowering._few(integers):
            return self._two_integers(each, integers, lower, upper, whole, ref)
        equation = self.linear(each.terms)
        known = list[int]()
        for side, bound, sign in ((lower, each.lower, 1), (upper, each.upper, -1)):
            if side is not None and bound is not None:
                known += self._general(side, sign, equation, each, bound)
        if lower is None or upper is None:
            return self._same(whole.lit, ref, [*known, *whole.halves.numbers, *self.gates.cone(ref)])
        try:
            return self._two_sided(whole, (lower, upper), equation, ref)
        except UnderivableError:
            over = [self._over_gates(side, sign, equation) for side, sign in ((lower, 1), (upper, -1))]
            rows = [*whole.halves.numbers, *(n for one in over for n in one.numbers)]
            return self.gates.equal_by_cases(whole.lit, rows, ref)

    def _over_gates(self, side: Side, sign: int, equation: Equation) -> Halves:
        """Return what a bound means, over literals of gates."""
        # while true: sign * form >= bound, and form = gates.
        halves, found = side.halves, list[int | None]()
        for half, of in ((halves.while_true, equation), (halves.while_false, equation.opposite)):
            link = of.le if sign > 0 else of.ge
            if half is None or link is None:
                # A bound that is constant: that both sides are equal is all there is to say.
                found.append(link if half is None else half)
            else:
                found.append(self.reasoning.summed([(half, 1), (link, 1)]))
        return Halves(found[0], found[1], halves.unit)

    def _general(
        self, side: Side, sign: int, equation: Equation, each: Comparison, bound: int
    ) -> list[int]:
        """Show that one bound of a sum equals the gate of that bound alone."""
        constant, terms = self.lowering._expanded(each.terms)
        less = bound - constant
        one = self.circuit.bounded(terms, less if sign > 0 else None, less if sign < 0 else None)
        over = self._over_gates(side, sign, equation)
        return self.gates.equal_bound(side.lit, over, one).numbers

    def _two_sided(self, whole: Side, sides: Sequence[Side], equation: Equation, ref: Ref) -> Equation:
        """Show that two bounds of a sum, which have one gate in normal form, equal the gate."""
        reasoning, gate = self.reasoning, self.gates.literal(ref)
        own = [*whole.halves.numbers, *self.gates.cone(ref)]
        over = [self._over_gates(side, sign, equation) for side, sign in zip(sides, (1, -1), strict=True)]
        rows = [n for each in over for n in each.numbers]
        to = reasoning.clause_if([-whole.lit, gate], [*own, *rows])
        if to is None:
            shown, units = list[int](), list[int]()
            key = [part for part in self.gates.parts(ref)]
            for part in sorted(key, key=lambda one: self.circuit[one].operation is Operation.SUM):
                number = reasoning.clause_if([-whole.lit, self.gates.literal(part)], [*own, *rows, *units])
                if number is not None:
                    units.append(number)
                else:
                    number = self._sum_of_both(whole, sides, over, part, units)
                shown.append(number)
            to = reasoning.clause([-whole.lit, gate], [*shown, *own])
        back = list[int]()
        for side, halves in zip(sides, over, strict=True):
            found = reasoning.clause_if([side.lit, -gate], [*own, *halves.numbers])
            back.append(self._side_of_gate(side, halves, ref) if found is None else found)
        return Equation(reasoning.clause([whole.lit, -gate], [*back, *own]), to)

    def _sum_of_both(
        self, whole: Side, sides: Sequence[Side], over: Sequence[Halves], part: Ref, units: Sequence[int]
    ) -> int:
        """Show that a comparison with both bounds implies the sum of its normal form."""
        reasoning, found = self.reasoning, list[int]()
        if self.circuit[part].operation is not Operation.SUM:
            raise UnderivableError("two bounds do not imply their normal form")
        known = self.gates.sides[abs(part)]
        for lit, halves in known:
            half = halves.while_false if part > 0 else halves.while_true
            assert half is not None
            weights = {v: abs(c) for v, c in reasoning.row(half).coefficients.items() if v != abs(lit)}
            number: int | None = None
            for side, bound in zip(sides, over, strict=True):
                if bound.while_true is None or number is not None:
                    continue
                try:
                    number = self.gates.by_multiples(
                        [-side.lit, -whole.lit, lit if part > 0 else -lit], bound.while_true, half, weights, units
                    )
                except UnderivableError:
                    continue
            if number is None:
                raise UnderivableError("a bound does not imply its normal form")
            found.append(number)
        lit = self.gates.literal(part)
        return reasoning.clause([-whole.lit, lit], [*found, *whole.halves.numbers, *self.gates.own[abs(part)]])

    def _side_of_gate(self, side: Side, halves: Halves, ref: Ref) -> int:
        """Show that the gate of both bounds implies one of them."""
        reasoning, gate = self.reasoning, self.gates.literal(ref)
        bound = halves.while_false
        if bound is None:
            raise UnderivableError("a bound that always holds does not follow")
        coefficients = reasoning.row(bound).coefficients
        own, units = self.gates.cone(ref), list[tuple[int, int]]()
        options: list[list[tuple[int, int]]] = []
        for part in self.gates.parts(ref):
            lit = self.gates.literal(part)
            implied = reasoning.clause_if([-gate, lit], own) if part != ref else None
            if self.circuit[part].operation is not Operation.SUM:
                if implied is not None and abs(lit) in coefficients:
                    units.append((implied, abs(coefficients[abs(lit)])))
                continue
            for one, of in self.gates.sides[abs(part)]:
                half = of.while_true if part > 0 else of.while_false
                assert half is not None
                row = reasoning.row(half)
                ratio = max(
                    1,
                    min(
                        (
                            abs(coefficients[v]) // abs(c)
                            for v, c in row.coefficients.items()
                            if v in coefficients and v != abs(one)
                        ),
                        default=1,
                    ),
                )
                true = one if part > 0 else -one
                on = reasoning.clause([-gate, true], own)
                options.append([(half, ratio), (on, ratio * abs(row.coefficients[abs(one)]))])
        for option in options:
            parts = [(bound, 1), *option, *units]
            if reasoning.state.sum_refutes([side.lit, -gate], parts):
                return reasoning.refuted([side.lit, -gate], parts)
        raise UnderivableError("a gate does not imply its bound")

    def _bound_literal(self, side: Side, integer: LinkedInteger, weight: int, bound: int) -> list[int]:
        """Show that ``weight * integer >= bound`` equals a canonical literal of the integer."""
        if side.halves.unit is not None:
            return [side.halves.unit]
        lit = integer.weighted(weight, bound)
        one = TwoIntegers(integer, weight, integer, weight, self.reasoning)
        found = [
            one.implied([side.lit, -lit], side.halves.while_false, (integer, weight, -lit)),
            one.implied([-side.lit, lit], side.halves.while_true, (integer, weight, lit)),
        ]
        return [number for number in found if number is not None]

    def _one_integer(
        self,
        integer: LinkedInteger,
        weight: int,
        each: Comparison,
        lower: Side | None,
        upper: Side | None,
        whole: Side,
        ref: Ref,
    ) -> Equation:
        among = [*whole.halves.numbers, *self.gates.cone(ref)]
        for side, bound, sign in ((lower, each.lower, 1), (upper, each.upper, -1)):
            if side is not None and bound is not None:
                among += self._bound_literal(side, integer, sign * weight, sign * bound)
        if each.lower is not None and each.lower == each.upper:
            value, rest = divmod(each.lower, weight)
            if not rest and value in integer.values:
                among += integer.equal(value)
        else:
            for bound, sign in ((each.lower, 1), (each.upper, -1)):
                if bound is not None:
                    w, b = sign * weight, sign * bound
                    among += integer.least(-(-b // w) if w > 0 else -b // -w + 1).numbers
        return self.reasoning.same(whole.lit, self.gates.literal(ref), among)

    def _two(self, integers: Sequence[tuple[IntegerVariable, int]]) -> TwoIntegers:
        (x, a), (y, b) = sorted(integers, key=lambda pair: len(pair[0].domain))
        return TwoIntegers(self.integers[x], a, self.integers[y], b, self.reasoning)

    def _two_integers(
        self,
        each: Comparison,
        integers: Sequence[tuple[IntegerVariable, int]],
        lower: Side | None,
        upper: Side | None,
        whole: Side,
        ref: Ref,
    ) -> Equation:
        among = [*whole.halves.numbers]
        refs: list[Ref] = []
        for side, bound, sign in ((upper, each.upper, 1), (lower, each.lower, -1)):
            if side is None or bound is None:
                continue
            own = [(variable, sign * weight) for variable, weight in integers]
            one = self.lowering._at_most(own, sign * bound)
            refs.append(one)
            among += self._bounded_pair(side, self._two(own), sign * bound, one)
        for one in refs:
            self.gates.literal(one)
            among += self.gates.cone(one) if one != ref else []
        return self.reasoning.same(whole.lit, self.gates.literal(ref), [*among, *self.gates.cone(ref)])

    def _bounded_pair(self, side: Side, two: TwoIntegers, upper: int, ref: Ref) -> list[int]:
        """Show that a bound of two integers equals its gate, which goes by the values of one."""
        reasoning, gates = self.reasoning, self.gates
        gate = gates.literal(ref)
        if side.halves.unit is not None:
            known = [side.halves.unit]
            if side.lit == gate or abs(gate) == reasoning.true:
                return known
        inner: dict[int, Ref] = {}
        links: dict[int, list[int]] = {}
        for value in two.x.values:
            first = two.a * value
            x_value = -(-first // two.a) if two.a > 0 else -first // -two.a + 1
            bound = two.a * value - upper
            y_value = -(-bound // -two.b) if two.b < 0 else -bound // two.b + 1
            x_ref = two.x.made.at_least(x_value) * (1 if two.a > 0 else -1)
            y_ref = two.y.made.at_least(y_value) * (1 if two.b < 0 else -1)
            inner[value] = self.circuit.disjunction([-x_ref, y_ref])
            links[value] = [
                *two.x.least(x_value).numbers,
                *two.y.least(y_value).numbers,
                *gates.cone(x_ref),
                *gates.cone(y_ref),
            ]
            gates.literal(inner[value])
            links[value] += gates.own[abs(inner[value])]
        clauses = two.clauses_of_bound(side, upper)
        own = gates.own[abs(ref)]
        shown = [
            reasoning.clause(
                [-side.lit, gates.literal(inner[value])],
                [*links[value], *([clauses[value]] if value in clauses else []), *side.halves.numbers],
            )
            for value in two.x.values
            if inner[value] != 1
        ]
        to = reasoning.clause([-side.lit, gate], [*shown, *own])
        every = [*own]

        def known_of(value: int) -> list[int]:
            return [*every, *links[value]]

        back = two.bound_of_clauses(side, upper, -gate, known_of)
        return [to, back]

    def _different(self, at: int, each: Not, inner: Comparison) -> Equation:
        """Show that the negation of an equation equals its gate."""
        integers = _integers(inner)
        lower, upper, whole = self._bounds(at, inner)
        assert lower is not None
        assert upper is not None
        assert inner.lower is not None
        if integers is None or len(integers) != 2 or not self.lowering._few(integers):
            if at not in self._known:
                self._known[at] = self.compared(inner, lower, upper, whole)
            return self._known[at].opposite
        ref, two = self.ref(each), self._two(integers)
        return self._unequal(two, lower, upper, whole, inner.lower, ref)

    def _unequal(
        self, two: TwoIntegers, lower: Side, upper: Side, whole: Side, total: int, ref: Ref
    ) -> Equation:
        reasoning, gates = self.reasoning, self.gates
        gate, own = gates.literal(ref), gates.own[abs(ref)]
        shown: list[int] = []
        inside: dict[int, list[int]] = {}
        for value in two.x.values:
            partner = two.partner(total, value)
            if partner is None:
                continue
            both = self.circuit.conjunction([two.x.made.equals(value), two.y.made.equals(partner)])
            lit = gates.literal(both)
            inside[value] = [*own, *gates.own[abs(both)], *two.x.equal(value), *two.y.equal(partner)]
            held = two.equal_values(lower, upper, value, partner)
            shown.append(reasoning.clause([whole.lit, -lit], [*held, *inside[value], *whole.halves.numbers]))
        one = reasoning.clause([whole.lit, gate], [*shown, *own])
        never = two.never_equal(lower, upper, total, [-gate], lambda value, _: inside[value])
        other = reasoning.clause([-whole.lit, -gate], [never, *whole.halves.numbers])
        # The negation of the node equals the gate: (1 - whole) - gate.
        return Equation(other, one)

    # Relations.

    def _relation(self, at: int, each: Compound, name: str) -> Equation:
        match name:
            case "all_different":
                return self._all_different(at, each)
            case "table":
                return self._table(at, each)
        return self._lexicographic(at, each)

    def _all_different(self, at: int, each: Compound) -> Equation:
        assert each.origin is not None
        shifted: list[tuple[LinkedInteger, int]] = []
        for operand in each.origin[1][0]:
            whole = Sum.of(operand)
            match [*whole.terms]:
                case [(IntegerVariable() as variable, 1)]:
                    shifted.append((self.integers[variable], whole.constant))
                case _:
                    raise EncodingError("all_different of sums has no proof yet")
        if len({(id(integer), shift) for integer, shift in shifted}) < len(shifted):
            raise EncodingError("all_different of a number twice has no proof yet")
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
        clauses: dict[tuple[int, int, int], int] = {}
        back: list[int] = []
        own_whole = whole_side.halves.numbers
        for number, (i, j) in enumerate(combinations(range(len(shifted)), 2)):
            above, below, either = [self.side(one) for one in pairs[3 * number : 3 * number + 3]]
            (x, s), (y, t) = shifted[i], shifted[j]
            if x is y:
                # Two different numbers are added to one integer: it has not two values.
                either_holds = [*above.halves.numbers, *below.halves.numbers, *either.halves.numbers]
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

            def excluded(value: int, partner: int, shift: int = s, two: TwoIntegers = two) -> list[int]:
                one, other = two.x.made.equals(value), two.y.made.equals(partner)
                among = limiting[value + shift]
                lits = [-gate, -gates.literal(one), -gates.literal(other)]
                return [reasoning.clause(lits, among), *two.x.equal(value), *two.y.equal(partner)]

            for value in x.values:
                partner = two.partner(total, value)
                if partner is not None:
                    held = two.equal_values(least, most, value, partner)
                    lits = [-gates.literal(x.made.equals(value)), -gates.literal(y.made.equals(partner))]
                    among = [*held, *x.equal(value), *y.equal(partner), *own, stated]
                    clauses[i, j, value + s] = reasoning.clause([-whole_side.lit, *lits], among)
            never = two.never_equal(least, most, total, [-gate], excluded)
            back.append(reasoning.clause([either.lit, -gate], [never, *own]))
        to = self._limits_hold(whole_side, shifted, limits, clauses)
        one = reasoning.clause([-whole_side.lit, gate], [*to, *gates.own[abs(ref)]])
        other = reasoning.clause([whole_side.lit, -gate], [*back, *own_whole])
        return Equation(other, one)

    def _limiting(self, ref: Ref, whole: Lit, among: Sequence[int]) -> list[int]:
        """Return what excludes two integers with one value where ``whole`` is true."""
        reasoning, gates = self.reasoning, self.gates
        if ref > 0 and self.circuit[ref].operation is Operation.SUM:
            lit, halves = gates.sides[ref][-1]
            assert halves.while_true is not None
            return [halves.while_true, reasoning.clause([-whole, lit], among)]
        return [reasoning.clause([-whole, gates.literal(ref)], among), *gates.cone(ref)]

    def _limits(
        self, each: Compound, shifted: Sequence[tuple[LinkedInteger, int]]
    ) -> dict[int, tuple[Ref, list[int]]]:
        """Return the gate that limits each value, and what it means."""
        places = sorted({value + shift for integer, shift in shifted for value in integer.values})
        counts = {
            place: sum(place - shift in integer.values for integer, shift in shifted) for place in places
        }
        exact = len(places) == len(shifted)
        limited = [place for place in places if counts[place] > 1 or exact]
        if len(limited) != len(each.parts) or not all(isinstance(p, Comparison) for p in each.parts):
            raise EncodingError("all_different in this form has no proof yet")
        found = {}
        for place, part in zip(limited, each.parts, strict=True):
            ref = self.ref(part)
            found[place] = ref, self.gates.cone(ref)
        return found

    def _limits_hold(
        self,
        whole: Side,
        shifted: Sequence[tuple[LinkedInteger, int]],
        limits: Mapping[int, tuple[Ref, list[int]]],
        clauses: Mapping[tuple[int, int, int], int],
    ) -> list[int]:
        """Show that pairwise different values keep each limit."""
        reasoning, gates = self.reasoning, self.gates
        here = {
            place: [at for at, (integer, shift) in enumerate(shifted) if place - shift in integer.values]
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
            number = reasoning.clause_if([-whole.lit, gate], [*own, *cone]) if len(own) < 2 else None
            if number is None and gate_sum.operation is Operation.SUM and ref > 0:
                sides = []
                for lit, halves in gates.sides[abs(ref)]:
                    half = halves.while_false
                    assert half is not None
                    options = [*bounds, *([self._taken(place, shifted, most)] if len(gates.sides[abs(ref)]) > 1 else [])]
                    for bound in options:
                        row = reasoning.row(bound).coefficients.get(abs(whole.lit), 0)
                        del row
                        if reasoning.state.sum_refutes([-whole.lit, lit], [(bound, 1), (half, 1)]):
                            sides.append(reasoning.refuted([-whole.lit, lit], [(bound, 1), (half, 1)]))
                            break
                number = reasoning.clause([-whole.lit, gate], [*sides, *cone])
            if number is None:
                number = reasoning.clause([-whole.lit, gate], [*own, *bounds, *cone])
            found.append(number)
        return found

    def _taken(
        self, place: int, shifted: Sequence[tuple[LinkedInteger, int]], most: Mapping[int, int]
    ) -> int:
        """Return that some integer has the value: there are as many values as integers."""
        parts = [(number, 1) for other, number in most.items() if other != place]
        for integer, _ in shifted:
            total = self.reasoning.equation([(integer.single(value), 1) for value in integer.values])
            if total.ge is not None:
                parts.append((total.ge, 1))
        return self.reasoning.summed(parts)

    def _entry(self, terms: Sequence[tuple[Operand, int]], lower: int | None, upper: int | None) -> tuple[Comparison, Ref]:
        """Return a comparison that a relation consists of, and its gate."""
        found = Comparison([*terms], lower, upper)
        return found, self.lowering._compared(found)

    def _table(self, at: int, each: Compound) -> Equation:
        assert each.origin is not None
        _, (operands,), rows = each.origin
        reasoning, gates, made = self.reasoning, self.gates, iter(self.made(at))
        columns = [Sum.of(operand) for operand in operands]
        equal: dict[tuple[int, int], tuple[Side, Side, Side, Ref]] = {}
        among: list[int] = []
        chosen: list[tuple[Side, Ref]] = []
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
        for (at_one, value), (_, upper, one, _) in equal.items():
            for (at_other, more), (lower, _, other, _) in equal.items():
                if at_one == at_other and value < more:
                    among.append(self._exclusive(upper, one, lower, other))
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

    def _exclusive(self, upper: Side, one: Side, lower: Side, other: Side) -> int:
        """Show that a number has not two values; the first one is smaller."""
        known = [*one.halves.numbers, *other.halves.numbers, *upper.halves.numbers, *lower.halves.numbers]
        if upper.halves.while_true is not None and lower.halves.while_true is not None:
            parts = [(upper.halves.while_true, 1), (lower.halves.while_true, 1)]
            known.append(self.reasoning.refuted([-upper.lit, -lower.lit], parts))
        return self.reasoning.clause([-one.lit, -other.lit], known)

    def _lexicographic(self, at: int, each: Compound) -> Equation:
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
