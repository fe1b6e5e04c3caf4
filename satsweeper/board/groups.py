"""Groups of cells that clues connect: cells under a common clue are in one group."""

from satsweeper.board.geometry import Geometry


def groups(geometry: Geometry, clues: int, cells: int) -> list[int]:
    """Return the groups of ``cells`` that ``clues`` connect, each as a bit board.

    Cells that no clue counts are in no group. With all covered cells in ``cells`` the groups divide
    the frontier; without the known cells among them groups may be smaller.
    """
    found = []
    spread = geometry.spread
    waiting = spread(clues) & cells
    while waiting:
        group = waiting & -waiting
        new = group
        # Breadth first: from cells to the clues beside them, from clues to the cells they count.
        while new:
            new = spread(spread(new) & clues) & waiting & ~group
            group |= new
        found.append(group)
        waiting &= ~group
    return found
