"""Why a cell has its verdict: an irreducible set of clues that contradicts the opposite."""

from satsweeper.answers.classification import Conflict, Verdict
from satsweeper.board.view import View
from satsweeper.reasons.conflict import as_conflict, preference, refute_nearby, whole_conflict
from satsweeper.reasons.guarded import Guarded
from satsweeper.reasons.sentence import sentence_for


def find_reason(view: View, index: int, verdict: Verdict) -> tuple[Conflict, str]:
    """An irreducible reason for a certain verdict, near the cell if possible, and a sentence.

    Where the total of a large board is needed, that is with all clues the reason, not irreducible.

    Args:
        view: the position, which has a layout.
        index: board index of a covered cell whose verdict is certain.
    """
    guarded = Guarded(view)
    try:
        variable = guarded.variable(index)
        against = -variable if verdict is Verdict.MINE else variable
        core, distance = refute_nearby(guarded, view.clues_at(index), against)
        if core is None and guarded.total_is_large():
            reason = whole_conflict(view)
            return reason, sentence_for(view, index, verdict, reason)
        if core is None:
            guarded.add_all()
            guarded.add_total(also=[index])
            core = guarded.refute(against)
        if core is None:
            raise AssertionError("a reason was asked for a verdict that is not certain")
        found = guarded.smallest(core, [against], preference(guarded, distance))
        reason = as_conflict(guarded, *found)
        return reason, sentence_for(view, index, verdict, reason)
    finally:
        guarded.close()
