"""The two single-clue rules, on the whole board at once, to their fixpoint.

A clue whose known mines equal its value makes its other neighbours safe; a clue that needs all of
its covered neighbours makes these neighbours mines. Both rules are unit propagation on the direct
encoding.
"""

from typing import NamedTuple

from satsweeper.board.geometry import Count, Square
from satsweeper.board.planes import greater, unequal


class Deduced(NamedTuple):
    """The fixpoint of the rules: undecided cells, all known mines, and clues that no layout meets.

    A covered cell in neither ``undecided`` nor ``mines`` is safe. If ``clash`` is not 0, the
    position is inconsistent and the other boards are meaningless.
    """

    undecided: int
    mines: int
    clash: int


def single_clue(geometry: Square, clues: int, values: Count, undecided: int, mines: int) -> Deduced:
    """Apply the single-clue rules until nothing changes.

    Args:
        geometry: the neighbourhood.
        clues: bit board of the clues to use.
        values: the values of the clues, bit-sliced.
        undecided: bit board of the covered cells without a verdict.
        mines: bit board of the known mines, flags included.
    """
    count, spread = geometry.count, geometry.spread
    v0, v1, v2, v3 = values
    low = (0, 0, 0, 0)
    met = clues & ~(v0 | v1 | v2 | v3)
    if mines:
        low = count(mines)
        met = clues & ~unequal(low, values)
    high = h0, h1, h2, h3 = count(mines | undecided)
    tight = clues & ~(h0 ^ v0 | h1 ^ v1 | h2 ^ v2 | h3 ^ v3)
    # Invariant: ``low`` counts the known mines around each cell, ``high`` the known mines and the
    # undecided cells. A new mine changes ``low`` alone, a new safe cell changes ``high`` alone.
    while True:
        safe = spread(met) & undecided if met else 0
        found = spread(tight) & undecided if tight else 0
        if not safe | found:
            break
        undecided &= ~(safe | found)
        mines |= found
        # One clue makes the cell safe and another clue makes it a mine: no layout meets both.
        if safe & found:
            return Deduced(undecided, mines, spread(safe & found) & (met | tight))
        # New mines can only make clues met, new safe cells can only make clues tight.
        met = tight = 0
        if found:
            low = l0, l1, l2, l3 = count(mines)
            met = clues & ~(l0 ^ v0 | l1 ^ v1 | l2 ^ v2 | l3 ^ v3)
        if safe:
            high = h0, h1, h2, h3 = count(mines | undecided)
            tight = clues & ~(h0 ^ v0 | h1 ^ v1 | h2 ^ v2 | h3 ^ v3)
    clash = (greater(low, values) | greater(values, high)) & clues
    return Deduced(undecided, mines, clash)
