"""Which clues clash where only sums of them show it: as few as can be, each seen to matter.

Search by resolution finds out neither on boards made to be hard for it. Here every clue, flag and
the total is an equation; elimination modulo 2 and 3, or a linear program where HiGHS is installed,
names equations that clash. Then each is left out in turn: it is not needed if the others are still
seen to clash, and needed if a solver finds a layout that meets them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from satsweeper.answers.classification import Conflict
from satsweeper.board.planes import indices
from satsweeper.board.view import View
from satsweeper.linear.elimination import eliminate
from satsweeper.linear.equations import Equation, follows
from satsweeper.linear.relaxation import available, refute
from satsweeper.reasons.conflict import find_conflict
from satsweeper.reasons.guarded import Guarded
from satsweeper.solvers.limit import Limit
from satsweeper.solvers.protocol import Satisfied

_SECONDS: Final = 2.0
"""Of a linear program, at the most."""
_CONFLICTS: Final = 2_000
"""That a solver may meet in search of a layout."""
_WORK: Final = 400_000
"""Cells of equations that may be looked at until a conflict is as small as can be."""
_MISSES: Final = 2
"""Parts of which neither is found out, after which the others are not tried."""
_SOON: Final = 1_000
"""Conflicts that the search for a conflict near some clues may meet."""


class _Part(NamedTuple):
    """A clue, a flag or, at no cell, the total, as an equation over cells."""

    cell: int | None
    is_flag: bool
    equation: Equation


def find_either_way(view: View, start: Iterable[int], limit: Limit, *, search: bool) -> Conflict:
    """A conflict near some clues, by search; where that is not soon irreducible, by sums.

    Args:
        view: the position; it must be inconsistent.
        start: clues near which to look first; may be empty.
        limit: of time.
        search: whether to search at all.
    """
    found = find_conflict(view, start, limit, _SOON) if search else None
    if found is not None and found.irreducible:
        return found
    by_sums = find_linear_conflict(view, lambda: limit.left)
    if by_sums is None:
        return found or find_conflict(view, start, limit)
    if found is None or by_sums.irreducible or len(by_sums.clues) <= len(found.clues):
        return by_sums
    return found


def find_linear_conflict(
    view: View, left: Callable[[], float | None] = lambda: None
) -> Conflict | None:
    """Clues, flags and perhaps the total that clash; None if sums do not show that any do.

    Args:
        view: the position.
        left: the seconds that are left, None for any.
    """
    parts = _parts(view)
    kept = _clash(parts, left)
    if kept is None:
        return None
    guarded = Guarded(view)
    try:
        guarded.add_all()
        if any(part.cell is None for part in kept):
            guarded.add_total()
        misses, work = 0, _WORK
        for part in list(kept):
            if part not in kept:
                continue
            others = [other for other in kept if other is not part]
            work -= sum(len(other.equation[0]) + 8 for other in others)
            if work < 0 or misses == _MISSES or left() == 0:
                misses += 1
                break
            if _has_layout(guarded, others):
                continue
            fewer = _clash(others, left)
            if fewer is None:
                misses += 1
            else:
                kept = fewer
    finally:
        guarded.close()
    cell = view.geometry.cell
    return Conflict(
        clues=tuple(sorted(cell(p.cell) for p in kept if p.cell is not None and not p.is_flag)),
        flags=tuple(sorted(cell(p.cell) for p in kept if p.cell is not None and p.is_flag)),
        total=any(part.cell is None for part in kept),
        irreducible=misses == 0,
    )


def _parts(view: View) -> list[_Part]:
    """The total first and flags last, so that what is left in the end is near and plain."""
    size = view.geometry.size
    parts = []
    hidden = [*indices(view.covered | view.trusted, size)]
    if view.total is not None:
        parts.append(_Part(None, False, (hidden, view.total)))
    for clue in indices(view.clues, size):
        cells, number = view.hidden(clue), view.value(clue)
        # 0 = 0 clashes with nothing, and a large board has thousands of it.
        if cells or number:
            parts.append(_Part(clue, False, (cells, number)))
    parts += [_Part(flag, True, ([flag], 1)) for flag in indices(view.trusted, size)]
    return parts


def _clash(parts: Sequence[_Part], left: Callable[[], float | None]) -> list[_Part] | None:
    """Those of the parts that are seen to clash, in their order; None if none are.

    Flags are put into the clues first; one is part of a clash if it does not cancel out of it.
    """
    flags = {part.cell for part in parts if part.is_flag}
    sums = [part for part in parts if not part.is_flag]
    equations = []
    for part in sums:
        cells, number = part.equation
        rest = [cell for cell in cells if cell not in flags]
        equations.append((rest, number - (len(cells) - len(rest))))

    def chosen(multipliers: Mapping[int, int], modulus: int) -> list[_Part]:
        weight: Counter[int | None] = Counter()
        for index, multiplier in multipliers.items():
            for cell in sums[index].equation[0]:
                weight[cell] += multiplier
        used = {id(sums[index]) for index in multipliers}
        return [
            part
            for part in parts
            if id(part) in used
            or (part.is_flag and (weight[part.cell] % modulus if modulus else weight[part.cell]))
        ]

    for modulus in (2, 3):
        found = eliminate(equations, modulus).clash
        if found is not None and follows(equations, found):
            return chosen(found.multipliers, modulus)
    if available():
        rest_of_time = left()
        seconds = _SECONDS if rest_of_time is None else min(rest_of_time, _SECONDS)
        claim = refute(equations, seconds)
        if claim is not None:
            return chosen(claim.weights, 0)
    return None


def _has_layout(guarded: Guarded, parts: Sequence[_Part]) -> bool:
    """Whether a solver soon finds a layout that meets these parts."""
    clues = {part.cell for part in parts if not part.is_flag}
    flags = {part.cell for part in parts if part.is_flag}
    assumed = [selector for selector, clue in guarded.clue_of.items() if clue in clues]
    assumed += [selector for selector, flag in guarded.flag_of.items() if flag in flags]
    if None in clues and guarded.total_selector is not None:
        assumed.append(guarded.total_selector)
    return isinstance(guarded.sink.solver.solve(assumed, _CONFLICTS), Satisfied)
