"""The clauses of a network for one direction, with fewer variables and clauses.

For "at most" the low value of a comparator has one clause that makes it true: that of its two
inputs. Where it enters another comparator only, it is left out, and those inputs stand for it
there: a variable and a clause less, and unit propagation finds the same (the clauses are resolvents
on the value). No input of a value that is left out is left out itself, so that clauses have at most
five literals. For "at least" the same holds of high values.

Reference: Abio, Nieuwenhuis, Oliveras, Rodriguez-Carbonell: A parametric approach for smaller and
better encodings of cardinality constraints, CP 2013, mixes comparators with direct clauses, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pbcnf.encoders.circuits.blocks import rows
from pbcnf.encoders.circuits.comparators import LITERAL, Literals, Mask, Network, Values
from pbcnf.encoders.counter import Direction
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink


def emit(
    network: Network, lits: Sequence[Lit], directions: Direction, sink: ClauseSink
) -> list[Lit]:
    """Emit the network over `lits` and return the literals of its outputs; see `Network.emit`."""
    if directions is Direction.BOTH:
        return network.emit(lits, directions, sink)
    skipped = _skipped(network, directions)
    values = np.zeros(len(network.asked), dtype=np.int32)
    values[: network.inputs] = lits
    auxiliary = np.flatnonzero((network.asked & LITERAL != 0) & ~skipped)
    auxiliary = auxiliary[auxiliary >= network.inputs]
    first = sink.new_vars(len(auxiliary))
    values[auxiliary] = np.arange(first, first + len(auxiliary))
    if directions is Direction.AT_MOST:
        values = -values
    for columns, outputs in _clauses(network, directions, skipped):
        lits_of = [values[column] for column in columns]
        sink.add_block(rows(*lits_of, *([] if outputs is None else [-values[outputs]])))
    units = network.units(directions)
    if units.any():
        sink.add_block(rows(values[network.inputs :][units]))
    found: Literals = values[network.outputs]
    lits_out: list[Lit] = (-found if directions is Direction.AT_MOST else found).tolist()
    return lits_out


def size(network: Network, directions: Direction) -> EncodingSize:
    """Return the exact size of what `emit` adds."""
    if directions is Direction.BOTH:
        return network.size(directions)
    skipped = _skipped(network, directions)
    asked = (network.asked & LITERAL != 0) & ~skipped
    units = int(np.count_nonzero(network.units(directions)))
    found = EncodingSize(int(np.count_nonzero(asked[network.inputs :])), units, units)
    for columns, outputs in _clauses(network, directions, skipped):
        clauses = len(columns[0])
        found += EncodingSize(0, clauses, clauses * (len(columns) + (outputs is not None)))
    return found


def _skipped(network: Network, directions: Direction) -> Mask:
    """Return which values are left out: chosen from the inputs on, layer by layer."""
    left, right, n = network.left, network.right, network.inputs
    fit = np.zeros(len(network.asked), dtype=np.bool_)
    fit[left] = fit[right] = True
    fit &= network.asked == LITERAL
    fit[network.outputs] = False
    skipped = np.zeros(len(network.asked), dtype=np.bool_)
    offset = 1 if directions is Direction.AT_MOST else 0
    start = 0
    for width in network.widths:
        end = start + width
        own = slice(n + 2 * start + offset, n + 2 * end, 2)
        skipped[own] = fit[own] & ~(skipped[left[start:end]] | skipped[right[start:end]])
        start = end
    return skipped


def _clauses(
    network: Network, directions: Direction, skipped: Mask
) -> Iterator[tuple[list[Values], Values | None]]:
    """Yield groups of clauses: from which values, column by column, and which ones they imply."""
    kinds, start = network.kinds, network.inputs
    if directions is Direction.AT_MOST:
        one, all_, has_one, has_all, neither = 0, 1, kinds.high, kinds.low, kinds.not_both
    else:
        one, all_, has_one, has_all, neither = 1, 0, kinds.low, kinds.high, kinds.either
    has_all = has_all & ~skipped[start + all_ :: 2]
    left_skipped, right_skipped = skipped[network.left], skipped[network.right]

    def columns(side: Values, is_skipped: bool, places: Values) -> list[Values]:
        values = side[places]
        if not is_skipped:
            return [values]
        sources = (values - start) >> 1
        return [network.left[sources], network.right[sources]]

    for side, gone in ((network.left, left_skipped), (network.right, right_skipped)):
        for is_skipped in (False, True):
            places = np.flatnonzero(has_one & (gone == is_skipped))
            if len(places):
                yield columns(side, is_skipped, places), start + 2 * places + one
    case = left_skipped + 2 * right_skipped.astype(np.int8)
    for kind, implied in ((neither, False), (has_all, True)):
        for number in range(4) if kind.any() else ():
            places = np.flatnonzero(kind & (case == number))
            if len(places):
                left = columns(network.left, bool(number & 1), places)
                right = columns(network.right, bool(number & 2), places)
                yield [*left, *right], start + 2 * places + all_ if implied else None
