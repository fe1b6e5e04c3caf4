"""The clauses of a network of comparators, derived from the meanings of its values.

Every clause of a comparator is one sum: of the inequalities on the merge around the comparator that
hold while the clause's literals are false, and of the row that compares both halves of that merge,
``D >= E`` or ``E >= D - 2`` (`values`).

A value that bounds make constant has a unit clause, from the bound or from another constant; a
clause without the value's literal is a resolvent with the unit. A value without a variable is
replaced in clauses by both inputs of its comparator, and in sums by the sum of what they say; if it
enters another merge, it has a variable of the proof, and the clause is a resolvent, too.

Size: two definitions a value, one step a clause, one or two more for a resolvent, and for each
literal that is merged log times a step for "this literal implies the literal before".

Reference: Batcher: Sorting networks and their applications, AFIPS 1968. Such derivations of other
encodings: Gocht, Martins, Nordstroem, Oertel: Certified CNF translations for pseudo-Boolean
solving, SAT 2022.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from pbcnf.derivation.derivation_state import DerivationState, Parts, UnderivableError
from pbcnf.derivation.encoded_sum import Walk
from pbcnf.derivation.networks.falling import Falling
from pbcnf.derivation.networks.values import (
    Defined,
    Meaning,
    Merge,
    Merged,
    NetworkValues,
    Sequenced,
    Side,
)
from pbcnf.encoders.circuits import one_directional
from pbcnf.encoders.circuits.networks import FALSE, LITERAL, Network
from pbcnf.encoders.circuits.unary import (
    Counts,
    NetworkAdder,
    UnaryAdder,
    merging_of,
    sorting_of,
)
from pbcnf.encoders.counter import Direction
from pbcnf.literals import Clause, Lit, Var


class _Rule(NamedTuple):
    """A clause of a comparator: the signs of E_j, D_(j+1), the high and the low value, or 0."""

    signs: tuple[int, int, int, int]
    direction: Direction
    is_odd_more: bool | None = None
    """Whether the clause needs ``D >= E``, ``E >= D - 2``, or neither."""


_RULES: Final = (
    _Rule((-1, 0, 1, 0), Direction.AT_MOST, True),
    _Rule((0, -1, 1, 0), Direction.AT_MOST, False),
    _Rule((-1, -1, 0, 1), Direction.AT_MOST),
    _Rule((1, 0, 0, -1), Direction.AT_LEAST, False),
    _Rule((0, 1, 0, -1), Direction.AT_LEAST, True),
    _Rule((1, 1, -1, 0), Direction.AT_LEAST),
)
_RAISES_LOW, _RAISES_HIGH = _RULES[2], _RULES[5]
"""The rules by which both inputs of a comparator decide an output that has no variable."""


class NetworkDerivation:
    """Follows a network over `lits` whose auxiliary variables are numbered from `first`.

    ``values`` are to be followed, merge by merge, before clauses are derived. ``variables``: the
    number of the network's variables.
    """

    def __init__(
        self,
        network: Network,
        lits: Sequence[Lit],
        directions: Direction,
        first: Var,
        state: DerivationState,
        distinct: bool = True,
    ) -> None:
        n = network.inputs
        has_own = network.asked & LITERAL != 0
        if directions is not Direction.BOTH:
            has_own &= ~one_directional.numbering(network, directions, distinct)[1]
        auxiliaries = (n + has_own[n:].nonzero()[0]).tolist()
        self.variables = len(auxiliaries)
        self._own = dict(enumerate(lits)) | {v: first + i for i, v in enumerate(auxiliaries)}
        self._rules = [rule for rule in _RULES if rule.direction in directions]
        self._marks = network.asked.tolist()
        self._inputs = n
        self._state = state
        self._fixed: dict[int, int] = {}
        self._local: dict[tuple[int, _Rule], int] = {}
        enter = np.concatenate((network.left, network.right)).tolist()
        self._consumers = dict(zip(enter, [*range(len(network.left))] * 2, strict=True))
        asked = set(network.asked.nonzero()[0].tolist())
        left_out = {v for v in asked if self._marks[v] == LITERAL and v not in self._own}
        self.values = NetworkValues(n, self._consumers, asked, left_out, self._own, state)

    def fix(self, v: int, value: bool, parts: Parts | None) -> int:
        """Derive that a value is constant, from rows that say so; return the number."""
        assert parts is not None
        lit = self.values.literal[v]
        self._fixed[v] = self._state.derive_by_sum([lit if value else -lit], parts)
        return self._fixed[v]

    def derive(self, clauses: Iterable[Clause]) -> list[int]:
        """Return the numbers of the clauses of the network."""
        known = dict(self._clauses())
        units = {
            frozenset([-lit if self._marks[v] & FALSE else lit]): v
            for v, lit in self._own.items()
            if self._marks[v] > LITERAL
        }
        found = []
        for clause in clauses:
            key = frozenset(clause)
            if key in known:
                found.append(self._derived(clause, *known[key]))
            elif key in units:
                found.append(self._state.propagate(clause, [self._unit(units[key])]))
            else:
                raise UnderivableError(f"clause {list(clause)} is none of its network")
        return found

    def _clauses(self) -> Iterator[tuple[frozenset[Lit], tuple[int, _Rule]]]:
        """Yield the clauses that each comparator can have, with the kinds of these clauses."""
        for i in self.values.comparators:
            for rule in self._rules:
                lits = self._emitted(i, rule)
                if lits is not None:
                    yield frozenset(lits), (i, rule)

    def _emitted(self, i: int, rule: _Rule) -> list[Lit] | None:
        """Return the clause as the encoder emits it, None if it emits none.

        A value without a variable is replaced by its inputs if it enters this comparator. A
        constant that satisfies its literal makes the clause unnecessary; others are left out.
        """
        lits: list[Lit] = []
        for v, sign in self._values_of(i, rule):
            if v in self._own:
                lits.append(sign * self._own[v])
            elif self._marks[v] == LITERAL and v < self._inputs + 2 * i:
                lits += self._behind(v, sign)
            elif self._marks[v] <= LITERAL or (self._marks[v] == FALSE) is not (sign > 0):
                return None
        return lits

    def _behind(self, v: int, sign: int) -> list[Lit]:
        """Return the literals of the inputs of a value that is left out."""
        made = self.values.comparators[(v - self._inputs) // 2]
        return [sign * self._own[w] for w in (made.even, made.odd)]

    def _derived(self, clause: Clause, i: int, rule: _Rule) -> int:
        """Derive a clause, by resolution if it is not over the literals of its comparator."""
        # The clause over all values follows as a sum. The encoder's clause lacks values that have
        # no variable in clauses: what makes these true or false is resolved with the clause over
        # all.
        reasons = []
        for v, _ in self._values_of(i, rule):
            if v in self._own or v not in self.values.literal:
                continue
            if self._marks[v] == LITERAL:
                raises = _RAISES_LOW if rule.direction is Direction.AT_MOST else _RAISES_HIGH
                reasons.append(self._local_clause((v - self._inputs) // 2, raises))
            else:
                reasons.append(self._unit(v))
        if reasons or (i, rule) in self._local:
            return self._state.propagate(clause, [self._local_clause(i, rule), *reasons])
        return self._state.derive_by_sum(clause, self._parts(i, rule), bounded=False)

    def _unit(self, v: int) -> int:
        """Return the number of the unit clause of a constant."""
        # A value that no bound fixed follows from an output of the comparator that it enters: if
        # even the high output is false, so are both inputs, and if the low one is true, both are
        # true.
        if v not in self._fixed:
            if v not in self._consumers:
                raise UnderivableError("a constant of a network does not follow")
            i = self._consumers[v]
            at = 1 if self.values.comparators[i].odd == v else 0
            is_false = self._marks[v] & FALSE != 0
            high = self._inputs + 2 * i
            rule = _RULES[at if is_false else 3 + at]
            reasons = [self._local_clause(i, rule), self._unit(high if is_false else high + 1)]
            lit = self.values.literal[v]
            self._fixed[v] = self._state.propagate([-lit if is_false else lit], reasons)
        return self._fixed[v]

    def _local_clause(self, i: int, rule: _Rule) -> int:
        """Return the number of a clause over all values of comparator `i`, derived once."""
        if (i, rule) not in self._local:
            clause: list[Lit] = []
            for v, sign in self._values_of(i, rule):
                lit = self.values.literal.get(v)
                clause += self._behind(v, sign) if lit is None else [sign * lit]
            clause, parts = [*dict.fromkeys(clause)], self._parts(i, rule)
            self._local[i, rule] = self._state.derive_by_sum(clause, parts, bounded=False)
        return self._local[i, rule]

    def _values_of(self, i: int, rule: _Rule) -> Iterator[tuple[int, int]]:
        made, high = self.values.comparators[i], self._inputs + 2 * i
        for v, sign in zip((made.even, made.odd, high, high + 1), rule.signs, strict=True):
            if sign:
                yield v, sign

    def _parts(self, i: int, rule: _Rule) -> Parts:
        """Return parts whose sum a false clause contradicts.

        If only one input of the comparator is in the clause, that input's half of the merge counts
        twice: ``D >= E`` or ``E >= D - 2`` then replaces the other half.
        """
        made = self.values.comparators[i]
        of, is_double = made.merge, rule.is_odd_more is not None and not made.is_smallest
        meanings = (made.of_even, made.of_odd, made.high, made.low)
        parts: list[tuple[int | None, int]] = []
        for place, (meaning, sign) in enumerate(zip(meanings, rule.signs, strict=True)):
            if sign:
                assert meaning is not None
                row = meaning.true if sign < 0 else meaning.false
                parts.append((row, 2 if is_double and place < 2 else 1))
        if is_double:
            more = of.odd_at_least_even if rule.is_odd_more else of.even_at_least_odd
            parts.append((more, 1))
        return [(row, factor) for row, factor in parts if row is not None]


def derive_sorter(walk: Walk, adder: NetworkAdder, lits: Sequence[Lit], asked: Counts) -> Falling:
    """Derive the sorting network by which `adder` counts literals; return its outputs."""
    network = sorting_of(len(lits), asked)
    made = NetworkDerivation(network, lits, adder.directions, walk.next_var, walk.state)
    of = made.values.sort(range(len(lits))).of
    _derive_next(walk, made, adder.size_of_count(len(lits), asked).clauses)
    return of


def derive_merger(
    walk: Walk, adder: NetworkAdder, left: Falling, right: Falling, asked: Counts
) -> Falling:
    """Derive the merging network by which `adder` adds two numbers; return its outputs."""
    a, b = len(left.lits), len(right.lits)
    made = NetworkDerivation(
        merging_of(a, b, asked),
        left.lits + right.lits,
        adder.directions,
        walk.next_var,
        walk.state,
        adder.distinct,
    )
    of = made.values.merge(Sequenced(range(a), left), Sequenced(range(a, a + b), right)).of
    _derive_next(walk, made, adder.size_of_add(a, b, asked).clauses)
    return of


def derive_counted(walk: Walk, adder: UnaryAdder, lits: Sequence[Lit], asked: Counts) -> Falling:
    """Derive how `adder` counts literals, for all counts from 1 to the last of `asked`."""
    if isinstance(adder, NetworkAdder):
        return derive_sorter(walk, adder, lits, asked)
    if len(lits) == 1:
        return Falling(lits, walk.state)
    half = len(lits) // 2
    parts = []
    for own, others in ((lits[:half], lits[half:]), (lits[half:], lits[:half])):
        counts = adder.summand(asked, len(own), len(others))
        parts.append(derive_counted(walk, adder, own, counts))
    return derive_added(walk, adder, parts[0], parts[1], asked)


def derive_added(
    walk: Walk, adder: UnaryAdder, left: Falling, right: Falling, asked: Counts
) -> Falling:
    """Derive how `adder` adds two numbers, each with a literal for every count from 1 on."""
    if isinstance(adder, NetworkAdder):
        return derive_merger(walk, adder, left, right, asked)
    state = walk.state
    sides = [Side(each, range(len(each.lits))) for each in (left, right)]
    own = dict(zip(asked, walk.new_vars(len(asked)), strict=True))
    # Each output is a threshold of the literals of both; counts that have none in the clauses get
    # a variable of the proof.
    of = Merge(sides, state)
    lits = [own[c] if c in own else state.fresh() for c in range(1, asked[-1] + 1)]
    meanings: list[Meaning] = [Defined(lit, of, count) for count, lit in enumerate(lits, start=1)]
    alone = [Merge([side], state) for side in sides]
    # If literals i and j are true, so are all before them: i + j in all.
    reasons = {}
    for count, lit in own.items():
        for i in range(max(count - len(right.lits), 0), min(count, len(left.lits)) + 1):
            premises = list[Lit]()
            rows = [meanings[count - 1].false]
            for place, side, each in ((i, left, alone[0]), (count - i, right, alone[1])):
                if place:
                    premises.append(-side.lits[place - 1])
                    rows.append(each.first(place))
            reasons[frozenset([*premises, lit])] = [(row, 1) for row in rows if row is not None]
    size = adder.size_of_add(len(left.lits), len(right.lits), asked)
    for clause in walk.clauses(size.clauses):
        parts = reasons.get(frozenset(clause))
        if parts is None:
            raise UnderivableError(f"clause {list(clause)} is none of its sum")
        walk.derived.append(state.derive_by_sum(clause, parts, bounded=False))
    return Merged(lits, meanings, of, left, right)


def _derive_next(walk: Walk, made: NetworkDerivation, clauses: int) -> None:
    walk.new_vars(made.variables)
    walk.derived += made.derive(walk.clauses(clauses))
