"""The window of a board holds the cursor, fits the screen, and places cells where they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsweeper.show.play.board import ODDS, ROOMY, TIGHT, fit


@given(st.data())
def test_any_window_fits_and_holds_the_cursor(data) -> None:
    rows, columns = data.draw(st.integers(1, 300)), data.draw(st.integers(1, 300))
    width, height = data.draw(st.integers(8, 200)), data.draw(st.integers(1, 60))
    before = None
    odds = data.draw(st.booleans())
    for _ in range(3):
        cursor = data.draw(st.integers(0, rows - 1)), data.draw(st.integers(0, columns - 1))
        view = fit((rows, columns), (width, height), cursor, before, odds)
        assert cursor[0] in view.down
        assert cursor[1] in view.across
        assert 0 <= view.top <= rows - view.rows
        assert 0 <= view.left <= columns - view.columns
        assert view.ruler + view.rows <= height
        wide = view.margin + view.pitch * view.columns + (view.pitch > TIGHT)
        assert wide <= width or view.columns == 1
        assert view.pitch >= (ROOMY if odds else TIGHT)
        places = {}
        for row in (view.down[0], cursor[0], view.down[-1]):
            for column in (view.across[0], cursor[1], view.across[-1]):
                x, y = view.place_of((row, column))
                assert view.cell_at(x, y) == (row, column)
                places[row, column] = x, y
        assert len(set(places.values())) == len(places)
        before = view


@pytest.mark.parametrize(
    ("board", "screen", "odds", "pitch"),
    [
        ((8, 8), (80, 21), False, ROOMY),
        ((8, 8), (80, 21), True, ODDS),
        ((16, 30), (80, 21), False, ROOMY),
        ((16, 30), (80, 21), True, ROOMY),
        ((16, 30), (120, 37), True, ODDS),
        ((21, 78), (80, 21), False, TIGHT),
        ((21, 78), (80, 21), True, ROOMY),
        ((21, 78), (165, 40), False, ROOMY),
    ],
)
def test_cells_are_as_roomy_as_fits(board, screen, odds, pitch) -> None:
    assert fit(board, screen, (0, 0), None, odds).pitch == pitch


def test_the_window_moves_no_farther_than_the_cursor_makes_it() -> None:
    view = fit((100, 100), (41, 11), (0, 0))
    assert (view.top, view.left) == (0, 0)
    moved = fit((100, 100), (41, 11), (view.rows, 3), view)
    assert (moved.top, moved.left) == (1, 0)
    assert fit((100, 100), (41, 11), (5, 5), moved).top == 1


def test_beside_the_board_there_is_no_cell() -> None:
    view = fit((8, 8), (80, 21), (0, 0))
    assert [view.cell_at(*at) for at in [(0, 3), (5, 0), (79, 3), (5, 20)]] == [None] * 4
