"""Worked positions of every rule: layouts, and mines in each cell, as counted by brute force."""

from fractions import Fraction

import pytest

from satsweeper.puzzle.odds.odds import odds
from satsweeper.puzzle.puzzle import Puzzle
from tests.puzzle.published import WORKED, Worked


@pytest.mark.parametrize("position", WORKED, ids=lambda each: each.rule)
def test_a_worked_position_has_its_layouts_and_the_mines_of_each_cell(position: Worked) -> None:
    found = odds(Puzzle.parse(position.text))
    assert found.solutions == position.layouts
    assert [*found.by_cell.values()] == [Fraction(n, position.layouts) for n in position.mined]
    words = {Fraction(0): "S", Fraction(1): "M"}
    told = [words.get(chance, "?") for chance in found.by_cell.values()]
    assert "".join(told) == position.verdicts
