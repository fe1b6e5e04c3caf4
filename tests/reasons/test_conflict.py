"""Clues that clash, by search, by sums or by the total: all of them are needed, and no more."""

from collections import Counter
from contextlib import closing
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satsweeper import Position, Verdict, classify
from satsweeper.board.codes import COVERED
from satsweeper.board.errors import DefectError
from satsweeper.families.chessboard import mutilated_chessboard
from satsweeper.families.table import FAMILIES
from satsweeper.linear.equations import ModularRow
from satsweeper.linear.refutation import refutation_of, used, without_spare
from satsweeper.linear.relaxation import DENOMINATOR, Weighted, available
from satsweeper.processes.deadline import Deadline
from satsweeper.reasons.conflict import find_conflict, find_total_conflict, whole_conflict
from satsweeper.reasons.irreducible import Clash, EquationSolver, MetAssignment, irreducible
from satsweeper.reasons.linear_conflict import find_linear_conflict, find_linear_reason
from satsweeper.reasons.parts import parts_of
from satsweeper.reasons.rotation import Rotation
from satsweeper.solvers.protocol import SolverFailedError
from tests.boards import assert_refutes, boards
from tests.commands import need_highs
from tests.oracles import clashing_multipliers, exact_sets


@settings(max_examples=150)
@given(boards(most=8), st.sampled_from([None, 0, 1, 10_000]))
def test_a_conflict_has_no_layout_and_is_irreducible_if_it_says_so(board, effort):
    view = Position(board.cells, board.total).view()
    if board.verdicts() is not None:
        if effort is None or effort > 1:
            with pytest.raises(SolverFailedError):
                find_conflict(view, (), effort=effort)
        return
    found = find_conflict(view, (), effort=effort)
    assert found.irreducible or effort in (0, 1)
    assert_refutes(board, found)


def test_when_the_limit_comes_first_everything_is_listed(data):
    view = Position.read(data / "positions" / "mutilated_8.txt").view()
    for limits in ({"deadline": Deadline.after(0.0)}, {"effort": 100}):
        found = find_conflict(view, (), **limits)
        assert found == whole_conflict(view)
        assert (len(found.clues), found.total, found.irreducible) == (62, False, False)
        assert found.flags


def test_flags_that_are_ignored_are_covered_cells():
    view = Position.parse("F0?").view()
    assert find_conflict(view, ()).flags == ((0, 0),)
    ignoring = Position.parse("F2?", mines=1).view("ignore")
    found = find_conflict(ignoring, ())
    assert (found.clues, found.flags, found.total) == (((0, 1),), (), True)


@settings(max_examples=300)
@given(boards(most=8), st.data())
def test_what_addition_finds_has_no_layout_and_none_can_be_spared(board, data):
    board = board._replace(total=data.draw(st.integers(0, board.cells.size)))
    found = find_total_conflict(Position(board.cells, board.total).view("trust"))
    if found is not None:
        assert (found.flags, found.total, found.irreducible) == ((), True, True)
        assert_refutes(board, found)


@pytest.mark.parametrize(("total", "clues"), [(39_999, 10_000), (40_001, 10_000), (80_001, 0)])
def test_a_wrong_total_of_a_large_board_is_found_out_by_addition(total, clues):
    cells = np.full((300, 300), COVERED, np.int8)
    cells[1::3, 1::3] = 4
    result = classify(Position(cells, total))
    found = result.conflict
    assert (len(found.clues), found.total, found.irreducible) == (clues, True, True)


def assert_adds_up(view, found, *otherwise):
    """What is named is refuted by a sum of it, unless search left out parts of the sum."""
    named = {(view.geometry.index(cell), False) for cell in found.clues}
    named |= {(view.geometry.index(cell), True) for cell in found.flags}
    named |= {(None, False)} if found.total else set()
    equations = [p.equation for p in parts_of(view) if (p.cell, p.is_flag) in named] + [*otherwise]
    if "search" not in found.by and all(0 <= n <= len(cells) for cells, n in equations):
        refutation = refutation_of(equations)
        if refutation is None:
            # Elimination alone does not find every such sum: a linear program does.
            assert not available()
        else:
            clashing_multipliers(equations, refutation)


def test_what_sums_name_clashes_and_all_of_it_is_needed():
    found = Counter[str]()

    @settings(max_examples=500)
    @given(boards(most=9), st.data())
    def claim(board, data):
        view = Position(board.cells, board.total).view("trust")
        asked = [(find_linear_conflict(view), [], [])]
        verdicts = board.verdicts() or {}
        if certain := [cell for cell, verdict in verdicts.items() if verdict != "unknown"]:
            cell = data.draw(st.sampled_from(certain))
            index, opposite = view.geometry.index(cell), verdicts[cell] == "safe"
            reason = find_linear_reason(view, index, Verdict(verdicts[cell]))
            asked.append((reason, [([index], int(opposite))], [(cell, opposite)]))
        for by_sums, otherwise, opposites in asked:
            if by_sums is None:
                continue
            assert by_sums.irreducible
            assert_refutes(board, by_sums, *opposites)
            assert_adds_up(view, by_sums, *otherwise)
            found["reason" if otherwise else "conflict"] += 1
            found[f"of {len(by_sums.by)}"] += 1

    claim()
    assert found["conflict"] > 20
    assert found["reason"] > 100
    assert found["of 1"] > found["of 2"]


def test_a_clue_alone_clashes_or_decides_by_its_sum():
    found = find_linear_conflict(Position([[1, 0]]).view())
    assert found.clues == ((0, 0),)
    found = find_linear_reason(Position([[0, -1]]).view(), 1, Verdict.SAFE)
    assert found.clues == ((0, 0),)


