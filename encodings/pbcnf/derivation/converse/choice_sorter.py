"""The bound of a sum over groups from the clauses of a sorter in a mixed radix.

A group enters a place as literals "the digit is at least j". Each has a variable of the proof
alone, "one of some literals is true", which implies the encoder's variable, and is at least the sum
of these literals. Whatever is counted of them is followed as without groups (`mixed_radix`).

Size: two steps for each set of literals, and for counts and places as without groups.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbcnf.derivation.converse.group_parts import BoundBack
from pbcnf.derivation.converse.linked_networks import Links, link_added, link_counted
from pbcnf.derivation.converse.mixed_radix import LinkedSorter
from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.derivation.networks.falling import Chain, CutOff, Falling, Picked, Repeated
from pbcnf.encoders.circuits.mixed_radix import smallest_of_add
from pbcnf.encoders.pseudo_boolean.mixed_radix_sorter import (
    ADDERS_OF_CHOICES,
    ChoicePlan,
    counts_of,
    smallest_of_count,
)
from pbcnf.literals import Lit


def derive(back: BoundBack) -> None:
    """Derive the bound from the places and from the last clause."""
    chains: list[Chain] = []
    choices = back.choices(chains)
    if choices is None:
        return
    state, links, plan = back.state, Links(back.clauses), ChoicePlan.of(choices)
    walk = LinkedSorter(back.sum([], 0, 0), links)
    linked = {lit: (chain, at) for chain in chains for at, lit in enumerate(chain.lits)}
    sets: dict[tuple[Lit, ...], _LiteralSet] = {}
    carried, unit = Falling([], state), 1
    for index, (place, of) in enumerate(zip(plan.places, plan.entering, strict=True)):
        total = Falling([], state)
        if place.counts:
            most = place.counts[-1]
            counted: list[Falling] = []
            for digit, lits in of.alone.items():
                asked = counts_of(len(lits), digit, most)
                adder = smallest_of_count(len(lits), asked)
                counted.append(Repeated(link_counted(walk, adder, lits, asked, links), digit))
            for lits in of.chains:
                chain, _ = linked[lits[0]]
                counted.append(Picked(chain, [linked[lit][1] for lit in lits]))
            for choice in of.choices:
                for some in choice[:most]:
                    if some not in sets:
                        sets[some] = _LiteralSet(some, back, walk, links)
                # The last literal counts for those left out behind it, too.
                some_sets, more = [sets[some] for some in choice[:most]], len(choice[most:])
                counted.append(_ExactDigit(some_sets, more, state))
                for each in (*some_sets, *[some_sets[-1]] * more):
                    if each.row is not None:
                        back.upper.append((each.row, unit))
            counted += [carried] if carried.lits else []
            for (a, left), (b, right), asked in place.mergers() if len(counted) > 1 else ():
                adder = smallest_of_add(ADDERS_OF_CHOICES, a, b, asked)
                halves = CutOff(counted[left], a), CutOff(counted[right], b)
                counted.append(link_added(walk, adder, *halves, asked, links))
            total = CutOff(counted[-1], most)
        walk.totals.append(total)
        reached = [plan.reached] if place is plan.places[-1] else []
        if reached:
            walk.digits[index, plan.reached] = total.lits[plan.reached - 1]
        found, shares = walk.place(index, place, reached, False)
        back.upper += [(row, unit * times) for row, times in found]
        if reached:
            last = walk.clause([total.lits[plan.reached - 1]], False)
            back.upper.append((last, unit * shares[plan.reached]))
        unit *= place.radix
        carried = walk.carried(place, total)


class _LiteralSet:
    """A variable "one of some literals is true", or the only literal.

    ``row``: the number of "it is at least their sum", None for a single literal.
    """

    def __init__(
        self, some: tuple[Lit, ...], back: BoundBack, walk: LinkedSorter, links: Links
    ) -> None:
        state, self.lit = back.state, some[0]
        self.row: int | None = None
        if len(some) == 1:
            return
        [own] = walk.new_vars(1)
        self.lit = state.fresh()
        state.define_or(self.lit, some)
        self.row = back.divided([(state.if_false[self.lit], 1)], some)
        hints = [state.if_false[-self.lit], *(back.clauses[-lit, own] for lit in some)]
        links.own[self.lit] = own
        links.up[self.lit] = state.propagate([-self.lit, own], hints)


class _ExactDigit(Falling):
    """The literals "one of these" for fewer and fewer literals."""

    def __init__(self, sets: Sequence[_LiteralSet], more: int, state: DerivationState) -> None:
        super().__init__([each.lit for each in sets], state, more)

    def next_falls(self, i: int) -> int:
        """Return the number of ``lits[i] >= lits[i + 1]``: one of fewer is one of more."""
        if_false = self.state.if_false
        hints = [if_false.get(self.lits[i]), if_false.get(-self.lits[i + 1])]
        clause = [self.lits[i], -self.lits[i + 1]]
        return self.state.propagate(clause, [hint for hint in hints if hint is not None])
