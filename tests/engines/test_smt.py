"""SMT against brute force."""

from typing import Any

import pytest

from satsweeper import Position
from satsweeper.answers.options import Options
from satsweeper.engines import smt
from satsweeper.families.chessboard import chessboard_with_private_cells
from tests.engines.verdicts import CertainCells, certain_cells


def classify(position: Position, options: Options) -> CertainCells:
    return certain_cells(smt.classify(position, options))


pytest.importorskip("pysmt", reason="an extra: pip install satsweeper[smt]")
pytest.importorskip("z3", reason="an extra: pip install satsweeper[smt]")


def test_verdicts_are_those_of_brute_force(known: list[Any], default: Options) -> None:
    answers = [classify(one.position, default) for one in known]
    assert [(k, a) for k, a in zip(known, answers, strict=True) if not k.agrees(a)] == []


def test_a_limit_is_kept_and_says_undecided() -> None:
    answer = classify(chessboard_with_private_cells(20), Options(timeout=0.5))
    assert not answer.decided
    assert answer.notes
