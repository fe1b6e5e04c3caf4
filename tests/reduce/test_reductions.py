"""Reductions: single clues, pairs of clues, regions and classes, against all layouts and loops."""

from collections import Counter
from itertools import combinations, product

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satsweeper import Position
from satsweeper.board.planes import members
from satsweeper.reduce import residual
from satsweeper.reduce.rows import Rows, close_rows
from satsweeper.reduce.single_clue import Deduced, single_clue
from tests.boards import Board, Cell, board_of, boards, neighbours
from tests.oracles import exact_sets

NEVER, ALWAYS = 10**9, -1


def by_rules(position: Position) -> Deduced:
    """The verdicts of the single-clue rules, from all clues and flags of a position."""
    planes = position.planes
    return single_clue(position.geometry, planes.clues, planes.values, planes.covered, planes.flags)


def cells(position: Position, board: int) -> set[Cell]:
    """The cells of a bit board."""
    geometry = position.geometry
    return {geometry.cell(i) for i in members(board, geometry.size).tolist()}


def assert_sound(board: Board, position: Position, found: Deduced | residual.Reduced) -> None:
    """What was decided holds in every layout of the clues; a clash is of clues, and without any."""
    layouts = list(board.layouts(total=False))
    if found.clash:
        assert layouts == []
        assert cells(position, found.clash) <= set(position.clue_cells())
        return
    mines, undecided = cells(position, found.mines), cells(position, found.undecided)
    assert undecided.isdisjoint(mines)
    safe = set(board.at(-1)) - mines - undecided
    assert all(mines <= layout and safe.isdisjoint(layout) for layout in layouts)


def by_loop(grid: np.ndarray) -> tuple[set[Cell], set[Cell]] | None:
    """The undecided cells and the mines that the two rules leave, one clue after the other."""
    undecided = {(int(r), int(c)) for r, c in np.argwhere(grid == -1)}
    mines = {(int(r), int(c)) for r, c in np.argwhere(grid == -2)}
    clues = {(int(r), int(c)): int(grid[r, c]) for r, c in np.argwhere(grid >= 0)}
    near = {clue: {*neighbours(clue, grid.shape)} for clue in clues}
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


@settings(max_examples=200)
@given(boards())
def test_the_rules_decide_what_a_plain_loop_does_and_what_holds_in_every_layout(board):
    position = Position(board.cells)
    found, expected = by_rules(position), by_loop(position.cells)
    assert_sound(board, position, found)
    assert bool(found.clash) is (expected is None)
    if expected is not None:
        assert (cells(position, found.undecided), cells(position, found.mines)) == expected


@pytest.mark.parametrize("seed", range(12))
def test_the_rules_reach_the_fixpoint_of_a_plain_loop_on_larger_boards(seed):
    draw = np.random.default_rng(seed)
    shape = (int(draw.integers(10, 40)), int(draw.integers(10, 40)))
    mine = draw.random(shape) < draw.uniform(0.05, 0.25)
    grid = np.full(shape, -1, np.int8)
    for cell in np.ndindex(shape):
        if not mine[cell] and draw.random() < 0.7:
            grid[cell] = sum(bool(mine[near]) for near in neighbours(cell, shape))
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


def reduced(position: Position, deduced: Deduced, arrays: bool) -> residual.Reduced:
    planes = position.planes
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(residual, "_SHIFTING_PAYS", ALWAYS if arrays else NEVER)
        patch.setattr(residual, "_PAIRS_PAY", ALWAYS if arrays else NEVER)
        return residual.reduce_clues(
            position.geometry, planes.clues, planes.values, deduced.undecided, deduced.mines
        )


def layouts_of(position: Position, found: residual.Reduced) -> set[frozenset[Cell]]:
    """All layouts that the constraints and the decided cells describe."""
    if found.clash:
        return set()
    geometry = position.geometry
    known = cells(position, found.mines)
    open_cells = members(found.undecided, geometry.size).tolist()
    return {
        frozenset(known | {geometry.cell(i) for i in mines})
        for mines in exact_sets(found.constraints, open_cells)
    }


@settings(max_examples=160)
@given(boards(), st.booleans())
def test_reduced_clues_describe_exactly_the_layouts_of_the_board(board, arrays):
    position = Position(board.cells)
    deduced = by_rules(position)
    expected = set(board.layouts(total=False))
    if deduced.clash:
        assert not expected
        return
    found = reduced(position, deduced, arrays)
    assert layouts_of(position, found) == expected
    assert_sound(board, position, found)
    assert len(set(found.constraints)) == len(found.constraints)
    for group, need in found.constraints:
        assert list(group) == sorted(set(group)) != []
        assert all(found.undecided >> cell & 1 for cell in group)
        assert need >= 0


