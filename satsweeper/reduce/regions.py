"""Regions: sets of residual constraints that share no cell, hence can be decided apart."""

from collections.abc import Iterable, Sequence

from satsweeper.reduce.residual import Residual


def regions(constraints: Sequence[Residual]) -> list[list[Residual]]:
    """The connected components of the constraints, each and all in the order given.

    A union-find on cells, since a graph object a call would cost more than the search it saves.
    """
    parent: dict[int, int] = {}

    def root(cell: int) -> int:
        while (above := parent[cell]) != cell:
            parent[cell] = cell = parent[above]
        return cell

    for cells, _ in constraints:
        first = cells[0]
        top = root(first) if first in parent else parent.setdefault(first, first)
        for cell in cells[1:]:
            if cell in parent:
                other = root(cell)
                if other != top:
                    parent[other] = top
            else:
                parent[cell] = top
    grouped: dict[int, list[Residual]] = {}
    for constraint in constraints:
        grouped.setdefault(root(constraint.cells[0]), []).append(constraint)
    return list(grouped.values())


def cells_of(constraints: Iterable[Residual]) -> list[int]:
    """The distinct cells of some constraints, in the order in which they appear."""
    return list(dict.fromkeys(cell for cells, _ in constraints for cell in cells))
