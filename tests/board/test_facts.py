"""What is known at one moment, and the check of layouts against the board."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satsweeper import Position
from satsweeper.board.facts import Facts, Window, WrongModelError, check_layout


def facts_of(position: Position) -> Facts:
    planes = position.planes
    return Facts(position.geometry, planes.clues, planes.values, planes.covered, planes.flags)


def test_an_opened_cell_is_a_clue_and_no_longer_open():
    position = Position.parse("1??\nF2?")
    opened = facts_of(position).opened(position.geometry.index((0, 2)), 5)
    assert opened == facts_of(position.with_clue((0, 2), 5))


@pytest.mark.parametrize("clue", range(9))
def test_every_clue_can_be_opened(clue):
    position = Position.parse("???\n???\n???")
    opened = facts_of(position).opened(position.geometry.index((1, 1)), clue)
    assert opened == facts_of(position.with_clue((1, 1), clue))


def test_an_opened_cell_is_no_mine_even_where_one_was_proved():
    facts = facts_of(Position.parse("???")).decided(safe=0, mines=2)
    opened = facts.opened(1, 0)
    assert (opened.clues, opened.undecided, opened.mines) == (2, 1 | 4, 0)


def test_decided_cells_are_undecided_no_more_and_mines_are_kept():
    position = Position.parse("??F")
    facts = facts_of(position).decided(safe=1, mines=2)
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
        near = [clue for clue in board.clues() if touches(clue, hidden)]
        window = Window.around(facts, around)
        layout = frozenset({*mines, *board.at(-2)})
        meets = layout in set(board.layouts(clues=near, total=False))
        assert passes(lambda: window.check(indices)) is meets
    assert passes(lambda: check_layout(facts, indices, None)) is right


def touches(clue: tuple[int, int], cells: list[tuple[int, int]]) -> bool:
    return any(max(abs(clue[0] - r), abs(clue[1] - c)) == 1 for r, c in cells)


def passes(check) -> bool:
    try:
        check()
    except WrongModelError:
        return False
    return True


def test_a_layout_with_another_number_of_mines_is_refused():
    position = Position.parse("1??\n???")
    facts = facts_of(position)
    index = position.geometry.index
    mines = [index((0, 1)), index((1, 2))]
    board = sum(1 << cell for cell in mines)
    assert check_layout(facts, mines, None) == check_layout(facts, mines, 2) == board
    for total in (1, 3):
        with pytest.raises(WrongModelError):
            check_layout(facts, mines, total)


def test_a_wrong_layout_is_reported_at_its_clue():
    position = Position.parse("???\n?2?\n???")
    window = Window.around(facts_of(position), [position.geometry.index((0, 0))])
    with pytest.raises(WrongModelError, match=r"\(1, 1\)"):
        window.check([position.geometry.index((0, 0))])
