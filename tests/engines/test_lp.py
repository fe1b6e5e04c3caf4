"""The method of test constraints, against brute force and on its document's example."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest

from satsweeper import Position
from satsweeper.answers.options import Options
from tests.engines.verdicts import CertainCells

pytestmark = pytest.mark.skipif(
    find_spec("highspy") is None, reason="highspy is an extra: pip install satsweeper[ilp]"
)
ILP = "satsweeper.engines.ilp"

EXAMPLE = """
001??
001??
011??
12???
1????
"""
SAFE = frozenset({(1, 3), (2, 3), (3, 3), (4, 2)})
MINES = frozenset({(0, 3), (3, 2), (4, 1)})
FREE = frozenset({(0, 4), (1, 4), (2, 4), (3, 4), (4, 3), (4, 4)})


def test_verdicts_are_those_of_brute_force(
    known: list[Any], apart: Callable[..., list[Any]], default: Options
) -> None:
    answers = apart(ILP, "by_test_constraints", [(one.position, default) for one in known])
    assert [(k, a) for k, a in zip(known, answers, strict=True) if not k.agrees(a)] == []


def test_in_the_worked_example_all_seven_cells_at_clues_are_forced_not_only_one(
    apart: Callable[..., list[Any]], default: Options
) -> None:
    [answer] = apart(ILP, "by_test_constraints", [(Position.parse(EXAMPLE), default)])
    assert answer == CertainCells("consistent", SAFE, MINES, decided=True)


def test_in_the_worked_example_the_total_decides_the_six_free_cells(
    apart: Callable[..., list[Any]], default: Options
) -> None:
    totals = list(range(12))
    calls = [(Position.parse(EXAMPLE, mines=total), default) for total in totals]
    for total, answer in zip(totals, apart(ILP, "by_test_constraints", calls), strict=True):
        if not 3 <= total <= 9:
            assert answer.status == "inconsistent"
        else:
            assert answer.safe == (SAFE | FREE if total == 3 else SAFE)
            assert answer.mines == (MINES | FREE if total == 9 else MINES)


def test_a_limit_is_kept_and_says_undecided(
    apart: Callable[..., list[Any]], chessboard: Callable[[int], Position]
) -> None:
    [answer] = apart(ILP, "by_test_constraints", [(chessboard(30), Options(timeout=0.001))])
    assert not answer.decided
    assert answer.notes
