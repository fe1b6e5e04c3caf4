"""Engines of the table: complete ones equal brute force, no other claims what is false.

Those without a package are asked here; all are asked about published examples.
"""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satsweeper import Position, classify
from satsweeper.answers.options import Options
from satsweeper.engines.enumeration import MOST_STEPS, RegionSearch
from satsweeper.engines.parts.position_sums import split
from satsweeper.engines.protocol import EngineRefusedError
from satsweeper.engines.table import ENGINES
from satsweeper.families.chessboard import parity_lattice
from satsweeper.families.table import FAMILIES, MOD_2, MOD_3
from satsweeper.notation.danamlund import read
from satsweeper.position import KEEP
from tests.boards import Board, CertainCells, board_of, boards, certain_cells

EVERY_COMPLETE = [e.name for e in ENGINES.values() if e.complete and e.extra is None]
EVERY_INCOMPLETE = [e.name for e in ENGINES.values() if not e.complete and e.extra is None]


def answer_of(name: str, position: Position, **options: Any) -> CertainCells:
    return certain_cells(ENGINES[name].classify(position, Options(**options)))


def claims_nothing_false(answer: CertainCells, board: Board) -> None:
    verdicts = board.verdicts()
    if verdicts is None:
        assert answer.status != "consistent"
        return
    safe, mines = ({c for c in verdicts if verdicts[c] == kind} for kind in ("safe", "mine"))
    assert answer.status != "inconsistent"
    assert answer.safe <= safe
    assert answer.mines <= mines
    if answer.status == "consistent":
        assert (answer.safe, answer.mines) == (safe, mines)


@pytest.mark.parametrize("name", [*EVERY_COMPLETE, *EVERY_INCOMPLETE])
@settings(max_examples=120)
@given(board=boards(most=9))
def test_a_complete_engine_equals_brute_force_and_no_other_claims_what_is_false(name, board):
    answer = answer_of(name, Position(board.cells, board.total))
    claims_nothing_false(answer, board)
    assert answer.decided or name in EVERY_INCOMPLETE


@settings(max_examples=120)
@given(boards(most=9), st.integers(0, 6))
def test_enumeration_with_a_cap_claims_nothing_false(board, cap):
    answer = answer_of("enumeration", Position(board.cells, board.total), cap=cap)
    claims_nothing_false(answer, board)


@pytest.mark.parametrize("name", ENGINES)
def test_ignored_flags_get_a_verdict_and_a_wrong_flag_or_total_is_a_contradiction(name, ask):
    position = Position.parse("F1")
    assert ask(name, position).mines == set()
    assert ask(name, position, flags="ignore").mines == {(0, 0)}
    for text in ("1 3 1\nF0?", "1 3 2\n?10", "1 2 1\n00"):
        assert ask(name, Position.parse(text)).status == "inconsistent"


EVERY = {(r, c) for r in range(3) for c in range(3)}
CLUSTER = "01?\n12?\n???"


@pytest.mark.parametrize(
    ("name", "cap", "board", "safe", "mines", "decided"),
    [
        # 7.1: a met clue makes the rest safe; a tight one mines, where 132 is meant, not 112.
        ("single_clue", None, "F??\n?1?\n???", EVERY - {(0, 0), (1, 1)}, set(), True),
        ("single_clue", None, "F2?\n132\n01?", set(), {(0, 2), (2, 2)}, True),
        # 7.2: three covered cells above 111; without the middle mine two would touch the 1.
        ("single_clue", None, "???\n111", set(), set(), False),
        ("assumption", None, "???\n111", {(0, 0), (0, 2)}, {(0, 1)}, True),
        # 7.3: four of 32 layouts are left, and the last cell is a mine in none of them.
        *((name, None, CLUSTER, set(), set(), False) for name in ("single_clue", "assumption")),
        ("subset", None, CLUSTER, {(2, 2)}, set(), False),
        *(("enumeration", cap, CLUSTER, {(2, 2)}, set(), True) for cap in (None, 15)),
        ("enumeration", 4, CLUSTER, set(), set(), False),
        # 004, level 2: {a, b, c} = 2 and {a, b} = 1 make c a mine; equal numbers make it safe.
        ("subset", None, "???\n13F", set(), {(0, 2)}, False),
        ("subset", None, "???\n12F", {(0, 2)}, set(), False),
        ("single_clue", None, "???\n13F", set(), set(), False),
    ],
)
def test_examples_of_003_and_004_are_as_far_as_each_engine_sees(
    name, cap, board, safe, mines, decided
):
    answer = answer_of(name, Position.parse(board), cap=cap)
    assert (answer.safe, answer.mines, answer.decided) == (safe, mines, decided)
    assert (answer.status == "consistent") is decided


def test_enumeration_needs_more_than_the_ends_of_what_a_region_can_hold():
    """One cell seen by four clues, each with a private cell: 1 or 4 mines, nothing between."""
    board = "??1??\n?1?1?\n??1??"
    for total in range(12):
        position = Position.parse(f"3 5 {total}\n{board}")
        assert answer_of("enumeration", position) == answer_of("brute_force", position)


