"""Neighbourhoods and bit-board counting against plain loops over single cells."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from satsweeper.board.geometry import Count, Square

Case = tuple[Square, set[tuple[int, int]]]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A grid, one row or one column included, and a set of its cells."""
    square = Square(draw(st.integers(1, 7)), draw(st.integers(1, 7)))
    return square, draw(st.sets(st.sampled_from(grid(square))))


def grid(square: Square) -> list[tuple[int, int]]:
    return [(r, c) for r in range(square.rows) for c in range(square.columns)]


def touching(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return a != b and abs(a[0] - b[0]) <= 1 and abs(a[1] - b[1]) <= 1


def board_of(square: Square, cells: set[tuple[int, int]]) -> int:
    return sum(1 << square.index(cell) for cell in cells)


def number(count: Count, index: int) -> int:
    return sum((plane >> index & 1) << k for k, plane in enumerate(count))


@settings(deadline=None)
@given(cases())
def test_index_and_cell_are_inverse_and_leave_a_padding_column(case):
    square, _ = case
    indices = [square.index(cell) for cell in grid(square)]
    assert [square.cell(index) for index in indices] == grid(square)
    padding = {r * square.stride + square.columns for r in range(square.rows)}
    assert sorted({*indices, *padding}) == list(range(square.size))


@settings(deadline=None)
@given(cases())
def test_neighbours_are_the_touching_cells_row_by_row(case):
    square, _ = case
    for cell in grid(square):
        found = [square.cell(i) for i in square.neighbours(square.index(cell))]
        assert found == [other for other in grid(square) if touching(cell, other)]


@settings(deadline=None)
@given(cases())
@example((Square(1, 1), {(0, 0)}))
@example((Square(1, 7), {(0, 0), (0, 6)}))
@example((Square(7, 1), {(0, 0), (6, 0)}))
@example((Square(3, 3), {(r, c) for r in range(3) for c in range(3)} - {(1, 1)}))
def test_count_is_the_number_of_touching_cells(case):
    square, cells = case
    count = square.count(board_of(square, cells))
    for cell in set(grid(square)) - cells:
        expected = sum(touching(cell, other) for other in cells)
        assert number(count, square.index(cell)) == expected


@settings(deadline=None)
@given(cases())
def test_spread_is_the_cells_and_whatever_touches_them(case):
    square, cells = case
    spread = square.spread(board_of(square, cells))
    for cell in grid(square):
        expected = cell in cells or any(touching(cell, other) for other in cells)
        assert spread >> square.index(cell) & 1 == expected


@settings(deadline=None)
@given(cases())
def test_the_neighbour_table_names_the_neighbours_and_otherwise_nothing(case):
    square, cells = case
    indices = np.array([square.index(cell) for cell in grid(square)], dtype=np.intp)
    marked = np.zeros(square.size + square.stride + 1, np.uint8)
    marked[[square.index(cell) for cell in cells]] = 1
    sums = marked[square.neighbour_table(indices)].sum(axis=1)
    assert sums.tolist() == [sum(touching(cell, o) for o in cells) for cell in grid(square)]


@pytest.mark.parametrize(("rows", "columns"), [(16, 30), (1, 40), (40, 1)])
def test_a_full_border_of_a_large_grid_is_counted_at_every_inner_cell(rows, columns):
    square = Square(rows, columns)
    border = {(r, c) for r, c in grid(square) if r in (0, rows - 1) or c in (0, columns - 1)}
    count = square.count(board_of(square, border))
    for cell in set(grid(square)) - border:
        expected = sum(touching(cell, other) for other in border)
        assert number(count, square.index(cell)) == expected
