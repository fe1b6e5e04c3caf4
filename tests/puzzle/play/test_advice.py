"""Advice on boards with rules: certain cells, else the odds of all layouts."""

from fractions import Fraction
from random import Random

import pytest

from satsweeper.puzzle.geometry.table import grid
from satsweeper.puzzle.play.advice import advise_puzzle
from satsweeper.puzzle.puzzle import Puzzle
from tests.puzzle.plain_boards import cells
from tests.puzzle.play.plain_play import all_layouts


def position(rules: str, total: str, rows: str) -> Puzzle:
    text = "\n".join(line.strip() for line in rows.split("/"))
    return Puzzle.parse(f"rules: {rules}\nmines: {total}\n{text}\n")


@pytest.mark.parametrize("rules", ["V", "L", "2I", "T", "X"])
def test_advice_is_what_all_layouts_say(rules: str) -> None:
    random = Random(rules)
    guesses = 0
    for _ in range(12):
        puzzle = Puzzle(grid("square", 4, 4), tuple(rules.split()), mines=random.randint(2, 4))
        opened = {}
        for cell in random.sample(range(16), 2):
            number = random.randint(0, 2)
            puzzle = puzzle.with_clue(cell, number)
            opened[divmod(cell, 4)] = str(number)
        layouts = [*all_layouts([rules], opened, 4, 4, puzzle.mines)]
        advice = advise_puzzle(puzzle)
        assert (advice.inconsistent is None) == bool(layouts)
        if not layouts:
            continue
        held = {
            cell: sum(cell in mines for mines in layouts)
            for cell in cells(4, 4)
            if cell not in opened
        }
        safe = {cell for cell, count in held.items() if not count}
        assert {divmod(cell, 4) for cell in advice.certain} == safe
        if not safe:
            guesses += 1
            assert advice.layouts == len(layouts)
            assert {divmod(cell, 4): chance for cell, chance in advice.choices} == {
                cell: 1 - Fraction(count, len(layouts)) for cell, count in held.items()
            }
    assert guesses


def test_certain_cells_come_first_then_choices_by_their_odds() -> None:
    certain = advise_puzzle(position("C", "8", ". 3 . . / 3 . . . / . . . . / 1 . 3 ."))
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
