"""What the kernel finds in a position, against brute force over all layouts."""

from collections import namedtuple
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import exp
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings

from satsweeper.board.size import BoardSize
from satsweeper.play.draw import FirstClick, game_layout
from satsweeper.play.kernel import certain, exact, lookahead
from satsweeper.play.kernel.chances import LOG_LAYOUTS, NOTHING, find_chances, room_for_work
from satsweeper.play.kernel.grid import DONE, IMPOSSIBLE, KNOWN_MINE, UNKNOWN, grid_of, ints, octets
from satsweeper.play.kernel.second_safety import OUTER, find_forced_pairs, room_for_forced_pairs
from satsweeper.play.kernel.tree import room_for_tree, survey
from satsweeper.play.scratch import numbers_of
from tests.boards import COVERED, Board, boards
from tests.play.cells import all_layouts, cells_of, clue_of, neighbours, open_some, opens, touch

SHAPES = [(4, 4), (3, 5), (2, 7), (1, 12), (4, 5)]
EFFORT = 10**9


Counted = namedtuple("Counted", "grid cells work chances done")
"""A position in the arrays of the kernel, once ``find_chances`` has returned ``done``."""


def counted(board, mines):
    cells = np.ascontiguousarray(board).reshape(-1).copy()
    grid, work, chances = grid_of(*board.shape), room_for_work(cells.size), np.zeros(cells.size)
    return Counted(grid, cells, work, chances, find_chances(grid, cells, mines, work, chances))


@given(boards().filter(lambda board: board.total is not None))
@settings(max_examples=300)
def test_chances_are_shares_of_all_layouts(board):
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


def test_a_chance_that_is_tiny_is_no_certainty():
    # One 1 in a corner of a large board: its three cells hold one mine, whatever the rest does;
    # with as many mines as cells but one, the interior has one free cell among hundreds.
    cells = np.full((20, 20), UNKNOWN, np.int8)
    cells[0, 0] = 1
    chances = counted(cells, 396).chances
    assert chances[1] == pytest.approx(1 / 3)
    assert chances[399] == pytest.approx(395 / 396)
    assert chances[399] < 1.0


def numbers(shape, mines):
    shown = [certain.EXPLODED if c in mines else clue_of(c, mines) for c in cells_of(shape)]
    return np.array(shown, np.int8)


