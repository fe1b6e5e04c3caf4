"""Orders in which to close a region's clues, from tree decompositions: the door of networkx."""

from collections.abc import Iterator
from typing import Final

from satsweeper.count.boxes import Boxed

_FILL_IN_PAYS: Final = 3_000
"""Clues above which minimum fill-in, whose time grows with their square, takes many seconds."""


def decomposed_orders(region: Boxed) -> Iterator[list[int]]:
    """The clues, so that few others are open whenever one is closed; the best guess first.

    The graph joins clues that share a box. It is decomposed by networkx's heuristics, minimum
    fill-in and minimum degree (Bodlaender and Koster, Treewidth computations I, 2010); the tree
    hangs from its largest bag, and a clue is closed where it is in no bag further up.
    """
    import networkx
    from networkx.algorithms.approximation import treewidth_min_degree, treewidth_min_fill_in

    graph = networkx.Graph()
    graph.add_nodes_from(range(len(region.needs)))
    for clues in region.clues:
        graph.add_edges_from((a, b) for a in clues for b in clues if a < b)
    small = len(region.needs) <= _FILL_IN_PAYS
    for decompose in (treewidth_min_fill_in, treewidth_min_degree)[not small :]:
        _, tree = decompose(graph)
        found: dict[int, None] = {}
        root = max(tree, key=lambda bag: (len(bag), min(bag)))
        for bag in networkx.dfs_preorder_nodes(tree, root):
            found |= dict.fromkeys(sorted(bag))
        yield list(found)[::-1]
