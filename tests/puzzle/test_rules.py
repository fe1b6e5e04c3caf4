"""Every rule against published numbers of layouts, patterns of a ring, and worked positions."""

from collections import Counter
from collections.abc import Callable
from itertools import product

import pytest

from satsweeper.puzzle.board_constraints import board_constraints, holds
from satsweeper.puzzle.constraints.protocol import Constraint, Part, reads
from satsweeper.puzzle.geometry.table import grid
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.kind import clue_kind
from satsweeper.puzzle.rules.table import CLUES, LAYOUTS
from satsweeper.puzzle.session import PuzzleSession, classify_puzzle
from tests.puzzle.plain_boards import layouts
from tests.puzzle.published import EMPTY, RING, WORKED, Empty, Worked


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


def rule_of(published: Empty | Worked) -> str:
    return published.rule


@pytest.mark.parametrize("empty", EMPTY, ids=rule_of)
def test_an_empty_board_of_3x3_has_the_published_number_of_layouts_with_each_total(empty) -> None:
    constraints = board_constraints(Puzzle(grid("square", 3, 3), (empty.rule,)))
    found = accepted(constraints, 9)
    numbers = Counter(map(len, found))
    assert numbers == {number: count for number, count in enumerate(empty.three) if count}
    every = [frozenset(i + 1 for i in range(9) if row >> i & 1) for row in range(1 << 9)]
    met = {mines for mines in every if all(each.holds(mines) for each in constraints)}
    assert met == {*found}
    plain = layouts(empty.rule, 3, 3)
    assert met == {frozenset(3 * r + c + 1 for r, c in mines) for mines in plain}


@pytest.mark.parametrize("empty", EMPTY, ids=rule_of)
def test_solvers_find_as_many_layouts_of_3x3_as_published(empty) -> None:
    with PuzzleSession(Puzzle(grid("square", 3, 3), (empty.rule,))) as session:
        selectors = [*session.selectors.values()]
        found = set()
        solver = session._solver
        while hasattr(answer := solver.solve(selectors), "model"):
            # A cell that no constraint mentions may be missing from the model.
            model = [*answer.model[:9], *[-v for v in range(len(answer.model) + 1, 10)]]
            found.add(tuple(model))
            solver.add_clause([-lit for lit in model])
    assert len(found) == sum(empty.three)


@pytest.mark.slow
@pytest.mark.parametrize("empty", EMPTY, ids=rule_of)
def test_an_empty_board_of_4x4_has_the_published_number_of_layouts(empty) -> None:
    constraints = board_constraints(Puzzle(grid("square", 4, 4), (empty.rule,)))
    assert len(accepted(constraints, 16)) == empty.four


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


def test_the_worked_positions_are_of_nearly_every_rule() -> None:
    rules = {*LAYOUTS, *CLUES} - {each.rule for each in WORKED}
    assert rules == {"L", "X'", "2X'", "2I", "2E", "2L", "HC", "HN", "HB"}


@pytest.mark.parametrize("position", WORKED, ids=rule_of)
def test_a_worked_position_has_its_verdicts(position: Worked) -> None:
    found = classify_puzzle(Puzzle.parse(position.text))
    letters = [str(verdict)[0] for verdict in found.by_cell.values()]
    assert "".join(letters).upper().replace("U", "?") == position.verdicts
    # The counts say the same: none, all, or some of the layouts have a mine.
    for verdict, count in zip(letters, position.mined, strict=True):
        assert verdict == ("s" if count == 0 else "m" if count == position.layouts else "u")
