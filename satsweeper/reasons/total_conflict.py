"""Conflicts of the total with clues that share no cell: found by adding up, at any size.

Clues that share no cell need the sum of their values in mines, and their safe cells leave only the
other cells for the rest. Where the total is below the first or above the second, a few of the clues
clash with it: clues are taken, greatest worth first, until the limit is passed, so that no clue can
be left out.
"""

from collections.abc import Callable, Iterable
from typing import Final

from satsweeper.answers.classification import Conflict
from satsweeper.board.planes import indices
from satsweeper.board.view import View
from satsweeper.reasons.parts import conflict_at

_BY: Final = ("weighted sum",)


def find_total_conflict(view: View) -> Conflict | None:
    """Return an irreducible set of clues and the total that clashes by addition, or None."""
    if view.total is None:
        return None
    hidden = (view.covered | view.trusted).bit_count()
    if view.total > hidden:
        return conflict_at(view, (), (), True, by=_BY)
    apart = _apart(view, lambda clue, cells: view.value(clue))
    # Too many: clues that share no cell need more mines than the total.
    needed = _until(((view.value(clue), clue) for clue in apart), view.total)
    if needed is None:
        # Too few: the clues' safe cells leave less room than the total needs.
        apart = _apart(view, lambda clue, cells: len(cells) - view.value(clue))
        room = ((len(view.hidden(clue)) - view.value(clue), clue) for clue in apart)
        needed = _until(room, hidden - view.total)
    if needed is None or any(view.value(clue) > len(view.hidden(clue)) for clue in needed):
        return None
    return conflict_at(view, needed, (), True, by=_BY)


def _apart(view: View, worth: Callable[[int, list[int]], int]) -> list[int]:
    """Return clues that share no cell, chosen by the greatest ``worth`` first."""
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
    """Return the first clues whose worths add up to more than ``limit``, or None."""
    chosen = []
    for worth, clue in worths:
        chosen.append(clue)
        limit -= worth
        if limit < 0:
            return chosen
    return None
