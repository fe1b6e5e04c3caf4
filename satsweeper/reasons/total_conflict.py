"""A total that clues without a common cell contradict: found by adding up, on a board of any size.

Clues that share no cell need the sum of their values in mines, and leave room for no more than
all other cells besides. Where that is more than the total, or less, a few of them clash with it:
those of the greatest worth, the last of which alone decides, so that none can be spared.
"""

from collections.abc import Callable, Iterable
from typing import Final

from satsweeper.answers.classification import Conflict
from satsweeper.board.planes import indices
from satsweeper.board.view import View

_BY: Final = ("weighted sum",)


def find_total_conflict(view: View) -> Conflict | None:
    """An irreducible set of clues, flags and the total that clashes by addition alone, or None."""
    if view.total is None:
        return None
    hidden = (view.covered | view.trusted).bit_count()
    if view.total > hidden:
        return Conflict(clues=(), flags=(), total=True, by=_BY)
    apart = _apart(view, lambda clue, cells: view.value(clue))
    needed = _until(((view.value(clue), clue) for clue in apart), view.total)
    if needed is None:
        apart = _apart(view, lambda clue, cells: len(cells) - view.value(clue))
        room = ((len(view.hidden(clue)) - view.value(clue), clue) for clue in apart)
        needed = _until(room, hidden - view.total)
    if needed is None or any(view.value(clue) > len(view.hidden(clue)) for clue in needed):
        return None
    cell = view.geometry.cell
    clues = tuple(cell(clue) for clue in sorted(needed))
    return Conflict(clues=clues, flags=(), total=True, by=_BY)


def _apart(view: View, worth: Callable[[int, list[int]], int]) -> list[int]:
    """Clues no two of which count the same cell, those of the greatest worth first."""
    clues = ((clue, view.hidden(clue)) for clue in indices(view.clues, view.geometry.size))
    ranked = sorted((-worth(*each), *each) for each in clues if each[1])
    used: set[int] = set()
    chosen = []
    for _, clue, cells in ranked:
        if used.isdisjoint(cells):
            used.update(cells)
            chosen.append(clue)
    return chosen


def _until(worths: Iterable[tuple[int, int]], limit: int) -> list[int] | None:
    """The first clues whose worths, the greatest first, add up to more than the limit."""
    chosen = []
    for worth, clue in worths:
        chosen.append(clue)
        limit -= worth
        if limit < 0:
            return chosen
    return None
