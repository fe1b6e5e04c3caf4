"""The look of each cell: a distinct symbol for every kind, and colours besides."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NamedTuple

from satsweeper.board.codes import COVERED, FLAG, MAX_CLUE, Cell

_COVERED: Final = COVERED & 255
_FLAG: Final = FLAG & 255

SYMBOLS: Final = {
    "covered": ("\N{MIDDLE DOT}", "."),
    "zero": (" ", " "),
    "flag": ("F", "F"),
    "wrong": ("W", "W"),
    "mine": ("*", "*"),
    "exploded": ("X", "X"),
    "certain mine": ("M", "M"),
    "safe": ("S", "S"),
}
"""Kind -> symbol, and symbol in ASCII; a clue is drawn as its digit, a chance as its tenths."""

_COLORS: Final = {
    "covered": "bright_black",
    "flag": "magenta",
    "wrong": "bold red",
    "mine": "red",
    "exploded": "bold white on red",
    "certain mine": "bold red",
    "safe": "bold green",
    "1": "bright_blue",
    "2": "green",
    "3": "red",
    "4": "magenta",
    "5": "yellow",
    "6": "cyan",
    "7": "bold",
    "8": "bold",
}
_PLAIN: Final = {"safe": "bold", "certain mine": "bold", "wrong": "bold", "exploded": "bold"}
_HEAT: Final = (17, 18, 24, 60, 66, 102, 108, 144, 185, 227)
"""Colours of the 256 of a terminal, darkest first: tenths are told apart by lightness alone."""
_LIGHT: Final = 5
"""The number of tenths from which on digits are black."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """Hints over the board: bit boards of certain cells, chances by index, and marked cells."""

    safe: int = 0
    mines: int = 0
    chances: Mapping[int, Fraction] | None = None
    marks: frozenset[Cell] = field(default_factory=frozenset)


class DrawnCell(NamedTuple):
    """A cell: its symbol of one character, or two digits of a chance; and its style."""

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

    def clue(self, number: int) -> DrawnCell:
        """An open cell that shows a number."""
        if not number:
            return self.kind("zero")
        return DrawnCell(str(number), _COLORS.get(str(number), "") if self.color else "")

    def chance(self, chance: Fraction, digits: int) -> DrawnCell:
        """A covered cell that is a mine with some chance: its first digits, rounded down."""
        if chance in (0, 1):
            return self.kind("certain mine" if chance else "safe")
        tenths = int(chance * 10)
        style = ""
        if self.color:
            ink = "color(16)" if tenths >= _LIGHT else "color(231)"
            style = f"{ink} on color({_HEAT[tenths]})"
        return DrawnCell(f"{int(chance * 10**digits):0{digits}}", style, True)


def drawn(look: Look, code: int, index: int, overlay: Overlay, digits: int = 1) -> DrawnCell:
    """A cell of a game that goes on: its code as in ``Position.padded``, and hints over it.

    ``digits`` of a chance, 1 or 2. A flag stays a flag, but for one that is known to be wrong.
    """
    if code <= MAX_CLUE:
        return look.clue(code)
    bit = 1 << index
    chance = overlay.chances.get(index) if overlay.chances is not None else None
    safe = bool(overlay.safe & bit) or chance == 0
    if code == _FLAG:
        return look.kind("wrong" if safe else "flag")
    if chance is not None:
        return look.chance(chance, digits)
    if safe:
        return look.kind("safe")
    return look.kind("certain mine" if overlay.mines & bit else "covered")


def drawn_at_the_end(look: Look, code: int, mine: bool, exploded: bool) -> DrawnCell:
    """A cell of a game that is over, when the mines are shown."""
    if exploded:
        return look.kind("exploded")
    if code == _FLAG:
        return look.kind("flag" if mine else "wrong")
    if mine:
        return look.kind("mine")
    return look.clue(code) if code <= MAX_CLUE else look.kind("covered")
