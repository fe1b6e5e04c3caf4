"""Neighbourhoods and bit boards, against plain loops over single cells."""

from collections.abc import Iterable
from functools import partial

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from satsweeper.board.codes import COVERED, FLAG, PADDING
from satsweeper.board.geometry import Count, Square
from satsweeper.board.planes import (
    Planes,
    board_of,
    clues_beyond_reach,
    flat,
    greater,
    indices,
    members,
    pad,
    subtract,
    unequal,
)

Case = tuple[Square, set[tuple[int, int]]]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A grid, one row or one column included, and a set of its cells."""
    square = Square(draw(st.integers(1, 7)), draw(st.integers(1, 7)))
    return square, draw(st.sets(st.sampled_from(grid(square))))


def grid(square: Square) -> list[tuple[int, int]]:
    return [(r, c) for r in range(square.rows) for c in range(square.columns)]


def border(rows: int, columns: int) -> Case:
    cells = grid(Square(rows, columns))
    return Square(rows, columns), {
        (r, c) for r, c in cells if r in (0, rows - 1) or c in (0, columns - 1)
    }


def joined(indices: Iterable[int]) -> int:
    return sum(1 << index for index in indices)


def bits(board: int) -> set[int]:
    return {i for i in range(board.bit_length()) if board >> i & 1}


def touching(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return a != b and abs(a[0] - b[0]) <= 1 and abs(a[1] - b[1]) <= 1


def number(count: Count, index: int) -> int:
    return sum((plane >> index & 1) << k for k, plane in enumerate(count))


@given(cases())
def test_index_and_cell_are_inverse_and_leave_a_padding_column(case):
    square, _ = case
    indices = [square.index(cell) for cell in grid(square)]
    assert [square.cell(index) for index in indices] == grid(square)
    padding = {r * square.stride + square.columns for r in range(square.rows)}
    assert sorted({*indices, *padding}) == list(range(square.size))


@given(cases())
def test_neighbours_are_the_touching_cells_row_by_row(case):
    square, _ = case
    for cell in grid(square):
        found = [square.cell(i) for i in square.neighbours(square.index(cell))]
        assert found == [other for other in grid(square) if touching(cell, other)]


@given(cases())
@example((Square(1, 1), {(0, 0)}))
@example((Square(1, 7), {(0, 0), (0, 6)}))
@example((Square(7, 1), {(0, 0), (6, 0)}))
@example(border(3, 3))
@example(border(16, 30))
@example(border(1, 40))
@example(border(40, 1))
def test_count_is_the_number_of_touching_cells(case):
    square, cells = case
    count = square.count(joined(map(square.index, cells)))
    for cell in set(grid(square)) - cells:
        expected = sum(touching(cell, other) for other in cells)
        assert number(count, square.index(cell)) == expected


@given(cases())
def test_spread_is_the_cells_and_whatever_touches_them(case):
    square, cells = case
    spread = square.spread(joined(map(square.index, cells)))
    for cell in grid(square):
        expected = cell in cells or any(touching(cell, other) for other in cells)
        assert spread >> square.index(cell) & 1 == expected


@given(cases())
def test_the_neighbour_table_names_the_neighbours_and_otherwise_nothing(case):
    square, cells = case
    indices = np.array([square.index(cell) for cell in grid(square)], dtype=np.intp)
    marked = np.zeros(square.size + square.stride + 1, np.uint8)
    marked[[square.index(cell) for cell in cells]] = 1
    sums = marked[square.neighbour_table(indices)].sum(axis=1)
    assert sums.tolist() == [sum(touching(cell, o) for o in cells) for cell in grid(square)]


# -- Bit boards of a position, and arithmetic on bit-sliced numbers, against single cells.


@st.composite
def cells_of_any_kind(draw: st.DrawFn) -> NDArray[np.int8]:
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    values = st.lists(st.integers(-2, 8), min_size=rows * columns, max_size=rows * columns)
    return np.array(draw(values), np.int8).reshape(rows, columns)


NUMBERS = st.lists(st.tuples(st.integers(0, 15), st.integers(0, 15)), max_size=40)


def sliced(numbers: list[int]) -> Count:
    plane = partial(plane_of, numbers)
    return plane(0), plane(1), plane(2), plane(3)


def plane_of(numbers: list[int], k: int) -> int:
    return sum((number >> k & 1) << i for i, number in enumerate(numbers))


@given(cells_of_any_kind())
@example(np.full((1, 1), COVERED, np.int8))
@example(np.array([[8, FLAG, 0, 7]], np.int8))
@example(np.array([[8], [FLAG], [0], [7]], np.int8))
def test_planes_hold_every_cell_once_and_nothing_in_the_padding(cells):
    planes = Planes.of(pad(cells))
    square = Square(*cells.shape)
    held = {square.index((r, c)): int(v) for (r, c), v in np.ndenumerate(cells)}
    assert bits(planes.covered) == {i for i, v in held.items() if v == COVERED}
    assert bits(planes.flags) == {i for i, v in held.items() if v == FLAG}
    assert bits(planes.clues) == {i for i, v in held.items() if v >= 0}
    for index in range(square.size):
        assert number(planes.values, index) == max(held.get(index, 0), 0)


def test_pad_puts_one_padding_byte_behind_each_row():
    cells = np.array([[1, -1], [0, -2]], np.int8)
    assert pad(cells) == bytes([1, 255, PADDING, 0, 254, PADDING])
    assert pad(cells[:, ::-1]) == bytes([255, 1, PADDING, 254, 0, PADDING])


@given(st.sets(st.integers(0, 90)), st.integers(0, 20))
def test_members_and_indices_list_the_bits_in_order_and_board_of_joins_them(board, spare):
    whole = joined(board)
    # The sizes of a small board and of a large one, which is handled by arrays.
    for size in (max(board, default=0) + 1 + spare, 9_000):
        assert members(whole, size).tolist() == indices(whole, size) == sorted(board)
        assert board_of(board, size) == whole


@given(st.sets(st.integers(0, 90)))
def test_flat_has_a_one_for_each_bit(board):
    ones = flat(joined(board), 91)
    assert len(ones) >= 91
    assert set(np.flatnonzero(ones).tolist()) == board


@given(NUMBERS)
def test_greater_and_unequal_compare_every_pair(pairs):
    a, b = sliced([a for a, _ in pairs]), sliced([b for _, b in pairs])
    assert bits(greater(a, b)) == {i for i, (x, y) in enumerate(pairs) if x > y}
    assert bits(unequal(a, b)) == {i for i, (x, y) in enumerate(pairs) if x != y}


@given(NUMBERS)
def test_subtract_is_exact_modulo_16(pairs):
    a, b = sliced([a for a, _ in pairs]), sliced([b for _, b in pairs])
    difference = subtract(a, b)
    for i, (x, y) in enumerate(pairs):
        assert number(difference, i) == (x - y) % 16


@given(cells_of_any_kind())
@example(np.array([[1]], np.int8))
@example(np.array([[0]], np.int8))
@example(np.array([[2, COVERED]], np.int8))
def test_clues_beyond_reach_have_fewer_covered_and_flagged_neighbours(cells):
    square = Square(*cells.shape)
    expected = set()
    for (r, c), clue in np.ndenumerate(cells):
        window = cells[max(r - 1, 0) : r + 2, max(c - 1, 0) : c + 2]
        if clue > np.count_nonzero(window < 0):
            expected.add(square.index((r, c)))
    assert bits(clues_beyond_reach(square, Planes.of(pad(cells)))) == expected


@pytest.mark.parametrize("clue", range(9))
def test_a_clue_with_all_eight_neighbours_covered_is_never_beyond_reach(clue):
    cells = np.full((3, 3), COVERED, np.int8)
    cells[1, 1] = clue
    assert clues_beyond_reach(Square(3, 3), Planes.of(pad(cells))) == 0
