"""The global polynomial watchdog."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pbcnf.encoders.circuits.grouped_sums import GroupedSum
from pbcnf.encoders.circuits.unary import TotalizerAdder, UnaryAdder
from pbcnf.encoders.circuits.watchdog import Watchdog, WatchdogEncoder, encode_watchdog
from pbcnf.encoders.counter import WeightedCount
from pbcnf.encoders.protocol import Propagation
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink


@dataclass(frozen=True, slots=True)
class GlobalPolynomialWatchdog(WatchdogEncoder):
    """Counts the weight of the true inputs bit by bit in unary; one literal watches the bound.

    Idea: each bit of the weights is a bucket of inputs. From the lowest bucket on, a totalizer
    counts the inputs of the bucket, a unary adder adds the carry, and every second output is the
    carry to the next bucket. A constant, the tare, is added so that the bound is exceeded iff the
    last bucket's count reaches one number (`pbcnf.encoders.circuits.watchdog`). The tare costs
    nothing here: it only shifts which outputs are the carry. At least is at most of the negated
    inputs; two bounds have an encoding each; a bound that no single input may be missing from is a
    clause.

    Auxiliary variables, each only implied by what it stands for: per bucket, "at least t of these
    inputs of the bucket are true" for the inner nodes of the totalizer; "inputs and carry together
    are at least t", for the counts asked for; a copy of a lone input that is a carry; and the watch
    output w, "the bound is exceeded", which a clause makes false.

    Size: the sum over the buckets (`weighted_size`): their totalizers and adders as far as a count
    can matter to the output; with n inputs of b bits O(n b log n) auxiliaries and O(n^2 b) clauses.
    Weights 1 are one totalizer.

    Propagation: one bound is detected: w becomes true once the true inputs exceed it. It is
    arc-consistent if every weight is 1, also for two bounds. Two bounds of different weights are
    detected one by one, not what they exclude together (that 3 and some 2s are never 4): nothing
    is claimed. Parsimonious for exactly k inputs, and where there is no auxiliary but w.

    Groups: a group is one input of a bucket, "one of the literals with this bit" (`encode_groups`),
    or none; one bound is detected, given the groups.

    Reference: Bailleux, Boufkhad, Roussel: New encodings of pseudo-Boolean constraints into CNF,
    SAT 2009. Outputs that cannot matter are left out here, as in `Totalizer`.

    >>> from pbcnf import Formula, dimacs
    >>> f = Formula(num_vars=3)
    >>> GlobalPolynomialWatchdog().encode_weighted([1, 2, 3], [1, 1, 2], 0, 2, f)
    >>> print(dimacs(f), end="")
    p cnf 5 4
    -1 4 0
    -2 4 0
    -3 -4 5 0
    -5 0
    """

    name: ClassVar[str] = "global_polynomial_watchdog"
    weighted_propagation: ClassVar[Propagation] = Propagation.DETECTS
    grouped_propagation: ClassVar[Propagation] = Propagation.DETECTS
    _adder: ClassVar[UnaryAdder] = TotalizerAdder()

    def grouped_steps(self, of: GroupedSum) -> int:
        """Return about how many clauses `encode_groups` emits at the most."""
        return of.inputs() // 4

    def encode_groups(self, of: GroupedSum, sink: ClauseSink) -> None:
        """Emit the clauses of a sum over groups, which other clauses must enforce."""
        for bound in of.one_sided():
            choices = bound.choices(sink)
            if choices is not None:
                encode_watchdog(*choices.terms(sink), choices.upper, (), self._adder, sink)

    def weighted_parsimonious(self, weights: Sequence[int], lower: int, upper: int) -> bool:
        """Whether models extend uniquely: exactly k inputs, or no auxiliary but w."""
        exactly = lower == upper and max(weights) == 1
        # Slots give the class a new body, in which a bare `super` is lost.
        return exactly or WatchdogEncoder.weighted_parsimonious(self, weights, lower, upper)

    def count_weighted(
        self, lits: Sequence[Lit], weights: Sequence[int], sink: ClauseSink
    ) -> WeightedCount:
        """Return a counter whose bounds are assumed later, see `WeightedCounter`.

        This is the dynamic polynomial watchdog: a bound also assumes a constant (the tare) that is
        added to the sum so that the bound becomes a multiple of the highest power of two among the
        weights' bits. Of the upper bounds of one counter, as of the lower ones, only one may be
        assumed at a time: two together can say more than both. Each bound is detected.

        Reference: Paxian, Reimer, Becker: Dynamic polynomial watchdog encoding for solving
        weighted MaxSAT, SAT 2018.

        >>> from pbcnf import Formula
        >>> f = Formula(num_vars=4)
        >>> total = GlobalPolynomialWatchdog().count_weighted([1, 2, 3], [1, 1, 2], f)
        >>> total.at_most(2), total.at_most(1), total.at_least(5)
        ([-10, 6], [-11], [5])
        >>> total.add_inputs([4], [3])
        >>> total.at_most(4)
        [-20, 12]
        """
        return WeightedCount(Watchdog, lits, weights, sink)
