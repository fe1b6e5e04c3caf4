"""Conflicts by sums of clues: no layout meets them, by trying all; without any one there is one."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

from satsweeper import Position
from satsweeper.families.chessboard import mutilated_chessboard
from satsweeper.linear.relaxation import available
from satsweeper.reasons.linear_conflict import find_linear_conflict


def near(cell, shape):
    row, column = cell
    rows = range(max(row - 1, 0), min(row + 2, shape[0]))
    columns = range(max(column - 1, 0), min(column + 2, shape[1]))
    return [(r, c) for r in rows for c in columns if (r, c) != cell]


def has_layout(board, clues, flags, total):
    """Whether some mines in hidden cells meet these clues and flags, and perhaps the total."""
    hidden = [tuple(map(int, cell)) for cell in np.argwhere(board.cells < 0)]
    for mined in product((False, True), repeat=len(hidden)):
        mines = {cell for cell, mine in zip(hidden, mined, strict=True) if mine}
        if (
            mines.issuperset(flags)
            and (not total or len(mines) == board.total)
            and all(
                sum(cell in mines for cell in near(clue, board.cells.shape)) == board.cells[clue]
                for clue in clues
            )
        ):
            return True
    return False


def test_what_is_named_clashes_and_all_of_it_is_needed(small_boards):
    found = 0

    @settings(max_examples=400)
    @given(small_boards(most=9))
    def claim(board):
        nonlocal found
        conflict = find_linear_conflict(Position(board.cells, board.total).view("trust"))
        if conflict is None:
            return
        found += 1
        assert not has_layout(board, conflict.clues, conflict.flags, conflict.total)
        if conflict.irreducible:
            for clue in conflict.clues:
                others = set(conflict.clues) - {clue}
                assert has_layout(board, others, conflict.flags, conflict.total)
            for flag in conflict.flags:
                others = set(conflict.flags) - {flag}
                assert has_layout(board, conflict.clues, others, conflict.total)
            if conflict.total:
                assert has_layout(board, conflict.clues, conflict.flags, False)

    claim()
    assert found > 20


@pytest.mark.parametrize("squares", [6, 8])
def test_every_clue_of_a_mutilated_chessboard_is_needed(squares):
    if not available():
        pytest.skip("HiGHS is not installed, or cannot be loaded beside OR-Tools")
    conflict = find_linear_conflict(mutilated_chessboard(squares).view("trust"))
    assert len(conflict.clues) == squares**2 - 2
    assert conflict.irreducible
