"""In which order a hard region's clues are closed: the join tree that promises least work."""

from collections.abc import Iterator
from typing import Final

from satsweeper.count.boxes import Boxed
from satsweeper.count.budget import CountingBudget
from satsweeper.count.join_tree import JoinTree, join_tree
from satsweeper.count.treewidth import decomposed_orders

_ENOUGH: Final = 16
"""log2 of the pairs of states up to which no better tree is looked for."""


def best_tree(region: Boxed, stride: int, about: str, bound: CountingBudget) -> JoinTree:
    """The first tree that promises little work, or the best of those tried.

    Args:
        region: its boxes.
        stride: of the bit board, to tell rows from columns.
        about: what a refusal calls the region.
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
        bound.check(about)
    assert best is not None
    bound.admit(about, best.width, best.bits)
    return best


def _orders(region: Boxed, stride: int) -> Iterator[list[int]]:
    """Of clues: by tree decompositions; and, which suits a lattice, column by column, by rows."""
    yield from decomposed_orders(region)
    last = [0] * len(region.needs)
    for cells, clues in zip(region.cells, region.clues, strict=True):
        for clue in clues:
            last[clue] = max(last[clue], *cells)
    numbers = range(len(last))
    yield sorted(numbers, key=lambda clue: divmod(last[clue], stride)[::-1])
    yield sorted(numbers, key=last.__getitem__)
