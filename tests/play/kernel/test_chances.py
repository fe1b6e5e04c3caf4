"""Chances are those of brute force over all layouts; certain is what is so in each of them."""

from fractions import Fraction
from math import exp

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from satsweeper.play.kernel.chances import NOTHING, find_chances, room_for_work
from satsweeper.play.kernel.grid import UNKNOWN, grid_of
from satsweeper.play.kernel.mix import LOG_LAYOUTS


def found(board):
    """Chances by cell, and how many layouts, as the kernel counts them; None if there is none."""
    rows, columns = board.cells.shape
    work, chances = room_for_work(rows * columns), np.zeros(rows * columns)
    cells = np.ascontiguousarray(board.cells).reshape(-1)
    done = find_chances(grid_of(rows, columns), cells, board.total, work, chances)
    assert done >= 0
    return (chances.reshape(rows, columns), exp(work.mixed.sums[LOG_LAYOUTS])) if done else None


@given(st.data())
@settings(max_examples=300)
def test_chances_are_shares_of_all_layouts(small_boards, data):
    board = data.draw(small_boards())
    assume(board.total is not None)
    layouts = list(board.layouts())
    answer = found(board)
    assert (answer is not None) == bool(layouts)
    if answer is None:
        return
    chances, number = answer
    assert number == pytest.approx(len(layouts), rel=1e-12)
    for cell, code in np.ndenumerate(board.cells):
        if code != UNKNOWN:
            assert chances[cell] == NOTHING
            continue
        share = Fraction(sum(cell in mines for mines in layouts), len(layouts))
        assert chances[cell] == pytest.approx(float(share), rel=1e-12)
        assert (chances[cell] == 0.0) == (share == 0)
        assert (chances[cell] == 1.0) == (share == 1)


def test_a_chance_that_is_tiny_is_no_certainty():
    # One 1 in a corner of a large board: its three cells hold one mine, whatever the rest does;
    # with as many mines as cells but one, the interior has one free cell among hundreds.
    rows, columns = 20, 20
    cells = np.full((rows, columns), UNKNOWN, np.int8)
    cells[0, 0] = 1
    work, chances = room_for_work(400), np.zeros(400)
    find_chances(grid_of(rows, columns), cells.reshape(-1), 396, work, chances)
    assert chances[1] == pytest.approx(1 / 3)
    assert chances[399] == pytest.approx(395 / 396)
    assert chances[399] < 1.0
