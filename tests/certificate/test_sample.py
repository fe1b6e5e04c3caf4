"""Positions of games on the usual boards: every verdict is proved or witnessed, and right."""

from collections.abc import Callable
from typing import Any

import pytest

from satsweeper.position import KEEP, Position

Checked = Callable[..., Any]


def answer(grid: list[str]) -> str:
    return "".join(mark if mark in "SM?" else "." for row in grid for mark in row)


@pytest.mark.parametrize("with_total", [True, False], ids=["total known", "total unknown"])
def test_every_verdict_of_the_sample_is_certified(
    checked: Checked, sample: list[Any], with_total: bool
) -> None:
    for record in sample:
        expected = record.known if with_total else record.unknown
        if expected == "-":
            continue
        position = Position.parse(record.text, mines=KEEP if with_total else None)
        certificate, found = checked(position)
        assert answer(certificate.about["grid"]) == expected
        assert found.proved == expected.count("S") + expected.count("M")
        assert found.witnessed == expected.count("?")


def test_a_cell_of_a_large_board_has_a_short_proof_of_its_own(
    checked: Checked, sample: list[Any]
) -> None:
    records = [record for record in sample if record.name.startswith("exp")]
    record = max(records, key=lambda record: sum(mark in "SM" for mark in record.unknown))
    position = Position.parse(record.text, mines=None)
    certificate, _ = checked(position)
    certain = [*certificate.found.safe, *certificate.found.mines]
    alone, found = checked(position, cells=certain[:3])
    assert found.cells == 3
    whole = len(alone.files["refutation.cnf"])
    for row, column in certain[:3]:
        assert len(alone.files[f"cells/{row}_{column}/refutation.cnf"]) < whole / 10
