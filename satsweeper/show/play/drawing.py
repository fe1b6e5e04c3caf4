"""Cells as symbols, distinct for every kind, with colours in addition."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NamedTuple

from satsweeper.show.palette import STYLES, heat

SYMBOLS: Final = {
    "covered": ("\N{MIDDLE DOT}", "."), "zero": (" ", " "), "flag": ("F", "F"),
    "wrong": ("W", "W"), "mine": ("*", "*"), "exploded": ("X", "X"), "certain mine": ("M", "M"),
    "safe": ("S", "S"),
}  # fmt: skip
"""Kind -> symbol, and symbol in ASCII; a clue is drawn as a digit, a chance as its first digits."""

_COLORS: Final = {
    "flag": "magenta", "wrong": "bold red", "mine": "red",
    "exploded": "bold white on red", "certain mine": STYLES["M"], "safe": STYLES["S"],
    "1": "bright_blue", "2": "green", "3": "red", "4": "magenta", "5": "yellow", "6": "cyan",
    "7": "bold", "8": "bold",
}  # fmt: skip
_PLAIN: Final = {"safe": "bold", "certain mine": "bold", "wrong": "bold", "exploded": "bold"}


@dataclass(frozen=True, slots=True)
class Overlay:
    """Hints over the board: bit boards of certain cells, chances by index, names of marked cells.

    A bit and an index are those of a cell in the session that is played. ``apart``: cells whose
    chance is not drawn, as it is the same in all of them.
    """

    safe: int = 0
    mines: int = 0
    chances: Mapping[int, Fraction] | None = None
    marks: frozenset[Hashable] = field(default_factory=frozenset)
    apart: int = 0

    def chance_at(self, index: int) -> Fraction | None:
        """The chance of a mine in the cell ``index``, if chances are shown."""
        return None if self.chances is None else self.chances.get(index)


class DrawnCell(NamedTuple):
    """A cell: its symbol, one character or the two digits of a chance; and its style.

    ``chance``: whether the symbol is a chance.
    """

    symbol: str
    style: str
    chance: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """The style of drawing cells: in ASCII alone or not, with colours or not."""

    ascii: bool = False
    color: bool = True

    def kind(self, kind: str) -> DrawnCell:
        """A cell of a kind of the table ``SYMBOLS``."""
        style = (_COLORS if self.color else _PLAIN).get(kind, "")
        return DrawnCell(SYMBOLS[kind][self.ascii], style)

    def clue(self, text: str) -> DrawnCell:
        """An open cell with the text of its clue."""
        return DrawnCell(text, _COLORS.get(text, "") if self.color else "")

    def chance(self, chance: Fraction) -> DrawnCell:
        """A covered cell that is a mine with some chance: its first two digits, rounded down."""
        if chance in (0, 1):
            return self.kind("certain mine" if chance else "safe")
        style = heat(chance) if self.color else ""
        return DrawnCell(f"{int(chance * 100):02}", style, True)
