"""Linear algebra as an engine: hard boards of every family that a modulus decides, and its limits.

That it claims nothing false is tested with the other engines that need no solver.
"""

import numpy as np
import pytest

from satsweeper import Position, classify
from satsweeper.answers.options import Options
from satsweeper.engines import elimination
from satsweeper.families.chessboard import parity_lattice
from satsweeper.families.table import FAMILIES, MOD_2, MOD_3
from tests.engines.verdicts import certain_cells


def eliminate(position, options):
    return certain_cells(elimination.classify(position, options))


HARD = [
    (name, size)
    for name, family in FAMILIES.items()
    if family.of == "board" and {MOD_2, MOD_3} & {*family.decided_by}
    for size in (*family.small, 12)
]


@pytest.mark.parametrize(("name", "size"), HARD)
def test_what_a_modulus_decides_is_decided(name, size):
    family = FAMILIES[name]
    answer = eliminate(family.instance(size, 1), Options())
    assert not answer.notes
    if not family.satisfiable:
        assert answer.status == "inconsistent"
    else:
        certain = family.certain(size, 1)
        assert certain
        assert {cell for cell, mine in certain.items() if mine} <= answer.mines
        assert {cell for cell, mine in certain.items() if not mine} <= answer.safe


def test_brute_force_knows_little_that_it_misses(known):
    certain = found = 0
    for one in known:
        answer = eliminate(one.position, Options())
        assert (answer.status == "inconsistent") == (not one.layouts)
        assert answer.safe <= one.safe
        assert answer.mines <= one.mines
        certain += len(one.safe) + len(one.mines)
        found += len(answer.safe) + len(answer.mines)
    assert found > 0.99 * certain


def test_the_total_less_clues_that_share_no_cell_leaves_safe_cells():
    """Two clues of 1 hold both mines; the sum of the other cells is 0 and not only divisible."""
    position = Position.parse("3 9 2\n?1???????\n????????1\n?????????")
    answer = eliminate(position, Options())
    assert len(answer.safe) == 25 - 5 - 5
    assert not eliminate(Position(position.cells), Options()).safe


def test_pigeonholes_are_missed():
    position = FAMILIES["hall"].instance(6)
    assert classify(position).status == "inconsistent"
    answer = eliminate(position, Options())
    assert answer.status == "undecided"
    assert not answer.decided


def test_the_conflict_is_one_that_sums_show():
    found = classify(parity_lattice(3), engine="elimination")
    assert found.status == "inconsistent"
    assert found.notes == ()
    assert found.conflict.irreducible
    assert not found.conflict.total


def test_what_would_not_fit_into_memory_is_left_and_noted():
    """50,000 cells in one region: two rows of covered cells on either side of clues of 1."""
    cells = np.full((3, 20_000), -1, np.int8)
    cells[1, ::2] = 1
    answer = eliminate(Position(cells), Options())
    assert answer.status == "undecided"
    [note] = answer.notes
    assert "memory" in note


def test_what_is_certain_is_told_on_the_way_and_a_limit_is_kept(data):
    position = Position.read(data / "positions" / "parity_extra_8.txt")
    answer = eliminate(position, Options(timeout=0.0))
    assert (answer.status, answer.decided) == ("undecided", False)
    assert answer.notes
    told = []
    answer = eliminate(position, Options(timeout=60, tell=told.append))
    assert all(set(each.safe) <= answer.safe and each.notes for each in told)
