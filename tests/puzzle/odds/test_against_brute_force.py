"""Random boards of squares under every rule and under pairs: odds against all layouts."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from satsweeper.count.budget import OddsLimitError
from satsweeper.count.odds import NoLayoutError
from satsweeper.puzzle.odds import components
from satsweeper.puzzle.odds.odds import odds
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.table import CLUES, LAYOUTS
from tests.puzzle import plain_rules
from tests.puzzle.odds.layout_tables import LayoutTable, board_text, weighed

RULES = [*LAYOUTS, *[each for each in CLUES if each not in ("2L", "HC", "HN", "HB")]]
PAIRS = [*plain_rules.PAIRS, "C W", "S 2A", "T E", "2G L", "O P", "B 2Q", "2B 2P", "2E C", "D 2I"]


@cache
def table(rows: int, columns: int, rules: str) -> LayoutTable:
    return LayoutTable(rows, columns, rules)


def compare(layouts: LayoutTable, rng: random.Random) -> None:
    """Compare the odds of a random board with the share of its layouts that mine each cell."""
    number, clues = layouts.random_clues(rng, rng.choice((0.1, 0.3, 0.6, 0.9)))
    total = number.bit_count() if rng.random() < 0.6 else None
    mines = {cell for place, cell in enumerate(layouts.cells) if number >> place & 1}
    flags = {cell for cell in mines if rng.random() < 0.1}
    opened = {cell for cell in {*layouts.cells} - mines - {*clues} if rng.random() < 0.05}
    density = Fraction(2, 7) if total is None and rng.random() < 0.4 else None
    trusted = rng.random() < 0.5
    text = board_text(layouts.rules, layouts.rows, layouts.columns, clues, flags, total)
    puzzle = Puzzle.parse(text)
    puzzle = replace(puzzle, opened=frozenset(puzzle.geometry.numbers[cell] for cell in opened))
    accepted = layouts.accepted(clues, flags if trusted else set(), opened, total)
    try:
        found = odds(puzzle, density=density, flags="trust" if trusted else "ignore")
    except NoLayoutError:
        assert not accepted.any(), text
        return
    assert found.solutions == int(accepted.sum()), text
    seen = {*clues, *opened, *(flags if trusted else ())}
    assert [*found.mine] == [cell for cell in layouts.cells if cell not in seen]
    for cell, chance in found.mine.items():
        mined = accepted & layouts.mine(cell)
        if density is None:
            assert chance == Fraction(int(mined.sum()), found.solutions), (text, cell)
        else:
            size = layouts.size - len(clues) - len(opened)
            whole = weighed(accepted, layouts.mines, density, size)
            part = weighed(mined, layouts.mines, density, size)
            assert chance == part / whole, (text, cell)


@pytest.mark.parametrize("rules", [*RULES, *PAIRS])
def test_odds_are_the_shares_of_layouts_on_small_boards(rules: str) -> None:
    rng = random.Random(rules)
    rows, columns = rng.choice(((3, 4), (4, 3))) if {*rules.split()} <= {*LAYOUTS} else (3, 3)
    layouts = table(rows, columns, rules)
    for _ in range(6):
        compare(layouts, rng)


@pytest.mark.parametrize("rules", ["2L", "2L C", "2L T"])
def test_odds_are_the_shares_of_layouts_where_one_number_of_each_line_lies(rules: str) -> None:
    rng = random.Random(rules)
    layouts = table(3, 3, rules)
    for _ in range(30):
        compare(layouts, rng)


@pytest.mark.parametrize("rules", ["V", "C", "2A", "2Q", "2L", "2L T", "C W", "2E", "D 2I", "B"])
def test_products_of_diagrams_count_the_same_as_reading(rules: str, monkeypatch) -> None:
    # A reading that never ends within its steps leaves the counting to proofs and products.
    monkeypatch.setattr(components, "expand", lambda *_: [])
    rng = random.Random(f"products {rules}")
    layouts = table(3, 3, rules)
    for _ in range(12):
        compare(layouts, rng)


@pytest.mark.parametrize("rules", ["2L", "2Q", "C"])
def test_a_board_that_takes_too_many_steps_is_refused_in_a_line(rules: str, monkeypatch) -> None:
    monkeypatch.setattr(components, "expand", lambda *_: [])
    monkeypatch.setattr(components, "MAX_STEPS", 2000)
    board = f"rules: {rules}\nmines: 9\n? ? 2 ? ? 3\n" + "? ? ? ? ? ?\n? 3 ? ? ? ?\n" * 2 + "? " * 6
    said = r"^the region of \d+ cells at \(0, \d\) takes too long: more than [\d,]+ steps$"
    with pytest.raises(OddsLimitError, match=said):
        odds(Puzzle.parse(board))


@pytest.mark.slow
@pytest.mark.parametrize("rules", [*RULES, "2L", *PAIRS])
def test_odds_are_the_shares_of_layouts_on_boards_of_sixteen_cells(rules: str) -> None:
    rng = random.Random(rules)
    layouts = LayoutTable(4, 4, rules)
    for _ in range(40):
        compare(layouts, rng)


def test_a_wrong_count_would_be_seen() -> None:
    # The oracle itself: both layouts of two cells beside a 1, and none beside a 3.
    layouts = table(1, 3, "V")
    accepted = layouts.accepted({(0, 1): "1"}, set(), set(), None)
    assert np.flatnonzero(accepted).tolist() == [0b001, 0b100]
    assert not layouts.accepted({(0, 1): "3"}, set(), set(), None).any()
