"""Clues that clash, by search, by sums or by the total: all of them are needed, and no more."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from satsweeper import Position, Status, Verdict, classify
from satsweeper.board.codes import COVERED
from satsweeper.families.chessboard import mutilated_chessboard
from satsweeper.linear.refutation import refutation_of
from satsweeper.processes.deadline import Deadline
from satsweeper.reasons.conflict import find_conflict, find_total_conflict, whole_conflict
from satsweeper.reasons.linear_conflict import find_linear_conflict, find_linear_reason
from satsweeper.reasons.parts import parts_of
from satsweeper.solvers.protocol import SolverFailedError
from tests.boards import Board, assert_refutes, boards
from tests.commands import need_highs
from tests.oracles import clashing_multipliers


@settings(max_examples=150)
@given(boards(most=8), st.sampled_from([None, 0, 1, 10_000]))
def test_a_conflict_has_no_layout_and_is_irreducible_if_it_says_so(
    board: Board, effort: int | None
) -> None:
    view = Position(board.cells, board.total).view()
    if board.verdicts() is not None:
        if effort is None or effort > 1:
            with pytest.raises(SolverFailedError):
                find_conflict(view, (), effort=effort)
        return
    found = find_conflict(view, (), effort=effort)
    assert found.irreducible or effort in (0, 1)
    assert_refutes(board, found)


def test_when_the_limit_comes_first_everything_is_listed(data: Path) -> None:
    view = Position.read(data / "positions" / "mutilated_8.txt").view()
    for limits in ({"deadline": Deadline.after(0.0)}, {"effort": 100}):
        found = find_conflict(view, (), **limits)
        assert found == whole_conflict(view)
        assert not found.irreducible
        assert len(found.clues) == 62
        assert found.flags
        assert not found.total


def test_flags_that_are_ignored_are_covered_cells() -> None:
    view = Position.parse("F0?").view()
    assert find_conflict(view, ()).flags == ((0, 0),)
    ignoring = Position.parse("F2?", mines=1).view("ignore")
    found = find_conflict(ignoring, ())
    assert (found.clues, found.flags, found.total) == (((0, 1),), (), True)


@settings(max_examples=300)
@given(boards(most=8), st.data())
def test_what_addition_finds_has_no_layout_and_none_can_be_spared(
    board: Board, data: st.DataObject
) -> None:
    board = board._replace(total=data.draw(st.integers(0, board.cells.size)))
    found = find_total_conflict(Position(board.cells, board.total).view("trust"))
    if found is not None:
        assert (found.flags, found.total, found.irreducible) == ((), True, True)
        assert_refutes(board, found)


@pytest.mark.parametrize(("total", "clues"), [(39_999, 10_000), (40_001, 10_000), (80_001, 0)])
def test_a_wrong_total_of_a_large_board_is_found_out_by_addition(total, clues):
    cells = np.full((300, 300), COVERED, np.int8)
    cells[1::3, 1::3] = 4
    result = classify(Position(cells, total))
    assert result.status is Status.INCONSISTENT
    assert len(result.conflict.clues) == clues
    assert result.conflict.total
    assert result.conflict.irreducible


def assert_adds_up(view, found, *otherwise):
    """What is named is refuted by a sum of it, unless search left out parts of the sum."""
    named = {(view.geometry.index(cell), False) for cell in found.clues}
    named |= {(view.geometry.index(cell), True) for cell in found.flags}
    named |= {(None, False)} if found.total else set()
    equations = [p.equation for p in parts_of(view) if (p.cell, p.is_flag) in named] + [*otherwise]
    if "search" not in found.by and all(0 <= n <= len(cells) for cells, n in equations):
        clashing_multipliers(equations, refutation_of(equations))


def test_what_is_named_clashes_and_all_of_it_is_needed():
    found = 0

    @settings(max_examples=400)
    @given(boards(most=9))
    def claim(board):
        nonlocal found
        view = Position(board.cells, board.total).view("trust")
        by_sums = find_linear_conflict(view)
        if by_sums is None:
            return
        found += 1
        assert by_sums.irreducible
        assert_adds_up(view, by_sums)
        assert_refutes(board, by_sums)

    claim()
    assert found > 20


def test_a_reason_clashes_with_the_opposite_and_needs_all_of_itself():
    found = 0

    @settings(max_examples=300)
    @given(boards(most=9, consistent=True), st.data())
    def claim(board, data):
        nonlocal found
        verdicts = board.verdicts()
        certain = [cell for cell, verdict in verdicts.items() if verdict != "unknown"]
        assume(certain)
        cell = data.draw(st.sampled_from(certain))
        view = Position(board.cells, board.total).view("trust")
        index, opposite = view.geometry.index(cell), verdicts[cell] == "safe"
        by_sums = find_linear_reason(view, index, Verdict(verdicts[cell]))
        if by_sums is None:
            return
        found += 1
        assert by_sums.irreducible
        assert_adds_up(view, by_sums, ([index], int(opposite)))
        assert_refutes(board, by_sums, (cell, opposite))

    claim()
    assert found > 100


@pytest.mark.parametrize("squares", [6, 8])
def test_every_clue_of_a_mutilated_chessboard_is_needed(squares):
    need_highs()
    conflict = find_linear_conflict(mutilated_chessboard(squares).view("trust"))
    assert len(conflict.clues) == squares**2 - 2
    assert conflict.irreducible
