"""Why a position has no layout: an irreducible set of clues, flags and perhaps the total."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from typing import Final

from satsweeper.answers.classification import Conflict
from satsweeper.board.planes import indices
from satsweeper.board.view import View
from satsweeper.processes.deadline import Deadline
from satsweeper.reasons.guarded import Guarded
from satsweeper.reasons.parts import conflict_at
from satsweeper.reasons.total_conflict import find_total_conflict
from satsweeper.solvers.protocol import SolverFailedError

_MANY: Final = 1_000
"""Covered cells above which a total is contradicted by addition, if it can be."""


def find_conflict(
    view: View, start: Iterable[int], deadline: Deadline | None = None, effort: int | None = None
) -> Conflict:
    """Return an irreducible conflict of an inconsistent position, if possible near ``start``.

    Once a limit is reached, the best set so far is the answer, with ``irreducible`` False. If there
    is no set yet, or the total of a large board would have to be encoded, the answer is every clue,
    every flag and the total (`whole_conflict`); only the caller knows then that they clash.

    Args:
        view: the position; it must be inconsistent.
        start: clues near which to look first; may be empty.
        deadline: of the search for a conflict; None: it never comes.
        effort: conflicts that the solver may meet in all; None for any number.

    Raises:
        SolverFailedError: the position has a layout.
    """
    start = list(start)
    if not start and view.covered.bit_count() > _MANY:
        found = find_total_conflict(view)
        if found is not None:
            return found
    with closing(Guarded(view, deadline, effort)) as guarded:
        core, distance = refute_nearby(guarded, start)
        if core is None:
            guarded.add_all()
            core = guarded.refute()
        if core is None and guarded.total_is_large():
            return whole_conflict(view)
        if core is None:
            guarded.add_total()
            core = guarded.refute()
        if core is None:
            if guarded.over:
                return whole_conflict(view)
            # The caller's solver claimed that there is no layout, and this one found a layout.
            raise SolverFailedError("a solver says that the board has no layout, but it has one")
        return as_conflict(guarded, core, (), distance)


def whole_conflict(view: View) -> Conflict:
    """Return every clue, every flag and the total of an inconsistent position as a conflict."""
    size = view.geometry.size
    clues = [c for c in indices(view.clues, size) if view.hidden(c) or view.value(c)]
    flags = indices(view.trusted, size)
    return conflict_at(view, clues, flags, view.total is not None, False, ())


def refute_nearby(
    guarded: Guarded, start: Iterable[int], *literals: int
) -> tuple[list[int] | None, dict[int, int]]:
    """Add clues ring by ring until they contradict ``literals``, or no connected clue is left.

    Return the core, or None, and each clue's distance from ``start``.
    """
    distance: dict[int, int] = {}
    for far, ring in enumerate(guarded.rings(start)):
        distance |= dict.fromkeys(ring, far)
        guarded.add_clues(ring)
        core = guarded.refute(*literals)
        if core is not None:
            return core, distance
    return None, distance


def _preference(guarded: Guarded, distance: dict[int, int]) -> Callable[[int], tuple[int, ...]]:
    """Return the order in which selectors are dropped: total, far clues, large clues, flags."""
    furthest = max(distance.values(), default=0) + 1

    def order(selector: int) -> tuple[int, ...]:
        clue = guarded.clue_of.get(selector)
        if clue is None:
            return (0,) if selector == guarded.total_selector else (2, selector)
        return (1, -distance.get(clue, furthest), -len(guarded.view.hidden(clue)), -clue)

    return order


def as_conflict(
    guarded: Guarded, core: Sequence[int], literals: Sequence[int], distance: dict[int, int]
) -> Conflict:
    """Return the smallest set of selectors that contradicts ``literals`` as a conflict of cells.

    Args:
        guarded: the position, and the solver.
        core: selectors that contradict ``literals``.
        literals: what is assumed besides.
        distance: of each clue from where a reason is wanted: far clues are dropped first.
    """
    order = _preference(guarded, distance)
    selectors, irreducible = guarded.smallest(core, literals, order)
    clues = [guarded.clue_of[s] for s in selectors if s in guarded.clue_of]
    flags = [guarded.flag_of[s] for s in selectors if s in guarded.flag_of]
    return conflict_at(guarded.view, clues, flags, guarded.total_selector in selectors, irreducible)
