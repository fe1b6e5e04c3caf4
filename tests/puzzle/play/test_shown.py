"""Clues that cells show in a layout: what the plain reading of each rule allows."""

from random import Random

import pytest

from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.table import grid
from satsweeper.puzzle.play.shown import all_clues, hidden_choices, shown_clue
from satsweeper.puzzle.puzzle import Puzzle
from tests.puzzle.plain_boards import AROUND, OWN, PAIRS, SINGLE, Cell, Mines, counted, shown


def layout_of(puzzle: Puzzle, mines: Mines) -> frozenset[int]:
    return frozenset(puzzle.geometry.numbers[cell] + 1 for cell in mines)


def drawn(random: Random, rows: int, columns: int, count: int) -> Mines:
    every = [(row, column) for row in range(rows) for column in range(columns)]
    return frozenset(random.sample(every, count))


def clues(rules: str, mines: Mines, size: tuple[int, int], seed: str) -> dict[Cell, str] | None:
    puzzle = Puzzle(grid("square", *size), tuple(rules.split()), mines=len(mines))
    layout = layout_of(puzzle, mines)
    hidden = hidden_choices(puzzle, layout, seed)
    if hidden is None:
        return None
    found = all_clues(puzzle, layout, hidden)
    if found is None:
        return None
    own = rules == "#"
    return {
        puzzle.geometry.cells[cell]: "".join(clue.kind.letters) * own + clue.text()  # type: ignore[misc]
        for cell, clue in found.items()
    }


@pytest.mark.parametrize("rules", [*SINGLE, *PAIRS])
def test_every_safe_cell_shows_what_the_rule_allows(rules: str) -> None:
    random = Random(rules)
    for number in range(25):
        size = random.choice([(4, 4), (3, 5), (5, 6)])
        mines = drawn(random, *size, random.randint(2, 8))
        found = clues(rules, mines, size, f"{number}")
        assert found is not None
        assert {*found} == {(r, c) for r in range(size[0]) for c in range(size[1])} - mines
        for cell, text in found.items():
            assert text in shown(rules, cell, mines, *size)


@pytest.mark.parametrize("rules", ["L", "2X'"])
def test_where_a_rule_leaves_two_values_both_are_shown(rules: str) -> None:
    mines = frozenset([(0, 1), (1, 0), (1, 2), (0, 0)])
    allowed = shown(rules, (1, 1), mines, 4, 4)
    assert len(allowed) == 2
    assert {clues(rules, mines, (4, 4), f"{n}")[(1, 1)] for n in range(20)} == allowed


def test_all_clues_of_2i_leave_out_the_same_direction() -> None:
    random = Random(1)
    missing = set()
    for number in range(30):
        mines = drawn(random, 5, 5, 9)
        found = clues("2I", mines, (5, 5), f"{number}")
        assert found is not None
        fitting = {
            place
            for place in range(8)
            if all(
                str(counted(cell, mines, AROUND[:place] + AROUND[place + 1 :])) == text
                for cell, text in found.items()
            )
        }
        assert fitting
        missing |= fitting if len(fitting) == 1 else set()
    assert len(missing) > 4


def test_letters_of_2e_stand_for_numbers_one_for_one_and_differ_between_games() -> None:
    random = Random(2)
    meanings = set()
    for number in range(20):
        mines = drawn(random, 5, 5, 9)
        found = clues("2E", mines, (5, 5), f"{number}")
        assert found is not None
        pairs = {(text, counted(cell, mines)) for cell, text in found.items()}
        assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})
        assert all(len(text) == 1 and "A" <= text <= "I" for text in found.values())
        meanings |= pairs
    assert len(meanings) > 20


def test_under_2l_one_number_of_each_row_and_column_is_one_off() -> None:
    random = Random(3)
    for number in range(40):
        mines = drawn(random, 5, 5, 9)
        found = clues("2L", mines, (5, 5), f"{number}")
        full = any(
            all((i, j) in mines for j in range(5)) or all((j, i) in mines for j in range(5))
            for i in range(5)
        )
        if found is None:
            continue
        assert not full
        off = {cell: abs(int(text) - counted(cell, mines)) for cell, text in found.items()}
        wrong = [cell for cell, far in off.items() if far]
        assert {*off.values()} == {0, 1}
        assert sorted(r for r, _ in wrong) == sorted(c for _, c in wrong) == [0, 1, 2, 3, 4]


def test_a_layout_without_room_for_liars_has_no_clues_and_a_board_that_is_no_square_none() -> None:
    assert clues("2L", frozenset((1, c) for c in range(4)), (4, 4), "1") is None
    with pytest.raises(RuleError, match="2L needs as many rows as columns, not 3 and 4"):
        clues("2L", frozenset([(0, 0)]), (3, 4), "1")


def test_liars_stay_where_they_are_while_they_can() -> None:
    puzzle = Puzzle(grid("square", 6, 6), ("2L",), mines=6)
    random = Random(4)
    before = hidden_choices(puzzle, layout_of(puzzle, drawn(random, 6, 6, 6)), "1")
    assert before is not None
    free = sorted({*range(36)} - before.liars)
    layout = frozenset(cell + 1 for cell in random.sample(free, 6))
    after = hidden_choices(puzzle, layout, "1", before.liars)
    assert after is not None
    assert after.liars == before.liars


def test_each_cell_of_a_board_of_mixed_rules_has_its_letter_and_shows_it_rightly() -> None:
    random = Random(5)
    letters = set()
    for number in range(10):
        mines = drawn(random, 5, 5, 8)
        found = clues("#", mines, (5, 5), f"{number}")
        assert found is not None
        for cell, text in found.items():
            assert text[1:] in shown(text[0], cell, mines, 5, 5)
            letters.add(text[0])
    assert letters == {*OWN}


def test_mixed_rules_on_hexagons_leave_out_what_needs_squares() -> None:
    puzzle = Puzzle(grid("hexagonal", 6, 6), ("#",), mines=0)
    hidden = hidden_choices(puzzle, frozenset(), "1")
    assert hidden is not None
    found = all_clues(puzzle, frozenset(), hidden)
    assert found is not None
    assert {clue.kind.letters[0] for clue in found.values()} == {*"VMLWNP"}


def test_a_cell_shows_the_same_whatever_was_asked_before() -> None:
    puzzle = Puzzle(grid("square", 5, 5), ("L",), mines=6)
    layout = layout_of(puzzle, drawn(Random(6), 5, 5, 6))
    hidden = hidden_choices(puzzle, layout, "9")
    assert hidden is not None
    safe = [cell for cell in range(25) if cell + 1 not in layout]
    one = {cell: shown_clue(puzzle, cell, layout, hidden) for cell in safe}
    assert {cell: shown_clue(puzzle, cell, layout, hidden) for cell in reversed(safe)} == one


def test_a_product_of_distances_needs_two_mines() -> None:
    assert clues("2P", frozenset([(0, 0)]), (4, 4), "1") is None
