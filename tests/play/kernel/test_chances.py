"""What the kernel finds in a position, against brute force over all layouts."""

from fractions import Fraction
from itertools import combinations
from math import exp
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from satsweeper.play.kernel.certain import (
    EXPLODED,
    STUCK,
    UNSAFE,
    WON,
    open_certain,
    room_for_moves,
)
from satsweeper.play.kernel.chances import LOG_LAYOUTS, NOTHING
from satsweeper.play.kernel.grid import DONE, IMPOSSIBLE, KNOWN_MINE, UNKNOWN, grid_of
from satsweeper.play.kernel.lookahead import (
    CERTAIN,
    CHANCE,
    SAFEST,
    SECOND,
    VALUES,
    room_for_lookahead,
    try_cell,
)
from satsweeper.play.kernel.second_safety import OUTER, find_forced_pairs, room_for_forced_pairs
from tests.play.cells import cells_of, clue_of, touch

SHAPES = [(4, 4), (3, 5), (2, 7), (1, 12), (4, 5)]


@given(st.data())
@settings(max_examples=300)
def test_chances_are_shares_of_all_layouts(small_boards, counted, data):
    board = data.draw(small_boards())
    assume(board.total is not None)
    layouts = list(board.layouts())
    found = counted(board.cells, board.total)
    assert found.done == (DONE if layouts else IMPOSSIBLE)
    if not layouts:
        return
    chances = found.chances.reshape(board.cells.shape)
    number = exp(found.work.mixed.sums[LOG_LAYOUTS])
    assert number == pytest.approx(len(layouts), rel=1e-12)
    for cell, code in np.ndenumerate(board.cells):
        if code != UNKNOWN:
            assert chances[cell] == NOTHING
            continue
        share = Fraction(sum(cell in mines for mines in layouts), len(layouts))
        assert chances[cell] == pytest.approx(float(share), rel=1e-12)
        assert (chances[cell] == 0.0) == (share == 0)
        assert (chances[cell] == 1.0) == (share == 1)


def test_a_chance_that_is_tiny_is_no_certainty(counted):
    # One 1 in a corner of a large board: its three cells hold one mine, whatever the rest does;
    # with as many mines as cells but one, the interior has one free cell among hundreds.
    cells = np.full((20, 20), UNKNOWN, np.int8)
    cells[0, 0] = 1
    chances = counted(cells, 396).chances
    assert chances[1] == pytest.approx(1 / 3)
    assert chances[399] == pytest.approx(395 / 396)
    assert chances[399] < 1.0


def numbers(rows, columns, mines):
    return np.array(
        [EXPLODED if cell in mines else clue_of(cell, mines) for cell in cells_of((rows, columns))],
        np.int8,
    )


@pytest.mark.parametrize("seed", range(60))
def test_a_game_stops_where_no_cell_is_safe_in_every_layout(all_layouts, seed):
    random = Random(seed)
    rows, columns = random.choice(SHAPES)
    places = cells_of((rows, columns))
    mines = set(random.sample(places, random.randint(1, len(places) // 3)))
    truth = numbers(rows, columns, mines)
    cells = np.full(rows * columns, UNKNOWN, np.int8)
    chances = np.zeros(rows * columns)
    moves = room_for_moves(rows * columns)
    first = random.choice([cell for cell in places if cell not in mines])
    at, grid = first[0] * columns + first[1], grid_of(rows, columns)
    state = open_certain(grid, truth, cells, len(mines), at, moves, chances)
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


@pytest.mark.parametrize("seed", range(40))
def test_every_value_leaves_what_brute_force_finds(open_some, all_layouts, counted, seed):
    random = Random(seed)
    rows, columns = random.choice(SHAPES)
    cells, mines = open_some(rows, columns, random)
    layouts = all_layouts(cells, mines)
    grid, flat, work, chances, done = counted(cells, mines)
    assert done == DONE
    ahead = room_for_lookahead(rows * columns, work)
    for index in np.flatnonzero(flat == UNKNOWN).tolist():
        if chances[index] == 1.0:
            continue
        cell = divmod(index, columns)
        possible = try_cell(grid, flat, mines, work, ahead, index)
        assert possible == np.count_nonzero(ahead.seen[:, CHANCE])
        for value in range(VALUES):
            left = [each for each in layouts if each.get(cell) == value]
            assert ahead.seen[value, CHANCE] == pytest.approx(len(left) / len(layouts), abs=1e-9)
            if not left:
                continue
            others = [divmod(i, columns) for i in np.flatnonzero(flat == UNKNOWN) if i != index]
            safety = sorted(
                (Fraction(sum(each[other] != "*" for each in left), len(left)) for other in others),
                reverse=True,
            )
            assert ahead.seen[value, CERTAIN] == safety.count(1)
            if safety:
                assert ahead.seen[value, SAFEST] == pytest.approx(float(safety[0]))
            if len(safety) > 1:
                assert ahead.seen[value, SECOND] == pytest.approx(float(safety[1]))
    assert np.array_equal(flat, cells.reshape(-1))


def expected(cells, layouts, known):
    """By cell: the share of layouts in which it is free, a neighbour a mine, and nothing tells."""
    covered = list(layouts[0])
    unknown = [cell for cell in covered if cell not in known]
    found = dict.fromkeys(unknown, 0.0)
    opened = {tuple(map(int, cell)) for cell in np.argwhere(cells >= 0)}
    for one, other in combinations(unknown, 2):
        if not touch(one, other):
            continue
        outer = {c for c in [*covered, *opened] if touch(c, one) != touch(c, other)} - {one, other}
        if outer & opened or len(outer - known) > OUTER:
            continue
        for free, mine in ((one, other), (other, one)):
            found[free] += sum(
                each[free] != "*" == each[mine] and all(each[cell] == "*" for cell in outer)
                for each in layouts
            ) / len(layouts)
    return found


def found_in(counted, cells, mines):
    columns = cells.shape[1]
    certain = counted(cells, mines).chances.reshape(cells.shape) == 1.0
    grid, flat, work, _, done = counted(np.where(certain, KNOWN_MINE, cells).astype(np.int8), mines)
    assert done == DONE
    before = flat.copy()
    pairs = room_for_forced_pairs(flat.size, work)
    find_forced_pairs(grid, flat, mines, work, pairs)
    assert np.array_equal(flat, before)
    known = {divmod(int(index), columns) for index in np.flatnonzero(flat == KNOWN_MINE)}
    places = np.flatnonzero(flat == UNKNOWN).tolist()
    return known, {divmod(index, columns): pairs.guessed[index] for index in places}


@pytest.mark.parametrize("seed", range(60))
def test_every_cell_has_the_share_of_layouts_in_which_it_must_be_guessed_at(
    open_some, all_layouts, counted, seed
):
    random = Random(seed)
    shape = random.choice(SHAPES)
    cells, mines = open_some(*shape, random)
    known, found = found_in(counted, cells, mines)
    assert found == pytest.approx(expected(cells, all_layouts(cells, mines), known), abs=1e-9)


def test_a_fifty_fifty_in_a_corner_is_one_half_for_both(counted):
    _, found = found_in(counted, np.array([[-1, 1, 0], [-1, 1, 0]], np.int8), 1)
    assert found == {(0, 0): pytest.approx(0.5), (1, 0): pytest.approx(0.5)}
