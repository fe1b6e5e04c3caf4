"""Advice as a value: the certain moves, else choices for a guess, best first."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from pbcnf.wording import counted
from satsweeper.board.codes import Cell
from satsweeper.count.odds import digits, fraction
from satsweeper.position import Position


class Outlook(NamedTuple):
    """A value that a cell may show, and the position that would be left then.

    ``chance`` that it shows the value; ``safest`` the chance that the safest cell is free
    afterwards, 1 if one is certain; ``certain`` how many cells are.
    """

    value: int
    chance: float
    safest: float
    certain: int


@dataclass(frozen=True, slots=True)
class Choice:
    """A cell to guess at: the chance that it is free, and to win from here on, if that is known.

    ``outlook`` is what it may show, and what would be left; empty where it was not looked into.
    """

    cell: Cell
    safe: Fraction
    win: Fraction | None = None
    outlook: tuple[Outlook, ...] = ()

    def __repr__(self) -> str:
        """The choice in doubles, since fractions of large boards have thousands of digits."""
        win = "" if self.win is None else f", win {float(self.win):.4f}"
        return f"Choice({self.cell}, safe {float(self.safe):.4f}{win})"

    @property
    def next_safe(self) -> float | None:
        """The chance to survive this move and a next move that is the safest then."""
        if not self.outlook:
            return None
        return sum(each.chance * each.safest for each in self.outlook)

    @property
    def progress(self) -> float | None:
        """The chance that a cell is certain to be free after this move."""
        if not self.outlook:
            return None
        return sum(each.chance for each in self.outlook if each.certain)


@dataclass(frozen=True, slots=True)
class Advice:
    """``certain``: cells that are free in every layout; else ``choices``, best first.

    ``layouts`` is how many layouts there are. ``needs_total``: no cell is certain, one can be
    opened, and no guess is named because the position does not say how many mines there are.
    """

    position: Position
    strategy: str
    certain: tuple[Cell, ...]
    choices: tuple[Choice, ...]
    layouts: int
    needs_total: bool = False

    def __repr__(self) -> str:
        """The advice in one line."""
        if self.certain:
            return f"Advice({self.position!r}, {counted(len(self.certain), 'certain cell')})"
        best = f", best {self.choices[0].cell}" if self.choices else ""
        return f"Advice({self.position!r}, {counted(len(self.choices), 'choice')}{best})"

    def as_json(self) -> dict[str, Any]:
        """The object that ``advise --json`` prints."""
        return {
            "schema": "satsweeper/advise/1",
            "rows": self.position.rows,
            "columns": self.position.columns,
            "mines": self.position.mines,
            "strategy": self.strategy,
            "layouts": digits(self.layouts),
            "certain": [list(cell) for cell in self.certain],
            "choices": [_as_json(choice) for choice in self.choices],
            **({"needs_total": True} if self.needs_total else {}),
        }


def _as_json(choice: Choice) -> dict[str, Any]:
    found: dict[str, Any] = {"cell": list(choice.cell), "safe": fraction(choice.safe)}
    if choice.win is not None:
        found["win"] = fraction(choice.win)
    if choice.outlook:
        found["next_safe"], found["progress"] = choice.next_safe, choice.progress
        found["outlook"] = [each._asdict() for each in choice.outlook]
    return found
