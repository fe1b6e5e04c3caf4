"""Layouts under the two start conventions."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from satsweeper.board.geometry import Square
from satsweeper.board.layout import Layout
from satsweeper.play.start import Start, draw_game, draw_layout


def mines_of(layout: Layout) -> frozenset[tuple[int, int]]:
    geometry = layout.geometry
    return frozenset(
        (row, column)
        for row in range(geometry.rows)
        for column in range(geometry.columns)
        if layout.mines >> geometry.index((row, column)) & 1
    )


@pytest.mark.parametrize(
    ("start", "room"),
    [
        (Start.SAFE, [(0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (1, 3)]),
        (Start.OPENING, [(0, 2), (0, 3), (1, 2), (1, 3)]),
    ],
)
def test_every_layout_that_the_start_allows_is_drawn_equally_often(start, room):
    allowed = {frozenset(mines) for mines in combinations(room, 2)}
    random = Random(7)
    games = 400 * len(allowed)
    seen = Counter(
        mines_of(draw_layout(Square(2, 4), 2, (0, 0), start, random)) for _ in range(games)
    )
    assert seen.keys() == allowed
    statistic = sum((count - 400) ** 2 / 400 for count in seen.values())
    # The 99.9 % points of chi square with 20 and with 5 degrees of freedom.
    assert statistic < {21: 45.3, 6: 20.5}[len(allowed)]


def test_the_same_seed_draws_the_same_layouts():
    first, second, other = (
        [draw_layout(Square(9, 9), 10, (3, 3), Start.OPENING, random).mines for _ in range(5)]
        for random in (Random("a"), Random("a"), Random("b"))
    )
    assert first == second != other


def test_a_game_begins_with_its_first_cell_open():
    for number in range(30):
        game = draw_game(Square(5, 5), 8, (2, 2), Start.OPENING, Random(number))
        assert not game.lost
        assert game.opened.bit_count() >= 9
        game = draw_game(Square(5, 5), 20, (0, 4), Start.SAFE, Random(number))
        assert not game.lost
        assert game.opened >> game.layout.geometry.index((0, 4)) & 1


@pytest.mark.parametrize(
    ("mines", "first", "start", "words"),
    [
        (9, (0, 0), Start.SAFE, "room for 8"),
        (6, (0, 0), Start.OPENING, "room for 5"),
        (-1, (0, 0), Start.SAFE, "-1 mines"),
        (1, (3, 0), Start.SAFE, r"first cell \(3, 0\): the grid is 3x3"),
        (1, (0, -1), Start.SAFE, "first cell"),
    ],
)
def test_what_does_not_fit_is_refused(mines, first, start, words):
    with pytest.raises(ValueError, match=words):
        draw_layout(Square(3, 3), mines, first, start, Random(0))


def test_a_full_board_but_for_the_first_cell_is_won_at_once():
    assert draw_game(Square(3, 3), 8, (1, 1), Start.SAFE, Random(0)).won
