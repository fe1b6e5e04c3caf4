"""Positions are checked, read-only values; their constraints are their clues and their total."""

import io
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from satsweeper.board.geometry import Square
from satsweeper.board.planes import Planes, clues_beyond_reach, pad
from satsweeper.clues import BoardConstraints, constraints_of
from satsweeper.notation.error import BoardError
from satsweeper.position import Position
from tests.commands import EXAMPLES

POSITIONS = Path(__file__).parent / "data" / "positions"
TEXT = "3 3 3\n1?F\n12?\n01?\n"


def arrays_of(
    code: st.SearchStrategy[int], columns: st.SearchStrategy[int]
) -> st.SearchStrategy[NDArray[np.int8]]:
    rows = columns.flatmap(lambda n: st.lists(st.tuples(*[code] * n), min_size=1, max_size=4))
    return rows.map(lambda rows: np.array(rows, np.int8))


ARRAYS = arrays_of(st.integers(-2, 8), st.just(4))


@given(ARRAYS, st.none() | st.integers(0, 4))
def test_a_position_is_the_cells_and_the_total_it_was_given(cells, mines: int | None) -> None:
    position = Position(cells, mines)
    assert np.array_equal(position.cells, cells)
    assert (position.rows, position.columns) == cells.shape
    assert position.mines == mines
    assert position.geometry == Square(*cells.shape)
    assert position.planes == Planes.of(pad(cells))
    assert position.clue_cells() == [cell for cell in np.ndindex(cells.shape) if cells[cell] >= 0]
    assert position.covered_cells() == [*map(tuple, np.argwhere(cells == -1).tolist())]
    assert position.flag_cells() == [*map(tuple, np.argwhere(cells == -2).tolist())]


def test_the_array_given_is_copied_and_the_array_held_is_read_only() -> None:
    cells = np.full((2, 2), -1, np.int8)
    position = Position(cells)
    cells[0, 0] = 0
    assert position.cells[0, 0] == -1
    for held in (position.cells, Position.parse(TEXT).cells):
        with pytest.raises(ValueError, match="read-only"):
            held[0, 0] = 0
    with pytest.raises(AttributeError, match="immutable"):
        position.mines = 3  # type: ignore[misc]


TOO_MANY = "^{} mines in 4 cells: the total is 0 to 4$"


@pytest.mark.parametrize(
    ("given", "message"),
    [([np.zeros((0, 3), np.int8)], r"shape \(0, 3\)"),
     ([np.zeros((3, 0), np.int8)], r"shape \(3, 0\)"), ([np.zeros(3, np.int8)], r"shape \(3,\)"),
     ([[[0, 9]]], r"cell \(0, 1\) holds 9: a cell is 0 to 8"),
     ([[[0, 0], [-3, 0]]], r"cell \(1, 0\) holds -3"), ([[[383]]], "holds 383"),
     ([[[0.5]]], "float64: integers are needed"), ([[[True]]], "bool: integers are needed"),
     *(([np.full((2, 2), -1), mines], TOO_MANY.format(mines)) for mines in (-1, 5, 10**30)),
     ([[[-1, 0]], None, Square(2, 1)], "geometry of 1x2 for a board of 2x1")],
)  # fmt: skip
def test_arrays_totals_and_geometries_that_are_no_board_are_refused(given, message: str) -> None:
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


@given(ARRAYS, st.none() | st.integers(0, 4))
def test_text_is_parsed_back_unless_a_clue_is_beyond_reach(cells, mines: int | None) -> None:
    position = Position(cells, mines)
    if clues_beyond_reach(position.padded, cells.shape[1] + 1):
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
def test_only_a_covered_cell_of_the_board_is_opened(cell, clue: int, message: str) -> None:
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
    text = path.read_text()
    assert text.startswith("; ")
    assert "Source: " in text or "Constructed for" in text
    assert Position.read(path).covered_cells()


Said = list[tuple[list[int], int]]


def said_by(board: BoardConstraints) -> Said:
    """Every clue of the constraints: its variables, and how many are mines."""
    return sorted((row, group.mines) for group in board.groups for row in group.inputs.tolist())


def said_on(position: Position, mines: set[int], covered: set[int]) -> Said:
    """The same, cell by cell: codes in ``mines`` are certain mines, in ``covered`` variables."""
    cells = {cell: int(code) for cell, code in np.ndenumerate(position.cells)}
    hidden = [cell for cell, code in cells.items() if code in covered]
    found = []
    for (r, c), clue in cells.items():
        if clue >= 0:
            near = [(y, x) for y, x in cells if max(abs(y - r), abs(x - c)) == 1]
            left = clue - sum(cells[cell] in mines for cell in near)
            inputs = [hidden.index(cell) + 1 for cell in near if cell in hidden]
            if inputs or left:
                found.append((inputs, left))
    return sorted(found)


@given(arrays_of(st.sampled_from([-2, -1, -1, -1, 0, 1, 2, 3, 8]), st.integers(1, 5)))
def test_the_constraints_are_the_clues_over_the_covered_cells(cells: NDArray[np.int8]) -> None:
    position = Position(cells)
    trusting = constraints_of(position)
    assert said_by(trusting) == said_on(position, mines={-2}, covered={-1})
    assert [tuple(cell) for cell in trusting.cells.tolist()] == position.covered_cells()
    assert [tuple(cell) for cell in trusting.flags.tolist()] == position.flag_cells()
    ignoring = constraints_of(position, "ignore")
    assert said_by(ignoring) == said_on(position, mines=set(), covered={-1, -2})
    assert len(ignoring.cells) == len(trusting.cells) + len(trusting.flags)
    assert not len(ignoring.flags)


def test_a_large_board_is_gathered_as_a_small_one_is_in_one_group_of_each_shape() -> None:
    cells = np.random.default_rng(7).choice([-2, -1, -1, 1, 2, 3], (30, 41)).astype(np.int8)
    position = Position(cells)
    said = constraints_of(position)
    assert said_by(said) == said_on(position, mines={-2}, covered={-1})
    shapes = [group.shape for group in said.groups]
    assert shapes == sorted(set(shapes))
    assert len(shapes) > 10


@pytest.mark.parametrize(
    ("row", "said"),
    [([0], []), ([1, -2], []), ([1], [([], 1)]), ([2, -2], [([], 1)]), ([0, -2], [([], -1)]),
     ([0, -2, -1], [([], -1)]), ([-2, 0, -1], [([1], -1)]), ([8, -1], [([1], 8)])],
)  # fmt: skip
def test_a_clue_out_of_reach_stays_and_a_met_one_without_cells_goes(row, said: Said) -> None:
    assert said_by(constraints_of(Position([row]))) == said


def test_trusted_flags_are_subtracted_from_the_total_and_another_word_is_refused() -> None:
    for mines, trusting in ((None, None), (3, 1), (1, -1)):
        position = Position([[-2, -1, -2]], mines)
        assert constraints_of(position).total == trusting
        assert constraints_of(position, "ignore").total == mines
    with pytest.raises(ValueError, match="flags='maybe': 'trust' or 'ignore'"):
        constraints_of(Position([[-1]]), "maybe")
