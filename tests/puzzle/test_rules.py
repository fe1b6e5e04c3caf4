"""Every rule against published numbers of layouts, patterns of a ring, and worked positions."""

from collections import Counter
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from satsweeper.puzzle.board_constraints import board_constraints, holds
from satsweeper.puzzle.constraints.protocol import Constraint, Part, reads
from satsweeper.puzzle.geometry.table import grid
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.kind import clue_kind
from satsweeper.puzzle.rules.table import CLUES, LAYOUTS
from satsweeper.puzzle.session import PuzzleSession, classify_puzzle
from tests.puzzle import plain_rules

DATA = Path(__file__).parents[1] / "data" / "variants"

# The numbers of layouts of an empty board of 3x3 cells with 0, 1, 2 ... mines.
THREE = {
    "Q": "0,1,10,48,106,122,84,36,9,1", "C": "1,9,20,48,85,102,78,36,9,1",
    "T": "1,9,36,76,78,28,2", "O": "1,8,28,48,49,36,22,12,9,1", "D": "1,0,12,0,12",
    "S": "0,9,12,22,24,20,8,8", "B": "1,0,0,6,0,0,6,0,0,1", "A": "1,9,28,36,18,2",
    "H": "1,9,30,45,30,9,1", "U": "1,9,24,22,6,1",
    "2C": "1,9,20,32,25,9,4,0,0,1", "2G": "1,0,0,0,36", "2F": "1,5,22,44,41,14,2",
    "2B": "1,0,0,17,0,0,27,0,0,1", "2T": "0,0,0,6,45,45,6", "2Z": "1,0,6,0,12,0,8",
    "2S": "0,0,0,27,54,63,44,21,6,1", "2H": "1,0,6,3,12,12,11,12,6,1",
}  # fmt: skip
FOUR = {
    "Q": 42176, "C": 37197, "T": 10732, "O": 9350, "D": 314, "S": 1020, "B": 140, "A": 1365,
    "H": 4096, "U": 1234, "2H": 2401, "2C": 1883, "2S": 10000, "2G": 402, "2F": 3933, "2B": 876,
    "2T": 2030, "2Z": 1296,
}  # fmt: skip


def mines_at(mines: set[int]) -> Callable[[int], int]:
    return lambda cell: int(cell in mines)


def accepted(constraints: list[Constraint], cells: int) -> list[frozenset[int]]:
    """The layouts of so many cells that every automaton of the constraints accepts."""
    orders = [(each.automaton(each.scope), each.scope) for each in constraints]
    found: list[frozenset[int]] = []
    for values in product((False, True), repeat=cells):
        mines = frozenset(i + 1 for i, value in enumerate(values) if value)
        if all(reads(automaton, scope, mines) for automaton, scope in orders):
            found.append(mines)
    return found


@pytest.mark.parametrize("letters", LAYOUTS)
def test_an_empty_board_of_3x3_has_the_published_number_of_layouts_with_each_total(letters) -> None:
    puzzle = Puzzle(grid("square", 3, 3), (letters,))
    constraints = board_constraints(puzzle)
    layouts = accepted(constraints, 9)
    numbers = Counter(map(len, layouts))
    published = dict(enumerate(map(int, THREE[letters].split(","))))
    assert numbers == {number: count for number, count in published.items() if count}
    every = [frozenset(i + 1 for i in range(9) if row >> i & 1) for row in range(1 << 9)]
    met = [mines for mines in every if all(each.holds(mines) for each in constraints)]
    assert {*met} == {*layouts}
    cells = plain_rules.cells(3, 3)
    plain = plain_rules.LAYOUTS[letters]
    assert {*met} == {m for m in every if plain(frozenset(cells[v - 1] for v in m), 3, 3)}


@pytest.mark.parametrize("letters", LAYOUTS)
def test_solvers_find_as_many_layouts_of_3x3_as_published(letters) -> None:
    with PuzzleSession(Puzzle(grid("square", 3, 3), (letters,))) as session:
        selectors = [*session.selectors.values()]
        found = set()
        solver = session._solver
        while hasattr(answer := solver.solve(selectors), "model"):
            # A cell that no constraint mentions may be missing from the model.
            model = [*answer.model[:9], *[-v for v in range(len(answer.model) + 1, 10)]]
            found.add(tuple(model))
            solver.add_clause([-lit for lit in model])
    assert len(found) == sum(map(int, THREE[letters].split(",")))


@pytest.mark.slow
@pytest.mark.parametrize("letters", LAYOUTS)
def test_an_empty_board_of_4x4_has_the_published_number_of_layouts(letters) -> None:
    constraints = board_constraints(Puzzle(grid("square", 4, 4), (letters,)))
    assert len(accepted(constraints, 16)) == FOUR[letters]


