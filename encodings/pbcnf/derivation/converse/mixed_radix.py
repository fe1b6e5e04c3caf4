"""The bounds from the clauses of sorters in a mixed radix.

The counts of a place are followed over exact values, linked to the encoder's variables
(`linked_networks`), and so are the digits: "the digit is at least d" is the number of outputs d,
d + radix, ... less the number of carries, which is 0 or 1.

Let u be the digit of the bound at a place. All outputs fall, so the count is at most radix times
the carries, and u - 1, and 1 more if the digit is at least u, and as much more as is possible if it
is at least u + 1. The sum of all places, each worth the product of the radices below, is the sum of
the inputs, as the carries cancel. A clause of the comparison, taken as often as what its own digit
is worth beyond u, makes up for that: by higher digits that are smaller than those of the bound.
They are worth more than everything below. A lower bound is the same upside down. With a tare the
only clause is about the last place.

Size: of counts see `linked_networks`; two or three steps for each output of a place, four for each
clause of a digit, one for each clause of the comparison.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbcnf.derivation.converse.clauses_left import ClausesLeft
from pbcnf.derivation.converse.given_clauses import GivenClauses
from pbcnf.derivation.converse.linked_networks import (
    Links,
    link_copy,
    link_merger,
    link_sorter,
)
from pbcnf.derivation.derivation_state import BoundIds, DerivationState, Parts
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.networks.falling import Falling, Picked
from pbcnf.derivation.networks.mixed_radix import Copied, DigitOutput, SorterWalk
from pbcnf.encoders.circuits.mixed_radix import Place, base_of, definition_of, digits
from pbcnf.encoders.circuits.unary import Counts, NetworkAdder
from pbcnf.encoders.counter import Direction
from pbcnf.encoders.pseudo_boolean.mixed_radix_sorter import SorterPlan, plan_of
from pbcnf.literals import Lit


def derive(left: ClausesLeft, state: DerivationState) -> BoundIds:
    """Derive the bounds from the places and from the comparison of their digits."""
    clauses = GivenClauses(left, state)
    single = clauses.single_bound()
    if single is not None:
        return single
    mirrored = left.of.upper == left.of.total
    of = left.of.mirrored() if mirrored else left.of
    walk = LinkedSorter(of, Links(clauses))
    plan = plan_of(of.weights, of.lower, of.upper)
    walk.follow(plan)
    return clauses.bounds(
        lambda: walk.bound(plan, of.lower, True),
        lambda: walk.bound(plan, of.upper, False),
        mirrored,
    )


class LinkedSorter(SorterWalk):
    """The places of a sorter whose clauses are given."""

    def __init__(self, of: EncodedSum, links: Links) -> None:
        super().__init__(of, links.given.state, of.first)
        self._links = links
        self.totals: list[Falling] = []
        self.digits: dict[tuple[int, int], Lit] = {}

    def follow(self, plan: SorterPlan) -> None:
        """Follow the places, from the lowest on."""
        carry = Falling([], self.state)
        for index, (place, groups) in enumerate(self.entering(plan)):
            total = self.counted(place, groups, carry)
            self.totals.append(total)
            for least in place.asked:
                direct = total.lits[least - 1] if place.is_direct else None
                self.digits[index, least] = direct or self._digit(least, place, total)
            carry = self.carried(place, total)

    def carried(self, place: Place, total: Falling) -> Falling:
        """Return the carries; the last one counts for those left out behind it, too."""
        carries, more = [count - 1 for count in place.carries], 0
        if carries:
            more = (len(total.lits) - 1 - carries[-1] + total.more) // place.radix
        return Picked(total, carries, more)

    def sorted(self, adder: NetworkAdder, lits: Sequence[Lit], asked: Counts) -> Falling:
        """Follow a sorter."""
        return link_sorter(self, adder, lits, asked, self._links)

    def merged(self, adder: NetworkAdder, left: Falling, right: Falling, asked: Counts) -> Falling:
        """Follow a merger."""
        return link_merger(self, adder, left, right, asked, self._links)

    def copied(self, lit: Lit) -> Falling:
        """Define a copy of `lit`, and link it."""
        return Copied([link_copy(self, lit, self._links)], self.state)

    def _digit(self, least: int, place: Place, total: Falling) -> Lit:
        """Define the variable of a digit that is no output, and link it."""
        state, links, exact = self.state, self._links, self.state.fresh()
        [own] = self.new_vars(1)
        links.own[exact] = own
        outputs = {count: total.lits[count - 1] for count in place.counts}
        encoded = dict(zip(outputs, links.encoded(outputs.values()), strict=True))
        output = DigitOutput(exact, least, place, total, state)
        numbers = output.derive([*definition_of(place, least, outputs, exact)])
        given = [links.given[clause] for clause in definition_of(place, least, encoded, own)]
        exactly = dict(zip(output.kinds(), numbers, strict=True))
        by_kind = dict(zip(output.kinds(), given, strict=True))
        for known, clause, up in ((links.up, [-exact, own], 1), (links.down, [exact, -own], 0)):
            # From one multiple of the radix to the next: the output there is true, as it is here,
            # since else this one would make one of the two variables true or the other false.
            number: int | None = None
            for i, start in enumerate(range(0, place.length + 1, place.radix)):
                hints = [number, by_kind.get((i, bool(up))), exactly.get((i, not up))]
                near = [outputs.get(start + c) for c in (0, least, place.radix)]
                for lit in near:
                    hints += [links.up.get(lit or 0), links.down.get(lit or 0)]
                above = [lit for lit in near[2:] if lit is not None]
                number = state.propagate(
                    [*clause, *above], [hint for hint in hints if hint is not None]
                )
            assert number is not None
            known[exact] = number
        return exact

    def bound(self, plan: SorterPlan, bound: int, lower: bool) -> Parts:
        """Return parts that add up to a bound of the sum, up to literal axioms."""
        of, places = self.of, plan.places
        numbers = digits(bound, base_of(of.weights))
        if places[0].directions is not Direction.BOTH:
            # With the tare the bound has the largest digits below the last place.
            [[((last, reached), _)]] = plan.comparison
            numbers = [*(place.radix - 1 for place in places[:last]), reached - 1]
        parts, units, unit = list[tuple[int, int]](), list[int](), 1
        shares: list[Mapping[int, int]] = []
        for index, place in enumerate(places):
            asked = [
                least
                for least in (numbers[index], numbers[index] + 1)
                if (index, least) in self.digits
            ]
            found, share = self.place(index, place, asked, lower)
            parts += [(row, unit * times) for row, times in found]
            shares.append(share)
            units.append(unit)
            unit *= place.radix
        higher: list[Lit] = []
        for index in reversed(range(len(places))):
            number, place = numbers[index], places[index]
            least, further = (number, number + 1) if lower else (number + 1, number)
            largest = min(place.length, place.radix - 1)
            if number > largest:
                if lower:
                    rest = sum(units[i] * numbers[i] for i in range(index + 1))
                    parts.append((self.clause(higher, lower), rest))
                break
            if 0 < least <= largest:
                own = self.digits[index, least]
                times = units[index] * shares[index][least]
                parts.append((self.clause([*higher, own], lower), times))
            if 0 < further <= largest and (index, further) in self.digits:
                higher.append(self.digits[index, further])
        return parts

    def clause(self, lits: Sequence[Lit], lower: bool) -> int:
        """Return the number of "one of the digits is reached", or is not (without `lower`)."""
        links, sign = self._links, 1 if lower else -1
        number = links.given[[sign * lit for lit in links.encoded(lits)]]
        known = links.down if lower else links.up
        hints = [known[lit] for lit in lits if lit in known]
        if not hints:
            return number
        return self.state.propagate([sign * lit for lit in lits], [number, *hints])

    def place(
        self, index: int, place: Place, asked: Sequence[int], lower: bool
    ) -> tuple[Parts, Mapping[int, int]]:
        """Return parts: the count by the carries and some digits; and how often each digit counts.

        Each output is replaced by the one of a digit or a carry before it, or behind it (`lower`).
        """
        total, starts = self.totals[index], range(0, place.length + 1, place.radix)
        length = len(total.lits)
        parts = [*(total.at_least if lower else total.at_most)]
        inside = {start + least: least for start in starts for least in asked}
        kept = {*place.carries, *inside}
        shares = dict.fromkeys(asked, 0)
        times = dict.fromkeys(kept, 0)
        near = 0
        for count in reversed(range(1, length + 1)) if lower else range(1, length + 1):
            near = count if count in kept else near
            if near:
                own = 1 if lower or count < length else 1 + total.more
                times[near] += own
                row = None
                if near != count:
                    row = total.falls(min(near, count) - 1, max(near, count) - 1)
                if row is not None:
                    parts.append((row, own))
        for count, least in inside.items():
            shares[least] = max(shares[least], times[count])
        for least, share in shares.items():
            if not place.is_direct and share:
                row = self._digit_row(least, place, total, self.digits[index, least], lower)
                parts += [] if row is None else [(row, share)]
        return parts, shares

    def _digit_row(
        self, least: int, place: Place, total: Falling, digit: Lit, lower: bool
    ) -> int | None:
        """Return the number of "outputs with this digit, less the carries, are at most the digit".

        Or at least (`lower`). None if there never is one more.
        """
        # They are 0 or 1 as the outputs fall. That much less 1 often, and the definition once, are
        # divided by the weight of the digit in the definition.
        state, rows, axioms = self.state, list[tuple[int, int]](), list[tuple[Lit, int]]()
        number = state.if_false.get(digit if not lower else -digit)
        ends = [0, *(c for c in range(place.radix, place.length + 1, place.radix))]
        pairs = [
            (start + least, start + place.radix) if lower else (start, start + least)
            for start in ends
        ]
        for first, second in pairs:
            high, low = (total.lits[c - 1] if 0 < c <= place.length else 0 for c in (first, second))
            if high and low:
                row = total.falls(first - 1, second - 1)
                rows += [] if row is None else [(row, 1)]
            elif high or low:
                axioms.append((high or -low, 1))
        if number is None:
            # The digit is false, by a clause.
            return state.add([*rows, (state.if_false[-digit], 1)], axioms) if lower else None
        times = abs(state.rows[number].coefficients[digit])
        if times == 1:
            return number
        parts = [(number, 1), *((row, times - 1) for row, _ in rows)]
        return state.add(parts, [(lit, times - 1) for lit, _ in axioms], divisor=times)
