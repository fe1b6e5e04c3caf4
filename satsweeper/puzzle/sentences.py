"""Sentences about reasons and conflicts on boards of any shape."""

from __future__ import annotations

from collections.abc import Hashable

from pbcnf.wording import counted
from satsweeper.answers.classification import Verdict
from satsweeper.puzzle.answers import PuzzleConflict
from satsweeper.puzzle.constraints.protocol import Part
from satsweeper.puzzle.puzzle import Puzzle


def part_text(puzzle: Puzzle, part: Part) -> str:
    """Return a part of a board in words.

    >>> puzzle = Puzzle.parse("rules: C\\nmines: 3\\n1 ? ?\\n? ? ?\\n? ? 1\\n")
    >>> part_text(puzzle, Part("clue", 0)), part_text(puzzle, Part("rule", "C"))
    ('the 1 at (0, 0)', 'rule C')
    """
    cells = puzzle.geometry.cells
    match part.kind, part.key:
        case "rule", letters:
            return f"rule {letters}"
        case "clue", int(cell):
            return f"the {puzzle.clues[cell].text()} at {cells[cell]}"
        case "flag", int(cell):
            return f"the flag at {cells[cell]}"
        case "region", name:
            arranged = [each.arranged for each in puzzle.regions if each.name == name]
            return f"the total of {name}" + "".join([f" (mines {how})" for how in arranged if how])
        case "total", _:
            return f"the total of {counted(puzzle.mines or 0, 'mine')}"
    return "the order of several mines in a cell"


def parts_text(puzzle: Puzzle, found: PuzzleConflict) -> str:
    """Return the parts of a reason or conflict in words.

    >>> puzzle = Puzzle.parse("rules: C\\nmines: 3\\n1 ? ?\\n? ? ?\\n? ? 1\\n")
    >>> parts_text(puzzle, PuzzleConflict(((0, 0), (2, 2)), (), True, rules=("C",)))
    'rule C, the 1 at (0, 0), the 1 at (2, 2) and the total of 3 mines'
    """
    numbers = puzzle.geometry.numbers
    every = [Part("rule", letters) for letters in found.rules]
    every += [Part("clue", numbers[cell]) for cell in found.clues]
    every += [Part("flag", numbers[cell]) for cell in found.flags]
    every += [Part("region", name) for name in found.regions]
    if found.total:
        every.append(Part("total", ""))
    parts = [part_text(puzzle, each) for each in every]
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


def conflict_sentence(puzzle: Puzzle, found: PuzzleConflict) -> str:
    """Return a sentence about the parts of a board that clash."""
    parts = parts_text(puzzle, found)
    fewer = "" if found.irreducible else "; fewer of these may be enough"
    return f"No layout exists with {parts}{fewer}." if parts else "No layout exists."
