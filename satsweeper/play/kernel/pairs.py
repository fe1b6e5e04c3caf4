"""Two clues that say more together than each by itself, one such pair at a time."""

from satsweeper.play.kernel.arrays import Bytes, Ints
from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.grid import KNOWN_MINE, UNKNOWN, Grid


@compiled
def find_pair(grid: Grid, cells: Bytes, unknown: Ints, needs: Bytes, start: int) -> bool:
    """Find a pair as ``two_clues`` means it; the first two of ``unknown`` are its cells then.

    Args:
        grid: the neighbours.
        cells: what is known of each cell.
        unknown: scratch, one a cell.
        needs: likewise.
        start: the cell where the search begins.
    """
    near, degree, columns = grid.near, grid.degree, grid.columns
    for clue in range(len(cells)):
        unknown[clue] = 0
        if cells[clue] > 0:
            needs[clue] = cells[clue]
            for i in range(degree[clue]):
                unknown[clue] += cells[near[clue, i]] == UNKNOWN
                needs[clue] -= cells[near[clue, i]] == KNOWN_MINE
    rows = len(cells) // columns
    for i in range(len(cells)):
        a = (start + i) % len(cells)
        if not unknown[a]:
            continue
        row, column = a // columns, a % columns
        for r in range(max(row - 2, 0), min(row + 3, rows)):
            for c in range(max(column - 2, 0), min(column + 3, columns)):
                b = r * columns + c
                more = needs[a] - needs[b]
                if b == a or not unknown[b] or more < 0 or more >= unknown[a]:
                    continue
                shared = 0
                for j in range(degree[a]):
                    cell = near[a, j]
                    if cells[cell] == UNKNOWN:
                        down, right = cell // columns - r, cell % columns - c
                        shared += abs(down) <= 1 and abs(right) <= 1
                # All that a has alone are mines, or what b has alone is safe.
                if shared == unknown[a] - more and (more or unknown[b] > shared):
                    unknown[0] = a
                    unknown[1] = b
                    return True
    return False
