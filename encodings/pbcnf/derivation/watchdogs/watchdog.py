"""Watchdogs: "at least c" of each bucket is a threshold of the inputs.

The carries are halves of the counts below, rounded down. Nested floors collapse: with bit b of the
weights in the bucket, c of its inputs and carry together are reached exactly if ``sum of
(weight mod 2^(b+1)) * input + (tare mod 2^b) >= c * 2^b``. Half of the count below is the same sum
without the bucket's own inputs, so that a bucket adds two counts of the unit 2^b. The watch output
says ``sum > bound``, which contradicts the bound, be it with the input that the watchdog is for.

How counts are derived is a block's: `by_totalizer`, `by_network`.

Size: two definitions a variable, each over the inputs or literals that it counts; by totalizers one
step a clause, two for one that is more than a sum of definitions; by networks see there.

Reference: the encodings: Bailleux, Boufkhad, Roussel: New encodings of pseudo-Boolean constraints
into CNF, SAT 2009; such derivations of other encodings: Gocht, Martins, Nordstroem, Oertel:
Certified CNF translations for pseudo-Boolean solving, SAT 2022.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.watchdogs.by_network import NetworkBlock
from pbcnf.derivation.watchdogs.by_totalizer import TotalizerBlock
from pbcnf.derivation.watchdogs.walk import Block, Number, Tally, Walk
from pbcnf.encoders.circuits.watchdog import bits_of, buckets_of
from pbcnf.literals import Lit, negate

_Weights = Sequence[int]


class _Encoder(NamedTuple):
    """How it counts, whether one watchdog is for all inputs, and which have one of their own."""

    block: Callable[[Walk], Block[Any]]
    has_common: Callable[[_Weights], bool]
    has_own: Callable[[int], bool]


def derive(of: EncodedSum, state: DerivationState) -> list[int]:
    """Derive each bound by its watchdogs, the lower one over the negated inputs."""
    walk = Walk(of, state, of.first)
    encoder, total = _ENCODERS[of.encoder.name], sum(of.weights)
    for bound, number, lits in (
        (of.upper, of.at_most, of.lits),
        (total - of.lower, of.at_least, negate(of.lits)),
    ):
        if bound >= total:
            continue
        assert number is not None
        if bound >= total - min(of.weights):
            walk.derive(1, number)
            continue
        if encoder.has_common(of.weights):
            _common(lits, of.weights, bound, number, encoder.block(walk))
        for i, weight in enumerate(of.weights):
            if encoder.has_own(weight):
                _own(i, lits, of.weights, bound, number, encoder, walk)
    return walk.derived


def _common(
    lits: Sequence[Lit], weights: _Weights, bound: int, number: int, block: Block[Number]
) -> None:
    """Derive what `encode_watchdog` emits: the sum is at most `bound`, from row `number`."""
    if sum(weights) <= bound:
        return
    buckets = buckets_of(bits_of(weights), bound, block.adder)
    carry: Number | None = None
    tare = 0
    for bit, bucket in enumerate(buckets):
        unit, asked, last = 1 << bit, bucket.asked, bit == len(buckets) - 1
        if asked:
            of = Tally(_below(lits, weights, 2 * unit), unit, tare)
            inputs = [lit for lit, weight in zip(lits, weights, strict=True) if weight & unit]
            if not inputs:
                assert carry is not None
                total = carry
            elif bucket.is_copy:
                total = block.copy(inputs[0], asked, of)
            elif carry is None:
                total = block.count(inputs, asked, of, last)
            else:
                counts = block.adder.summand(asked, bucket.inputs, bucket.carry)
                own = block.count(inputs, counts, Tally([(unit, lit) for lit in inputs], unit))
                total = block.add(own, carry, asked, of, last)
            if last:
                block.exceeded(total, number)
            else:
                carry = block.half(total, bucket.tare, of)
        tare += bucket.tare * unit


def _below(lits: Sequence[Lit], weights: _Weights, power: int) -> list[tuple[int, Lit]]:
    """Return the inputs with what their weights leave modulo a power of two."""
    pairs = zip(weights, lits, strict=True)
    return [(weight % power, lit) for weight, lit in pairs if weight % power]


def _own(
    i: int,
    lits: Sequence[Lit],
    weights: _Weights,
    bound: int,
    number: int,
    encoder: _Encoder,
    walk: Walk,
) -> None:
    """Derive what `encode_watchdog_per_input` emits for input i, from row `number`."""
    left = bound - weights[i]
    others: list[int] = []
    for j, other in enumerate(weights):
        if j == i:
            continue
        if other <= left:
            others.append(j)
        elif j > i or not encoder.has_own(other):
            walk.derive(1, number)
    chosen = [lits[j] for j in others], [weights[j] for j in others]
    _common(*chosen, left, number, encoder.block(walk))


def _always(_: object) -> bool:
    return True


def _never(_: object) -> bool:
    return False


def _has_several_bits(weight: int) -> bool:
    return weight & (weight - 1) != 0


def _has_power_of_two(weights: _Weights) -> bool:
    return not all(map(_has_several_bits, weights))


_ENCODERS: Final = MappingProxyType(
    {
        "global_polynomial_watchdog": _Encoder(TotalizerBlock, _always, _never),
        "local_polynomial_watchdog": _Encoder(TotalizerBlock, _never, _always),
        "binary_merge": _Encoder(NetworkBlock, _always, _never),
        "binary_merge_gac": _Encoder(NetworkBlock, _has_power_of_two, _has_several_bits),
    }
)
