"""Positions are checked, read-only values that can be read, written and opened cell by cell."""

import io
import pickle
import sys
from dataclasses import FrozenInstanceError
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from satsweeper.board.geometry import Square
from satsweeper.board.planes import Planes, clues_beyond_reach, pad
from satsweeper.notation.error import BoardError
from satsweeper.position import Position
from tests.commands import EXAMPLES

POSITIONS = Path(__file__).parent / "data" / "positions"
TEXT = "3 3 3\n1?F\n12?\n01?\n"


def arrays() -> st.SearchStrategy[NDArray[np.int8]]:
    row = st.lists(st.integers(-2, 8), min_size=4, max_size=4)
    return st.lists(row, min_size=1, max_size=4).map(lambda rows: np.array(rows, np.int8))


@given(arrays(), st.none() | st.integers(0, 4))
def test_a_position_is_the_cells_and_the_total_it_was_given(
    cells: NDArray[np.int8], mines: int | None
) -> None:
    position = Position(cells, mines)
    assert np.array_equal(position.cells, cells)
    assert (position.rows, position.columns) == cells.shape
    assert position.mines == mines
    assert position.geometry == Square(*cells.shape)
    assert position.planes == Planes.of(pad(cells))
    every = [(r, c) for r in range(len(cells)) for c in range(4)]
    assert position.clue_cells() == [cell for cell in every if cells[cell] >= 0]
    assert position.covered_cells() == [cell for cell in every if cells[cell] == -1]
    assert position.flag_cells() == [cell for cell in every if cells[cell] == -2]


def test_the_array_given_is_copied_and_the_array_held_is_read_only() -> None:
    cells = np.full((2, 2), -1, np.int8)
    position = Position(cells)
    cells[0, 0] = 0
    assert position.cells[0, 0] == -1
    for held in (position.cells, Position.parse(TEXT).cells):
        with pytest.raises(ValueError, match="read-only"):
            held[0, 0] = 0
    with pytest.raises(FrozenInstanceError):
        position.mines = 3  # type: ignore[misc]


TOO_MANY = "^{} mines in 4 cells: the total is 0 to 4$"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([np.zeros((0, 3), np.int8)], r"shape \(0, 3\)"),
        ([np.zeros((3, 0), np.int8)], r"shape \(3, 0\)"),
        ([np.zeros(3, np.int8)], r"shape \(3,\)"),
        ([[[0, 9]]], r"cell \(0, 1\) holds 9: a cell is 0 to 8"),
        ([[[0, 0], [-3, 0]]], r"cell \(1, 0\) holds -3"),
        ([[[383]]], "holds 383"),
        ([[[0.5]]], "float64: integers are needed"),
        ([[[True]]], "bool: integers are needed"),
        *(([np.full((2, 2), -1), mines], TOO_MANY.format(mines)) for mines in (-1, 5, 10**30)),
        ([[[-1, 0]], None, Square(2, 1)], "geometry of 1x2 for a board of 2x1"),
    ],
)
def test_arrays_totals_and_geometries_that_are_no_board_are_refused(
    given: list[object], message: str
) -> None:
    cells, mines, geometry = [*given, None, None][:3]
    with pytest.raises(ValueError, match=message):
        Position(cells, mines, geometry=geometry)


def test_a_total_is_an_integer_of_python_or_numpy_and_a_geometry_may_be_given() -> None:
    for mines in (True, np.True_, 2.0, "2"):
        with pytest.raises(TypeError):
            Position([[-1, -1], [-1, -1]], mines)
    assert Position([[-1, -1]], np.int64(2)).mines == 2
    assert Position([[-1, 0]], geometry=Square(1, 2)).geometry == Square(1, 2)


def test_positions_are_equal_by_value_also_from_another_process() -> None:
    a, b = Position.parse(TEXT), Position([[1, -1, -2], [1, 2, -1], [0, 1, -1]], 3)
    copy = pickle.loads(pickle.dumps(a))
    assert a == b == copy
    assert hash(a) == hash(b)
    assert len({a, b}) == 1
    assert not copy.cells.flags.writeable
    assert a != Position(b.cells, 4)
    assert a != Position(b.cells[:, ::-1], 3)
    assert a != Position(b.cells.reshape(1, 9), 3)
    assert a != TEXT
    assert repr(a) == "Position(3x3, 3 mines)"
    assert repr(Position([[-1, 0]])) == "Position(2x1, total unknown)"


