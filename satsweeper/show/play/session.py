"""Sessions of games: the cursor, cells as drawn and in words, and automatic moves.

The app plays any session. Cells are places on the screen, ``(row, column)``; a session says which
index each has in bit boards, and which name the rules know it by.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import Any, Final

from pbcnf.wording import counted
from satsweeper.board.codes import Cell
from satsweeper.play.until_stuck import UnsafeCellError
from satsweeper.show.play.drawing import DrawnCell, Look, Overlay
from satsweeper.show.play.searches import SearchResult
from satsweeper.show.sentences import percent

OVER: Final = "The game is over: n plays another one, u takes the last move back."
_FAR: Final = 10**9
STEPS: Final = {
    "left": (0, -1), "down": (1, 0), "up": (-1, 0), "right": (0, 1), "row_start": (0, -_FAR),
    "row_end": (0, _FAR), "top": (-_FAR, 0), "bottom": (_FAR, 0),
}  # fmt: skip
"""Action -> the move of the cursor: rows down and columns right."""
PAGES: Final = {"page_up": -1, "page_down": 1}
"""Action -> the move of the cursor in screens, down."""


class BoardSession(ABC):
    """The game that is played now, the cursor, and the games before.

    Methods that act return a sentence for the player, "" if there is none. Sets of cells are bit
    boards.
    """

    keys_told = True
    """Whether sentences about the end name keys."""
    promised = False
    """Whether the next click is the first one and safe by convention, hence no guess."""
    form = "square"
    """``hexagonal`` for odd rows half a cell to the right, ``triangular`` for slanted sides."""
    lacks: frozenset[str] = frozenset()
    """The actions that this game does not have, which the help leaves out."""
    like = "1??\n"
    """The text of a small board of the kind of this game."""
    wide = 1
    """The characters of the longest clue."""

    def __init__(self) -> None:
        self.cursor: Cell = (0, 0)
        self.changes = 0
        """The number of changes of the board, undoing included."""
        self.number = 0
        """The number of games before this one, to which ``undo`` leads back."""

    # What a game is.

    @property
    @abstractmethod
    def size(self) -> tuple[int, int]:
        """Rows and columns on the screen."""

    @property
    @abstractmethod
    def status(self) -> str:
        """Return "won", "lost" or "in play"."""

    @property
    @abstractmethod
    def touched(self) -> bool:
        """Whether the board differs from that with which the game began."""

    @property
    @abstractmethod
    def title(self) -> str:
        """The board as it is called on the status line."""

    @property
    @abstractmethod
    def about(self) -> list[str]:
        """The lines of the help about this game."""

    @property
    @abstractmethod
    def mines_left(self) -> int:
        """The total less flags and exploded mines."""

    @property
    @abstractmethod
    def covered(self) -> int:
        """The cells that are not open."""

    @property
    @abstractmethod
    def flags(self) -> int:
        """The cells with a flag."""

    @property
    @abstractmethod
    def exploded(self) -> int:
        """The opened mines."""

    @property
    @abstractmethod
    def mines(self) -> int:
        """All mines. Raises ValueError while the game goes on, so that none is shown too early."""

    @abstractmethod
    def index(self, cell: Cell) -> int:
        """Return the bit of a cell in bit boards."""

    @abstractmethod
    def cell(self, index: int) -> Cell:
        """Return the cell with this bit."""

    @abstractmethod
    def named(self, cell: Cell) -> Hashable:
        """Return the name of a cell in hints."""

    @abstractmethod
    def clue(self, cell: Cell) -> str | None:
        """Return the clue of an open cell; None for a covered one and for a mine."""

    @abstractmethod
    def position(self) -> Any:
        """Return the board as the player sees it, without flags, as flags may be wrong."""

    @abstractmethod
    def around(self) -> str:
        """Return the neighbours of the cursor's cell in words."""

    # What a player does.

    @abstractmethod
    def open(self, cell: Cell) -> str:
        """Open a covered cell; on a clue this is a chord."""

    @abstractmethod
    def chord(self, cell: Cell) -> str:
        """Open the neighbours without a flag of a clue whose number equals the flags around."""

    @abstractmethod
    def flag(self, cell: Cell) -> str:
        """Put a flag on a covered cell, or take it away."""

    @abstractmethod
    def play(self, safe: int, mines: int) -> None:
        """Open the cells ``safe`` and flag the cells ``mines``, as a single action."""

    @abstractmethod
    def undo(self) -> str:
        """Take the last action back; without an action in this game, return to the game before."""

    @abstractmethod
    def again(self) -> str:
        """Restart the game."""

    @abstractmethod
    def next(self, level: int | None = None) -> str:
        """Begin another game; ``level``: of this number, None: on a board like this one."""

    @property
    def over(self) -> bool:
        """Whether nothing can be opened any more."""
        return self.status != "in play"

    def on_board(self, cell: Cell) -> bool:
        """Whether ``cell`` is on the board."""
        return all(0 <= at < most for at, most in zip(cell, self.size, strict=True))

    def move(self, down: int, right: int) -> None:
        """Move the cursor, but not off the board."""
        (row, column), (rows, columns) = self.cursor, self.size
        self.cursor = min(max(row + down, 0), rows - 1), min(max(column + right, 0), columns - 1)

    def play_certain(self, found: SearchResult) -> str:
        """Open the safe cells of a hint and flag the mines.

        Raises UnsafeCellError if a cell that was called safe has a mine.
        """
        before = self.covered.bit_count()
        self.play(found.safe, found.mines)
        if self.exploded & found.safe:
            raise UnsafeCellError("a cell that was called safe has a mine")
        opened = before - self.covered.bit_count()
        return f"Opened {counted(opened, 'cell')}: all were certain. {self.ended}".strip()

    def play_guess(self, found: SearchResult) -> str:
        """Open the cell ``found.guess``; return a sentence with the chance of a mine."""
        assert found.guess is not None
        assert found.chance is not None
        cell = self.cell(found.guess)
        said = f"A guess, as no cell is certain: {self.named(cell)}, a mine with"
        said += f" {percent(found.chance)}."
        if self.promised:
            said = self.begun(cell)
        self.play(0, found.mines)
        if self.flags >> found.guess & 1:
            self.flag(cell)
        self.open(cell)
        self.cursor = cell
        return f"{said} {self.ended}".strip()

    def begun(self, cell: Cell) -> str:
        """Return the sentence about the first cell, opened by convention."""
        return f"Opened {self.named(cell)} to begin."

    # What is drawn, and said.

    def drawn(self, look: Look, cell: Cell, overlay: Overlay) -> DrawnCell:
        """Return a cell with hints over it, or with all mines shown once the game is over.

        A flag is drawn as a flag whatever the hints, unless the cell is known to be safe.
        """
        index = self.index(cell)
        bit, clue = 1 << index, self.clue(cell)
        chance = overlay.chance_at(index)
        safe = bool(overlay.safe & bit) or chance == 0
        if self.over:
            if self.exploded & bit:
                return look.kind("exploded")
            if self.flags & bit:
                return look.kind("flag" if self.mines & bit else "wrong")
            if self.mines & bit:
                return look.kind("mine")
        elif clue is None and self.flags & bit:
            return look.kind("wrong" if safe else "flag")
        elif clue is None and chance is not None and not overlay.apart & bit:
            return look.chance(chance)
        elif clue is None and safe:
            return look.kind("safe")
        elif clue is None and overlay.mines & bit:
            return look.kind("certain mine")
        return look.kind("covered") if clue is None else look.clue(clue)

    def where(self, overlay: Overlay) -> str:
        """Describe the cell of the cursor, as in ``row 3, column 5: covered, flagged``."""
        index = self.index(self.cursor)
        bit, chance, clue = 1 << index, overlay.chance_at(index), self.clue(self.cursor)
        flagged = bool(self.flags & bit)
        if self.exploded & bit:
            parts = ["the mine that exploded"]
        elif clue is not None:
            parts = self.open_words(clue)
        else:
            parts = ["covered", "flagged"] if flagged else ["covered"]
            if self.over:
                parts.append("a mine" if self.mines & bit else "no mine")
            elif overlay.safe & bit or chance == 0:
                parts.append("but safe" if flagged else "safe")
            elif overlay.mines & bit or chance == 1:
                parts.append("certainly a mine")
            elif chance is not None:
                parts.append(f"a mine with {percent(chance)}")
        return f"{self.place(self.cursor)}: {', '.join(parts)}"

    @abstractmethod
    def open_words(self, clue: str) -> list[str]:
        """Return words about the cell of the cursor, which shows ``clue``."""

    def place(self, cell: Cell) -> str:
        """Return the place of a cell in words."""
        return f"row {cell[0]}, column {cell[1]}"

    def row_name(self, row: int) -> str:
        """Return the number of a row, as it stands beside the board."""
        return str(row)

    @property
    def ended(self) -> str:
        """A sentence about the end of the game; empty while the game goes on."""
        if self.status == "won":
            keys = " n plays another game." * self.keys_told
            return f"You have won: every cell without a mine is open.{keys}"
        if not self.over:
            return ""
        bits = range(self.exploded.bit_length())
        cells = [self.named(self.cell(at)) for at in bits if self.exploded >> at & 1]
        which = "a mine was" if len(cells) == 1 else "mines were"
        named = " and ".join(map(str, cells[:3]))
        keys = " u takes the move back, n plays another game." * self.keys_told
        return f"You have lost: {which} at {named}.{keys}"
