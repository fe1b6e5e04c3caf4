"""CP-SAT against brute force."""

from collections.abc import Callable
from typing import Any

import pytest

from satsweeper import Position
from satsweeper.answers.options import Options
from satsweeper.families.chessboard import chessboard_with_private_cells

pytest.importorskip("ortools", reason="an extra: pip install satsweeper[cp]")

CP_SAT = "satsweeper.engines.cp_sat"


def test_verdicts_are_those_of_brute_force(
    known: list[Any], apart: Callable[..., list[Any]], default: Options
) -> None:
    answers = apart(CP_SAT, "classify", [(one.position, default) for one in known])
    wrong = [(k, a) for k, a in zip(known, answers, strict=True) if not k.agrees(a)]
    assert wrong == []


def test_a_contradictory_board_is_reported_rather_than_called_safe(
    apart: Callable[..., list[Any]], default: Options
) -> None:
    eight_in_a_corner = Position([[8, -1, -1], [-1, -1, -1], [-1, -1, -1]])
    three_ways_round = Position.parse("?2?\n3F3\nF?F")
    calls = [(eight_in_a_corner, default), (three_ways_round, default)]
    for answer in apart(CP_SAT, "classify", calls):
        assert answer.status == "inconsistent"
        assert not answer.safe | answer.mines


def test_ignored_flags_are_covered_cells(apart: Callable[..., list[Any]]) -> None:
    position = Position.parse("1F?")
    trusting, ignoring = apart(
        CP_SAT,
        "classify",
        [(position, Options(flags="trust")), (position, Options(flags="ignore"))],
    )
    assert (trusting.mines, ignoring.mines) == (frozenset(), {(0, 1)})


def test_a_limit_ends_the_search_and_what_is_certain_stays(
    apart: Callable[..., list[Any]],
) -> None:
    calls = [(chessboard_with_private_cells(20), Options(timeout=0.5))]
    [answer] = apart(CP_SAT, "classify", calls)
    assert not answer.decided
    assert answer.notes
    assert answer.safe <= {(0, 0), (40, 40)}
