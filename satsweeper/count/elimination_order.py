"""The order in which a hard region's clues are closed: the join tree that promises least work.

The only importer of networkx, whose tree decompositions suggest orders.
"""

from collections.abc import Iterator
from typing import Final

from satsweeper.count.budget import CountingBudget
from satsweeper.count.elimination import JoinTree, join_tree
from satsweeper.count.sweep import BoxedRegion

_ENOUGH: Final = 16
"""log2 of the pairs of states up to which no better tree is looked for."""
_FILL_IN_PAYS: Final = 3_000
"""Clues above which minimum fill-in, whose time grows with their square, takes many seconds."""


def best_tree(region: BoxedRegion, stride: int, bound: CountingBudget) -> JoinTree:
    """Return the first join tree that promises little work, or the best of all that were tried.

    Args:
        region: its boxes.
        stride: of the bit board, to tell rows from columns.
        bound: what counting may cost.

    Raises:
        OddsLimitError: the best tree is too wide, or the time is over.
    """
    best: JoinTree | None = None
    for order in _orders(region, stride):
        tree = join_tree(region, order)
        if best is None or tree.bits < best.bits:
            best = tree
        if best.bits <= _ENOUGH:
            break
        bound.check()
    assert best is not None
    bound.admit(best.width, best.bits)
    return best


def _orders(region: BoxedRegion, stride: int) -> Iterator[list[int]]:
    """Yield orders of clues: by tree decompositions, then by columns and by rows, for lattices."""
    yield from _decomposed_orders(region)
    last = [0] * len(region.needs)
    for cells, clues in zip(region.cells, region.clues, strict=True):
        for clue in clues:
            last[clue] = max(last[clue], *cells)
    numbers = range(len(last))
    yield sorted(numbers, key=lambda clue: divmod(last[clue], stride)[::-1])
    yield sorted(numbers, key=last.__getitem__)


def _decomposed_orders(region: BoxedRegion) -> Iterator[list[int]]:
    """Yield orders of clues in which few clues are open whenever a clue is closed.

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
