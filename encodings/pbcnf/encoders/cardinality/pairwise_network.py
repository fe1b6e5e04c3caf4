"""Pairwise cardinality networks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np

from pbcnf.encoders.cardinality.cardinality_network import SelectionEncoder, reach_of
from pbcnf.encoders.circuits.networks import Network, NetworkBuilder, Values

_Shape: TypeAlias = tuple[int, int]
"""The number of values of a block, and the number of its outputs."""


@dataclass(frozen=True, slots=True)
class PairwiseNetwork(SelectionEncoder):
    """Parberry's pairwise network, which selects as many values as the bound reaches.

    Idea: the values are compared in pairs; the larger ones of the pairs are sorted, and the smaller
    ones, each half by such a network again, and both sequences merged. Beside each true smaller
    value the larger one is true, so that j true smaller ones are 2j true values: of a block with k
    values that matter, k of the larger ones and k/2 of the smaller ones go on, and if k is an upper
    bound all others are false. Of the bounds and those of the negated inputs the ones with the
    smaller k are built; k is the upper bound, or the lower one where there is no other.

    Auxiliary variables: one for each value of the network that is neither left out nor constant:
    the disjunction (high) or conjunction (low) of the two values that its comparator compares. With
    one bound it is only implied by that, or implies it, and some values have no variable
    (`pbcnf.encoders.circuits.one_directional`); with both it is equivalent.

    Size: by a walk through the network from its outputs (`size`); O(n log(k)^2) variables and
    clauses. Whole, it has as many comparators as Batcher's.

    Propagation: arc-consistent. Parsimonious with two bounds, not with one.

    Reference: Parberry: The pairwise sorting network, Parallel Processing Letters 1992; Codish,
    Zazon-Ivry: Pairwise cardinality networks, LPAR 2010, for an upper bound. Both bounds in one
    network and the values without a variable are ours.

    >>> from pbcnf import Cardinality, Formula, dimacs, encode
    >>> f = Formula(num_vars=3)
    >>> encode(Cardinality([1, 2, 3], upper=1), f, PairwiseNetwork())
    >>> print(dimacs(f), end="")
    p cnf 4 4
    -1 4 0
    -2 4 0
    -1 -2 0
    -4 -3 0
    """

    name: ClassVar[str] = "pairwise_network"

    @staticmethod
    def _bounded(n: int, lower: int, upper: int) -> Network:
        """Return the network for bounds that reach no further than their complement."""
        return bounded(n, lower, upper)


def halves_of(n: int, most: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the numbers of larger and smaller values of n, and how many of each go on.

    Of the n values at most `most` are true or matter: no more of the larger ones, half as many of
    the smaller ones.

    >>> halves_of(9, 5), halves_of(4, 4)
    (((5, 5), (4, 2)), ((2, 2), (2, 2)))
    """
    larger, smaller = n - n // 2, n // 2
    return (larger, min(larger, most)), (smaller, min(smaller, most // 2))


def bounded(n: int, lower: int, upper: int) -> Network:
    """Return the network for non-trivial bounds of n inputs."""
    builder = NetworkBuilder(n)
    # Blocks with the same numbers of values and of outputs are the rows of one array. On each
    # level are, by these two numbers, the blocks themselves, and the places of both halves of
    # all of them on the next level, as numbers and start of the rows.
    level = {(n, reach_of(n, lower, upper)): builder.inputs(0, n)}
    levels = [level]
    places: list[dict[_Shape, list[tuple[_Shape, int]]]] = []
    while any(width > 1 and most for width, most in level):
        halves: dict[_Shape, list[Values]] = {}
        places.append({})
        for (width, most), values in level.items():
            if width == 1 or most == 0:
                continue
            starts = []
            pairs = builder.compare_pairs(values)
            for shape, half in zip(halves_of(width, most), pairs, strict=True):
                rows = halves.setdefault(shape, [])
                starts.append((shape, sum(map(len, rows))))
                rows.append(half)
            places[-1][width, most] = starts
        level = {shape: np.vstack(rows) for shape, rows in halves.items()}
        levels.append(level)
    below: dict[_Shape, Values] = {}
    for depth in reversed(range(len(levels))):
        found: dict[_Shape, Values] = {}
        for shape, values in levels[depth].items():
            width, most = shape
            if width > 1 and most:
                parts = [
                    below[half][start : start + len(values)] for half, start in places[depth][shape]
                ]
                values = builder.merge_pairwise(parts[0], parts[1])
            if upper < n:
                # No block has more than `most` true values: those of one that is not sorted, as
                # `most` is 0, are all false, and else the first value beyond.
                builder.forbid(values[:, most : most + 1] if most else values)
            found[shape] = values[:, :most]
        below = found
    [outputs] = below.values()
    if lower > 0:
        builder.require(outputs[:, lower - 1])
    return builder.network(outputs[0, :0])
