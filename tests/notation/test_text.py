"""The text format: every accepted spelling, and the fast reader against the careful one."""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from satsweeper.board.codes import COVERED, FLAG
from satsweeper.board.planes import Planes, pad
from satsweeper.notation.error import BoardError
from satsweeper.notation.pasted import read_lines
from satsweeper.notation.text import Reading, read_regular, read_text, write_text

GRID = [[1, -1, -1], [1, 2, -1], [0, 1, -1]]


@st.composite
def boards(draw: st.DrawFn) -> NDArray[np.int8]:
    """Cells as a game shows them: mines are laid first and counted cell by cell."""
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(1, 7))
    state = st.tuples(st.booleans(), st.sampled_from(["opened", "covered", "flagged"]))
    states = draw(st.lists(state, min_size=rows * columns, max_size=rows * columns))
    mines = np.array([mine for mine, _ in states]).reshape(rows, columns)
    cells = np.full((rows, columns), COVERED, np.int8)
    for (r, c), mine in np.ndenumerate(mines):
        shown = states[r * columns + c][1]
        if mine and shown == "flagged":
            cells[r, c] = FLAG
        elif not mine and shown == "opened":
            cells[r, c] = mines[max(r - 1, 0) : r + 2, max(c - 1, 0) : c + 2].sum()
    return cells


def same(a: Reading, b: Reading) -> bool:
    return np.array_equal(a.cells, b.cells) and a.mines == b.mines and a.planes == b.planes


def outcome(read: Callable[[Any, str], Reading], data: str | bytes) -> Reading | BoardError:
    try:
        return read(data, "board")
    except BoardError as error:
        return error


@pytest.mark.parametrize(
    "text",
    [
        "1??\n12?\n01?\n",
        "1??\n12?\n01?",
        "1??\r\n12?\r\n01?\r\n",
        "\ufeff1??\n12?\n01?\n",
        "1??  \n12?\t\n01?\n",
        "1 ? ?\n1 2 ?\n0 1 ?\n",
        " 1\t?\t?\n\t1 2 ?\n0  1  ?\n",
        "\n\n1??\n\n12?\n   \n01?\n\n\n",
        "; a comment\n1??\n  ; between rows \u2713 \0\n12?\n01?\n;",
        "1#.\n12H\n01-\n",
        "# 3 rows of a known game\n# source: a book\n1??\n12?\n01?\n",
        "# rows: 3\n3 3 ?\n# legend: ? covered\n1??\n12?\n01?\n",
        "3 3 ?\n1??\n12?\n01?\n",
        "  3\t03   ?  \r\n1??\n12?\n01?\n",
        "\ufeff; comment\n\n3 3 ?\n; comment\n\n1??\n12?\n01?\n",
    ],
)
def test_spellings_of_one_board(text: str) -> None:
    for data in (text, text.encode()):
        reading = read_text(data)
        assert reading.cells.tolist() == GRID
        assert reading.cells.dtype == np.int8
        assert not reading.cells.flags.writeable
        assert reading.mines is None


def test_every_symbol_of_a_flag_and_of_a_covered_cell() -> None:
    assert read_text("?#.H-\nF!*F!\n").cells.tolist() == [[COVERED] * 5, [FLAG] * 5]


def test_every_clue_is_read_as_its_number() -> None:
    text = "0????\n???8?\n?????\n"
    assert read_text(text).cells[[0, 1], [0, 3]].tolist() == [0, 8]
    for clue in range(9):
        assert read_text(f"???\n?{clue}?\n???\n").cells[1, 1] == clue


@pytest.mark.parametrize(("total", "mines"), [("0", 0), ("9", 9), ("007", 7), ("?", None)])
def test_the_header_gives_the_total(total: str, mines: int | None) -> None:
    assert read_text(f"3 3 {total}\n???\n???\n???\n").mines == mines


def test_a_first_line_of_three_cells_is_a_row_when_no_header_fits() -> None:
    reading = read_text("1 2 1\n? ? ?\n")
    assert reading.cells.tolist() == [[1, 2, 1], [-1, -1, -1]]
    assert reading.mines is None
    assert read_text("0 0 0\n").cells.tolist() == [[0, 0, 0]]
    assert read_text("1 1 ?\n???\n???\n???\n").cells.shape == (4, 3)
    assert read_text("1 1 F\n? ? ?\n").cells.shape == (2, 3)


