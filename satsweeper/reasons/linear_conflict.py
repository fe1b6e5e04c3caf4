"""Which clues clash where only sums of them show it: as few as can be, each seen to matter.

Search by resolution finds out neither on boards made to be hard for it. Here every clue, flag and
the total is an equation; a sum of some refutes them (``sums``), and what is not needed is left out
(``irreducible``). The reason of a verdict is a clash with "this cell is otherwise", one equation
more. The total is looked at only where nothing clashes without it.
"""

from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import NamedTuple

from satsweeper.answers.classification import Conflict, Verdict
from satsweeper.board.view import View
from satsweeper.linear.equations import Equation, Row
from satsweeper.linear.refutation import Refutation
from satsweeper.processes.deadline import Deadline
from satsweeper.reasons.conflict import find_conflict
from satsweeper.reasons.irreducible import SOON, Irreducible, irreducible
from satsweeper.reasons.parts import Part, conflict_of, connected, parts_of

_SOON = 1_000
"""Conflicts that the search for a conflict near some clues may meet."""
_Left = Callable[[], float | None]


class SumConflict(NamedTuple):
    """A conflict, and the sum that refutes it.

    ``refutation`` by the index of an equation: those of ``parts``, and after them one that says
    that a cell has the opposite of its verdict, if a reason was asked for. It uses no parts but
    those of the conflict, unless search left some of its parts out (``conflict.by`` says so).
    """

    conflict: Conflict
    parts: Sequence[Part]
    equations: Sequence[Equation]
    refutation: Refutation


def find_either_way(
    view: View, start: Iterable[int], deadline: Deadline, *, search: bool
) -> Conflict:
    """A conflict near some clues, by search; where that is not soon irreducible, by sums.

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
    """The better one of two, of which sums found the second."""
    if found is None or by_sums.irreducible or len(by_sums.clues) <= len(found.clues):
        return by_sums
    return found


def find_linear_conflict(
    view: View, left: _Left = lambda: None, effort: float = inf
) -> SumConflict | None:
    """Clues, flags and perhaps the total that clash; None if sums do not show that any do.

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
    """Clues, flags and perhaps the total that force a verdict; None if sums do not show it.

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
    parts: Sequence[Part],
    given: Sequence[Equation],
    left: _Left,
    effort: float = inf,
) -> SumConflict | None:
    equations = [*(part.equation for part in parts), *given]
    found = irreducible(equations, range(len(parts), len(equations)), left, effort)
    if found is None:
        return None
    kept = [parts[i] for i in found.indices if i < len(parts)]
    conflict = conflict_of(view, kept, found.irreducible, _by(found))
    return SumConflict(conflict, parts, equations, found.refutation)


def _by(found: Irreducible) -> tuple[str, ...]:
    refutation = found.refutation
    way = f"modulo {refutation.modulus}" if isinstance(refutation, Row) else "weighted sum"
    return (way, "search") if found.by_search else (way,)
