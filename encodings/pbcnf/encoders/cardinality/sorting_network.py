"""Odd-even sorting networks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pbcnf.encoders.bounds import TwoSided
from pbcnf.encoders.circuits import one_directional
from pbcnf.encoders.circuits.array_emission import rows
from pbcnf.encoders.circuits.networks import (
    Literals,
    Network,
    NetworkBuilder,
    directions_of,
    sorting_network,
)
from pbcnf.encoders.circuits.output_ranges import Asked, outputs_of
from pbcnf.encoders.counter import Direction, UnaryCount, outputs_for
from pbcnf.encoders.protocol import Propagation
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink


@dataclass(frozen=True, slots=True)
class SortingNetwork(TwoSided):
    """Batcher's odd-even merge sort of the inputs, bounded at its outputs.

    Idea: a network of comparators sorts the inputs, true ones first, so that output j says "at
    least j are true". The bounds require output `lower` and forbid output `upper` + 1; the
    values that these two do not depend on are left out, and those that they fix are constants.
    With both bounds every comparator has the clauses of both directions.

    Auxiliary variables: one for each value of the network that is neither left out nor constant:
    the disjunction (high) or conjunction (low) of the two values that its comparator compares. With
    one bound it is only implied by that, or implies it, and some values have no variable
    (`pbcnf.encoders.circuits.one_directional`); with both, and in `count`, it is equivalent or has
    one. A constant next to a value that is needed keeps its variable, with a unit clause.

    Size: by a walk through the network from its outputs (`size`); O(n log(n)^2) variables and
    clauses. The network has S(n) comparators, S(n) = S(floor(n/2)) + S(ceil(n/2)) +
    M(floor(n/2), ceil(n/2)), M(a, b) = M(ceil(a/2), ceil(b/2)) + M(floor(a/2), floor(b/2)) +
    floor((a+b-1)/2), M(1, 1) = 1, M(0, b) = 0, of at most 2 variables, and 3 or 6 clauses.

    Propagation: arc-consistent. Parsimonious with two bounds, not with one.

    Reference: Batcher: Sorting networks and their applications, AFIPS 1968; Een, Soerensson:
    Translating pseudo-Boolean constraints into SAT, JSAT 2006. For any n: Knuth: The Art of
    Computer Programming 5.2.2, algorithm M.

    >>> from pbcnf import Cardinality, Formula, dimacs, encode
    >>> f = Formula(num_vars=3)
    >>> encode(Cardinality([1, 2, 3], upper=1), f, SortingNetwork())
    >>> print(dimacs(f), end="")
    p cnf 4 4
    -1 4 0
    -3 4 0
    -1 -3 0
    -4 -2 0
    """

    name: ClassVar[str] = "sorting_network"
    propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT

    def nontrivial_size(self, n: int, lower: int, upper: int) -> EncodingSize:
        """Return the exact size, see the class."""
        return one_directional.size(bounded(n, lower, upper), directions_of(n, lower, upper))

    def encode(self, lits: Sequence[Lit], lower: int, upper: int, sink: ClauseSink) -> None:
        """Emit the clauses for non-trivial bounds."""
        n = len(lits)
        network = bounded(n, lower, upper)
        one_directional.emit(network, lits, directions_of(n, lower, upper), sink)

    def count(
        self,
        lits: Sequence[Lit],
        upto: int,
        sink: ClauseSink,
        directions: Direction = Direction.BOTH,
        downto: int = 0,
    ) -> UnaryCount:
        """Emit a counter of `lits` whose bounds are assumed later, and may rise and fall.

        The whole network is built at once: `extend` emits something only for a new direction. With
        both directions every output also implies the one before, so that unit propagation finds
        bounds that contradict each other.

        Literals may repeat and be opposite. Raises TypeError or ValueError for a value that is no
        literal, ValueError if there is no bound from `downto` to `upto`.

        >>> from pbcnf import Formula
        >>> f = Formula(num_vars=3)
        >>> total = SortingNetwork().count([1, 2, 3], upto=1, sink=f)
        >>> total.at_most(1), total.at_least(1), total.at_most(3), total.at_least(4)
        ([-9], [7], [], [4])
        """
        return UnaryCount(lits, SortedCount, sink, downto, upto, directions)

    def count_size(
        self, n: int, upto: int, directions: Direction = Direction.BOTH, downto: int = 0
    ) -> EncodingSize:
        """Return the exact size of a counter of n distinct inputs, its `false` included."""
        size = EncodingSize(1, 1, 1)
        if any(outputs_for(n, downto, upto, directions)):
            size += sorting_network(n).size(directions)
            if directions is Direction.BOTH:
                size += EncodingSize(0, n - 1, 2 * (n - 1))
        return size


class SortedCount:
    """The whole network over some literals, in the directions requested so far."""

    def __init__(self, lits: Sequence[Lit]) -> None:
        self._lits = lits
        self.network = sorting_network(len(lits))
        self._literals: Literals | None = None
        self._directions = Direction(0)

    def grow(self, asked: Asked, sink: ClauseSink) -> list[Lit]:
        """Emit the missing directions, and return the outputs of `asked` in order."""
        wanted = outputs_of(asked)
        if not wanted:
            return []
        if self._literals is None:
            self._literals = self.network.literals(self._lits, sink)
        outputs = self._literals[self.network.outputs]
        for part, direction in zip(asked, (Direction.AT_MOST, Direction.AT_LEAST), strict=True):
            if part and direction not in self._directions:
                self.network.add_clauses(self._literals, direction, sink)
                self._directions |= direction
                # With both directions each output implies the one before, so that unit propagation
                # finds bounds that contradict each other.
                if self._directions is Direction.BOTH and len(outputs) > 1:
                    sink.add_block(rows(-outputs[1:], outputs[:-1]))
        literals: list[Lit] = outputs[wanted.start - 1 : wanted.stop - 1].tolist()
        return literals


def bounded(n: int, lower: int, upper: int) -> Network:
    """Return the network whose outputs the bounds make constant."""
    builder = NetworkBuilder(n)
    outputs = builder.sort(builder.inputs(0, n))[0]
    if lower > 0:
        builder.require(outputs[lower - 1 : lower])
    if upper < n:
        builder.forbid(outputs[upper : upper + 1])
    return builder.network(outputs[:0])
