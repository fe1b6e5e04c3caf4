"""Clues as arrays: the pair rule against brute force, and both ways to the same constraints."""

from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from satsweeper import Position
from satsweeper.board.planes import members
from satsweeper.reduce import residual
from satsweeper.reduce.residual import Reduced, reduce_clues
from satsweeper.reduce.rows import Rows, close_rows
from satsweeper.reduce.single_clue import Deduced
from tests.reduce.rules import by_rules, cells

NEVER, ALWAYS = 10**9, -1


def reduced(position: Position, deduced: Deduced, arrays: bool) -> Reduced:
    planes = position.planes
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(residual, "_SHIFTING_PAYS", ALWAYS if arrays else NEVER)
        patch.setattr(residual, "_PAIRS_PAY", ALWAYS if arrays else NEVER)
        return reduce_clues(
            position.geometry, planes.clues, planes.values, deduced.undecided, deduced.mines
        )


def layouts_of(position: Position, found: Reduced) -> set[frozenset[tuple[int, int]]]:
    """All layouts that the constraints and the decided cells describe."""
    if found.clash:
        return set()
    geometry = position.geometry
    known = cells(position, found.mines)
    open_cells = members(found.undecided, geometry.size).tolist()
    result = set()
    for bits in product((False, True), repeat=len(open_cells)):
        mines = {cell for cell, bit in zip(open_cells, bits, strict=True) if bit}
        if all(len(mines.intersection(group)) == need for group, need in found.constraints):
            result.add(frozenset(known | {geometry.cell(i) for i in mines}))
    return result


@settings(max_examples=120, deadline=None)
@given(st.data(), st.booleans())
def test_reduced_clues_describe_exactly_the_layouts_of_the_board(small_boards, data, arrays):
    board = data.draw(small_boards())
    position = Position(board.cells)
    deduced = by_rules(position)
    expected = set(board.layouts(total=False))
    if deduced.clash:
        assert not expected
    else:
        assert layouts_of(position, reduced(position, deduced, arrays)) == expected


@settings(max_examples=80, deadline=None)
@given(st.data(), st.booleans())
def test_residual_constraints_are_distinct_and_hold_undecided_cells_only(
    small_boards, data, arrays
):
    position = Position(data.draw(small_boards()).cells)
    deduced = by_rules(position)
    assume(not deduced.clash)
    found = reduced(position, deduced, arrays)
    assert len(set(found.constraints)) == len(found.constraints)
    for group, need in found.constraints:
        assert group
        assert list(group) == sorted(set(group))
        assert all(found.undecided >> cell & 1 for cell in group)
        assert need >= 0


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_the_pair_rule_decides_only_what_holds_in_every_layout(small_boards, data):
    board = data.draw(small_boards())
    position = Position(board.cells)
    deduced = by_rules(position)
    assume(not deduced.clash)
    found = reduced(position, deduced, arrays=True)
    layouts = list(board.layouts(total=False))
    if found.clash:
        assert layouts == []
        assert cells(position, found.clash) <= set(position.clue_cells())
        return
    mines, undecided = cells(position, found.mines), cells(position, found.undecided)
    safe = set(board.at(-1)) - mines - undecided
    assert all(mines <= layout and safe.isdisjoint(layout) for layout in layouts)


Constraint = tuple[frozenset[int], int]


def pairs_by_loop(constraints: set[Constraint]) -> dict[int, bool]:
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


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_the_pair_rule_reaches_the_fixpoint_of_a_loop_over_all_pairs(small_boards, data):
    position = Position(data.draw(small_boards(consistent=True)).cells)
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
    assert found.clash == -1
    assert sorted(found.mines.tolist()) == [geometry.index((0, 0)), geometry.index((0, 2))]
    assert found.safe.tolist() == [geometry.index((0, 1))]
    assert len(rows.at) == 0


def test_clues_over_the_same_cells_with_different_needs_have_no_layout_either_way():
    position = Position.parse("??\n12\n??")
    deduced = by_rules(position)
    assert not deduced.clash
    for arrays in (False, True):
        assert layouts_of(position, reduced(position, deduced, arrays)) == set()


def test_without_active_clues_nothing_is_left():
    position = Position.parse("???\n???")
    for arrays in (False, True):
        found = reduced(position, by_rules(position), arrays)
        assert found == Reduced(position.planes.covered, 0, 0, [])
