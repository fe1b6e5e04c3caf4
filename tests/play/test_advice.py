"""Strategies asked about a position see what a player may conclude; advice has exact chances."""

from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given

from satsweeper import Position
from satsweeper.count.odds import NoLayoutError, odds
from satsweeper.play.advice import advise
from satsweeper.play.playing import TooWideError, guess_at, view_at
from tests.boards import COVERED, FLAG, boards
from tests.play.cells import all_layouts, open_some


def covered(rows, columns, mines):
    return Position(np.full((rows, columns), -1, np.int8), mines)


def test_certain_cells_are_all_there_is_to_say_and_a_game_that_is_won_needs_no_advice():
    # Both cells under the 1 have one mine together; the third 0 makes its neighbours free.
    advice = advise(Position.parse("2 4 1\n1???\n?F??"))
    assert advice.certain == ((0, 1), (0, 2), (0, 3), (1, 0), (1, 2), (1, 3))
    won = advise(Position.parse("1 2 1\n1F"))
    assert advice.choices == won.certain == won.choices == ()


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
    first, *others = advise(covered(4, 4, 4), first_click=first_click).choices
    choices = {each.cell: each for each in (first, *others)}
    assert (first.win, choices[0, 0].win, choices[3, 3].win) == (best, corner, corner)
    assert choices[0, 0].safe == (Fraction(3, 4) if first_click == "none" else 1)


def test_a_position_with_too_many_layouts_gets_the_cell_of_the_strategy_and_what_it_may_show():
    advice = advise(Position.parse("8 8 10\n" + "1???????\n" + "????????\n" * 7), "safest")
    best = advice.choices[0]
    assert (best.win, best.safe) == (None, max(each.safe for each in advice.choices))
    assert sum(each.chance for each in best.outlook) == pytest.approx(float(best.safe))


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


@given(boards(most=9, consistent=True))
def test_without_a_total_what_is_free_in_every_layout_is_advised_and_nothing_else(board):
    verdicts = board._replace(total=None).verdicts()
    advice = advise(Position(board.cells))
    assert set(advice.certain) == {cell for cell, said in verdicts.items() if said == "safe"}
    assert advice.choices == ()
    assert advice.needs_total == ("unknown" in verdicts.values() and not advice.certain)


def test_numbers_of_any_length_are_written_and_shown():
    """A board of 22,500 covered cells has layouts by a number of more than 4300 digits."""
    advice = advise(covered(150, 150, 4_500))
    written = advice.as_json()
    assert len(written["layouts"]) > 4300
    assert written["choices"][0]["safe"] == "4/5"
    assert repr(advice) == "Advice(Position(150x150, 4500 mines), 5 choices, best (0, 0))"
    assert repr(advice.choices[0]) == "Choice((0, 0), safe 0.8000)"


def test_a_view_shows_the_chances_of_all_layouts():
    random = Random(5)
    for _ in range(20):
        cells, total = open_some(3, 4, random)
        layouts = all_layouts(cells, total)
        position = Position(cells, total)
        with view_at(position, odds(position)) as view:
            for cell in layouts[0]:
                share = sum(layout[cell] == "*" for layout in layouts) / len(layouts)
                if 0 < share < 1:
                    assert view.chance(cell) == pytest.approx(share)
                    assert cell in view.covered
                else:
                    assert cell not in view.covered


def test_flags_are_trusted_or_ignored_and_without_the_total_there_is_no_view():
    seen = []

    def first(view):
        seen.append(view.covered)
        return view.covered[0]

    board = Position.parse("1 3 1\n1?F")
    for asked in (advise, lambda board: guess_at(board, first)):
        with pytest.raises(NoLayoutError):
            asked(board)
    assert advise(board, flags="ignore").certain == ((0, 2),)
    position = Position.parse("2 2 1\n1?\n1F")
    assert guess_at(position, first, flags="ignore") == ((0, 1), Fraction(1, 2))
    assert seen == [[(0, 1), (1, 1)]]
    with pytest.raises(ValueError, match="a view needs the total"):
        guess_at(Position.parse("1?\n1?"), first)


def dominoes(points):
    """Points of a square lattice are clues; the cell between two may hold a mine, one a point."""
    size = 2 * points + 1
    odd = range(1, size, 2)
    cells = np.full((size, size), FLAG, np.int8)
    cells[1:-1:2, 2:-2:2] = cells[2:-2:2, 1:-1:2] = COVERED
    total = int((cells == FLAG).sum()) - points**2 + points**2 // 2
    for r, c in product(odd, odd):
        # The clue itself, a flag until now, stands for the one mine.
        cells[r, c] = (cells[r - 1 : r + 2, c - 1 : c + 2] == FLAG).sum()
    return Position(cells, total)


def test_what_is_too_wide_for_a_strategy_is_advised_by_the_odds():
    """Every clue wants one mine beside it; a sweep has fourteen and more of them open at once."""
    position = dominoes(14)
    with pytest.raises(TooWideError, match="too wide"):
        guess_at(position, lambda view: view.covered[0])
    advice = advise(position)
    assert (advice.strategy, advice.certain) == ("safest", ())
    chances = odds(position).mine
    safest = sorted((1 - chance for chance in chances.values()), reverse=True)
    assert [each.safe for each in advice.choices] == safest[: len(advice.choices)]
    assert {each.win for each in advice.choices} == {None}


def test_a_large_board_needs_no_room_for_trees_that_are_not_there():
    """As much room as for every depth of a tree over all cells would be gigabytes."""
    best = advise(covered(100, 100, 1400).with_clue((0, 0), 1)).choices[0]
    # A cell far from the clue, as safe as the interior is.
    assert 0 < best.safe < 1
    assert best.win is None
