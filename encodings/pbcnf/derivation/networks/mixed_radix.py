"""Sorters in a mixed radix: place by place, then the comparison of digits.

The inputs at a place and the carries into it are counted by sorting and merging networks. What a
place leaves once its carries are gone is weighed with the product of the radices below: all places
together say what the inputs weigh, as the carries cancel, and a clause of the comparison is their
sum with the bound.

Size: linear in the clauses of the networks; three steps for each output of a place, two or three
for each clause of a digit and of the comparison.

Reference: the encoding: Een, Soerensson: Translating pseudo-Boolean constraints into SAT, JSAT
2006; such derivations of other encodings: Gocht, Martins, Nordstroem, Oertel: Certified CNF
translations for pseudo-Boolean solving, SAT 2022.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbcnf.derivation.derivation_state import DerivationState, Parts
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.networks.digit import Digit
from pbcnf.derivation.networks.falling import Falling, Lone
from pbcnf.derivation.networks.network import NetworkDerivation
from pbcnf.derivation.networks.place import PlaceRows
from pbcnf.derivation.networks.sequences import Chosen, CutOff, Repeated
from pbcnf.derivation.networks.values import Sequenced
from pbcnf.encoders.circuits.mixed_radix import Comparison
from pbcnf.encoders.circuits.radix_place import Place, definition_of
from pbcnf.encoders.circuits.unary import Counts, merging_of, sorting_of
from pbcnf.encoders.pseudo_boolean.mixed_radix_sorter import Plan, plan_of
from pbcnf.literals import Clause, Lit, negate


def derive(of: EncodedSum, state: DerivationState) -> list[int]:
    """Derive two bounds at once, and one as an upper one, of the negated inputs if need be."""
    walk = _Walk(of, state)
    total = sum(of.weights)
    if of.lower > 0 and of.upper < total:
        walk.compare(plan_of(of.weights, of.lower, of.upper), of.lits, of.at_most, of.at_least)
        return walk.derived
    is_upper = of.lower == 0
    bound, number = (of.upper, of.at_most) if is_upper else (total - of.lower, of.at_least)
    assert number is not None
    if bound >= total - min(of.weights):
        return [state.derive_by_sum(of.clauses[0], [(number, 1)])]
    lits = of.lits if is_upper else negate(of.lits)
    walk.compare(plan_of(of.weights, 0, bound), lits, number, None)
    return walk.derived


class _Walk:
    """How far the variables and clauses have been followed."""

    def __init__(self, of: EncodedSum, state: DerivationState) -> None:
        self.derived: list[int] = []
        self._of = of
        self._state = state
        self._next = of.first

    def compare(
        self, plan: Plan, lits: Sequence[Lit], at_most: int | None, at_least: int | None
    ) -> None:
        """Follow the places, then derive the comparison."""
        rest, carry = list(self._of.weights), Lone([], self._state)
        rows: list[PlaceRows] = []
        of: Falling = carry
        for place in plan.places:
            held = [number % place.radix for number in rest]
            rest = [number // place.radix for number in rest]
            groups: dict[int, list[Lit]] = {times: [] for times, _ in place.groups}
            for lit, digit in zip(lits, held, strict=True):
                if digit:
                    groups[digit].append(lit)
            total = self._counted(place, [*groups.values()], of)
            rows.append(PlaceRows(place, total, self._state))
            self._digits(rows[-1])
            of = Chosen(total, [count - 1 for count in place.carries])
        self._compare(plan.comparison, rows, at_most, at_least)

    def _counted(self, place: Place, groups: Sequence[Sequence[Lit]], carry: Falling) -> Falling:
        """Follow the sorters and mergers of a place; return its count."""
        if not place.counts:
            return Lone([], self._state)
        adder = place.adder
        counted: list[Falling] = []
        for lits, (times, _), (_, asked) in zip(groups, place.groups, place.sorters(), strict=True):
            network = NetworkDerivation(
                sorting_of(len(lits), asked), lits, place.directions, self._next, self._state
            )
            of = network.values.sort(range(len(lits))).of
            self._follow(network, adder.size_of_count(len(lits), asked).clauses)
            if place.copies_carry:
                of = self._copy(of.lits[0])
            counted.append(Repeated(of, times))
        if place.is_alone or not groups:
            (of,) = counted or [carry]
            return CutOff(of, place.counts[-1])
        counted += [carry] if carry.lits else []
        for (a, left), (b, right), asked in place.mergers():
            parts = CutOff(counted[left], a), CutOff(counted[right], b)
            counted.append(self._merged(place, parts, asked))
        return counted[-1]

    def _merged(self, place: Place, parts: tuple[Falling, Falling], asked: Counts) -> Falling:
        a, b = (len(part.lits) for part in parts)
        adder, lits = place.adder, parts[0].lits + parts[1].lits
        network = NetworkDerivation(
            merging_of(a, b, asked),
            lits,
            place.directions,
            self._next,
            self._state,
            adder.distinct,
        )
        sides = Sequenced(range(a), parts[0]), Sequenced(range(a, a + b), parts[1])
        of = network.values.merge(*sides).of
        self._follow(network, adder.size_of_add(a, b, asked).clauses)
        return of

    def _copy(self, lit: Lit) -> Falling:
        """Define the copy of a literal by that."""
        (copy,) = self._new_vars(1)
        self._state.define(copy, [(1, lit)], 1)
        self.derived.append(self._state.derive_clause(self._clauses(1)[0]))
        return _Copy([copy], self._state)

    def _digits(self, rows: PlaceRows) -> None:
        """Define the digits of a place that are no outputs, and derive their clauses."""
        place = rows.place
        if place.is_direct:
            return
        outputs = {count: rows.total.lits[count - 1] for count in place.counts}
        for least in place.asked:
            (var,) = self._new_vars(1)
            digit = Digit(var, least, place, rows.total, self._state)
            clauses = sum(1 for _ in definition_of(place, least, outputs, var))
            self.derived += digit.derive(self._clauses(clauses))
            rows.digits[least] = var

    def _compare(
        self,
        comparison: Comparison,
        rows: Sequence[PlaceRows],
        at_most: int | None,
        at_least: int | None,
    ) -> None:
        """Derive each clause from the bound, and from what each place is at least or at most."""
        for terms, clause in zip(comparison, self._clauses(len(comparison)), strict=True):
            digits = {place: least for (place, least), _ in terms}
            is_lower = terms[0][1]
            bound = at_least if is_lower else at_most
            assert bound is not None
            parts, unit = [(bound, 1)], 1
            for index, each in enumerate(rows):
                digit = digits.get(index)
                row = each.below(digit) if is_lower else each.at_least(digit or 0)
                if row is not None:
                    parts.append((row, unit))
                unit *= each.place.radix
            self.derived.append(self._state.derive_by_sum(clause, parts))

    def _follow(self, network: NetworkDerivation, clauses: int) -> None:
        self._new_vars(network.variables)
        self.derived += network.derive(self._clauses(clauses))

    def _new_vars(self, number: int) -> range:
        self._next += number
        return range(self._next - number, self._next)

    def _clauses(self, number: int) -> Sequence[Clause]:
        start = len(self.derived)
        return self._of.clauses[start : start + number]


class _Copy(Lone):
    """A literal that is another one."""

    def over(self) -> Parts:
        """Return that the other one is implied."""
        return [(self.state.if_false[-self.lits[0]], 1)]

    def under(self) -> Parts:
        """Return that it is implied by the other one."""
        return [(self.state.if_false[self.lits[0]], 1)]
