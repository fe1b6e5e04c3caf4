"""Nodes of a statements file and the gates that a builder makes of them: each pair is equal."""

from __future__ import annotations

from collections.abc import Sequence

from pbcnf.derivation.derivation_state import UnderivableError
from pbcnf.derivation.statements.reasoning import Equation
from pbcnf.derivation.statements.relations import EqualRelations
from pbcnf.errors import EncodingError
from pbcnf.language.circuit import Ref
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
                waiting += [(part, False) for part in self._needed(self.nodes[at])]
        return self._known[root]

    def _needed(self, each: Operand) -> list[int]:
        """Return the nodes whose equations an expression needs."""
        match each:
            case Compound(origin=(_, operands, _)):
                every = [term for some in operands for part in some for term in Sum.of(part).terms]
                found = [self.places[part] for part, _ in every]
            case Compound():
                found = [self.places[part] for part in each.parts]
            case Not(part=Comparison() as inner) if inner.lower == inner.upper is not None:
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
            case Not(part=Comparison() as inner) if inner.lower == inner.upper is not None:
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
