"""A rule of one's own, found by its name MODULE:NAME: every row has at most two mines."""

from collections.abc import Iterator

from satsweeper.puzzle.board import Board
from satsweeper.puzzle.constraints.protocol import Part
from satsweeper.puzzle.constraints.sums import Sum
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.session import PuzzleSession


def two_at_most(board: Board, part: Part) -> Iterator[Sum]:
    """Every row has at most two mines."""
    for row in board.geometry.rows:
        yield Sum.of(part, map(board.mine, row), (0, 1, 2))


if __name__ == "__main__":
    text = f"rules: {__name__}:two_at_most\n? ? ? ?\n? 6 ? ?\n? ? ? ?\n"
    with PuzzleSession(Puzzle.parse(text)) as session:
        print(*session.classify().grid(), sep="\n")
        for cell in [(1, 0), (0, 3)]:
            print(session.explain(cell).sentence)
