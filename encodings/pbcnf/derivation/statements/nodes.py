"""Nodes of a statements file and the gates that a builder makes of them: each pair is equal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbcnf.derivation.derivation_state import UnderivableError
from pbcnf.derivation.statements.products import MultipliedSum, product
from pbcnf.derivation.statements.reasoning import Equation
from pbcnf.derivation.statements.relations import EqualRelations
from pbcnf.errors import EncodingError
from pbcnf.language.circuit import TRUE, Ref
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
    Sum,
)
from pbcnf.language.integers import IntegerVariable
from pbcnf.literals import Lit
from pbcnf.proof.cutting_planes.canonical import CanonicalVariable, Form, form_of, summed


class EqualNodes(EqualRelations):
    """Equations of nodes: the canonical value equals the value of the gates."""

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
                waiting += [(part, False) for part in self._needed(at)]
        return self._known[root]

    def _needed(self, at: int) -> list[int]:
        """Return the nodes whose equations a node needs."""
        each, node = self.nodes[at], self.stated[at]
        terms: list[tuple[Operand, int]] = []
        match node:
            case {"all_different": own} | {"table": own}:
                operands = [*own]
            case {"lexicographic": [ahead, behind]}:
                operands = [*ahead, *behind]
            case {"element": place, "entries": entries}:
                operands = [place, *(entry for _, entry in entries)]
            case _:
                operands = []
        match each:
            case _ if operands:
                terms = [pair for index in operands for pair in Sum.of(self.nodes[index]).terms]
            case Compound():
                terms = [(part, 1) for part in each.parts]
            case Not(part=Comparison() as inner) if self._equates(inner):
                terms = inner.terms
            case Not():
                terms = [(each.part, 1)]
            case Comparison() | Sum():
                terms = [*each.terms]
            case IntegerProduct():
                terms = [*each.left.terms, *each.right.terms]
        # What a maximum consists of: it has an equation itself only where it is summed.
        found, waiting = list[int](), [operand for operand, _ in terms]
        while waiting:
            operand = waiting.pop()
            if isinstance(operand, Maximum):
                waiting += [part for one in operand.parts for part, _ in one.terms]
            else:
                found.append(self.places[operand])
        return found

    def _equates(self, inner: Comparison) -> bool:
        """Whether a comparison is an equation that was stated as such."""
        return (
            inner.lower == inner.upper is not None and "compare" in self.stated[self.places[inner]]
        )

    def _made_equal(self, at: int) -> Equation:
        each, node = self.nodes[at], self.stated[at]
        if isinstance(each, Constant):
            return self._same(self.literal(at), self.ref(each), self.rows_of(at))
        match node:
            case {"all_different": operands}:
                return self._all_different(at, [self.nodes[index] for index in operands])
            case {"table": _}:
                return self._table(at)
            case {"lexicographic": _}:
                return self._lexicographic(at)
            case {"element": _, "entries": entries}:
                return self._element(at, entries)
        match each:
            case Literal():
                return Equation(None, None)
            case IntegerVariable():
                return self.integers[each].link
            case Sum():
                return self.linear(each.terms)
            case Not(part=Comparison() as inner) if self._equates(inner):
                lower, upper, whole = self._bounds(self.places[inner], inner)
                assert lower is not None
                assert upper is not None
                return self.different(inner, (lower, upper, whole), self.ref(each))
            case Not():
                return self._known[self.places[each.part]].opposite
            case Compound():
                return self._compound(at, each)
            case Comparison():
                lower, upper, whole = self._bounds(at, each)
                return self.compared(each, lower, upper, whole)
            case IntegerProduct():
                factors = self._factor(each.left), self._factor(each.right)
                return self._multiplied(*factors, iter(self.made(at)))[1]
        raise UnderivableError(f"{type(each).__name__} has no derivation")

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

    def _factor(self, whole: Sum) -> tuple[MultipliedSum, dict[Lit, Ref]]:
        """Return a sum as a factor, and the references of its gates."""
        constant, weighted = self.lowering.linear_form(whole)
        form = self.form(whole.terms, whole.constant)
        return self._made_factor(form, constant, weighted, self.linear(whole.terms))

    def _made_factor(
        self, form: Form, constant: int, weighted: Sequence[tuple[Ref, int]], equation: Equation
    ) -> tuple[MultipliedSum, dict[Lit, Ref]]:
        refs, weights = dict[Lit, Ref](), dict[Lit, int]()
        for ref, weight in weighted:
            if abs(ref) == TRUE:
                constant += weight if ref == TRUE else 0
            elif weight:
                lit = self.gates.literal(ref)
                refs[lit] = ref
                weights[lit] = weights.get(lit, 0) + weight
        gates = [(weight, lit) for lit, weight in weights.items() if weight]
        pairs = [(a, v) for v, a in form.ascending()]
        equation = self.reasoning.without_true(equation)
        return MultipliedSum(form.constant, pairs, constant, gates, equation), refs

    def _multiplied(
        self,
        left: tuple[MultipliedSum, dict[Lit, Ref]],
        right: tuple[MultipliedSum, dict[Lit, Ref]],
        made: Iterator[CanonicalVariable],
        whole: Ref | None = None,
    ) -> tuple[Form, Equation]:
        """Return the form of a product, and its equation; ``whole``: the gate of two gates."""
        one, other = left[0], right[0]
        pairs: dict[tuple[Lit, Lit], tuple[Lit, list[int]]] = {}
        parts = [(one.constant, Form(other.constant, {v: b for b, v in other.form}))]
        parts.append((other.constant, Form(0, {v: a for a, v in one.form})))
        for a, x in one.form:
            for b, y in other.form:
                defined = (x, list[int]())
                if x != y:
                    side = self.side(next(made))
                    defined = side.lit, side.halves.numbers
                pairs[x, y] = defined
                parts.append((a * b, form_of(defined[0])))

        def gate(lit: Lit, own: Lit) -> tuple[Lit, list[int]]:
            refs = left[1][own], right[1][lit]
            ref = self.circuit.conjunction(refs) if whole is None else whole
            cones = [self.gates.cone(each) for each in (refs if whole else ())]
            return self.gates.literal(ref), [*self.gates.cone(ref), *(n for c in cones for n in c)]

        equation = product(self.reasoning, one, other, lambda x, y: pairs[x, y], gate)
        return summed(parts), equation

    def _element(self, at: int, entries: Sequence[tuple[int, int]]) -> Equation:
        """Show that a sum of entries, each times "the place is this one", equals its gates."""
        whole, made = self.nodes[at], iter(self.made(at))
        assert isinstance(whole, Sum)
        for (operand, _), (_, index) in zip(whole.terms, entries, strict=True):
            match operand:
                case IntegerProduct(right=Sum() as right):
                    [(here, _)], joined = right.terms, None
                case Compound(parts=(*_, here)):
                    joined = self.ref(operand)
                case _:
                    raise UnderivableError("an element has no entry")
            assert isinstance(here, Comparison)
            lower, upper, side = (self.side(next(made)) for _ in range(3))
            equation = self.compared(here, lower, upper, side)
            factor = self._made_factor(form_of(side.lit), 0, [(self.ref(here), 1)], equation)
            entry = self._factor(Sum.of(self.nodes[index]))
            self._terms[operand] = self._multiplied(entry, factor, made, joined)
        return self.linear(whole.terms)

    def _parity(self, at: int, lit: Lit, ref: Ref, parts: Sequence[int]) -> Equation:
        """Show that two parities of equal parts, in whatever order, are equal."""
        # Few parts: by their values.
        among = [*self.rows_of(at), *(n for part in parts for n in self._known[part].numbers)]
        if len(parts) > 8:
            raise EncodingError(f"a parity of {len(parts)} parts in a statement has no proof yet")
        cases = [self.literal(part) for part in parts]
        return self._same(lit, ref, [*among, *self.gates.cone(ref)], [*dict.fromkeys(cases)])
