"""Clues that clash: irreducible by the plain predicate, within a limit of time or of conflicts."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from satsweeper import Position
from satsweeper.processes.deadline import Deadline
from satsweeper.reasons.conflict import find_conflict, whole_conflict
from satsweeper.solvers.protocol import SolverFailedError


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data(), effort=st.sampled_from([None, 0, 1, 10_000]))
def test_a_conflict_has_no_layout_and_is_irreducible_if_it_says_so(
    data: st.DataObject, effort: int | None, small_boards: Callable[..., Any]
) -> None:
    board = data.draw(small_boards(most=8))
    view = Position(board.cells, board.total).view()
    if board.verdicts() is not None:
        if effort is None or effort > 1:
            with pytest.raises(SolverFailedError):
                find_conflict(view, (), effort=effort)
        return
    found = find_conflict(view, (), effort=effort)

    def possible(clues: list[Any], flags: list[Any], total: bool) -> bool:
        return any(True for _ in board.layouts(clues, flags, total))

    clues, flags = list(found.clues), list(found.flags)
    assert not possible(clues, flags, found.total)
    if not found.irreducible:
        assert effort in (0, 1)
        return
    for clue in clues:
        assert possible([c for c in clues if c != clue], flags, found.total)
    for flag in flags:
        assert possible(clues, [f for f in flags if f != flag], found.total)
    if found.total:
        assert possible(clues, flags, False)


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
