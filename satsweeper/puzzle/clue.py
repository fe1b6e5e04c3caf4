"""Clues and regions: what a board shows beside its cells."""

from typing import NamedTuple

from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.rules.kind import ClueKind, clue_kind
from satsweeper.puzzle.rules.rule import Value
from satsweeper.puzzle.rules.table import CLUES, OWN_LETTERS


class Clue(NamedTuple):
    """The value of an opened cell, and the rules that give it a meaning."""

    kind: ClueKind
    value: Value

    def text(self) -> str:
        """Return the value as a board shows it, without letters."""
        return self.kind.text(self.value)


def read_clue(text: str, letters: tuple[str, ...]) -> Clue:
    """Return the clue that ``text`` shows on a board with the rules of clues ``letters``.

    Under ``#`` the text begins with the letters of its rule.

    Raises RuleError for what is no clue.
    """
    if OWN_LETTERS not in letters:
        kind = clue_kind(letters)
        return Clue(kind, kind.parse(text))
    # The longest letters of a rule with which the clue begins: 2X' comes before 2X.
    own = max((each for each in CLUES if text.startswith(each)), key=len, default="")
    if not own:
        raise RuleError(f"{text!r}: a clue begins with the letters of its rule")
    kind = clue_kind((own,))
    return Clue(kind, kind.parse(text.removeprefix(own)))


class Region(NamedTuple):
    """Some cells with a number of mines of their own: a row, a colour, a line of Hexcells.

    ``cells``: by number, in order. ``arranged``: "together" if the mines are consecutive in this
    order, "apart" if they are not; "" for anything.
    """

    name: str
    cells: tuple[int, ...]
    mines: int
    arranged: str = ""
