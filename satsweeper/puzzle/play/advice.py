"""Advice on boards with rules and geometries: certain cells, else guesses by exact chances."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from satsweeper.answers.classification import Status, Verdict
from satsweeper.count.odds import digits, fraction
from satsweeper.processes.deadline import Deadline
from satsweeper.puzzle.answers import PuzzleClassification
from satsweeper.puzzle.odds.odds import odds_of_puzzle
from satsweeper.puzzle.play.certain_game import PuzzleTimeError
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.session import PuzzleSession


@dataclass(frozen=True)
class PuzzleAdvice:
    """Cells that are certain, by number; else the covered cells with their chances, best first.

    ``choices``: cell and chance to be safe. ``layouts``: their number, None where cells are certain
    and nothing was counted. ``inconsistent``: the answer about a board without a layout; None for
    any other. ``needs_total``: no cell is certain, and a guess needs the total, which is unknown.
    """

    puzzle: Puzzle
    certain: tuple[int, ...] = ()
    choices: tuple[tuple[int, Fraction], ...] = ()
    layouts: int | None = None
    inconsistent: PuzzleClassification | None = None
    needs_total: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``advise --json`` prints."""
        names = [list(n) if isinstance(n, tuple) else n for n in self.puzzle.geometry.cells]
        return {
            "schema": "satsweeper/advise/1",
            "rows": self.puzzle.rows,
            "columns": self.puzzle.columns,
            "mines": self.puzzle.mines,
            "rules": list(self.puzzle.rules),
            "geometry": self.puzzle.geometry.name,
            "strategy": "safest",
            "layouts": None if self.layouts is None else digits(self.layouts),
            "certain": [names[cell] for cell in self.certain],
            "choices": [
                {"cell": names[cell], "safe": fraction(safe)} for cell, safe in self.choices
            ],
            **({"needs_total": True} if self.needs_total else {}),
        }


def advise_puzzle(
    puzzle: Puzzle, flags: str = "trust", timeout: float | None = None
) -> PuzzleAdvice:
    """Return the cells that are certain to be safe, else the chances of all covered cells.

    The chance to win is not looked for: the safest cell comes first.

    Raises:
        LimitError: no cell is certain and the chances take too long to count, or the time is used
            up.
        RuleError: a board that lacks what a rule needs.
    """
    deadline = Deadline.after(timeout)
    with PuzzleSession(puzzle, flags=flags) as session:
        found = session.classify(deadline.left())
    if found.status is Status.INCONSISTENT:
        return PuzzleAdvice(puzzle, inconsistent=found)
    certain = tuple(cell for cell, seen in found.by_cell.items() if seen is Verdict.SAFE)
    if certain:
        return PuzzleAdvice(puzzle, certain)
    if found.status is Status.UNDECIDED:
        raise PuzzleTimeError("not decided in time")
    if Verdict.UNKNOWN not in found.by_cell.values():
        return PuzzleAdvice(puzzle)
    if puzzle.mines is None:
        return PuzzleAdvice(puzzle, needs_total=True)
    counted = odds_of_puzzle(puzzle, flags=flags, timeout=deadline.left())
    chance = counted.by_cell
    order = sorted(chance, key=lambda cell: (chance[cell], cell))
    return PuzzleAdvice(
        puzzle, (), tuple((cell, 1 - chance[cell]) for cell in order), counted.solutions
    )
