"""The local polynomial watchdog."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pbcnf.encoders.circuits.unary import TotalizerAdder, UnaryAdder
from pbcnf.encoders.circuits.watchdog import WatchdogEncoder
from pbcnf.encoders.protocol import Propagation


@dataclass(frozen=True, slots=True)
class LocalPolynomialWatchdog(WatchdogEncoder):
    """Every input has a polynomial watchdog of its own over the other inputs.

    Idea: if an input of weight a is true, the others weigh at most bound - a. A
    `GlobalPolynomialWatchdog` over the others states this bound, with the negated input beside its
    watch output: when the others exceed bound - a, the input becomes false. Two inputs that exceed
    the bound together are excluded by one clause, and left out of each other's watchdogs. At least
    is at most of the negated inputs; two bounds have an encoding each; a bound that no single input
    may be missing from is a clause.

    Auxiliary variables: those of `GlobalPolynomialWatchdog`, once per input. The watch output w[i]
    is implied by "the others exceed bound - a[i]" and excludes input i.

    Size: one watchdog per input, equal for equal weights (`weighted_size`), and the pairs;
    O(n^2 b log n) auxiliaries and O(n^3 b) clauses for n inputs of b bits.

    Propagation: arc-consistent for one bound, and for two if every weight is 1. Two bounds of
    different weights are arc-consistent one by one, but what they exclude together (that 3 and
    some 2s are never 4) is not found: nothing is claimed. Parsimonious where no auxiliary is
    needed.

    Groups: not used.

    Reference: Bailleux, Boufkhad, Roussel: New encodings of pseudo-Boolean constraints into CNF,
    SAT 2009. The clauses for pairs, and the outputs left out, are additions.

    >>> from pbcnf import Formula, dimacs
    >>> f = Formula(num_vars=3)
    >>> LocalPolynomialWatchdog().encode_weighted([1, 2, 3], [2, 3, 3], 0, 5, f)
    >>> print(dimacs(f), end="")
    p cnf 7 8
    -2 -3 4 0
    -2 5 0
    -3 5 0
    -2 -3 6 0
    -6 7 0
    -5 -4 7 0
    -7 -1 0
    -2 -3 0
    """

    name: ClassVar[str] = "local_polynomial_watchdog"
    weighted_propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT
    _adder: ClassVar[UnaryAdder] = TotalizerAdder()

    @staticmethod
    def is_shared(weights: Sequence[int]) -> bool:
        """Never: every input has a watchdog of its own."""
        return False

    @staticmethod
    def is_watched(weight: int) -> bool:
        """Always: every input has a watchdog of its own."""
        return True
