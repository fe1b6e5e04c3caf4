"""Exact odds against plain enumeration of layouts, published positions, and the verdicts."""

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import count
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import satsweeper.count.odds as odds_module
from satsweeper import Position, classify, odds
from satsweeper.count.budget import OddsLimitError
from satsweeper.count.odds import NoLayoutError, digits


def expected(
    board: Any, density: Fraction | None = None
) -> tuple[int, dict[tuple[int, int], Fraction]]:
    """The number of layouts and every covered cell's chance, one layout after the other."""
    covered = board.at(-1)
    chance = Fraction(1, 2) if density is None else density
    whole, number = Fraction(0), 0
    mined = dict.fromkeys(covered, Fraction(0))
    for layout in board.layouts():
        inside = sum(cell in layout for cell in covered)
        weight = chance**inside * (1 - chance) ** (len(covered) - inside)
        if density is None:
            weight = Fraction(1)
        whole += weight
        number += 1
        for cell in covered:
            if cell in layout:
                mined[cell] += weight
    return number, {cell: ways / whole for cell, ways in mined.items()} if whole else {}


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_odds_are_shares_of_the_layouts_with_the_total_known_and_unknown(
    small_boards: Callable[..., Any], data: st.DataObject
) -> None:
    board = data.draw(small_boards(most=9))
    number, chances = expected(board)
    position = Position(board.cells, board.total)
    if not number:
        with pytest.raises(NoLayoutError):
            odds(position)
        return
    found = odds(position)
    assert found.solutions == number
    assert found.mine == chances
    assert list(found.mine) == board.at(-1)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data(), st.fractions(0, 1, max_denominator=30).filter(lambda p: 0 < p < 1))
def test_a_density_weighs_the_layouts(
    small_boards: Callable[..., Any], data: st.DataObject, density: Fraction
) -> None:
    board = data.draw(small_boards(most=9, consistent=True))._replace(total=None)
    found = odds(Position(board.cells), density=density)
    assert (found.solutions, found.mine) == expected(board, density)
    if found.interior is not None:
        assert found.interior == density


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_ignored_flags_are_covered_cells(
    small_boards: Callable[..., Any], data: st.DataObject
) -> None:
    board = data.draw(small_boards(most=9, consistent=True))
    plain = board._replace(cells=np.where(board.cells == -2, np.int8(-1), board.cells))
    found = odds(Position(board.cells, board.total), flags="ignore")
    assert (found.solutions, found.mine) == expected(plain)


def test_nothing_and_everything_is_certain_where_the_verdicts_say_so(sample: list[Any]) -> None:
    for record in sample:
        for mines in (None, "keep"):
            position = Position.parse(record.text)
            if mines is None:
                position = Position.parse(record.text, mines=None)
            try:
                found = odds(position, timeout=2)
            except OddsLimitError:
                continue
            verdicts = classify(position)
            assert [cell for cell, p in found.mine.items() if p == 0] == verdicts.safe
            assert [cell for cell, p in found.mine.items() if p == 1] == verdicts.mines


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_a_chance_is_0_or_1_exactly_where_a_verdict_is_safe_or_mine(
    small_boards: Callable[..., Any], data: st.DataObject
) -> None:
    board = data.draw(small_boards(most=14, consistent=True))
    position = Position(board.cells, board.total)
    found, verdicts = odds(position), classify(position)
    assert [cell for cell, p in found.mine.items() if p == 0] == verdicts.safe
    assert [cell for cell, p in found.mine.items() if p == 1] == verdicts.mines
    assert all(type(p) is Fraction for p in found.mine.values())
    assert type(found.solutions) is int


def test_a_board_without_clues_is_one_interior() -> None:
    found = odds(Position(np.full((9, 9), -1), 10))
    assert found.solutions == comb(81, 10)
    assert found.interior == Fraction(10, 81)
    assert found.interior_cells == 81
    assert set(found.mine.values()) == {Fraction(10, 81)}


def strip(length: int) -> list[list[int]]:
    """Three rows; every other cell of the middle one is a clue."""
    rng = random.Random(4)
    mines = {(r, c) for r in (0, 2) for c in range(length) if rng.random() < 0.4}
    return [
        [
            sum((a, b) in mines for a in (0, 1, 2) for b in (c - 1, c, c + 1))
            if r == 1 and c % 2 == 0
            else -1
            for c in range(length)
        ]
        for r in range(3)
    ]


def test_a_long_strip_is_counted_exactly_and_its_totals_sum_up_to_the_whole() -> None:
    cells = strip(60)
    whole = odds(Position(cells))
    assert whole.solutions > 10**18
    by_total = []
    for total in range(30, 110):
        try:
            by_total.append(odds(Position(cells, total)))
        except NoLayoutError:
            continue
    assert sum(each.solutions for each in by_total) == whole.solutions
    for cell in ((0, 0), (0, 30), (2, 59)):
        mined = sum(each.mine[cell] * each.solutions for each in by_total)
        assert mined == whole.mine[cell] * whole.solutions
    for each in by_total:
        assert sum(each.mine.values()) == each.position.mines


def test_a_region_that_is_too_wide_is_refused_by_name() -> None:
    with pytest.raises(OddsLimitError, match=r"region of 37 cells at \(0, 0\).*open at once"):
        odds(Position(strip(60)), max_width=1)
    odds(Position(strip(60)))
    # Nor is it remembered from a call that allowed more.
    with pytest.raises(OddsLimitError, match=r"region of 37 cells at \(0, 0\).*open at once"):
        odds(Position(strip(60)), max_width=1)
    with pytest.raises(OddsLimitError, match="time limit"):
        odds(Position(strip(60)), timeout=0)


def test_a_density_excludes_a_known_total() -> None:
    with pytest.raises(ValueError, match="excludes a known total"):
        odds(Position([[-1, 1]], 1), density=Fraction(1, 5))
    with pytest.raises(ValueError, match="above 0 and below 1"):
        odds(Position([[-1, 1]]), density=Fraction(1))


def test_numbers_of_any_size_are_written() -> None:
    found = odds(Position(np.full((150, 150), -1)))
    answer = found.as_json()
    assert answer["solutions"] == digits(2**22500)
    assert len(answer["solutions"]) == 6774
    assert digits(0) == "0"
    assert digits(10**9000 + 7) == "1" + "0" * 8999 + "7"


def test_a_limit_is_kept_while_rules_are_applied_and_binomials_multiplied(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On a board of a million cells each takes seconds."""
    position = Position.parse("3 8 4\n1???????\n???1????\n????????")
    looks = count()
    monkeypatch.setattr("satsweeper.processes.deadline.monotonic", lambda: float(next(looks)))
    reached: list[str] = []
    for at in ("boxes_of", "count_region", "combine", "Odds"):
        known = getattr(odds_module, at)

        def told(*arguments: Any, at: str = at, known: Any = known) -> Any:
            reached.append(at)
            return known(*arguments)

        monkeypatch.setattr(odds_module, at, told)
    ends = []
    for seconds in count():
        reached.clear()
        try:
            odds(position, timeout=seconds)
        except OddsLimitError:
            ends.append(reached[-1] if reached else "")
        else:
            break
    assert ends[0] == ""
    assert ends[-1] == "combine"
    assert ends.count("combine") > 2