def test_brute_force_and_enumeration_refuse_before_they_begin(data):
    with pytest.raises(EngineRefusedError, match="23: at most 22"):
        answer_of("brute_force", Position.parse("?" * 23))
    with pytest.raises(EngineRefusedError, match="enumeration would take"):
        answer_of("enumeration", Position.read(data / "positions" / "mutilated_8.txt"))


def test_the_estimate_is_near_the_truth():
    """A chain of cells, one mine in every two neighbours: two layouts, two steps a cell."""
    sums = [(frozenset({i, i + 1}), 1) for i in range(30)]
    region = RegionSearch(sums)
    assert 30 <= region.estimate() <= 130
    assert region.search(lambda: False)
    assert region.can.keys() <= {15, 16}
    assert region.estimate() < MOST_STEPS


@pytest.mark.parametrize("name", ["enumeration", *EVERY_INCOMPLETE])
def test_positions_of_games_with_their_counted_answers(name, sample):
    for record in sample[:12]:
        for mines in (None, KEEP):
            position = Position.parse(record.text, mines=mines)
            answer, truth = answer_of(name, position), certain_cells(classify(position))
            assert answer.safe <= truth.safe
            assert answer.mines <= truth.mines
            if answer.decided:
                assert (answer.safe, answer.mines) == (truth.safe, truth.mines)


def test_regions_share_no_cell():
    sums = [(frozenset({1, 2}), 1), (frozenset({5}), 1), (frozenset({2, 3}), 1)]
    assert split(sums) == [[sums[0], sums[2]], [sums[1]]]


HARD = [
    (name, size)
    for name, family in FAMILIES.items()
    if family.of == "board" and {MOD_2, MOD_3} & {*family.decided_by}
    for size in (*family.small, 12)
]


@pytest.mark.parametrize(("name", "size"), HARD)
def test_what_a_modulus_decides_is_decided(name, size):
    family = FAMILIES[name]
    answer, certain = answer_of("elimination", family.instance(size, 1)), family.certain(size, 1)
    assert not answer.notes
    assert bool(certain) is family.satisfiable is (answer.status != "inconsistent")
    assert {cell for cell, mine in certain.items() if mine} <= answer.mines
    assert {cell for cell, mine in certain.items() if not mine} <= answer.safe


def test_the_total_less_clues_that_share_no_cell_leaves_safe_cells():
    """Two clues of 1 hold both mines; the sum of the other cells is 0 and not only divisible."""
    position = Position.parse("3 9 2\n?1???????\n????????1\n?????????")
    assert len(answer_of("elimination", position).safe) == 25 - 5 - 5
    assert not answer_of("elimination", Position(position.cells)).safe


def test_elimination_misses_pigeonholes_and_its_conflict_is_one_that_sums_show():
    position = FAMILIES["hall"].instance(6)
    assert classify(position).status == "inconsistent"
    assert answer_of("elimination", position).status == "undecided"
    found = classify(parity_lattice(3), engine="elimination")
    assert (found.status, found.notes) == ("inconsistent", ())
    assert (found.conflict.irreducible, found.conflict.total) == (True, False)


def test_what_would_not_fit_into_memory_is_left_and_noted():
    """50,000 cells in one region: two rows of covered cells on either side of clues of 1."""
    cells = np.full((3, 20_000), -1, np.int8)
    cells[1, ::2] = 1
    answer = answer_of("elimination", Position(cells))
    assert (answer.status, ["memory" in note for note in answer.notes]) == ("undecided", [True])


def test_a_limit_is_kept_and_noted_and_what_is_certain_is_told_on_the_way(data):
    position = Position.read(data / "positions" / "parity_extra_8.txt")
    answer = answer_of("elimination", position, timeout=0.0)
    assert (answer.status, answer.decided) == ("undecided", False)
    assert answer.notes
    assert answer_of("enumeration", Position.parse(CLUSTER), timeout=0.0).status != "inconsistent"
    late = answer_of("assumption", Position.parse(CLUSTER), timeout=0.0)
    assert late.status != "inconsistent"
    assert late.notes
    told = []
    answer = answer_of("elimination", position, timeout=60, tell=told.append)
    assert all(set(each.safe) <= answer.safe and each.notes for each in told)


# The worked examples of five published solvers, put right, by every engine that takes them.


LP = "001??\n001??\n011??\n12???\n1????"
FORCED_SAFE = {(1, 3), (2, 3), (3, 3), (4, 2)}
FORCED_MINES = {(0, 3), (3, 2), (4, 1)}
FREE = {(0, 4), (1, 4), (2, 4), (3, 4), (4, 3), (4, 4)}
SEEING = {"single_clue", "subset", "assumption", "elimination", "lp_relaxation"}
"""Incomplete engines that see what one clue contradicts by itself."""
BY_TOTAL = ("subset", "elimination")
"""Incomplete engines that use the total."""


