"""Worked positions of every rule: layouts, and mines in each cell, as counted by brute force."""

from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest

from satsweeper.puzzle.odds.odds import odds
from satsweeper.puzzle.puzzle import Puzzle

FILE = Path(__file__).parents[2] / "data" / "variants" / "worked.txt"


class Worked(NamedTuple):
    rule: str
    mines: int
    rows: list[str]
    layouts: int
    verdicts: str
    mined: list[int]

    @property
    def text(self) -> str:
        return f"rules: {self.rule}\nmines: {self.mines}\n" + "\n".join(self.rows) + "\n"


def worked() -> list[Worked]:
    found = []
    for line in FILE.read_text("utf-8").splitlines():
        if not line.startswith(";"):
            rule, mines, rows, layouts, verdicts, mined = line.split(" | ")
            found.append(
                Worked(
                    rule, int(mines), rows.split(" / "), int(layouts),
                    verdicts.replace("/", ""), [*map(int, mined.split())],
                )
            )  # fmt: skip
    return found


@pytest.mark.parametrize("position", worked(), ids=lambda each: each.rule)
def test_a_worked_position_has_its_layouts_and_the_mines_of_each_cell(position: Worked) -> None:
    found = odds(Puzzle.parse(position.text))
    assert found.solutions == position.layouts
    assert [*found.by_cell.values()] == [Fraction(n, position.layouts) for n in position.mined]
    words = {0: "s", 1: "m"}
    told = iter(position.verdicts.replace("=", ""))
    for chance in found.by_cell.values():
        assert next(told) == words.get(chance if chance.denominator == 1 else -1, "?")
