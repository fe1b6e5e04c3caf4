"""Gates of a circuit as variables of the proof, each equal to its gate in every assignment.

The variables of the clauses say one direction often, or belong to parts of a gate; these variables
say both, and each gate has one. What is derived of statements is derived for these, and what is
derived of clauses as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import gcd
from typing import Final

from pbcnf.derivation.derivation_state import UnderivableError
from pbcnf.derivation.statements.reasoning import Equation, Halves, Reasoning
from pbcnf.language.circuit import TRUE, Circuit, Gate, Operation, Ref
from pbcnf.literals import Lit

_MOST_CASES: Final = 10
"""The most literals whose values are gone through, where a sum does not derive a normal form."""


_DESCENDED: Final = (Operation.AND, Operation.ITE, Operation.XOR)
"""Operations of gates whose children may be merged into one clause or parity."""


class ExactGates:
    """The literals of gates, and the constraints that define them."""

    def __init__(
        self, circuit: Circuit, reasoning: Reasoning, inputs: Callable[[Ref], Lit]
    ) -> None:
        """``inputs`` returns the literal of an input of the circuit."""
        self.circuit, self.reasoning, self._inputs = circuit, reasoning, inputs
        self._lits: dict[Ref, Lit] = {TRUE: reasoning.true}
        self.own: dict[Ref, list[int]] = {TRUE: [reasoning.truth]}
        """Gate -> numbers of the constraints that define the gate and inner literals."""
        self.sides: dict[Ref, list[tuple[Lit, Halves]]] = {}
        """Sum -> its bounds, lower and upper or upper alone: a literal, and what it means."""
        self.sums: dict[Ref, Equation] = {}
        """Parity -> ``sum of children = literal + 2 * carries``."""
        self.carries: dict[Ref, list[Lit]] = {}

    @property
    def order(self) -> list[Ref]:
        """The gates, inner ones first."""
        return [*self._lits]

    def literal(self, ref: Ref) -> Lit:
        """Return the literal of a reference."""
        waiting = [(abs(ref), False)]
        while waiting:
            each, ready = waiting.pop()
            if each in self._lits:
                continue
            gate = self.circuit[each]
            if ready:
                self._lits[each] = self._made(each, gate)
            else:
                waiting.append((each, True))
                waiting += [(abs(child), False) for child in self._inside(gate)]
        return self._lits[abs(ref)] if ref > 0 else -self._lits[abs(ref)]

    def _inside(self, gate: Gate) -> list[Ref]:
        return [*gate.children, *(self.one_sided(gate) if gate.lower else ())]

    def one_sided(self, gate: Gate) -> tuple[Ref, Ref]:
        """Return the lower and the upper bound of a sum as two gates, as a transformer has them."""
        terms = [*zip(gate.children, gate.weights, strict=True)]
        return self.circuit.bounded(terms, lower=gate.lower), self.circuit.bounded(
            terms, upper=gate.upper
        )

    def _made(self, ref: Ref, gate: Gate) -> Lit:
        children = [self.literal(child) for child in gate.children]
        match gate.operation:
            case Operation.INPUT:
                self.own[ref] = []
                return self._inputs(ref)
            case Operation.AND:
                return self._all_of(ref, children)
            case Operation.XOR:
                return self._odd(ref, children)
            case Operation.ITE:
                condition, yes, no = children
                parts = [self._all_of(ref, [condition, yes]), self._all_of(ref, [-condition, no])]
                return -self._all_of(ref, [-part for part in parts])
            case Operation.SUM:
                return self._bounded(ref, gate, children)

    def _defined(
        self, ref: Ref, terms: Iterable[tuple[int, Lit]], least: int
    ) -> tuple[Lit, Halves]:
        lit, halves = self.reasoning.define(terms, least)
        self.own.setdefault(ref, []).extend(halves.numbers)
        return lit, halves

    def _all_of(self, ref: Ref, lits: Sequence[Lit]) -> Lit:
        return self._defined(ref, [(1, lit) for lit in lits], len(lits))[0]

    def _odd(self, ref: Ref, lits: Sequence[Lit]) -> Lit:
        found, *rest = lits
        parts: list[tuple[Equation, int]] = []
        self.carries[ref] = []
        for lit in rest:
            both, carried = self._defined(ref, [(1, found), (1, lit)], 2)
            odd, halves = self._defined(ref, [(1, found), (1, lit), (-2, both)], 1)
            parts.append((odd_equation(self.reasoning, both, carried, odd, halves), 1))
            self.carries[ref].append(both)
            found = odd
        self.sums[ref] = self.reasoning.equation(parts)
        return found

    def _bounded(self, ref: Ref, gate: Gate, lits: Sequence[Lit]) -> Lit:
        terms = [*zip(gate.weights, lits, strict=True)]
        opposite = [(-weight, lit) for weight, lit in terms]
        upper = self._defined(ref, opposite, -gate.upper)
        if not gate.lower:
            self.sides[ref] = [upper]
            return upper[0]
        lower = self._defined(ref, terms, gate.lower)
        self.sides[ref] = [lower, upper]
        for side, (lit, halves) in zip(self.one_sided(gate), (lower, upper), strict=True):
            if abs(side) != ref:
                self.own[ref] += self.equal_bound(lit, halves, side).numbers
        return self._all_of(ref, [lower[0], upper[0]])

    def cone(self, ref: Ref, stop: Callable[[Ref], bool] = lambda _: False) -> list[int]:
        """Return the constraints of a gate and of gates inside it, down to sums and inputs.

        ``stop``: whether a gate's own constraints are enough.
        """
        found: dict[int, None] = {}
        seen, waiting = set[Ref](), [abs(ref)]
        while waiting:
            each = waiting.pop()
            if each in seen:
                continue
            seen.add(each)
            self.literal(each)
            found |= dict.fromkeys(self.own[each])
            gate = self.circuit[each]
            if gate.operation in _DESCENDED and (each == abs(ref) or not stop(each)):
                waiting += [abs(child) for child in gate.children]
            elif gate.operation is Operation.SUM and gate.lower:
                waiting += [abs(side) for side in self.one_sided(gate) if abs(side) != each]
        return [*found]

    def leaves(self, ref: Ref) -> list[Lit]:
        """Return the literals of what a parity of parities consists of."""
        found, waiting = list[Lit](), [ref]
        while waiting:
            each = waiting.pop()
            if self.circuit[each].operation is Operation.XOR:
                waiting += self.circuit[each].children
            else:
                found.append(abs(self.literal(each)))
        return found

    def parts(self, ref: Ref) -> list[Ref]:
        """Return the references whose conjunction a reference is, itself if it is none."""
        gate = self.circuit[ref]
        return [*gate.children] if ref > 0 and gate.operation is Operation.AND else [ref]

    def equal_bound(self, lit: Lit, halves: Halves, ref: Ref) -> Equation:
        """Derive that a literal defined by a bound equals the gate of that bound.

        The halves are over literals of gates. The gate is that of the normal form: a conjunction of
        units and a clause, or a sum with other weights.
        """
        try:
            one, other = self._from_bound(lit, halves, ref), self._to_bound(lit, halves, ref)
        except UnderivableError:
            return self.equal_by_cases(lit, halves.numbers, ref)
        return Equation(other, one)

    def equal_by_cases(self, lit: Lit, bounds: Sequence[int], ref: Ref) -> Equation:
        """Derive that a literal with bounds equals a gate, by the values of what is summed."""
        # A normal form has the same value as its bounds for each of them.
        cases = {v for number in bounds for v in self.reasoning.row(number).coefficients}
        if len(cases) > _MOST_CASES:
            raise UnderivableError(f"a normal form of {len(cases)} literals has no derivation")
        gate = self.literal(ref)
        return self.reasoning.same(lit, gate, [*bounds, *self.cone(ref)], [*cases])

    def _from_bound(self, lit: Lit, halves: Halves, ref: Ref) -> int:
        """Derive that the literal implies the gate."""
        known = [*halves.numbers, *self.cone(ref)]
        found = self.reasoning.clause_if([-lit, self.literal(ref)], known)
        return self.from_bounds(lit, [halves.while_true], ref) if found is None else found

    def from_bounds(self, lit: Lit, bounds: Sequence[int | None], ref: Ref) -> int:
        """Derive that a literal implies a gate, the normal form of bounds while it is true."""
        # The steps are those of `weighted_normal_form`: units leave, weights are divided, and those
        # of a single bound lowered to what the bound can use.
        reasoning, gate, units = self.reasoning, self.literal(ref), dict[Lit, int]()
        rows = [number for number in bounds if number is not None]
        while not reasoning.state.sum_refutes([-lit], [(number, 1) for number in rows]):
            forced = self._forced(lit, rows)
            for unit, number in forced.items():
                units[unit] = reasoning.clause([-lit, unit], [number])
            weights = [
                abs(c)
                for n in rows
                for v, c in reasoning.row(n).coefficients.items()
                if v != abs(lit)
            ]
            degree = max([reasoning.row(n).literal_degree for n in rows], default=0)
            if any(-unit in units for unit in forced):
                return reasoning.clause([-lit, gate], [*units.values()])
            if forced:
                rows = [self._without(number, units) for number in rows]
                rows = [n for n in rows if reasoning.row(n).literal_degree > 0]
            elif gcd(*weights) > 1:
                rows = [reasoning.state.add([(n, 1)], (), gcd(*weights)) for n in rows]
            elif len(rows) == 1 and max(weights, default=0) > degree:
                rows = [reasoning.state.add([(rows[0], 1)], (), 1, True)]
            else:
                break
        else:
            return reasoning.refuted([-lit], [(number, 1) for number in rows])
        known = [*rows, *units.values(), *self.cone(ref)]
        for part in self.parts(ref):
            own = self.literal(part)
            if reasoning.clause_if([-lit, own], [*known, *self.cone(part)]) is None:
                known += self._sides_from_bounds(lit, rows, part)
            known.append(reasoning.clause([-lit, own], [*known, *self.own[abs(part)]]))
        return reasoning.clause([-lit, gate], known)

    def _forced(self, lit: Lit, rows: Sequence[int]) -> dict[Lit, int]:
        """Return literals without which a row has no solution while a literal is true."""
        found: dict[Lit, int] = {}
        for number in rows:
            row = self.reasoning.row(number)
            slack = row.most([-lit]) - row.degree
            terms = [(w, each) for w, each in row.terms() if abs(each) != abs(lit)]
            found |= {each: number for w, each in terms if w > slack}
        return found

    def _without(self, number: int, units: Mapping[Lit, int]) -> int:
        """Derive a row without what is known: by an axiom if it is true, else by its clause."""
        parts, axioms = [(number, 1)], list[tuple[Lit, int]]()
        for w, each in self.reasoning.row(number).terms():
            if each in units:
                axioms.append((-each, w))
            elif -each in units:
                parts.append((units[-each], w))
        return self.reasoning.state.add(parts, axioms)

    def _sides_from_bounds(self, lit: Lit, rows: Sequence[int], part: Ref) -> list[int]:
        """Derive that a literal implies each bound of a sum, of which rows are multiples."""
        found = []
        for side, halves in self.sides.get(abs(part), []):
            half = halves.while_false if part > 0 else halves.while_true
            assert half is not None
            clause = [-lit, side if part > 0 else -side]
            for number in rows:
                if self.reasoning.state.sum_refutes(clause, [(number, 1), (half, 1)]):
                    found.append(self.reasoning.refuted(clause, [(number, 1), (half, 1)]))
                    break
        return found

    def _to_bound(self, lit: Lit, halves: Halves, ref: Ref) -> int:
        """Derive that the gate implies the literal."""
        own, reasoning = self.cone(ref), self.reasoning
        gate = self.literal(ref)
        found = reasoning.clause_if([lit, -gate], [*halves.numbers, *own])
        if found is not None:
            return found
        bound = halves.while_false
        if bound is None:
            raise UnderivableError("a bound that always holds does not follow")
        coefficients = reasoning.row(bound).coefficients
        parts, clauses = [(bound, 1)], list[int]()
        for part in self.parts(ref):
            implied = reasoning.clause_if([-gate, self.literal(part)], own) if part != ref else None
            if implied is not None:
                clauses.append(implied)
            if self.circuit[part].operation is Operation.SUM:
                [(side, of)] = self.sides[abs(part)]
                half = of.while_true if part > 0 else of.while_false
                assert half is not None
                row = reasoning.row(half)
                ratios = [
                    abs(coefficients[v]) // abs(c)
                    for v, c in row.coefficients.items()
                    if v in coefficients and v != abs(side)
                ]
                parts.append((half, max(1, min(ratios, default=1))))
                if implied is not None:
                    parts.append((implied, parts[-1][1] * abs(row.coefficients[abs(side)])))
            elif implied is not None and abs(self.literal(part)) in coefficients:
                parts.append((implied, abs(coefficients[abs(self.literal(part))])))
        return reasoning.refuted([lit, -gate], parts)


def odd_equation(
    reasoning: Reasoning, both: Lit, carried: Halves, odd: Lit, halves: Halves
) -> Equation:
    """Return ``one + other = odd + 2 * both``; both are true, or an odd number of them is."""
    # one + other - 2 both >= 0 is what `both` means; it is at most 1, as both >= one + other - 1.
    if carried.while_false is None:
        raise UnderivableError("a parity of equal literals")
    at_most = reasoning.summed([(carried.while_false, 1)], (both, 1))
    found = reasoning.tight(odd, halves, carried.while_true, at_most)
    return found.opposite
