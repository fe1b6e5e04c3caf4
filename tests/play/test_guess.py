"""Strategies asked about a position: they see what a player may conclude."""

from fractions import Fraction
from random import Random

import pytest

from satsweeper import Position
from satsweeper.count.odds import NoLayoutError, odds
from satsweeper.play.advice import advise
from satsweeper.play.playing import TooWideError, guess_at, view_at


def test_a_view_shows_the_chances_of_all_layouts(open_some, all_layouts):
    random = Random(5)
    for _ in range(20):
        cells, total = open_some(3, 4, random)
        layouts = all_layouts(cells, total)
        position = Position(cells, total)
        with view_at(position, odds(position)) as view:
            for cell in layouts[0]:
                share = sum(layout[cell] == "*" for layout in layouts) / len(layouts)
                if 0 < share < 1:
                    assert view.chance(cell) == pytest.approx(share)
                    assert cell in view.covered
                else:
                    assert cell not in view.covered


def test_flags_are_trusted_or_ignored():
    position = Position.parse("1 3 1\nF?1")
    seen = []

    def first(view):
        seen.append(view.covered)
        return view.covered[0]

    with pytest.raises(NoLayoutError):
        guess_at(position, first)
    position = Position.parse("2 2 1\n1?\n1F")
    assert guess_at(position, first, flags="ignore") == ((0, 1), Fraction(1, 2))
    assert seen == [[(0, 1), (1, 1)]]


def test_without_the_total_there_is_no_view():
    with pytest.raises(ValueError, match="a view needs the total"):
        guess_at(Position.parse("1?\n1?"), lambda view: view.covered[0])


def test_what_is_too_wide_for_a_strategy_is_advised_by_the_odds(dominoes):
    """Every clue wants one mine beside it; a sweep has fourteen and more of them open at once."""
    position = dominoes(14)
    with pytest.raises(TooWideError, match="too wide"):
        guess_at(position, lambda view: view.covered[0])
    advice = advise(position)
    assert (advice.strategy, advice.certain) == ("safest", ())
    chances = odds(position).mine
    assert [each.safe for each in advice.choices] == sorted(
        (1 - chance for chance in chances.values()), reverse=True
    )[: len(advice.choices)]
    assert {each.win for each in advice.choices} == {None}


def test_a_large_board_needs_no_room_for_trees_that_are_not_there():
    """As much room as for every depth of a tree over all cells would be gigabytes."""
    rows = [["?"] * 100 for _ in range(100)]
    rows[0][0] = "1"
    position = Position.parse("100 100 1400\n" + "\n".join(map("".join, rows)))
    best = advise(position).choices[0]
    # A cell far from the clue, as safe as the interior is.
    assert 0 < best.safe < 1
    assert best.win is None


@pytest.fixture(scope="module")
def dominoes():
    """Points of a square lattice are clues; the cell between two may hold a mine, one a point."""

    def make(points):
        size = 2 * points + 1
        clues = {(r, c) for r in range(1, size, 2) for c in range(1, size, 2)}
        between = {
            (r + down, c + right)
            for r, c in clues
            for down, right in ((1, 0), (0, 1))
            if (r + 2 * down, c + 2 * right) in clues
        }
        flags = {(r, c) for r in range(size) for c in range(size)} - clues - between
        grid = [["F"] * size for _ in range(size)]
        for r, c in between:
            grid[r][c] = "?"
        for r, c in clues:
            near = {(r + i, c + j) for i in (-1, 0, 1) for j in (-1, 0, 1)}
            grid[r][c] = str(1 + len(near & flags))
        total = len(flags) + points * points // 2
        return Position.parse(f"{size} {size} {total}\n" + "\n".join(map("".join, grid)))

    return make
