"""Boards of any shape in notebooks: in characters, as a terminal shows them."""

from html import escape

from satsweeper.puzzle.answers import PuzzleClassification, PuzzleExplanation
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.show.puzzles import puzzle_text

Shown = Puzzle | PuzzleClassification | PuzzleExplanation


def svg(value: Shown) -> None:
    """Return None: a notebook then shows the text, which has every geometry."""


def html(value: Shown) -> str:
    """Return the board in characters, preformatted; all text is escaped."""
    return f"<pre>{escape(text(value))}</pre>"


def text(value: Shown) -> str:
    """Return the board of ``value`` in characters, marked cells in brackets, with what it says."""
    return puzzle_text(value)
