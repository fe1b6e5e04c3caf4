"""Games of certain moves: what is open in the end, and every reason, by trying all layouts."""

from dataclasses import replace
from random import Random

import pytest

from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.table import grid
from satsweeper.puzzle.play.certain_game import PuzzleTimeError
from satsweeper.puzzle.play.moves import PuzzlePlay, until_stuck
from satsweeper.puzzle.play.shown import all_clues, hidden_choices
from satsweeper.puzzle.puzzle import Puzzle
from tests.puzzle.plain_boards import LAYOUTS, Cell, layouts
from tests.puzzle.play.plain_play import safe_cells, stuck

RULES = ["V", "M", "L", "W", "P", "N", "X", "E", "K", "2X", "2X'", "2D", "2M", "2A", "2P", "2Q",
         "2K", "2I", "2E", "2L", "#", "C", "Q W", "T", "O", "S", "A", "H M", "2C E", "2F", "2T 2M",
         "2Z", "2E U"]  # fmt: skip
CHOSEN = ["V", "L", "W", "2X'", "2I", "2E", "2L", "#", "C", "O", "2C E"]
"""The rules whose reasons are tried over all layouts in the default suite."""


def played(
    rules: str, seed: int, *, rows: int = 4, total: bool = True, reasons: bool = False
) -> tuple[PuzzlePlay, dict[Cell, str], dict[Cell, str], int]:
    """A game on 4 columns from some open cells: the end, those cells, all clues, the mines."""
    random = Random(f"{rules} {seed}")
    names = " ".join([rule for rule in rules.split() if rule in LAYOUTS])
    allowed = [
        mines for count in range(3, rows + 2) for mines in layouts(names, rows, 4, mines=count)
    ]
    while True:
        mines = random.choice(allowed)
        puzzle = Puzzle(
            grid("square", rows, 4), tuple(rules.split()), mines=len(mines) if total else None
        )
        layout = frozenset(puzzle.geometry.numbers[cell] + 1 for cell in mines)
        hidden = hidden_choices(puzzle, layout, f"{seed}")
        clues = None if hidden is None else all_clues(puzzle, layout, hidden)
        if hidden is not None and clues is not None:
            break
    own = "#" in rules
    solution = {
        divmod(cell, 4): "".join(clue.kind.letters) * own + clue.text()
        for cell, clue in clues.items()
    }
    first = random.sample(sorted(clues), 6)
    start = replace(puzzle, clues={cell: clues[cell] for cell in first})
    play = until_stuck(start, layout, hidden, reasons=reasons)
    return (
        play,
        {divmod(cell, 4): solution[divmod(cell, 4)] for cell in first},
        solution,
        len(mines),
    )


def check_end(rules: str, seed: int) -> int:
    play, first, solution, mines = played(rules, seed)
    expected = stuck(rules.split(), first, solution, 4, 4, mines)
    assert {divmod(cell, 4) for cell in play.puzzle.clues} == expected
    assert play.solved == (expected == solution.keys())
    assert all(divmod(cell, 4) not in solution for cell in play.mines)
    return len(play.rounds)


@pytest.mark.parametrize("rules", ["V", "L", "W", "2A", "2I", "2E", "2L", "#", "C", "Q W", "2T 2M"])
def test_the_open_cells_in_the_end_are_those_that_all_layouts_prove(rules: str) -> None:
    check_end(rules, 1)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES)
def test_the_open_cells_in_the_end_are_those_that_all_layouts_prove_often(rules: str) -> None:
    assert sum(check_end(rules, seed) for seed in range(2, 8))


def check_reasons(rules: str, seed: int, total: bool) -> int:
    """Each reason, by itself, makes its cells safe in every layout, and no part is needless."""
    # Liars need as many rows as columns.
    rows = 4 if rules == "2L" else 3
    play, first, solution, mines = played(rules, seed, rows=rows, total=total, reasons=True)
    seen = dict(first)
    opened_by_moves = set()
    for move in play.moves:
        cells = {divmod(cell, 4) for cell in move.cells}
        reason = move.reason
        open_cells = {divmod(cell, 4) for cell in move.puzzle.clues}
        assert not cells & open_cells
        opened_by_moves |= cells
        seen |= {cell: solution[cell] for cell in open_cells}
        assert total or not reason.total
        parts: list[object] = [*reason.clues, *LAYOUTS.keys() & {*reason.rules}]
        parts += ["total"] * reason.total
        fewer = [[part for part in parts if part != each] for each in parts]
        for kept in [parts, *(fewer if reason.irreducible else [])]:
            clues = {cell: seen[cell] for cell in reason.clues if cell in kept}
            named = [rule for rule in rules.split() if rule in kept or rule not in LAYOUTS]
            count = mines if "total" in kept else None
            safe = safe_cells(named, clues, rows, 4, count, open_cells - clues.keys())
            assert (cells <= safe) is (kept is parts)
    assert opened_by_moves == {divmod(cell, 4) for cell in play.puzzle.clues} - first.keys()
    return len(play.moves)


@pytest.mark.parametrize("rules", CHOSEN)
def test_a_reason_alone_proves_its_cells_and_no_part_of_it_is_needless(rules: str) -> None:
    assert sum(check_reasons(rules, seed, total=seed % 2 == 0) for seed in range(6))


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES)
def test_reasons_under_every_rule(rules: str) -> None:
    assert sum(check_reasons(rules, seed, total=seed % 2 == 0) for seed in range(6, 14))


def test_a_mine_that_is_flagged_is_used_and_an_untrusted_flag_is_not() -> None:
    # One clue 1 with two covered neighbours, one of which has a flag.
    puzzle = Puzzle.parse("rules: V\n1 F ?\n? ? ?\n")
    layout = frozenset([2])
    hidden = hidden_choices(puzzle, layout, "1")
    assert hidden is not None
    trusted = until_stuck(puzzle, layout, hidden)
    assert trusted.solved
    assert trusted.moves[0].reason.flags == ((0, 1),)
    ignored = until_stuck(puzzle, layout, hidden, flags="ignore")
    assert not ignored.rounds


def test_a_board_that_contradicts_itself_is_refused_and_no_time_is_an_error() -> None:
    puzzle = Puzzle.parse("rules: V\nmines: 1\n1 ? 2\n? ? ?\n")
    layout = frozenset([2])
    hidden = hidden_choices(puzzle, layout, "1")
    assert hidden is not None
    with pytest.raises(RuleError, match="contradicts itself"):
        until_stuck(puzzle, layout, hidden)
    board = Puzzle(grid("square", 8, 8), ("C",), mines=20)
    with pytest.raises(PuzzleTimeError):
        until_stuck(board, frozenset(range(1, 21)), hidden, timeout=0.0)