def pairs_by_loop(constraints: set[tuple[frozenset[int], int]]) -> dict[int, bool]:
    """What the single-clue and the pair rule decide, over every ordered pair of constraints."""
    decided: dict[int, bool] = {}
    while True:
        left = {
            (
                frozenset(cell for cell in group if cell not in decided),
                need - sum(decided.get(cell, False) for cell in group),
            )
            for group, need in constraints
        }
        new = {cell: True for group, need in left if need == len(group) for cell in group}
        new |= {cell: False for group, need in left if need == 0 for cell in group}
        for (a, in_a), (b, in_b) in product(left, repeat=2):
            if in_a - in_b == len(a - b):
                new |= dict.fromkeys(a - b, True) | dict.fromkeys(b - a, False)
        if not new:
            return decided
        decided |= new


@settings(max_examples=100)
@given(boards(consistent=True))
def test_the_pair_rule_reaches_the_fixpoint_of_a_loop_over_all_pairs(board):
    position = Position(board.cells)
    deduced = by_rules(position)
    by_shifts = reduced(position, deduced, arrays=False)
    expected = pairs_by_loop({(frozenset(group), need) for group, need in by_shifts.constraints})
    found = reduced(position, deduced, arrays=True)
    gone = cells(position, deduced.undecided & ~found.undecided)
    more = cells(position, found.mines & ~deduced.mines)
    cell = position.geometry.cell
    assert gone == {cell(index) for index in expected}
    assert more == {cell(index) for index, mine in expected.items() if mine}


def test_one_two_one_is_decided_by_pairs():
    position = Position.parse("???\n121")
    planes, geometry = position.planes, position.geometry
    rows = Rows.of(geometry, planes.clues, planes.values, planes.covered, 0)
    found = close_rows(geometry, rows, lambda: False)
    left, middle, right = (geometry.index((0, column)) for column in range(3))
    assert (found.clash, len(rows.at)) == (-1, 0)
    assert (sorted(found.mines), found.safe.tolist()) == ([left, right], [middle])


@pytest.mark.parametrize("arrays", [False, True])
def test_clashing_clues_have_no_layout_and_without_active_clues_nothing_is_left(arrays):
    position = Position.parse("??\n12\n??")
    deduced = by_rules(position)
    assert not deduced.clash
    assert layouts_of(position, reduced(position, deduced, arrays)) == set()
    position = Position.parse("???\n???")
    found = reduced(position, by_rules(position), arrays)
    assert found == residual.Reduced(position.planes.covered, 0, 0, [])


@pytest.mark.parametrize("text", ["?1?1 ?2?1", "?1?1 ?3?1", "??1? 1?3?"])
def test_clues_of_which_pairs_alone_clash_are_named(text):
    board = board_of(text)
    position = Position(board.cells)
    deduced = by_rules(position)
    found = reduced(position, deduced, arrays=True)
    assert found.clash
    assert not deduced.clash
    assert_sound(board, position, found)


def constraints(cells: int, most: int) -> st.SearchStrategy[list[residual.Residual]]:
    groups = st.sets(st.integers(0, cells - 1), min_size=1, max_size=5).map(sorted).map(tuple)
    one = groups.flatmap(lambda group: st.tuples(st.just(group), st.integers(0, len(group))))
    return st.lists(one, max_size=most, unique=True)


@settings(max_examples=200)
@given(constraints(40, 30))
def test_regions_are_the_connected_components_and_cells_come_in_order(given_constraints):
    graph = nx.Graph()
    for group, _ in given_constraints:
        graph.add_nodes_from(group)
        nx.add_path(graph, group)
    expected = {frozenset(part) for part in nx.connected_components(graph)}
    found = residual.regions(given_constraints)
    assert {frozenset(residual.cells_of(region)) for region in found} == expected
    assert len(found) == len(expected)
    assert Counter(one for region in found for one in region) == Counter(given_constraints)
    seen = [cell for group, _ in given_constraints for cell in group]
    assert residual.cells_of(given_constraints) == sorted(set(seen), key=seen.index)


@settings(max_examples=150)
@given(constraints(8, 5))
def test_swapping_two_cells_of_a_class_maps_layouts_to_layouts(given_constraints):
    cells = residual.cells_of(given_constraints)
    found = set(exact_sets(given_constraints, cells))
    for group in residual.interchangeable_cells(given_constraints):
        for one, other in combinations(group, 2):
            swap = {one: other, other: one}
            assert {frozenset(swap.get(c, c) for c in mines) for mines in found} == found


@settings(max_examples=150)
@given(constraints(12, 8))
def test_classes_hold_all_cells_that_stand_in_the_same_constraints(given_constraints):
    stands_in: dict[frozenset[int], set[int]] = {}
    for cell in residual.cells_of(given_constraints):
        where = frozenset(k for k, (group, _) in enumerate(given_constraints) if cell in group)
        stands_in.setdefault(where, set()).add(cell)
    expected = {frozenset(group) for group in stands_in.values() if len(group) > 1}
    found = residual.interchangeable_cells(given_constraints)
    assert {frozenset(group) for group in found} == expected
    assert len(found) == len(expected)
