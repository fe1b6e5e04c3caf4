"""Generated boards: each move replayed over all layouts, promises kept, initial clues minimal."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.table import grid
from satsweeper.puzzle.play.generate import PuzzleBudgetError, generate_puzzle
from satsweeper.puzzle.play.generated import GeneratedPuzzle
from satsweeper.puzzle.puzzle import Puzzle
from tests.puzzle.plain_boards import AROUND, LAYOUTS, PAIRS, SINGLE, Cell
from tests.puzzle.play.plain_play import HIDDEN, all_layouts, safe_cells, stuck, texts
from tests.puzzle.play.replay import replay

MINES = {"B": 8, "2T": 6, "Q": 5}
"""Rule -> the mines of a 4x4 board; 4 for any other rule."""
HEXAGONS = {"HC": ("4x4", 5), "HN": ("8x8", 36), "HB": ("4x4", 5)}
"""Rule of Hexcells -> the size and the mines of a board of hexagons."""
LARGE = {"B": 24, "2B": 24, "2T": 28, "A": 14, "U": 18, "HN": 38}
"""Rule -> the mines of an 8x8 board; 20 for any other rule."""


def made(rules: str, size: str = "4x4", **options: Any) -> GeneratedPuzzle:
    columns, rows = map(int, size.split("x"))
    mines = options.pop("mines", MINES.get(rules, 4))
    geometry = grid(options.pop("geometry", "square"), rows, columns)
    return generate_puzzle(Puzzle(geometry, tuple(rules.split()), mines=mines), **options)


def cell_set(found: Iterable[list[int]]) -> set[Cell]:
    return {(row, column) for row, column in found}


def check(found: Mapping[str, Any]) -> None:
    """Layout and clues by the plain rules, and each move by the layouts of its reason alone."""
    rows, columns, total = found["rows"], found["columns"], found["mines"]
    rules = found["rules"]
    mines = frozenset(
        (r, c) for r, line in enumerate(found["layout"]) for c, x in enumerate(line) if x == "*"
    )
    solution = texts(found["solution"])
    assert len(mines) == total
    assert {(r, c) for r in range(rows) for c in range(columns)} - mines == solution.keys()
    name = found["geometry"]
    assert mines in [*all_layouts(rules, solution, rows, columns, total, (), name)]
    seen = texts(found["grid"])
    assert {*seen} == cell_set(found["given"])
    assert all(solution[cell] == text for cell, text in seen.items())
    for move in found["moves"]:
        cells, clues = cell_set(move["cells"]), cell_set(move["clues"])
        assert cells <= solution.keys() - seen.keys()
        # Open cells that no reason names show nothing, but are safe.
        assert clues <= seen.keys()
        named = [each for each in rules if each in move["rules"] or each not in LAYOUTS]
        kept = {cell: seen[cell] for cell in clues}
        count = total if move["total"] else None
        assert cells <= safe_cells(named, kept, rows, columns, count, seen.keys() - clues, name)
        seen |= {cell: solution[cell] for cell in cells}
    assert seen == solution


@pytest.mark.parametrize("rules", [*SINGLE, *HIDDEN, "#", *LAYOUTS])
def test_every_move_of_a_board_without_a_guess_follows_from_its_reason_alone(rules: str) -> None:
    check(made(rules, no_guess=True).as_json())


@pytest.mark.parametrize("rules", ["C W", "2H 2X", "U 2I", "T 2E", "O M X", "S N X"])
def test_rules_of_layouts_and_of_clues_go_together(rules: str) -> None:
    check(made(rules, no_guess=True).as_json())


@pytest.mark.slow
@pytest.mark.parametrize("rules", [*SINGLE, *HIDDEN, "#", *LAYOUTS, *PAIRS[:10]])
def test_every_move_of_many_boards_follows_from_its_reason_alone(rules: str) -> None:
    for seed in range(2, 8):
        check(made(rules, no_guess=True, seed=seed).as_json())


@pytest.mark.parametrize("rules", ["C", "W", "2L", *HEXAGONS])
@pytest.mark.parametrize("style", ["click", "puzzle"])
def test_a_solver_with_rows_of_another_reading_proves_every_move(rules: str, style: str) -> None:
    size, mines = HEXAGONS.get(rules, ("4x4", 4))
    geometry = "hexagonal" if rules in HEXAGONS else "square"
    options = {"geometry": geometry, "mines": mines, "style": style, "seed": 2}
    replay(made(rules, size, no_guess=True, **options).as_json())


@pytest.mark.parametrize("rules", ["C", "W"])
def test_a_move_that_opens_a_cell_too_soon_is_not_proved(rules: str) -> None:
    found = made(rules, no_guess=True, seed=2).as_json()
    found["moves"][0]["cells"] += found["moves"].pop()["cells"]
    with pytest.raises(AssertionError):
        replay(found)


@pytest.mark.slow
@pytest.mark.parametrize("rules", [*SINGLE, *HIDDEN, "#", *LAYOUTS, *HEXAGONS])
@pytest.mark.parametrize("style", ["click", "puzzle"])
def test_a_solver_with_rows_of_another_reading_proves_every_move_of_8x8(
    rules: str, style: str
) -> None:
    geometry = "hexagonal" if rules in HEXAGONS else "square"
    mines = LARGE.get(rules, 20)
    board = made(rules, "8x8", geometry=geometry, mines=mines, style=style, no_guess=True)
    replay(board.as_json())


def test_under_hn_a_total_too_small_for_a_value_in_each_cell_is_refused() -> None:
    with pytest.raises(RuleError, match="no layout in which all safe cells show something"):
        made("HN", "8x8", geometry="hexagonal", mines=20)


@pytest.mark.parametrize("rules", ["V", "W", "2E", "2L", "C"])
def test_initial_clues_are_enough_and_none_can_be_left_out(rules: str) -> None:
    found = made(rules, style="puzzle").as_json()
    check(found)
    assert found["start"] is None
    assert found["first_click"] is None
    solution, given = texts(found["solution"]), texts(found["grid"])
    for cell in given:
        rest = {each: text for each, text in given.items() if each != cell}
        end = stuck(rules.split(), rest, solution, 4, 4, found["mines"])
        assert end != solution.keys()


def test_a_stated_number_of_clues_is_open_at_first() -> None:
    for given in (3, 6):
        found = made("V", style="puzzle", given=given).as_json()
        assert len(found["given"]) == given
        check(found)
    with pytest.raises(PuzzleBudgetError, match="with 0 clues at first, of 3 layouts"):
        made("L", style="puzzle", given=0, budget=3)


def test_equal_seeds_give_equal_boards_and_numbers_other_ones() -> None:
    def text(**options: Any) -> str:
        return json.dumps(made("C", size="6x5", mines=9, no_guess=True, **options).as_json())

    assert text(seed=3) == text(seed=3)
    assert len({text(seed=3), text(seed=4), text(seed=3, number=1)}) == 3


@pytest.mark.parametrize("promise", ["none", "safe", "opening"])
@pytest.mark.parametrize("rules", ["V", "2G", "2I"])
def test_a_drawn_board_opens_what_the_first_click_promises(promise: str, rules: str) -> None:
    for seed in range(1, 4):
        found = made(
            rules, size="6x6", mines=8, first_click=promise, start=(4, 3), seed=seed
        ).as_json()
        near = {(4, 3), *[(4 + down, 3 + right) for down, right in AROUND]}
        expected = {"none": set(), "safe": {(4, 3)}, "opening": near}[promise]
        assert cell_set(found["given"]) == expected
        assert found["start"] == [4, 3]
        assert found["moves"] is None
        assert found["uniform"] or rules == "2G"
        if promise == "opening":
            assert found["first_click"] == "opening"


def test_where_no_layout_has_an_opening_the_first_cell_alone_is_safe() -> None:
    found = made("Q", size="5x5", mines=9)
    assert found.first_click == "safe"
    with pytest.raises(RuleError, match="no layout with a safe first click there"):
        made("Q", size="5x5", mines=9, first_click="opening", start=(2, 2))


def test_a_total_that_no_layout_has_and_a_cell_that_is_none_are_refused() -> None:
    with pytest.raises(RuleError, match=r"^square 5x5, rules D, 3 mines: no layout$"):
        made("D", size="5x5", mines=3)
    with pytest.raises(RuleError, match=r"first click \(9, 9\): there is no such cell"):
        made("V", start=(9, 9))


def test_a_first_click_from_which_nothing_follows_uses_up_the_budget() -> None:
    # One letter tells nothing of its cell.
    with pytest.raises(PuzzleBudgetError, match="none without a guess, of 2 layouts"):
        made("2E", no_guess=True, first_click="safe", start=(1, 1), budget=2)
    with pytest.raises(PuzzleBudgetError, match="in time"):
        made("C", size="8x8", mines=20, no_guess=True, timeout=0.0)


@pytest.mark.parametrize("name", ["hexagonal", "torus", "triangular", "knight", "cross"])
@pytest.mark.parametrize("style", ["click", "puzzle"])
def test_moves_on_other_cells_than_squares_follow_from_their_reasons(name: str, style: str) -> None:
    for seed in (1, 2):
        found = made(
            "", geometry=name, mines=4, style=style, no_guess=True, first_click=None, seed=seed
        ).as_json()
        assert found["geometry"] == name
        check(found)
