"""Regions: sets of residual constraints that share no cell, hence can be decided apart."""

from collections.abc import Iterable
from itertools import chain

from satsweeper.reduce.residual import Residual


def regions(constraints: Iterable[Residual]) -> list[list[Residual]]:
    """Return the connected components of ``constraints``.

    A graph object a call would cost more than the search that it saves.
    """
    region_of: dict[int, list[Residual]] = {}
    found: dict[int, list[Residual]] = {}
    for constraint in constraints:
        own: list[Residual] | None = None
        for cell in constraint[0]:
            other = region_of.get(cell)
            if other is None or other is own:
                continue
            if own is None:
                own = other
                continue
            if len(other) > len(own):
                own, other = other, own
            # The constraint joins two regions: the smaller moves into the larger.
            own += other
            del found[id(other)]
            for cells, _ in other:
                for moved in cells:
                    region_of[moved] = own
        if own is None:
            own = []
            found[id(own)] = own
        own.append(constraint)
        for cell in constraint[0]:
            region_of[cell] = own
    return list(found.values())


def cells_of(constraints: Iterable[Residual]) -> list[int]:
    """Return the distinct cells of ``constraints``, in the order in which they appear."""
    return list(dict.fromkeys(chain.from_iterable([cells for cells, _ in constraints])))


def interchangeable_cells(constraints: Iterable[Residual]) -> list[list[int]]:
    """Return the groups of two or more interchangeable cells."""
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
