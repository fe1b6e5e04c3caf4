"""A board of text as a position: read where that is possible, and from an array of cells if not."""

from functools import lru_cache

from satsweeper import BoardError, Position
from scripts.fuzzing.positions import Case
from scripts.fuzzing.truth import around
from scripts.fuzzing.wrong import attempt, refused, same


def position_of(case: Case) -> Position:
    """The position; a clue above the number of hidden cells beside it can only be in an array."""
    if not out_of_reach(case):
        return attempt("Position.parse(text)", lambda: Position.parse(case.text()))
    codes = {"?": -1, "F": -2}
    cells = [[codes[s] if s in codes else int(s) for s in row] for row in case.rows]
    return attempt("Position(cells, mines)", lambda: Position(cells, case.mines))


@lru_cache(maxsize=1)
def out_of_reach(case: Case) -> bool:
    """Whether a clue has fewer hidden cells beside it than it says, which every reader refuses."""
    hidden = {(r, c) for r, row in enumerate(case.rows) for c, s in enumerate(row) if s in "?F"}
    return any(
        symbol in "12345678" and int(symbol) > len(around((r, c)) & hidden)
        for r, row in enumerate(case.rows)
        for c, symbol in enumerate(row)
    )


def read(case: Case) -> None:
    """Hold the reader to the text: it is read and written back, or refused."""
    if out_of_reach(case):
        refused("Position.parse(text)", BoardError, lambda: Position.parse(case.text()))
    same("Position.text()", case.text(), position_of(case).text())
