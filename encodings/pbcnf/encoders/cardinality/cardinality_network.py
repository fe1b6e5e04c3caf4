"""Cardinality networks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import ClassVar, Final

from pbcnf.encoders.bounds import TwoSided
from pbcnf.encoders.circuits import one_directional
from pbcnf.encoders.circuits.networks import Network, NetworkBuilder, Values, directions_of
from pbcnf.encoders.protocol import Propagation
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit, negate
from pbcnf.sink import ClauseSink

_MOST_KEPT: Final = 2000
"""The most inputs of a network in the cache, which `size` and `encode` share."""


def kept(build: Callable[[int, int, int], Network]) -> Callable[[int, int, int], Network]:
    """Return `build`, a function of n inputs and bounds, with a cache of small networks."""
    cached = lru_cache(maxsize=16)(build)

    @wraps(build)
    def bounded(n: int, lower: int, upper: int) -> Network:
        return (cached if n <= _MOST_KEPT else build)(n, lower, upper)

    return bounded


def reach_of(n: int, lower: int, upper: int) -> int:
    """Return the number of outputs on which the bounds depend."""
    return upper if upper < n else lower


def complements(n: int, lower: int, upper: int) -> bool:
    """Return whether the complement of the bounds reaches less far than they do."""
    return reach_of(n, n - upper, n - lower) < reach_of(n, lower, upper)


class SelectionEncoder(TwoSided):
    """An encoder by a network that selects as many values as the bounds reach, or the complement.

    Of bounds and their complement, those of the negated inputs, the ones that reach less far count.
    """

    __slots__ = ()

    propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT

    @staticmethod
    @abstractmethod
    def _bounded(n: int, lower: int, upper: int) -> Network:
        """Return the network for bounds that reach no further than their complement."""

    def nontrivial_size(self, n: int, lower: int, upper: int) -> EncodingSize:
        """Return the exact size, see the class."""
        if complements(n, lower, upper):
            lower, upper = n - upper, n - lower
        return one_directional.size(self._bounded(n, lower, upper), directions_of(n, lower, upper))

    def encode(self, lits: Sequence[Lit], lower: int, upper: int, sink: ClauseSink) -> None:
        """Emit the clauses for non-trivial bounds."""
        n = len(lits)
        if complements(n, lower, upper):
            lits, lower, upper = negate(lits), n - upper, n - lower
        network = self._bounded(n, lower, upper)
        one_directional.emit(network, lits, directions_of(n, lower, upper), sink)


@dataclass(frozen=True, slots=True)
class CardinalityNetwork(SelectionEncoder):
    """Small sorted blocks, merged as far as the bound reaches.

    Idea: blocks of p inputs, p the power of two next above the bound k, are sorted by odd-even
    merge sort and then merged in pairs. No block or union of blocks may have more than k true
    inputs, so that only k outputs of each go on. A lower bound k alone needs no more than k
    outputs either; those of a block that it makes true, given how many inputs lie outside, do
    not go on. With both bounds k is the upper one, and every comparator has the clauses of both
    directions. Of bounds and their complement (at most k of n is at least n-k of the negated
    inputs) the one with the smaller k is built.

    Auxiliary variables: one for each value of the network that is neither left out (since the
    bounds do not depend on it) nor constant: the disjunction (high) or conjunction (low) of the two
    values that its comparator compares. With one bound the variable is only implied by the
    disjunction or conjunction, or implies it, and some values have no variable
    (`pbcnf.encoders.circuits.one_directional`); with both bounds the variable is equivalent.

    Size: by a walk through the network from its outputs (`size`); O(n log(k)^2) variables and
    clauses.

    Propagation: arc-consistent. Parsimonious with two bounds, not with one.

    Reference: Asin, Nieuwenhuis, Oliveras, Rodriguez-Carbonell: Cardinality networks: a
    theoretical and empirical study, Constraints 2011 (first in SAT 2009). There the merges keep
    p outputs, and the bound is set on those of the last one alone.

    >>> from pbcnf import Cardinality, Formula, dimacs, encode
    >>> f = Formula(num_vars=3)
    >>> encode(Cardinality([1, 2, 3], upper=1), f, CardinalityNetwork())
    >>> print(dimacs(f), end="")
    p cnf 4 4
    -1 4 0
    -2 4 0
    -1 -2 0
    -4 -3 0
    """

    name: ClassVar[str] = "cardinality_network"

    @staticmethod
    def _bounded(n: int, lower: int, upper: int) -> Network:
        """Return the network for bounds that reach no further than their complement."""
        return bounded(n, lower, upper)


@kept
def bounded(n: int, lower: int, upper: int) -> Network:
    """Return the network for non-trivial bounds of n inputs."""
    selection = Selection(n, lower, upper)
    builder, trim = selection.builder, selection.trim
    p = 1 << selection.reach.bit_length()
    whole = n - n % p
    rest = n - whole
    blocks, below = trim(builder.sort(builder.inputs(0, whole).reshape(-1, p)), p, 0)
    last, below_last = trim(builder.sort(builder.inputs(whole, n)), rest, 0)
    # All `blocks` have p inputs; `last` has the other `rest` inputs. Blocks merge in pairs, an odd
    # block with `last`, until `last` has all inputs.
    while len(blocks) > 0:
        if len(blocks) % 2 == 0:
            merged = builder.merge(blocks[::2], blocks[1::2])
            blocks, below = trim(merged, 2 * p, 2 * below)
            p *= 2
        else:
            rest += p
            merged = builder.merge(blocks[-1:], last)
            last, below_last = trim(merged, rest, below + below_last)
            blocks = blocks[:-1]
    return builder.network(last[0, :0])


class Selection:
    """A network in the making whose sorted blocks keep only the outputs that bounds leave open."""

    def __init__(self, n: int, lower: int, upper: int) -> None:
        """Start with n inputs, no comparator, and bounds that are not trivial."""
        self.builder = NetworkBuilder(n)
        self.reach = reach_of(n, lower, upper)
        self._bounds = n, lower, upper

    def trim(self, values: Values, counted: int, skipped: int) -> tuple[Values, int]:
        """Set the bounds on blocks of `counted` inputs; return the outputs they leave open.

        `values` are outputs of a block, the first being output skipped + 1. Returns the open
        outputs, and the number of outputs left out before the first of these.
        """
        n, lower, upper = self._bounds
        # Even if all n - counted other inputs are true, a block has to supply `least` true inputs.
        least = max(lower - (n - counted), 0)
        if least > skipped:
            self.builder.require(values[:, least - skipped - 1])
        if upper < n:
            self.builder.forbid(values[:, self.reach - skipped : self.reach - skipped + 1])
        return values[:, least - skipped : self.reach - skipped], least
