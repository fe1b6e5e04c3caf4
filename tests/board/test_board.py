"""Sizes, neighbourhoods, bit boards and facts, against plain loops over single cells."""

import re
from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from satsweeper import Position
from satsweeper.board.codes import COVERED, FLAG, PADDING
from satsweeper.board.facts import Facts, Window, WrongModelError, check_layout
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
from satsweeper.board.size import FORM, BoardSize, size_text

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
def test_indices_leave_a_padding_column_and_neighbours_are_the_touching_cells_row_by_row(case):
    square, _ = case
    indices = [square.index(cell) for cell in grid(square)]
    assert [square.cell(index) for index in indices] == grid(square)
    padding = {r * square.stride + square.columns for r in range(square.rows)}
    assert sorted({*indices, *padding}) == list(range(square.size))
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
def test_count_spread_and_the_neighbour_table_are_of_the_touching_cells(case):
    square, cells = case
    marked = joined(map(square.index, cells))
    near = {cell: sum(touching(cell, other) for other in cells) for cell in grid(square)}
    count, spread = square.count(marked), square.spread(marked)
    for cell, index in zip(near, map(square.index, near), strict=True):
        assert spread >> index & 1 == (cell in cells or near[cell] > 0)
        assert cell in cells or number(count, index) == near[cell]
    ones = np.zeros(square.size + square.stride + 1, np.uint8)
    ones[[square.index(cell) for cell in cells]] = 1
    table = square.neighbour_table(np.array([*map(square.index, near)], dtype=np.intp))
    assert ones[table].sum(axis=1).tolist() == list(near.values())


# -- Bit boards of a position, and arithmetic on bit-sliced numbers, against single cells.


@st.composite
def cells_of_any_kind(draw: st.DrawFn) -> NDArray[np.int8]:
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    values = st.lists(st.integers(-2, 8), min_size=rows * columns, max_size=rows * columns)
    return np.array(draw(values), np.int8).reshape(rows, columns)


NUMBERS = st.lists(st.tuples(st.integers(0, 15), st.integers(0, 15)), max_size=40)


def sliced(numbers: list[int]) -> Any:
    planes = (sum((n >> k & 1) << i for i, n in enumerate(numbers)) for k in range(4))
    return tuple(planes)


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
def test_members_indices_and_flat_list_the_bits_and_board_of_joins_them(board, spare):
    whole = joined(board)
    # The sizes of a small board and of a large one, which is handled by arrays.
    for size in (max(board, default=0) + 1 + spare, 9_000):
        assert members(whole, size).tolist() == indices(whole, size) == sorted(board)
        assert board_of(board, size) == whole
    ones = flat(whole, 91)
    assert len(ones) >= 91
    assert set(np.flatnonzero(ones).tolist()) == board


@given(NUMBERS)
def test_greater_and_unequal_compare_every_pair_and_subtract_is_exact_modulo_16(pairs):
    a, b = sliced([a for a, _ in pairs]), sliced([b for _, b in pairs])
    assert bits(greater(a, b)) == {i for i, (x, y) in enumerate(pairs) if x > y}
    assert bits(unequal(a, b)) == {i for i, (x, y) in enumerate(pairs) if x != y}
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
    beyond = clues_beyond_reach(pad(cells), square.stride)
    assert {bit >> 3 for bit in bits(beyond)} == expected


@pytest.mark.parametrize("clue", range(9))
def test_a_clue_with_all_eight_neighbours_covered_is_never_beyond_reach(clue):
    cells = np.full((3, 3), COVERED, np.int8)
    cells[1, 1] = clue
    assert clues_beyond_reach(pad(cells), 4) == 0


def facts_of(position: Position) -> Facts:
    planes = position.planes
    return Facts(position.geometry, planes.clues, planes.values, planes.covered, planes.flags)


def test_an_opened_cell_is_a_clue_and_no_longer_open_and_no_mine_even_where_one_was_proved():
    for text, cell, clues in (("1??\nF2?", (0, 2), [5]), ("???\n???\n???", (1, 1), range(9))):
        position = Position.parse(text)
        for clue in clues:
            opened = facts_of(position).opened(position.geometry.index(cell), clue)
            assert opened == facts_of(position.with_clue(cell, clue))
    opened = facts_of(Position.parse("???")).decided(safe=0, mines=2).opened(1, 0)
    assert (opened.clues, opened.undecided, opened.mines) == (2, 1 | 4, 0)


