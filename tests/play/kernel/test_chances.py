"""Chances are those of brute force over all layouts; certain is what is so in each of them."""

from fractions import Fraction
from math import exp

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from satsweeper.play.kernel.chances import LOG_LAYOUTS, NOTHING
from satsweeper.play.kernel.grid import DONE, IMPOSSIBLE, UNKNOWN


@given(st.data())
@settings(max_examples=300)
def test_chances_are_shares_of_all_layouts(small_boards, counted, data):
    board = data.draw(small_boards())
    assume(board.total is not None)
    layouts = list(board.layouts())
    found = counted(board.cells, board.total)
    assert found.done == (DONE if layouts else IMPOSSIBLE)
    if not layouts:
        return
    chances = found.chances.reshape(board.cells.shape)
    number = exp(found.work.mixed.sums[LOG_LAYOUTS])
    assert number == pytest.approx(len(layouts), rel=1e-12)
    for cell, code in np.ndenumerate(board.cells):
        if code != UNKNOWN:
            assert chances[cell] == NOTHING
            continue
        share = Fraction(sum(cell in mines for mines in layouts), len(layouts))
        assert chances[cell] == pytest.approx(float(share), rel=1e-12)
        assert (chances[cell] == 0.0) == (share == 0)
        assert (chances[cell] == 1.0) == (share == 1)


def test_a_chance_that_is_tiny_is_no_certainty(counted):
    # One 1 in a corner of a large board: its three cells hold one mine, whatever the rest does;
    # with as many mines as cells but one, the interior has one free cell among hundreds.
    cells = np.full((20, 20), UNKNOWN, np.int8)
    cells[0, 0] = 1
    chances = counted(cells, 396).chances
    assert chances[1] == pytest.approx(1 / 3)
    assert chances[399] == pytest.approx(395 / 396)
    assert chances[399] < 1.0
