"""The arc-consistent binary merge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pbcnf.encoders.circuits.unary import NetworkAdder, UnaryAdder
from pbcnf.encoders.circuits.watchdog import WatchdogEncoder
from pbcnf.encoders.counter import Direction
from pbcnf.encoders.protocol import Propagation


@dataclass(frozen=True, slots=True)
class BinaryMergeGac(WatchdogEncoder):
    """A binary merge of all inputs and, for each input of several bits, one of the other inputs.

    Idea: `BinaryMerge` finds every conflict, and every input whose weight is a power of two, as it
    is in one bucket only. Every other input has a sum of its own over the other inputs, against
    what it leaves of the bound, and two inputs that exceed the bound together are excluded by one
    clause. At least is at most of the negated inputs; two bounds have an encoding each; a bound
    that no single input may be missing from is a clause.

    Auxiliary variables: the values of the networks, implied by "the high, or the low, of the two
    values compared is true"; a copy of a lone input that is a carry; and per sum the watch output,
    "the bound is exceeded", which a clause makes false, or false together with the sum's own input.

    Size: the sum over the networks (`weighted_size`): with n inputs of b bits O(n b log^2 n)
    auxiliaries and clauses per sum; one sum if all weights are powers of two, else up to n.
    Weights 1 are one sorting network.

    Propagation: arc-consistent for one bound, and for two if every weight is 1. Two bounds of
    different weights are arc-consistent one by one, but what they exclude together (that 3 and
    some 2s are never 4) is not found: nothing is claimed. Parsimonious where the only auxiliary
    of a bound is the output of the sum of all inputs, or there is none.

    Groups: not used.

    Reference: Manthey, Philipp, Steinke: A more compact translation of pseudo-Boolean constraints
    into CNF such that generalized arc consistency (GAC) is maintained, KI 2014, with Batcher's
    networks in the place of their cardinality networks. PBLib: the option `use_gac_binary_merge`.

    >>> from pbcnf import Formula, dimacs
    >>> f = Formula(num_vars=3)
    >>> BinaryMergeGac().encode_weighted([1, 2, 3], [1, 2, 4], 0, 5, f)
    >>> print(dimacs(f), end="")
    p cnf 5 3
    -2 4 0
    -3 -4 5 0
    -5 0
    """

    name: ClassVar[str] = "binary_merge_gac"
    weighted_propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT
    _adder: ClassVar[UnaryAdder] = NetworkAdder(Direction.AT_MOST)

    @staticmethod
    def is_shared(weights: Sequence[int]) -> bool:
        """Whether some weight is a power of two: the sum of all inputs finds these inputs."""
        return any(weight & (weight - 1) == 0 for weight in weights)

    @staticmethod
    def is_watched(weight: int) -> bool:
        """Whether `weight` has several bits."""
        return weight & (weight - 1) != 0
