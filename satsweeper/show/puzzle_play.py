"""Lines about games on boards with rules: generated boards and advice."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from pbcnf.wording import counted
from satsweeper.count.odds import fraction
from satsweeper.show.sentences import NAMED, percent

if TYPE_CHECKING:
    from collections.abc import Hashable

    from satsweeper.puzzle.play.advice import PuzzleAdvice
    from satsweeper.puzzle.play.generated import GeneratedPuzzle

_EVEN: Final = "all layouts that the rules and the first click allow are equally likely"
_NOT: Final = "layouts are not equally likely: a solver finds them, from random draws"
_MOVED: Final = "layouts are not equally likely: mines are moved where a guess would be needed"


def generated_sentence(board: GeneratedPuzzle) -> str:
    """Return the settings of a generated board, and how many moves its proof has."""
    puzzle = board.puzzle
    said = f"{board.size}, rules {' '.join(puzzle.rules) or 'V'}, {puzzle.geometry.name}"
    if board.style == "puzzle":
        said += f", {counted(len(board.given), 'clue')} at first"
    else:
        said += f", first click {_place(board.start)} ({board.first_click})"
    said += f", seed {board.seed}"
    if board.number:
        said += f", board {board.number}"
    if board.moves is None:
        return said
    total = sum(move.reason.total for move in board.moves)
    rules = sum(bool(move.reason.rules) for move in board.moves)
    needed = [f"the total is needed for {total}"] if total else []
    needed += [f"a rule of the board for {rules}"] if rules else []
    return f"{said}: no guess, {', '.join([counted(len(board.moves), 'move'), *needed])}"


def generated_lines(board: GeneratedPuzzle) -> list[str]:
    """Return the sentence, how layouts are drawn, what is open at first, and the solution."""
    from satsweeper.puzzle.play.generated import joined, solution_symbols
    from satsweeper.puzzle.text_board import text_board

    spread = _EVEN if board.uniform else _MOVED if board.changes else _NOT
    solution = joined(board.puzzle, solution_symbols(board.puzzle, board.clues))
    first = text_board(board.puzzle).splitlines()
    return [generated_sentence(board), spread, *first, "solution:", *solution]


def advice_lines(advice: PuzzleAdvice) -> list[str]:
    """Return the certain cells, or the best guess and other choices, as lines for a person."""
    names = advice.puzzle.geometry.cells
    if advice.certain:
        cells = [names[cell] for cell in advice.certain]
        rest = f" and {len(cells) - NAMED} more" if len(cells) > NAMED else ""
        return [f"Open what holds no mine: {', '.join(map(str, cells[:NAMED]))}{rest}."]
    if not advice.choices:
        return ["Nothing is left to open: the game is won."]
    (best, safe), *others = advice.choices
    lines = [f"No cell is certain. Guess {names[best]}: free with {_share(safe)}."]
    if others:
        lines.append("Instead of it:")
        lines += [f"  {names[cell]}: free with {_share(one)}" for cell, one in others[: NAMED - 1]]
    return [*lines, "The order is that of the odds; the chance to win is not known."]


def _share(share: Fraction) -> str:
    exact = fraction(share)
    return f"{exact} ({percent(share)})" if len(exact) <= 20 else percent(share)


def _place(cell: Hashable) -> str:
    return ",".join(map(str, cell)) if isinstance(cell, tuple) else str(cell)
