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
    """A value that a cell may show, and the position that this value would leave.

    ``chance``: that the cell is free and shows the value. Given the value: ``safest`` is the chance
    that the safest cell is free, 1 if a cell is certain; ``certain`` is the number of cells that
    are certain to be free.
    """

    value: int
    chance: float
    safest: float
    certain: int


@dataclass(frozen=True, slots=True)
class Choice:
    """A cell to guess at.

    ``safe``: the chance that the cell is free. ``win``: the chance that the best play which opens
    this cell first wins; None if unknown. ``outlook``: an item for each value that the cell may
    show; empty if these were not computed.
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
        """The chance to survive this move and a safest next move; None without an outlook."""
        if not self.outlook:
            return None
        return sum(each.chance * each.safest for each in self.outlook)

    @property
    def progress(self) -> float | None:
        """The chance that some cell is certain to be free after this move; None if unknown."""
        if not self.outlook:
            return None
        return sum(each.chance for each in self.outlook if each.certain)


@dataclass(frozen=True, slots=True)
class Advice:
    """``certain``: cells that are free in every layout; else ``choices``, best first.

    ``strategy``: the name of the strategy that put the choices in order where chances to win are
    unknown. ``layouts``: the number of layouts of the position. ``needs_total``: no cell is
    certain, some covered cell is free in a layout, and there are no choices because the position
    has no total.
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
