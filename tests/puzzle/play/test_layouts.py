"""Drawn layouts meet every rule; small boards show that each layout can come."""

from collections import Counter
from random import Random

import pytest

from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.table import grid
from satsweeper.puzzle.play import layouts
from satsweeper.puzzle.play.layouts import LayoutSource
from satsweeper.puzzle.puzzle import Puzzle
from tests.puzzle.plain_boards import LAYOUTS, Mines, meets

COUNTS = {
    "Q": 12, "C": 12, "T": 12, "O": 12, "D": 10, "S": 11, "B": 12, "A": 9, "H": 12, "U": 10,
    "2H": 14, "2C": 12, "2S": 14, "2G": 12, "2F": 12, "2B": 12, "2T": 18, "2Z": 14,
}  # fmt: skip
"""Rule -> a number of mines that 6x6 layouts can have."""


def source(rules: str, size: int, mines: int) -> LayoutSource:
    return LayoutSource(Puzzle(grid("square", size, size), tuple(rules.split()), mines=mines))


def cells_of(layout: frozenset[int], columns: int) -> Mines:
    return frozenset(divmod(variable - 1, columns) for variable in layout)


@pytest.mark.parametrize("rule", LAYOUTS)
def test_drawn_layouts_meet_their_rule_with_the_stated_number_of_mines(rule: str) -> None:
    found = set()
    with source(rule, 6, COUNTS[rule]) as drawing:
        for seed in range(4):
            drawn = drawing.draw(Random(seed))
            assert drawn is not None
            mines = cells_of(drawn.mines, 6)
            assert len(mines) == COUNTS[rule]
            assert meets(rule, mines, 6, 6)
            found.add(mines)
    assert len(found) > 1


@pytest.mark.parametrize("rules", ["C T", "Q 2T", "H 2S", "U C", "D Q", "2H 2F"])
def test_rules_hold_together(rules: str) -> None:
    mines = {"Q 2T": 16, "H 2S": 6, "U C": 8, "D Q": 14, "2H 2F": 12}.get(rules, 10)
    with source(rules, 6, mines) as drawing:
        for seed in range(3):
            drawn = drawing.draw(Random(seed))
            assert drawn is not None
            found = cells_of(drawn.mines, 6)
            assert len(found) == mines
            assert all(meets(rule, found, 6, 6) for rule in rules.split())


def test_layouts_without_a_rule_are_equally_likely() -> None:
    with source("", 3, 2) as drawing:
        found = Counter(drawing.draw(Random(seed)) for seed in range(1800))
    # 36 layouts, 50 times each if all were equal: the standard deviation is 7.
    assert len(found) == 36
    assert all(each is not None and each.uniform for each in found)
    assert 20 < min(found.values()) <= max(found.values()) < 80


def test_layouts_that_are_drawn_until_they_fit_are_equally_likely() -> None:
    with source("T", 3, 5) as drawing:
        found = Counter(drawing.draw(Random(seed)) for seed in range(1400))
    # 28 layouts by the published count.
    assert len(found) == 28
    assert all(each is not None and each.uniform for each in found)
    assert 20 < min(found.values()) <= max(found.values()) < 80


@pytest.mark.parametrize(("rule", "size", "mines", "count"), [("C", 3, 4, 102), ("B", 4, 4, 24)])
def test_what_the_solver_finds_can_be_any_layout_and_is_not_called_uniform(
    rule: str, size: int, mines: int, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Counts by the published table: C 3x3 with 5 mines 102, B 4x4 with 4 mines 24.
    monkeypatch.setattr(layouts, "_TRIES", 0)
    mines = 5 if rule == "C" else mines
    with source(rule, size, mines) as drawing:
        every = drawing.puzzle.board.num_vars
        found = set()
        for seed in range(1500):
            random = Random(seed)
            target = frozenset(random.sample(range(1, every + 1), mines))
            layout = drawing.near(random, target)
            assert layout is not None
            found.add(layout)
        drawn = drawing.draw(Random(1))
    assert len(found) == count
    assert drawn is not None
    assert not drawn.uniform


def test_a_target_that_is_a_layout_is_found_itself() -> None:
    with source("S", 5, 8) as drawing:
        drawn = drawing.draw(Random(3))
        assert drawn is not None
        assert drawing.near(Random(4), drawn.mines) == drawn.mines


def test_promised_cells_are_free_and_impossible_promises_are_none() -> None:
    with source("Q", 5, 10) as drawing:
        assert drawing.possible([0])
        assert not drawing.possible([0, 1, 5, 6])
        assert drawing.draw(Random(1), [0, 1, 5, 6]) is None
        drawn = drawing.draw(Random(1), [6, 12])
        assert drawn is not None
        assert not {7, 13} & drawn.mines


def test_totals_that_no_layout_has_give_none_and_unknown_totals_are_refused() -> None:
    with source("D", 5, 7) as drawing:
        assert drawing.draw(Random(1)) is None
        assert not drawing.possible()
    with pytest.raises(RuleError, match="the total is unknown"):
        LayoutSource(Puzzle(grid("square", 3, 3), ("C",)))
