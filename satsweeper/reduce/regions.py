"""Regions: sets of residual constraints that share no cell, hence can be decided apart."""

from collections.abc import Iterable
from itertools import chain

from satsweeper.reduce.residual import Residual


def regions(constraints: Iterable[Residual]) -> list[list[Residual]]:
    """The connected components of the constraints.

    The smaller of two regions that meet joins the larger. A graph object a call would cost more
    than the search that it saves.
    """
    region_of: dict[int, list[Residual]] = {}
    found: dict[int, list[Residual]] = {}
    for constraint in constraints:
        mine: list[Residual] | None = None
        for cell in constraint[0]:
            other = region_of.get(cell)
            if other is None or other is mine:
                continue
            if mine is None:
                mine = other
                continue
            if len(other) > len(mine):
                mine, other = other, mine
            mine += other
            del found[id(other)]
            for cells, _ in other:
                for moved in cells:
                    region_of[moved] = mine
        if mine is None:
            mine = []
            found[id(mine)] = mine
        mine.append(constraint)
        for cell in constraint[0]:
            region_of[cell] = mine
    return list(found.values())


def cells_of(constraints: Iterable[Residual]) -> list[int]:
    """The distinct cells of some constraints, in the order in which they appear."""
    return list(dict.fromkeys(chain.from_iterable([cells for cells, _ in constraints])))


def classes(constraints: Iterable[Residual]) -> list[list[int]]:
    """Cells that stand in the same constraints, two at least: any two of them can change places."""
    signature: dict[int, int] = {}
    bit = 1
    for cells, _ in constraints:
        for cell in cells:
            signature[cell] = signature.get(cell, 0) | bit
        bit <<= 1
    grouped: dict[int, list[int]] = {}
    for cell, one in signature.items():
        grouped.setdefault(one, []).append(cell)
    return [group for group in grouped.values() if len(group) > 1]
