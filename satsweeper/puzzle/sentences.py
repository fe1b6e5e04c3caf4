"""Sentences about reasons and conflicts on boards of any shape."""

from __future__ import annotations

from collections.abc import Hashable

from pbcnf.wording import counted
from satsweeper.answers.classification import Verdict
from satsweeper.puzzle.answers import PuzzleConflict
from satsweeper.puzzle.puzzle import Puzzle


def parts_text(puzzle: Puzzle, found: PuzzleConflict) -> str:
    """Return the parts of a reason or conflict in words.

    >>> puzzle = Puzzle.parse("rules: C\\nmines: 3\\n1 ? ?\\n? ? ?\\n? ? 1\\n")
    >>> parts_text(puzzle, PuzzleConflict(((0, 0), (2, 2)), (), True, rules=("C",)))
    'rule C, the 1 at (0, 0), the 1 at (2, 2) and the total of 3 mines'
    """
    parts = [f"rule {letters}" for letters in found.rules]
    for cell in found.clues:
        clue = puzzle.clues[puzzle.geometry.numbers[cell]]
        parts.append(f"the {clue.text()} at {cell}")
    parts += [f"the flag at {cell}" for cell in found.flags]
    parts += [f"the total of {name}" for name in found.regions]
    if found.total:
        parts.append(f"the total of {counted(puzzle.mines or 0, 'mine')}")
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def reason_sentence(
    puzzle: Puzzle, cell: Hashable, verdict: Verdict, reason: PuzzleConflict
) -> str:
    """Return why a cell is safe or a mine."""
    noun = "a mine" if verdict is Verdict.MINE else "safe"
    parts = parts_text(puzzle, reason)
    because = f"with {parts}" if parts else "by the opened cells alone"
    return f"{cell} is {noun} in every layout {because}."


def unknown_sentence(cell: Hashable) -> str:
    """Return a sentence about a cell without a certain verdict."""
    return f"{cell} is a mine in some layouts and safe in others."


def conflict_sentence(puzzle: Puzzle, found: PuzzleConflict) -> str:
    """Return a sentence about the parts of a board that clash."""
    parts = parts_text(puzzle, found)
    fewer = "" if found.irreducible else "; fewer of these may be enough"
    return f"No layout exists with {parts}{fewer}." if parts else "No layout exists."
