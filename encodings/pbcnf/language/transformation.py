"""From a circuit to clauses and constraints, by Tseitin or by Plaisted and Greenbaum.

An asserted clause, conjunction of clauses or constraint of literals needs no auxiliary variable.
Every other gate gets one variable, however often the gate is used. Tseitin's transformation defines
the variable in both directions. Plaisted and Greenbaum's leaves out the direction that is not
needed: for a gate of positive polarity only, the variable implies the gate; for a gate of negative
polarity only, the gate implies the variable. A variable that is defined in one direction may differ
from its gate, so the number of models changes.

References: Tseitin: On the complexity of derivation in propositional calculus, 1968. Plaisted,
Greenbaum: A structure-preserving clause form translation, Journal of Symbolic Computation 2, 1986.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, Flag, auto
from typing import Final

from pbcnf.constraints.constraint import Linear, Parity
from pbcnf.language.circuit import FALSE, TRUE, Circuit, Gate, Operation, Ref
from pbcnf.language.expressions import bounded
from pbcnf.language.output import Output
from pbcnf.literals import Lit, negate

_MOST_LEVELS: Final = 20
"""The largest number of nested conjunctions that become clauses without auxiliary variables."""


class Transformation(Enum):
    """The rules by which gates become clauses."""

    PLAISTED_GREENBAUM = "plaisted_greenbaum"
    TSEITIN = "tseitin"


class Polarity(Flag):
    """Directions of a definition: variable -> gate (positive), gate -> variable (negative)."""

    NEITHER = 0
    POSITIVE = auto()
    NEGATIVE = auto()
    BOTH = POSITIVE | NEGATIVE

    @property
    def opposite(self) -> Polarity:
        """The polarity of a negated gate."""
        if self in (Polarity.BOTH, Polarity.NEITHER):
            return self
        return Polarity.BOTH ^ self


class Transformer:
    """Emits asserted gates of a circuit, and definitions of the gates they use, to an output."""

    def __init__(self, circuit: Circuit, output: Output, transformation: Transformation) -> None:
        """Start with nothing defined."""
        self._circuit, self._output = circuit, output
        self._tseitin = transformation is Transformation.TSEITIN
        self._lits: dict[Ref, Lit] = {}
        self._defined: dict[Ref, Polarity] = {}
        self._waiting: list[tuple[Ref, Polarity]] = []

    def name(self, ref: Ref, lit: Lit) -> None:
        """Set the literal of the input `ref` of the circuit."""
        self._lits[ref] = lit

    def require(self, ref: Ref) -> None:
        """Assert that the reference is true."""
        waiting = [ref]
        while waiting:
            ref = waiting.pop()
            gate = self._circuit[ref]
            if ref == TRUE:
                continue
            if gate.operation is Operation.AND and ref > 0:
                # An asserted conjunction asserts each child: no variable is needed.
                waiting += reversed(gate.children)
            elif gate.operation is Operation.SUM and ref < 0 and gate.lower:
                # not (lower <= sum <= upper): the sum is below lower or above upper.
                low, high = self._one_sided(gate)
                waiting.append(self._circuit.disjunction([-low, -high]))
            else:
                self._require(ref, gate)
        self._define_all()

    def literal(self, ref: Ref, polarity: Polarity = Polarity.BOTH) -> Lit:
        """Return a literal that is true exactly if the reference is, defined as far as needed."""
        lit = self._literal(ref, polarity)
        self._define_all()
        return lit

    def _require(self, ref: Ref, gate: Gate) -> None:
        sign = 1 if ref > 0 else -1
        match gate.operation:
            case Operation.AND:
                # The reference is negative: a negated conjunction is a clause.
                self._require_clause(self._disjuncts([-child for child in gate.children], True))
            case Operation.XOR:
                self._output.add(Parity(self._all(self._flat(gate), Polarity.BOTH), sign > 0))
            case Operation.ITE:
                condition, yes, no = gate.children
                # condition -> yes, and not condition -> no (both negated for a negative sign).
                for given, then in ((condition, sign * yes), (-condition, sign * no)):
                    self._require_clause(self._disjuncts([-given, then], True))
            case Operation.SUM:
                self._output.add(self._constraint(gate, sign))
            case Operation.INPUT:
                self._output.add_clause([] if ref == FALSE else [sign * self._lits[abs(ref)]])

    def _require_clause(self, refs: list[Ref], levels: int = _MOST_LEVELS) -> None:
        """Emit an asserted disjunction; a conjunction inside is multiplied out into clauses.

        At most `levels` nested conjunctions are multiplied out: each makes the clauses longer.
        """
        inner = [ref for ref in refs if ref > 0 and self._circuit[ref].operation is Operation.AND]
        if len(inner) != 1 or not levels:
            self._clause(refs)
            return
        # (a and b) or rest = (a or rest) and (b or rest).
        for child in self._circuit[inner[0]].children:
            replaced = [child if ref == inner[0] else ref for ref in refs]
            self._require_clause(self._disjuncts(replaced, True), levels - 1)

    def _clause(self, refs: Iterable[Ref], *lits: Lit) -> None:
        """Emit a disjunction of references and literals."""
        refs = self._disjuncts(refs, False)
        found = dict.fromkeys([*lits, *self._all(refs, Polarity.POSITIVE)])
        # A clause with opposite literals always holds.
        if not any(-lit in found for lit in found):
            self._output.add_clause(list(found))

    def _disjuncts(self, refs: Iterable[Ref], every: bool) -> list[Ref]:
        """Return the parts of a disjunction, with inner disjunctions merged in.

        If `every`, all inner disjunctions are merged, otherwise only those without another use.
        """
        found: dict[Ref, None] = {}
        waiting = list(refs)[::-1]
        while waiting:
            ref = waiting.pop()
            gate = self._circuit[ref]
            inner = gate.operation is Operation.AND and ref < 0
            if inner and (every or self._only_here(ref)):
                waiting += [-child for child in reversed(gate.children)]
            else:
                found[ref] = None
        return list(found)

    def _flat(self, gate: Gate) -> list[Ref]:
        """Return the children of a parity gate; parities without other parents are merged in."""
        found: list[Ref] = []
        waiting = list(gate.children)[::-1]
        while waiting:
            ref = waiting.pop()
            inner = self._circuit[ref]
            if inner.operation is Operation.XOR and self._only_here(ref):
                waiting += reversed(inner.children)
            else:
                found.append(ref)
        return found

    def _only_here(self, ref: Ref) -> bool:
        """Whether `ref` is used once and has no variable, so that merging loses no sharing."""
        return self._circuit.uses(ref) == 1 and abs(ref) not in self._lits

    def _literal(self, ref: Ref, polarity: Polarity) -> Lit:
        if ref < 0:
            return -self._literal(-ref, polarity.opposite)
        if ref not in self._lits:
            self._lits[ref] = self._output.new_var()
        if self._circuit[ref].operation is not Operation.INPUT or ref == TRUE:
            # A direction is emitted once, when the first use needs it.
            needed = Polarity.BOTH if self._tseitin else polarity
            missing = needed & ~self._defined.get(ref, Polarity.NEITHER)
            if missing:
                self._defined[ref] = self._defined.get(ref, Polarity.NEITHER) | missing
                self._waiting.append((ref, missing))
        return self._lits[ref]

    def _all(self, refs: Iterable[Ref], polarity: Polarity) -> list[Lit]:
        return [self._literal(ref, polarity) for ref in refs]

    def _define_all(self) -> None:
        while self._waiting:
            ref, polarity = self._waiting.pop()
            self._define(ref, self._lits[ref], polarity)

    def _define(self, ref: Ref, lit: Lit, polarity: Polarity) -> None:
        """Emit the definition of a gate's literal: literal implies gate, gate implies literal."""
        gate, positive = self._circuit[ref], Polarity.POSITIVE in polarity
        negative = Polarity.NEGATIVE in polarity
        match gate.operation:
            case Operation.INPUT:
                self._output.add_clause([lit])
            case Operation.AND:
                if positive:  # lit -> child, for each child
                    for child in gate.children:
                        self._clause([child], -lit)
                if negative:  # all children -> lit
                    self._clause([-child for child in gate.children], lit)
            case Operation.XOR:
                # A parity depends on each child in both directions.
                lits = self._all(self._flat(gate), Polarity.BOTH)
                if polarity is Polarity.BOTH:
                    self._output.add(Parity([*lits, lit], odd=False))
                else:  # lit -> odd, or not lit -> even
                    self._output.add(Parity(lits, odd=positive), when=lit if positive else -lit)
            case Operation.ITE:
                condition, yes, no = gate.children
                for given, then in ((-condition, yes), (condition, no)):
                    if positive:
                        self._clause([given, then], -lit)
                    if negative:
                        self._clause([given, -then], lit)
            case Operation.SUM:
                self._define_sum(gate, lit, positive, negative)

    def _define_sum(self, gate: Gate, lit: Lit, positive: bool, negative: bool) -> None:
        if gate.lower and negative:
            # The negation of two bounds is no single bound: each bound gets a literal.
            low, high = self._one_sided(gate)
            both = Polarity.BOTH if positive else Polarity.NEGATIVE
            sides = [self._literal(low, both), self._literal(high, both)]
            # Both sides -> lit; with the other direction also lit -> each side.
            self._output.add_clause([lit, *negate(sides)])
            if positive:
                for side in sides:
                    self._output.add_clause([-lit, side])
        elif positive and negative:
            self._output.define(lit, self._constraint(gate, 1, Polarity.BOTH))
        elif positive:
            self._output.add(self._constraint(gate, 1), when=lit)
        else:
            self._output.add(self._constraint(gate, -1), when=-lit)

    def _one_sided(self, gate: Gate) -> tuple[Ref, Ref]:
        """Return the lower bound and the upper bound of a sum as two gates."""
        terms = list(zip(gate.children, gate.weights, strict=True))
        bounds = self._circuit.bounded
        return bounds(terms, lower=gate.lower), bounds(terms, upper=gate.upper)

    def _constraint(self, gate: Gate, sign: int, polarity: Polarity | None = None) -> Linear:
        """Return the bounds of a sum; for a negative `sign` the negation of its upper bound alone.

        `polarity` is the polarity of the children; None for the directions that the bounds need.
        """
        # Weights are positive: a lower bound needs literal -> child, an upper bound the converse.
        if sign < 0:
            lits = self._all(gate.children, polarity or Polarity.POSITIVE)
            return bounded(lits, gate.weights, gate.upper + 1, None)
        needed = Polarity.BOTH if gate.lower else Polarity.NEGATIVE
        lits = self._all(gate.children, polarity or needed)
        return bounded(lits, gate.weights, gate.lower or None, gate.upper)
