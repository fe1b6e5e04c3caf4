"""Why a cell has its verdict: an irreducible set of clues, or two layouts that differ there."""

from dataclasses import dataclass
from typing import Any, Literal

from satsweeper.answers.classification import Conflict, Verdict
from satsweeper.board.codes import Cell
from satsweeper.position import Position
from satsweeper.reasons.conflict import as_conflict, preference, refute_nearby
from satsweeper.reasons.guarded import Guarded, View
from satsweeper.reasons.sentence import sentence_for
from satsweeper.solvers.table import AUTO


@dataclass(frozen=True)
class Explanation:
    """The reason for one cell's verdict.

    For a certain verdict ``reason`` is an irreducible set of clues, flags and perhaps the total
    that forces it; for UNKNOWN ``mine_layout`` and ``safe_layout`` are two whole layouts as rows
    of text (``M`` mine, ``S`` safe, clues and ``F`` as given), both checked.
    """

    cell: Cell
    verdict: Verdict
    reason: Conflict | None
    mine_layout: tuple[str, ...] | None
    safe_layout: tuple[str, ...] | None
    sentence: str

    def as_json(self) -> dict[str, Any]:
        """The object that ``explain --json`` prints."""
        answer: dict[str, Any] = {
            "schema": "satsweeper/explain/1",
            "cell": list(self.cell),
            "verdict": str(self.verdict),
        }
        if self.reason is not None:
            answer["clues"] = [list(cell) for cell in self.reason.clues]
            answer["flags"] = [list(cell) for cell in self.reason.flags]
            answer["total"] = self.reason.total
            answer["irreducible"] = self.reason.irreducible
        else:
            answer["witnesses"] = {
                "mine": list(self.mine_layout or ()),
                "safe": list(self.safe_layout or ()),
            }
        return answer | {"sentence": self.sentence}


def explain(
    position: Position,
    cell: Cell,
    *,
    solver: str = AUTO,
    flags: Literal["trust", "ignore"] = "trust",
) -> Explanation:
    """The reason for one covered cell's verdict.

    Raises:
        ValueError: the cell is not a covered one, or the position has no layout.

    >>> from satsweeper import Position, explain
    >>> explain(Position.parse("1??\\n12?\\n01?"), (0, 2)).reason
    Conflict(clues=((0, 0), (1, 1), (2, 1)), flags=(), total=False, irreducible=True)
    """
    from satsweeper.search.session import Session

    with Session(position, solver=solver, flags=flags) as session:
        return session.explain(cell)


def find_reason(view: View, index: int, verdict: Verdict) -> tuple[Conflict, str]:
    """An irreducible reason for a certain verdict, near the cell if possible, and a sentence.

    Args:
        view: the position, which has a layout.
        index: board index of a covered cell whose verdict is certain.
    """
    guarded = Guarded(view)
    try:
        variable = guarded.variable(index)
        against = -variable if verdict is Verdict.MINE else variable
        core, distance = refute_nearby(guarded, view.clues_at(index), against)
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
