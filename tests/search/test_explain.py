"""Reasons, witnesses and conflicts against brute force, and the sentences that tell them."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from satsweeper import Conflict, Position, Session, classify, explain
from satsweeper.board.errors import LimitError
from satsweeper.families.table import FAMILIES
from satsweeper.processes.deadline import Deadline
from tests.boards import Board, Cell, assert_refutes, board_of, boards, neighbours
from tests.commands import need_highs


@st.composite
def certain(draw) -> tuple[Board, Cell, str]:
    """A board with a certain cell, and its verdict by brute force."""
    board = draw(boards(most=9, consistent=True))
    known = {cell: said for cell, said in board.verdicts().items() if said != "unknown"}
    assume(known)
    cell = draw(st.sampled_from(list(known)))
    return board, cell, known[cell]


@settings(max_examples=200)
@given(certain(), st.sampled_from(["auto", "minisat22"]))
def test_a_reason_leaves_no_layout_with_the_opposite_and_needs_all_of_itself(drawn, solver):
    board, cell, verdict = drawn
    found = explain(Position(board.cells, board.total), cell, solver=solver)
    assert (found.cell, found.verdict) == (cell, verdict)
    assert found.mine_layout is found.safe_layout is None
    assert found.reason.irreducible
    assert_refutes(board, found.reason, (cell, verdict == "safe"))


@settings(max_examples=150)
@given(boards(most=9), st.sampled_from(["auto", "minisat22"]), st.booleans(), st.data())
def test_a_conflict_has_no_layout_and_needs_all_of_itself(board, solver, plain, data):
    clues, total = board.clues(), board.total
    cells = board.cells.copy()
    if clues:
        # One more clue is changed, so that most of these boards have no layout.
        cells[data.draw(st.sampled_from(clues))] = data.draw(st.integers(0, 8))
    elif total is not None:
        total = data.draw(st.integers(0, board.cells.size))
    board = board._replace(cells=cells, total=total)
    assume(board.verdicts() is None)
    found = classify(Position(cells, total), solver=solver, plain=plain).conflict
    assert found.irreducible
    assert_refutes(board, found)


def assert_witnesses(board, found) -> None:
    """Both layouts keep what the board shows, meet its clues and total, and differ at the cell."""
    assert found.reason is None
    for layout, mine in ((found.mine_layout, True), (found.safe_layout, False)):
        rows = ["".join(row) for row in layout]
        assert (len(rows), len(rows[0])) == board.cells.shape
        for (r, c), code in np.ndenumerate(board.cells):
            allowed = {-1: "MS", -2: "F"}.get(int(code), str(code))
            assert rows[r][c] in allowed
        mines = {(r, c) for r, row in enumerate(rows) for c, ch in enumerate(row) if ch in "MF"}
        assert (found.cell in mines) is mine
        assert board.total in (None, len(mines))
        for clue in board.clues():
            assert len(mines & {*neighbours(clue, board.cells.shape)}) == board.cells[clue]


SOLVERS = ["auto", "minisat22", "cadical195"]


@settings(max_examples=200)
@given(boards(consistent=True), st.booleans(), st.sampled_from(SOLVERS), st.data())
def test_witnesses_are_layouts_that_differ_at_the_cell(board, other_total, solver, data):
    if other_total:
        board = board._replace(total=data.draw(st.integers(0, board.cells.size)))
    unknown = [cell for cell, verdict in (board.verdicts() or {}).items() if verdict == "unknown"]
    assume(unknown)
    with Session(Position(board.cells, board.total), solver=solver) as session:
        for cell in unknown:
            found = session.explain(cell)
            assert found.verdict == "unknown"
            assert_witnesses(board, found)


@settings(max_examples=60)
@given(boards(most=9, consistent=True), st.data())
def test_witnesses_and_reasons_after_reveals_fit_the_board_as_it_is(board, data):
    truth = data.draw(st.sampled_from(list(board.layouts())))
    with Session(Position(board.cells, board.total), solver="minisat22") as session:
        for _ in range(3):
            covered = [cell for cell in board.at(-1) if cell not in truth]
            if not covered:
                break
            for cell in board.at(-1):
                found = session.explain(cell)
                assert found.verdict == board.verdicts()[cell]
                if found.reason is None:
                    assert_witnesses(board, found)
                else:
                    assert_refutes(board, found.reason, (cell, found.verdict == "safe"))
            opened = data.draw(st.sampled_from(covered))
            clue = len(truth & {*neighbours(opened, board.cells.shape)})
            board = board.opened(opened, clue)
            session.reveal(opened, clue)


@settings(max_examples=80)
@given(boards(most=9, consistent=True))
def test_the_sentence_names_the_cell_and_everything_in_the_reason(board):
    with Session(Position(board.cells, board.total)) as session:
        for cell in board.at(-1):
            found = session.explain(cell)
            said, reason = found.sentence, found.reason
            assert said.startswith(f"{cell} ")
            assert said.endswith(".")
            if reason is not None:
                assert all(f"the {board.cells[clue]} at {clue}" in said for clue in reason.clues)
                if len(reason.clues) > 1 or found.verdict == "safe":
                    assert all(str(flag) in said for flag in reason.flags)
                assert ("the total of" in said) is reason.total


@pytest.mark.parametrize(
    ("text", "total", "cell"),
    [("???11? 3????2 ??????", 5, (0, 0)), ("?????? 3?3?33 ??1??? 11???2", 7, (2, 1))],
)
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_cell_open_under_the_total_has_two_layouts(text, total, cell, solver):
    board = board_of(text, total)
    found = explain(Position(board.cells, total), cell, solver=solver)
    assert found.verdict == "unknown"
    assert_witnesses(board, found)


def plain_clauses(grid: np.ndarray, clues: list[Cell]) -> list[list[int]]:
    """Each clue as: no more than its number of mines, no more than the others of safe cells."""
    clauses = []
    for clue in clues:
        near = neighbours(clue, grid.shape)
        hidden = [1 + r * grid.shape[1] + c for r, c in near if grid[r, c] < 0]
        need = int(grid[clue])
        clauses += [[-v for v in some] for some in combinations(hidden, need + 1)]
        clauses += [list(some) for some in combinations(hidden, len(hidden) - need + 1)]
    return clauses


def has_layout(grid: np.ndarray, reason: Conflict, *literals: int) -> bool:
    """Whether a solver finds mines that meet these clues and flags, and the literals."""
    with Solver("cadical195") as solver:
        solver.append_formula(plain_clauses(grid, list(reason.clues)))
        for r, c in reason.flags:
            assert grid[r, c] == -2
            solver.add_clause([1 + r * grid.shape[1] + c])
        return bool(solver.solve(assumptions=literals))


def assert_irreducible(grid: np.ndarray, reason: Conflict, *literals: int) -> None:
    """No layout meets it and the literals; without any one clue or flag (of five) there is."""
    assert (reason.irreducible, reason.total) == (True, False)
    assert not has_layout(grid, reason, *literals)
    assert_needed(grid, reason, *literals)


def assert_needed(
    grid: np.ndarray, reason: Conflict, *literals: int, clues: int = 5, flags: int = 5
) -> None:
    """Without any one of the clues and flags, every so many, there is a layout."""
    for clue in reason.clues[::clues]:
        fewer = reason.replaced(clues=tuple(c for c in reason.clues if c != clue))
        assert has_layout(grid, fewer, *literals)
    for flag in reason.flags[::flags]:
        fewer = reason.replaced(flags=tuple(f for f in reason.flags if f != flag))
        assert has_layout(grid, fewer, *literals)


@pytest.mark.parametrize(
    ("family", "size"),
    [("mutilated_chessboard", 6), ("ones", 7), ("bump", 8), ("parity_lattice", 3), ("hall", 6)],
)
def test_a_hard_board_ends_with_a_conflict_of_which_all_is_needed(family, size):
    if family == "hall":
        need_highs()
    position = FAMILIES[family].instance(size, 1)
    assert_irreducible(position.cells, classify(position).conflict)


@pytest.mark.parametrize(
    ("family", "size"),
    [
        ("safehole", 5), ("safehole", 8), ("chessboard_with_private_cells", 6),
        ("parity_lattice_with_open_end", 3),
    ],
)  # fmt: skip
def test_a_cell_that_only_sums_decide_has_a_reason_of_which_all_is_needed(
    family, size, monkeypatch
):
    if family != "parity_lattice_with_open_end":
        need_highs()
    # Sums have to find it: search is over before it begins.
    monkeypatch.setattr("satsweeper.reasons.reason._SOON", 0)
    position = FAMILIES[family].instance(size, 1)
    certain = FAMILIES[family].certain(size, 1)
    (r, c), mine = min(certain.items())
    found = explain(position, (r, c))
    assert found.verdict == ("mine" if mine else "safe")
    variable = 1 + r * position.columns + c
    reason, said = found.reason, found.sentence
    assert_irreducible(position.cells, reason, -variable if mine else variable)
    assert found.as_json()["by"] == list(reason.by)
    assert reason.by[0] in ("modulo 2", "modulo 3", "weighted sum")
    assert "added up" in said
    shown = [f"the {position.cells[clue]} at {clue}" in said for clue in reason.clues]
    assert all(shown[:12])
    assert all(shown) or f"{len(shown) - 12} more clues" in said


def test_all_of_a_large_conflict_is_needed():
    squares = 24
    position = FAMILIES["mutilated_chessboard"].instance(squares)
    grid, reason = position.cells, classify(position).conflict
    # Squares of one colour less those of the other ask for more than any cells can give.
    total, asked = np.zeros(grid.shape, int), 0
    for r, c in reason.clues:
        sign = 1 if (r + c) // 2 % 2 == 0 else -1
        asked += sign * int(grid[r, c])
        total[r - 1 : r + 2, c - 1 : c + 2] += sign
        total[r, c] -= sign
    for flag in reason.flags:
        asked -= total[flag]
        total[flag] = 0
    total[grid >= 0] = 0
    assert max(asked - total[total > 0].sum(), total[total < 0].sum() - asked) > 0
    assert reason.irreducible
    assert_needed(grid, reason, clues=97, flags=17)


@settings(max_examples=100)
@given(certain(), st.sampled_from([0.0, 0.001, None]))
def test_a_reason_holds_when_the_limit_comes_first_and_says_if_it_may_be_too_large(drawn, seconds):
    board, cell, verdict = drawn
    with Session(Position(board.cells, board.total)) as session:
        session.classify()
        found = session.explain(cell, Deadline.after(seconds))
    assert found.verdict == verdict
    assert found.reason.irreducible or seconds is not None
    assert_refutes(board, found.reason, (cell, verdict == "safe"))


def test_before_there_is_a_verdict_there_is_none_to_explain():
    position = FAMILIES["safehole"].instance(8, 0)
    cell = min(FAMILIES["safehole"].certain(8, 0))
    with Session(position) as session:
        with pytest.raises(LimitError, match="no verdict within the limit"):
            session.explain(cell, Deadline.after(0.0))
        assert session.explain(cell).verdict == "safe"


def test_more_mines_than_cells_is_a_conflict_of_the_total_alone():
    found = classify(Position.parse("?0?", mines=3).with_clue((0, 0), 0)).conflict
    assert (found.clues, found.flags, found.total) == ((), (), True)


@pytest.mark.parametrize(
    ("cell", "mines", "message"),
    [
        ((9, 0), None, "not on the board"), ((0, 0), None, "clue"), ((1, 2), None, "flag"),
        ((0, 1), 0, "inconsistent"),
    ],
)  # fmt: skip
def test_only_covered_cells_of_consistent_boards_have_reasons(cell, mines, message):
    with pytest.raises(ValueError, match=message):
        explain(Position.parse("1??\n?2F", mines=mines), cell)


@pytest.mark.parametrize(
    ("text", "cell", "sentence"),
    [
        ("1?", (0, 1), "a mine: the 1 at (0, 0) has no other neighbour left for its mine."),
        ("?2?", (0, 2),
         "a mine: the 2 at (0, 1) has only 2 neighbours left, so all of them are mines."),
        ("0?", (0, 1), "safe: the 0 at (0, 0) touches no mine."),
        ("F1?", (0, 2), "safe: the 1 at (0, 1) is met by its flag (0, 0)."),
    ],
)  # fmt: skip
def test_reasons_of_one_clue_are_told_in_plain_words(text, cell, sentence):
    assert explain(Position.parse(text), cell).sentence == f"{cell} is {sentence}"
