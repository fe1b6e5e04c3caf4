"""Irreducible conflicts and reasons from sums of clues, for boards on which search fails.

Every clue, every flag and the total is an equation. A weighted sum of equations refutes them
(``linear.refutation``), and equations that are not needed are left out (``irreducible``). The
reason of a verdict is a conflict with one further equation, which states the opposite of the
verdict. The total is used only if no conflict is found without the total.
"""

from collections.abc import Callable, Iterable, Sequence
from math import inf

from satsweeper.answers.classification import Conflict, Verdict
from satsweeper.board.facts import View
from satsweeper.linear.equations import Equation, ModularRow
from satsweeper.processes.deadline import Deadline
from satsweeper.reasons.conflict import find_conflict
from satsweeper.reasons.irreducible import SOON, irreducible
from satsweeper.reasons.parts import ConflictPart, conflict_of, connected, parts_of

_SOON = 1_000
"""The most solver conflicts of the search for clashing clues near ``start``."""
_Left = Callable[[], float | None]


def find_either_way(
    view: View, start: Iterable[int], deadline: Deadline, *, search: bool
) -> Conflict:
    """Return a conflict by search near ``start``, or by sums if search finds no irreducible one.

    The first search has a small limit on conflicts. If sums find no conflict, the result is that of
    the first search, or, with ``search`` False, of a search without the limit.

    Args:
        view: the position; it must be inconsistent.
        start: board indices of clues near which to search first; may be empty.
        deadline: the deadline of both methods.
        search: whether to search before sums are tried.
    """
    found = find_conflict(view, start, deadline, _SOON) if search else None
    if found is not None and found.irreducible:
        return found
    by_sums = find_linear_conflict(view, deadline.left, SOON)
    if by_sums is None:
        return found or find_conflict(view, start, deadline)
    return smaller(found, by_sums)


def smaller(found: Conflict | None, by_sums: Conflict) -> Conflict:
    """Return the better of two conflicts: ``found`` by search, and ``by_sums``.

    An irreducible conflict by sums is better, and so is one with at most as many clues.
    """
    if found is None or by_sums.irreducible or len(by_sums.clues) <= len(found.clues):
        return by_sums
    return found


def find_linear_conflict(
    view: View, left: _Left = lambda: None, effort: float = inf
) -> Conflict | None:
    """Return clues, flags and perhaps the total that clash; None if no sum shows a clash.

    Args:
        view: the position.
        left: returns the seconds until the deadline, None if there is no deadline.
        effort: the limit on the cost of leaving out equations, see ``irreducible.SOON``.
    """
    without_total = parts_of(view._replace(total=None))
    found = _clash(view, without_total, (), left, effort)
    if found is None and view.total is not None:
        found = _clash(view, parts_of(view), (), left, effort)
    return found


def find_linear_reason(
    view: View, index: int, verdict: Verdict, left: _Left = lambda: None
) -> Conflict | None:
    """Return clues, flags and perhaps the total that force a verdict; None if no sum does.

    Args:
        view: the position.
        index: board index of a covered cell.
        verdict: the verdict of the cell, SAFE or MINE.
        left: returns the seconds until the deadline, None if there is no deadline.
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
) -> Conflict | None:
    """Return a conflict of ``parts`` and the equations ``given``, which are never left out."""
    equations = [*(part.equation for part in parts), *given]
    found = irreducible(equations, range(len(parts), len(equations)), left, effort)
    if found is None:
        return None
    kept = [parts[i] for i in found.indices if i < len(parts)]
    proof = found.refutation
    way = f"modulo {proof.modulus}" if isinstance(proof, ModularRow) else "weighted sum"
    by = (way, "search") if found.by_search else (way,)
    return conflict_of(view, kept, found.irreducible, by)
