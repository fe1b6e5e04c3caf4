"""Layouts of chessboards are domino coverings, and where colours are uneven there are none."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from satsweeper import Position, Status, classify, odds
from satsweeper.answers.options import Options
from satsweeper.engines.compare import EngineProcess
from satsweeper.families.chessboard import chessboard_with_private_cells, mutilated_chessboard

POSITIONS = Path(__file__).parents[1] / "data" / "positions"


def coverings(squares: frozenset[tuple[int, int]]) -> int:
    """How many ways there are to cover the squares by dominoes, by trying."""

    @cache
    def count(left: frozenset[tuple[int, int]]) -> int:
        if not left:
            return 1
        row, column = min(left)
        found = 0
        for other in ((row, column + 1), (row + 1, column)):
            if other in left:
                found += count(left - {(row, column), other})
        return found

    return count(squares)


def whole(n: int) -> frozenset[tuple[int, int]]:
    return frozenset((i, j) for i in range(n) for j in range(n))


def test_the_boards_are_those_that_were_published() -> None:
    assert mutilated_chessboard(8) == Position.read(POSITIONS / "mutilated_8.txt")
    assert chessboard_with_private_cells(8) == Position.read(POSITIONS / "mutilated_corner_8.txt")


@pytest.mark.parametrize(("n", "known"), [(2, 2), (4, 36), (6, 6728)])
def test_layouts_are_coverings_and_both_private_cells_are_safe(n: int, known: int) -> None:
    position = chessboard_with_private_cells(n)
    assert odds(position).solutions == coverings(whole(n)) == known
    corners = {(0, 0), (2 * n, 2 * n)}
    assert corners <= set(classify(position).safe)


@pytest.mark.parametrize(
    ("n", "missing"),
    [
        (3, None),
        (4, None),
        (5, None),
        (6, None),
        (5, [(0, 1)]),
        (6, [(0, 0), (0, 2)]),
        (4, [(1, 1)]),
    ],
)
def test_without_even_colours_there_is_no_layout(
    n: int, missing: list[tuple[int, int]] | None
) -> None:
    left = whole(n) - set(missing or [(0, 0), (n - 1, n - 1)])
    assert coverings(left) == 0
    position = mutilated_chessboard(n, missing)
    assert classify(position).status is Status.INCONSISTENT
    assert len(position.clue_cells()) == len(left)


@pytest.mark.skipif(find_spec("highspy") is None, reason="an extra: pip install satsweeper[ilp]")
def test_linear_programming_refutes_what_is_far_too_large_for_search() -> None:
    with EngineProcess("ilp") as child:
        refuted = child.ask(mutilated_chessboard(30), Options())
    assert refuted.answer is not None
    assert refuted.answer.status == "inconsistent"


@pytest.mark.parametrize(
    ("n", "missing", "why"),
    [
        (4, [(0, 0), (0, 1)], "as many black squares as white ones"),
        (4, [], "as many black squares as white ones"),
        (2, None, "has no neighbour"),
        (1, None, "as many black squares as white ones"),
    ],
)
def test_what_could_be_covered_or_stands_alone_is_refused(
    n: int, missing: list[tuple[int, int]] | None, why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        mutilated_chessboard(n, missing)


@pytest.mark.parametrize("n", [0, 1, 3])
def test_private_cells_need_an_even_side(n: int) -> None:
    with pytest.raises(ValueError, match="even number"):
        chessboard_with_private_cells(n)
