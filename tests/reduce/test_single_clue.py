"""The single-clue rules against brute force and against a plain loop over the cells."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satsweeper import Position
from satsweeper.reduce.single_clue import Deduced, single_clue
from tests.reduce.rules import Cell, by_rules, cells


def around(cell: Cell, shape: tuple[int, int]) -> set[Cell]:
    rows = range(max(cell[0] - 1, 0), min(cell[0] + 2, shape[0]))
    columns = range(max(cell[1] - 1, 0), min(cell[1] + 2, shape[1]))
    return {(r, c) for r in rows for c in columns} - {cell}


def by_loop(grid: np.ndarray) -> tuple[set[Cell], set[Cell]] | None:
    """The undecided cells and the mines that the two rules leave, one clue after the other."""
    undecided = {(int(r), int(c)) for r, c in np.argwhere(grid == -1)}
    mines = {(int(r), int(c)) for r, c in np.argwhere(grid == -2)}
    clues = {(int(r), int(c)): int(grid[r, c]) for r, c in np.argwhere(grid >= 0)}
    near = {clue: around(clue, grid.shape) for clue in clues}
    before = -1
    while before != len(undecided):
        before = len(undecided)
        for clue, value in clues.items():
            need, rest = value - len(near[clue] & mines), near[clue] & undecided
            if not 0 <= need <= len(rest):
                return None
            if need in (0, len(rest)):
                undecided -= rest
                mines |= rest if need else set()
    return undecided, mines


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_what_the_rules_decide_holds_in_every_layout(small_boards, data):
    board = data.draw(small_boards())
    position = Position(board.cells)
    found = by_rules(position)
    layouts = list(board.layouts(total=False))
    if found.clash:
        assert layouts == []
        return
    mines, undecided = cells(position, found.mines), cells(position, found.undecided)
    assert undecided.isdisjoint(mines)
    safe = set(board.at(-1)) - mines - undecided
    assert all(mines <= layout and safe.isdisjoint(layout) for layout in layouts)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_the_rules_reach_the_fixpoint_of_a_plain_loop(small_boards, data):
    position = Position(data.draw(small_boards()).cells)
    found, expected = by_rules(position), by_loop(position.cells)
    assert bool(found.clash) is (expected is None)
    if expected is not None:
        assert (cells(position, found.undecided), cells(position, found.mines)) == expected


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_clash_names_clues_only(small_boards, data):
    position = Position(data.draw(small_boards()).cells)
    clash = by_rules(position).clash
    assert cells(position, clash) <= set(position.clue_cells())


@pytest.mark.parametrize("seed", range(12))
def test_the_rules_reach_the_fixpoint_of_a_plain_loop_on_larger_boards(seed):
    draw = np.random.default_rng(seed)
    shape = (int(draw.integers(10, 40)), int(draw.integers(10, 40)))
    mine = draw.random(shape) < draw.uniform(0.05, 0.25)
    grid = np.full(shape, -1, np.int8)
    for cell in np.ndindex(shape):
        if not mine[cell] and draw.random() < 0.7:
            grid[cell] = sum(bool(mine[near]) for near in around(cell, shape))
        elif mine[cell] and draw.random() < 0.1:
            grid[cell] = -2
    position = Position(grid)
    found = by_rules(position)
    assert not found.clash
    assert (cells(position, found.undecided), cells(position, found.mines)) == by_loop(grid)


def test_clues_that_are_not_to_be_used_decide_nothing():
    position = Position.parse("1?1\n???")
    planes = position.planes
    only = 1 << position.geometry.index((0, 0))
    found = single_clue(position.geometry, only, planes.values, planes.covered, 0)
    assert found == Deduced(planes.covered, 0, 0)


@pytest.mark.parametrize("text", ["F0", "FF\n1?", "0?1", "1?1\nFFF"])
def test_plain_contradictions_clash(text):
    assert by_rules(Position.parse(text)).clash
