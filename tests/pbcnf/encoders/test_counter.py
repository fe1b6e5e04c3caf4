"""Counters: bounds that are assumed, and ranges of them that grow, against counting by hand."""

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from pbcnf import Direction, Formula
from pbcnf.encoders.cardinality.sequential_counter import SequentialCounter
from pbcnf.encoders.cardinality.sorting_network import SortingNetwork
from pbcnf.encoders.cardinality.totalizer import Totalizer
from tests.pbcnf.emitted import size_of

COUNTERS = [Totalizer(), SequentialCounter()]
DIRECTIONS = [Direction.AT_MOST, Direction.AT_LEAST, Direction.BOTH]
every_counter = pytest.mark.parametrize("counter", COUNTERS, ids=lambda counter: counter.name)
every_counter_and_sorter = pytest.mark.parametrize(
    "counter", [*COUNTERS, SortingNetwork()], ids=lambda counter: counter.name
)


def build(counter, n, upto, directions=Direction.BOTH, downto=0):
    formula = Formula(num_vars=n)
    return counter.count(range(1, n + 1), upto, formula, directions, downto), formula


def clauses_of(formula, assumed=()):
    return [*formula.clauses(), *([lit] for lit in assumed)]


def by_meaning(formula, n):
    """Return the clauses with every variable named by what unit propagation makes of it.

    Each assignment of the inputs gives a variable one of three values: true, false or open.
    """
    with Solver("minisat22", bootstrap_with=formula.clauses()) as solver:
        known = [
            set(solver.propagate([sign * var for var, sign in enumerate(signs, start=1)])[1])
            for signs in product((1, -1), repeat=n)
        ]
    name = [
        tuple((var in true) - (-var in true) for true in known)
        for var in range(formula.num_vars + 1)
    ]
    return sorted(sorted((name[abs(lit)], lit > 0) for lit in c) for c in formula.clauses())


STEPS = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "upto": st.integers(-1, 7),
            "downto": st.integers(-1, 7),
            "directions": st.sampled_from(DIRECTIONS),
        },
    ),
    max_size=4,
)


@st.composite
def extended(draw, most=6):
    """Return a counter that was extended step by step, its formula, and all it was asked for.

    No step may change a clause or the answer for a bound.
    """
    counter, n = draw(st.sampled_from(COUNTERS)), draw(st.integers(0, most))
    downto, upto = sorted((draw(st.integers(-1, n + 1)), draw(st.integers(-1, n + 1))))
    directions = draw(st.sampled_from(DIRECTIONS))
    count, formula = build(counter, n, upto, directions, downto)
    bounds = {downto, upto}
    for step in draw(STEPS):
        clauses, answers = clauses_of(formula), all_answers(count)
        count.extend(**step)
        assert clauses_of(formula)[: len(clauses)] == clauses
        assert answers.items() <= all_answers(count).items()
        bounds |= {step[end] for end in ("upto", "downto") if end in step}
        directions |= step.get("directions", directions)
    clamped = [min(max(bound, 0), n) for bound in bounds]
    return counter, count, formula, (min(clamped), max(clamped), directions)


def all_answers(count):
    """Return the literals for every bound that can be asked, by kind and bound."""
    return {
        (kind, bound): tuple(ask(bound))
        for kind, ask in ((Direction.AT_MOST, count.at_most), (Direction.AT_LEAST, count.at_least))
        if kind in count.directions
        for bound in range(count.downto, count.upto + 1)
    }


@settings(max_examples=40, deadline=None)
@given(extended())
def test_after_any_extensions_every_bound_in_the_range_means_itself_and_propagates(oracle, case):
    _, count, formula, (downto, upto, directions) = case
    n, answers = count.inputs, all_answers(count)
    asked = {(kind, bound) for kind in directions for bound in range(downto, upto + 1)}
    assert set(answers) == asked
    for (kind, bound), assumed in answers.items():
        lower, upper = (0, bound) if kind is Direction.AT_MOST else (bound, n)
        clauses = clauses_of(formula, assumed)
        models = oracle.projected_models(clauses, n)
        assert {model.count(1) for model in models} == set(range(lower, upper + 1))
        assert oracle.missed(clauses, n, lower, upper) == ([], [])


@settings(max_examples=40, deadline=None)
@given(extended(most=5), st.data())
def test_after_any_extensions_two_bounds_at_once_mean_both_and_propagate(oracle, case, data):
    _, count, formula, (downto, upto, directions) = case
    if directions is Direction.BOTH:
        lower, upper = (data.draw(st.integers(downto, upto)) for _ in range(2))
        assumed = count.at_least(lower) + count.at_most(upper)
        missed = oracle.missed(clauses_of(formula, assumed), count.inputs, lower, upper)
        assert missed == ([], [])
        assert oracle.extends_uniquely(clauses_of(formula), count.inputs, formula.num_vars)


@settings(max_examples=100, deadline=None)
@given(extended(most=5))
def test_step_by_step_the_same_clauses_arise_as_at_once(case):
    counter, count, formula, (downto, upto, directions) = case
    n = count.inputs
    at_once, other = build(counter, n, upto, directions, downto)
    assert size_of(formula, n) == size_of(other, n)
    assert by_meaning(formula, n) == by_meaning(other, n)
    assert len(count.outputs) == len(at_once.outputs)