@pytest.mark.parametrize("squares", [6, 8])
def test_every_clue_of_a_mutilated_chessboard_is_needed(squares):
    need_highs()
    conflict = find_linear_conflict(mutilated_chessboard(squares).view("trust"))
    assert (len(conflict.clues), conflict.irreducible) == (squares**2 - 2, True)


# Irreducible clashes of equations, and their parts, against all zeros and ones.


def drawn(seed, variables=7):
    """A few equations over 1 to 7, more often than not ones that clash; single ones among them."""
    random = Random(seed)
    equations = []
    for _ in range(random.randint(2, 9)):
        names = random.sample(range(1, variables + 1), random.randint(1, 4))
        equations.append((names, random.randint(0, len(names))))
    return equations


def met(equations, ones):
    return [sum(v in ones for v in names) == number for names, number in equations]


def test_a_clash_has_no_solution_and_every_part_of_it_is_needed():
    found = kept = 0

    @settings(max_examples=500)
    @given(st.integers(0, 10**9), st.integers(0, 2))
    def claim(seed, number):
        nonlocal found, kept
        equations = drawn(seed)
        given = set(range(min(number, len(equations))))
        answer = irreducible(equations, given)
        if answer is None:
            return
        found += 1
        kept += len(answer.indices) > 2
        assert answer.irreducible
        assert given <= set(answer.indices)
        assert not exact_sets([equations[i] for i in answer.indices])
        for out in set(answer.indices) - given:
            assert exact_sets([equations[i] for i in answer.indices if i != out])
        clashing_multipliers(equations, answer.refutation)
        if not answer.by_search:
            assert set(used(answer.refutation)) <= set(answer.indices)

    claim()
    assert found > 100
    assert kept > 20


@pytest.mark.parametrize(
    ("name", "size"),
    [("torus", 5), ("torus_bump", 6), ("pigeonhole", 4), ("regular_of_odd_sum", 6)],
)
def test_formulas_are_cut_down_to_what_is_needed(name, size):
    if name == "pigeonhole":
        need_highs()
    problem = FAMILIES[name].instance(size, 1)
    # At most one pigeon in a hole is no equation: there, a variable more makes it one.
    spare = problem.num_vars
    equations = []
    for each in problem.constraints:
        names = list(each.lits)
        for _ in range(each.upper - each.lower):
            spare += 1
            names.append(spare)
        equations.append((names, each.upper))
    answer = irreducible(equations)
    assert answer.irreducible
    clashing_multipliers(equations, answer.refutation)


@settings(max_examples=300)
@given(st.integers(0, 10**9))
def test_a_refutation_adds_up_to_what_cannot_be(seed):
    equations = drawn(seed)
    refutation = refutation_of(equations)
    if refutation is not None:
        assert not exact_sets(equations)
        clashing_multipliers(equations, refutation)
        assert isinstance(refutation, ModularRow | Weighted)


def test_weights_that_are_not_needed_are_left_out_and_given_ones_are_not():
    # x = 1 and x = 0 clash; y + z = 2 adds nothing to it.
    equations = [([2, 3], 2), ([1], 1), ([1], 0)]
    claim = Weighted(frozenset(), False, {0: DENOMINATOR, 1: DENOMINATOR, 2: -DENOMINATOR})
    assert 0 not in without_spare(equations, claim).weights
    assert 0 in without_spare(equations, claim, given={0}).weights


def test_rotation_names_only_what_is_needed():
    walked = 0
    for seed in range(600):
        equations = drawn(seed, variables=6)
        if exact_sets(equations):
            continue
        needed = {
            i for i in range(len(equations)) if exact_sets(equations[:i] + equations[i + 1 :])
        }
        rotation = Rotation(dict(enumerate(equations)))
        for ones in exact_sets([], {v for names, _ in equations for v in names}):
            missed = [i for i, one in enumerate(met(equations, ones)) if not one]
            assert rotation.spread(ones) is (len(missed) == 1)
            assert rotation.needed <= needed
        assert rotation.needed == needed
        walked += len(needed) > 2
    assert walked > 10


def test_equations_that_do_not_clash_are_a_defect_and_given_ones_are_never_missed():
    with pytest.raises(DefectError):
        Rotation({0: ([1, 2], 1)}).spread({1})
    clash = {0: ([1], 1), 1: ([1], 0)}
    assert not Rotation(clash, given=[1]).spread({1})
    rotation = Rotation(clash, given=[1])
    assert rotation.spread(set())
    assert rotation.needed == {0}


@settings(max_examples=300)
@given(st.integers(0, 10**9), st.data())
def test_what_a_solver_says_of_all_but_one_is_so(seed, data):
    equations = drawn(seed)
    if exact_sets(equations):
        return
    # One long equation of mostly its own variables, as the total of a board is.
    long = [*range(1, 5), *range(100, 110)]
    equations.append((long, data.draw(st.integers(0, len(long)))))
    kept = frozenset(range(len(equations)))
    out = data.draw(st.sampled_from(sorted(kept)))
    with closing(EquationSolver(dict(enumerate(equations)))) as layouts:
        answer = layouts.without(out, kept, 10_000, near={1, 2})
    if isinstance(answer, MetAssignment):
        assert [i for i, one in enumerate(met(equations, answer.ones)) if not one] == [out]
    else:
        assert isinstance(answer, Clash)
        assert out not in answer.indices
        assert not exact_sets([equations[i] for i in answer.indices])


def test_an_equation_that_is_there_twice_is_left_out_once():
    with closing(EquationSolver({0: ([5], 1), 1: ([5], 1), 2: ([5, 3], 0)})) as layouts:
        assert layouts.without(0, {0, 1, 2}, 100) == Clash(frozenset({1, 2}))
