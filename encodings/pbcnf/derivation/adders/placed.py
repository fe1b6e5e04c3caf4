"""Adders as an encoder emits them: their inputs, outputs and places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, zip_longest
from typing import NamedTuple

from pbcnf.encoders.circuits.buckets import BucketAdders
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
    adders: list[Placed] = []
    _count(lits, count(first), adders)
    return adders


def _count(lits: Sequence[Lit], fresh: Iterator[Var], adders: list[Placed]) -> list[Lit]:
    """Put down the adders that count these literals; return the bits of their number."""
    if len(lits) < 2:
        return [*lits]
    half = (1 << (len(lits).bit_length() - 1)) - 1
    longer, shorter = _count(lits[:half], fresh, adders), _count(lits[half:-1], fresh, adders)
    carry, bits = lits[-1], list[Lit]()
    for place, (a, b) in enumerate(zip_longest(longer, shorter)):
        total, carry_out = next(fresh), next(fresh)
        inputs = (a, carry) if b is None else (a, b, carry)
        adders.append(Placed(place, inputs, total, carry_out))
        bits.append(total)
        carry = carry_out
    return [*bits, carry]


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
