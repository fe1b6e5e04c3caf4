"""Why a cell of a classified position has its verdict."""

from satsweeper.answers.classification import Classification, Status, Verdict
from satsweeper.answers.explanation import Explanation
from satsweeper.board.codes import Cell
from satsweeper.board.errors import LimitError
from satsweeper.board.facts import Facts
from satsweeper.board.view import View
from satsweeper.processes.deadline import Deadline
from satsweeper.reasons.reason import find_reason
from satsweeper.search.frontier import Frontier
from satsweeper.search.whole_layouts import both_layouts


def explained(
    cell: Cell,
    answer: Classification,
    view: View,
    frontier: Frontier,
    facts: Facts,
    deadline: Deadline | None,
) -> Explanation:
    """The reason for a covered cell's verdict, or two layouts that differ there.

    Raises:
        ValueError: the position has no layout.
        LimitError: the deadline came before the verdict.
    """
    if answer.status is Status.INCONSISTENT:
        raise ValueError("the board is inconsistent: no cell of it has a verdict")
    verdict, index = answer.verdict[cell], view.geometry.index(cell)
    if verdict is not Verdict.UNKNOWN:
        reason, sentence = find_reason(view, index, verdict, deadline)
        return Explanation(cell, verdict, reason, None, None, sentence, answer)
    if answer.status is Status.UNDECIDED:
        raise LimitError(f"{cell}: no verdict within the limit")
    mine, safe = both_layouts(view, frontier, facts, index)
    sentence = f"{cell} can be a mine or safe: here is a layout of each kind."
    return Explanation(cell, verdict, None, mine, safe, sentence, answer)
