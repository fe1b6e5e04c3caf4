"""Boards without guessing: plain sets and a solver that counts by itself read every move again."""

from unittest.mock import Mock

import pytest
from pysat.solvers import Minicard

from satsweeper.play import generate
from satsweeper.play.draw import FirstClick, game_layout
from satsweeper.play.generation.run import BudgetError
from tests.boards import Board
from tests.play.cells import cells_of, clue_of, neighbours, opens


def is_forced(cells, clues, total, covered, shown, shape):
    """Whether clues, and a total unless it is None, force cells to be free; all else is unknown."""
    variables = {cell: number for number, cell in enumerate(sorted(covered), 1)}
    # Minicard counts by itself: no encoding of ours is asked.
    with Minicard() as solver:
        around = [(neighbours(clue, shape) & covered, shown[clue]) for clue in clues]
        for near, number in around if total is None else [*around, (covered, total)]:
            lits = [variables[cell] for cell in near]
            solver.add_atmost(lits, number)
            solver.add_atmost([-lit for lit in lits], len(lits) - number)
        solver.add_clause([variables[cell] for cell in cells])
        return not solver.solve()


def faults(board):
    """What is wrong with the proof of a board, as ``generate --json`` prints it; [] for nothing."""
    rows = board["layout"]
    shape = len(rows), len(rows[0])
    every = set(cells_of(shape))
    mines = {(r, c) for r, c in every if rows[r][c] == "*"}
    shown = {cell: clue_of(cell, mines) for cell in every - mines}
    if len(mines) != board["mines"] or shape != (board["rows"], board["columns"]):
        return ["another size"]
    start = tuple(board["start"])
    if start in mines:
        return ["the first cell is a mine"]
    opened, found = opens(start, mines, shape), []
    for at, move in enumerate(board["moves"]):
        cells = {tuple(cell) for cell in move["cells"]}
        clues = {tuple(cell) for cell in move["clues"]}
        if not cells or cells & opened or not clues <= opened:
            found.append(f"move {at}: cells are open, or clues are not")
        elif cells & mines:
            found.append(f"move {at}: a mine is opened")
            break
        else:
            total = board["mines"] if move["total"] else None
            if not is_forced(cells, clues, total, every - opened, shown, shape):
                found.append(f"move {at}: a guess")
        for cell in cells - opened:
            opened |= opens(cell, mines, shape)
    if opened != every - mines:
        found.append("the game is not won")
    return found


MANY = (pytest.mark.slow, pytest.mark.timeout(7200))


@pytest.mark.parametrize(
    ("size", "seed", "number"),
    [
        ("9x9/10", 3, 20), ("9x9/25", 3, 10), ("8x3/8", 3, 20), ("16x16/40", 3, 5),
        ("30x16/99", 3, 2),
        pytest.param("9x9/10", 1, 7000, marks=MANY), pytest.param("16x16/40", 1, 2000, marks=MANY),
        pytest.param("30x16/99", 1, 800, marks=MANY), pytest.param("30x16/170", 1, 200, marks=MANY),
    ],
)  # fmt: skip
def test_no_move_of_a_generated_board_is_a_guess(size, seed, number):
    for i in range(number):
        board = generate(size, no_guess=True, seed=seed, number=i).as_json()
        assert faults(board) == [], board


STRENGTHS = ["single_clue", "subset", "complete"]


@pytest.mark.parametrize("first_click", FirstClick)
@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize("total", [False, True])
def test_any_promise_strength_and_total(first_click, strength, total):
    for i in range(5):
        asked = {"first_click": first_click, "strength": strength, "total": total}
        board = generate("7x6/9", start=(2, 1), no_guess=True, number=i, **asked)
        assert faults(board.as_json()) == []
        allowed = STRENGTHS[: STRENGTHS.index(strength) + 1]
        assert all(move.logic in allowed and move.total <= total for move in board.moves)


def changed(board, number, move):
    """The board with another move of this number."""
    moves = board["moves"]
    return board | {"moves": [*moves[:number], move, *moves[number + 1 :]]}


