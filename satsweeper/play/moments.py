"""A game as it is told: what is open after each move, and whether that was certain or a guess."""

from dataclasses import dataclass
from fractions import Fraction

from pbcnf.wording import counted
from satsweeper.board.codes import Cell
from satsweeper.board.layout import Layout


@dataclass(frozen=True)
class Moment:
    """How a game stands after a move; sets of cells are bit boards.

    ``mines`` are marked as proved, ``flags`` are the player's, ``hit`` are mines that were opened.
    ``fresh``: what the move changed. ``guess``: the cell, if the move was one. ``said``: the move
    in words. ``guesses``: so far.
    """

    layout: Layout
    opened: int
    mines: int
    flags: int
    hit: int
    fresh: int
    guess: Cell | None
    said: str
    guesses: int

    @property
    def mines_left(self) -> int:
        """The total less what is marked or was opened."""
        marked = self.mines | self.flags | self.hit
        return self.layout.mines.bit_count() - marked.bit_count()


def chance_said(chance: Fraction) -> str:
    """The chance of a mine in words; what is not certain never looks as if it were.

    >>> chance_said(Fraction(1, 3)), chance_said(Fraction(1, 10**6))
    ('a mine with 33.3 %', 'a mine with less than 0.1 %')
    """
    if chance < Fraction(1, 1000):
        return "a mine with less than 0.1 %"
    if chance > Fraction(999, 1000):
        return "a mine with more than 99.9 %"
    return f"a mine with {float(100 * chance):.1f} %"


def ended(won: bool, guesses: int, hits: int) -> str:
    """How a game came out, in a sentence; of one that went on after mines, how many they were."""
    made = "no guess" if not guesses else "1 guess" if guesses == 1 else f"{guesses} guesses"
    if not won:
        return f"Lost, with {made}."
    if hits:
        return f"All is open, with {made} and {counted(hits, 'mine')} hit."
    return f"Won, with {made}."
