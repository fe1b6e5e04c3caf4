"""The best play there is: published values of tiny boards, and a tree that shares no code."""

from random import Random

import numpy as np
import pytest

from satsweeper.board.size import BoardSize
from satsweeper.play.draw import FirstClick, game_layout
from satsweeper.play.kernel.certain import STUCK, open_certain, room_for_moves
from satsweeper.play.kernel.exact import (
    DEAD,
    NONE,
    TOO_MANY,
    best_exact,
    best_isolated,
    list_few,
    room_for_exact,
    worths_of_places,
)
from satsweeper.play.kernel.grid import DONE, UNKNOWN, grid_of, ints, octets
from satsweeper.play.kernel.tree import room_for_tree, survey
from satsweeper.play.scratch import numbers_of

EFFORT = 10**9


def best_by_trying(layouts, opened=frozenset()):
    """In how many of some layouts the best play wins, by trying every cell at every position."""
    known = {}

    def best(left, opened):
        if len(left) == 1:
            return 1
        key = (left, opened)
        if key not in known:
            known[key] = max(
                (
                    sum(
                        best(part, opened | {cell})
                        for value in range(9)
                        if (part := frozenset(i for i in left if layouts[i][cell] == value))
                    )
                    for cell in layouts[0]
                    if cell not in opened
                ),
                default=0,
            )
        return known[key]

    return best(frozenset(range(len(layouts))), opened)


@pytest.mark.parametrize("seed", range(60))
def test_the_worth_is_that_of_trying_everything(open_some, all_layouts, exact, seed):
    random = Random(seed)
    while True:
        rows, columns = random.choice([(3, 3), (2, 4), (1, 8), (3, 4)])
        cells, mines = open_some(rows, columns, random)
        layouts = all_layouts(cells, mines)
        if len(layouts) <= 40:
            break
    cell, worth, many = exact(cells, mines)
    assert many == len(layouts)
    assert worth == best_by_trying(layouts)
    if cell >= 0:
        first = divmod(cell, columns)
        parts = [[each for each in layouts if each[first] == value] for value in range(9)]
        assert worth == sum(best_by_trying(part, frozenset({first})) for part in parts if part)
    else:
        assert cell == DEAD
        assert worth == 1


@pytest.fixture(scope="module")
def exact(counted):
    def best(cells, mines, layouts=3000, effort=10**10):
        found, room = counted(cells, mines), room_for_exact(cells.size, layouts)
        assert found.done == DONE
        return best_exact(found.grid, found.cells, mines, found.work, room, effort)

    return best


# Columns, rows, mines: wins of all layouts by first cell, and those after an opening. The worths
# of 4x4/4 are published (961 of 1820); the others come from another program, with the same answer.
WINS = {
    (3, 3, 1): {(0, 0): (8, 5), (1, 0): (8, 3), (1, 1): (7, 0)},
    (4, 3, 2): {(0, 0): (52, 28), (0, 1): (49, 15), (1, 0): (50, 15), (1, 1): (52, 3)},
    (4, 4, 3): {(0, 0): (400, 211), (1, 0): (387, 116), (1, 1): (386, 35)},
    (4, 4, 4): {(0, 0): (949, 417), (1, 0): (961, 185), (1, 1): (914, 34)},
    (5, 5, 2): {(0, 0): (266, 204), (1, 1): (261, 116), (2, 0): (263, 166), (2, 2): (258, 116)},
}


@pytest.mark.parametrize(("board", "wins"), WINS.items())
def test_wins_on_tiny_boards_from_the_first_cell_on(counted, board, wins):
    columns, rows, mines = board
    room = room_for_exact(rows * columns, 8008)
    grid, cells, work, _, _ = counted(np.full((rows, columns), UNKNOWN, np.int8), mines)
    _, worth, many = best_exact(grid, cells, mines, work, room, 10**11)
    assert worth >= max(won for won, _ in wins.values())
    shows, places, worths = room.layouts.shows, rows * columns, ints(rows * columns)
    assert worths_of_places(shows, room.tree, places, many, 10**11, worths)
    every = worths.copy()
    for first, (won, opened) in wins.items():
        place = int(room.layouts.place_of[first[0] * columns + first[1]])
        assert every[place] == won
        # After an opening: the layouts in which the cell shows a 0, of which it is then known.
        zeros = np.flatnonzero(shows[place, :many] == 0)
        part = np.ascontiguousarray(shows[:, zeros])
        if len(zeros):
            assert worths_of_places(part, room.tree, places, len(zeros), 10**11, worths)
            assert worths[place] == opened
        else:
            assert opened == 0


def test_more_layouts_than_wanted_are_not_looked_at(exact):
    cells = np.full((4, 4), UNKNOWN, np.int8)
    assert exact(cells, 4, layouts=1819)[0] == TOO_MANY
    assert exact(cells, 4, layouts=1820)[0] >= 0


def test_a_tree_that_takes_too_much_effort_is_given_up(exact):
    assert exact(np.full((4, 4), UNKNOWN, np.int8), 4, 1820, effort=1000)[0] == TOO_MANY


def test_a_cell_that_may_show_seven_or_eight_tells_something() -> None:
    shows, tree = octets(1, 2), room_for_tree(1, 2)
    shows[0, 0], shows[0, 1] = 7, 8
    tree.layouts[0, 1] = 1
    # One bit for each value it may show: more than eight bits hold.
    assert survey(shows, tree, 0, 2, 1) == 1


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
