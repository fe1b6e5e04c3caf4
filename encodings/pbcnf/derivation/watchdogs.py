"""Watchdogs: "at least c" of each bucket is a threshold of the inputs.

A bucket counts the inputs with bit b in their weights, and a carry: half of the count of the bucket
below, rounded down. Nested floors collapse: bucket b counts at least c exactly if ``sum of (weight
mod 2^(b+1)) * input + (tare mod 2^b) >= c * 2^b``. The carry is the same sum without the bucket's
own inputs, so a bucket adds two counts of the unit 2^b. The watch output says ``sum > bound``,
which contradicts the bound; if the watchdog is for one input, with the weight of that input.

`TotalizerBlock` derives counts that are added by one clause for each pair of counts: every variable
is a threshold of inputs, summands and sums have one unit, and the clause "i here and j there give
i + j" is the sum of three definitions. `NetworkBlock` derives counts of sorting and merging
networks: values are thresholds of the literals that enter a merge, and the sum of the outputs is at
most the sum of these literals, and so on down to the inputs.

Size: two definitions a variable, each over the inputs or literals that it counts; by totalizers one
step a clause, or two where a clause needs more than definitions; by networks see `networks`.

Reference: the encodings: Bailleux, Boufkhad, Roussel: New encodings of pseudo-Boolean constraints
into CNF, SAT 2009; such derivations of other encodings: Gocht, Martins, Nordstroem, Oertel:
Certified CNF translations for pseudo-Boolean solving, SAT 2022.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from pbcnf.derivation.derivation_state import DerivationState, Parts
from pbcnf.derivation.encoded_sum import EncodedSum, Walk
from pbcnf.derivation.inequalities import Terms
from pbcnf.derivation.networks.falling import Falling, Picked
from pbcnf.derivation.networks.network import derive_merger, derive_sorter
from pbcnf.derivation.networks.values import Merged
from pbcnf.encoders.circuits.unary import Counts, NetworkAdder, TotalizerAdder, Unary
from pbcnf.encoders.circuits.watchdog import bits_of, buckets_of
from pbcnf.encoders.counter import Direction
from pbcnf.literals import Lit


class UnitCount(NamedTuple):
    """A sum in units: "at least c" means ``sum of terms + tare >= c * unit``, 0 <= tare < unit."""

    terms: Terms
    unit: int
    tare: int = 0

    def least(self, count: int) -> int:
        """Return the value that the terms must reach for `count`."""
        return count * self.unit - self.tare


class TotalizerBlock:
    """Derives the counts and sums of a `TotalizerAdder`."""

    def __init__(self, walk: Walk) -> None:
        self.adder = TotalizerAdder()
        self._walk = walk

    def copy(self, lit: Lit, asked: Counts, of: UnitCount) -> Unary:
        """Define the copy by all inputs."""
        total = self._defined(asked, of)
        self._walk.derive(1)
        return total

    def count(self, lits: Sequence[Lit], asked: Counts, of: UnitCount, last: bool = False) -> Unary:
        """Derive both halves by their own inputs, then the sum."""
        if len(lits) == 1 or not asked:
            return Unary(asked, tuple(lits) if asked else ())
        half = len(lits) // 2
        left = self._half(lits[:half], len(lits) - half, asked, of.unit)
        right = self._half(lits[half:], half, asked, of.unit)
        return self.add(left, right, asked, of)

    def add(
        self, own: Unary, carry: Unary, asked: Counts, of: UnitCount, last: bool = False
    ) -> Unary:
        """Define the counts by all inputs."""
        total = self._defined(asked, of)
        self._walk.derive(self.adder.size_of_add(own.counts[-1], carry.counts[-1], asked).clauses)
        return total

    def half(self, total: Unary, tare: int, of: UnitCount) -> Unary:
        """Return the literals with half the counts: half a number is a threshold of its inputs."""
        return Unary(tuple((count + tare) // 2 for count in total.counts), total.lits)

    def exceeded(self, total: Unary, bound: int) -> None:
        """Add the meaning of the last literal to the bound."""
        self._walk.derive(1, bound)

    def _half(self, lits: Sequence[Lit], other: int, asked: Counts, unit: int) -> Unary:
        counts = self.adder.summand(asked, len(lits), other)
        return self.count(lits, counts, UnitCount([(unit, lit) for lit in lits], unit))

    def _defined(self, asked: Counts, of: UnitCount) -> Unary:
        found = self._walk.new_vars(len(asked))
        for var, count in zip(found, asked, strict=True):
            self._walk.state.define(var, of.terms, of.least(count))
        return Unary(asked, tuple(found))


class UnaryNumber(NamedTuple):
    """The literals of a number in unary up to the last one asked for.

    ``total``: rows whose sum says that unit times the sum of the literals is at most the sum of the
    inputs counted; of the last number, that the inputs reach the count if the last literal is true.
    """

    of: Falling
    total: Parts


class NetworkBlock:
    """Derives the counts and sums of a `NetworkAdder` for "at most" and distinct literals."""

    def __init__(self, walk: Walk) -> None:
        self.adder = NetworkAdder(Direction.AT_MOST)
        self._walk = walk
        self._state = walk.state

    def copy(self, lit: Lit, asked: Counts, of: UnitCount) -> UnaryNumber:
        """Define the copy by the literal."""
        (copy,) = self._walk.new_vars(1)
        self._state.define(copy, [(1, lit)], 1)
        self._walk.derive(1)
        return UnaryNumber(Falling([copy], self._state), [(self._state.if_false[-copy], of.unit)])

    def count(
        self, lits: Sequence[Lit], asked: Counts, of: UnitCount, last: bool = False
    ) -> UnaryNumber:
        """Derive a sorting network."""
        if len(lits) == 1:
            return UnaryNumber(Falling(lits, self._state), [])
        return self._number(self._sorted(lits, asked), of.unit, last)

    def add(
        self, own: UnaryNumber, carry: UnaryNumber, asked: Counts, of: UnitCount, last: bool = False
    ) -> UnaryNumber:
        """Derive a merging network."""
        found = self._number(self._merged(own.of, carry.of, asked), of.unit, last)
        return found._replace(total=[*found.total, *own.total, *carry.total])

    def half(self, total: UnaryNumber, tare: int, of: UnitCount) -> UnaryNumber:
        """Take every second literal: twice their sum is at most the sum of all, and the tare."""
        # Each literal taken implies the literal before: the rows "literal i >= literal i + 1" make
        # two of each. A literal left without partner at an end is at least 0, or at most 1 (the
        # tare).
        lits = total.of.lits
        falls = [total.of.falls(i, i + 1) for i in range(tare, len(lits) - 1, 2)]
        parts = [*total.total, *((row, of.unit) for row in falls if row is not None)]
        axioms = [(-lits[0], of.unit)] if tare else []
        if (len(lits) - tare) % 2:
            axioms.append((lits[-1], of.unit))
        places = range(1 - tare, len(lits), 2)
        return UnaryNumber(Picked(total.of, places), [(self._state.add(parts, axioms), 1)])

    def exceeded(self, total: UnaryNumber, bound: int) -> None:
        """Add what the last literal means, what it counts, and the bound."""
        (clause,) = self._walk.clauses(1)
        self._walk.derived.append(self._state.derive_by_sum(clause, [*total.total, (bound, 1)]))

    def _sorted(self, lits: Sequence[Lit], asked: Counts) -> Falling:
        return derive_sorter(self._walk, self.adder, lits, asked)

    def _merged(self, left: Falling, right: Falling, asked: Counts) -> Falling:
        return derive_merger(self._walk, self.adder, left, right, asked)

    def _number(self, of: Falling, unit: int, last: bool) -> UnaryNumber:
        """Return the outputs of a network as a number; ``last``: it is not added to any other."""
        assert isinstance(of, Merged)
        total = of.reached(len(of.lits)) if last else of.over()
        parts = [(row, unit * factor) for row, factor in total]
        return UnaryNumber(Picked(of, range(len(of.lits))), parts)


Block = TotalizerBlock | NetworkBlock
"""Derives what a `UnaryAdder` emits: copies, counts and sums, as a unary number of its own type.

