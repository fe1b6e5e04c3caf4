"""Sums in binary: adders of bits of the inputs' weights, the last ones compared with the bounds.

Idea: an adder's clauses follow from what its outputs mean by unit propagation. The bound, and for
each adder ``2**place`` times ``outputs <= inputs`` or ``>= inputs``, add up to that bound on the
number whose bits are left; this one row implies all clauses of the comparison. Adders of the
highest place have no carry: before each layer of them the row on what is left so far says that no
two of their inputs are true.

The carry of an adder is true exactly if two or more inputs are. The total is true exactly if
``inputs + 2 ~carry >= 3``. With X the sum of the inputs, the four halves of these definitions are

    low c:   carry or X <= 1            high c:  ~carry or X >= 2
    low s:   total or X - 2 carry <= 0  high s:  ~total or X - 2 carry >= 1

and give, added up with factors and divided, ``2 carry + total <= X`` and ``>= X``. An adder of the
highest place, where at most one of the inputs is true, has a total that is true exactly if one of
them is; then ``total <= X`` is half of the definition, ``>= X`` follows from the clauses which say
that no two are true.

Steps: one for each clause. Beside these 5 for an adder with one bound and 6 with two, or 2 and up
to 4 without a carry; one for each layer and each bound.

Reference: Gocht, Martins, Nordstroem, Oertel: Certified CNF translations for pseudo-Boolean
solving, SAT 2022, for adders whose outputs are reified, summed up over the network.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, count
from typing import NamedTuple

from pbcnf.derivation.derivation_state import DerivationState, UnderivableError
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.encoders.cardinality.parallel_counter import CounterAdders
from pbcnf.encoders.circuits.binary import BucketAdders, size_of_adders, size_of_carryless_adders
from pbcnf.encoders.counter import Direction
from pbcnf.encoders.pseudo_boolean.adder import Adder
from pbcnf.formula import Formula
from pbcnf.literals import Lit, Var


class Placed(NamedTuple):
    """An adder of two or three bits worth ``2**place`` each; without a carry in the highest place.

    With one, ``sum of inputs = total + 2 carry``.
    """

    place: int
    inputs: tuple[Lit, ...]
    total: Var
    carry: Var | None


def parallel_counter(lits: Sequence[Lit], first: Var) -> list[Placed]:
    """Return the adders of `ParallelCounter`, in an order in which inputs come before outputs."""
    adders = CounterAdders(count(first))
    adders.count(lits)
    found: list[Placed] = []
    places = dict.fromkeys(map(abs, lits), 0)
    for *inputs, total, carry in sorted([*adders.full, *adders.half], key=lambda row: row[-1]):
        place = places[total] = places[abs(inputs[0])]
        places[carry] = place + 1
        found.append(Placed(place, tuple(inputs), total, carry))
    return found


def adder(lits: Sequence[Lit], weights: Sequence[int], upper: int, first: Var) -> list[Placed]:
    """Return the adders of `Adder`, in an order in which inputs come before outputs."""
    terms = [*zip(lits, weights, strict=True)]
    places = range(upper.bit_length())
    buckets = [[lit for lit, weight in terms if weight >> place & 1] for place in places]
    return bucket_adders(buckets, first)


def bucket_adders(buckets: Sequence[Sequence[Lit]], first: Var) -> list[Placed]:
    """Return the adders of `BucketAdders` for these bits and the carries, bucket by bucket."""
    sink = Formula(num_vars=first - 1)
    found: list[Placed] = []
    carries: list[Lit] = []
    for place, bucket in enumerate(buckets):
        adders = BucketAdders()
        _, carries = adders.add([*bucket, *carries], place == len(buckets) - 1, sink)
        for rows in (adders.full, adders.half):
            found += [Placed(place, tuple(ins), s, c) for *ins, s, c in rows]
        for rows in adders.carryless:
            found += [Placed(place, tuple(ins), s, None) for *ins, s in rows]
    return found


def layers(adders: Sequence[Placed]) -> list[list[Placed]]:
    """Return the adders with a carry, then layers of those without.

    The inputs of a layer are outputs of layers before, or no outputs.
    """
    found: list[list[Placed]] = [[]]
    depth: dict[Lit, int] = {}
    for each in adders:
        layer = 0
        if each.carry is None:
            layer = 1 + max([depth.get(lit, 0) for lit in each.inputs])
            depth[each.total] = layer
        if layer == len(found):
            found.append([])
        found[layer].append(each)
    return found


def outputs_at_least(of: Placed, pairs: Sequence[int], state: DerivationState) -> int:
    """Return the number of ``total + 2 carry >= sum of inputs``.

    ``pairs``: the clauses of an adder without carry that no two inputs are true, by their numbers.
    """
    # With a carry: (2 low c + low s) / 3, or for two inputs, of which the carry is both, (low c +
    # low s) / 2. Without, "inputs <= 1" is added up from the pairs, and ``total or X <= 0`` to it.
    low_total, full = state.if_false[of.total], len(of.inputs) == 3
    if of.carry is not None:
        low_carry = state.if_false[of.carry]
        parts = [(low_carry, 2), (low_total, 1)] if full else [(low_carry, 1), (low_total, 1)]
        return state.add(parts, divisor=3 if full else 2)
    if not full:
        return state.add([(low_total, 1), (pairs[0], 1)], divisor=2)
    one = state.add([(number, 1) for number in pairs], divisor=2)
    return state.add([(low_total, 1), (one, 2)], divisor=3)


class AddersDerived:
    """Adders in a state, their outputs defined, their clauses to be derived.

    ``at_most``: the number of the upper bound on the number whose bits they leave.
    """

    def __init__(self, adders: Sequence[Placed], at_most: int, state: DerivationState) -> None:
        """Define the outputs; ``at_most``: the number of the bound on the sum of the inputs."""
        self._state = state
        self._adders = adders
        self._owner: dict[Var, Placed] = {}
        for each in adders:
            inputs = [(1, lit) for lit in each.inputs]
            if each.carry is None:
                state.define(each.total, inputs, 1)
            else:
                state.define(each.carry, inputs, 2)
                state.define(each.total, [*inputs, (2, -each.carry)], 3)
            self._owner[each.carry or each.total] = self._owner[each.total] = each
        # Clause "one of two inputs is false" -> the row on bits that implies the clause; later the
        # clause's own number.
        self._pairs: dict[frozenset[Lit], int] = {}
        # Invariant: `at_most` is the bound on the sum of what is left: inputs of the sum that no
        # layer so far reads, and outputs of these layers. A layer's inputs cancel against "outputs
        # <= inputs" times 2**place. Two true inputs of the highest place would exceed the bound:
        # hence the pairs.
        for layer in layers(adders):
            for each in layer:
                if each.carry is None:
                    self._pairs |= dict.fromkeys(_pairs(each), at_most)
            below = []
            for each in layer:
                # ``total + 2 carry <= sum of inputs`` is (2 high c + high s) / 3.
                row = state.if_false[-each.total]
                if each.carry is not None:
                    row = state.add([(state.if_false[-each.carry], 2), (row, 1)], divisor=3)
                below.append((row, 1 << each.place))
            at_most = state.add([(at_most, 1), *below]) if below else at_most
        self.at_most = at_most
        self._inputs = frozenset[Lit]().union(*self._pairs)

    def derive(self, clause: Sequence[Lit]) -> int:
        """Derive a clause of an adder; return its number."""
        state = self._state
        # Variables are numbered in the order of the adders, so the largest one is an output of the
        # adder that the clause is about.
        owner = self._owner.get(max(map(abs, clause)))
        if owner is not None:
            outputs = [lit for lit in (owner.carry, owner.total) if lit is not None]
            for lit in outputs:
                for number in (state.if_false[lit], state.if_false[-lit]):
                    if state.rows[number].refutes(clause):
                        return state.propagate(clause, [number])
        pair = self._inputs.intersection(clause)
        if pair in self._pairs:
            self._pairs[pair] = state.propagate(clause, [self._pairs[pair]])
            return self._pairs[pair]
        if owner is None or owner.carry is None:
            raise UnderivableError(f"clause {list(clause)} is of no adder that is there")
        return state.propagate(clause, [state.if_false[owner.total], state.if_false[-owner.carry]])

    def at_least(self, bound: int | None) -> int:
        """Return the number of the lower bound on the bits left, from `bound` on the inputs.

        The clauses of the adders must be derived before. Without a bound (None) the row says that
        the bits are at least the sum of the inputs.
        """
        parts = [] if bound is None else [(bound, 1)]
        for each in self._adders:
            pairs = [] if each.carry else [self._pairs[pair] for pair in _pairs(each)]
            parts.append((outputs_at_least(each, pairs, self._state), 1 << each.place))
        return self._state.add(parts)


def _pairs(of: Placed) -> list[frozenset[Lit]]:
    """Return the pairs of inputs, negated."""
    return [frozenset((-one, -other)) for one, other in combinations(of.inputs, 2)]


def derive(of: EncodedSum, state: DerivationState) -> list[int]:
    """Define the outputs of the adders in order, then derive the clauses."""
    if len(of.clauses) == 1:
        return [state.derive_clause(of.clauses[0], *of.bounds)]
    if isinstance(of.encoder, Adder):
        negated, equivalent = of.total - of.lower < of.upper, of.encoder.equivalent
    else:
        negated, equivalent = of.upper == of.total, False
    # A lower bound alone, or the tighter of the two, is an upper bound on the negated inputs: that
    # is what the encoder adds up.
    of = of.mirrored() if negated else of
    assert of.at_most is not None
    if isinstance(of.encoder, Adder):
        adders = adder(of.lits, of.weights, of.upper, of.first)
    else:
        adders = parallel_counter(of.lits, of.first)
    both = equivalent or of.at_least is not None
    directions = Direction.BOTH if both else Direction.AT_MOST
    kinds = [(each.carry is None, len(each.inputs)) for each in adders]
    carrying = size_of_adders(kinds.count((False, 3)), kinds.count((False, 2)), directions)
    last = size_of_carryless_adders(kinds.count((True, 3)), kinds.count((True, 2)), directions)
    clauses = carrying.clauses + last.clauses
    derived = AddersDerived(adders, of.at_most, state)
    found = [derived.derive(clause) for clause in of.clauses[:clauses]]
    bounds = [derived.at_most]
    if of.at_least is not None:
        bounds.append(derived.at_least(of.at_least))
    # The clauses of the comparison follow from one of the bounds on the bits.
    for clause in of.clauses[clauses:]:
        number = next((bound for bound in bounds if state.rows[bound].refutes(clause)), None)
        if number is None:
            raise UnderivableError(
                f"clause {list(clause)} does not follow from the bits of the sum"
            )
        found.append(state.propagate(clause, [number]))
    return found
