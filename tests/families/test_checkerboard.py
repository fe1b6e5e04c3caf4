"""Checkerboards show every safe cell of one colour, and nothing of the other."""

import pytest

from satsweeper import Status, classify
from satsweeper.families.chessboard import checkerboard


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n", [1, 2, 7, 12])
def test_the_position_is_consistent_and_only_one_colour_is_open(n: int, seed: int) -> None:
    position = checkerboard(n, seed=seed, total=True)
    assert position.mines == round(0.3 * n * n)
    assert all((row + column) % 2 == 0 for row, column in position.clue_cells())
    answer = classify(position)
    assert answer.status is Status.CONSISTENT
    # What is covered of the open colour is a mine in the layout that was drawn.
    drawn = {cell for cell in position.covered_cells() if sum(cell) % 2 == 0}
    assert not drawn & set(answer.safe)
    assert len(drawn) + len(position.clue_cells()) == (n * n + 1) // 2


@pytest.mark.parametrize(("share", "clues"), [(0.0, 13), (1.0, 0)])
def test_all_or_none_are_mines(share: float, clues: int) -> None:
    position = checkerboard(5, share)
    assert len(position.clue_cells()) == clues
    assert classify(position).status is Status.CONSISTENT


@pytest.mark.parametrize(("n", "share"), [(0, 0.3), (3, -0.1), (3, 1.1)])
def test_bad_arguments_are_refused(n: int, share: float) -> None:
    with pytest.raises(ValueError, match="at least 1, and 0 to 1"):
        checkerboard(n, share)