@every_counter_and_sorter
def test_the_predicted_size_of_a_counter_is_the_emitted_one(counter):
    for n in range(9):
        for downto in range(n + 1):
            for upto, directions in product(range(downto, n + 1), DIRECTIONS):
                _, formula = build(counter, n, upto, directions, downto)
                assert counter.count_size(n, upto, directions, downto) == size_of(formula, n)


@every_counter
def test_an_extension_costs_the_difference_and_nothing_new_costs_nothing(counter):
    n = 30
    count, formula = build(counter, n, 6, downto=5)
    count.extend(upto=6)
    count.extend(downto=5, directions=Direction.AT_LEAST)
    assert size_of(formula, n) == counter.count_size(n, 6, downto=5)
    count.extend(upto=9)
    count.extend(downto=2)
    assert size_of(formula, n) == counter.count_size(n, 9, downto=2)
    assert counter.count_size(n, 6, downto=5).clauses < counter.count_size(n, 9, downto=2).clauses


@every_counter
def test_one_direction_takes_half_the_clauses_and_the_other_is_added_later(counter):
    n = 12
    count, formula = build(counter, n, n, Direction.AT_MOST)
    with pytest.raises(ValueError, match=r"built for Direction\.AT_MOST, not .*`extend`"):
        count.at_least(1)
    both = counter.count_size(n, n)
    assert 2 * formula.num_clauses <= both.clauses + 1
    count.extend(directions=Direction.AT_LEAST)
    assert count.directions is Direction.BOTH
    assert size_of(formula, n) == both


@every_counter
def test_a_bound_outside_the_range_is_refused_with_the_range_and_the_way_to_extend_it(counter):
    count, _ = build(counter, 9, 5, downto=3)
    for ask, bound in product((count.at_most, count.at_least), (1, 2, 6, 7)):
        with pytest.raises(ValueError, match=f"from 3 to 5, not {bound}; `extend`"):
            ask(bound)
    count.extend(upto=6)
    assert count.at_least(6) == [count.outputs[6 - count.first]]
    with pytest.raises(ValueError, match="from 3 to 6"):
        count.at_most(7)


@every_counter_and_sorter
def test_a_range_without_a_bound_is_refused_before_anything_is_emitted(counter):
    formula = Formula(num_vars=3)
    with pytest.raises(ValueError, match="no bound from 2 to 1"):
        counter.count([1, 2, 3], 1, formula, downto=2)
    assert (formula.num_vars, formula.num_clauses) == (3, 0)


@every_counter_and_sorter
def test_trivial_bounds_assume_nothing_and_impossible_ones_the_false_literal(counter):
    count, formula = build(counter, 3, 2, downto=2)
    assert (count.at_most(3), count.at_most(7), count.at_least(0), count.at_least(-1)) == (
        [], [], [], [],
    )  # fmt: skip
    assert count.at_most(-1) == count.at_least(4) == [count.false]
    assert [-count.false] in clauses_of(formula)


@every_counter_and_sorter
def test_no_inputs_count_to_zero(counter):
    count, formula = build(counter, 0, 0)
    count.extend(upto=3)
    assert (count.outputs, count.at_most(0), count.at_least(0)) == ((), [], [])
    assert count.at_least(1) == [count.false]
    assert formula.num_clauses == 1


@every_counter_and_sorter
def test_repeated_and_opposite_literals_are_counted_as_they_stand(oracle, counter):
    formula = Formula(num_vars=3)
    count = counter.count([1, 1, -2, 2, 3], 2, formula, downto=2)
    count.extend(upto=5, downto=0)
    for lower, upper in product(range(6), repeat=2):
        assumed = count.at_least(lower) + count.at_most(upper)
        assert oracle.projected_models(clauses_of(formula, assumed), 3) == {
            m
            for m in product((1, -1), repeat=3)
            if lower <= 2 * (m[0] > 0) + 1 + (m[2] > 0) <= upper
        }


@every_counter
@pytest.mark.parametrize("name", ["minisat22", "cadical195"])
def test_both_ends_tighten_loosen_and_extend_in_one_live_solver(live, counter, name):
    rng = random.Random(5)
    n = 24
    with Solver(name) as solver:
        sink = live.Sink(solver, n)
        count = counter.count(range(1, n + 1), 12, sink, downto=12)
        for call in range(300):
            lower, upper = rng.randint(-1, n), rng.randint(0, n + 1)
            if call < 100:  # a range that grows slowly from the middle
                lower, upper = (max(12 - call // 8, x, 0) for x in (lower, upper))
                lower, upper = (min(12 + call // 8, x, n) for x in (lower, upper))
            count.extend(upto=upper, downto=min(lower, upper))
            count.extend(upto=lower)
            fixed = [rng.choice((1, -1)) * var for var in rng.sample(range(1, n + 1), 10)]
            true = sum(lit > 0 for lit in fixed)
            bounds = count.at_least(lower) + count.at_most(upper)
            possible = max(lower, true) <= min(upper, true + n - 10)
            assert solver.solve(assumptions=bounds + fixed) == possible
            if possible:
                assert lower <= sum(lit > 0 for lit in solver.get_model()[:n]) <= upper
            else:
                assert set(solver.get_core()) <= {*bounds, *fixed}
        size = counter.count_size(n, n)
        assert (sink.num_vars - n, sink.num_clauses) == (size.variables, size.clauses)
