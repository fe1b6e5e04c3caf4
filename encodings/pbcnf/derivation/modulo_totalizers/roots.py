"""The root of a modulo totalizer: what the bounds of the inputs say about the digits below it."""

from __future__ import annotations

from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.derivation.modulo_totalizers.counts import Count, not_carried, present
from pbcnf.derivation.modulo_totalizers.tree import Tree
from pbcnf.encoders.circuits.modulo_node import ModuloBounds


def bound(
    tree: Tree,
    below: tuple[Count, Count],
    bounds: ModuloBounds,
    given: tuple[int, int],
    state: DerivationState,
) -> tuple[int, ...]:
    """Return the numbers of what the clauses of the root follow from.

    ``given``: the numbers of at least ``low`` and at most ``high`` inputs are true. With q and r
    the sums of the digits below: ``low // p <= q + carry <= high // p``; and, if these are equal,
    the rest is ``low % p <= r - p*carry <= high % p``, else ``low <= p*q + r <= high``.
    """
    assert tree.node is not None
    p, carry, remainders = tree.node.p, tree.carry, tree.remainders_below
    least = state.add(present([(given[0], 1), *((count.at_least, 1) for count in below)]))
    most = state.add(present([(given[1], 1), *((count.at_most, 1) for count in below)]))
    if carry is None:
        quotient_least = state.add([(least, 1)], [(-lit, 1) for lit in remainders], p)
        quotient_most = state.add([(most, 1)], [(lit, 1) for lit in remainders], p)
    else:
        quotient_least = state.add([(least, 1), (not_carried(tree, state), 1)], divisor=p)
        quotient_most = state.add([(most, 1), (state.if_false[-carry], 1)], divisor=p)
    if bounds.low // p == bounds.high // p:
        least = state.add([(least, 1), (quotient_most, p)])
        most = state.add([(most, 1), (quotient_least, p)])
    return quotient_least, quotient_most, least, most