@given(arrays(), st.none() | st.integers(0, 4))
def test_text_is_parsed_back_unless_a_clue_is_beyond_reach(
    cells: NDArray[np.int8], mines: int | None
) -> None:
    position = Position(cells, mines)
    beyond = clues_beyond_reach(Square(*cells.shape), position.planes)
    if beyond:
        # An error in a file, but not in an array.
        with pytest.raises(BoardError, match="covered and flagged"):
            Position.parse(position.text())
    else:
        assert Position.parse(position.text()) == position


def test_a_total_given_replaces_the_total_in_the_text() -> None:
    assert Position.parse(TEXT).mines == 3
    assert Position.parse(TEXT, mines=4).mines == 4
    assert Position.parse(TEXT, mines=None).mines is None
    with pytest.raises(BoardError, match=r"^b\.txt: 10 mines in 9 cells: the total is 0 to 9$"):
        Position.parse(TEXT, source="b.txt", mines=10)


def test_opening_a_cell_gives_a_new_position() -> None:
    before = Position.parse(TEXT)
    after = before.with_clue((0, 1), 2)
    assert before.cells[0, 1] == -1
    assert after.cells.tolist() == [[1, 2, -2], [1, 2, -1], [0, 1, -1]]
    assert (after.mines, after.geometry) == (before.mines, before.geometry)
    assert after.planes == Planes.of(pad(after.cells))


@pytest.mark.parametrize(
    ("cell", "clue", "message"),
    [((3, 0), 1, "rows are 0 to 2, columns 0 to 2"),
     ((0, -1), 1, "rows are 0 to 2, columns 0 to 2"), ((0, 1), 9, "clue 9: a clue is 0 to 8"),
     ((0, 1), -1, "clue -1: a clue is 0 to 8"), ((0, 1), True, "clue True: a clue is 0 to 8"),
     ((0, 0), 1, "is open and shows 1: only a covered cell"),
     ((0, 2), 1, "carries a flag: only a covered cell")],
)  # fmt: skip
def test_only_a_covered_cell_of_the_board_is_opened(
    cell: tuple[int, int], clue: int, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Position.parse(TEXT).with_clue(cell, clue)


def test_files_and_standard_input_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "board.txt"
    path.write_text(TEXT)
    assert Position.read(path) == Position.read(str(path)) == Position.parse(TEXT)
    assert Position.read(path, mines=None).mines is None
    for stream in (io.StringIO(TEXT), io.TextIOWrapper(io.BytesIO(TEXT.encode()))):
        monkeypatch.setattr(sys, "stdin", stream)
        assert Position.read("-", mines=5).mines == 5


def test_an_unreadable_or_endless_file_is_a_board_error_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = tmp_path / "missing.txt"
    with pytest.raises(BoardError, match=r"missing\.txt: No such file or directory$"):
        Position.read(missing)
    with pytest.raises(BoardError, match=r"Is a directory$"):
        Position.read(tmp_path)
    with pytest.raises(BoardError, match="null"):
        Position.read("a\0b")
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(BoardError, match=r"^<stdin>: standard input is closed$"):
        Position.read("-")
    monkeypatch.setattr("satsweeper.notation.board_file._MAX_BYTES", 1000)
    with pytest.raises(BoardError, match=r"the limit is 1000 bytes$"):
        Position.read("/dev/zero")


@pytest.mark.parametrize(
    "path", [*EXAMPLES.glob("*.txt"), *POSITIONS.glob("*.txt")], ids=lambda path: path.name
)
def test_boards_in_this_repository_name_their_source_and_can_be_read(path: Path) -> None:
    assert path.read_text().startswith("; ")
    assert ("Source: " in path.read_text()) or ("Constructed for" in path.read_text())
    assert Position.read(path).covered_cells()
