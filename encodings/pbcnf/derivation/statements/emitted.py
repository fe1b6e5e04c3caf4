"""Rows of a builder's problem from exact gates, and what rows say of exact gates."""

from __future__ import annotations

from collections.abc import Sequence

from pbcnf.constraints.constraint import Linear
from pbcnf.derivation.derivation_state import BoundIds, UnderivableError
from pbcnf.derivation.encoded_constraint import linear_terms
from pbcnf.derivation.inequalities import LinearInequality, linear_inequality
from pbcnf.derivation.statements.gates import ExactGates
from pbcnf.derivation.statements.reasoning import Equation, Reasoning, combined_rows
from pbcnf.derivation.statements.recorded import DefinedGate, RecordedEncoding, Required
from pbcnf.language.circuit import TRUE, Operation, Ref
from pbcnf.language.transformation import Polarity
from pbcnf.literals import Lit, Var


def bounds_of(constraint: Linear) -> list[LinearInequality]:
    """Return the bounds of a constraint that say something, the lower one first."""
    terms = linear_terms(constraint)
    opposite = [(-weight, lit) for weight, lit in terms]
    found = []
    for side, least in ((terms, constraint.lower), (opposite, -constraint.upper)):
        row = linear_inequality(side, least)
        if row.literal_degree > 0:
            found.append(row)
    return found


def numbered(constraint: Linear, first: int) -> tuple[BoundIds, int]:
    """Return numbers for the bounds of a constraint from ``first`` on, and the next number."""
    terms = linear_terms(constraint)
    opposite = [(-weight, lit) for weight, lit in terms]
    found: list[int | None] = []
    for side, least in ((terms, constraint.lower), (opposite, -constraint.upper)):
        says = linear_inequality(side, least).literal_degree > 0
        found.append(first if says else None)
        first += says
    return BoundIds(*found), first


