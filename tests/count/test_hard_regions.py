"""Regions with far more layouts than anyone can list: exact odds, or a refusal that says why."""

import random
from fractions import Fraction

import numpy as np
import pytest

from satsweeper import Position, classify, odds
from satsweeper.count import budget
from satsweeper.count.budget import OddsLimitError


def checkerboard(side: int, seed: int) -> Position:
    """Every other cell of a random layout, 30 % mines, is opened where it is safe."""
    rng = random.Random(seed)
    mines = {(r, c) for r in range(side) for c in range(side) if rng.random() < 0.3}
    cells = np.full((side, side), -1, np.int8)
    for r, c in np.ndindex(side, side):
        if (r + c) % 2 == 0 and (r, c) not in mines:
            near = [(a, b) for a in range(r - 1, r + 2) for b in range(c - 1, c + 2)]
            cells[r, c] = sum(cell in mines for cell in near)
    return Position(cells, len(mines))


def threes() -> Position:
    """A row of clues between two rows of covered cells: one mine in each column."""
    cells = np.full((3, 60), -1, np.int8)
    cells[1] = 3
    cells[1, [0, -1]] = 2
    return Position(cells, 60)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_checkerboard_of_50_by_50_is_counted_exactly(seed: int) -> None:
    known = checkerboard(50, seed)
    free = Position(known.cells)
    found, weighed = odds(free), odds(known)
    assert 10**45 < found.solutions < 10**60
    assert 10**40 < weighed.solutions < found.solutions
    assert sum(weighed.mine.values()) == known.mines
    verdicts = classify(free)
    assert [cell for cell, p in found.mine.items() if p == 0] == verdicts.safe
    assert [cell for cell, p in found.mine.items() if p == 1] == verdicts.mines
    for cell in verdicts.safe + verdicts.mines:
        assert weighed.mine[cell] == found.mine[cell]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_one_more_clue_keeps_the_share_of_layouts_that_the_odds_promise(seed: int) -> None:
    position = Position(checkerboard(30, seed).cells)
    found = odds(position)
    cell = next(cell for cell, p in found.mine.items() if 0 < p < 1)
    opened = 0
    for clue in range(9):
        try:
            opened += odds(position.with_clue(cell, clue)).solutions
        except ValueError:
            continue
    assert Fraction(opened, found.solutions) == 1 - found.mine[cell]


def test_a_strip_of_threes_has_a_layout_for_each_choice_in_each_column() -> None:
    position = threes()
    found = odds(position)
    assert found.solutions == 2**60
    assert set(found.mine.values()) == {Fraction(1, 2)}
    assert not classify(position).safe + classify(position).mines
    assert odds(Position(position.cells)).solutions == 2**60


def test_what_would_take_too_long_is_refused_by_name_and_by_what_it_would_cost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = checkerboard(30, 0)
    name = r"the region of 369 cells at \(0, \d+\)"
    with pytest.raises(OddsLimitError, match=name + r" is too wide: \d+ clues .* up to 2\^\d+ p"):
        odds(position, max_width=8)
    for limit, message in [
        ("MAX_TRIED", r"takes too long: width \d+, pairs of states: [\d,]+ \(limit 1,000\)"),
        ("MAX_PAIRS", r"takes too much memory: width \d+, pairs of states: [\d,]+ \(limit 1,000\)"),
        ("MAX_PRODUCTS", r"takes too long: width \d+, \d+ pairs of states, bits to multiply"),
        ("MAX_STORED", r"takes too much memory: width \d+, bytes: [\d,]+ \(limit 1,000\)"),
    ]:
        with monkeypatch.context() as patch:
            patch.setattr(budget, limit, 1000)
            with pytest.raises(OddsLimitError, match=f"{name} {message}"):
                odds(position)
    monkeypatch.setattr(budget, "MAX_MIXED", 10)
    with pytest.raises(OddsLimitError, match=r"the total over \d+ regions takes too long: bits of"):
        odds(position)
