"""Layouts under the conventions of the first click: how often each is drawn, and which by whom."""

from collections import Counter
from hashlib import sha256
from itertools import combinations

import pytest

from satsweeper.board.geometry import Square
from satsweeper.board.layout import every_cell
from satsweeper.board.size import BoardSize
from satsweeper.play.draw import FirstClick, draw_layout, drawn, game_layout, rows_of
from tests.play.cells import cells_of, mines_of, neighbours

NONE, SAFE, OPENING, WINDOWS = FirstClick


def every_layout(board, first, first_click):
    """Each layout of a convention with its weight, by the words of the convention, cell by cell."""
    cells = cells_of((board.rows, board.columns))
    near = {(r, c) for r, c in cells if abs(r - first[0]) <= 1 and abs(c - first[1]) <= 1}
    weights = Counter()
    for mines in map(set, combinations(cells, board.mines)):
        if first_click is WINDOWS and first in mines:
            free = next(cell for cell in cells if cell not in mines)
            mines = mines - {first} | {free}
        elif (first_click is SAFE and first in mines) or (first_click is OPENING and near & mines):
            continue
        weights[frozenset(mines)] += 1
    return weights


@pytest.mark.parametrize("first_click", FirstClick)
@pytest.mark.parametrize(
    ("size", "first"), [("4x2/2", (1, 3)), ("3x3/6", (0, 1)), ("7x1/3", (0, 3))]
)
def test_every_layout_is_drawn_as_often_as_its_convention_says(first_click, size, first):
    board = BoardSize.parse(size)
    weights = every_layout(board, first, first_click)
    if not weights:
        with pytest.raises(ValueError, match="leaves room for"):
            game_layout(board, first, first_click, seed=1)
        return
    games = 100 * len(weights)
    layouts = (game_layout(board, first, first_click, 2026, number) for number in range(games))
    seen = Counter(map(mines_of, layouts))
    assert seen.keys() == weights.keys()
    each = games / weights.total()
    statistic = sum((seen[mines] - w * each) ** 2 / (w * each) for mines, w in weights.items())
    # A bound that chance exceeds less than once in 10^9: of chi square by the approximation of
    # Wilson and Hilferty, six standard deviations up.
    free = max(len(weights) - 1, 1)
    assert statistic <= free * (1 - 2 / (9 * free) + 6 * (2 / (9 * free)) ** 0.5) ** 3


def test_a_mine_at_the_first_click_moves_to_the_first_free_cell_and_the_rest_stays():
    board, first = BoardSize(4, 5, 8), (2, 1)
    moved = 0
    for number in range(60):
        plain = game_layout(board, first, NONE, 3, number)
        layout = game_layout(board, first, WINDOWS, 3, number)
        index = layout.geometry.index(first)
        if plain.mines >> index & 1:
            row, column = divmod("".join(rows_of(plain)).index("."), board.columns)
            free = layout.geometry.index((row, column))
            assert plain.mines ^ layout.mines == 1 << index | 1 << free
            moved += 1
        else:
            assert layout == plain
    assert 10 < moved < 40


def test_without_a_promise_the_layout_does_not_depend_on_the_first_cell():
    board = BoardSize(5, 5, 12)
    for number in range(20):
        assert len({game_layout(board, at, NONE, 5, number).mines for at in cells_of((5, 5))}) == 1


@pytest.mark.parametrize("first_click", [SAFE, OPENING, WINDOWS])
@pytest.mark.parametrize("size", ["30x16/99", "9x9/60", "300x300/20000", "1x1/0", "5x1/2"])
def test_the_promise_is_kept_and_the_total_is_right(first_click, size):
    board = BoardSize.parse(size)
    for first in [(0, 0), (board.rows - 1, board.columns // 2)]:
        layout = game_layout(board, first, first_click, 1)
        assert layout.mines.bit_count() == board.mines
        around = neighbours(first, (board.rows, board.columns)) if first_click is OPENING else set()
        assert not any(layout.mines >> layout.geometry.index(c) & 1 for c in {first, *around})


def test_layouts_of_a_seed_are_the_same_for_good():
    # Whoever names a seed in a paper relies on them.
    assert rows_of(game_layout(BoardSize(5, 9, 10), (0, 0), SAFE, 1)) == [
        "..*....*.", "...**....", "....*....", "*.*.*...*", "...*.....",
    ]  # fmt: skip
    assert rows_of(game_layout(BoardSize(5, 9, 10), (2, 4), OPENING, -7, 41)) == [
        "**.*.....", ".......**", ".........", "*.*......", ".*..**...",
    ]  # fmt: skip
    dense = ["****", "..**", ".***"]
    assert rows_of(game_layout(BoardSize(3, 4, 9), (1, 1), WINDOWS, 2**70)) == dense
    every = [
        "\n".join(rows_of(game_layout(BoardSize.parse(size), (0, 0), first_click, seed, number)))
        for size in ("9x9/10", "16x16/40", "30x16/99", "30x16/240", "300x300/9000")
        for first_click in FirstClick
        for seed, number in ((0, 0), (1, 0), (1, 1))
    ]
    digest = "9bba1a41c6e471fad552f4960e4561b67d3fef9c24cb0203a973438af4c7ec26"
    assert sha256("\n\n".join(every).encode()).hexdigest() == digest


@pytest.mark.parametrize(
    ("size", "first", "first_click", "words"),
    [
        ("3x3/9", (0, 0), SAFE, "9 mines: first click 'safe' leaves room for 8"),
        ("3x3/9", (0, 0), WINDOWS, "9 mines: first click 'windows' leaves room for 8"),
        ("3x3/6", (0, 0), OPENING, "6 mines: first click 'opening' leaves room for 5"),
        ("3x3/1", (3, 0), NONE, r"first cell \(3, 0\): the board is 3x3"),
        ("3x3/1", (0, -1), SAFE, "first cell"),
    ],
)
def test_what_does_not_fit_is_refused(size, first, first_click, words):
    with pytest.raises(ValueError, match=words):
        draw_layout(BoardSize.parse(size), first, first_click, "words")


def test_a_board_may_be_full_of_mines_or_free_of_them_and_not_more_than_full():
    assert rows_of(game_layout(BoardSize(2, 2, 4), (0, 0), NONE, 1)) == ["**", "**"]
    assert rows_of(game_layout(BoardSize(2, 2, 0), (0, 0), NONE, 1)) == ["..", ".."]
    room = every_cell(Square(2, 2))
    for number in (5, -1):
        with pytest.raises(ValueError, match=f"{number} of 4 cells"):
            drawn(room, number, "words")
