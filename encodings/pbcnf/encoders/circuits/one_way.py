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
    for mask, outputs, columns in _clauses(network, directions, skipped):
        block = rows(*(values[column[mask]] for column in columns))
        if outputs is not None:
            block = rows(*block.T, -values[outputs[mask]])
        sink.add_block(block)
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
    for mask, outputs, columns in _clauses(network, directions, skipped):
        clauses = int(np.count_nonzero(mask))
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
) -> Iterator[tuple[Mask, Values | None, list[Values]]]:
    """Yield groups of clauses: of which comparators, which value they imply, from which values."""
    kinds = network.kinds()
    values = np.arange(network.inputs, len(network.asked))
    high, low = values[::2], values[1::2]
    if directions is Direction.AT_MOST:
        (one, has_one), (all_, has_all), neither = (
            (high, kinds.high),
            (low, kinds.low),
            kinds.not_both,
        )
    else:
        (one, has_one), (all_, has_all), neither = (
            (low, kinds.low),
            (high, kinds.high),
            kinds.either,
        )
    has_all = has_all & ~skipped[all_]
    sides = []
    for side in (network.left, network.right):
        is_skipped = skipped[side]
        source = (side - network.inputs) // 2 * is_skipped
        sides.append(
            (
                (~is_skipped, [side]),
                (is_skipped, [network.left[source], network.right[source]]),
            )
        )
    for where, columns in (*sides[0], *sides[1]):
        if (mask := where & has_one).any():
            yield mask, one, columns
    for where, columns in sides[0]:
        for and_where, more in sides[1]:
            both = where & and_where
            for kind, output in ((neither, None), (has_all, all_)):
                if (mask := both & kind).any():
                    yield mask, output, [*columns, *more]