def test_a_first_line_that_fits_the_grid_below_is_a_header() -> None:
    assert read_text("1 2 1\n??\n").mines == 1
    assert read_text("1 3 1\n???\n").cells.shape == (1, 3)
    assert read_text("3 3 3\n? ? ?\n? ? ?\n? ? ?\n").mines == 3


@pytest.mark.parametrize("row", ["# # # 1", "# H F 1", "# HHH 1", "# ?? 1"])
def test_a_row_that_begins_like_a_remark_stays_a_row(row: str) -> None:
    below = "?" * len(row.replace(" ", ""))
    assert read_text(f"{row}\n{below}\n").cells.shape == (2, len(below))


@settings(deadline=None)
@given(boards(), st.integers(0, 3))
def test_what_is_written_is_read_back(cells: NDArray[np.int8], mines: int) -> None:
    for total in (None, min(mines, cells.size)):
        reading = read_text(write_text(cells, total))
        assert np.array_equal(reading.cells, cells)
        assert reading.mines == total
        assert reading.planes == Planes.of(pad(cells))


@pytest.mark.parametrize(
    "cells",
    [
        np.full((2, 2), 9, np.int8),
        np.full((2, 2), -3, np.int8),
        np.full((2, 2), 127, np.int8),
        np.zeros((0, 3), np.int8),
        np.zeros(4, np.int8),
        np.zeros((2, 2), np.int64),
    ],
)
def test_the_writer_refuses_what_is_not_a_position(cells: NDArray[np.int8]) -> None:
    with pytest.raises(ValueError, match=r"cells? "):
        write_text(cells, None)


@settings(deadline=None)
@given(boards(), st.booleans(), st.sampled_from(["", "; x\n", "\ufeff", "\ufeff; x\n; y\n"]))
def test_regular_text_takes_the_fast_path_and_both_paths_agree(
    cells: NDArray[np.int8], header: bool, opening: str
) -> None:
    text = write_text(cells, None)
    text = opening + (text if header else text.split("\n", 1)[1])
    for spelt in (text, text.rstrip("\n")):
        fast = read_regular(spelt.encode())
        slow = read_lines(spelt.removeprefix("\ufeff"), "board")
        assert np.array_equal(slow.cells, cells)
        assert fast is not None
        assert same(fast, slow)


PIECES = [*"01238?F9# \t\n;\0é\ud800", "\r\n"]
LINES = ["1 2 1\n", "2 2 1\n", "2 2 ?\n", "3 1 4\n", "10 10 3\n", "# a remark\n", "; a comment\n"]


@settings(max_examples=400, deadline=None)
@given(
    boards(),
    st.booleans(),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 2), st.sampled_from(PIECES)), max_size=3),
    st.lists(st.sampled_from(LINES), max_size=2),
)
@example(np.zeros((1, 3), np.int8), True, [], ["1 3 ?\n"])
def test_the_paths_agree_on_damaged_text(
    cells: NDArray[np.int8],
    header: bool,
    edits: list[tuple[int, int, str]],
    opening: list[str],
) -> None:
    text = write_text(cells, 1)
    text = "".join(opening) + (text if header else text.split("\n", 1)[1])
    for place, removed, piece in edits:
        text = text[:place] + piece + text[place + removed :]
    fast = read_regular(text.encode("utf-8", "surrogatepass"))
    slow = outcome(read_lines, text)
    both = outcome(read_text, text)
    if isinstance(slow, BoardError):
        assert fast is None
        assert isinstance(both, BoardError)
        assert str(both) == str(slow)
    else:
        assert fast is None or same(fast, slow)
        assert isinstance(both, Reading)
        assert same(both, slow)


@settings(deadline=None)
@given(st.binary(max_size=60) | st.text(max_size=40))
def test_anything_at_all_is_a_board_or_a_board_error(data: bytes | str) -> None:
    found = outcome(read_text, data)
    if isinstance(found, BoardError):
        assert str(found).isprintable()
    else:
        assert found.cells.size
        assert same(read_text(write_text(found.cells, found.mines)), found)


def test_an_error_stays_on_one_line_whatever_the_source_is_called() -> None:
    error = BoardError("a\nb\x1b[31m", 3, 4, "message")
    assert str(error) == "a\\nb\\x1b[31m:3:4: message"
    assert str(BoardError("board.txt", message="no rows")) == "board.txt: no rows"


def test_an_error_survives_pickling() -> None:
    error = pickle.loads(pickle.dumps(BoardError("board.txt", 3, 4, "message")))
    assert (error.source, error.line, error.column) == ("board.txt", 3, 4)
    assert str(error) == "board.txt:3:4: message"
