"""Advice: certain moves first, and exact chances to win where they can be had."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsweeper import Position
from satsweeper.count.odds import NoLayoutError
from satsweeper.play.advice import advise


def covered(rows, columns, mines):
    return Position(np.full((rows, columns), -1, np.int8), mines)


def test_certain_cells_are_all_there_is_to_say():
    # Both cells under the 1 have one mine together; the third 0 makes its neighbours free.
    advice = advise(Position.parse("2 4 1\n1???\n?F??"))
    assert advice.certain == ((0, 1), (0, 2), (0, 3), (1, 0), (1, 2), (1, 3))
    assert advice.choices == ()


def test_a_fifty_fifty_is_won_every_other_time():
    advice = advise(Position.parse("2 2 1\n1?\n1?"))
    assert [(each.cell, each.safe, each.win) for each in advice.choices] == [
        ((0, 1), Fraction(1, 2), Fraction(1, 2)),
        ((1, 1), Fraction(1, 2), Fraction(1, 2)),
    ]


@pytest.mark.parametrize(
    ("first_click", "best", "corner"),
    [
        ("none", Fraction(961, 1820), Fraction(949, 1820)),
        ("safe", Fraction(961, 1365), Fraction(949, 1365)),
        ("opening", Fraction(34, 35), Fraction(417, 495)),
    ],
)
def test_the_first_click_of_4x4_with_4_mines(first_click, best, corner):
    choices = {
        each.cell: each for each in advise(covered(4, 4, 4), first_click=first_click).choices
    }
    assert next(iter(choices.values())).win == best
    assert choices[0, 0].win == corner
    assert choices[3, 3].win == corner
    assert choices[0, 0].safe == (Fraction(3, 4) if first_click == "none" else 1)


def test_a_position_with_too_many_layouts_gets_the_cell_of_the_strategy_and_what_it_may_show():
    advice = advise(Position.parse("8 8 10\n" + "1???????\n" + "????????\n" * 7), "safest")
    best = advice.choices[0]
    assert best.win is None
    assert best.safe == max(each.safe for each in advice.choices)
    assert sum(each.chance for each in best.outlook) == pytest.approx(float(best.safe))


def test_flags_can_be_ignored():
    board = Position.parse("1 3 1\n1?F")
    with pytest.raises(NoLayoutError):
        advise(board)
    assert advise(board, flags="ignore").certain == ((0, 2),)


@pytest.mark.parametrize(
    ("board", "options", "what"),
    [
        ("1 3 1\n1??", {"first_click": "safe"}, "cells are open already"),
        ("1 3 1\n???", {"first_click": "windows"}, "not equally likely"),
        ("1 3 1\n???", {"strategy": "safset"}, "did you mean 'safest'"),
    ],
)
def test_what_cannot_be_asked_is_told_in_a_line(board, options, what):
    with pytest.raises(ValueError, match=what):
        advise(Position.parse(board), **options)


@given(data=st.data())
def test_without_a_total_what_is_free_in_every_layout_is_advised_and_nothing_else(
    small_boards, data
):
    board = data.draw(small_boards(most=9, consistent=True))._replace(total=None)
    verdicts = board.verdicts()
    advice = advise(Position(board.cells))
    assert set(advice.certain) == {cell for cell, said in verdicts.items() if said == "safe"}
    assert advice.choices == ()
    assert advice.needs_total == ("unknown" in verdicts.values() and not advice.certain)


def test_a_game_that_is_won_needs_no_advice():
    advice = advise(Position.parse("1 2 1\n1F"))
    assert advice.certain == advice.choices == ()


def test_numbers_of_any_length_are_written_and_shown():
    """A board of 22,500 covered cells has layouts by a number of more than 4300 digits."""
    advice = advise(covered(150, 150, 4_500))
    written = advice.as_json()
    assert len(written["layouts"]) > 4300
    assert written["choices"][0]["safe"] == "4/5"
    assert repr(advice) == "Advice(Position(150x150, 4500 mines), 5 choices, best (0, 0))"
    assert repr(advice.choices[0]) == "Choice((0, 0), safe 0.8000)"
