"""A total that is contradicted by addition, against brute force, and on a board of any size."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from satsweeper import Position, Status, classify
from satsweeper.board.codes import COVERED
from satsweeper.reasons.conflict import find_total_conflict


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_what_addition_finds_has_no_layout_and_none_can_be_spared(
    data: st.DataObject, small_boards: Callable[..., Any]
) -> None:
    board = data.draw(small_boards(most=8))
    total = data.draw(st.integers(0, board.cells.size))
    board = board._replace(total=total)
    found = find_total_conflict(Position(board.cells, total).view("trust"))
    if found is None:
        return

    def possible(clues: list[Any], counted: bool) -> bool:
        return any(True for _ in board.layouts(clues, [], counted))

    clues = list(found.clues)
    assert found.total
    assert not possible(clues, True)
    assert possible(clues, False)
    for clue in clues:
        assert possible([c for c in clues if c != clue], True)


@pytest.mark.parametrize(("total", "clues"), [(39_999, 10_000), (40_001, 10_000), (80_001, 0)])
def test_a_wrong_total_of_a_large_board_is_found_out_by_addition(total, clues):
    cells = np.full((300, 300), COVERED, np.int8)
    cells[1::3, 1::3] = 4
    result = classify(Position(cells, total))
    assert result.status is Status.INCONSISTENT
    assert len(result.conflict.clues) == clues
    assert result.conflict.total
    assert result.conflict.irreducible
