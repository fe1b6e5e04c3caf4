"""Certain moves are certain, and none is left over: by brute force over all layouts."""

from random import Random

import numpy as np
import pytest

from satsweeper.play.kernel.certain import (
    EXPLODED,
    STUCK,
    UNSAFE,
    WON,
    open_certain,
    room_for_moves,
)
from satsweeper.play.kernel.grid import KNOWN_MINE, UNKNOWN, grid_of
from tests.play.cells import cells_of, clue_of


def numbers(rows, columns, mines):
    return np.array(
        [EXPLODED if cell in mines else clue_of(cell, mines) for cell in cells_of((rows, columns))],
        np.int8,
    )


@pytest.mark.parametrize("seed", range(60))
def test_a_game_stops_where_no_cell_is_safe_in_every_layout(all_layouts, seed):
    random = Random(seed)
    rows, columns = random.choice([(4, 4), (3, 5), (2, 7), (1, 13), (4, 5)])
    places = cells_of((rows, columns))
    mines = set(random.sample(places, random.randint(1, len(places) // 3)))
    truth = numbers(rows, columns, mines)
    cells = np.full(rows * columns, UNKNOWN, np.int8)
    chances = np.zeros(rows * columns)
    moves = room_for_moves(rows * columns)
    first = random.choice([cell for cell in places if cell not in mines])
    state = open_certain(
        grid_of(rows, columns),
        truth,
        cells,
        len(mines),
        first[0] * columns + first[1],
        moves,
        chances,
    )
    open_cells = cells >= 0
    assert np.array_equal(cells[open_cells], truth[open_cells])
    seen = np.where(cells == KNOWN_MINE, UNKNOWN, cells).reshape(rows, columns)
    layouts = all_layouts(seen, len(mines))
    always = [cell for cell in layouts[0] if all(each[cell] == "*" for each in layouts)]
    assert sorted(always) == sorted(
        divmod(int(i), columns) for i in np.flatnonzero(cells == KNOWN_MINE)
    )
    if state == WON:
        assert len(layouts) == 1
        assert open_cells.sum() == len(places) - len(mines)
    else:
        assert state == STUCK
        assert all(any(each[cell] == "*" for each in layouts) for cell in layouts[0])


def test_a_layout_that_breaks_the_total_is_noticed():
    # The board is told one mine, and has two: that one corner is free follows, and is wrong.
    truth = numbers(1, 4, {(0, 1), (0, 3)})
    cells = np.full(4, UNKNOWN, np.int8)
    state = open_certain(grid_of(1, 4), truth, cells, 1, 0, room_for_moves(4), np.zeros(4))
    assert state == UNSAFE
