"""Watchdogs: "at least c" of each bucket is a threshold of the inputs.

The carries are halves of the counts below, rounded down. Nested floors collapse: with bit b of the
weights in the bucket, c of its inputs and carry together are reached exactly if ``sum of
(weight mod 2^(b+1)) * input + (tare mod 2^b) >= c * 2^b``. Half of the count below is the same sum
without the bucket's own inputs, so that a bucket adds two counts of the unit 2^b. The watch output
says ``sum > bound``, which contradicts the bound, be it with the input that the watchdog is for.

Size: two definitions a variable, each over the inputs with a bit up to b, and two steps a clause.

Reference: the encodings: Bailleux, Boufkhad, Roussel: New encodings of pseudo-Boolean constraints
into CNF, SAT 2009; such derivations of other encodings: Gocht, Martins, Nordstroem, Oertel:
Certified CNF translations for pseudo-Boolean solving, SAT 2022.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Final

from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.ledger import Ledger
from pbcnf.derivation.watchdogs.by_totalizer import TotalizerBlock
from pbcnf.derivation.watchdogs.walk import Block, Tally, Walk
from pbcnf.encoders.circuits.unary import Unary
from pbcnf.encoders.circuits.watchdog import bits_of, buckets_of
from pbcnf.literals import Lit, negate

_Weights = Sequence[int]


def derive(of: EncodedSum, ledger: Ledger) -> list[int]:
    """Derive each bound by its watchdogs, the lower one over the negated inputs."""
    walk = Walk(of, ledger, of.first)
    at_most, total = _ENCODERS[of.encoder.name], sum(of.weights)
    for bound, number, lits in (
        (of.upper, of.at_most, of.lits),
        (total - of.lower, of.at_least, negate(of.lits)),
    ):
        if bound >= total:
            continue
        assert number is not None
        if bound >= total - min(of.weights):
            walk.derive(1, number)
        else:
            at_most(lits, of.weights, bound, number, walk)
    return walk.derived


def _for_all(
    lits: Sequence[Lit], weights: _Weights, bound: int, number: int, block: Block, walk: Walk
) -> None:
    """Derive what `encode_watchdog` emits: the sum is at most `bound`, from row `number`."""
    if sum(weights) <= bound:
        return
    carry = Unary((), ())
    tare = 0
    for bit, bucket in enumerate(buckets_of(bits_of(weights), bound, block.adder)):
        unit, asked = 1 << bit, bucket.asked
        if asked:
            inputs = [lit for lit, weight in zip(lits, weights, strict=True) if weight & unit]
            of = Tally(_below(lits, weights, 2 * unit), unit, tare)
            if not inputs:
                total = carry
            elif bucket.is_copy:
                total = Unary(asked, walk.define(asked, of))
                walk.derive(1)
            elif not bucket.carry:
                total = block.count(inputs, asked, of, walk)
            else:
                counts = block.adder.summand(asked, bucket.inputs, bucket.carry)
                alone = Tally([(unit, lit) for lit in inputs], unit)
                own = block.count(inputs, counts, alone, walk)
                total = block.add(own, carry, asked, of, walk)
            carry = Unary(tuple((count + bucket.tare) // 2 for count in asked), total.lits)
        tare += bucket.tare * unit
    walk.derive(1, number)


def _below(lits: Sequence[Lit], weights: _Weights, power: int) -> list[tuple[int, Lit]]:
    """Return the inputs with what their weights leave modulo a power of two."""
    pairs = zip(lits, weights, strict=True)
    return [(weight % power, lit) for lit, weight in pairs if weight % power]


def _per_input(
    lits: Sequence[Lit],
    weights: _Weights,
    bound: int,
    number: int,
    watched: Callable[[int], bool],
    block: Block,
    walk: Walk,
) -> None:
    """Derive what `encode_watchdog_per_input` emits, from row `number`."""
    for i, weight in enumerate(weights):
        if not watched(weight):
            continue
        others: list[int] = []
        for j, other in enumerate(weights):
            if j == i:
                continue
            if weight + other <= bound:
                others.append(j)
            elif j > i or not watched(other):
                walk.derive(1, number)
        chosen = [lits[j] for j in others], [weights[j] for j in others]
        _for_all(*chosen, bound - weight, number, block, walk)


def _global_polynomial_watchdog(
    lits: Sequence[Lit], weights: _Weights, bound: int, number: int, walk: Walk
) -> None:
    _for_all(lits, weights, bound, number, TotalizerBlock(), walk)


def _local_polynomial_watchdog(
    lits: Sequence[Lit], weights: _Weights, bound: int, number: int, walk: Walk
) -> None:
    _per_input(lits, weights, bound, number, lambda weight: True, TotalizerBlock(), walk)


_AtMost = Callable[[Sequence[Lit], _Weights, int, int, Walk], None]

_ENCODERS: Final = MappingProxyType[str, _AtMost](
    {
        "global_polynomial_watchdog": _global_polynomial_watchdog,
        "local_polynomial_watchdog": _local_polynomial_watchdog,
    }
)