@pytest.mark.parametrize(
    ("text", "total", "number", "safe", "mines"),
    [
        # No corner can meet an 8: Jandhyala's code reads values without a status, and calls
        # cells of this board safe.
        ("8??\n???\n???", None, 0, set(), set()),
        # The reduction of a 3x3 grid.
        ("1??\n12?\n01?", None, 2, {(0, 2)}, {(0, 1)}),
        # The four methods of danamlund: 7.1 twice (132 where the text prints 112), 7.2 and 7.3.
        ("F??\n?1?\n???", None, 1, EVERY - {(0, 0), (1, 1)}, set()),
        ("F2?\n132\n01?", None, 1, set(), {(0, 2), (2, 2)}),
        ("F2?\n112\n01?", None, 0, set(), set()),
        ("???\n111", None, 1, {(0, 0), (0, 2)}, {(0, 1)}), (CLUSTER, None, 4, {(2, 2)}, set()),
        # GGAMES.MOBI: a mine at A forces another, one is left: A and C are safe, B is the mine.
        ("?1?1?", 1, 1, {(0, 0), (0, 4)}, {(0, 2)}), ("?1?1?", None, 2, set(), set()),
    ],
)  # fmt: skip
def test_published_boards_have_their_published_answers(text, total, number, safe, mines, ask_all):
    board = board_of(text, total)
    assert len(list(board.layouts())) == number
    asked = ask_all(Position(board.cells, total))
    assert (asked.truth.safe, asked.truth.mines) == (safe, mines)
    assert asked.truth.status == ("consistent" if number else "inconsistent")
    if not number:
        seen = {replace(a, notes=()) for name, a in asked.incomplete.items() if name in SEEING}
        assert seen == {CertainCells("inconsistent")}
    if total is not None:
        assert all(asked.incomplete[name] == asked.truth for name in BY_TOTAL)


@pytest.mark.parametrize("total", [None, *range(2, 11)])
def test_all_seven_cells_at_clues_are_forced_and_the_total_may_decide_the_other_six(total, ask_all):
    """Golovatskaia finds one safe cell. Totals below 3 or above 9 fit no layout."""
    asked = ask_all(Position.parse(LP, mines=total))
    if total in (2, 10):
        assert asked.truth.status == "inconsistent"
        assert {asked.incomplete[name].status for name in BY_TOTAL} == {"inconsistent"}
    else:
        assert asked.truth.safe == FORCED_SAFE | (FREE if total == 3 else set())
        assert asked.truth.mines == FORCED_MINES | (FREE if total == 9 else set())
        for name in BY_TOTAL:
            answer = asked.incomplete[name]
            assert (answer.safe, answer.mines) == (asked.truth.safe, asked.truth.mines)


def test_the_encrypted_game_of_danamlund_is_played_to_its_end(data, ask_all):
    """Certain cells are opened, and a cell that holds no mine when there are none: three times."""
    record = read((data / "notation" / "game.danamlund").read_bytes(), "game")
    truth = record.truth
    assert truth is not None
    game = np.frombuffer(truth, np.int8).reshape(8, 9)[:, :8]
    mines = {(int(r), int(c)) for r, c in np.argwhere(game < 0)}
    assert (record.mines, len(mines), (4, 4) in mines) == (10, 10, True)
    cells = np.full((8, 8), -1, np.int8)
    guesses = 0
    refused = []
    while (cells < 0).sum() > 10:
        asked = ask_all(Position(cells, 10))
        refused.append("brute_force" not in asked.complete)
        assert not asked.truth.safe & mines
        assert asked.truth.mines <= mines
        certain = sorted(asked.truth.safe)
        guesses += not certain
        safe = [(int(r), int(c)) for r, c in np.argwhere((cells < 0) & (game >= 0))]
        for cell in certain or safe[:1]:
            cells[cell] = game[cell]
    assert guesses == 3
    assert refused[0]
    assert not refused[-1]
    assert ask_all(Position(cells, 10)).truth.mines == mines


def test_a_wire_of_kaye_carries_one_of_two_values(data, ask_all):
    published = json.loads((data / "positions" / "kaye_wire.json").read_text())["expected"][0]
    assert published["solutions"] == "2"
    position = Position.read(data / "positions" / "kaye_wire.txt")
    asked = ask_all(position)
    assert len(asked.truth.safe) == "".join(published["grid"]).count("S")
    assert not asked.truth.mines
    # Deciding one cell decides them all, so that there are two layouts.
    for clue in (0, 1, 2):
        opened = ask_all(position.with_clue((2, 0), clue))
        assert opened.truth.status == ("consistent" if clue == 1 else "inconsistent")
    one = ask_all(position.with_clue((2, 0), 1)).truth
    assert len(one.safe) + len(one.mines) == len(position.covered_cells()) - 1
