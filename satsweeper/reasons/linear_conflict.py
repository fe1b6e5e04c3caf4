"""Irreducible conflicts and reasons from sums of clues, for boards on which search fails.

Every clue, every flag and the total is an equation. A sum of some equations refutes them
(``linear.refutation``), and equations that are not needed are left out (``irreducible``). The
reason of a verdict is a clash with one equation more, which says the opposite of the verdict. The
total is used only where nothing clashes without it.
"""

from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import NamedTuple

from satsweeper.answers.classification import Conflict, Verdict
from satsweeper.board.facts import View
from satsweeper.linear.equations import Equation, ModularRow
from satsweeper.linear.refutation import Refutation
from satsweeper.processes.deadline import Deadline
from satsweeper.reasons.conflict import find_conflict
from satsweeper.reasons.irreducible import SOON, irreducible
from satsweeper.reasons.parts import ConflictPart, conflict_of, connected, parts_of

_SOON = 1_000
"""Solver conflicts that the search for clashing clues near ``start`` may meet."""
_Left = Callable[[], float | None]


class SumConflict(NamedTuple):
    """A conflict, and the sum of equations that refutes it.

    ``refutation`` is by the index of an equation: the equations of ``parts``, and after them, for a
    reason, the equation that a cell has the opposite of its verdict. The refutation uses only parts
    of the conflict, unless search left some of its parts out (``conflict.by`` says so).
    """

    conflict: Conflict
    parts: Sequence[ConflictPart]
    equations: Sequence[Equation]
    refutation: Refutation


def find_either_way(
    view: View, start: Iterable[int], deadline: Deadline, *, search: bool
) -> Conflict:
    """Return a conflict by search near ``start``, or by sums if search is not irreducible soon.

    Args:
        view: the position; it must be inconsistent.
        start: clues near which to look first; may be empty.
        deadline: of the search for a conflict.
        search: whether to search at all.
    """
    found = find_conflict(view, start, deadline, _SOON) if search else None
    if found is not None and found.irreducible:
        return found
    by_sums = find_linear_conflict(view, deadline.left, SOON)
    if by_sums is None:
        return found or find_conflict(view, start, deadline)
    return smaller(found, by_sums.conflict)


def smaller(found: Conflict | None, by_sums: Conflict) -> Conflict:
    """Return the better of two conflicts: by search, and by sums of clues."""
    if found is None or by_sums.irreducible or len(by_sums.clues) <= len(found.clues):
        return by_sums
    return found


def find_linear_conflict(
    view: View, left: _Left = lambda: None, effort: float = inf
) -> SumConflict | None:
    """Return clues, flags and perhaps the total that clash; None if no sum shows a clash.

    Args:
        view: the position.
        left: the seconds that are left, None for any.
        effort: that it may take to leave out what is not needed.
    """
    without_total = parts_of(view._replace(total=None))
    found = _clash(view, without_total, (), left, effort)
    if found is None and view.total is not None:
        found = _clash(view, parts_of(view), (), left, effort)
    return found


def find_linear_reason(
    view: View, index: int, verdict: Verdict, left: _Left = lambda: None
) -> SumConflict | None:
    """Return clues, flags and perhaps the total that force a verdict; None if no sum does.

    Args:
        view: the position.
        index: board index of a covered cell.
        verdict: SAFE or MINE.
        left: the seconds that are left, None for any.
    """
    otherwise = ([index], int(verdict is Verdict.SAFE))
    near = parts_of(view, connected(view, view.clues_at(index)))
    found = _clash(view, near, [otherwise], left)
    if found is None and view.total is not None:
        found = _clash(view, parts_of(view), [otherwise], left)
    return found


def _clash(
    view: View,
    parts: Sequence[ConflictPart],
    given: Sequence[Equation],
    left: _Left,
    effort: float = inf,
) -> SumConflict | None:
    equations = [*(part.equation for part in parts), *given]
    found = irreducible(equations, range(len(parts), len(equations)), left, effort)
    if found is None:
        return None
    kept = [parts[i] for i in found.indices if i < len(parts)]
    refutation = found.refutation
    way = f"modulo {refutation.modulus}" if isinstance(refutation, ModularRow) else "weighted sum"
    by = (way, "search") if found.by_search else (way,)
    conflict = conflict_of(view, kept, found.irreducible, by)
    return SumConflict(conflict, parts, equations, refutation)
