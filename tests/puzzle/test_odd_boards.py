"""Boards at the edge of what there is: tiny, empty, full, impossible, and rules where they fit."""

from dataclasses import replace
from random import Random

import pytest

from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.geometry import Geometry
from satsweeper.puzzle.geometry.graph import graph
from satsweeper.puzzle.geometry.space import cubes
from satsweeper.puzzle.geometry.table import GRIDS, grid
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.table import CLUES, LAYOUTS
from satsweeper.puzzle.session import PuzzleSession, classify_puzzle
from scripts.fuzzing.rule_boards import RuleBoard, Subject, draw
from scripts.fuzzing.rule_checks import examined
from tests.commands import python

GEOMETRIES: dict[str, Geometry] = {
    **{name: grid(name, 3, 4) for name in GRIDS},
    "cubes": cubes(2, 2, 2),
    "graph": graph({"a": ["b"], "b": ["a", "c"], "c": ["b"]}),
}
SQUARES = [
    "Q", "T", "B", "A", "2C", "2B", "2T", "X", "X'", "E", "K", "2D", "2P", "2Q", "2K", "2I", "2L",
]  # fmt: skip
LINES = [
    "Q", "T", "O", "B", "A", "H", "2H", "2C", "2S", "2B", "2T", "2Z", "W", "X", "X'", "P", "E", "K",
    "2D", "2P", "2Q", "2K", "2I", "2L", "HC", "HN",
]  # fmt: skip
REFUSED = {
    "square": [], "torus": ["O", "2S", "2B"], "hexagonal": SQUARES, "triangular": SQUARES,
    "knight": ["W", "P", "2I", "HC", "HN"], "cross": ["W", "P", "2I", "HC", "HN"],
    "cubes": LINES, "graph": LINES,
}  # fmt: skip

DRAWN = [each for each in (*LAYOUTS, *CLUES) if each not in ("HC", "HN", "HB")]
"""The rules with a plain reading; those of Hexcells are tested with its levels."""


def subject(geometry: str, letters: str) -> Subject:
    if letters in LAYOUTS:
        return Subject(geometry, (letters,), "V")
    return Subject(geometry, (), letters)


@pytest.mark.parametrize("name", GEOMETRIES)
def test_each_geometry_refuses_the_rules_for_which_it_lacks_something(name: str) -> None:
    messages = {}
    for letters in (*LAYOUTS, *CLUES):
        # Rules of clues are refused once there is one.
        puzzle = Puzzle(GEOMETRIES[name], (letters,))
        if letters in CLUES:
            puzzle = puzzle.with_clue(0, () if letters == "W" else 0)
        try:
            PuzzleSession(puzzle).close()
        except RuleError as error:
            messages[letters] = str(error)
    assert [*messages] == REFUSED[name]
    for letters, message in messages.items():
        assert message.startswith(f"rule {letters} needs ")
        assert "\n" not in message


TINY = [(1, 1), (1, 4), (4, 1), (2, 2), (1, 2)]


@pytest.mark.parametrize("name", GRIDS)
def test_tiny_boards_of_every_rule_have_the_answers_of_brute_force(name: str) -> None:
    rng = Random(name)
    sizes = [(3, 3)] if name == "torus" else TINY
    for letters in DRAWN:
        if letters in REFUSED[name]:
            continue
        for size in sizes if name == "square" else sizes[:3]:
            board = draw(subject(name, letters), rng, size)
            examined(board, rng)
            examined(replace(board, mines=0, capacity={}), rng)
            examined(replace(board, mines=len(board.shape.cells), capacity={}), rng)


@pytest.mark.parametrize("letters", DRAWN)
def test_boards_without_covered_cells_and_with_flags_alone(letters: str) -> None:
    rng = Random(letters)
    for _ in range(3):
        board = draw(subject("square", letters), rng, (3, 4))
        covered = frozenset(board.covered)
        examined(replace(board, opened=board.opened | covered, flags=frozenset()), rng)
        for reading in ("trust", "ignore"):
            flagged = replace(board, flags=board.flags | covered, shown=frozenset())
            examined(replace(flagged, reading=reading), rng)


def board_of(text: str) -> Puzzle:
    return Puzzle.parse("\n".join(text.split(" / ")) + "\n")


CONTRADICTIONS = {
    # A snake has a mine; a total that rows cannot share; clues beyond what there is.
    "rules: S / mines: 0 / ? ? / ? ?": (("S",), [], True),
    "rules: B / mines: 4 / ? ? ? / ? ? ? / ? ? ?": (("B",), [], True),
    "rules: V / 9 ? / ? ?": ((), [(0, 0)], False),
    "rules: M / 4 1 / 1 1": ((), [(0, 0)], False),
    "rules: K / 1 ? / ? ?": ((), [(0, 0)], False),
    "rules: 2P / mines: 1 / 4 ? ? / ? ? ?": ((), [(0, 0)], True),
    "rules: 2M / 3 ? / ? ?": ((), [(0, 0)], False),
    "rules: E / 6 ? ? / ? ? ?": ((), [(0, 0)], False),
    "rules: W / 22 ? ? / ? ? ?": ((), [(0, 0)], False),
    "rules: 2S / mines: 1 / ? ? / ? ?": (("2S",), [], True),
    "rules: 2G / mines: 6 / ? ? ? / ? ? ? / ? ? ?": (("2G",), [], True),
    "rules: # 2T / mines: 0 / V0 ? ? / ? ? ?": (("2T",), [], True),
    "rules: 2L / 0 ? ? / ? ? ?": (("2L",), [], False),
    # Without a clue, too, each row and column has a safe cell whose number is wrong.
    "rules: 2L / ? ? ? / ? ? ?": (("2L",), [], False),
    "rules: 2L / mines: 7 / ? ? ? / ? ? ? / ? ? ?": (("2L",), [], True),
}


