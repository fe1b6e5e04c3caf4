"""Boards of any shape in notebooks: in characters, as a terminal shows them."""

from html import escape

from satsweeper.puzzle.answers import PuzzleClassification, PuzzleExplanation, symbol
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.show.puzzles import (
    classification_lines,
    draw_puzzle,
    explanation_lines,
    heading,
    legend,
)

Shown = Puzzle | PuzzleClassification | PuzzleExplanation


def svg(value: Shown) -> None:
    """Return None: a notebook then shows the text, which has every geometry."""


def html(value: Shown) -> str:
    """Return the board in characters, preformatted; all text is escaped."""
    return f"<pre>{escape(text(value))}</pre>"


def text(value: Shown) -> str:
    """Return the board of ``value`` in characters, marked cells in brackets, with what it says."""
    if isinstance(value, PuzzleClassification):
        lines = [*classification_lines(value, styled=False)]
    elif isinstance(value, PuzzleExplanation):
        lines = [*explanation_lines(value, styled=False)]
    else:
        symbols = [symbol(value, cell) for cell in range(len(value.geometry))]
        lines = [*heading(value), draw_puzzle(value, symbols, styled=False)]
        if value.geometry.shape:
            lines.append(legend({*symbols}))
    return "\n".join(map(str, lines))
