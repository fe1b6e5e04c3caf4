"""Boards of any shape in notebooks: drawings of ``show/picture``, and boards in characters."""

from __future__ import annotations

from html import escape

from satsweeper.puzzle.answers import PuzzleClassification, PuzzleExplanation
from satsweeper.puzzle.odds.odds import PuzzleOdds
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.show.notebook.boards import CELLS, both_themes
from satsweeper.show.picture.puzzles import (
    classification_scene,
    draw_puzzle,
    explanation_scene,
    odds_scene,
)
from satsweeper.show.picture.scene import Film, Scene
from satsweeper.show.puzzles import puzzle_text

Shown = Puzzle | PuzzleClassification | PuzzleExplanation | PuzzleOdds | Scene


def svg(value: Shown) -> str | None:
    """Return the drawing of a board; None if more than ``CELLS`` cells would be drawn."""
    scene = _scene(value)
    cells = sum(len(row) for _, tiles in scene.boards for row in tiles)
    return both_themes(Film((scene,), (0,))) if cells <= CELLS else None


def html(value: Shown) -> str:
    """Return the board in characters, preformatted; all text is escaped."""
    return f"<pre>{escape(text(value))}</pre>"


def text(value: Shown) -> str:
    """Return the board in characters, as a terminal shows it, marked cells in brackets."""
    if isinstance(value, Puzzle | PuzzleClassification | PuzzleExplanation):
        return puzzle_text(value)
    return _scene(value).text


def _scene(value: Shown) -> Scene:
    if isinstance(value, Scene):
        return value
    if isinstance(value, Puzzle):
        return draw_puzzle(value)
    if isinstance(value, PuzzleClassification):
        return classification_scene(value)
    return explanation_scene(value) if isinstance(value, PuzzleExplanation) else odds_scene(value)