``asked`` are the counts that have literals. Of a copy and a count all other terms together are less
than a unit. ``last``: the number is not added to any other.
"""


def derive(of: EncodedSum, state: DerivationState) -> list[int]:
    """Derive each bound by its watchdogs, the lower one over the negated inputs."""
    walk = Walk(of, state, of.first)
    block: Callable[[Walk], Block] = TotalizerBlock
    if of.encoder.name in ("binary_merge", "binary_merge_gac"):
        block = NetworkBlock
    # The inputs that have a watchdog of their own; if one has none, there is one for all inputs.
    has_own = {
        "local_polynomial_watchdog": [True] * len(of.weights),
        "binary_merge_gac": [weight.bit_count() > 1 for weight in of.weights],
    }.get(of.encoder.name, [False] * len(of.weights))
    for side in (of, of.mirrored()):
        lits, bound, number = side.lits, side.upper, side.at_most
        if number is None:
            continue
        # Only all inputs together exceed the bound: it is one clause.
        if bound >= of.total - min(of.weights):
            walk.derive(1, number)
            continue
        if not all(has_own):
            derive_watchdog(lits, of.weights, bound, number, block(walk))
        for i, weight in enumerate(of.weights):
            if not has_own[i]:
                continue
            # If input i is true, the others weigh at most what is left. One that weighs more is
            # false then, by a clause of both, which the other's watchdog has if that one comes
            # first.
            left = bound - weight
            others: list[int] = []
            for j, other in enumerate(of.weights):
                if j != i and other <= left:
                    others.append(j)
                elif j != i and (j > i or not has_own[j]):
                    walk.derive(1, number)
            chosen = [lits[j] for j in others], [of.weights[j] for j in others]
            derive_watchdog(*chosen, left, number, block(walk))
    return walk.derived


def derive_watchdog(
    lits: Sequence[Lit], weights: Sequence[int], bound: int, number: int, block: Block
) -> None:
    """Derive what `encode_watchdog` emits: the sum is at most `bound`, from row `number`.

    ``weights``: of ``lits``, none above ``bound``. ``block``: derives the counts of the buckets.
    """
    if sum(weights) <= bound:
        return
    buckets = buckets_of(bits_of(weights), bound, block.adder)
    carry: Any = None
    tare = 0
    for bit, bucket in enumerate(buckets):
        unit, asked, last = 1 << bit, bucket.asked, bit == len(buckets) - 1
        if asked:
            # What this bucket counts, as a threshold: all weights modulo twice its unit, and the
            # tares of the buckets below.
            pairs = [*zip(weights, lits, strict=True)]
            modulo = [(weight % (2 * unit), lit) for weight, lit in pairs if weight % (2 * unit)]
            of = UnitCount(modulo, unit, tare)
            inputs = [lit for weight, lit in pairs if weight & unit]
            if not inputs:
                total = carry
            elif bucket.is_copy:
                total = block.copy(inputs[0], asked, of)
            elif carry is None:
                total = block.count(inputs, asked, of, last)
            else:
                counts = block.adder.summand(asked, bucket.inputs, bucket.carry)
                own: Any = block.count(
                    inputs, counts, UnitCount([(unit, lit) for lit in inputs], unit)
                )
                total = block.add(own, carry, asked, of, last)
            if last:
                block.exceeded(total, number)
            else:
                carry = block.half(total, bucket.tare, of)
        tare += bucket.tare * unit
