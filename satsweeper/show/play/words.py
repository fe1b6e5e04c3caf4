"""The game in words, for lines that screen readers read too: cells, status, and the end."""

from typing import Final

from pbcnf.wording import counted
from satsweeper.board.codes import FLAG, MAX_CLUE, Cell
from satsweeper.board.planes import indices
from satsweeper.show.play.drawing import Overlay
from satsweeper.show.play.game_session import GameSession
from satsweeper.show.sentences import percent

_FLAG: Final = FLAG & 255
_AROUND: Final = (
    ("above left", -1, -1),
    ("above", -1, 0),
    ("above right", -1, 1),
    ("left", 0, -1),
    ("right", 0, 1),
    ("below left", 1, -1),
    ("below", 1, 0),
    ("below right", 1, 1),
)


def where(session: GameSession, overlay: Overlay) -> str:
    """Describe the cell of the cursor.

    As in ``row 3, column 5: covered, flagged`` or ``row 0, column 2: 2, 1 covered neighbour``.
    """
    row, column = session.cursor
    said = ", ".join(_cell(session, session.cursor, overlay))
    return f"row {row}, column {column}: {said}"


def around(session: GameSession) -> str:
    """The neighbours of the cursor's cell, one after the other; those that show 0 are left out."""
    row, column = session.cursor
    said = []
    for side, down, right in _AROUND:
        cell = row + down, column + right
        if session.on_board(cell):
            what = _short(session, cell)
            said += [f"{side} {what}"] if what else []
    return f"Around it: {', '.join(said) or 'nothing but open ground'}."


def status(session: GameSession) -> str:
    """The status line: the board, mines left, flags, covered cells, and the status of the game."""
    flags = session.game.flags.bit_count()
    parts = [
        f"{session.game.board}",
        f"mines left {session.game.mines_left}",
        counted(flags, "flag"),
        f"{session.covered.bit_count()} covered",
        session.game.status,
    ]
    return "  ".join(parts)


def ended(session: GameSession) -> str:
    """A sentence about the end of the game; empty while the game goes on."""
    if session.game.won:
        return "You have won: every cell without a mine is open. n plays another game."
    if not session.game.lost:
        return ""
    cells = [
        session.game.geometry.cell(i)
        for i in indices(session.game.exploded, session.game.geometry.size)
    ]
    named = " and ".join(f"({row}, {column})" for row, column in cells[:3])
    which = "a mine was" if len(cells) == 1 else "mines were"
    return f"You have lost: {which} at {named}. u takes the move back, n plays another game."


def _cell(session: GameSession, cell: Cell, overlay: Overlay) -> list[str]:
    index = session.game.geometry.index(cell)
    code, bit = session.codes[index], 1 << index
    if session.game.exploded & bit:
        return ["the mine that exploded"]
    if code <= MAX_CLUE:
        return [str(code) if code else "open, 0", *_neighbours(session, index)]
    said = ["covered"]
    flagged = code == _FLAG
    if flagged:
        said.append("flagged")
    if session.over:
        mine = bool(session.mines & bit)
        return [*said, "a mine"] if mine else [*said, "no mine"]
    chance = overlay.chances.get(index) if overlay.chances is not None else None
    if overlay.safe & bit or chance == 0:
        said.append("but safe" if flagged else "safe")
    elif overlay.mines & bit or chance == 1:
        said.append("certainly a mine")
    elif chance is not None:
        said.append(f"a mine with {percent(chance)}")
    return said


def _neighbours(session: GameSession, index: int) -> list[str]:
    near = session.game.geometry.neighbours(index)
    codes = [session.codes[i] for i in near if not session.game.exploded >> i & 1]
    covered = sum(code > MAX_CLUE for code in codes)
    flagged = codes.count(_FLAG)
    said = [counted(covered, "covered neighbour")] if covered else []
    return [*said, f"{flagged} flagged"] if flagged else said


def _short(session: GameSession, cell: Cell) -> str:
    index = session.game.geometry.index(cell)
    code = session.codes[index]
    if session.game.exploded >> index & 1:
        return "exploded"
    if code <= MAX_CLUE:
        return str(code) if code else ""
    return "flag" if code == _FLAG else "covered"
