"""The file of a board in a certificate: text where text can hold the board, else JSON."""

from __future__ import annotations

from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.json_board import json_text
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.table import own_rules


def board_file(puzzle: Puzzle) -> tuple[str, str]:
    """Return the name and the content of the file that has the whole board.

    Raises RuleError, naming what it is, for a board that has no certificate: one under rules of
    your own, or with cells or a geometry that JSON cannot hold.
    """
    own = own_rules([*puzzle.rules, *[e for c in puzzle.clues.values() for e in c.kind.letters]])
    if own:
        what = "a rule of your own has no certificate: a checker has no reading of it apart from it"
        raise RuleError(f"rule {own[0]}: {what}")
    try:
        return "board.txt", puzzle.text()
    except RuleError:
        return "board.json", json_text(puzzle)