@pytest.mark.parametrize("seed", range(60))
def test_a_game_stops_where_no_cell_is_safe_in_every_layout(seed):
    random = Random(seed)
    shape = rows, columns = random.choice(SHAPES)
    places = cells_of(shape)
    mines = set(random.sample(places, random.randint(1, len(places) // 3)))
    truth, cells = numbers(shape, mines), np.full(len(places), UNKNOWN, np.int8)
    chances, moves = np.zeros(len(places)), certain.room_for_moves(len(places))
    at = random.choice([at for at, cell in enumerate(places) if cell not in mines])
    state = certain.open_certain(grid_of(*shape), truth, cells, len(mines), at, moves, chances)
    open_cells = cells >= 0
    assert np.array_equal(cells[open_cells], truth[open_cells])
    seen = np.where(cells == KNOWN_MINE, UNKNOWN, cells).reshape(rows, columns)
    layouts = all_layouts(seen, len(mines))
    always = {cell for cell in layouts[0] if all(each[cell] == "*" for each in layouts)}
    assert always == {places[i] for i in np.flatnonzero(cells == KNOWN_MINE)}
    if state == certain.WON:
        assert len(layouts) == 1
        assert open_cells.sum() == len(places) - len(mines)
    else:
        assert state == certain.STUCK
        assert all(any(each[cell] == "*" for each in layouts) for cell in layouts[0])


def by_plain_rules(start, mines, shape, strength, total):
    """What is open once a strength proves no more: one clue is a pair of clues, one of them ()."""
    cells, opened, known = {*cells_of(shape)}, opens(start, mines, shape), set()
    pairs = strength >= certain.SUBSET
    while True:
        hidden, safe, new = cells - opened - known, set(), set()
        near = {clue: frozenset(neighbours(clue, shape) & hidden) for clue in opened}
        clues = {(near[clue], clue_of(clue, mines - known)) for clue in opened}
        clues.add((frozenset(), 0))
        for (a, in_a), (b, in_b) in product(clues, repeat=2):
            if in_a - in_b == len(a - b) and (pairs or not a or not b):
                safe, new = safe | b - a, new | a - b
        if total:
            left = len(mines - known)
            safe = safe.union(*(hidden - a for a, n in clues if n == left and (pairs or not a)))
        if strength == certain.COMPLETE:
            shown = [
                clue_of(cell, mines) if cell in opened else COVERED for cell in cells_of(shape)
            ]
            board = Board(np.array(shown).reshape(shape), len(mines) if total else None)
            safe |= {cell for cell, said in board.verdicts().items() if said == "safe"}
        if not safe | new:
            return opened
        known |= new
        opened = opened.union(*(opens(cell, mines, shape) for cell in safe))


@pytest.mark.parametrize("strength", [certain.SINGLE_CLUE, certain.SUBSET, certain.COMPLETE])
@pytest.mark.parametrize("total", [False, True])
def test_each_strength_opens_what_its_rules_prove_and_no_more(strength, total):
    ends = set()
    for seed in range(60):
        random = Random(seed)
        shape = random.choice([(3, 4), (2, 6), (1, 12)])
        places = cells_of(shape)
        mines = set(random.sample(places, random.randint(1, 4)))
        start = random.choice([cell for cell in places if cell not in mines])
        cells, moves = np.full(len(places), UNKNOWN, np.int8), certain.room_for_moves(len(places))
        grid, room = grid_of(*shape), certain.room_for_certain(len(places))
        top = certain.note(grid, cells, places.index(start), False, moves.stack, 0)
        given = numbers(shape, mines), cells, len(mines), strength, total, moves, room, top
        ends.add(certain.open_provable(grid, *given))
        expected = by_plain_rules(start, mines, shape, strength, total)
        assert {places[i] for i in np.flatnonzero(cells >= 0)} == expected, (shape, mines, start)
    assert ends == {certain.STUCK, certain.WON}


def test_a_layout_that_breaks_the_total_is_noticed():
    # The board is told one mine, and has two: that one corner is free follows, and is wrong.
    truth, cells = numbers((1, 4), {(0, 1), (0, 3)}), np.full(4, UNKNOWN, np.int8)
    moves = certain.room_for_moves(4)
    state = certain.open_certain(grid_of(1, 4), truth, cells, 1, 0, moves, np.zeros(4))
    assert state == certain.UNSAFE


@pytest.mark.parametrize("seed", range(40))
def test_every_value_leaves_what_brute_force_finds(seed):
    random = Random(seed)
    rows, columns = random.choice(SHAPES)
    cells, mines = open_some(rows, columns, random)
    layouts = all_layouts(cells, mines)
    grid, flat, work, chances, done = counted(cells, mines)
    assert done == DONE
    ahead = lookahead.room_for_lookahead(rows * columns, work)
    for index in np.flatnonzero(flat == UNKNOWN).tolist():
        if chances[index] == 1.0:
            continue
        cell = divmod(index, columns)
        possible = lookahead.try_cell(grid, flat, mines, work, ahead, index)
        assert possible == np.count_nonzero(ahead.seen[:, lookahead.CHANCE])
        for value in range(lookahead.VALUES):
            left = [each for each in layouts if each.get(cell) == value]
            chance = pytest.approx(len(left) / len(layouts), abs=1e-9)
            assert ahead.seen[value, lookahead.CHANCE] == chance
            if not left:
                continue
            others = [divmod(i, columns) for i in np.flatnonzero(flat == UNKNOWN) if i != index]
            free = (Fraction(sum(each[c] != "*" for each in left), len(left)) for c in others)
            safety = sorted(free, reverse=True)
            assert ahead.seen[value, lookahead.CERTAIN] == safety.count(1)
            for share, at in zip(safety, (lookahead.SAFEST, lookahead.SECOND), strict=False):
                assert ahead.seen[value, at] == pytest.approx(float(share))
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
        hidden = [each for each in layouts if all(each[cell] == "*" for cell in outer)]
        for free, mine in ((one, other), (other, one)):
            found[free] += sum(each[free] != "*" == each[mine] for each in hidden) / len(layouts)
    return found


def found_in(cells, mines):
    columns = cells.shape[1]
    known = counted(cells, mines).chances.reshape(cells.shape) == 1.0
    grid, flat, work, _, done = counted(np.where(known, KNOWN_MINE, cells).astype(np.int8), mines)
    assert done == DONE
    before = flat.copy()
    pairs = room_for_forced_pairs(flat.size, work)
    find_forced_pairs(grid, flat, mines, work, pairs)
    assert np.array_equal(flat, before)
    known = {divmod(int(index), columns) for index in np.flatnonzero(flat == KNOWN_MINE)}
    places = np.flatnonzero(flat == UNKNOWN).tolist()
    return known, {divmod(index, columns): pairs.guessed[index] for index in places}


@pytest.mark.parametrize("seed", range(60))
def test_every_cell_has_the_share_of_layouts_in_which_it_must_be_guessed_at(seed):
    random = Random(seed)
    shape = random.choice(SHAPES)
    cells, mines = open_some(*shape, random)
    known, found = found_in(cells, mines)
    assert found == pytest.approx(expected(cells, all_layouts(cells, mines), known), abs=1e-9)


def test_a_fifty_fifty_in_a_corner_is_one_half_for_both():
    _, found = found_in(np.array([[-1, 1, 0], [-1, 1, 0]], np.int8), 1)
    assert found == {(0, 0): pytest.approx(0.5), (1, 0): pytest.approx(0.5)}


# The best play there is: published values of tiny boards, and a tree that shares no code.


def best_by_trying(layouts, opened=frozenset()):
    """In how many of some layouts the best play wins, by trying every cell at every position."""

    @cache
    def best(left, opened):
        if len(left) == 1:
            return 1
        parts = {
            cell: [frozenset(i for i in left if layouts[i][cell] == value) for value in range(9)]
            for cell in layouts[0].keys() - opened
        }
        won = (sum(best(p, opened | {cell}) for p in some if p) for cell, some in parts.items())
        return max(won, default=0)

    return best(frozenset(range(len(layouts))), opened)


@pytest.mark.parametrize("seed", range(60))
def test_the_worth_is_that_of_trying_everything(seed):
    random = Random(seed)
    while True:
        rows, columns = random.choice([(3, 3), (2, 4), (1, 8), (3, 4)])
        cells, mines = open_some(rows, columns, random)
        layouts = all_layouts(cells, mines)
        if len(layouts) <= 40:
            break
    cell, worth, many = exactly(cells, mines)
    assert (worth, many) == (best_by_trying(layouts), len(layouts))
    if cell >= 0:
        first = divmod(cell, columns)
        parts = [[each for each in layouts if each[first] == value] for value in range(9)]
        assert worth == sum(best_by_trying(part, frozenset({first})) for part in parts if part)
    else:
        assert (cell, worth) == (exact.DEAD, 1)


def exactly(cells, mines, layouts=3000, effort=10**10):
    found, room = counted(cells, mines), exact.room_for_exact(cells.size, layouts)
    assert found.done == DONE
    return exact.best_exact(found.grid, found.cells, mines, found.work, room, effort)


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
def test_wins_on_tiny_boards_from_the_first_cell_on(board, wins):
    columns, rows, mines = board
    room = exact.room_for_exact(rows * columns, 8008)
    grid, cells, work, _, _ = counted(np.full((rows, columns), UNKNOWN, np.int8), mines)
    _, worth, many = exact.best_exact(grid, cells, mines, work, room, 10**11)
    assert worth >= max(won for won, _ in wins.values())
    shows, places, worths = room.layouts.shows, rows * columns, ints(rows * columns)
    assert exact.worths_of_places(shows, room.tree, places, many, 10**11, worths)
    every = worths.copy()
    for first, (won, opened) in wins.items():
        place = int(room.layouts.place_of[first[0] * columns + first[1]])
        assert every[place] == won
        # After an opening: the layouts in which the cell shows a 0, of which it is then known.
        zeros = np.flatnonzero(shows[place, :many] == 0)
        part = np.ascontiguousarray(shows[:, zeros])
        assert bool(len(zeros)) is bool(opened)
        if opened:
            assert exact.worths_of_places(part, room.tree, places, len(zeros), 10**11, worths)
            assert worths[place] == opened


def test_more_layouts_or_effort_than_wanted_are_given_up():
    cells = np.full((4, 4), UNKNOWN, np.int8)
    assert exactly(cells, 4, layouts=1819)[0] == exact.TOO_MANY
    assert exactly(cells, 4, layouts=1820)[0] >= 0
    assert exactly(cells, 4, layouts=1820, effort=1000)[0] == exact.TOO_MANY


def test_a_cell_that_may_show_seven_or_eight_tells_something():
    shows, tree = octets(1, 2), room_for_tree(1, 2)
    shows[0, 0], shows[0, 1] = 7, 8
    tree.layouts[0, 1] = 1
    # One bit for each value it may show: more than eight bits hold.
    assert survey(shows, tree, 0, 2, 1) == 1


def test_the_best_cell_of_an_isolated_region_is_a_best_cell_of_the_board():
    board, found = BoardSize.parse("7x6/12"), 0
    grid, size = grid_of(6, 7), 42
    moves, room = certain.room_for_moves(size), exact.room_for_exact(size, 1000)
    for number in range(150):
        layout = game_layout(board, (2, 3), FirstClick.OPENING, seed=1, number=number)
        cells = np.full(size, UNKNOWN, np.int8)
        truth, at = numbers_of(layout), 2 * 7 + 3
        state = certain.open_certain(grid, truth, cells, 12, at, moves, np.zeros(size))
        if state != certain.STUCK:
            continue
        cell, part, of = exact.best_isolated(grid, cells, moves.work, room, EFFORT)
        _, best, many = exact.best_exact(grid, cells, 12, moves.work, room, EFFORT)
        if cell == exact.NONE or many == 0:
            continue
        assert 0 < part <= of <= many
        assert many % of == 0
        places = int(np.count_nonzero(cells == UNKNOWN))
        worths = ints(places)
        assert exact.list_few(grid, cells, 12, moves.work, room) != exact.TOO_MANY
        assert exact.worths_of_places(room.layouts.shows, room.tree, places, many, EFFORT, worths)
        assert worths[room.layouts.place_of[cell]] == best
        found += many > of
    assert found >= 3
