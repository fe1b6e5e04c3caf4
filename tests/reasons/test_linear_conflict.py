"""Conflicts by sums of clues: no layout meets them, by trying all; without any one there is one."""

from collections import Counter

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from satsweeper import Position, Verdict
from satsweeper.families.chessboard import mutilated_chessboard
from satsweeper.linear.relaxation import available
from satsweeper.reasons.linear_conflict import find_linear_conflict, find_linear_reason


def assert_refuted(found, otherwise=None):
    """The multipliers refute what they name, added up here, and name no part of other conflicts."""
    equations = [part.equation for part in found.parts] + ([otherwise] if otherwise else [])
    assert list(map(tuple, found.equations)) == list(map(tuple, equations))
    total, number = Counter(), 0
    multipliers = getattr(found.refutation, "multipliers", None) or found.refutation.weights
    for index, multiplier in multipliers.items():
        number += multiplier * equations[index][1]
        for cell in equations[index][0]:
            total[cell] += multiplier
    modulus = getattr(found.refutation, "modulus", None)
    if modulus is None:
        assert number > sum(value for value in total.values() if value > 0)
    else:
        assert number % modulus
        assert not any(value % modulus for value in total.values())
    if "search" not in found.conflict.by:
        named = len(found.conflict.clues) + len(found.conflict.flags) + found.conflict.total
        assert named >= len([index for index in multipliers if index < len(found.parts)])


def test_what_is_named_clashes_and_all_of_it_is_needed(small_boards):
    found = 0

    @settings(max_examples=400)
    @given(small_boards(most=9))
    def claim(board):
        nonlocal found
        by_sums = find_linear_conflict(Position(board.cells, board.total).view("trust"))
        if by_sums is None:
            return
        found += 1
        conflict = by_sums.conflict
        assert_refuted(by_sums)
        assert not any(board.layouts(conflict.clues, conflict.flags, conflict.total))
        assert conflict.irreducible
        for clues, flags, total in less(conflict):
            assert list(board.layouts(clues, flags, total))

    claim()
    assert found > 20


def less(conflict):
    """The clues, flags and total of a conflict without one of them, in every way."""
    clues, flags = set(conflict.clues), set(conflict.flags)
    yield from ((clues - {clue}, flags, conflict.total) for clue in clues)
    yield from ((clues, flags - {flag}, conflict.total) for flag in flags)
    if conflict.total:
        yield clues, flags, False


def test_a_reason_clashes_with_the_opposite_and_needs_all_of_itself(small_boards):
    found = 0

    @settings(max_examples=300)
    @given(small_boards(most=9, consistent=True), st.data())
    def claim(board, data):
        nonlocal found
        verdicts = board.verdicts()
        certain = [cell for cell, verdict in verdicts.items() if verdict != "unknown"]
        assume(certain)
        cell = data.draw(st.sampled_from(certain))
        view = Position(board.cells, board.total).view("trust")
        index, mine = view.geometry.index(cell), verdicts[cell] == "safe"
        by_sums = find_linear_reason(view, index, Verdict(verdicts[cell]))
        if by_sums is None:
            return
        found += 1
        reason = by_sums.conflict
        assert reason.irreducible
        assert_refuted(by_sums, ([index], int(mine)))

        def otherwise(clues, flags, total):
            layouts = board.layouts(clues=list(clues), flags=list(flags), total=total)
            return any((cell in mines) is mine for mines in layouts)

        assert not otherwise(reason.clues, reason.flags, reason.total)
        assert all(otherwise(*fewer) for fewer in less(reason))

    claim()
    assert found > 100


@pytest.mark.parametrize("squares", [6, 8])
def test_every_clue_of_a_mutilated_chessboard_is_needed(squares):
    if not available():
        pytest.skip("HiGHS is not installed, or cannot be loaded beside OR-Tools")
    by_sums = find_linear_conflict(mutilated_chessboard(squares).view("trust"))
    conflict = by_sums.conflict
    assert len(conflict.clues) == squares**2 - 2
    assert conflict.irreducible
