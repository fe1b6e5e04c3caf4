"""What is compared as text, or not made before it is asked for, is what reading it all gives."""

import json
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbcnf.proof.cutting_planes.formula import read_formula
from satsweeper.checker.board import CheckedBoard, CountPair, read_board
from satsweeper.checker.formula import check_problem
from satsweeper.checker.opb_statement import OpbStatement
from satsweeper.checker.sums_recheck import add_up

Forge = Callable[[str], Any]
CELLS = 5
EMPTY = (
    "pseudo-Boolean proof version 3.0\nf {} ;\n"
    "output NONE ;\nconclusion NONE ;\nend pseudo-Boolean proof ;\n"
)

sums = st.lists(
    st.tuples(
        st.sets(st.integers(1, CELLS)).map(lambda cells: tuple(sorted(cells))),
        st.integers(-1, CELLS + 1),
    ),
    max_size=6,
)
claims = st.none() | st.lists(st.integers(1, CELLS), unique=True).flatmap(
    lambda cells: st.tuples(*[st.sampled_from([v, -v]) for v in cells]).map(list)
)


def written(said: OpbStatement, claim: list[int] | None = None) -> bytes:
    last = ""
    if claim is not None:
        terms = "".join(f"+1 x{v} " if v > 0 else f"-1 x{-v} " for v in claim)
        last = f"{terms}>= {1 - sum(v < 0 for v in claim)} ;\n"
    equal = len(said.sums)
    lines = equal + (claim is not None)
    head = f"* #variable= {said.cells} #constraint= {lines} #equal= {equal} intsize= 9\n"
    return head.encode() + said.text + last.encode()


def forced_by(sum_: CountPair) -> set[int]:
    """The literals that all assignments of this one sum make true; none if there is none."""
    cells, number = sum_
    models = [bits for bits in product((0, 1), repeat=len(cells)) if sum(bits) == number]
    return {
        v if value else -v
        for at, v in enumerate(cells)
        for value in (0, 1)
        if models and all(bits[at] == value for bits in models)
    }


@given(sums, claims)
def test_a_problem_that_is_not_read_has_the_constraints_that_reading_finds(said, claim):
    stated = OpbStatement(CELLS, said)
    problem = written(stated, claim)
    found = check_problem(problem, stated, "clues.opb", claim)
    read = read_formula(problem)
    assert not isinstance(found.constraints, list)
    assert list(found.constraints) == read.constraints
    assert len(found.constraints) == len(read.constraints)
    assert found.variables == read.variables == CELLS


@given(sums, st.randoms(use_true_random=False))
def test_a_problem_in_another_order_is_read_and_accepted(said, rng):
    stated = OpbStatement(CELLS, said)
    head, *lines = written(stated).splitlines(keepends=True)
    rng.shuffle(lines)
    problem = head + b"".join(lines)
    found = check_problem(problem, stated, "clues.opb")
    assert list(found.constraints) == list(read_formula(problem).constraints)


@given(sums)
def test_both_checkers_take_from_single_sums_what_all_assignments_show(said):
    stated = OpbStatement(CELLS, said)
    forced = {lit for one in said for lit in forced_by(one)}
    proof = EMPTY.format(2 * len(said))
    found = check_problem(written(stated), stated, "clues.opb")
    assert not isinstance(found.constraints, list)
    assert found.constraints.forced() == forced
    again = add_up(written(stated).decode(), proof, "sums.pbp")
    assert again.literals == forced


@st.composite
def boards(draw: st.DrawFn) -> tuple[CheckedBoard, set[tuple[int, int]]]:
    """A board, right or wrong, and mines in some of its covered cells."""
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(1, 6))
    line = st.text("?F0123", min_size=columns, max_size=columns)
    lines = draw(st.lists(line, min_size=rows, max_size=rows))
    total = draw(st.sampled_from(["?", "1", "3"]))
    board = read_board(
        f"{rows} {columns} {total}\n" + "".join(f"{line}\n" for line in lines), draw(st.booleans())
    )
    mines = draw(st.sets(st.sampled_from(board.cells))) if board.cells else set()
    return board, mines


@given(boards())
def test_a_layout_breaks_a_board_if_some_clue_or_the_total_counts_other_mines(drawn):
    board, mines = drawn
    placed = mines | set(board.flags)
    wrong = []
    for r, row in enumerate(board.rows):
        for c, mark in enumerate(row):
            around = sum(
                (r + down, c + right) in placed
                for down, right in product((-1, 0, 1), repeat=2)
                if down or right
            )
            if mark in "0123" and around != int(mark):
                wrong.append((r, c))
    last = len(board.text) - 1
    found = board.broken_by_places(sum(1 << last - board.grid.place(cell) for cell in mines))
    if wrong:
        assert found is not None
        assert found.startswith(f"the clue at {wrong[0]} wants")
    else:
        assert (found is None) == (board.mines in (None, len(placed)))


@given(boards())
def test_clues_are_made_when_they_are_asked_for_and_say_what_is_around_them(drawn):
    board, _ = drawn
    shown = [
        (r, c) for r, row in enumerate(board.rows) for c, mark in enumerate(row) if mark in "0123"
    ]
    assert board.counts == [board.clue_at(cell) for cell in shown]
    for cell in shown:
        near = {
            other
            for other in (*board.cells, *board.flags)
            if other != cell and max(abs(other[0] - cell[0]), abs(other[1] - cell[1])) == 1
        }
        count = board.clue_at(cell)
        assert count is not None
        assert count.variables == {board.variable[one] for one in near & set(board.cells)}
        flagged = len(near & set(board.flags))
        assert count.mines == int(board.rows[cell[0]][cell[1]]) - flagged
    for cell in ((-1, 0), (0, 99), (99, 0), *board.cells, *board.flags):
        assert board.clue_at(cell) is None


def test_a_map_may_be_written_in_other_ways(forge):
    forgery = forge("open")
    forgery.files["map.json"] = json.dumps(forgery.json("map.json"), indent=1).encode()
    assert forgery.check().proved


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"2": {"cell": [0, 2]}', '"2": {"cell": [0, 3]}'),
        ('"variables": {', '"variables": {}, "variables": {'),
        ('"variables": {', '"variables": {}, "more": {'),
        ('"auxiliaries": [', '"auxiliaries": [{"variables": {}}, '),
    ],
)
def test_a_map_that_says_anything_else_is_refused(forge, old, new):
    forgery = forge("open")
    forgery.replace("map.json", old, new)
    assert forgery.fault().file == "map.json"
