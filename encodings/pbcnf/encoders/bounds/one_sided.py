"""Bounds for encoders that the literature gives for "at most" alone.

At least `lower` of n literals are true if and only if at most ``n - lower`` are false: the lower
bound is the upper one of the negated literals. With both bounds the two encodings stand side by
side, each with auxiliary variables of its own. This is the only place where that is done.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit, negate
from pbcnf.sink import ClauseSink


def encode_one_sided(
    at_most: Callable[[Sequence[Lit], int, ClauseSink], None],
    lits: Sequence[Lit],
    lower: int,
    upper: int,
    sink: ClauseSink,
) -> None:
    """Emit non-trivial bounds by `at_most`, which gets bounds from 1 to n-2 only.

    Where a single clause says it (upper = n-1, lower = 1), that clause is emitted instead.
    """
    n = len(lits)
    if upper < n:
        _at_most_or_clause(at_most, lits, upper, sink)
    if lower > 0:
        _at_most_or_clause(at_most, negate(lits), n - lower, sink)


def size_one_sided(
    at_most_size: Callable[[int, int], EncodingSize], n: int, lower: int, upper: int
) -> EncodingSize:
    """Return the size of what `encode_one_sided` emits, from that of at most `bound` of n."""
    size = EncodingSize(0, 0, 0)
    for bound in (upper, n - lower):
        if bound == n - 1:
            size += EncodingSize(0, 1, n)
        elif bound < n:
            size += at_most_size(n, bound)
    return size


def _at_most_or_clause(
    at_most: Callable[[Sequence[Lit], int, ClauseSink], None],
    lits: Sequence[Lit],
    bound: int,
    sink: ClauseSink,
) -> None:
    if bound == len(lits) - 1:
        sink.add_clause(negate(lits))
    else:
        at_most(lits, bound, sink)


def encode_weighted_one_sided(
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


def size_weighted_one_sided(
    at_most_size: Callable[[Sequence[int], int], EncodingSize],
    weights: Sequence[int],
    lower: int,
    upper: int,
) -> EncodingSize:
    """Return the size of what `encode_weighted_one_sided` emits."""
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
