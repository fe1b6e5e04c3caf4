"""Groups of cells that clues connect: cells under a common clue are in one group."""

from satsweeper.board.geometry import Geometry


def groups(geometry: Geometry, clues: int, cells: int) -> list[int]:
    """Return the groups of ``cells`` that ``clues`` connect, each as a bit board.

    Cells that no clue counts are in none. The groups are those of the frontier if the cells are all
    covered ones; they are smaller if cells that are known already are left out.
    """
    found = []
    spread = geometry.spread
    waiting = spread(clues) & cells
    while waiting:
        group = waiting & -waiting
        new = group
        while new:
            new = spread(spread(new) & clues) & waiting & ~group
            group |= new
        found.append(group)
        waiting &= ~group
    return found
