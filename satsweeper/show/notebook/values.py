"""Values as SVG, HTML and plain text, for notebooks and for files."""

from typing import Final

from pbcnf.show.values import shows

_BOARDS: Final = "satsweeper.show.notebook.boards"
_PUZZLES: Final = "satsweeper.show.notebook.puzzles"
_REPORTS: Final = "satsweeper.show.notebook.reports"
_TABLE: Final = {
    "satsweeper.position.Position": _BOARDS,
    "satsweeper.answers.classification.Classification": _BOARDS,
    "satsweeper.answers.classification.Explanation": _BOARDS,
    "satsweeper.count.odds.Odds": _BOARDS,
    "satsweeper.puzzle.odds.odds.PuzzleOdds": _PUZZLES,
    "satsweeper.show.picture.scene.Scene": _PUZZLES,
    "satsweeper.play.game.Game": _BOARDS,
    "satsweeper.show.picture.scene.Film": _BOARDS,
    "satsweeper.puzzle.puzzle.Puzzle": _PUZZLES,
    "satsweeper.puzzle.answers.PuzzleClassification": _PUZZLES,
    "satsweeper.puzzle.answers.PuzzleExplanation": _PUZZLES,
    "satsweeper.compare.report.findings.Findings": _REPORTS,
    "satsweeper.report.table.Table": _REPORTS,
    "satsweeper.play.simulation.run.Simulation": _REPORTS,
}


def as_svg(value: object) -> str | None:
    """The drawing of a position, puzzle, classification, explanation, odds, game, scene or film.

    The drawing fits light and dark pages. Of a large board at most 5,000 cells are drawn, those
    around marked cells, and a line of the caption says which. None for an explanation that was made
    without a board, and for a larger board of other cells than squares or with rules.

    Raises:
        TypeError: ``value`` has another type.
    """
    drawing: str | None = shows(value, _TABLE, "svg")(value)
    return drawing


def as_html(value: object) -> str:
    """The tables of a report: findings of a sweep, a simulation, or one table of either.

    All texts are escaped; the page decides about colours.

    Raises:
        TypeError: ``value`` has another type.
    """
    return str(shows(value, _TABLE, "html")(value))


def as_text(value: object) -> str:
    """Any value that ``as_svg`` or ``as_html`` takes, in characters for terminals.

    Raises:
        TypeError: ``value`` has another type.
    """
    return str(shows(value, _TABLE, "text")(value))
