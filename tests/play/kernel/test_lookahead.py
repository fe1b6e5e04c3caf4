"""One move ahead is what brute force finds on the board with the cell open."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from satsweeper.play.kernel.grid import DONE, UNKNOWN
from satsweeper.play.kernel.lookahead import (
    CERTAIN,
    CHANCE,
    SAFEST,
    SECOND,
    VALUES,
    room_for_lookahead,
    try_cell,
)


@pytest.mark.parametrize("seed", range(40))
def test_every_value_leaves_what_brute_force_finds(open_some, all_layouts, counted, seed):
    random = Random(seed)
    rows, columns = random.choice([(4, 4), (3, 5), (2, 7), (1, 12), (4, 5)])
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
