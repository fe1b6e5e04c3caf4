"""The text of a board in its one form, as ``board.txt`` of a certificate holds it."""

from __future__ import annotations

from satsweeper.puzzle.answers import symbol
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.table import GRIDS
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.table import CLUES, LAYOUTS, OWN_LETTERS


def board_text(puzzle: Puzzle) -> str:
    """Return the board: lines ``rules``, ``geometry`` and ``mines``, then a row a line.

    Raises RuleError, naming what it is, for a board that has no certificate: one of another
    geometry than those of text files, one with regions, weights or cells that text cannot show, and
    one under rules of your own.
    """
    for letters in puzzle.rules:
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
    lines += [
        " ".join([symbol(puzzle, cell) for cell in range(start, start + puzzle.columns)])
        for start in range(0, len(puzzle.geometry), puzzle.columns)
    ]
    text = "".join([f"{line}\n" for line in lines])
    # A letter for a number (rule 2E) may be that of a flag or of a covered cell.
    if Puzzle.parse(text) != puzzle:
        raise RuleError("a clue that text takes for a flag or a covered cell has no certificate")
    return text
