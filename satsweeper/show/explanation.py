"""An explanation in a terminal: the clues on the board, or two layouts; legible without colour."""

from rich.console import Console

from satsweeper.answers.classification import Classification, Verdict
from satsweeper.answers.explanation import Explanation
from satsweeper.board.codes import Cell
from satsweeper.show.terminal import console_for, draw_for, print_lines


def show_explanation(
    explanation: Explanation, result: Classification, console: Console | None = None
) -> None:
    """Print the reason for a verdict, with the cell and its clues in brackets on the board.

    Args:
        explanation: what to show.
        result: the classification of the same position.
    """
    console = console or console_for()
    reason = explanation.reason
    if reason is not None:
        marks = {explanation.cell, *reason.clues, *reason.flags}
        _board(console, result.grid(), marks)
        needed = "the total was needed" if reason.total else "the total was not needed"
        clues = f"{len(reason.clues)} clue{'s' * (len(reason.clues) != 1)}"
        flags = f" and {len(reason.flags)} flag{'s' * (len(reason.flags) != 1)}"
        print_lines(console, "[ ] the cell, and what forces it")
        print_lines(console, explanation.sentence)
        fewer = "" if reason.irreducible else "; fewer of these may be enough"
        print_lines(console, f"{clues}{flags if reason.flags else ''}; {needed}{fewer}.")
        return
    for verdict, layout in (
        (Verdict.MINE, explanation.mine_layout),
        (Verdict.SAFE, explanation.safe_layout),
    ):
        print_lines(console, f"a layout in which {explanation.cell} is {_noun(verdict)}:")
        _board(console, list(layout or ()), {explanation.cell})
    print_lines(console, explanation.sentence)


def _noun(verdict: Verdict) -> str:
    return "a mine" if verdict is Verdict.MINE else "safe"


def _board(console: Console, rows: list[str], marks: set[Cell]) -> None:
    print_lines(console, draw_for(console, rows, marks))
