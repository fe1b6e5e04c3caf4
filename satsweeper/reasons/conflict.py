"""Why a position has no layout: an irreducible set of clues, flags and perhaps the total."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from typing import Final

from satsweeper.answers.classification import Conflict
from satsweeper.board.facts import View
from satsweeper.board.planes import indices
from satsweeper.processes.deadline import Deadline
from satsweeper.reasons.guarded import Guarded
from satsweeper.reasons.parts import conflict_at
from satsweeper.solvers.protocol import SolverFailedError

# Conflicts of the total with clues that share no cell, found by addition on boards of any size.
#
# Clues that share no cell need as many mines as the sum of their values, and each clue's safe cells
# cannot hold mines of the total. A total below the first sum, or above the number of remaining
# cells, clashes with a few of the clues: clues are taken in descending order of their share until
# the limit is exceeded, so that no clue can be left out.

_BY: Final = ("weighted sum",)


def find_total_conflict(view: View) -> Conflict | None:
    """Return an irreducible set of clues and the total that clashes by addition, or None."""
    if view.total is None:
        return None
    hidden = (view.covered | view.trusted).bit_count()
    if view.total > hidden:
        return conflict_at(view, (), (), True, by=_BY)
    apart = _apart(view, lambda clue, cells: view.value(clue))
    # First the lower bound: clues that share no cell need more mines than the total has.
    needed = _until(((view.value(clue), clue) for clue in apart), view.total)
    if needed is None:
        # Then the upper bound: a clue with n cells and value k has n - k safe cells. Disjoint clues
        # with more safe cells than ``hidden - total`` leave too few cells for the total.
        apart = _apart(view, lambda clue, cells: len(cells) - view.value(clue))
        room = ((len(view.hidden(clue)) - view.value(clue), clue) for clue in apart)
        needed = _until(room, hidden - view.total)
    if needed is None or any(view.value(clue) > len(view.hidden(clue)) for clue in needed):
        return None
    return conflict_at(view, needed, (), True, by=_BY)


def _apart(view: View, worth: Callable[[int, list[int]], int]) -> list[int]:
    """Return clues that share no cell, chosen greedily by descending ``worth``.

    ``worth``: from a clue and its covered or flagged cells to the clue's share of the bound.
    """
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
    """Return the first clues whose worths add up to more than ``limit``, or None.

    ``worths``: pairs of worth and clue, by descending worth. The set is irreducible: without the
    last clue the sum is at most ``limit``, and every other clue is worth at least as much.
    """
    chosen = []
    for worth, clue in worths:
        chosen.append(clue)
        limit -= worth
        if limit < 0:
            return chosen
    return None


_MANY: Final = 1_000
"""The number of covered cells above which `find_total_conflict` is tried before search."""


def find_conflict(
    view: View, start: Iterable[int], deadline: Deadline | None = None, effort: int | None = None
) -> Conflict:
    """Return an irreducible conflict of an inconsistent position, if possible near ``start``.

    At a limit, the result is the smallest set so far, with ``irreducible`` False. If there is no
    set yet, or if the total of a large board would have to be encoded, the result is every clue,
    every flag and the total (`whole_conflict`), whose contradiction this function has not proved.

    Args:
        view: the position; it must be inconsistent.
        start: board indices of clues near which to search first; may be empty.
        deadline: the deadline of the search; None: no deadline.
        effort: the most conflicts of all questions to the solver together; None: no limit.

    Raises:
        SolverFailedError: the position has a layout.
    """
    start = list(start)
    if not start and view.covered.bit_count() > _MANY:
        found = find_total_conflict(view)
        if found is not None:
            return found
    with closing(Guarded(view, deadline, effort)) as guarded:
        # Constraints are added in steps: clues ring by ring around ``start``, then all clues, then
        # the total. A core of a part of the constraints is a core of the position, and most
        # conflicts need neither distant clues nor the total.
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
            # All constraints are added and this solver has a model: the claim of the caller's
            # solver that the position has no layout is wrong, or the encoding is.
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

    Return the core (selectors) or None, and each added clue's distance from ``start``, in rings.
    """
    distance: dict[int, int] = {}
    for far, ring in enumerate(guarded.rings(start)):
        distance |= dict.fromkeys(ring, far)
        guarded.add_clues(ring)
        core = guarded.refute(*literals)
        if core is not None:
            return core, distance
    return None, distance


def as_conflict(
    guarded: Guarded, core: Sequence[int], literals: Sequence[int], distance: dict[int, int]
) -> Conflict:
    """Return the conflict of the smallest set of selectors found that contradicts ``literals``.

    Args:
        guarded: the position, and the solver.
        core: selectors that contradict ``literals``.
        literals: further assumptions: empty, or the opposite of a verdict.
        distance: the distance of each clue from ``start`` of `refute_nearby`; distant clues are
            dropped first.
    """
    furthest = max(distance.values(), default=0) + 1

    def order(selector: int) -> tuple[int, ...]:
        # Dropped first: the total, far clues, large clues, flags.
        clue = guarded.clue_of.get(selector)
        if clue is None:
            return (0,) if selector == guarded.total_selector else (2, selector)
        return (1, -distance.get(clue, furthest), -len(guarded.view.hidden(clue)), -clue)

    selectors, irreducible = guarded.smallest(core, literals, order)
    clues = [guarded.clue_of[s] for s in selectors if s in guarded.clue_of]
    flags = [guarded.flag_of[s] for s in selectors if s in guarded.flag_of]
    return conflict_at(guarded.view, clues, flags, guarded.total_selector in selectors, irreducible)