# What an inner cell shows, and in how many of the 256 layouts of its ring.
RING = {
    "W": "0:1 1:8 2:8 3:8 4:8 5:8 6:8 7:8 8:1 11:20 12:32 13:24 14:16 15:8 22:12 23:16 24:8 33:4"
    " 111:16 112:24 113:8 122:8 1111:2",
    "P": "0:1 1:57 2:140 3:56 4:2",
    "M": "0:1 1:4 2:10 3:20 4:31 5:40 6:44 7:40 8:31 9:20 10:10 11:4 12:1",
    "N": "0:70 1:112 2:56 3:16 4:2",
    "2M": "0:85 1:86 2:85",
    "2X": "00:1 01:8 02:12 03:8 04:2 11:16 12:48 13:32 14:8 22:36 23:48 24:12 33:16 34:8 44:1",
    "V": "0:1 1:8 2:28 3:56 4:70 5:56 6:28 7:8 8:1",
}


@pytest.mark.parametrize("letters", RING)
def test_a_full_ring_has_the_published_number_of_layouts_for_each_clue(letters) -> None:
    # Orthogonal neighbours of the middle of 3x3 cells have coordinates with an odd sum: dyed.
    puzzle = Puzzle(grid("square", 3, 3), (letters,))
    kind = clue_kind((letters,))
    shown: Counter[str] = Counter()
    for row in range(1 << 8):
        mines = {cell for place, cell in enumerate((0, 1, 2, 3, 5, 6, 7, 8)) if row >> place & 1}
        (value,) = kind.shown(kind.site(puzzle.board, Part("clue", 4), 4), mines_at(mines))
        shown[kind.text(value)] += 1
        assert holds(puzzle.with_clue(4, value, (letters,)), {cell + 1 for cell in mines})
    expected = dict(each.split(":") for each in RING[letters].split())
    assert shown == {text: int(number) for text, number in expected.items()}
    for text, number in expected.items():
        clue = puzzle.with_clue(4, kind.parse(text), (letters,))
        assert len(accepted(board_constraints(clue), 9)) == 2 * int(number)


@pytest.mark.parametrize(
    ("place", "numbers"),
    [
        ((2, 2), "1,4,10,16,19,16,10,4,1"),
        ((0, 0), "1,2,3,4,5,4,3,2,1"),
        ((0, 2), "1,3,6,8,9,8,6,3,1"),
    ],
)
def test_eyes_see_in_as_many_ways_as_published(place, numbers) -> None:
    """The number of choices of four lengths of arms for each number seen, on 5x5 cells."""
    puzzle = Puzzle(grid("square", 5, 5), ("E",))
    here = puzzle.geometry.numbers[place]
    kind = clue_kind(("E",))
    r, c = place
    arms = [r, 4 - r, c, 4 - c]
    steps = [(-1, 0), (1, 0), (0, -1), (0, 1)]
    seen: Counter[int] = Counter()
    for lengths in product(*[range(arm + 1) for arm in arms]):
        # A mine ends each arm that does not reach the border.
        mines = {
            (r + i * (length + 1), c + j * (length + 1))
            for (i, j), length, arm in zip(steps, lengths, arms, strict=True)
            if length < arm
        }
        cells = {puzzle.geometry.numbers[cell] for cell in mines}
        found = {cell + 1 for cell in cells}
        site = kind.site(puzzle.board, Part("clue", here), here)
        (value,) = kind.shown(site, mines_at(cells))
        assert holds(puzzle.with_clue(here, value, ("E",)), found)
        assert not holds(puzzle.with_clue(here, value + 1, ("E",)), found)
        seen[value] += 1
    assert [seen[n] for n in range(1, 10)] == [*map(int, numbers.split(","))]


WORKED = [
    [field.strip() for field in line.split("|")]
    for line in (DATA / "worked.txt").read_text("utf-8").splitlines()
    if line and not line.startswith(";")
]


def test_the_worked_positions_are_of_nearly_every_rule() -> None:
    assert {*LAYOUTS, *CLUES} - {rule for rule, *_ in WORKED} == {
        "L",
        "X'",
        "2X'",
        "2I",
        "2E",
        "2L",
        "HC",
        "HN",
        "HB",
    }


@pytest.mark.parametrize(("rule", "total", "rows", "layouts", "verdicts", "counts"), WORKED,
                         ids=[rule for rule, *_ in WORKED])  # fmt: skip
def test_a_worked_position_has_its_verdicts(rule, total, rows, layouts, verdicts, counts) -> None:
    text = f"rules: {rule}\nmines: {total}\n" + "\n".join(rows.split(" / ")) + "\n"
    puzzle = Puzzle.parse(text)
    found = classify_puzzle(puzzle)
    letters = [str(verdict)[0] for verdict in found.by_cell.values()]
    expected = [v.replace("?", "u") for v in verdicts.replace("/", "") if v != "="]
    assert letters == expected
    # The counts say the same: none, all, or some of the layouts have a mine.
    for verdict, count in zip(expected, map(int, counts.split()), strict=True):
        assert verdict == ("s" if count == 0 else "m" if count == int(layouts) else "u")
