"""Numbers of layouts of empty boards under each rule of layouts, counted by brute force."""

import pytest

from satsweeper.count.odds import NoLayoutError
from satsweeper.puzzle.geometry.table import grid
from satsweeper.puzzle.odds.odds import odds
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.table import LAYOUTS

LAYOUTS_3X3 = {
    "Q": 417,
    "C": 389,
    "T": 230,
    "O": 214,
    "D": 25,
    "S": 103,
    "B": 14,
    "A": 94,
    "H": 125,
    "U": 63,
    "2H": 64,
    "2C": 101,
    "2S": 216,
    "2G": 37,
    "2F": 129,
    "2B": 46,
    "2T": 102,
    "2Z": 27,
}
LAYOUTS_4X4 = {
    "Q": 42176,
    "C": 37197,
    "T": 10732,
    "O": 9350,
    "D": 314,
    "S": 1020,
    "B": 140,
    "A": 1365,
    "H": 4096,
    "U": 1234,
    "2H": 2401,
    "2C": 1883,
    "2S": 10000,
    "2G": 402,
    "2F": 3933,
    "2B": 876,
    "2T": 2030,
    "2Z": 1296,
}
BY_MINES_3X3 = {
    "Q": [0, 1, 10, 48, 106, 122, 84, 36, 9, 1],
    "C": [1, 9, 20, 48, 85, 102, 78, 36, 9, 1],
    "T": [1, 9, 36, 76, 78, 28, 2],
    "O": [1, 8, 28, 48, 49, 36, 22, 12, 9, 1],
    "D": [1, 0, 12, 0, 12],
    "S": [0, 9, 12, 22, 24, 20, 8, 8],
    "B": [1, 0, 0, 6, 0, 0, 6, 0, 0, 1],
    "A": [1, 9, 28, 36, 18, 2],
    "2C": [1, 9, 20, 32, 25, 9, 4, 0, 0, 1],
    "2G": [1, 0, 0, 0, 36],
    "2F": [1, 5, 22, 44, 41, 14, 2],
    "2B": [1, 0, 0, 17, 0, 0, 27, 0, 0, 1],
    "2T": [0, 0, 0, 6, 45, 45, 6],
    "2Z": [1, 0, 6, 0, 12, 0, 8],
    "2S": [0, 0, 0, 27, 54, 63, 44, 21, 6, 1],
    "2H": [1, 0, 6, 3, 12, 12, 11, 12, 6, 1],
}
"""For each rule the number of layouts with 0, 1, 2, ... mines."""
BY_MINES_4X4 = {
    "C": [1, 16, 42, 132, 419, 1156, 2658, 4912, 7098, 7844, 6498, 3968, 1760, 556, 120, 16, 1],
    "O": [1, 12, 70, 272, 749, 1400, 1826, 1788, 1390, 896, 496, 244, 113, 52, 24, 16, 1],
    "S": [0, 16, 24, 52, 80, 120, 148, 152, 128, 124, 92, 84],
    "D": [1, 0, 24, 0, 126, 0, 148, 0, 15],
    "B": [1, 0, 0, 0, 24, 0, 0, 0, 90, 0, 0, 0, 24, 0, 0, 0, 1],
    "T": [1, 16, 120, 536, 1518, 2740, 3074, 1996, 655, 76],
    "2B": [1, 0, 0, 0, 68, 0, 0, 0, 550, 0, 0, 0, 256, 0, 0, 0, 1],
    "2G": [1, 0, 0, 0, 113, 0, 0, 0, 288],
    "2C": [1, 16, 42, 96, 227, 360, 488, 392, 216, 24, 16, 0, 4, 0, 0, 0, 1],
}


def layouts(rule: str, size: int, mines: int | None) -> int:
    try:
        return odds(Puzzle(grid("square", size, size), (rule,), mines=mines)).solutions
    except NoLayoutError:
        return 0


def test_every_rule_of_layouts_has_a_count() -> None:
    assert LAYOUTS_3X3.keys() == LAYOUTS_4X4.keys() == LAYOUTS.keys()


@pytest.mark.parametrize("rule", LAYOUTS)
def test_an_empty_board_has_the_right_number_of_layouts(rule: str) -> None:
    assert layouts(rule, 3, None) == LAYOUTS_3X3[rule]
    assert layouts(rule, 4, None) == LAYOUTS_4X4[rule]


@pytest.mark.parametrize(
    ("size", "rule", "counts"),
    [
        (size, rule, counts)
        for size, table in ((3, BY_MINES_3X3), (4, BY_MINES_4X4))
        for rule, counts in table.items()
    ],
)
def test_an_empty_board_has_so_many_layouts_with_each_total(
    size: int, rule: str, counts: list[int]
) -> None:
    every = counts + [0] * (size * size + 1 - len(counts))
    assert [layouts(rule, size, mines) for mines in range(size * size + 1)] == every
