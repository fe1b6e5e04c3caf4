"""Explanations: the clues that force a verdict, or two layouts that differ."""

from dataclasses import dataclass, field
from typing import Any

from pbcnf.shown import Drawn
from satsweeper.answers.classification import Classification, Conflict, Verdict
from satsweeper.board.codes import Cell


@dataclass(frozen=True, repr=False)
class Explanation(Drawn):
    """The reason for one cell's verdict.

    For a certain verdict ``reason`` is an irreducible set of clues, flags and perhaps the total
    that forces it (or says that it may not be irreducible); for UNKNOWN ``mine_layout`` and
    ``safe_layout`` are two whole layouts as rows of text (``M`` mine, ``S`` safe, clues and ``F``
    as given), both checked.
    """

    cell: Cell
    verdict: Verdict
    reason: Conflict | None
    mine_layout: tuple[str, ...] | None
    safe_layout: tuple[str, ...] | None
    sentence: str
    classification: Classification | None = field(default=None, compare=False)
    """The verdicts that were known; the board that a drawing shows."""

    def __repr__(self) -> str:
        """Return one line: the cell, its verdict, and the size of the reason."""
        found = "two layouts that differ there"
        if self.reason is not None:
            counted = [(len(self.reason.clues), "clue"), (len(self.reason.flags), "flag")]
            parts = [f"{count} {noun}{'s' * (count != 1)}" for count, noun in counted if count]
            found = ", ".join(parts + ["the total"] * self.reason.total)
        return f"Explanation({self.cell} is {self.verdict}: {found})"

    def as_json(self) -> dict[str, Any]:
        """The object that ``explain --json`` prints."""
        answer: dict[str, Any] = {
            "schema": "satsweeper/explain/1",
            "cell": list(self.cell),
            "verdict": str(self.verdict),
        }
        if self.reason is not None:
            answer |= self.reason.as_json()
        else:
            answer["witnesses"] = {
                "mine": list(self.mine_layout or ()),
                "safe": list(self.safe_layout or ()),
            }
        return answer | {"sentence": self.sentence}
