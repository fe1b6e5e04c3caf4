"""Sorters in a mixed radix: place by place, then the comparison of digits.

The inputs at a place and the carries into it are counted by sorting and merging networks. With
radix r, tare t and outputs o_c, "the count is at least c", the carries are o_(r-t), o_(2r-t), ...
The outputs between two carries say the digit. As all of them fall, the count and the tare are at
least and, without a tare, at most r times the carries and what the digit says (`PlaceRows`); a
digit "at least d" is defined by ``o_d + o_(r+d) + ... > o_r + o_(2r) + ...`` (`DigitOutput`): of
the outputs between two carries, number d is reached if the next carry is, and only if the last
carry is, so all differences but the one that a clause is about have one sign.

What a place leaves once its carries are gone is weighed with the product of the radices below: all
places together say what the inputs weigh, as the carries cancel, and a clause of the comparison is
their sum with the bound.

Size: linear in the clauses of the networks; three steps for each output of a place, two or three
for each clause of a digit and of the comparison.

Reference: the encoding: Een, Soerensson: Translating pseudo-Boolean constraints into SAT, JSAT
2006; such derivations of other encodings: Gocht, Martins, Nordstroem, Oertel: Certified CNF
translations for pseudo-Boolean solving, SAT 2022.
"""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Iterator, Sequence
from functools import cached_property

from pbcnf.derivation.derivation_state import DerivationState, Parts
from pbcnf.derivation.encoded_sum import EncodedSum, Walk, is_clause
from pbcnf.derivation.networks.falling import CutOff, Falling, Picked, Repeated
from pbcnf.derivation.networks.network import (
    derive_added,
    derive_counted,
    derive_merger,
    derive_sorter,
)
from pbcnf.encoders.circuits.grouped_sums import BoundedChoices
from pbcnf.encoders.circuits.mixed_radix import (
    Comparison,
    Place,
    definition_of,
    smallest_of_add,
)
from pbcnf.encoders.circuits.unary import Counts, NetworkAdder
from pbcnf.encoders.pseudo_boolean.mixed_radix_sorter import (
    ADDERS_OF_CHOICES,
    ChoicePlan,
    SorterPlan,
    counts_of,
    plan_of,
    smallest_of_count,
)
from pbcnf.literals import Clause, Lit, Var


