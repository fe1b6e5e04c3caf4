"""The text of a board in its one form, as ``board.txt`` of a certificate holds it."""

from __future__ import annotations

from typing import Final

from satsweeper.puzzle.answers import symbol
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.table import GRIDS
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.table import CLUES, LAYOUTS, OWN_LETTERS

_WITHOUT: Final = frozenset({"HB", "HC", "HN"})
"""The rules of clues in Hexcells, which the checker does not read."""


def board_text(puzzle: Puzzle) -> str:
    """Return the board: lines ``rules``, ``geometry`` and ``mines``, then a row a line.

    Raises RuleError, naming what it is, for a board that has no certificate: one of another
    geometry than those of text files, one with regions, weights or cells that text cannot show, and
    one under rules of your own.
    """
    used = {*puzzle.rules, *[each for clue in puzzle.clues.values() for each in clue.kind.letters]}
    for letters in sorted(used):
        if letters in _WITHOUT:
            raise RuleError(f"rule {letters} has no certificate")
        if letters not in LAYOUTS and letters not in CLUES and letters != OWN_LETTERS:
            raise RuleError(f"rule {letters}: only rules of the table have certificates")
    if puzzle.geometry.name not in GRIDS:
        raise RuleError(
            f"geometry {puzzle.geometry.name!r}: certificates are of {', '.join(GRIDS)}"
        )
    for what, found in (
        ("regions", puzzle.regions),
        ("weights of mines", puzzle.weights),
        ("several mines in a cell", puzzle.capacity),
        ("opened cells without a clue", puzzle.opened),
        ("mines that are shown", puzzle.shown),
        ("dyed cells of its own", puzzle.dyed is not None),
    ):
        if found:
            raise RuleError(f"a board with {what} has no certificate")
    lines = [
        f"rules: {' '.join(puzzle.rules)}".rstrip(),
        f"geometry: {puzzle.geometry.name}",
        f"mines: {'?' if puzzle.mines is None else puzzle.mines}",
    ]
    if puzzle.columns == 1:
        # Else a row of one clue with two characters would be two cells.
        lines.append("columns: 1")
    # Under 2E the letter F is a clue.
    flags = dict.fromkeys(puzzle.flags, "!")
    texts = [flags.get(cell) or symbol(puzzle, cell) for cell in range(len(puzzle.geometry))]
    lines += [
        " ".join(texts[start : start + puzzle.columns])
        for start in range(0, len(puzzle.geometry), puzzle.columns)
    ]
    text = "".join([f"{line}\n" for line in lines])
    if Puzzle.parse(text) != puzzle:
        raise RuleError("a board of which its text does not say all has no certificate")
    return text
