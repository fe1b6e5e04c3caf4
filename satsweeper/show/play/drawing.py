"""Cells as symbols, distinct for every kind, with colours in addition; and the game in words.

Screen readers read the lines in words.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NamedTuple

from pbcnf.wording import counted
from satsweeper.board.codes import FLAG, MAX_CLUE, Cell
from satsweeper.board.planes import indices
from satsweeper.show.play.game_session import GameSession
from satsweeper.show.sentences import percent

_FLAG: Final = FLAG & 255

SYMBOLS: Final = {
    "covered": ("\N{MIDDLE DOT}", "."), "zero": (" ", " "), "flag": ("F", "F"),
    "wrong": ("W", "W"), "mine": ("*", "*"), "exploded": ("X", "X"), "certain mine": ("M", "M"),
    "safe": ("S", "S"),
}  # fmt: skip
"""Kind -> symbol, and symbol in ASCII; a clue is drawn as a digit, a chance as its first digits."""

_COLORS: Final = {
    "covered": "bright_black", "flag": "magenta", "wrong": "bold red", "mine": "red",
    "exploded": "bold white on red", "certain mine": "bold red", "safe": "bold green",
    "1": "bright_blue", "2": "green", "3": "red", "4": "magenta", "5": "yellow", "6": "cyan",
    "7": "bold", "8": "bold",
}  # fmt: skip
_PLAIN: Final = {"safe": "bold", "certain mine": "bold", "wrong": "bold", "exploded": "bold"}
_HEAT: Final = (17, 18, 24, 60, 66, 102, 108, 144, 185, 227)
"""Colours of chances, one for each tenth, by their numbers in a terminal of 256 colours. Lightness
grows from tenth to tenth, and alone tells tenths apart."""
_LIGHT: Final = 5
"""The number of tenths from which on the digits of a chance are black; below, they are white."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """Hints over the board: bit boards of certain cells, chances by index, and marked cells."""

    safe: int = 0
    mines: int = 0
    chances: Mapping[int, Fraction] | None = None
    marks: frozenset[Cell] = field(default_factory=frozenset)

    def chance_at(self, index: int) -> Fraction | None:
        """The chance of a mine in the cell ``index``, if chances are shown."""
        return None if self.chances is None else self.chances.get(index)


class DrawnCell(NamedTuple):
    """A cell: its symbol, one character or one or two digits of a chance; and its style.

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
    """A cell of a game that goes on, with hints.

    ``code``: the code of the cell as in ``Position.padded``; ``index``: its index there;
    ``digits``: the number of digits of a chance, 1 or 2. A flag is drawn as a flag whatever the
    hints, unless the cell is known to be safe.
    """
    if code <= MAX_CLUE:
        return look.clue(code)
    bit = 1 << index
    chance = overlay.chance_at(index)
    safe = bool(overlay.safe & bit) or chance == 0
    if code == _FLAG:
        return look.kind("wrong" if safe else "flag")
    if chance is not None:
        return look.chance(chance, digits)
    if safe:
        return look.kind("safe")
    return look.kind("certain mine" if overlay.mines & bit else "covered")


def drawn_at_the_end(look: Look, code: int, mine: bool, exploded: bool) -> DrawnCell:
    """A cell of a game that is over, with all mines shown.

    ``code``: the code as in ``Position.padded``; ``mine``: whether the layout has a mine there;
    ``exploded``: whether this mine was opened.
    """
    if exploded:
        return look.kind("exploded")
    if code == _FLAG:
        return look.kind("flag" if mine else "wrong")
    if mine:
        return look.kind("mine")
    return look.clue(code) if code <= MAX_CLUE else look.kind("covered")


def where(session: GameSession, overlay: Overlay) -> str:
    """Describe the cell of the cursor.

    As in ``row 3, column 5: covered, flagged`` or ``row 0, column 2: 2, 1 covered neighbour``.
    """
    row, column = session.cursor
    game, index = session.game, session.game.geometry.index(session.cursor)
    code, bit, chance = session.codes[index], 1 << index, overlay.chance_at(index)
    if game.exploded & bit:
        parts = ["the mine that exploded"]
    elif code <= MAX_CLUE:
        near = [i for i in game.geometry.neighbours(index) if not game.exploded >> i & 1]
        codes = [session.codes[i] for i in near]
        parts = [str(code) if code else "open, 0"]
        if covered := sum(each > MAX_CLUE for each in codes):
            parts.append(counted(covered, "covered neighbour"))
        if flagged := codes.count(_FLAG):
            parts.append(f"{flagged} flagged")
    else:
        parts = ["covered", "flagged"] if code == _FLAG else ["covered"]
        if session.over:
            parts.append("a mine" if session.mines & bit else "no mine")
        elif overlay.safe & bit or chance == 0:
            parts.append("but safe" if code == _FLAG else "safe")
        elif overlay.mines & bit or chance == 1:
            parts.append("certainly a mine")
        elif chance is not None:
            parts.append(f"a mine with {percent(chance)}")
    return f"row {row}, column {column}: {', '.join(parts)}"


_AROUND: Final = (
    ("above left", -1, -1), ("above", -1, 0), ("above right", -1, 1), ("left", 0, -1),
    ("right", 0, 1), ("below left", 1, -1), ("below", 1, 0), ("below right", 1, 1),
)  # fmt: skip


def around(session: GameSession) -> str:
    """The neighbours of the cursor's cell, one after the other; neighbours with 0 are left out."""
    row, column = session.cursor
    parts = []
    for side, down, right in _AROUND:
        cell = row + down, column + right
        if session.on_board(cell):
            index = session.game.geometry.index(cell)
            code = session.codes[index]
            if session.game.exploded >> index & 1:
                parts.append(f"{side} exploded")
            elif code > MAX_CLUE:
                parts.append(f"{side} flag" if code == _FLAG else f"{side} covered")
            elif code:
                parts.append(f"{side} {code}")
    return f"Around it: {', '.join(parts) or 'nothing but open ground'}."


def status(session: GameSession) -> str:
    """The status line: the board, mines left, flags, covered cells, and the status of the game."""
    game = session.game
    flags = counted(game.flags.bit_count(), "flag")
    covered = f"{session.covered.bit_count()} covered"
    return f"{game.board}  mines left {game.mines_left}  {flags}  {covered}  {game.status}"


def ended(session: GameSession) -> str:
    """A sentence about the end of the game; empty while the game goes on."""
    game = session.game
    if game.won:
        return "You have won: every cell without a mine is open. n plays another game."
    if not game.lost:
        return ""
    cells = [game.geometry.cell(i) for i in indices(game.exploded, game.geometry.size)]
    named = " and ".join(map(str, cells[:3]))
    which = "a mine was" if len(cells) == 1 else "mines were"
    return f"You have lost: {which} at {named}. u takes the move back, n plays another game."
