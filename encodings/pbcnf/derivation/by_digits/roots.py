"""The root of a modulo totalizer: what the bounds of the inputs say about the digits below it."""

from __future__ import annotations

from pbcnf.derivation.by_digits.counts import Count, not_carried, present
from pbcnf.derivation.by_digits.tree import Tree
from pbcnf.derivation.ledger import Ledger
from pbcnf.encoders.circuits.modulo_node import ModuloBounds


def bound(
    tree: Tree,
    below: tuple[Count, Count],
    bounds: ModuloBounds,
    given: tuple[int, int],
    ledger: Ledger,
) -> tuple[int, ...]:
    """Return the numbers of what the clauses of the root follow from.

    ``given``: the numbers of at least ``low`` and at most ``high`` inputs are true. With q and r
    the sums of the digits below: ``low // p <= q + carry <= high // p``; and, if these are equal,
    the rest is ``low % p <= r - p*carry <= high % p``, else ``low <= p*q + r <= high``.
    """
    assert tree.node is not None
    p, carry, remainders = tree.node.p, tree.carry, tree.remainders_below
    least = ledger.add(present([(given[0], 1), *((count.at_least, 1) for count in below)]))
    most = ledger.add(present([(given[1], 1), *((count.at_most, 1) for count in below)]))
    if carry is None:
        quotient_least = ledger.add([(least, 1)], [(-lit, 1) for lit in remainders], p)
        quotient_most = ledger.add([(most, 1)], [(lit, 1) for lit in remainders], p)
    else:
        quotient_least = ledger.add([(least, 1), (not_carried(tree, ledger), 1)], divisor=p)
        quotient_most = ledger.add([(most, 1), (ledger.if_false[-carry], 1)], divisor=p)
    if bounds.low // p == bounds.high // p:
        least = ledger.add([(least, 1), (quotient_most, p)])
        most = ledger.add([(most, 1), (quotient_least, p)])
    return quotient_least, quotient_most, least, most
