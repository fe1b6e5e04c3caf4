from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scripts.fuzzing.positions import Case

CODES = {-1: "?", -2: "F"}


@pytest.fixture(scope="module")
def case_of(make_board):
    def make(board: Any) -> Case:
        rows = tuple("".join(CODES.get(int(x), str(int(x))) for x in row) for row in board.cells)
        return Case(rows, board.total, "trust")

    return make


@given(draws=st.data())
def test_what_is_true_is_what_trying_all_layouts_says(draws, small_boards, case_of) -> None:
    board = draws.draw(small_boards(most=8))
    truth = case_of(board).truth()
    layouts = list(board.layouts())
    assert truth.layouts.bit_count() == len(layouts)
    if layouts:
        assert truth.verdicts == board.verdicts()
        for cell, chance in truth.chances().items():
            assert chance * len(layouts) == sum(cell in mines for mines in layouts)
        assert truth.some_layout(draws.draw(st.floats(0, 1, exclude_max=True))) in layouts


@settings(max_examples=60)
@given(draws=st.data())
def test_a_conflict_is_wrong_unless_it_clashes_and_needs_all_its_parts(
    draws, small_boards, case_of
) -> None:
    board = draws.draw(small_boards(most=5))
    truth = case_of(board).truth()
    clues, flags = (
        draws.draw(st.lists(st.sampled_from(cells), unique=True)) if cells else []
        for cells in (board.clues(), board.at(-2))
    )
    total = board.total is not None and draws.draw(st.booleans())

    def clash(clues: list[Any], flags: list[Any], total: bool) -> bool:
        return next(board.layouts(clues, flags, total), None) is None

    right = (
        clash(clues, flags, total)
        and not any(clash([c for c in clues if c != each], flags, total) for each in clues)
        and not any(clash(clues, [f for f in flags if f != each], total) for each in flags)
        and not (total and clash(clues, flags, False))
    )
    assert (truth.wrong_conflict(clues, flags, total, truth.everything) is None) == right
