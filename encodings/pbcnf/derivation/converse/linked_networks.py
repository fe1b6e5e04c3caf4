"""Networks whose clauses are given: values that are exact, and links to the encoder's variables.

The encoder's variables are not exact where clauses of one direction are given only, and bounds hold
on some of them only. So each value has a variable z of the proof, exactly what the network computes
(`values`). For "at most" the encoder's variable y is at least z, for "at least" at most z. The
*link* is a clause, found by propagation: if y is false, so are the inputs of its comparator by the
encoder's clauses, their z by the links before, and z by the clauses of the other direction, which
follow from what the z mean. A value that bounds make constant has a link without y, a unit.

Size: of values as in `network`; two or three clauses and a link for each value and direction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from pbcnf.derivation.converse.given_clauses import GivenClauses
from pbcnf.derivation.derivation_state import DerivationState, Parts
from pbcnf.derivation.encoded_sum import Walk
from pbcnf.derivation.networks.falling import Falling
from pbcnf.derivation.networks.network import (
    _RULES,
    NetworkDerivation,
)
from pbcnf.derivation.networks.values import (
    Defined,
    Meaning,
    Merge,
    Merged,
    NetworkValues,
    Sequenced,
    Side,
)
from pbcnf.encoders.circuits.networks import FALSE, LITERAL, Network
from pbcnf.encoders.circuits.unary import (
    Counts,
    NetworkAdder,
    UnaryAdder,
    merging_of,
    sorting_of,
)
from pbcnf.encoders.counter import Direction
from pbcnf.literals import Lit, Var


class LinkedValues(NetworkValues):
    """Values of a network; sequences of which none are left, but which count inputs, are kept."""

    def __init__(
        self,
        inputs: int,
        consumers: dict[int, int],
        asked: set[int],
        left_out: set[int],
        own: dict[int, Lit],
        state: DerivationState,
    ) -> None:
        super().__init__(inputs, consumers, asked, left_out, own, state)
        self.constant: list[Falling] = []

    def merge(self, left: Sequenced, right: Sequenced, *, whole: bool = False) -> Sequenced:
        """Follow a merge, see `NetworkValues`."""
        if not left.values or not right.values:
            self.constant.append((right if left.values else left).of)
        return super().merge(left, right, whole=whole)

    def at_least(self) -> Parts:
        """Return parts: the inputs of constant sequences are at least what these are."""
        return [part for each in self.constant for part in each.at_least]

    def at_most(self) -> Parts:
        """Return parts: the inputs of constant sequences are at most what these are."""
        return [part for each in self.constant for part in each.at_most]


@dataclass(slots=True)
class Links:
    """Variables of the proof alone, and how they are linked to the encoder's.

    ``own``: the encoder's variable of each; the inputs are their own. ``up``: the number of the
    clause that it implies the encoder's, ``down``: that it is implied.
    """

    given: GivenClauses
    own: dict[Lit, Lit] = field(default_factory=dict)
    up: dict[Lit, int] = field(default_factory=dict)
    down: dict[Lit, int] = field(default_factory=dict)

    def encoded(self, lits: Iterable[Lit]) -> list[Lit]:
        """Return the encoder's variables."""
        return [self.own.get(lit, lit) for lit in lits]


