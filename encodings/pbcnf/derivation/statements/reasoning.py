"""Steps from constraints that are named: clauses by propagation, equations, definitions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from pbcnf.derivation.derivation_state import (
    Combined,
    DerivationState,
    Propagated,
    UnderivableError,
)
from pbcnf.derivation.inequalities import LinearInequality, combined, linear_inequality
from pbcnf.literals import Lit, Var
from pbcnf.proof.cutting_planes.canonical import CanonicalVariable, Form


class Equation(NamedTuple):
    """Two constraints ``left - right >= 0`` and ``right - left >= 0``; None where both are 0."""

    ge: int | None
    le: int | None

    @property
    def numbers(self) -> list[int]:
        """The constraints."""
        return [number for number in self if number is not None]

    @property
    def opposite(self) -> Equation:
        """The same with both sides exchanged, or both negated."""
        return Equation(self.le, self.ge)


class Halves(NamedTuple):
    """Halves of a definition: ``while_true``, ``form >= least``; ``while_false``, the opposite.

    None where the variable never has that value, which a unit clause (``unit``) says.
    """

    while_true: int | None
    while_false: int | None
    unit: int | None = None

    @property
    def numbers(self) -> list[int]:
        """The constraints."""
        return [number for number in self if number is not None]


def halves_of(defined: CanonicalVariable, first: int = 0) -> Halves:
    """Return the numbers of the canonical rows of a definition, counted from ``first + 1``."""
    if len(defined.rows) == 2:
        return Halves(first + defined.rows[0], first + defined.rows[1])
    return Halves(None, None, first + defined.rows[0])


class Reasoning:
    """A derivation, extended by clauses, equations and definitions."""

    def __init__(self, state: DerivationState) -> None:
        self.state = state
        self.true: Lit = state.fresh()
        """A literal that is true."""
        self.truth = state.fix(self.true)

    def clause(self, lits: Sequence[Lit], among: Iterable[int]) -> int:
        """Derive a clause by propagation on some of the constraints ``among``."""
        number = self.clause_if(lits, among)
        if number is None:
            raise UnderivableError(f"clause {list(lits)} does not follow by propagation")
        return number

    def clause_if(self, lits: Sequence[Lit], among: Iterable[int]) -> int | None:
        """As `clause`; return None where propagation does not find it."""
        clause = [lit for lit in dict.fromkeys(lits) if lit != -self.true]
        known = {number: self.state.rows[number] for number in dict.fromkeys(among)}
        known[self.truth] = self.state.rows[self.truth]
        used = refutation(clause, known)
        return None if used is None else self._propagated(clause, used)

    def _propagated(self, clause: Sequence[Lit], ids: Sequence[int]) -> int:
        number = self.state.derivation.add(Propagated(tuple(clause), tuple(ids)))
        self.state.rows[number] = linear_inequality([(1, lit) for lit in clause], 1)
        return number

    def clause_by_cases(
        self, lits: Sequence[Lit], cases: Sequence[Lit], among: Iterable[int]
    ) -> int:
        """As `clause`, by the values of literals, one after the other."""
        among = [*among]
        found = self.clause_if(lits, among)
        if found is not None:
            return found
        if not cases:
            raise UnderivableError(f"clause {list(lits)} does not follow by cases")
        first, *rest = cases
        if first in lits or -first in lits:
            return self.clause_by_cases(lits, rest, among)
        both = [self.clause_by_cases([*lits, lit], rest, among) for lit in (first, -first)]
        return self.clause(lits, [*both, *among])

    def summed(self, parts: Sequence[tuple[int, int]], *axioms: tuple[Lit, int]) -> int:
        """Add up constraints and axioms, each times its factor."""
        return self.state.add(_gathered(parts), axioms)

    def refuted(self, lits: Sequence[Lit], parts: Sequence[tuple[int, int]]) -> int:
        """Derive a clause that a sum of constraints contradicts."""
        found = self.refuted_if(lits, parts)
        if found is None:
            raise UnderivableError(f"clause {list(lits)} does not follow from the sum")
        return found

    def refuted_if(self, lits: Sequence[Lit], parts: Sequence[tuple[int, int]]) -> int | None:
        """As `refuted`; return None where the sum does not contradict the clause."""
        clause = [lit for lit in dict.fromkeys(lits) if lit != -self.true]
        own = _gathered(parts)
        total = combined_rows(self.state, own)
        if not total.refutes(clause):
            return None
        number = own[0][0]
        if len(own) > 1 or own[0][1] > 1:
            number = self.state.derivation.add(Combined(tuple(own)))
            self.state.rows[number] = total
        return self._propagated(clause, [number])

    def row(self, number: int) -> LinearInequality:
        """Return the inequality of a constraint."""
        return self.state.rows[number]

    def equation(self, parts: Iterable[tuple[Equation, int]]) -> Equation:
        """Return the sum of equations, each times its factor."""
        sides: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
        for each, factor in parts:
            if factor:
                one = each if factor > 0 else each.opposite
                for number, side in zip(one, sides, strict=True):
                    if number is not None:
                        side.append((number, abs(factor)))
        ge, le = (self.summed(side) if side else None for side in sides)
        return Equation(ge, le)

    def define(self, terms: Iterable[tuple[int, Lit]], least: int) -> tuple[Lit, Halves]:
        """Return a new variable that is true exactly if ``sum of terms >= least``.

        Where that is constant it is a true literal, or a false one.
        """
        weights: dict[Var, int] = defaultdict(int)
        for weight, lit in terms:
            weights[abs(lit)] += weight if lit > 0 else -weight
            least -= 0 if lit > 0 else weight
        pairs = [(abs(w), v if w > 0 else -v) for v, w in weights.items() if w]
        least -= sum(w for w in weights.values() if w < 0)
        most = sum(w for w, _ in pairs)
        if not 1 <= least <= most:
            return (self.true if least < 1 else -self.true), Halves(None, None, self.truth)
        var = self.state.fresh()
        return var, self.defined(var, pairs, least)

    def axiom(self, terms: Iterable[tuple[int, Lit]]) -> int | None:
        """Return the constraint that a sum has at least its least value; None for no terms."""
        weights: dict[Var, int] = defaultdict(int)
        for weight, lit in terms:
            weights[abs(lit)] += weight if lit > 0 else -weight
        axioms = [(v if w > 0 else -v, abs(w)) for v, w in weights.items() if w]
        return self.state.add([], axioms) if axioms else None

    def without_true(self, equation: Equation) -> Equation:
        """Return an equation in which the true literal is a constant."""
        found = list[int | None]()
        for number in equation:
            c = 0 if number is None else self.row(number).coefficients.get(self.true, 0)
            if number is None or not c:
                found.append(number)
            elif c > 0:
                found.append(self.summed([(number, 1)], (-self.true, c)))
            else:
                found.append(self.summed([(number, 1), (self.truth, -c)]))
        return Equation(*found)

    def implied(
        self,
        clause: Sequence[Lit],
        parts: Sequence[tuple[int | None, int]],
        units: Iterable[int] = (),
    ) -> int | None:
        """Derive a clause from a sum of constraints, or by propagation on them and on units.

        A constraint that is None says nothing. None where a literal of the clause is constant true.
        """
        if self.true in clause:
            return None
        known = [(number, factor) for number, factor in parts if number is not None and factor]
        found = self.refuted_if(clause, known) if known else None
        if found is None:
            found = self.clause(clause, [*(number for number, _ in known), *units])
        return found

    def defined(self, var: Var, terms: Sequence[tuple[int, Lit]], least: int) -> Halves:
        """Introduce a variable of a number of its own, as `DerivationState.define` does."""
        self.state.define(var, terms, least)
        return Halves(self.state.if_false[-var], self.state.if_false[var])

    def copied(self, var: Var, lit: Lit) -> Equation:
        """Introduce a variable that equals a literal."""
        found = self.defined(var, [(1, lit)], 1)
        return Equation(found.while_false, found.while_true)

    def same(
        self, one: Lit, other: Lit, among: Iterable[int], cases: Sequence[Lit] = ()
    ) -> Equation:
        """Derive that two literals are equal."""
        if one == other:
            return Equation(None, None)
        among = [*among]
        return Equation(
            self.clause_by_cases([one, -other], cases, among),
            self.clause_by_cases([-one, other], cases, among),
        )

    def tight(
        self, var: Var, halves: Halves, at_least_0: int | None, at_most_1: int | None
    ) -> Equation:
        """Return ``var = sum``, of a variable that is true if the sum is at least 1.

        The constraints say that the sum is 0 or 1; None where it cannot be another number.
        """
        # sum >= 1 - m*(1 - var) and sum >= 0: m - 1 times the second and the first are
        # m*sum >= m*var + 1 - m, which is rounded up.
        sides = []
        for own, bound, lit in (
            (halves.while_false, at_most_1, var),
            (halves.while_true, at_least_0, -var),
        ):
            if own is None or halves.unit is not None:
                raise UnderivableError(f"variable {var} is constant")
            weight = abs(self.row(own).coefficients[abs(lit)])
            parts = [(own, 1)]
            if weight > 1 and bound is not None:
                parts.append((bound, weight - 1))
            sides.append(self.state.add(parts, (), weight))
        return Equation(sides[0], sides[1])


_FEW: Final = 16
"""The most constraints that are all examined for each variable."""


def _gathered(parts: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    found: dict[int, int] = defaultdict(int)
    for number, factor in parts:
        found[number] += factor
    return [*found.items()]


def form_terms(form: Form) -> list[tuple[int, Lit]]:
    """Return the weights and variables of a form."""
    return [(a, v) for v, a in form.terms.items()]


def combined_rows(state: DerivationState, parts: Sequence[tuple[int, int]]) -> LinearInequality:
    """Return the sum of constraints without a step."""
    return combined([(state.rows[number], factor) for number, factor in parts])


def refutation(clause: Sequence[Lit], rows: Mapping[int, LinearInequality]) -> list[int] | None:
    """Return constraints on which propagation refutes a negated clause, as used; None if not."""
    value: dict[Var, bool] = {}
    reason: dict[Var, int] = {}
    trail: list[Var] = []
    for lit in clause:
        if value.get(abs(lit), lit < 0) != (lit < 0):
            return []
        if abs(lit) not in value:
            value[abs(lit)] = lit < 0
            trail.append(abs(lit))
    about: dict[Var, list[int]] = {}
    slack: dict[int, int] = {}
    heaviest: dict[int, int] = {}
    many = len(rows) > _FEW
    every = [*rows]
    for number, (coefficients, degree) in rows.items():
        values = coefficients.values()
        slack[number] = sum([c for c in values if c > 0]) - degree
        heaviest[number] = max(max(values), -min(values)) if values else 0
        if many:
            for v in coefficients:
                about.setdefault(v, []).append(number)
    seen = 0
    waiting = [number for number in rows if slack[number] < heaviest[number]]
    while True:
        for number in waiting:
            left = slack[number]
            if left < 0:
                return _used(number, rows, trail, reason)
            for v, c in rows[number].coefficients.items():
                if v not in value and abs(c) > left:
                    value[v], reason[v] = c > 0, number
                    trail.append(v)
        if seen == len(trail):
            return None
        v, waiting = trail[seen], []
        seen += 1
        for number in about.get(v, ()) if many else every:
            c = rows[number].coefficients.get(v, 0)
            if c and (c > 0) != value[v]:
                slack[number] -= abs(c)
                if slack[number] < heaviest[number]:
                    waiting.append(number)


def _used(
    conflict: int,
    rows: Mapping[int, LinearInequality],
    trail: Sequence[Var],
    reason: Mapping[Var, int],
) -> list[int]:
    needed, used = set(rows[conflict].coefficients), [conflict]
    for v in reversed(trail):
        if v in needed and v in reason and reason[v] not in used:
            used.append(reason[v])
            needed.update(rows[reason[v]].coefficients)
    return used[::-1]
