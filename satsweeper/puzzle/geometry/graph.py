"""Boards whose cells are the nodes of any graph."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.geometry import Geometry


def graph(neighbours: Mapping[Hashable, Iterable[Hashable]]) -> Geometry:
    """Return a board from each cell's neighbours, in their order; cells in the order of the keys.

    Neighbours also touch and lie beside one another where either has the other as a neighbour: a
    directed graph has clues that count one way only.

    Raises RuleError for a neighbour that is no cell, one named twice, and a cell that is its own.
    """
    cells = tuple(neighbours)
    numbers = {name: number for number, name in enumerate(cells)}
    near = []
    for cell, others in neighbours.items():
        listed = list(others)
        for other in listed:
            if other not in numbers:
                raise RuleError(f"{other!r}, a neighbour of {cell!r}, is no cell")
        if len({*listed}) < len(listed) or cell in listed:
            raise RuleError(f"neighbours of {cell!r}: each once, and not the cell itself")
        near.append(tuple(numbers[other] for other in listed))
    mutual: list[dict[int, None]] = [dict.fromkeys(each) for each in near]
    for number, each in enumerate(near):
        for other in each:
            mutual[other][number] = None
    touching = tuple(map(tuple, mutual))
    return Geometry("graph", cells, neighbours=tuple(near), touching=touching, beside=touching)
