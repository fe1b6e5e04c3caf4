"""Rows for readers."""

import pytest

from satsweeper.competition.measurement import Measurement, Probe, SolverRun
from satsweeper.competition.tables import row, shortened


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (10**14, "1" + "0" * 14), (12345 * 10**20, "1.234e24"), (10**4000, "1.000e4000")],
)
def test_large_numbers_are_short(number: int, text: str) -> None:
    assert shortened(number) == text


def test_seconds_that_were_not_enough_are_marked() -> None:
    late, said = SolverRun("UNKNOWN", 60.1, "timeout"), SolverRun("UNSATISFIABLE", 1.234)
    found = Measurement(Probe("ones_drawn", 9, 2), 7, 8, 9, late, said)
    assert row("sat", found) == ("ones-drawn_n9_s2", "unsatisfiable", "7", "8", "> 60.1", "1.23")
    assert row("pb", found)[3] == "9"
