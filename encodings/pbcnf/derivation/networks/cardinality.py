"""Sorting networks and cardinality networks.

The outputs of a merge add up to the sum of the literals that enter it: a row for "at least" and a
row for "at most", and so on down to the inputs. Together with a bound on the inputs these rows make
an output constant. The network of the encoder is followed sorter by sorter and merge by merge.

Size: linear in the clauses, which is what `network` says of each network, and one step more for
each output of a merge and bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.networks.falling import Inner
from pbcnf.derivation.networks.network import NetworkDerivation
from pbcnf.derivation.networks.values import Merged, Sequenced
from pbcnf.encoders.cardinality import cardinality_network, sorting_network
from pbcnf.encoders.circuits.networks import Network, directions_of
from pbcnf.encoders.counter import Direction
from pbcnf.literals import Lit, Var

Maker = Callable[[Network, Sequence[Lit], Direction, Var], NetworkDerivation]
"""Returns what follows a network over its inputs, given directions and the first variable."""


def derive(of: EncodedSum, state: DerivationState) -> list[int]:
    """Follow the network, fix the outputs that the bounds are about, then derive the clauses."""
    bounded = BoundedNetwork(of, state, partial(NetworkDerivation, state=state))
    bounded.follow()
    return bounded.network.derive(of.clauses)


class BoundedNetwork:
    """A network over a sum, with bounds on the sums of some of the inputs.

    Its values are followed by what ``make`` returns for the network, its inputs, directions and
    first variable.
    """

    def __init__(self, of: EncodedSum, state: DerivationState, make: Maker) -> None:
        self.n = n = len(of.lits)
        self.mirrored = False
        if of.encoder.name == "sorting_network":
            network = sorting_network.bounded(n, of.lower, of.upper)
            self.reach = n
        else:
            self.mirrored = cardinality_network.complements(n, of.lower, of.upper)
            of = of.mirrored() if self.mirrored else of
            network = cardinality_network.bounded(n, of.lower, of.upper)
            self.reach = of.upper if of.upper < n else of.lower
        self._of, self._state = of, state
        self.network = make(network, of.lits, directions_of(n, of.lower, of.upper), of.first)

    def follow(self) -> Sequenced:
        """Follow the network; return the outputs of all inputs that the bounds leave open."""
        if self._of.encoder.name == "sorting_network":
            return self.trim(self.sort(0, self.n), self.n, 0)[0]
        return _merge_blocks(self)

    def sort(self, start: int, stop: int) -> Sequenced:
        """Follow the sorter of some inputs."""
        return self.network.values.sort(range(start, stop))

    def trim(self, made: Sequenced, counted: int, skipped: int) -> tuple[Sequenced, int]:
        """Derive the bounds of `counted` inputs, of which `skipped` are known to be true.

        Return the outputs that the bounds leave open, and the number of inputs known to be true.
        """
        # Of the inputs counted here at least this many are true, since all others make up at most n
        # - counted of the lower bound.
        least = max(self._of.lower - (self.n - counted), skipped)
        start, stop = least - skipped, self.reach - skipped
        true: list[int] = []
        false = None
        of = made.of
        if start > 0:
            assert isinstance(of, Merged)
            v, bound = made.values[start - 1], self._of.at_least
            unit = self.network.fix(v, True, [*of.missed(start), (bound, 1)] if bound else None)
            # Whatever comes before a literal that is true is true as well.
            for i in range(start):
                row = of.falls(i, start - 1) if i < start - 1 else None
                lit = of.lits[i]
                true.append(unit if row is None else self._state.propagate([lit], [row, unit]))
        if self._of.upper < self.n and self._of.upper - skipped < len(made.values):
            assert isinstance(of, Merged)
            count, bound = self._of.upper - skipped + 1, self._of.at_most
            v = made.values[count - 1]
            false = self.network.fix(v, False, [*of.reached(count), (bound, 1)] if bound else None)
        return Sequenced(made.values[start:stop], Inner(of, start, stop, true, false)), least


def _merge_blocks(bounded: BoundedNetwork) -> Sequenced:
    """Follow the blocks that `CardinalityNetwork` sorts, and the merges of them."""
    p = 1 << bounded.reach.bit_length()
    whole = bounded.n - bounded.n % p
    rest = bounded.n - whole
    sorted_blocks = [bounded.sort(start, start + p) for start in range(0, whole, p)]
    blocks = [bounded.trim(block, p, 0) for block in sorted_blocks]
    last = bounded.trim(bounded.sort(whole, bounded.n), rest, 0)
    merge = bounded.network.values.merge
    while blocks:
        if len(blocks) % 2 == 0:
            p *= 2
            pairs = zip(blocks[::2], blocks[1::2], strict=True)
            blocks = [
                bounded.trim(merge(one, other), p, below + above)
                for (one, below), (other, above) in pairs
            ]
        else:
            (one, below), (other, above) = blocks.pop(), last
            rest += p
            last = bounded.trim(merge(one, other), rest, below + above)
    return last[0]
