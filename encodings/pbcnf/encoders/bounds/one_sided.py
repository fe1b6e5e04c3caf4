"""Bounds for encoders that the literature gives for "at most" alone.

A sum is at least `lower` if and only if the sum of the negated literals is at most the total weight
less `lower`: the lower bound is an upper one of the negated literals. With both bounds the two
encodings stand side by side, each with auxiliary variables of its own. Only this module does that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit, negate
from pbcnf.sink import ClauseSink


def encode_one_sided(
    at_most: Callable[[Sequence[Lit], Sequence[int], int, ClauseSink], None],
    lits: Sequence[Lit],
    weights: Sequence[int],
    lower: int,
    upper: int,
    sink: ClauseSink,
) -> None:
    """Emit the bounds of a weighted sum by `at_most`; see `WeightedEncoder.encode_weighted`.

    Where no single input may be missing from the sum, a clause is emitted instead.
    """
    total, least = sum(weights), min(weights)
    for inputs, bound in ((lits, upper), (negate(lits), total - lower)):
        if bound >= total:
            continue
        if bound >= total - least:
            sink.add_clause(negate(inputs))
        else:
            at_most(inputs, weights, bound, sink)


def size_one_sided(
    at_most_size: Callable[[Sequence[int], int], EncodingSize],
    weights: Sequence[int],
    lower: int,
    upper: int,
) -> EncodingSize:
    """Return the size of what `encode_one_sided` emits."""
    total, least = sum(weights), min(weights)
    size = EncodingSize(0, 0, 0)
    for bound in (upper, total - lower):
        if bound >= total:
            continue
        if bound >= total - least:
            size += EncodingSize(0, 1, len(weights))
        else:
            size += at_most_size(weights, bound)
    return size
