"""Pairs of cells that only a guess will decide, against brute force over all layouts."""

from itertools import combinations
from random import Random

import numpy as np
import pytest

from satsweeper.play.kernel.grid import DONE, KNOWN_MINE, UNKNOWN
from satsweeper.play.kernel.second_safety import OUTER, find_forced_pairs, room_for_forced_pairs
from tests.play.cells import touch


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
    shape = random.choice([(4, 4), (3, 5), (2, 7), (1, 12), (4, 5)])
    cells, mines = open_some(*shape, random)
    known, found = found_in(counted, cells, mines)
    assert found == pytest.approx(expected(cells, all_layouts(cells, mines), known), abs=1e-9)


def test_a_fifty_fifty_in_a_corner_is_one_half_for_both(counted):
    _, found = found_in(counted, np.array([[-1, 1, 0], [-1, 1, 0]], np.int8), 1)
    assert found == {(0, 0): pytest.approx(0.5), (1, 0): pytest.approx(0.5)}
