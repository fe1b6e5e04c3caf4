"""The relaxation: what it proves is true, and what it misses is admitted."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest

from satsweeper import Position, classify
from satsweeper.answers.options import Options
from satsweeper.engines.parts.position_sums import PositionSums
from satsweeper.engines.parts.weak_duality import proved_bound
from satsweeper.linear.highs import ProgramOutcome

highs = pytest.mark.skipif(
    find_spec("highspy") is None, reason="highspy is an extra: pip install satsweeper[ilp]"
)
RELAXATION = "satsweeper.engines.lp_relaxation"
EXAMPLE = Position.parse("1??\n12?\n01?")
TRIANGLE = Position.parse("?2?\n3F3\nF?F")
MISSED = Position.parse("?FF??\nFF6F3\n3F?2?")


@highs
def test_what_is_proved_is_true_and_what_is_missed_is_admitted(
    known: list[Any], apart: Callable[..., list[Any]], default: Options
) -> None:
    answers = apart(RELAXATION, "classify", [(one.position, default) for one in known])
    certain = found = 0
    for one, answer in zip(known, answers, strict=True):
        if not one.layouts:
            assert answer.status != "consistent"
            assert not (answer.decided and answer.status == "undecided")
            continue
        assert answer.status != "inconsistent"
        assert answer.safe <= one.safe
        assert answer.mines <= one.mines
        certain += len(one.safe) + len(one.mines)
        found += len(answer.safe) + len(answer.mines)
        if answer.decided:
            assert one.agrees(answer)
        else:
            assert answer.notes
    assert 0.9 * certain < found <= certain
    statuses = [a.status for k, a in zip(known, answers, strict=True) if not k.layouts]
    assert statuses.count("inconsistent") > 0.9 * len(statuses)


@highs
def test_a_safe_cell_that_may_be_half_a_mine_is_missed(
    apart: Callable[..., list[Any]], default: Options
) -> None:
    by_sat = classify(MISSED)
    assert by_sat.safe == [(0, 4), (2, 2)]
    [answer] = apart(RELAXATION, "classify", [(MISSED, default)])
    assert sorted(answer.safe) == [(2, 2)]
    assert sorted(answer.mines) == by_sat.mines
    assert not answer.decided
    assert answer.notes


@highs
def test_a_cell_that_must_be_half_a_mine_is_a_contradiction(
    apart: Callable[..., list[Any]], default: Options
) -> None:
    # Of three cells each two hold one mine: no layout does that, only three halves of a mine.
    [answer] = apart(RELAXATION, "classify", [(TRIANGLE, default)])
    assert answer.status == "inconsistent"


def test_a_bound_is_valid_whatever_the_duals() -> None:
    sums = PositionSums(EXAMPLE, Options())
    layouts = [{0, 2}, {0, 3}]
    for duals in ([0, 0, 0, 0], [1, 0, 0, 0], [0.3, -2, 1.7, -0.1], [9, 9, -9, 9]):
        for column in range(4):
            for cost in (1, -1):
                bound = proved_bound(sums, column, cost, ProgramOutcome("optimal", (), duals))
                assert all(bound <= cost * (column in layout) for layout in layouts)
