"""Chances and advice: counts of worked positions, and brute force over all layouts."""

from fractions import Fraction
from math import comb
from random import Random

import pytest

from satsweeper.board.errors import LimitError
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.table import grid
from satsweeper.puzzle.play.advice import advise_puzzle
from satsweeper.puzzle.play.chances import chances
from satsweeper.puzzle.puzzle import Puzzle
from tests.puzzle.plain_rules import cells
from tests.puzzle.play.plain_play import all_layouts

WORKED = {
    "C": ("8", ". 3 . . / 3 . . . / . . . . / 1 . 3 .", 10, "10 5 8 10 5 8 4 6 8 8 0 8"),
    "O": ("7", "1 . . . / 2 . 4 . / 4 . . . / . . . .", 5, "0 0 4 5 3 5 1 2 5 5 2 3"),
    "W": ("5", ". . . 2 / . 13 . 3 / . . . . / . . 11 .", 6, "2 0 6 2 6 2 0 6 0 0 3 3"),
    "2P": ("6", ". . . 20 / . . 2 2 / 1 . . . / . . . .", 22, "10 0 0 16 0 16 22 22 16 10 10 10"),
    "B": ("8", ". . . 2 / . 5 . . / . . . 3 / . . . .", 4, "1 3 4 4 0 4 2 3 3 1 2 1 4"),
}
"""Rule -> the total, a position, its number of layouts, and how many have a mine in each cell."""


def position(rules: str, total: str, rows: str) -> Puzzle:
    text = "\n".join(line.strip() for line in rows.split("/"))
    return Puzzle.parse(f"rules: {rules}\nmines: {total}\n{text}\n")


@pytest.mark.parametrize("rules", WORKED)
def test_worked_positions_have_their_counts(rules: str) -> None:
    total, rows, layouts, held = WORKED[rules]
    found = chances(position(rules, total, rows))
    assert found.layouts == layouts
    expected = [Fraction(int(each), layouts) for each in held.split()]
    assert [found.mine[cell] for cell in sorted(found.mine)] == expected


@pytest.mark.parametrize("rules", ["V", "L", "2I", "T", "X"])
def test_chances_are_those_of_all_layouts(rules: str) -> None:
    random = Random(rules)
    tried = 0
    while tried < 6:
        puzzle = Puzzle(grid("square", 4, 4), tuple(rules.split()), mines=random.randint(2, 4))
        opened = {}
        for cell in random.sample(range(16), 2):
            number = random.randint(0, 2)
            puzzle = puzzle.with_clue(cell, number)
            opened[divmod(cell, 4)] = str(number)
        layouts = [*all_layouts([rules], opened, 4, 4, puzzle.mines)]
        if not layouts:
            with pytest.raises(RuleError, match="no layout"):
                chances(puzzle)
            continue
        tried += 1
        found = chances(puzzle)
        assert found.layouts == len(layouts)
        assert {divmod(cell, 4): chance for cell, chance in found.mine.items()} == {
            cell: Fraction(sum(cell in mines for mines in layouts), len(layouts))
            for cell in cells(4, 4)
            if cell not in opened
        }


def test_cells_that_the_total_alone_counts_are_not_enumerated() -> None:
    puzzle = Puzzle(grid("hexagonal", 20, 20), mines=100).with_clue(0, 1)
    found = chances(puzzle, limit=10)
    # The first hexagon has two neighbours, one with the mine; 397 cells are left for 99.
    assert found.layouts == 2 * comb(397, 99)
    assert found.mine[1] == Fraction(1, 2)
    assert found.mine[399] == Fraction(99, 397)


def test_more_layouts_than_the_limit_are_an_error_and_so_is_an_unknown_total() -> None:
    puzzle = Puzzle(grid("square", 6, 6), ("C",), mines=8)
    with pytest.raises(LimitError, match="more than 50 layouts"):
        chances(puzzle, limit=50)
    with pytest.raises(RuleError, match="need the total"):
        chances(Puzzle(grid("square", 3, 3), ("C",)))


def test_certain_cells_come_first_then_choices_by_their_odds() -> None:
    certain = advise_puzzle(position("C", *WORKED["C"][:2]))
    assert [divmod(cell, 4) for cell in certain.certain] == [(3, 1)]
    assert not certain.choices
    guess = advise_puzzle(position("V", "2", "1 . / . ."))
    assert guess.choices == ()
    assert guess.inconsistent is not None
    guess = advise_puzzle(position("V", "2", "1 . . / . . ."))
    assert guess.layouts == 6
    assert guess.choices[0][1] == 1 - Fraction(2, 6)
    assert [safe for _, safe in guess.choices] == sorted(
        [safe for _, safe in guess.choices], reverse=True
    )


def test_without_the_total_a_guess_is_not_advised_and_without_cells_there_is_none() -> None:
    assert advise_puzzle(Puzzle.parse("rules: T\n1 ? ?\n? ? ?\n")).needs_total
    won = advise_puzzle(Puzzle.parse("rules: V\nmines: 0\n0 0\n0 0\n"))
    assert (won.certain, won.choices, won.needs_total) == ((), (), False)
