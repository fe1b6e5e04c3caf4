"""Weighted sums that get inputs, merge and are bounded anew in a live solver, against adding up."""

import operator
from itertools import product
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from pbcnf import ENCODERS, Formula
from tests.oracles import assignments, true_literals, weighted_sum
from tests.pbcnf.encoders.live import Sink, solvable

COUNTERS = [encoder for encoder in ENCODERS.values() if hasattr(encoder, "count_weighted")]
every_counter = pytest.mark.parametrize("counter", COUNTERS, ids=lambda each: each.name)
VARS = 6
"""The number of variables that are counted."""
LITS = st.integers(1, VARS) | st.integers(-VARS, -1)
HUGE = st.sampled_from([2**40, 2**40 + 1, 2**70])
WEIGHTS = st.one_of(st.integers(1, 6), st.integers(-4, 30), HUGE)
TERMS = st.lists(st.tuples(LITS, WEIGHTS), max_size=4)


def unzipped(terms):
    return [lit for lit, _ in terms], [weight for _, weight in terms]


@st.composite
def bounds_of(draw, terms):
    """Draw a bound near a value that the sum can have."""
    picked = draw(st.lists(st.sampled_from(terms), unique=True)) if terms else []
    return sum(weight for _, weight in picked) + draw(st.integers(-2, 2))


def promise(terms, at_most, bound):
    (lits, weights), side = unzipped(terms), operator.le if at_most else operator.ge
    return lambda bits: side(weighted_sum(lits, bits, weights), bound)


@settings(max_examples=100, deadline=None)
@given(data=st.data())
@every_counter
def test_any_sequence_of_growth_and_bounds_is_answered_as_by_adding_up(counter, data):
    """Bounds from before a change go on to speak of the inputs of that time.

    Of the watchdog's upper bounds one is assumed at a time, as of its lower ones.
    """
    with Solver(data.draw(st.sampled_from(["minisat22", "cadical195"]))) as solver:
        sink = Sink(solver, VARS)
        counts, promises = [], {}
        nothing = (lambda _: True), []
        for _ in range(data.draw(st.integers(1, 2))):
            terms = data.draw(TERMS)
            count = counter.count_weighted(*unzipped(terms), sink)
            counts.append(SimpleNamespace(count=count, terms=terms))
        for step in range(data.draw(st.integers(1, 8))):
            place = data.draw(st.integers(0, len(counts) - 1))
            one = counts[place]
            match data.draw(st.sampled_from(["add", "merge", "ask", "ask", "ask"])):
                case "add":
                    more = data.draw(TERMS)
                    one.count.add_inputs(*unzipped(more))
                    one.terms = one.terms + more
                case "merge":
                    other = data.draw(st.sampled_from(counts))
                    if len(one.terms) + len(other.terms) <= 12:
                        one.count.merge(other.count)
                        one.terms = one.terms + other.terms
                case "ask":
                    at_most, bound = data.draw(st.booleans()), data.draw(bounds_of(one.terms))
                    ask = one.count.at_most if at_most else one.count.at_least
                    meant = promise(list(one.terms), at_most, bound)
                    alone = counter.name == "global_polynomial_watchdog"
                    key = (place, len(one.terms), at_most) if alone else step
                    promises[key] = meant, ask(bound)
            picked = data.draw(st.lists(st.sampled_from([nothing, *promises.values()]), max_size=3))
            fixed = data.draw(st.lists(LITS, max_size=VARS, unique_by=abs))
            assumed = [lit for _, lits in picked for lit in lits]
            possible = solvable(VARS, fixed, [holds for holds, _ in picked])
            assert solver.solve(assumptions=[*assumed, *fixed]) == possible


@every_counter
def test_a_bound_asked_again_emits_nothing_and_is_the_same(counter):
    formula = Formula(num_vars=6)
    count = counter.count_weighted(range(1, 7), [7, 5, 3, 3, 2, 1], formula)
    bounds = [*range(-1, 23), *range(22, -2, -1)]
    first = {bound: (count.at_most(bound), count.at_least(bound)) for bound in bounds}
    size = formula.num_vars, formula.num_clauses
    assert first == {bound: (count.at_most(bound), count.at_least(bound)) for bound in bounds}
    assert (formula.num_vars, formula.num_clauses) == size