@pytest.mark.parametrize("text", CONTRADICTIONS)
def test_what_cannot_be_is_inconsistent_and_the_conflict_says_why(text: str) -> None:
    rules, clues, total = CONTRADICTIONS[text]
    found = classify_puzzle(board_of(text))
    assert str(found.status) == "inconsistent"
    assert found.conflict is not None
    assert found.conflict.irreducible
    said = (found.conflict.rules, [*found.conflict.clues], found.conflict.total)
    assert said == (rules, clues, total)


def test_several_mines_in_a_cell_add_up_to_the_total() -> None:
    geometry = graph({"a": ["b"], "b": ["a"], "c": []})
    board = Puzzle(geometry, capacity={0: 3, 1: 2}, mines=6)
    assert classify_puzzle(board).mines == ["a", "b", "c"]
    with pytest.raises(RuleError, match="the total is 0 to 6"):
        Puzzle(geometry, capacity={0: 3, 1: 2}, mines=7)


def test_a_cell_without_neighbours_shows_0_and_nothing_else() -> None:
    geometry = graph({"a": [], "b": ["c"], "c": ["b"]})
    alone = Puzzle(geometry)
    assert str(classify_puzzle(alone.with_clue(0, 0)).status) == "consistent"
    assert str(classify_puzzle(alone.with_clue(0, 1)).status) == "inconsistent"


def test_v_beside_another_rule_of_clues_adds_nothing() -> None:
    both = board_of("rules: V M / ? 2 ? / ? ? ?")
    one = board_of("rules: M / ? 2 ? / ? ? ?")
    assert classify_puzzle(both).grid() == classify_puzzle(one).grid()


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (("C", "C"), "rule C is there twice"),
        (("M", "M"), "rule M is there twice"),
        (("W", "P"), "rules W and P do not combine: each says what is measured"),
        (("2I", "M"), "rules 2I and M do not combine: under one of them clues depend on another"),
        (("L", "W"), "rules L and W do not combine: the list of runs is no number"),
    ],
)
def test_rules_that_cannot_stand_together_are_refused(rules, message) -> None:
    with pytest.raises(RuleError) as raised:
        Puzzle(grid("square", 3, 3), rules)
    assert str(raised.value) == message


def test_opening_a_cell_that_stood_for_others_keeps_their_verdicts() -> None:
    """A defect that was: the first of the cells that nothing counts stood for all of them still."""
    with PuzzleSession(Puzzle(grid("square", 1, 6), mines=1)) as session:
        session.reveal((0, 1), 1)
        found = session.classify()
        assert found.grid() == ["?1?SSS"]


def test_a_reason_under_own_letters_names_the_rule_of_the_clues() -> None:
    """A defect that was: under # rules in which clues depend on one another were left out."""
    found = classify_puzzle(board_of("rules: # / 2EA ? ? / ? ? ? / ? ? 2EB / ? 2EA ?"))
    assert str(found.status) == "consistent"
    found = classify_puzzle(board_of("rules: # / mines: 0 / 2EA ? ? / ? ? ? / ? ? 2EB"))
    assert found.conflict is not None
    assert found.conflict.rules == ("2E",)


def test_every_solver_takes_cells_that_no_clause_counts() -> None:
    """A defect that was: lingeling ended the interpreter over a cell without a clause."""
    code = "from satsweeper.puzzle.puzzle import Puzzle\n"
    code += "from satsweeper.puzzle.session import PuzzleSession\n"
    code += "puzzle = Puzzle.parse('rules: C\\n1 ? ? ?\\n? ? ? ?\\n? ? ? 1\\n')\n"
    code += "session = PuzzleSession(puzzle, solver='lingeling')\n"
    code += "session.explain((0, 3))\nsession.reveal((0, 3), 0)\nsession.explain((2, 0))\n"
    code += "print(session.classify().grid())\n"
    child = python("-c", code)
    assert (child.returncode, child.stderr) == (0, "")
    puzzle = Puzzle.parse("rules: C\n1 ? ? 0\n? ? ? ?\n? ? ? 1\n")
    assert child.stdout == f"{classify_puzzle(puzzle).grid()}\n"


def test_a_region_without_mines_is_apart_and_together() -> None:
    """A defect that was: a region without mines that are apart had no layout."""
    board = RuleBoard(
        draw(Subject("square", (), "V"), Random(0), (2, 2)).shape, (), False, {},
        regions=(("row", (0, 1), 0, "apart"), ("column", (1, 3), 0, "together")),
    )  # fmt: skip
    assert board.truth
    examined(board, Random(0))
