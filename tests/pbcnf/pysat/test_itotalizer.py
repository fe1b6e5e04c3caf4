"""PySAT's totalizer that grows: whatever grew how, its outputs count as by hand."""

import pysat.card
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.formula import CNF
from pysat.solvers import Solver

from pbcnf.pysat.card import ITotalizer
from tests.oracles import assignments, true_literals, weighted_sum

VARS = 7
LITS = st.lists(
    st.sampled_from([v * s for v in range(1, VARS + 1) for s in (1, -1)]), max_size=4, unique=True
)


def counts_rightly(t):
    bounds = min(len(t.lits), t.ubound + 1)
    assert len(t.rhs) == bounds
    assert isinstance(t.cnf, CNF)
    with Solver("minisat22", bootstrap_with=t.cnf) as solver:
        for bits in assignments(VARS):
            fixed, count = true_literals(bits), weighted_sum(t.lits, bits)
            for bound in range(bounds):
                assert solver.solve(assumptions=[*fixed, -t.rhs[bound]]) == (count <= bound)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_it_counts_after_any_growth(data):
    t = ITotalizer(data.draw(LITS), data.draw(st.integers(0, 4)), top_id=VARS)
    lits, before = list(t.lits), len(t.cnf.clauses)
    assert t.nof_new == before
    for _ in range(data.draw(st.integers(1, 3))):
        match data.draw(st.sampled_from(["increase", "extend", "merge"])):
            case "increase":
                t.increase(data.draw(st.integers(0, 8)))
            case "extend":
                more = data.draw(LITS)
                t.extend(more, data.draw(st.none() | st.integers(0, 8)), top_id=VARS)
                lits += sorted({*more} - {*lits})
            case "merge":
                other = ITotalizer(data.draw(LITS), 1, top_id=max(t.top_id, VARS))
                t.merge_with(other, data.draw(st.none() | st.integers(0, 8)))
                lits += other.lits
        assert t.lits == lits
        assert t.nof_new == len(t.cnf.clauses) - before
        before = len(t.cnf.clauses)
    counts_rightly(t)


def test_inputs_beyond_its_variables_are_never_taken_for_auxiliary_ones():
    with ITotalizer([1, 2, 3, 4], ubound=0) as t:
        t.extend([15], ubound=0)
        t.increase(ubound=4)
        with Solver("minisat22", bootstrap_with=t.cnf) as solver:
            assert solver.solve(assumptions=[-t.rhs[1], 15, -1, -2, -3, -4])
            assert not solver.solve(assumptions=[-t.rhs[1], 15, 1])
        assert not any(15 in clause for clause in t.cnf.clauses)
    assert (t.rhs, t.cnf.clauses, t.lits) == ([], [], [])


def test_one_that_was_merged_into_another_grows_no_more():
    one, other = ITotalizer([1, 2], top_id=4), ITotalizer([3, 4], top_id=10)
    one.merge_with(other)
    for grow in (other.increase, other.extend, lambda: one.merge_with(other)):
        with pytest.raises(ValueError, match="merged into another"):
            grow()
    with pytest.raises(ValueError, match="with itself"):
        one.merge_with(one)


def test_a_variable_of_its_own_never_becomes_an_input():
    """PySAT takes it, and counts something else: x3 of the caller, and "one of x1, x2"."""
    t = ITotalizer([1, 2])
    assert t.rhs == [3, 4]
    with pytest.raises(ValueError, match="variable 3 is an auxiliary variable"):
        t.extend([-3])


@pytest.mark.parametrize(
    ("one", "other"),
    [(([1, 2],), ([3, 9],)), (([1, 5],), ([2, 3],)), (([1, 2], 1, 10), ([3, 4], 1, 10))],
    ids=["an input of the second", "an input of the first", "an auxiliary variable of both"],
)
def test_two_that_share_an_auxiliary_variable_are_not_merged(one, other):
    with pytest.raises(ValueError, match="is an auxiliary variable"):
        ITotalizer(*one).merge_with(ITotalizer(*other))


def test_a_variable_of_what_was_merged_never_becomes_an_input():
    one, other = ITotalizer([1, 2]), ITotalizer([5, 6])
    assert other.rhs == [7, 8]
    one.merge_with(other)
    with pytest.raises(ValueError, match="variable 7 is an auxiliary variable"):
        one.extend([7])


@pytest.mark.parametrize("lits", [[1, 1, 2], [1, -1, 2], [2, 1, 2, -3, 2]])
def test_literals_given_more_than_once_count_as_often(lits):
    t = ITotalizer(lits, ubound=1, top_id=VARS)
    t.increase(len(lits))
    assert all(len({*map(abs, clause)}) == len(clause) for clause in t.cnf.clauses)
    counts_rightly(t)


@pytest.mark.parametrize("step", [1, 2, 7])
def test_as_many_clauses_as_pysats_whatever_it_grew(step):
    """Martins et al. (CP 2014): bounds that are asked for later cost nothing more."""
    t, theirs = ITotalizer(range(1, 30), ubound=step), pysat.card.ITotalizer(range(1, 30), step)
    for bound in range(2 * step, 29, step):
        t.increase(bound)
        theirs.increase(bound)
        assert (len(t.rhs), len(t.cnf.clauses)) == (len(theirs.rhs), len(theirs.cnf.clauses))
        assert t.top_id == theirs.top_id
