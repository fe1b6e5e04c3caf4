"""SMT against brute force."""

from collections.abc import Callable
from typing import Any

import pytest

from satsweeper import Position
from satsweeper.answers.options import Options
from satsweeper.engines import smt
from tests.engines.verdicts import CertainCells, certain_cells


def classify(position: Position, options: Options) -> CertainCells:
    return certain_cells(smt.classify(position, options))


pytest.importorskip("pysmt", reason="an extra: pip install satsweeper[smt]")
pytest.importorskip("z3", reason="an extra: pip install satsweeper[smt]")


def test_verdicts_are_those_of_brute_force(known: list[Any], default: Options) -> None:
    answers = [classify(one.position, default) for one in known]
    assert [(k, a) for k, a in zip(known, answers, strict=True) if not k.agrees(a)] == []


def test_a_pair_that_shares_a_mine_has_nothing_certain(default: Options) -> None:
    position = Position.parse("?1?")
    assert classify(position, default) == CertainCells(
        "consistent", frozenset(), frozenset(), decided=True
    )


def test_a_limit_is_kept_and_says_undecided(chessboard: Callable[[int], Position]) -> None:
    answer = classify(chessboard(20), Options(timeout=0.5))
    assert not answer.decided
    assert answer.notes