def test_decided_cells_are_undecided_no_more_and_mines_are_kept():
    facts = facts_of(Position.parse("??F")).decided(safe=1, mines=2)
    assert (facts.undecided, facts.mines) == (0, 2 | 4)


@settings(max_examples=150)
@given(st.data(), st.booleans())
def test_a_layout_is_taken_if_and_only_if_brute_force_has_it(small_boards, data, wide):
    board = data.draw(small_boards())
    if wide:
        # A board so large that only a window of it is checked.
        cells = np.full((board.cells.shape[0], 21_000), -1, np.int8)
        at = data.draw(st.sampled_from([0, 7_000, 21_000 - board.cells.shape[1]]))
        cells[:, at : at + board.cells.shape[1]] = board.cells
        position = Position(cells)
        # The cells next to the block are free: they are left without mines.
    else:
        position, at = Position(board.cells), 0
    facts = facts_of(position)
    hidden = board.at(-1)
    mines = data.draw(st.sets(st.sampled_from(hidden))) if hidden else set()
    right = frozenset({*mines, *board.at(-2)}) in set(board.layouts(total=False))
    index = position.geometry.index
    indices = [index((row, column + at)) for row, column in mines]
    if hidden:
        around = [index((row, column + at)) for row, column in hidden]
        near = [c for c in board.clues() if any(touching(c, cell) for cell in hidden)]
        window = Window.around(facts, around)
        layout = frozenset({*mines, *board.at(-2)})
        meets = layout in set(board.layouts(clues=near, total=False))
        assert passes(lambda: window.check(indices)) is meets
    assert passes(lambda: check_layout(facts, indices, None)) is right


def passes(check) -> bool:
    try:
        check()
    except WrongModelError:
        return False
    return True


def test_a_layout_with_another_number_of_mines_is_refused():
    position = Position.parse("1??\n???")
    facts = facts_of(position)
    mines = [position.geometry.index(cell) for cell in ((0, 1), (1, 2))]
    assert check_layout(facts, mines, None) == check_layout(facts, mines, 2) == joined(mines)
    for total in (1, 3):
        with pytest.raises(WrongModelError):
            check_layout(facts, mines, total)


@pytest.mark.parametrize("flag", [(0, 0), (0, 4), (4, 0), (4, 4)])
def test_a_flag_in_the_corner_of_a_window_counts(flag):
    cells = np.full((5, 21_000), COVERED, np.int8)
    clue = (flag[0] + 2) // 2, (flag[1] + 2) // 2
    cells[flag] = FLAG
    for number, right in ((2, True), (1, False)):
        cells[clue] = number
        facts = facts_of(Position(cells))
        middle = facts.geometry.index((2, 2))
        assert passes(partial(Window.around(facts, [middle]).check, [middle])) is right


def test_a_wrong_layout_is_reported_at_its_clue():
    facts = facts_of(Position.parse("???\n?2?\n???"))
    with pytest.raises(WrongModelError, match=r"\(1, 1\)"):
        Window.around(facts, [0]).check([0])


@given(st.integers(1, 999), st.integers(1, 999), st.data())
def test_what_is_written_is_read_again(rows, columns, data):
    size = BoardSize(rows, columns, data.draw(st.integers(0, rows * columns)))
    assert BoardSize.parse(str(size)) == size
    assert str(size) == f"{columns}x{rows}/{size.mines}"
    assert size_text(rows, columns) == str(size).partition("/")[0]


def test_mines_may_be_a_share_of_the_cells():
    assert BoardSize.parse("30x16/20.5%") == BoardSize(16, 30, 98)
    assert BoardSize.parse("3x2/0%") == BoardSize(2, 3, 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [("30x16", f"{FORM} is needed, as 30x16/99"), ("30X16/99", "is needed"),
     ("30x16/-1", "is needed"), ("\u0663\u0660x16/99", "is needed"), ("30x16/99/1", "is needed"),
     ("0x16/0", "at least one column and one row"),
     ("3x3/10", "more mines than cells, 10 and 9"),
     ("30x16/101%", "more mines than cells, 485 and 480"),
     ("99999x99999/1", "its cells are 9999800001, the limit is")],
)  # fmt: skip
def test_what_is_no_size_is_one_line(text, message):
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        BoardSize.parse(text)
    assert str(caught.value).startswith(f"board {text!r}: ")
