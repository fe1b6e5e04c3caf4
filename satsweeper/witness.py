"""Whole layouts that show a cell both ways, put together from the layouts of regions."""

from collections.abc import Iterator, Sequence

from satsweeper.bundle import Bundle
from satsweeper.reduce.regions import cells_of, regions
from satsweeper.region import Region, bits
from satsweeper.total import add_sets, open_constraints


def layout_with(
    bundles: Sequence[Bundle], interior: Sequence[int], left: int | None, cell: int, mine: bool
) -> list[int] | None:
    """The mines among all undecided cells in a layout with ``cell`` as asked, or None.

    Every bundle and the total have been classified, so that every number of mines that can matter
    is shown by a kept layout.

    Args:
        interior: the undecided cells next to no clue.
        left: the mines that the undecided cells hold together; None when any number will do.
        cell: an undecided cell, of a bundle or of the interior.
    """
    parts = [
        Region(bundle, cells_of(region), "totalizer")
        for bundle in bundles
        for region in regions(open_constraints(bundle))
    ]
    choices = [part.numbers_with(cell, mine) for part in parts]
    sea = (2 << len(interior)) - 1
    if cell in interior:
        sea = (2 << len(interior)) - 2 if mine else (1 << len(interior)) - 1
    numbers = _choose([*choices, sea], left)
    if numbers is None:
        return None
    mines = [m for part, n in zip(parts, numbers, strict=False) for m in part.layout(n, cell, mine)]
    first = [cell] if cell in interior and mine else []
    rest = [other for other in interior if other != cell]
    return mines + (first + rest)[: numbers[-1]]


def _choose(sets: Sequence[int], left: int | None) -> list[int] | None:
    """One number of each set, together ``left`` (None: the least of each)."""
    if left is None:
        return [next(bits(one)) for one in sets]
    reach = [1]
    for one in sets:
        reach.append(add_sets(reach[-1], one))
    if not reach[-1] >> left & 1:
        return None
    numbers = []
    for k in range(len(sets) - 1, -1, -1):
        number = next(n for n in _upto(sets[k], left) if reach[k] >> (left - n) & 1)
        numbers.append(number)
        left -= number
    return numbers[::-1]


def _upto(numbers: int, most: int) -> Iterator[int]:
    return bits(numbers & (2 << most) - 1)
