"""Numbers of layouts of empty boards under each rule of layouts, counted by brute force."""

import pytest

from satsweeper.count.odds import NoLayoutError
from satsweeper.puzzle.geometry.table import grid
from satsweeper.puzzle.odds.odds import odds
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.table import LAYOUTS
from tests.puzzle.published import EMPTY, Empty


def layouts(rule: str, size: int, mines: int | None) -> int:
    try:
        return odds(Puzzle(grid("square", size, size), (rule,), mines=mines)).solutions
    except NoLayoutError:
        return 0


def test_every_rule_of_layouts_has_a_count() -> None:
    assert [each.rule for each in EMPTY] == [*LAYOUTS]


@pytest.mark.parametrize("empty", EMPTY, ids=lambda each: each.rule)
def test_an_empty_board_has_the_published_number_of_layouts_with_each_total(empty: Empty) -> None:
    assert layouts(empty.rule, 3, None) == sum(empty.three)
    assert layouts(empty.rule, 4, None) == empty.four
    for size, counts in ((3, empty.three), (4, empty.four_by_mines)):
        every = counts + [0] * (size * size + 1 - len(counts)) * bool(counts)
        assert [layouts(empty.rule, size, mines) for mines in range(len(every))] == every
