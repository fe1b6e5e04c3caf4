"""The best cell of an isolated region is a best move of the whole position."""

import numpy as np

from satsweeper.board.size import BoardSize
from satsweeper.play.draw import FirstClick, game_layout
from satsweeper.play.kernel.certain import STUCK, open_certain, room_for_moves
from satsweeper.play.kernel.exact import (
    NONE,
    TOO_MANY,
    best_exact,
    best_isolated,
    list_few,
    room_for_exact,
    worths_of_places,
)
from satsweeper.play.kernel.grid import UNKNOWN, grid_of, ints
from satsweeper.play.scratch import numbers_of

EFFORT = 10**9


def test_the_best_cell_of_an_isolated_region_is_a_best_cell_of_the_board():
    board, found = BoardSize.parse("7x6/12"), 0
    grid, size = grid_of(6, 7), 42
    moves, room, chances = room_for_moves(size), room_for_exact(size, 1000), np.zeros(size)
    for number in range(150):
        layout = game_layout(board, (2, 3), FirstClick.OPENING, seed=1, number=number)
        cells = np.full(size, UNKNOWN, np.int8)
        state = open_certain(grid, numbers_of(layout), cells, 12, 2 * 7 + 3, moves, chances)
        if state != STUCK:
            continue
        cell, part, of = best_isolated(grid, cells, moves.work, room, EFFORT)
        if cell == NONE:
            continue
        _, best, many = best_exact(grid, cells, 12, moves.work, room, EFFORT)
        if many == 0:
            continue
        assert 0 < part <= of <= many
        assert many % of == 0
        places = int(np.count_nonzero(cells == UNKNOWN))
        worths = ints(places)
        assert list_few(grid, cells, 12, moves.work, room) != TOO_MANY
        assert worths_of_places(room.layouts.shows, room.tree, places, many, EFFORT, worths)
        assert worths[room.layouts.place_of[cell]] == best
        found += many > of
    assert found >= 3