def test_a_clue_less_is_too_few_where_a_set_is_called_irreducible():
    tried = 0
    for i in range(6):
        board = generate("9x9/16", no_guess=True, seed=2, number=i).as_json()
        for number, move in enumerate(board["moves"]):
            assert move["irreducible"]
            for clue in move["clues"]:
                less = move | {"clues": [each for each in move["clues"] if each != clue]}
                assert faults(changed(board, number, less)) == [f"move {number}: a guess"]
                tried += 1
            if move["total"]:
                less = changed(board, number, move | {"total": False})
                assert f"move {number}: a guess" in faults(less)
    assert tried > 100


def test_the_reader_finds_what_is_wrong_with_a_proof():
    board = generate("9x9/16", no_guess=True, seed=2).as_json()
    assert faults(board) == []
    without_end = board | {"moves": board["moves"][:-1]}
    assert faults(without_end) == ["the game is not won"]
    early = board | {"moves": board["moves"][::-1]}
    assert any("clues are not" in fault or "a guess" in fault for fault in faults(early))
    mine = next([r, row.index("*")] for r, row in enumerate(board["layout"]) if "*" in row)
    wrong = changed(board, 0, board["moves"][0] | {"cells": [mine]})
    assert "move 0: a mine is opened" in faults(wrong)


def test_the_total_is_asked_only_where_nothing_follows_without_it():
    asked = 0
    for i in range(60):
        board = generate("5x4/6", no_guess=True, seed=5, number=i)
        field, geometry = board.opened(), board.layout.geometry
        for move in board.moves:
            if move.total:
                asked += 1
                seen = Board(field.position().cells, board.board.mines)
                safe, without = (
                    {cell for cell, said in each.verdicts().items() if said == "safe"}
                    for each in (seen, seen._replace(total=None))
                )
                assert not without
                assert safe >= set(move.cells)
            for cell in move.cells:
                field.open(1 << geometry.index(cell))
    assert asked


def test_without_no_guess_it_is_the_layout_that_simulate_plays():
    board = generate("9x9/10", seed=4, number=7, first_click="safe")
    assert board.layout == game_layout(board.board, (0, 0), FirstClick.SAFE, 4, 7)
    assert (board.moves, board.uniform) == (None, True)
    assert not generate("9x9/10", first_click="windows").uniform
    assert not generate("9x9/10", no_guess=True).uniform


def test_equal_seeds_give_equal_boards():
    board = generate("9x9/20", no_guess=True, start=(3, 3), seed=11)
    assert board == generate("9x9/20", no_guess=True, start=(3, 3), seed=11)
    assert board.layout != generate("9x9/20", no_guess=True, start=(3, 3), seed=12).layout
    # As printed on another machine, for good.
    assert " ".join(board.rows) == (
        "..*...... ......... *....*.** ......*.. *....*... .*....... ***....*. ...*.**.. ..****..."
    )


def test_mines_without_room_are_refused():
    with pytest.raises(ValueError, match="81 mines: first click 'safe' leaves room for 80"):
        generate("9x9/81", first_click="none", start=(4, 4), no_guess=True)


def test_boards_full_of_mines_or_without_any_need_no_move():
    for size in ("9x9/72", "9x9/0", "1x1/0"):
        board = generate(size, start=(0, 0) if size == "1x1/0" else (4, 4), no_guess=True)
        assert (faults(board.as_json()), board.moves) == ([], ())


def test_a_budget_that_is_used_up_or_what_is_called_from_time_to_time_ends_the_work():
    # Two free cells in a row of three: either neighbour of the first may be the other one.
    with pytest.raises(BudgetError, match="board 3x1/1: none without a guess, of 5 layouts"):
        generate("3x1/1", start=(0, 1), first_click="safe", no_guess=True, budget=5)
    with pytest.raises(InterruptedError):
        generate("9x9/10", no_guess=True, going_on=Mock(side_effect=InterruptedError))


def test_a_large_board_is_shown_in_a_line():
    board = generate("150x150/3000")
    assert repr(board) == "GeneratedBoard(150x150/3000, first click opening at (2, 2), seed 1)"
    assert repr(board.layout) == "Layout(150x150/3000)"
