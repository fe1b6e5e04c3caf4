"""The odds of boards of any shape in a terminal: a map of a grid, a list of any other board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.text import Text

from satsweeper.puzzle.answers import symbol
from satsweeper.show.answers import CERTAIN, chance_words, odds_sentences, percent
from satsweeper.show.palette import STYLES, heat
from satsweeper.show.sentences import CHANCE_LEGEND
from satsweeper.show.terminal import console_for, print_lines

if TYPE_CHECKING:
    from satsweeper.puzzle.odds.odds import PuzzleOdds

_LEGEND: Final = f"{CHANCE_LEGEND}   _ opened   else a clue"


def show_puzzle_odds(
    found: PuzzleOdds, console: Console | None = None, *, every: bool = False
) -> None:
    """Print the chances of all covered cells, the safest guesses and the number of layouts.

    A grid of rows and columns has a map, in stretches of columns on a narrow terminal; ``every``
    adds a line for each covered cell. Any other board has these lines alone.
    """
    console = console or console_for()
    puzzle = found.puzzle
    grid = len(puzzle.geometry.shape) == 2
    if grid:
        texts = [symbol(puzzle, cell) for cell in range(len(puzzle.geometry))]
        width = max([2, *map(len, texts), len(str(puzzle.columns - 1))]) + 1
        margin = len(str(puzzle.rows - 1)) + 1
        # Every second row of hexagons lies half a cell to the right.
        slant = width // 2 if puzzle.geometry.name == "hexagonal" else 0
        fit = puzzle.columns
        if console.is_terminal:
            fit = max((console.width - margin - slant) // width, 1)
        for start in range(0, puzzle.columns, fit):
            across = range(start, min(start + fit, puzzle.columns))
            print_lines(console, _map(found, texts, across, (margin, width, slant)))
        print_lines(console, _LEGEND)
    print_lines(console, *odds_sentences(found))
    if every or not grid:
        cells = [
            f"{cell}: {CERTAIN.get(chance) or chance_words(chance)}"
            for cell, chance in found.mine.items()
        ]
        print_lines(console, *cells)


def _map(found: PuzzleOdds, texts: list[str], across: range, sizes: tuple[int, int, int]) -> Text:
    """Return the columns ``across``; ``sizes``: of the margin, of a cell, and of the slant."""
    margin, width, slant = sizes
    text = Text(no_wrap=True, overflow="ignore")
    text.append(" " * margin + "".join(f"{column:>{width}}" for column in across) + "\n", "dim")
    for row in range(found.puzzle.rows):
        text.append(f"{row:>{margin - 1}} " + " " * (row % 2 * slant), "dim")
        for column in across:
            cell = row * found.puzzle.columns + column
            chance = found.by_cell.get(cell)
            if chance is None:
                text.append(f"{texts[cell]:>{width}}", STYLES.get(texts[cell], "dim"))
            else:
                text.append(f"{percent(chance):>{width}}", heat(chance))
        text.append("\n")
    text.rstrip()
    return text