@every_counter
def test_nothing_is_emitted_before_a_bound_is_asked_and_trivial_ones_need_nothing(counter):
    formula = Formula(num_vars=4)
    count = counter.count_weighted([1, 2, 3], [4, -2, 3], formula)
    count.add_inputs([4], [0])
    assert (count.least, count.most) == (-2, 7)
    assert count.at_most(7) == count.at_least(-2) == []
    assert count.at_most(-3) == count.at_least(8) == [count.false]
    assert list(formula.clauses()) == [[-count.false]]


@every_counter
def test_a_sum_takes_hundreds_of_inputs_one_by_one(counter):
    formula = Formula(num_vars=600)
    count = counter.count_weighted([], [], formula)
    for lit in range(1, 601):
        count.add_inputs([lit], [1 + lit % 2])
    bound = count.at_most(2)
    with Solver("minisat22", bootstrap_with=formula.clauses()) as solver:
        assert solver.solve(assumptions=[*bound, 2, 600])
        assert not solver.solve(assumptions=[*bound, 2, 5])


@every_counter
@pytest.mark.parametrize(
    ("lits", "weights", "said"),
    [([1, 2], [3], "2 literals but 1 weight$"), ([0], [3], "literal 0 is outside"),
     ([1, 9], [3, 3], "variable 9 is not allocated")],
)  # fmt: skip
def test_what_is_no_weighted_sum_is_refused_before_anything_changes(counter, lits, weights, said):
    formula = Formula(num_vars=3)
    with pytest.raises(ValueError, match=said):
        counter.count_weighted(lits, weights, formula)
    assert (formula.num_vars, formula.num_clauses) == (3, 0)
    count = counter.count_weighted([1, 2, 3], [3, 2, 2], formula)
    with pytest.raises(ValueError, match=said):
        count.add_inputs(lits, weights)
    with pytest.raises(TypeError, match=r"a weight must be an int, not 1\.5"):
        count.add_inputs([1], [1.5])
    assert count.most == 7


@every_counter
def test_counters_of_two_sinks_or_two_encoders_are_not_merged(counter):
    formula = Formula(num_vars=2)
    count = counter.count_weighted([1, 2], [3, 2], formula)
    with pytest.raises(ValueError, match="two sinks cannot be merged"):
        count.merge(counter.count_weighted([1, 2], [3, 2], Formula(num_vars=2)))
    for other in COUNTERS:
        if other is not counter:
            with pytest.raises(ValueError, match="two encoders cannot be merged"):
                count.merge(other.count_weighted([1, 2], [3, 2], formula))
    assert count.most == 5


@every_counter
@pytest.mark.parametrize("way", ["add_inputs", "merge"])
def test_a_bound_means_all_inputs_of_its_time_before_and_after_there_are_more(counter, way):
    with Solver("minisat22") as solver:
        sink = Sink(solver, 4)
        terms = [(1, 3), (2, 2)]
        count = counter.count_weighted(*unzipped(terms), sink)
        told = [(promise(terms, True, b), count.at_most(b)) for b in range(-1, 6)]
        more = [(3, 2), (4, 5)]
        if way == "merge":
            other = counter.count_weighted(*unzipped(more), sink)
            told += [(promise(more, True, b), other.at_most(b)) for b in range(8)]
            count.merge(other)
        else:
            count.add_inputs(*unzipped(more))
        terms = terms + more
        told += [(promise(terms, True, b), count.at_most(b)) for b in range(-1, 13)]
        told += [(promise(terms, False, b), count.at_least(b)) for b in range(-1, 13)]
        for (holds, assumed), bits in product(told, assignments(4)):
            assert solver.solve(assumptions=[*assumed, *true_literals(bits)]) == holds(bits)
