"""The clauses of a network for one direction, with fewer variables and clauses.

For "at most" one clause makes the low value of a comparator true: both its inputs imply it. Where
the low value enters another comparator and nothing else, the value is left out, and its two inputs
stand for it in that comparator's clauses: a variable and a clause less, and unit propagation finds
as much, because the new clauses are resolvents on the value. No input of a value that is left out
is left out itself, so that clauses have at most five literals. For "at least" it is high values
that are left out.

Reference: Abio, Nieuwenhuis, Oliveras, Rodriguez-Carbonell: A parametric approach for smaller and
better encodings of cardinality constraints, CP 2013, mixes comparators with direct clauses, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from pbcnf.encoders.circuits.array_emission import add_by_width, lookup_array
from pbcnf.encoders.circuits.networks import LITERAL, Mask, Network, Values
from pbcnf.encoders.counter import Direction
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink

_CHUNK: Final = 2**12
"""The number of comparators treated at a time: arrays of this length stay in processor caches."""

# The clauses of a comparator: for each place of a clause the row of `columns` in `_clauses`, and
# the row of `where`, its condition.
_COLUMNS: Final = np.array([0, 1, 4, 6, 2, 3, 4, 6, 0, 1, 2, 3, 5, 6])
_CONDITIONS: Final = np.array([0, 1, 0, 0, 0, 2, 0, 0, 3, 4, 3, 5, 6, 3])


def emit(
    network: Network,
    lits: Sequence[Lit],
    directions: Direction,
    sink: ClauseSink,
    distinct: bool = True,
) -> list[Lit]:
    """Emit the network over `lits` and return the literals of its outputs; see `Network.emit`.

    Nothing is left out unless the literals are `distinct`.
    """
    if directions is Direction.BOTH:
        return network.emit(lits, directions, sink)
    variables, skipped = numbering(network, directions, distinct)
    auxiliaries = int(variables[-1]) - network.inputs if len(variables) else 0
    literals = lookup_array(lits, sink.new_vars(auxiliaries), auxiliaries)
    for clauses in _clauses(network, directions, variables, skipped):
        add_by_width(sink, literals[clauses])
    outputs: list[Lit] = literals[variables[network.outputs]].tolist()
    return outputs


def size(network: Network, directions: Direction) -> EncodingSize:
    """Return the exact size of what `emit` adds."""
    if directions is Direction.BOTH:
        return network.size(directions)
    skipped, count = _skipped(network, directions), np.count_nonzero
    has_one, has_all, neither = _parts(network, directions, skipped)
    some = has_all | neither
    ones, pairs, units = map(count, (has_one, some, network.units(directions)))
    # Two literals stand for an input that is left out, in each clause that would have the input.
    more = count(has_all)
    for side in (network.left, network.right):
        left_out = skipped[side]
        more += count(has_one & left_out) + count(some & left_out)
    own = count(network.asked[network.inputs :] & LITERAL) - count(skipped)
    return EncodingSize(
        int(own), int(2 * ones + pairs + units), int(4 * ones + 2 * pairs + units + more)
    )


def numbering(
    network: Network, directions: Direction, distinct: bool = True
) -> tuple[Values, Mask]:
    """Return the variables of the values, from 1 on and inputs first, and the values left out.

    A value without a variable of its own has the number of an earlier value.
    """
    skipped = np.zeros(len(network.asked), dtype=np.bool_)
    if distinct:
        skipped = _skipped(network, directions)
    has_own = (network.asked & LITERAL != 0) & ~skipped
    has_own[: network.inputs] = True
    return has_own.cumsum(dtype=np.int32), skipped


def _skipped(network: Network, directions: Direction) -> Mask:
    """Return the mask of values left out, chosen layer by layer from the inputs on."""
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
        # Where an input is left out itself, two literals stand for it already: this value stays.
        own = slice(n + 2 * start + offset, n + 2 * end, 2)
        skipped[own] = fit[own] & ~(skipped[left[start:end]] | skipped[right[start:end]])
        start = end
    return skipped


def _parts(network: Network, directions: Direction, skipped: Mask) -> tuple[Mask, Mask, Mask]:
    """Return masks of comparators: an output that one input decides, or both decide, or neither.

    For "at most" one input decides high values. The values left out have no clause.
    """
    kinds, n = network.kinds, network.inputs
    if directions is Direction.AT_MOST:
        return kinds.high, kinds.low & ~skipped[n + 1 :: 2], kinds.not_both
    return kinds.low, kinds.high & ~skipped[n::2], kinds.either


def _clauses(
    network: Network, directions: Direction, variables: Values, skipped: Mask
) -> Iterator[Values]:
    """Yield the clauses over the variables, a 0 after each, some comparators at a time."""
    n, sign = network.inputs, 1 if directions is Direction.AT_MOST else -1
    high, low = sign * variables[n::2], sign * variables[n + 1 :: 2]
    ones, alls = (high, low) if directions is Direction.AT_MOST else (low, high)
    has_one, has_all, neither = _parts(network, directions, skipped)
    # The masks of `gone` are: always, left input left out, right input left out.
    for start in range(0, len(ones), _CHUNK):
        part = slice(start, start + _CHUNK)
        sides: list[Values] = []
        gone = [np.ones_like(has_one[part])]
        for side in (network.left[part], network.right[part]):
            left_out = skipped[side]
            # The comparator that the value comes from: its two inputs stand for the value.
            source = np.where(left_out, (side - n) >> 1, 0)
            first = variables[np.where(left_out, network.left[source], side)]
            sides += [-sign * first, -sign * variables[network.right[source]]]
            gone.append(left_out)
        says, some = has_one[part], has_all[part] | neither[part]
        columns = np.array([*sides, ones[part], alls[part], np.zeros_like(ones[part])])
        conditions = [mask & way for mask in (says, some) for way in gone]
        where = np.array([*conditions, has_all[part]])
        yield columns[_COLUMNS].T[where[_CONDITIONS].T]
    units = -sign * variables[n:][network.units(directions)]
    if len(units):
        yield np.stack((units, np.zeros_like(units)), axis=1).ravel()