class PlaceRows:
    """A place and its count ``total``, a literal for every number up to the last one asked for.

    ``digits``: digit -> its variable, where the digit is not an output.
    """

    def __init__(self, place: Place, total: Falling, state: DerivationState) -> None:
        self.place = place
        self.total = total
        self._state = state
        self._end = len(total.lits)
        self.digits: dict[int, Var] = {}
        self._lower: dict[int, int | None] = {}
        self._upper: dict[int, int | None] = {}

    def at_least(self, digit: int = 0) -> int | None:
        """Return ``count + tare >= radix * carries``, plus `digit` if that digit is true."""
        if digit not in self._lower:
            place = self.place
            # The outputs fall. So those from one carry to the next add up to at least radix times
            # the next carry; or to `digit` times output number `digit` among them, and the rest of
            # the radix times the carry. By the digit's definition one output number `digit` more is
            # true than carries.
            parts = [*self.total.at_least]
            first = place.carries[0] if place.carries else place.radix
            for end in range(first, self._end + place.radix, place.radix):
                start = end - place.radix
                parts += self._rising(start, min(start + digit, self._end))
                if end in place.carries:
                    parts += self._rising(start + digit, end)
            if digit in self.digits:
                parts.append((self._state.if_false[-self.digits[digit]], digit))
            # The first carry lacks as many outputs as the tare is: the first output, which is at
            # most 1, stands in for each.
            axioms = [(-self.total.lits[0], place.tare)] if place.tare and place.carries else []
            self._lower[digit] = self._state.add(parts, axioms) if parts or axioms else None
        return self._lower[digit]

    def below(self, digit: int | None = None) -> int | None:
        """Return ``count < radix * (carries + 1)``, or less if `digit` is given and false."""
        least = self.place.radix if digit is None else digit
        if least not in self._upper:
            place = self.place
            # The same from above: outputs behind a false one are false, up to the next carry.
            parts = [*self.total.at_most]
            for start in range(0, place.length + 1, place.radix):
                end = min(start + place.radix - 1, place.length)
                middle = min(start + least - 1, end)
                parts += self._falling(start, middle)
                parts += self._falling(middle + 1, end)
            number = self._state.if_false.get(self.digits.get(least, 0))
            if number is not None:
                parts.append((number, place.radix - least))
            self._upper[least] = self._state.add(parts) if parts else None
        return self._upper[least]

    def _rising(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield parts: if count `end` is reached, all counts behind `start` are."""
        for count in range(max(start + 1, 1), end):
            row = self.total.falls(count - 1, count)
            if row is not None:
                yield row, count - start

    def _falling(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield parts: if count `start` is not reached, no count up to `end` is."""
        for count in range(max(start, 1), min(end, self._end)):
            row = self.total.falls(count - 1, count)
            if row is not None:
                yield row, end - count


_Pair = int | None


class DigitOutput:
    """The variable of a digit: a count is `least` or more above a multiple of the radix."""

    def __init__(
        self, var: Var, least: int, place: Place, total: Falling, state: DerivationState
    ) -> None:
        self.var = var
        self._least = least
        self._place = place
        self._total = total
        self._state = state
        self._starts = range(0, place.length + 1, place.radix)
        inside = [self._output(start + least) for start in self._starts]
        above = [self._output(start) for start in self._starts[1:]]
        # The digit is true exactly if more outputs `least` than carries are: of the former and of
        # the negated latter at least as many as there are carries, and one more. An output that is
        # both stands in the sum with its negation: together these are 1, and both are taken out.
        lits = Multiset([lit for lit in inside if lit] + [-lit for lit in above])
        both = {lit: min(lits[lit], lits[-lit]) for lit in lits}
        terms = [(lits[lit] - both[lit], lit) for lit in lits if lits[lit] > both[lit]]
        count = len(above) + 1 - sum(both.values()) // 2
        if count > sum(times for times, _ in terms):
            # Inputs of large weights can skip the digit: no sum has it, so the variable is false.
            state.if_false[-var] = state.fix(-var)
        else:
            state.define(var, terms, count)

    def derive(self, clauses: Sequence[Clause]) -> list[int]:
        """Return the numbers of the clauses, in order."""
        found = []
        for clause, (i, is_true) in zip(clauses, self.kinds(), strict=True):
            # While the clause is false, the definition activates one half, and of all other
            # multiples of the radix "output inside" and "carry" cancel, before i and behind.
            number = self._state.if_false.get(self.var if is_true else -self.var)
            before, behind = self._above if is_true else self._below
            rows = [number, before[i], behind[i]]
            parts = [(row, 1) for row in rows if row is not None]
            lits = [*dict.fromkeys(clause)]
            found.append(self._state.derive_by_sum(lits, parts, bounded=False))
        return found

    def _output(self, count: int) -> Lit:
        return self._total.lits[count - 1] if count <= self._place.length else 0

    def kinds(self) -> Iterator[tuple[int, bool]]:
        """Yield for each clause the multiple of the radix, and whether the digit is implied."""
        for i, start in enumerate(self._starts):
            inside = self._output(start + self._least)
            above = self._output(start + self._place.radix)
            if inside and inside != above:
                yield i, True
            if not start or self._output(start) not in (inside, above):
                yield i, False

    @cached_property
    def _above(self) -> tuple[list[_Pair], list[_Pair]]:
        """The sums of "output inside >= carry above" over the multiples before, and behind."""
        return self._sums(
            [(start + self._least, start + self._place.radix) for start in self._starts]
        )

    @cached_property
    def _below(self) -> tuple[list[_Pair], list[_Pair]]:
        """The sums of "output inside <= carry below" over the multiples before, and behind."""
        return self._sums([(start, start + self._least) for start in self._starts])

    def _sums(self, pairs: Sequence[tuple[int, int]]) -> tuple[list[_Pair], list[_Pair]]:
        falls = [self._falls(*pair) for pair in pairs]
        return self._added_up(falls[:-1]), self._added_up(falls[:0:-1])[::-1]

    def _added_up(self, rows: Sequence[_Pair]) -> list[_Pair]:
        """Return the sums of the first 0, 1, 2, ... of `rows`."""
        found: list[_Pair] = [None]
        for row in rows:
            last = found[-1]
            if row is None or last is None:
                found.append(row or last)
            else:
                found.append(self._state.add([(last, 1), (row, 1)]))
        return found

    def _falls(self, count: int, further: int) -> _Pair:
        if not count or further > self._place.length:
            return None
        return self._total.falls(count - 1, further - 1)


def derive(of: EncodedSum, state: DerivationState) -> list[int]:
    """Derive two bounds at once, and one as an upper one, of the negated inputs if need be."""
    if of.upper == of.total:
        of = of.mirrored()
    if is_clause(of):
        return [state.derive_by_sum(of.clauses[0], [(number, 1) for number in of.bounds])]
    walk = SorterWalk(of, state, of.first)
    walk.compare(plan_of(of.weights, of.lower, of.upper))
    return walk.derived


class SorterWalk(Walk):
    """The walk along the places of a sorter, from the lowest on, then along its comparison."""

    def compare(self, plan: SorterPlan) -> None:
        """Follow the places, then derive the comparison."""
        rows: list[PlaceRows] = []
        of = Falling([], self.state)
        for place, groups in self.entering(plan):
            total = self.counted(place, groups, of)
            rows.append(PlaceRows(place, total, self.state))
            self._digits(rows[-1])
            of = Picked(total, [count - 1 for count in place.carries])
        self._compare(plan.comparison, rows)

    def entering(self, plan: SorterPlan) -> Iterator[tuple[Place, Sequence[Sequence[Lit]]]]:
        """Yield each place with the inputs that enter it, by their digit."""
        rest = list(self.of.weights)
        for place in plan.places:
            held = [number % place.radix for number in rest]
            rest = [number // place.radix for number in rest]
            groups: dict[int, list[Lit]] = {times: [] for times, _ in place.groups}
            for lit, digit in zip(self.of.lits, held, strict=True):
                if digit:
                    groups[digit].append(lit)
            yield place, [*groups.values()]

    def counted(self, place: Place, groups: Sequence[Sequence[Lit]], carry: Falling) -> Falling:
        """Follow the sorters and mergers of a place; return its count."""
        if not place.counts:
            return Falling([], self.state)
        counted: list[Falling] = []
        for lits, (times, _), (_, asked) in zip(groups, place.groups, place.sorters(), strict=True):
            of = self.sorted(place.adder, lits, asked)
            if place.copies_carry:
                of = self.copied(of.lits[0])
            counted.append(Repeated(of, times))
        if place.is_alone or not groups:
            (of,) = counted or [carry]
            return CutOff(of, place.counts[-1])
        counted += [carry] if carry.lits else []
        for (a, left), (b, right), asked in place.mergers():
            parts = CutOff(counted[left], a), CutOff(counted[right], b)
            counted.append(self.merged(place.adder, *parts, asked))
        return counted[-1]

    def sorted(self, adder: NetworkAdder, lits: Sequence[Lit], asked: Counts) -> Falling:
        """Derive a sorter."""
        return derive_sorter(self, adder, lits, asked)

    def merged(self, adder: NetworkAdder, left: Falling, right: Falling, asked: Counts) -> Falling:
        """Derive a merger."""
        return derive_merger(self, adder, left, right, asked)

    def copied(self, lit: Lit) -> Falling:
        """Define and derive a copy of `lit`."""
        (copy,) = self.new_vars(1)
        self.state.define(copy, [(1, lit)], 1)
        self.derive(1)
        return Copied([copy], self.state)

    def _digits(self, rows: PlaceRows) -> None:
        """Define the digits of a place that are no outputs, and derive their clauses."""
        place = rows.place
        if place.is_direct:
            return
        outputs = {count: rows.total.lits[count - 1] for count in place.counts}
        for least in place.asked:
            (var,) = self.new_vars(1)
            digit = DigitOutput(var, least, place, rows.total, self.state)
            clauses = sum(1 for _ in definition_of(place, least, outputs, var))
            self.derived += digit.derive(self.clauses(clauses))
            rows.digits[least] = var

    def _compare(self, comparison: Comparison, rows: Sequence[PlaceRows]) -> None:
        """Derive each clause from the bound, and from what each place is at least or at most."""
        for terms, clause in zip(comparison, self.clauses(len(comparison)), strict=True):
            digits = {place: least for (place, least), _ in terms}
            is_lower = terms[0][1]
            bound = self.of.at_least if is_lower else self.of.at_most
            assert bound is not None
            parts, unit = [(bound, 1)], 1
            for index, each in enumerate(rows):
                digit = digits.get(index)
                row = each.below(digit) if is_lower else each.at_least(digit or 0)
                if row is not None:
                    parts.append((row, unit))
                unit *= each.place.radix
            self.derived.append(self.state.derive_by_sum(clause, parts))


def derive_choices(walk: Walk, bound: BoundedChoices, chains: Sequence[Falling], row: int) -> None:
    """Derive an upper bound of a sum over choices of literals, from constraint `row` on these.

    A choice enters a place as literals "the digit is at least j": "one of some literals is true".
    These are at most the sum of the literals; so the sum of all places is at most the bound.
    ``chains``: those of which `bound` has literals.
    """
    state, plan = walk.state, ChoicePlan.of(bound)
    parts, unit = [(row, 1)], 1
    sets: dict[tuple[Lit, ...], tuple[Lit, int | None, int | None]] = {}
    """Literals -> the literal "one of these", and its definition while true, and while false."""
    linked = {lit: (chain, at) for chain in chains for at, lit in enumerate(chain.lits)}
    carried = Falling([], state)
    for place, of in zip(plan.places, plan.entering, strict=True):
        total = Falling([], state)
        if place.counts:
            most = place.counts[-1]
            counted: list[Falling] = []
            for digit, lits in of.alone.items():
                asked = counts_of(len(lits), digit, most)
                found = derive_counted(walk, smallest_of_count(len(lits), asked), lits, asked)
                counted.append(Repeated(found, digit))
            for lits in of.chains:
                chain, _ = linked[lits[0]]
                counted.append(Picked(chain, [linked[lit][1] for lit in lits]))
            for choice in of.choices:
                for some in choice[:most]:
                    if some not in sets:
                        sets[some] = _one_of(some, walk)
                    if (at_most := sets[some][1]) is not None:
                        parts.append((at_most, unit))
                counted.append(_Digit([sets[some] for some in choice[:most]], state))
            counted += [carried] if carried.lits else []
            for (a, left), (b, right), asked in place.mergers() if len(counted) > 1 else ():
                adder = smallest_of_add(ADDERS_OF_CHOICES, a, b, asked)
                halves = CutOff(counted[left], a), CutOff(counted[right], b)
                counted.append(derive_added(walk, adder, *halves, asked))
            total = CutOff(counted[-1], most)
        rows = PlaceRows(place, total, state)
        exceeding = plan.reached if place is plan.places[-1] else 0
        if (number := rows.at_least(exceeding)) is not None:
            parts.append((number, unit))
        unit *= place.radix
        carried = Picked(total, [count - 1 for count in place.carries])
    [clause] = walk.clauses(1)
    walk.derived.append(state.derive_by_sum(clause, parts))


def _one_of(some: tuple[Lit, ...], walk: Walk) -> tuple[Lit, int | None, int | None]:
    """Define and derive "one of some literals"; return it with its definition."""
    if len(some) == 1:
        return some[0], None, None
    (own,) = walk.new_vars(1)
    walk.state.define_or(own, some)
    walk.derive(len(some))
    return own, walk.state.if_false.pop(-own), walk.state.if_false.pop(own)


class _Digit(Falling):
    """The literals "one of these" for fewer and fewer literals, see `_one_of`."""

    def __init__(
        self, sets: Sequence[tuple[Lit, int | None, int | None]], state: DerivationState
    ) -> None:
        super().__init__([lit for lit, _, _ in sets], state)
        self._sets = sets

    def next_falls(self, i: int) -> int | None:
        """Return the number of ``lits[i] >= lits[i + 1]``: one of fewer is one of more."""
        (less, _, false), (more, true, _) = self._sets[i : i + 2]
        parts = [(row, 1) for row in (true, false) if row is not None]
        return self.state.derive_by_sum([less, -more], parts, bounded=False)


class Copied(Falling):
    """A literal defined as equal to another literal."""

    def over(self) -> Parts:
        """Return the half of the definition "the copy implies the literal"."""
        return [(self.state.if_false[-self.lits[0]], 1)]

    def under(self) -> Parts:
        """Return the half of the definition "the literal implies the copy"."""
        return [(self.state.if_false[self.lits[0]], 1)]
