"""Layouts and fields, against cells in a plain dictionary."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsweeper.board.codes import COVERED, FLAG
from satsweeper.board.geometry import Square
from satsweeper.board.layout import Layout, every_cell
from satsweeper.play.game import Minefield
from tests.play.cells import cells_of, clue_of, neighbours


@st.composite
def layouts(draw):
    rows, columns = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    cells = cells_of((rows, columns))
    return rows, columns, set(draw(st.lists(st.sampled_from(cells), max_size=10)))


def board(cells, square):
    return sum(1 << square.index(cell) for cell in cells)


def flooded(cells, mines, rows, columns):
    """What is open after these cells are, by the rule of the game, a cell at a time."""
    waiting, opened = [cell for cell in cells if cell not in mines], set()
    while waiting:
        cell = waiting.pop()
        if cell in opened:
            continue
        opened.add(cell)
        if not clue_of(cell, mines):
            waiting += neighbours(cell, (rows, columns))
    return opened


@given(made=layouts(), data=st.data())
def test_opening_follows_the_zeros_and_the_position_shows_it(made, data):
    rows, columns, mines = made
    square = Square(rows, columns)
    field = Minefield(Layout(square, board(mines, square)))
    every = cells_of((rows, columns))
    expected: set[tuple[int, int]] = set()
    for _ in range(2):
        chosen = set(data.draw(st.lists(st.sampled_from(every), max_size=3))) - mines
        before = set(expected)
        expected |= flooded(chosen, mines, rows, columns)
        assert field.open(board(chosen, square)) == board(expected - before, square)
    assert field.opened == board(expected, square)
    assert field.won == (len(expected) + len(mines) == rows * columns)
    position = field.position()
    assert position.mines == len(mines)
    assert field.position(total=False).mines is None
    for cell in every:
        assert position.cells[cell] == (clue_of(cell, mines) if cell in expected else COVERED)


def test_an_opened_mine_loses_and_the_other_cells_are_opened_all_the_same():
    field = Minefield(Layout(Square(1, 5), mines=0b00100))
    assert field.open(0b00110) == 0b00010
    assert field.lost
    assert field.exploded == 0b00100
    field.open(0b11011)
    assert not field.won
    with pytest.raises(ValueError, match="lost"):
        field.position()


def test_flags_are_shown_on_covered_cells_only():
    field = Minefield(Layout(Square(1, 4), mines=0b0001))
    field.open(0b0010)
    assert field.position(flags=0b0001).cells.tolist() == [[FLAG, 1, COVERED, COVERED]]
    with pytest.raises(ValueError, match="flag"):
        field.position(flags=0b0010)


def test_a_layout_counts_only_cells_of_the_grid():
    square = Square(2, 3)
    assert every_cell(square) == 0b0111_0111
    layout = Layout(square, mines=0b0001)
    assert layout.free == 0b0111_0110
    assert layout.zeros == 0b0100_0100
    with pytest.raises(ValueError, match="beside the grid"):
        Layout(square, mines=0b1000)
