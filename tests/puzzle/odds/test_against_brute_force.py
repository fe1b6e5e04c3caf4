"""Random boards under every rule, under pairs and of every geometry: odds against all layouts."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from satsweeper.count.budget import OddsLimitError
from satsweeper.count.odds import NoLayoutError
from satsweeper.puzzle.odds import components, products
from satsweeper.puzzle.odds.odds import odds
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.table import CLUES, LAYOUTS
from scripts.fuzzing import plain_readings
from scripts.fuzzing.plain_shapes import GRIDS
from scripts.fuzzing.rule_boards import RuleBoard, Subject, draw
from scripts.fuzzing.rule_checks import puzzle_of
from tests.puzzle.plain_boards import parted

RULES = [*LAYOUTS, *[each for each in CLUES if each not in ("2L", "HC", "HN", "HB")]]
PAIRS = [
    *plain_readings.PAIRS,
    "C W",
    "S 2A",
    "T E",
    "2G L",
    "O P",
    "B 2Q",
    "2B 2P",
    "2E C",
    "D 2I",
]
Table = tuple[Subject, tuple[int, int] | None]


def table(rows: int, columns: int, rules: str) -> Table:
    """Boards of squares under rules."""
    layouts, clues = parted(rules.split())
    return Subject("square", tuple(layouts), clues), (rows, columns)


def weighed(board: RuleBoard, layouts: int, density: Fraction | None) -> Fraction:
    """The number of the ``layouts`` in a table, or the sum of their chances."""
    if density is None:
        return Fraction(layouts.bit_count())
    n = len(board.shape.cells)
    held = [(layouts & board.readings.total(mines)).bit_count() for mines in range(n + 1)]
    return sum(
        (count * density**k * (1 - density) ** (n - k) for k, count in enumerate(held)), Fraction(0)
    )


def compare(layouts: Table, rng: random.Random) -> None:
    """Compare the odds of a random board with the share of its layouts that mine each cell."""
    board = draw(layouts[0], rng, layouts[1])
    puzzle: Puzzle = puzzle_of(board)
    weighable = board.mines is None and not board.capacity
    density = Fraction(2, 7) if weighable and rng.random() < 0.4 else None
    try:
        found = odds(puzzle, density=density, flags=board.reading)
    except NoLayoutError:
        assert not board.truth, str(board)
        return
    assert found.solutions == board.truth.bit_count(), str(board)
    whole = weighed(board, board.truth, density)
    shares = {
        cell: weighed(board, board.truth & board.readings.mine(cell), density) / whole
        for cell in board.covered
    }
    assert found.by_cell == shares, str(board)


@pytest.mark.parametrize("rules", [*RULES, *PAIRS])
def test_odds_are_the_shares_of_layouts_on_small_boards(rules: str) -> None:
    rng = random.Random(rules)
    rows, columns = rng.choice(((3, 4), (4, 3))) if {*rules.split()} <= {*LAYOUTS} else (3, 3)
    for _ in range(6):
        compare(table(rows, columns, rules), rng)


@pytest.mark.parametrize("geometry", [*GRIDS, "cubes", "graph"])
def test_odds_are_the_shares_of_layouts_on_every_geometry(geometry: str) -> None:
    rng = random.Random(geometry)
    for _ in range(24 if geometry == "graph" else 8):
        compare((Subject(geometry, (), "V"), None), rng)


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
    monkeypatch.setattr(products, "MAX_STEPS", 2000)
    board = f"rules: {rules}\nmines: 9\n? ? 2 ? ? 3\n" + "? ? ? ? ? ?\n? 3 ? ? ? ?\n" * 2 + "? " * 6
    said = r"^the region of \d+ cells at \(0, \d\) takes too long: more than [\d,]+ steps$"
    with pytest.raises(OddsLimitError, match=said):
        odds(Puzzle.parse(board))


@pytest.mark.slow
@pytest.mark.parametrize("rules", [*RULES, "2L", *PAIRS])
def test_odds_are_the_shares_of_layouts_on_boards_of_sixteen_cells(rules: str) -> None:
    rng = random.Random(rules)
    layouts = table(4, 4, rules)
    for _ in range(40):
        compare(layouts, rng)
