"""Clues and regions: what a board shows beside its cells."""

from typing import NamedTuple

from satsweeper.puzzle.rules.kind import ClueKind
from satsweeper.puzzle.rules.rule import Value


class Clue(NamedTuple):
    """The value of an opened cell, and the rules that give it a meaning."""

    kind: ClueKind
    value: Value

    def text(self) -> str:
        """Return the value as a board shows it, without letters."""
        return self.kind.text(self.value)


class Region(NamedTuple):
    """Some cells with a number of mines of their own: a row, a colour, a line of Hexcells.

    ``cells``: by number, in order. ``arranged``: "together" if the mines are consecutive in this
    order, "apart" if they are not; "" for anything.
    """

    name: str
    cells: tuple[int, ...]
    mines: int
    arranged: str = ""
