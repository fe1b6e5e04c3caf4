"""Sums over groups: the same answers where the groups hold, and fewer clauses."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from pbcnf import Cardinality, Formula, PseudoBoolean, encode
from pbcnf.emission.groups import Group, encode_grouped
from tests.oracles import Assignment, assignments, true_literals, value, weighted_sum

N = 7


def meets(group: Group, bits: Assignment) -> bool:
    truths = [value(lit, bits) for lit in group.lits]
    if group.chain:
        return truths == sorted(truths, reverse=True)
    return sum(truths) <= 1


@st.composite
def groups_of_literals(draw) -> list[Group]:
    found = []
    for _ in range(draw(st.integers(1, 3))):
        variables = draw(st.permutations(range(1, N + 1)))[: draw(st.integers(2, 5))]
        lits = tuple(v * draw(st.sampled_from([-1, 1, 1])) for v in variables)
        found.append(Group(lits, draw(st.booleans())))
    return found


SIGNED = st.lists(st.sampled_from([-1, 1]), min_size=N, max_size=N)
WEIGHTS = st.one_of(
    st.lists(st.integers(-5, 9).filter(bool), min_size=N, max_size=N), st.just([1] * N)
)


@settings(max_examples=150, deadline=None)
@given(groups_of_literals(), SIGNED, WEIGHTS, st.data(), st.booleans())
def test_where_the_groups_hold_the_sum_is_encoded(groups, signs, weights, data, guarded) -> None:
    lits = [sign * var for sign, var in zip(signs, range(1, N + 1), strict=True)]
    least = sum(w for w in weights if w < 0)
    most = sum(w for w in weights if w > 0)
    lower = data.draw(st.one_of(st.none(), st.integers(least - 1, most)))
    upper = data.draw(st.one_of(st.none(), st.integers(least, most + 1)))
    constraint = PseudoBoolean(lits, weights, lower, upper)
    formula = Formula(N + 1)
    encode_grouped(constraint, groups, formula, when=N + 1 if guarded else None)
    with Solver("minisat22", bootstrap_with=formula.clauses()) as solver:
        for bits in assignments(N):
            if all(meets(group, bits) for group in groups):
                holds = constraint.lower <= weighted_sum(lits, bits, weights) <= constraint.upper
                assumed = true_literals(bits)
                assert solver.solve(assumptions=[*assumed, N + 1]) == holds
                if guarded:
                    assert solver.solve(assumptions=[*assumed, -(N + 1)])


@settings(max_examples=100, deadline=None)
@given(groups_of_literals(), WEIGHTS, st.integers(1, 30))
def test_groups_never_make_a_sum_larger(groups, weights, upper) -> None:
    constraint = PseudoBoolean(range(1, N + 1), weights, upper=upper)
    grouped, alone = Formula(N), Formula(N)
    encode_grouped(constraint, groups, grouped)
    encode(constraint, alone)
    assert grouped.num_vars + len(grouped) <= alone.num_vars + len(alone)


@pytest.mark.parametrize("chain", [False, True])
@pytest.mark.parametrize("part", [4, 2])
def test_groups_make_a_sum_smaller(chain: bool, part: int) -> None:
    groups = [Group((*range(i, i + 5),), chain) for i in range(1, 31, 5)]
    weights = [7 * i * i % 19 + 1 for i in range(1, 31)]
    inside = [weights[i : i + 5] for i in range(0, 30, 5)]
    most = sum(sum(each) if chain else max(each) for each in inside)
    constraint = PseudoBoolean(range(1, 31), weights, upper=most // part)
    grouped, alone = Formula(30), Formula(30)
    encode_grouped(constraint, groups, grouped)
    encode(constraint, alone, "generalized_totalizer")
    assert 10 * len(grouped) <= 8 * len(alone)
    assert grouped.num_vars < alone.num_vars


def test_a_chain_counts_for_nothing() -> None:
    # Of two chains of 20 the sums are there already: only their pairs are to be forbidden.
    groups = [Group((*range(1, 21),), chain=True), Group((*range(21, 41),), chain=True)]
    formula = Formula(40)
    encode_grouped(Cardinality(range(1, 41), upper=17), groups, formula)
    assert formula.num_vars == 40
    assert len(formula) <= 20
