"""On a lattice of clues both colours add up to the same, or there is no layout."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from satsweeper import Position
from satsweeper.families.lattice import clue_lattice, drawn_zeros, ones

Call = Callable[..., Any]


def sums(position: Position) -> tuple[int, int]:
    """Of the clues of either colour, from the board alone."""
    black = [int(position.cells[i, j]) for i, j in position.clue_cells() if (i + j) % 4 == 0]
    white = [int(position.cells[i, j]) for i, j in position.clue_cells() if (i + j) % 4 == 2]
    assert len(black) + len(white) == len(position.clue_cells())
    return sum(black), sum(white)


@pytest.mark.parametrize("n", [2, 3, 4, 7])
def test_every_layout_adds_as_much_to_black_clues_as_to_white_ones(n: int) -> None:
    side = 2 * n - 1
    squares = {(i, j): 0 for i in range(n) for j in range(n)}
    assert clue_lattice(n, squares).cells.shape == (side, side)
    for i, j in clue_lattice(n, squares).covered_cells():
        near = [(i + a, j + b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
        clues = [(a // 2, b // 2) for a, b in near if (a % 2, b % 2) == (0, 0)]
        colours = Counter(sum(square) % 2 for square in clues if square in squares)
        assert colours[0] == colours[1] > 0


@pytest.mark.parametrize("n", range(2, 9))
def test_ones_are_all_1_but_for_two_0s_and_the_colours_differ(n: int, refuted: Call) -> None:
    for position in [ones(n)] + [
        ones(n, drawn_zeros(n, seed)) for seed in range(3 if n > 2 else 0)
    ]:
        values = Counter(int(position.cells[cell]) for cell in position.clue_cells())
        assert values == {0: 2, 1: n * n - 2}
        assert not position.flag_cells()
        black, white = sums(position)
        assert white - black == (2 if n % 2 == 0 else 1)
        assert refuted(position)
        assert refuted(position, 3)
        assert refuted(position, 2) is (n % 2 == 1)


def ones_of_both_colours(n: int) -> Position:
    squares = [(i, j) for i in range(n) for j in range(n)]
    return clue_lattice(n, {(i, j): int((i, j) not in [(0, 0), (0, 1)]) for i, j in squares})


@pytest.mark.parametrize("n", [2, 3])
def test_brute_force_finds_no_layout_of_ones(n: int, brute_force: Call) -> None:
    boards = [ones(n)] + [ones(n, drawn_zeros(n, seed)) for seed in range(4 if n > 2 else 0)]
    assert [brute_force(position) for position in boards] == [0] * len(boards)
    # With a white zero more the colours agree, and a mine between two squares meets the rest.
    assert brute_force(ones_of_both_colours(2)) == 1


def test_any_zeros_out_of_balance_leave_no_layout_and_others_are_refused(loop: Call) -> None:
    random = Random(1)
    squares = [(i, j) for i in range(4) for j in range(4)]
    refused = 0
    for _ in range(30):
        zeros = random.sample(squares, random.randrange(1, 5))
        blacks = sum(sum(square) % 2 == 0 for square in zeros)
        if 2 * blacks == len(zeros):
            refused += 1
            with pytest.raises(ValueError, match="as many black 1s as white ones"):
                ones(4, zeros)
        else:
            assert not loop(ones(4, zeros)).possible()
    assert 0 < refused < 30


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("n", [3, 4, 9])
def test_drawn_zeros_are_two_black_squares_and_every_1_keeps_a_cell(n: int, seed: int) -> None:
    zeros = drawn_zeros(n, seed)
    assert zeros == drawn_zeros(n, seed)
    assert [sum(square) % 2 for square in zeros] == [0, 0]
    cells = np.pad(ones(n, zeros).cells, 1, constant_values=9)

    def near(row: int, column: int) -> Any:
        return cells[row : row + 3, column : column + 3]

    for row, column in ones(n, zeros).clue_cells():
        if cells[row + 1, column + 1] == 1:
            free = [
                (row + a - 1, column + b - 1)
                for a, b in np.argwhere(near(row, column) == -1).tolist()
            ]
            assert any(not (near(*cell) == 0).any() for cell in free)


@pytest.mark.parametrize(("n", "zeros"), [(1, None), (0, None), (3, [(0, 3)]), (3, [(-1, 0)])])
def test_squares_that_there_are_not_are_refused(n: int, zeros: Any) -> None:
    with pytest.raises(ValueError, match="n is at least 2, squares are 0 to n - 1"):
        ones(n, zeros)
    with pytest.raises(ValueError, match="at least 3"):
        drawn_zeros(2, 0)
