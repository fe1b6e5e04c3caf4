"""Bit boards of a position, and arithmetic on bit-sliced numbers, against single cells."""

from functools import partial

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from satsweeper.board.codes import COVERED, FLAG, PADDING
from satsweeper.board.geometry import Count, Square
from satsweeper.board.planes import (
    Planes,
    clues_beyond_reach,
    flat,
    greater,
    members,
    pad,
    subtract,
    unequal,
)


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


def number(count: Count, index: int) -> int:
    return sum((plane >> index & 1) << k for k, plane in enumerate(count))


def bits(board: int) -> set[int]:
    return {i for i in range(board.bit_length()) if board >> i & 1}


@settings(deadline=None)
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


@settings(deadline=None)
@given(st.sets(st.integers(0, 90)), st.integers(0, 20))
def test_members_lists_the_bits_in_order(board, spare):
    size = max(board, default=0) + 1 + spare
    assert members(sum(1 << i for i in board), size).tolist() == sorted(board)


@settings(deadline=None)
@given(st.sets(st.integers(0, 90)))
def test_flat_has_a_one_for_each_bit(board):
    ones = flat(sum(1 << i for i in board), 91)
    assert len(ones) >= 91
    assert set(np.flatnonzero(ones).tolist()) == board


@settings(deadline=None)
@given(NUMBERS)
def test_greater_and_unequal_compare_every_pair(pairs):
    a, b = sliced([a for a, _ in pairs]), sliced([b for _, b in pairs])
    assert bits(greater(a, b)) == {i for i, (x, y) in enumerate(pairs) if x > y}
    assert bits(unequal(a, b)) == {i for i, (x, y) in enumerate(pairs) if x != y}


@settings(deadline=None)
@given(NUMBERS)
def test_subtract_is_exact_modulo_16(pairs):
    a, b = sliced([a for a, _ in pairs]), sliced([b for _, b in pairs])
    difference = subtract(a, b)
    for i, (x, y) in enumerate(pairs):
        assert number(difference, i) == (x - y) % 16


@settings(deadline=None)
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
