"""Comparisons and the gates that a builder makes of them: each pair is equal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pbcnf.derivation.derivation_state import UnderivableError
from pbcnf.derivation.statements.gates import ExactGates
from pbcnf.derivation.statements.integers import LinkedInteger
from pbcnf.derivation.statements.pairs import BoundLiteral, TwoIntegers
from pbcnf.derivation.statements.reasoning import Equation, Halves, Reasoning
from pbcnf.derivation.statements.recorded import RecordedEncoding
from pbcnf.errors import EncodingError
from pbcnf.language.circuit import Operation, Ref
from pbcnf.language.expressions import Comparison, Operand, Proposition, Sum
from pbcnf.language.integers import IntegerVariable
from pbcnf.language.lowering import _integers
from pbcnf.language.statements_file import StatementsFile
from pbcnf.literals import Lit, Var
from pbcnf.proof.cutting_planes.canonical import (
    CanonicalRows,
    CanonicalVariable,
    Form,
    form_of,
    summed,
)


class _Places(dict[Operand, int]):
    """The node that states an operand, alone or as a term of a sum."""

    def __missing__(self, each: Operand) -> int:
        raise EncodingError("a relation is read as one of parts that the file does not state")


class EqualComparisons:
    """Comparisons whose bounds are canonical variables, and what is known of their operands."""

    def __init__(
        self,
        canonical: CanonicalRows,
        file: StatementsFile,
        meanings: Mapping[Var, Halves],
        encoding: RecordedEncoding,
        integers: Mapping[IntegerVariable, LinkedInteger],
        gates: ExactGates,
        reasoning: Reasoning,
    ) -> None:
        """``meanings``: of each canonical variable that was defined."""
        self.canonical, self.nodes, self.meanings = canonical, file.nodes, meanings
        self.stated = file.stated
        self.lowering, self.circuit = encoding.lowering, encoding.circuit
        self.integers, self.gates, self.reasoning = integers, gates, reasoning
        self.places = _Places()
        self._terms: dict[Operand, tuple[Form, Equation]] = {}
        """Operand of a sum that is stated as a whole -> its form and equation."""
        for at in canonical.values:
            if "element" in self.stated[at]:
                self.places |= dict.fromkeys([each for each, _ in Sum.of(self.nodes[at]).terms], at)
        self.places |= {self.nodes[at]: at for at in canonical.values}
        self._known: dict[int, Equation] = {}

    def literal(self, at: int) -> Lit:
        """Return the canonical literal of a proposition."""
        value = self.canonical.values[at]
        assert isinstance(value, int)
        return value

    def ref(self, each: Proposition) -> Ref:
        """Return the reference of a proposition."""
        return self.lowering.ref(each)

    def made(self, at: int) -> list[CanonicalVariable]:
        """Return the canonical variables defined for a node."""
        return self.canonical.made.get(at, [])

    def side(self, defined: CanonicalVariable) -> BoundLiteral:
        """Return a canonical variable with both halves of the definition."""
        return BoundLiteral(defined.var, self.meanings[defined.var])

    def rows_of(self, at: int) -> list[int]:
        """Return the constraints of all that was defined for a node."""
        return [n for each in self.made(at) for n in self.meanings[each.var].numbers]

    def form(self, terms: Iterable[tuple[Operand, int]], constant: int = 0) -> Form:
        """Return the canonical form of a weighted sum."""
        pairs: list[tuple[int, Form]] = []
        for each, weight in terms:
            if each in self._terms:
                pairs.append((weight, self._terms[each][0]))
            else:
                pairs.append((weight, form_of(self.canonical.values[self.places[each]])))
        return summed(pairs, constant)

    def linear(self, terms: Iterable[tuple[Operand, int]]) -> Equation:
        """Return the equation of a weighted sum."""
        pairs: list[tuple[Equation, int]] = []
        for each, weight in terms:
            own = self._terms.get(each)
            pairs.append((self._known[self.places[each]] if own is None else own[1], weight))
        return self.reasoning.without_true(self.reasoning.equation(pairs))

    def _same(
        self, lit: Lit, ref: Ref, among: Sequence[int], cases: Sequence[Lit] = ()
    ) -> Equation:
        gate = self.gates.literal(ref)
        return self.reasoning.same(lit, gate, [*among, *self.gates.own[abs(ref)]], cases)

    def _bounds(
        self, at: int, each: Comparison
    ) -> tuple[BoundLiteral | None, BoundLiteral | None, BoundLiteral]:
        sides = [self.side(one) for one in self.made(at)]
        if each.lower is not None and each.upper is not None:
            return sides[0], sides[1], sides[2]
        if each.lower is None and each.upper is None:
            return None, None, sides[0]
        return (sides[0], None, sides[0]) if each.upper is None else (None, sides[0], sides[0])

    def compared(
        self,
        each: Comparison,
        lower: BoundLiteral | None,
        upper: BoundLiteral | None,
        whole: BoundLiteral,
        ref: Ref | None = None,
    ) -> Equation:
        """Show that a comparison, of which bounds are defined, equals its gate."""
        integers = _integers(each)
        ref = self.lowering._known(each) if ref is None else ref
        if integers is not None and len(integers) == 1:
            variable, weight = integers[0]
            return self._one_integer(
                self.integers[variable], weight, each, lower, upper, whole, ref
            )
        if integers is not None and len(integers) == 2 and self.lowering._few(integers):
            return self._two_integers(each, integers, lower, upper, whole, ref)
        equation = self.linear(each.terms)
        known = list[int]()
        for side, bound, sign in ((lower, each.lower, 1), (upper, each.upper, -1)):
            if side is not None and bound is not None:
                known += self._general(side, sign, equation, each, bound)
        if lower is None or upper is None:
            return self._same(
                whole.lit, ref, [*known, *whole.halves.numbers, *self.gates.cone(ref)]
            )
        try:
            return self._two_sided(whole, (lower, upper), equation, ref)
        except UnderivableError:
            over = [
                self._over_gates(side, sign, equation) for side, sign in ((lower, 1), (upper, -1))
            ]
            rows = [*whole.halves.numbers, *(n for one in over for n in one.numbers)]
            return self.gates.equal_by_cases(whole.lit, rows, ref)

    def _over_gates(self, side: BoundLiteral, sign: int, equation: Equation) -> Halves:
        """Return the halves of a bound, over literals of gates."""
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
        self, side: BoundLiteral, sign: int, equation: Equation, each: Comparison, bound: int
    ) -> list[int]:
        """Show that one bound of a sum equals the gate of that bound alone."""
        constant, terms = self.lowering._expanded(each.terms)
        less = bound - constant
        one = self.circuit.bounded(terms, less if sign > 0 else None, less if sign < 0 else None)
        over = self._over_gates(side, sign, equation)
        return self.gates.equal_bound(side.lit, over, one).numbers

    def _two_sided(
        self, whole: BoundLiteral, sides: Sequence[BoundLiteral], equation: Equation, ref: Ref
    ) -> Equation:
        """Show that two bounds of a sum, which have one gate in normal form, equal the gate."""
        reasoning, gate = self.reasoning, self.gates.literal(ref)
        own = [*whole.halves.numbers, *self.gates.cone(ref)]
        over = [
            self._over_gates(side, sign, equation)
            for side, sign in zip(sides, (1, -1), strict=True)
        ]
        rows = [n for each in over for n in each.numbers]
        to = reasoning.clause_if([-whole.lit, gate], [*own, *rows])
        if to is None:
            bounds = list[int | None]()
            for side, halves in zip(sides, over, strict=True):
                half = halves.while_true
                if half is not None:
                    on = reasoning.clause([-whole.lit, side.lit], whole.halves.numbers)
                    # A bound that always holds has no literal in its constraint.
                    weight = abs(reasoning.row(half).coefficients.get(abs(side.lit), 0))
                    half = reasoning.summed([(half, 1), (on, weight)]) if weight else half
                bounds.append(half)
            to = self.gates.from_bounds(whole.lit, bounds, ref)
        back = list[int]()
        for side, halves in zip(sides, over, strict=True):
            found = reasoning.clause_if([side.lit, -gate], [*own, *halves.numbers])
            back.append(self._side_of_gate(side, halves, ref) if found is None else found)
        return Equation(reasoning.clause([whole.lit, -gate], [*back, *own]), to)

    def _side_of_gate(self, side: BoundLiteral, halves: Halves, ref: Ref) -> int:
        """Show that a gate of two bounds implies the first or the second bound."""
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

    def _bound_literal(
        self, side: BoundLiteral, integer: LinkedInteger, weight: int, bound: int
    ) -> list[int]:
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
        lower: BoundLiteral | None,
        upper: BoundLiteral | None,
        whole: BoundLiteral,
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
        lower: BoundLiteral | None,
        upper: BoundLiteral | None,
        whole: BoundLiteral,
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
        return self.reasoning.same(
            whole.lit, self.gates.literal(ref), [*among, *self.gates.cone(ref)]
        )

    def _bounded_pair(
        self, side: BoundLiteral, two: TwoIntegers, upper: int, ref: Ref
    ) -> list[int]:
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
                [
                    *links[value],
                    *([clauses[value]] if value in clauses else []),
                    *side.halves.numbers,
                ],
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

    def different(
        self, inner: Comparison, sides: tuple[BoundLiteral, BoundLiteral, BoundLiteral], ref: Ref
    ) -> Equation:
        """Show that the negation of an equation equals its gate."""
        integers, (lower, upper, whole) = _integers(inner), sides
        assert inner.lower is not None
        if integers is None or len(integers) != 2 or not self.lowering._few(integers):
            return self.compared(inner, lower, upper, whole).opposite
        return self._unequal(self._two(integers), lower, upper, whole, inner.lower, ref)

    def _unequal(
        self,
        two: TwoIntegers,
        lower: BoundLiteral,
        upper: BoundLiteral,
        whole: BoundLiteral,
        total: int,
        ref: Ref,
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
            inside[value] = [
                *own,
                *gates.own[abs(both)],
                *two.x.equal(value),
                *two.y.equal(partner),
            ]
            held = two.equal_values(lower, upper, value, partner)
            shown.append(
                reasoning.clause([whole.lit, -lit], [*held, *inside[value], *whole.halves.numbers])
            )
        one = reasoning.clause([whole.lit, gate], [*shown, *own])
        never = two.never_equal(lower, upper, total, [-gate], lambda value, _: inside[value])
        other = reasoning.clause([-whole.lit, -gate], [never, *whole.halves.numbers])
        # The negation of the node equals the gate: (1 - whole) - gate.
        return Equation(other, one)