class LinkedNetwork(NetworkDerivation):
    """A network whose values are followed with variables of the proof, linked to the clauses'.

    ``lits``: the inputs, which may be variables of the proof themselves.
    """

    def __init__(
        self,
        network: Network,
        lits: Sequence[Lit],
        directions: Direction,
        first: Var,
        links: Links,
        distinct: bool = True,
    ) -> None:
        self._linked, self._given, state = links, links.given, links.given.state
        super().__init__(network, links.encoded(lits), directions, first, state, distinct)
        self._exact_inputs = lits
        asked = {v for v, mark in enumerate(self._marks) if mark}
        exact = dict(enumerate(lits))
        self.values: LinkedValues = LinkedValues(
            network.inputs, self._consumers, asked, set(), exact, state
        )
        self._outputs = network.outputs.tolist()
        self._links: dict[tuple[int, bool], int | None] = {}

    def link_outputs(self) -> None:
        """Derive the links of the outputs that the clauses are to be asked for."""
        for v in self._outputs:
            z = self.values.literal[v]
            if v < self._inputs:
                continue
            self._linked.own[z] = self._own[v]
            for known, rising in ((self._linked.up, True), (self._linked.down, False)):
                direction = Direction.AT_MOST if rising else Direction.AT_LEAST
                if any(rule.direction is direction for rule in self._rules):
                    number = self.link(v, rising)
                    assert number is not None
                    known[z] = number

    def fix(self, v: int, value: bool, parts: Parts | None = None) -> int:
        """Derive that a value is constant from the clauses; return the number."""
        number = self.link(v, not value)
        assert number is not None
        return number

    def link(self, v: int, rising: bool) -> int | None:
        """Return the number of "z is at most y" (`rising`), or "at least", for value `v`.

        If y is constant the clause is a unit. None if the clause says nothing.
        """
        if (v, rising) not in self._links:
            self._links[v, rising] = self._link(v, rising)
        return self._links[v, rising]

    def _link(self, v: int, rising: bool) -> int | None:
        mark, own = self._marks[v], self._own.get(v)
        if mark > LITERAL and (mark & FALSE == 0) is rising:
            return None
        if v < self._inputs and mark == LITERAL:
            known = self._linked.up if rising else self._linked.down
            return known.get(self._exact_inputs[v])
        sign = -1 if rising else 1
        z = sign * self.values.literal[v]
        if v < self._inputs:
            return self._given[[z]]
        clause = [z] if own is None else [z, -sign * own]
        number = self._state.propagate(clause, self._hints(v, rising))
        if mark > LITERAL and own is not None:
            unit = self._given[[sign * own]]
            number = self._state.propagate([z], [number, unit])
        return number

    def _hints(self, v: int, rising: bool) -> Iterator[int]:
        """Yield the reasons of the link of a value."""
        i, low = divmod(v - self._inputs, 2)
        yield from self._exact(v, not rising)
        for rule in _RULES:
            if rule.signs[2 + low] and (rule.direction is Direction.AT_MOST) is rising:
                lits = self._emitted(i, rule)
                if lits is None:
                    continue
                number = self._given.get(*lits)
                if number is None:
                    continue
                hints = [number]
                values = [w for w, _ in self._values_of(i, rule) if w != v]
                for w in values:
                    hints += self._below(w, rising)
                if len(values) == 1 and self._is_left_out(values[0]):
                    # Both inputs of the comparator may be left out.
                    others = [lit for lit in lits if abs(lit) == abs(self._own.get(v, 0))]
                    sign = -1 if rising else 1
                    clause = [sign * self.values.literal[values[0]], *others]
                    hints = [self._state.propagate(clause, hints)]
                yield from hints
        made = self.values.comparators[i]
        for w in (made.even, made.odd):
            yield from self._below(w, rising)

    def _is_left_out(self, v: int) -> bool:
        return self._marks[v] == LITERAL and v not in self._own

    def _below(self, v: int, rising: bool) -> Iterator[int]:
        """Yield the links of a value, or of both inputs of a value that clauses leave out."""
        found = [v]
        if self._is_left_out(v):
            yield from self._exact(v, not rising)
            made = self.values.comparators[(v - self._inputs) // 2]
            found = [made.even, made.odd]
        for w in found:
            number = self.link(w, rising)
            if number is not None:
                yield number

    def _exact(self, v: int, rising: bool) -> Iterator[int]:
        """Yield the clauses by which the inputs of a comparator decide the exact value."""
        i, low = divmod(v - self._inputs, 2)
        for rule in _RULES:
            if rule.signs[2 + low] and (rule.direction is Direction.AT_MOST) is rising:
                yield self._local_clause(i, rule)


def link_sorter(
    walk: Walk, adder: NetworkAdder, lits: Sequence[Lit], asked: Counts, links: Links
) -> Falling:
    """Follow the sorting network by which `adder` counts literals; return its exact outputs."""
    network = sorting_of(len(lits), asked)
    made = LinkedNetwork(network, lits, adder.directions, walk.next_var, links)
    walk.new_vars(made.variables)
    of = made.values.sort(range(len(lits))).of
    made.link_outputs()
    return of


def link_merger(
    walk: Walk, adder: NetworkAdder, left: Falling, right: Falling, asked: Counts, links: Links
) -> Falling:
    """Follow the merging network by which `adder` adds numbers; return its exact outputs."""
    a, b = len(left.lits), len(right.lits)
    network, lits = merging_of(a, b, asked), left.lits + right.lits
    made = LinkedNetwork(network, lits, adder.directions, walk.next_var, links, adder.distinct)
    walk.new_vars(made.variables)
    of = made.values.merge(Sequenced(range(a), left), Sequenced(range(a, a + b), right)).of
    made.link_outputs()
    return of


def link_copy(walk: Walk, lit: Lit, links: Links) -> Lit:
    """Define a variable by `lit`, of which the encoder's next variable is a copy; return it."""
    state, copy = walk.state, walk.state.fresh()
    [own] = walk.new_vars(1)
    state.define(copy, [(1, lit)], 1)
    links.own[copy] = own
    hints = [links.given[-lit, own], state.if_false[-copy]]
    links.up[copy] = state.propagate([-copy, own], hints)
    return copy


def link_counted(
    walk: Walk, adder: UnaryAdder, lits: Sequence[Lit], asked: Counts, links: Links
) -> Falling:
    """Follow how `adder` counts literals, for all counts from 1 to the last of `asked`."""
    if isinstance(adder, NetworkAdder):
        return link_sorter(walk, adder, lits, asked, links)
    if len(lits) == 1:
        return Falling(lits, walk.state)
    half = len(lits) // 2
    parts = []
    for own, others in ((lits[:half], lits[half:]), (lits[half:], lits[:half])):
        counts = adder.summand(asked, len(own), len(others))
        parts.append(link_counted(walk, adder, own, counts, links))
    return link_added(walk, adder, parts[0], parts[1], asked, links)


def link_added(
    walk: Walk, adder: UnaryAdder, left: Falling, right: Falling, asked: Counts, links: Links
) -> Falling:
    """Follow how `adder` adds two numbers, each with a literal for every count from 1 on."""
    if isinstance(adder, NetworkAdder):
        return link_merger(walk, adder, left, right, asked, links)
    state, a, b = walk.state, len(left.lits), len(right.lits)
    of = Merge([Side(each, range(len(each.lits))) for each in (left, right)], state)
    alone = [Merge([side], state) for side in of.sides]
    lits = [state.fresh() for _ in range(asked[-1])]
    meanings: list[Meaning] = [Defined(lit, of, count) for count, lit in enumerate(lits, start=1)]
    for count, own in zip(asked, walk.new_vars(len(asked)), strict=True):
        z, hints = lits[count - 1], list[int]()
        links.own[z] = own
        # Either one more is reached on the left, or as many on the right as are missing.
        shares = range(max(0, count - b), min(a, count) + 1)
        for i in (shares.start - 1, *shares):
            if i in shares:
                counts = ((left, i), (right, count - i))
                reached = [side.lits[c - 1] for side, c in counts if c]
                hints += [links.up[lit] for lit in reached if lit in links.up]
                hints.append(links.given[*(-lit for lit in links.encoded(reached)), own])
            if 0 <= i < count:
                some = [(left, alone[0], i + 1)] if i + 1 in shares else []
                some += [(right, alone[1], count - i)] if i in shares else []
                rows = [state.if_false[-z], *(merge.last(c) for _, merge, c in some)]
                clause = dict.fromkeys([-z, *(side.lits[c - 1] for side, _, c in some)])
                parts = [(row, 1) for row in rows if row is not None]
                hints.append(state.derive_by_sum([*clause], parts, bounded=False))
        links.up[z] = state.propagate([-z, own], hints)
    return Merged(lits, meanings, of, left, right)
