"""The binary merge encoding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbcnf.encoders.circuits.unary import NetworkAdder, UnaryAdder
from pbcnf.encoders.circuits.watchdog import WatchdogEncoder
from pbcnf.encoders.counter import Direction
from pbcnf.encoders.protocol import Propagation


@dataclass(frozen=True, slots=True)
class BinaryMerge(WatchdogEncoder):
    """Sorts the inputs of each bit of the weights and merges the carries; one literal watches.

    Idea: as in `GlobalPolynomialWatchdog`, each bit of the weights is a bucket of inputs, counted
    in unary together with the carry of the bucket below, and a constant, the tare, makes one output
    of the last bucket say that the bound is exceeded (`pbcnf.encoders.circuits.watchdog`). Buckets
    are counted by sorting networks, carries added by merging networks, both cut down to the outputs
    that matter. At least is at most of the negated inputs; two bounds have an encoding each; a
    bound that no single input may be missing from is a clause.

    Auxiliary variables: the values of the networks, implied by "the high, or the low, of the two
    values compared is true", some of which are left out
    (`pbcnf.encoders.circuits.one_directional`); a copy of a lone input that is a carry; and the
    watch output, "the bound is exceeded", which a clause makes false.

    Size: the sum over the networks (`weighted_size`): with n inputs of b bits O(n b log^2 n)
    auxiliaries and clauses. Weights 1 are one sorting network.

    Propagation: one bound is detected. It is arc-consistent if every weight is a power of two,
    with weights 1 also for two bounds; `BinaryMergeGac` is for every weight. Two bounds of
    different weights are detected one by one, not what they exclude together (that 3 and some 2s
    are never 4): nothing is claimed. Parsimonious where there is no auxiliary but watch outputs.

    Groups: not used.

    Reference: Manthey, Philipp, Steinke: A more compact translation of pseudo-Boolean constraints
    into CNF such that generalized arc consistency is maintained, KI 2014, without the part that
    maintains it, as PBLib has it by default; with Batcher's networks in the place of their
    cardinality networks.

    >>> from pbcnf import Formula, dimacs
    >>> f = Formula(num_vars=3)
    >>> BinaryMerge().encode_weighted([1, 2, 3], [1, 2, 3], 0, 4, f)
    >>> print(dimacs(f), end="")
    p cnf 7 7
    -1 4 0
    -3 4 0
    -2 5 0
    -3 5 0
    -2 -3 6 0
    -6 -5 -4 7 0
    -7 0
    """

    name: ClassVar[str] = "binary_merge"
    weighted_propagation: ClassVar[Propagation] = Propagation.DETECTS
    _adder: ClassVar[UnaryAdder] = NetworkAdder(Direction.AT_MOST)
