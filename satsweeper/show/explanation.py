"""An explanation in a terminal: the clues on the board, or two layouts; legible without colour."""

from rich.console import Console

from pbcnf.wording import counted
from satsweeper.answers.classification import Classification
from satsweeper.answers.explanation import Explanation
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
        print_lines(console, draw_for(console, result.grid(), marks))
        needed = "the total was needed" if reason.total else "the total was not needed"
        clues = counted(len(reason.clues), "clue")
        flags = f" and {counted(len(reason.flags), 'flag')}"
        print_lines(console, "[ ] the cell, and what forces it")
        print_lines(console, explanation.sentence)
        fewer = "" if reason.irreducible else "; fewer of these may be enough"
        print_lines(console, f"{clues}{flags if reason.flags else ''}; {needed}{fewer}.")
        return
    layouts = {"a mine": explanation.mine_layout, "safe": explanation.safe_layout}
    for verdict, layout in layouts.items():
        print_lines(console, f"a layout in which {explanation.cell} is {verdict}:")
        print_lines(console, draw_for(console, list(layout or ()), {explanation.cell}))
    print_lines(console, explanation.sentence)
