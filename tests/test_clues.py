"""A position's constraints are its clues and its total, over the covered cells row by row."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from satsweeper.clues import BoardConstraints, constraints_of
from satsweeper.position import Position

Said = list[tuple[list[int], int]]


def said_by(board: BoardConstraints) -> Said:
    """Every clue of the constraints: its variables, and how many are mines."""
    return sorted((row, group.mines) for group in board.groups for row in group.inputs.tolist())


def said_on(position: Position, mines: set[int], covered: set[int]) -> Said:
    """The same, cell by cell: codes in ``mines`` are certain mines, in ``covered`` variables."""
    cells = position.cells.tolist()
    rows, columns = position.rows, position.columns
    every = [(r, c) for r in range(rows) for c in range(columns)]
    hidden = [(r, c) for r, c in every if cells[r][c] in covered]
    variable = {cell: number for number, cell in enumerate(hidden, start=1)}
    found = []
    for r, c in every:
        if cells[r][c] >= 0:
            near = [(y, x) for y, x in every if max(abs(y - r), abs(x - c)) == 1]
            left = cells[r][c] - sum(cells[y][x] in mines for y, x in near)
            inputs = [variable[cell] for cell in near if cell in variable]
            if inputs or left:
                found.append((inputs, left))
    return sorted(found)


def arrays() -> st.SearchStrategy[NDArray[np.int8]]:
    code = st.sampled_from([-2, -1, -1, -1, 0, 1, 2, 3, 8])
    sides = st.tuples(st.integers(1, 4), st.integers(1, 5))
    return sides.flatmap(
        lambda s: st.lists(st.lists(code, min_size=s[1], max_size=s[1]), min_size=s[0], max_size=4)
    ).map(lambda rows: np.array(rows, np.int8))


@given(arrays())
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


def test_a_large_board_is_gathered_as_a_small_one_is() -> None:
    cells = np.random.default_rng(7).choice([-2, -1, -1, 1, 2, 3], (30, 41)).astype(np.int8)
    position = Position(cells)
    assert said_by(constraints_of(position)) == said_on(position, mines={-2}, covered={-1})


def test_each_shape_has_one_group_and_the_groups_ascend() -> None:
    cells = np.random.default_rng(8).choice([-2, -1, -1, 1, 2, 3], (20, 20)).astype(np.int8)
    shapes = [group.shape for group in constraints_of(Position(cells)).groups]
    assert shapes == sorted(set(shapes))
    assert len(shapes) > 10


@pytest.mark.parametrize(
    ("row", "said"),
    [([0], []), ([1, -2], []), ([1], [([], 1)]), ([2, -2], [([], 1)]), ([0, -2], [([], -1)]),
     ([0, -2, -1], [([], -1)]), ([-2, 0, -1], [([1], -1)]), ([8, -1], [([1], 8)])],
)  # fmt: skip
def test_a_clue_out_of_reach_stays_and_a_met_one_without_cells_goes(
    row: list[int], said: Said
) -> None:
    assert said_by(constraints_of(Position([row]))) == said


@pytest.mark.parametrize(
    ("mines", "trusting", "ignoring"), [(None, None, None), (3, 1, 3), (1, -1, 1)]
)
def test_trusted_flags_are_subtracted_from_the_total(
    mines: int | None, trusting: int | None, ignoring: int | None
) -> None:
    position = Position([[-2, -1, -2]], mines)
    assert constraints_of(position).total == trusting
    assert constraints_of(position, "ignore").total == ignoring


def test_another_word_for_flags_is_refused() -> None:
    with pytest.raises(ValueError, match="flags='maybe': 'trust' or 'ignore'"):
        constraints_of(Position([[-1]]), "maybe")
