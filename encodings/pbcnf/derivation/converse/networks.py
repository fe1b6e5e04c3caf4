"""The bounds from the clauses of sorting, cardinality, pairwise and multiway networks.

The network is followed as for its clauses (`networks.cardinality`, `networks.selection`), but over
exact values, which are linked to the encoder's variables (`linked_networks`): an output that the
clauses make false or true makes the exact one so, and what that one means is a bound.

Size: see `linked_networks`; some steps for each output of a merge.
"""

from __future__ import annotations

from functools import partial

from pbcnf.derivation.converse.clauses_left import ClausesLeft
from pbcnf.derivation.converse.given_clauses import GivenClauses
from pbcnf.derivation.converse.linked_networks import LinkedNetwork, Links
from pbcnf.derivation.derivation_state import BoundIds, DerivationState, Parts
from pbcnf.derivation.networks.cardinality import BoundedNetwork
from pbcnf.derivation.networks.selection import SelectedBlocks


def derive(left: ClausesLeft, state: DerivationState) -> BoundIds:
    """Derive the bounds from the values that the clauses make constant."""
    clauses = GivenClauses(left, state)
    single = clauses.single_bound()
    if single is not None:
        return single
    make = partial(LinkedNetwork, links=Links(clauses))
    if left.of.encoder.name in ("sorting_network", "cardinality_network"):
        bounded = BoundedNetwork(left.of, state, make)
        network, outputs = bounded.network, bounded.follow().of
        assert isinstance(network, LinkedNetwork)
        values = network.values
        return clauses.bounds(
            lambda: [*outputs.at_least, *values.at_least()],
            lambda: [*outputs.at_most, *values.at_most()],
            bounded.mirrored,
        )
    selected = SelectedBlocks(left.of, state, make)
    network, root, lower = selected.network, selected.follow(), selected.of.lower

    def at_least() -> Parts:
        unit = network.fix(root.whole.values[lower - 1], True, None)
        return [*root.whole.reached(lower), (unit, lower)]

    return clauses.bounds(at_least, lambda: root.kept.at_most, selected.of is not left.of)