class EmittedRows:
    """Rows of a problem by place, and gates from which the rows follow."""

    def __init__(self, encoding: RecordedEncoding, gates: ExactGates, reasoning: Reasoning) -> None:
        self.encoding, self.gates, self.reasoning = encoding, gates, reasoning
        self.rows = encoding.rows.linear()
        self.numbers: dict[int, list[int]] = {}
        """Place of a constraint -> the numbers of its bounds."""
        self.copies: dict[Var, Equation] = {}
        """Variable of a gate -> it equals the gate: ``variable - gate``."""
        self.implied: dict[Var, Equation] = {}
        """Variable of a gate -> ``variable - gate >= 0``, the opposite, or both of them."""
        self.units: dict[Ref, int] = {}
        """True reference -> number of the unit clause."""
        self._refs = {lit: ref for ref, lit in encoding.gate_literals.items() if self._is_gate(ref)}

    def _is_gate(self, ref: Ref) -> bool:
        return ref == TRUE or self.gates.circuit[ref].operation is not Operation.INPUT

    def _links(self, lits: Sequence[Lit], links: dict[Var, Equation]) -> list[int]:
        return [n for lit in lits for n in links.get(abs(lit), Equation(None, None)).numbers]

    # From gates to rows.

    def copy_gates(self) -> None:
        """Introduce the variable of every gate that has one."""
        for var, ref in self._refs.items():
            self.copies[var] = self.reasoning.copied(var, self.gates.literal(ref))
        self._parities = {
            var: self._parity(var, variables)
            for var, (variables, _) in self.encoding.rows.parities.items()
        }

    def _parity(self, var: Var, variables: Sequence[Var]) -> list[int]:
        reasoning, found, numbers = self.reasoning, variables[0], list[int]()
        for other in variables[1:]:
            both, carried = reasoning.define([(1, found), (1, other)], 2)
            odd, halves = reasoning.define([(1, found), (1, other), (-2, both)], 1)
            numbers += [*carried.numbers, *halves.numbers]
            found = odd
        return [*numbers, *reasoning.copied(var, found).numbers]

    def assert_root(self, ref: Ref, number: int) -> None:
        """Record that a reference is true, and derive so of what it is a conjunction of."""
        waiting = [(ref, number)]
        while waiting:
            each, known = waiting.pop()
            if each in self.units:
                continue
            self.units[each] = known
            gate = self.gates.circuit[each]
            inside: list[Ref] = []
            if gate.operation is Operation.AND and each > 0:
                inside = [*gate.children]
            elif gate.operation is Operation.SUM and each < 0 and gate.lower:
                low, high = self.gates.one_sided(gate)
                inside = [self.gates.circuit.disjunction([-low, -high])]
            for child in inside:
                lit = self.gates.literal(child)
                among = [
                    known,
                    *self.gates.cone(each, lambda _: True),
                    *self.gates.cone(child, lambda _: True),
                ]
                waiting.append((child, self.reasoning.clause([lit], among)))

    def derive(self) -> None:
        """Derive every row of a gate; rows of stated clauses are derived elsewhere."""
        for event in self.encoding.rows.events:
            if isinstance(event, Required):
                for place in event.rows:
                    self.numbers[place] = self._required_row(event.ref, place)
            elif isinstance(event, DefinedGate):
                for place in event.rows:
                    self.numbers[place] = self._defined_row(event, place)

    def _required_row(self, ref: Ref, place: int) -> list[int]:
        constraint = self.rows[place]
        if ref == -TRUE:
            return [self.reasoning.clause([], [self.units[ref]])]
        gate = self.gates.circuit[ref]
        if gate.operation is Operation.SUM:
            unit, bases = self.units[ref], list[list[tuple[int, int]]]()
            for lit, halves in self.gates.sides[abs(ref)]:
                half = halves.while_true if ref > 0 else halves.while_false
                assert half is not None
                number = unit
                if gate.lower:
                    number = self.reasoning.clause([lit], [unit, *self.gates.own[abs(ref)]])
                weight = abs(self.reasoning.row(half).coefficients[abs(lit)])
                bases.append([(half, 1), (number, weight)])
            return self._exact(constraint, bases)
        return [self._clause(constraint, [self.units[ref]], ref, deep=True)]

    def _defined_row(self, event: DefinedGate, place: int) -> list[int]:
        constraint, ref = self.rows[place], event.ref
        gate = self.gates.circuit[ref]
        if gate.operation is Operation.SUM and not (
            gate.lower and Polarity.NEGATIVE in event.polarity
        ):
            bases = []
            for lit, halves in self.gates.sides[ref]:
                for half in (halves.while_true, halves.while_false):
                    assert half is not None
                    parts = [(half, 1)]
                    if gate.lower and half == halves.while_true:
                        own = self.gates.literal(ref)
                        implied = self.reasoning.clause([-own, lit], self.gates.own[ref])
                        weight = abs(self.reasoning.row(half).coefficients[abs(lit)])
                        parts.append((implied, weight))
                    bases.append(parts)
            return self._exact(constraint, bases)
        return [self._clause(constraint, [], ref)]

    def _clause(
        self, constraint: Linear, known: Sequence[int], ref: Ref, deep: bool = False
    ) -> int:
        lits = [*constraint.lits]
        links = self._links(lits, self.copies)
        for lit in lits:
            links += self._parities.get(abs(lit), [])
        inner = self._inner(lits, ref, deep)
        found = self.reasoning.clause_if(lits, [*known, *links, *inner])
        if found is None:
            # A parity that is counted in another order is equal for all values of its literals.
            cases = [
                v for lit in lits for v in self.encoding.rows.parities.get(abs(lit), ([], 0))[0]
            ]
            for v in cases:
                links += self.copies.get(v, Equation(None, None)).numbers
            found = self.reasoning.clause_by_cases(
                lits, cases, [*known, *links, *self.gates.cone(ref)]
            )
        return found

    def _inner(self, lits: Sequence[Lit], ref: Ref, deep: bool = False) -> list[int]:
        """Return constraints inside a gate, not of gates whose literals are there themselves."""
        mentioned = {abs(self._refs[abs(lit)]) for lit in lits if abs(lit) in self._refs}
        has = self.encoding.gate_literals
        return self.gates.cone(ref, lambda each: each in mentioned or (not deep and each in has))

    def _exact(self, constraint: Linear, bases: Sequence[Sequence[tuple[int, int]]]) -> list[int]:
        """Derive the bounds of a constraint, each from the base that it equals."""
        found = []
        for target in bounds_of(constraint):
            links: list[tuple[int, int]] = []
            for v, c in target.coefficients.items():
                link = self.copies.get(v)
                if link is not None:
                    number = link.ge if c > 0 else link.le
                    assert number is not None
                    links.append((number, abs(c)))
            for base in bases:
                parts = [*base, *links]
                if combined_rows(self.reasoning.state, parts) == target:
                    found.append(self.reasoning.summed(parts))
                    break
            else:
                raise UnderivableError("a row is not what its gate says")
        return found

    # From rows to gates.

    def declare(self, numbers: dict[int, list[int]]) -> None:
        """Take the numbers of all rows, by place."""
        self.numbers = numbers
        for place, own in numbers.items():
            for number, row in zip(own, bounds_of(self.rows[place]), strict=True):
                self.reasoning.state.rows[number] = row

    def rows_of(self, places: range) -> list[int]:
        """Return the numbers of rows."""
        return [number for place in places for number in self.numbers[place]]

    def rows_about(self, ref: Ref) -> list[int]:
        """Return the numbers of the rows that assert a reference."""
        return [
            number
            for event in self.encoding.rows.events
            if isinstance(event, Required) and event.ref == ref
            for number in self.rows_of(event.rows)
        ]

    def imply_gates(self) -> None:
        """Derive, of the variable of every gate, the directions that rows say."""
        for ref in self._refs.values():
            self.gates.literal(ref)
        at = {ref: place for place, ref in enumerate(self.gates.order)}
        events = [e for e in self.encoding.rows.events if isinstance(e, DefinedGate)]
        for event in sorted(events, key=lambda each: at[abs(each.ref)]):
            old = self.implied.get(abs(event.lit), Equation(None, None))
            ge, le = old
            own = self.gates.literal(event.ref)
            if Polarity.POSITIVE in event.polarity:
                le = self._direction(event, -event.lit, own)
            if Polarity.NEGATIVE in event.polarity:
                ge = self._direction(event, event.lit, -own)
            self.implied[abs(event.lit)] = Equation(ge, le)

    def _direction(self, event: DefinedGate, lit: Lit, own: Lit) -> int:
        """Derive the clause of two literals: of a gate's variable, and of the exact gate."""
        gate, reasoning = self.gates.circuit[event.ref], self.reasoning
        rows = self.rows_of(event.rows)
        positive = own > 0
        if gate.operation is Operation.SUM and not (
            gate.lower and Polarity.NEGATIVE in event.polarity
        ):
            found = []
            for side, halves in self.gates.sides[event.ref]:
                half = halves.while_false if positive else halves.while_true
                assert half is not None
                found.append(self._bound([lit, side if positive else -side], rows, half))
            return reasoning.clause([lit, own], [*found, *self.gates.own[event.ref]])
        lits = [each for n in rows for each in reasoning.row(n).coefficients]
        known = [*rows, *self._links(lits, self.implied)]
        if gate.operation is Operation.AND and positive:
            known += [
                reasoning.clause(
                    [lit, self.gates.literal(child)],
                    [*known, *self.gates.cone(child)],
                )
                for child in gate.children
            ]
        cases: list[Lit] = []
        if gate.operation is Operation.ITE:
            cases = [self.gates.literal(gate.children[0])]
        elif gate.operation is Operation.XOR:
            cases = [
                v
                for v in dict.fromkeys(lits)
                if v != abs(lit) and v not in self.encoding.rows.parities
            ]
        return reasoning.clause_by_cases([lit, own], cases, [*known, *self.gates.cone(event.ref)])

    def _bound(self, clause: Sequence[Lit], rows: Sequence[int], half: int) -> int:
        """Derive a clause from a row, with exact gates for variables, and from a half."""
        for number in rows:
            parts = [(number, 1), (half, 1)]
            for v, c in self.reasoning.row(number).coefficients.items():
                link = self.implied.get(v)
                if link is not None and v not in {abs(lit) for lit in clause}:
                    side = link.le if c > 0 else link.ge
                    if side is None:
                        break
                    parts.append((side, abs(c)))
            else:
                if self.reasoning.state.sum_refutes(clause, parts):
                    return self.reasoning.refuted(clause, parts)
        raise UnderivableError("a gate does not follow from its rows")

    def assert_gates(self) -> None:
        """Derive that every asserted gate is true, from the asserting rows."""
        for event in self.encoding.rows.events:
            if isinstance(event, Required) and event.ref not in self.units:
                self.units[event.ref] = self._asserted(event)

    def _asserted(self, event: Required) -> int:
        ref, reasoning = event.ref, self.reasoning
        gate, own, rows = self.gates.circuit[ref], self.gates.literal(ref), self.rows_of(event.rows)
        if gate.operation is Operation.SUM:
            found = []
            for side, halves in self.gates.sides[abs(ref)]:
                half = halves.while_false if ref > 0 else halves.while_true
                assert half is not None
                found.append(self._bound([side if ref > 0 else -side], rows, half))
            return reasoning.clause([own], [*found, *self.gates.own[abs(ref)]])
        lits = [each for n in rows for each in reasoning.row(n).coefficients]
        known = [*rows, *self._links(lits, self.implied)]
        cone, disjuncts = self.gates.cone(ref), self.encoding.transformer._disjuncts
        cases: list[Lit] = []
        shown: list[int] = []
        match gate.operation:
            case Operation.AND:
                shown = [
                    self._stated_clause(disjuncts([-child for child in gate.children], True), known)
                ]
            case Operation.ITE:
                condition, yes, no = gate.children
                cases = [self.gates.literal(condition)]
                sign = 1 if ref > 0 else -1
                for given, then in ((condition, sign * yes), (-condition, sign * no)):
                    clause = self._stated_clause(disjuncts([-given, then], True), known)
                    lits_of = [-self.gates.literal(given), self.gates.literal(then)]
                    shown.append(
                        reasoning.clause(
                            lits_of, [clause, *self.gates.cone(then), *self.gates.cone(given)]
                        )
                    )
            case Operation.XOR:
                # A literal that is in two parities leaves the row, and has a value nevertheless.
                cases = [*dict.fromkeys([*lits, *self.gates.leaves(ref)])]
                shown = known
            case _:
                shown = known
        return reasoning.clause_by_cases([own], cases, [*shown, *cone])

    def _stated_clause(self, refs: Sequence[Ref], known: Sequence[int], levels: int = 20) -> int:
        """Derive a disjunction of references, of which rows say the clauses, multiplied out."""
        gates, reasoning = self.gates, self.reasoning
        circuit, disjuncts = gates.circuit, self.encoding.transformer._disjuncts
        clause = [gates.literal(each) for each in refs]
        inner = [each for each in refs if each > 0 and circuit[each].operation is Operation.AND]
        if len(inner) != 1 or not levels:
            cones = [n for each in refs for n in gates.cone(each)]
            return reasoning.clause(clause, [*known, *cones])
        [whole] = inner
        rest = [gates.literal(each) for each in refs if each != whole]
        shown = []
        for child in circuit[whole].children:
            replaced = [child if each == whole else each for each in refs]
            number = self._stated_clause(disjuncts(replaced, True), known, levels - 1)
            lit = gates.literal(child)
            shown.append(reasoning.clause([*rest, lit], [number, *gates.cone(child)]))
        return reasoning.clause(clause, [*shown, *gates.own[whole]])

    def root(self, ref: Ref) -> int:
        """Return the clause that an asserted reference is true."""
        order, waiting = list[Ref](), [ref]
        while waiting:
            each = waiting.pop()
            if each not in self.units and each not in order:
                order.append(each)
                waiting += self._asserted_inside(each)
        for each in reversed(order):
            inner = self._asserted_inside(each)
            among = [self.units[child] for child in inner if child in self.units]
            for child in inner:
                among += self.gates.own[abs(child)]
            self.units[each] = self.reasoning.clause(
                [self.gates.literal(each)], [*among, *self.gates.cone(each, lambda _: True)]
            )
        return self.units[ref]

    def _asserted_inside(self, ref: Ref) -> list[Ref]:
        gate = self.gates.circuit[ref]
        if gate.operation is Operation.AND and ref > 0:
            return [*gate.children]
        if gate.operation is Operation.SUM and ref < 0 and gate.lower:
            low, high = self.gates.one_sided(gate)
            return [self.gates.circuit.disjunction([-low, -high])]
        return []
