"""Sorting networks and cardinality networks.

The outputs of a merge add up to the sum of the literals that enter it: a row for "at least" and a
row for "at most", and so on down to the inputs. Together with a bound on the inputs these rows make
an output constant. The network of the encoder is followed sorter by sorter and merge by merge.

Size: linear in the clauses, which is what `network` says of each network, and one step more for
each output of a merge and bound.
"""

from __future__ import annotations

from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.networks.falling import Inner
from pbcnf.derivation.networks.network import NetworkDerivation
from pbcnf.derivation.networks.values import Merged, Sequenced
from pbcnf.encoders.cardinality import cardinality_network, sorting_network
from pbcnf.encoders.circuits.networks import directions_of


def derive(of: EncodedSum, state: DerivationState) -> list[int]:
    """Follow the network, fix the outputs that the bounds are about, then derive the clauses."""
    bounded = _Bounded(of, state)
    if of.encoder.name == "sorting_network":
        bounded.trim(bounded.sort(0, len(of.lits)), len(of.lits), 0)
    else:
        _merge_blocks(bounded)
    return bounded.network.derive(of.clauses)


class _Bounded:
    """A network over a sum, with bounds on the sums of some of the inputs."""

    def __init__(self, of: EncodedSum, state: DerivationState) -> None:
        self.n = n = len(of.lits)
        if of.encoder.name == "sorting_network":
            network = sorting_network.bounded(n, of.lower, of.upper)
            self.reach = n
        else:
            if cardinality_network.complements(n, of.lower, of.upper):
                of = of.mirrored()
            network = cardinality_network.bounded(n, of.lower, of.upper)
            self.reach = of.upper if of.upper < n else of.lower
        self._of, self._state = of, state
        directions = directions_of(n, of.lower, of.upper)
        self.network = NetworkDerivation(network, of.lits, directions, of.first, state)

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
            assert self._of.at_least is not None
            assert isinstance(of, Merged)
            v, parts = made.values[start - 1], [*of.missed(start), (self._of.at_least, 1)]
            unit = self.network.fix(v, True, parts)
            # Whatever comes before a literal that is true is true as well.
            for i in range(start):
                row = of.falls(i, start - 1) if i < start - 1 else None
                lit = of.lits[i]
                true.append(unit if row is None else self._state.propagate([lit], [row, unit]))
        if self._of.upper < self.n and self._of.upper - skipped < len(made.values):
            assert self._of.at_most is not None
            assert isinstance(of, Merged)
            count = self._of.upper - skipped + 1
            v, parts = made.values[count - 1], [*of.reached(count), (self._of.at_most, 1)]
            false = self.network.fix(v, False, parts)
        return Sequenced(made.values[start:stop], Inner(of, start, stop, true, false)), least


def _merge_blocks(bounded: _Bounded) -> None:
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
