"""Engines without a solver: complete ones equal brute force, no other claims what is false.

Linear algebra (``elimination``) is also asked about hard boards that a modulus decides.
"""

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
from satsweeper.position import KEEP
from tests.boards import Board, CertainCells, boards, certain_cells

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


def test_a_clue_and_its_flags_say_all_there_is_to_say():
    """003, 7.1: a met clue makes the rest safe; a tight one mines, where 132 is meant, not 112."""
    met = answer_of("single_clue", Position.parse("F??\n?1?\n???"))
    assert len(met.safe) == 7
    tight = answer_of("single_clue", Position.parse("F2?\n132\n01?"))
    assert tight.mines == {(0, 2), (2, 2)}
    assert answer_of("brute_force", Position.parse("F2?\n112\n01?")).status == "inconsistent"


def test_an_assumption_is_refuted_by_propagation():
    """003, 7.2: three covered cells above 111; without the middle mine two would touch the 1."""
    position = Position.parse("???\n111")
    assert not answer_of("single_clue", position).mines
    answer = answer_of("assumption", position)
    assert (answer.safe, answer.mines) == ({(0, 0), (0, 2)}, {(0, 1)})
    assert answer.status == "consistent"


@pytest.mark.parametrize("cap", [None, 15])
def test_a_cluster_of_four_layouts_has_a_safe_last_cell(cap):
    """003, 7.3: four of 32 layouts are left, and the last cell is a mine in none of them."""
    position = Position.parse("01?\n12?\n???")
    answer = answer_of("enumeration", position, cap=cap)
    assert (answer.safe, answer.mines, answer.decided) == ({(2, 2)}, set(), True)
    assert not answer_of("single_clue", position).safe
    assert not answer_of("assumption", position).safe
    assert answer_of("subset", position).safe == {(2, 2)}
    assert not answer_of("enumeration", position, cap=4).safe


def test_a_difference_of_sets_decides():
    """004, level 2: {a, b, c} = 2 and {a, b} = 1 make c a mine; equal numbers make it safe."""
    assert answer_of("subset", Position.parse("???\n13F")).mines == {(0, 2)}
    assert answer_of("subset", Position.parse("???\n12F")).safe == {(0, 2)}
    assert not answer_of("single_clue", Position.parse("???\n13F")).mines


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
            truth = classify(position)
            answer = answer_of(name, position)
            assert answer.safe <= set(truth.safe)
            assert answer.mines <= set(truth.mines)
            if answer.decided:
                assert (answer.safe, answer.mines) == (set(truth.safe), set(truth.mines))


def test_regions_share_no_cell():
    sums = [(frozenset({1, 2}), 1), (frozenset({5}), 1), (frozenset({2, 3}), 1)]
    assert split(sums) == [[sums[0], sums[2]], [sums[1]]]


@pytest.mark.parametrize("name", ["assumption", "enumeration"])
def test_a_time_limit_is_kept_and_noted(name):
    answer = answer_of(name, Position.parse("01?\n12?\n???"), timeout=0.0)
    if name == "assumption":
        assert answer.notes
    assert answer.status != "inconsistent"


HARD = [
    (name, size)
    for name, family in FAMILIES.items()
    if family.of == "board" and {MOD_2, MOD_3} & {*family.decided_by}
    for size in (*family.small, 12)
]


@pytest.mark.parametrize(("name", "size"), HARD)
def test_what_a_modulus_decides_is_decided(name, size):
    family = FAMILIES[name]
    answer = answer_of("elimination", family.instance(size, 1))
    assert not answer.notes
    if not family.satisfiable:
        assert answer.status == "inconsistent"
    else:
        certain = family.certain(size, 1)
        assert certain
        assert {cell for cell, mine in certain.items() if mine} <= answer.mines
        assert {cell for cell, mine in certain.items() if not mine} <= answer.safe


def test_brute_force_knows_little_that_elimination_misses(known):
    certain = found = 0
    for one in known:
        answer = answer_of("elimination", one.position)
        assert (answer.status == "inconsistent") == (not one.layouts)
        assert answer.safe <= one.safe
        assert answer.mines <= one.mines
        certain += len(one.safe) + len(one.mines)
        found += len(answer.safe) + len(answer.mines)
    assert found > 0.99 * certain


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
    assert found.status == "inconsistent"
    assert found.notes == ()
    assert found.conflict.irreducible
    assert not found.conflict.total


def test_what_would_not_fit_into_memory_is_left_and_noted():
    """50,000 cells in one region: two rows of covered cells on either side of clues of 1."""
    cells = np.full((3, 20_000), -1, np.int8)
    cells[1, ::2] = 1
    answer = answer_of("elimination", Position(cells))
    assert answer.status == "undecided"
    [note] = answer.notes
    assert "memory" in note


def test_what_is_certain_is_told_on_the_way_and_a_limit_is_kept(data):
    position = Position.read(data / "positions" / "parity_extra_8.txt")
    answer = answer_of("elimination", position, timeout=0.0)
    assert (answer.status, answer.decided) == ("undecided", False)
    assert answer.notes
    told = []
    answer = answer_of("elimination", position, timeout=60, tell=told.append)
    assert all(set(each.safe) <= answer.safe and each.notes for each in told)
