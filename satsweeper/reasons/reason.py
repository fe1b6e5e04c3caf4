"""Why a cell has its verdict: an irreducible set of clues that contradicts the opposite."""

from contextlib import closing
from typing import Final

from satsweeper.answers.classification import Conflict, Verdict
from satsweeper.board.view import View
from satsweeper.processes.deadline import Deadline
from satsweeper.reasons.conflict import as_conflict, refute_nearby, whole_conflict
from satsweeper.reasons.guarded import Guarded
from satsweeper.reasons.linear_conflict import find_linear_reason, smaller
from satsweeper.reasons.sentence import sentence_for

_SOON: Final = 3_000
"""Conflicts that search may meet before sums are tried; ordinary boards need a few hundred."""


def find_reason(
    view: View, index: int, verdict: Verdict, deadline: Deadline | None = None
) -> tuple[Conflict, str]:
    """An irreducible reason for a certain verdict, near the cell if possible, and a sentence.

    Search comes first; where that is not soon done, sums of clues, then search without end. What
    is known when the limit is reached is the answer, in the worst case the whole position, and
    says that it may not be irreducible. So it is where the total of a large board is needed and
    sums do not show why.

    Args:
        view: the position, which has a layout.
        index: board index of a covered cell whose verdict is certain.
        verdict: that.
        deadline: of the search for reasons; None: it never comes.
    """
    deadline = deadline or Deadline()
    reason = None if deadline.passed() else _by_search(view, index, verdict, deadline, _SOON)
    if not deadline.passed() and (reason is None or not reason.irreducible):
        by_sums = find_linear_reason(view, index, verdict, deadline.left)
        if by_sums is not None:
            reason = smaller(reason, by_sums.conflict)
        elif (reason is None or reason.by) and not deadline.passed():
            reason = _by_search(view, index, verdict, deadline, None) or reason
    reason = reason or whole_conflict(view)
    return reason, sentence_for(view, index, verdict, reason)


def _by_search(
    view: View, index: int, verdict: Verdict, deadline: Deadline, effort: int | None
) -> Conflict | None:
    """A reason as far as search comes: None if that is not far, all if a total is too large."""
    with closing(Guarded(view, deadline, effort)) as guarded:
        variable = guarded.variable(index)
        against = -variable if verdict is Verdict.MINE else variable
        core, distance = refute_nearby(guarded, view.clues_at(index), against)
        if core is None and guarded.over:
            return None
        if core is None and guarded.total_is_large():
            return whole_conflict(view)
        if core is None:
            guarded.add_all()
            guarded.add_total(also=[index])
            core = guarded.refute(against)
        if core is None:
            if guarded.over:
                return None
            raise AssertionError("a reason was asked for a verdict that is not certain")
        return as_conflict(guarded, core, [against], distance)
