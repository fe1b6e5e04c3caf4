"""The bounds from the clauses of watchdogs.

What a literal of a bucket stands for is defined once more for a variable z of the proof alone, and
it is derived that z implies the encoder's variable y: a *link*. The watch output is false, so is
its z, and that is the bound.

`LinkedTotalizers`: z is a threshold of the inputs, as in `watchdogs`. Let y, "at least c", be false
and z be true. By the clauses "i here and c - i there give c" and by the links, one of each pair of
counts is not reached; but if i is reached here and c - i is not there, i + 1 is reached here, since
z says so. So every count would be reached here up to the largest, and that is not enough: all of it
is found by propagation on a clause for each pair.

`LinkedNetworks`: see `linked_networks`. Twice the half of a count, tare included, is at least the
count less 1: each literal that is left out implies the one before.

The watchdog of an input says: if it is true, the others weigh at most the rest. Where there is none
of all inputs, a variable that means the bound is introduced: it is true if some input is, and if
none is.

Size: two steps for each z, one for each clause, and a link for each output; by networks see
`linked_networks`.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbcnf.derivation.converse.clauses_left import ClausesLeft
from pbcnf.derivation.converse.given_clauses import GivenClauses, added_to, upper_row
from pbcnf.derivation.converse.linked_networks import Links, link_copy, link_merger, link_sorter
from pbcnf.derivation.derivation_state import BoundIds, DerivationState, Parts
from pbcnf.derivation.encoded_sum import EncodedSum, Walk
from pbcnf.derivation.inequalities import combined
from pbcnf.derivation.networks.falling import Falling, Picked
from pbcnf.derivation.networks.values import Merged
from pbcnf.derivation.watchdogs import (
    NetworkBlock,
    TotalizerBlock,
    UnaryNumber,
    UnitCount,
    derive_watchdog,
)
from pbcnf.encoders.circuits.unary import Counts, Unary
from pbcnf.encoders.circuits.watchdog import WatchdogEncoder
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit


class LinkedTotalizers(TotalizerBlock):
    """Counts by totalizers whose clauses are given."""

    def __init__(self, walk: Walk, links: Links, unless: Sequence[Lit]) -> None:
        super().__init__(walk)
        self._links, self._unless, self._state = links, unless, walk.state
        self._times: dict[Lit, int] = {}
        self.found: int | None = None

    def copy(self, lit: Lit, asked: Counts, of: UnitCount) -> Unary:
        """Define the copy by all inputs."""
        total = self._defined(asked, of)
        [copy] = total.lits
        hints = [self._links.given[-lit, self._links.own[copy]]]
        hints.append(self._state.derive_clause([-copy, lit]))
        self._link(copy, hints)
        return total

    def add(
        self, own: Unary, carry: Unary, asked: Counts, of: UnitCount, last: bool = False
    ) -> Unary:
        """Define the counts by all inputs, and link them."""
        total = self._defined(asked, of)
        links = self._links
        sides = [dict(zip(side.counts, side.lits, strict=True)) for side in (own, carry)]
        most = [side.counts[-1] for side in (own, carry)]
        for count, lit in zip(asked, total.lits, strict=True):
            hints: list[int] = []
            shares = range(max(0, count - most[1]), min(most[0], count) + 1)
            for i in (shares.start - 1, *shares):
                if i in shares:
                    reached = [side[c] for side, c in zip(sides, (i, count - i), strict=True) if c]
                    hints += [links.up[each] for each in reached if each in links.up]
                    premises = [-each for each in links.encoded(reached)]
                    hints.append(links.given[*premises, links.own[lit]])
                # Either one more is reached here, or as many are there as are missing.
                if 0 <= i < count:
                    some = [sides[0][i + 1]] if i + 1 in shares else []
                    some += [sides[1][count - i]] if i in shares else []
                    parts = [part for each in (-lit, *some) for part in self._meaning(each)]
                    hints.append(self._state.derive_by_sum([-lit, *some], parts))
            self._link(lit, hints)
        return total

    def exceeded(self, total: Unary, bound: int) -> None:
        """Derive what the last literal means."""
        [lit] = total.lits
        self.found = watched(lit, self._unless, self._links, self._meaning(lit))

    def _defined(self, asked: Counts, of: UnitCount) -> Unary:
        found = []
        for own, count in zip(self._walk.new_vars(len(asked)), asked, strict=True):
            lit = self._state.fresh()
            terms, least = of.terms, of.least(count)
            if not of.tare and {weight for weight, _ in terms} == {of.unit}:
                # So many inputs are true: what is said of a count lower than that is exact.
                terms, least = [(1, each) for _, each in terms], count
                self._times[lit] = of.unit
            self._state.define(lit, terms, least)
            self._links.own[lit] = own
            found.append(lit)
        return Unary(asked, tuple(found))

    def _meaning(self, lit: Lit) -> Parts:
        """Return the row that holds while a literal is false; nothing for an input."""
        number = self._state.if_false.get(lit)
        return [] if number is None else [(number, self._times.get(abs(lit), 1))]

    def _link(self, lit: Lit, hints: Sequence[int]) -> None:
        self._links.up[lit] = self._state.propagate([-lit, self._links.own[lit]], hints)


class LinkedNetworks(NetworkBlock):
    """Counts by sorting and merging networks whose clauses are given.

    The parts of a number say that the inputs weigh at most unit times the sum of its literals, the
    last one more often if literals are left out behind it, and 1 less than a unit.
    """

    def __init__(self, walk: Walk, links: Links, unless: Sequence[Lit]) -> None:
        super().__init__(walk)
        self._links, self._unless = links, unless
        self.found: int | None = None

    def copy(self, lit: Lit, asked: Counts, of: UnitCount) -> UnaryNumber:
        """Define the copy by the literal."""
        copy, state = link_copy(self._walk, lit, self._links), self._state
        return UnaryNumber(Falling([copy], state), [(state.if_false[copy], of.unit)])

    def half(self, total: UnaryNumber, tare: int, of: UnitCount) -> UnaryNumber:
        """Take every second literal; the literal behind each is at most as true."""
        lits, more = total.of.lits, total.of.more
        places = range(1 - tare, len(lits), 2)
        parts, axioms = [*total.total], list[tuple[Lit, int]]()
        if not tare:
            axioms.append((-lits[0], of.unit))
        for place in places[: len(lits) // 2 + tare]:
            behind = place + 1
            times = 1 + (more if behind == len(lits) - 1 else 0)
            row = total.of.falls(place, behind) if behind < len(lits) else None
            if row is not None:
                parts.append((row, of.unit * times))
        # So often the last literal taken counts; as one of the carry it counts twice.
        last = 1 + more + (places[-1] < len(lits) - 1)
        more = (last - 1) // 2
        if 2 * (1 + more) > last:
            axioms.append((lits[places[-1]], of.unit * (2 * (1 + more) - last)))
        number = self._state.add(parts, axioms)
        return UnaryNumber(Picked(total.of, places, more), [(number, 1)])

    def exceeded(self, total: UnaryNumber, bound: int) -> None:
        """Derive what the last literal means."""
        self.found = watched(total.of.lits[-1], self._unless, self._links, total.total)

    def _sorted(self, lits: Sequence[Lit], asked: Counts) -> Falling:
        return link_sorter(self._walk, self.adder, lits, asked, self._links)

    def _merged(self, left: Falling, right: Falling, asked: Counts) -> Falling:
        return link_merger(self._walk, self.adder, left, right, asked, self._links)

    def _number(self, of: Falling, unit: int, last: bool) -> UnaryNumber:
        """Return the outputs of a network as a number; ``last``: it is not added to any other."""
        assert isinstance(of, Merged)
        parts = of.missed(len(of.lits)) if last else of.at_most
        total = [(row, unit * factor) for row, factor in parts]
        return UnaryNumber(Picked(of, range(len(of.lits)), of.more), total)


def derive(left: ClausesLeft, state: DerivationState) -> BoundIds:
    """Derive each bound from its watchdogs, the lower one over the negated inputs."""
    of, clauses = left.of, GivenClauses(left, state)
    encoder, links = of.encoder, Links(clauses)
    assert isinstance(encoder, WatchdogEncoder)
    walk = Walk(of, state, of.first)
    found: list[int | None] = []
    for side in (of, of.mirrored()):
        lits, bound = side.lits, side.upper
        number = None
        if bound >= of.total - min(of.weights):
            if bound < of.total:
                number = clauses[[-lit for lit in lits]]
                number = added_to(upper_row(side), [(number, of.total - bound)], state)
        elif encoder.is_shared(of.weights):
            size = sum(encoder.sum_sizes(of.weights, 0, bound), EncodingSize(0, 0, 0))
            end = walk.next_var + size.variables
            parts = _watchdog(side, range(len(lits)), bound, (), walk, links)
            number = added_to(upper_row(side), parts, state)
            walk.new_vars(end - walk.next_var)
        else:
            number = _per_input(side, walk, links)
        found.append(number)
    return BoundIds(found[1], found[0])


def shared(of: EncodedSum, clauses: GivenClauses) -> Parts:
    """Return parts of the upper bound from one watchdog of all inputs."""
    walk = Walk(of, clauses.state, of.first)
    return _watchdog(of, range(len(of.lits)), of.upper, (), walk, Links(clauses))


def _per_input(of: EncodedSum, walk: Walk, links: Links) -> int:
    """Derive an upper bound from a watchdog of each input."""
    state, row = walk.state, upper_row(of)
    holds = state.fresh()
    state.define(holds, [(w, -lit) for w, lit in of.terms], of.total - of.upper)
    hints = [state.if_false[holds]]
    for i, (lit, weight) in enumerate(zip(of.lits, of.weights, strict=True)):
        left = of.upper - weight
        others, parts = [], [(state.if_false[holds], 1)]
        for j, other in enumerate(of.weights):
            if j != i and other <= left:
                others.append(j)
            elif j != i:
                parts.append((links.given[-lit, -of.lits[j]], other))
        parts += _watchdog(of, others, left, [-lit], walk, links)
        hints.append(state.derive_by_sum([holds, -lit], parts))
    unit = state.propagate([holds], hints)
    return added_to(row, [(state.if_false[-holds], 1), (unit, of.total - of.upper)], state)


def _watchdog(
    of: EncodedSum,
    places: Sequence[int],
    bound: int,
    unless: Sequence[Lit],
    walk: Walk,
    links: Links,
) -> Parts:
    """Return parts: inputs at some places weigh at most `bound`, or a literal of `unless` holds."""
    name = of.encoder.name
    kind = LinkedNetworks if name in ("binary_merge", "binary_merge_gac") else LinkedTotalizers
    block = kind(walk, links, unless)
    weights = [of.weights[place] for place in places]
    derive_watchdog([of.lits[place] for place in places], weights, bound, 0, block)
    return [] if block.found is None else [(block.found, 1)]


def watched(lit: Lit, unless: Sequence[Lit], links: Links, parts: Parts) -> int:
    """Return the sum of `parts`, what a false `lit` means, and the clause.

    The clause says that the encoder's variable is false, or one literal of `unless` is true.
    """
    state = links.given.state
    clause = links.given[-links.own.get(lit, lit), *unless]
    if lit in links.up:
        clause = state.propagate([-lit, *unless], [clause, links.up[lit]])
    found = combined([(state.rows[number], factor) for number, factor in parts])
    times = found.coefficients[abs(lit)]
    return state.add([*parts, (clause, abs(times))])
