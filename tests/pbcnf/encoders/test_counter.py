"""Counters: bounds that are assumed, ranges and inputs that grow, against counting by hand."""

import operator
from itertools import islice, product
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from pbcnf import ENCODERS, Direction, Formula
from tests.oracles import assignments, true_literals, weighted_sum
from tests.pbcnf.emitted import extending, size_of
from tests.pbcnf.encoders.live import Sink, solvable

TOTALIZER: Any = ENCODERS["totalizer"]
COUNTERS = [TOTALIZER, ENCODERS["sequential_counter"]]
EVERY = [*COUNTERS, ENCODERS["sorting_network"]]
DIRECTIONS = [Direction.AT_MOST, Direction.AT_LEAST, Direction.BOTH]
every_counter = pytest.mark.parametrize("counter", COUNTERS, ids=lambda each: each.name)
every_counter_and_sorter = pytest.mark.parametrize("counter", EVERY, ids=lambda each: each.name)


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
        known = [set(solver.propagate(true_literals(bits))[1]) for bits in assignments(n)]
    variables = range(formula.num_vars + 1)
    name = [tuple((var in true) - (-var in true) for true in known) for var in variables]
    return sorted(sorted((name[abs(lit)], lit > 0) for lit in c) for c in formula.clauses())


BOUND = st.integers(-1, 7)
OPTIONS = {"upto": BOUND, "downto": BOUND, "directions": st.sampled_from(DIRECTIONS)}
STEPS = st.lists(st.fixed_dictionaries({}, optional=OPTIONS), max_size=4)


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


@every_counter_and_sorter
def test_a_bound_outside_the_range_is_refused_with_the_range_and_the_way_to_extend_it(counter):
    count, _ = build(counter, 9, 5, downto=3)
    for ask, bound in product((count.at_most, count.at_least), (1, 2, 6, 7)):
        with pytest.raises(ValueError, match=f"from 3 to 5, not {bound}; `extend`"):
            ask(bound)
    count.extend(upto=6)
    assert count.at_least(6) == [count.outputs[6 - count.first]]
    with pytest.raises(ValueError, match="from 3 to 6"):
        count.at_most(7)
    formula = Formula(num_vars=3)
    with pytest.raises(ValueError, match="no bound from 2 to 1"):
        counter.count([1, 2, 3], 1, formula, downto=2)
    assert (formula.num_vars, formula.num_clauses) == (3, 0)


@every_counter_and_sorter
def test_trivial_bounds_assume_nothing_and_impossible_ones_the_false_literal(counter):
    count, formula = build(counter, 3, 2, downto=2)
    assert count.at_most(3) == count.at_most(7) == count.at_least(0) == count.at_least(-1) == []
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
def test_repeated_and_opposite_literals_are_counted_as_they_stand(counter):
    formula, lits = Formula(num_vars=3), [1, 1, -2, 2, 3]
    count = counter.count(lits, 2, formula, downto=2)
    count.extend(upto=5, downto=0)
    for lower, upper in product(range(6), repeat=2):
        assumed = count.at_least(lower) + count.at_most(upper)
        expected = [b for b in assignments(3) if lower <= weighted_sum(lits, b) <= upper]
        assert extending(formula, 3, *assumed) == expected


VARS = 7
"""The number of variables that are counted."""
LITS = st.integers(1, VARS) | st.integers(-VARS, -1)


def promise(lits, kind, bound):
    side = operator.le if kind is Direction.AT_MOST else operator.ge
    return lambda bits: side(weighted_sum(lits, bits), bound)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_any_sequence_of_growth_and_questions_is_answered_as_by_counting(data):
    """Bounds from before a change go on to speak of the inputs of that time."""
    with Solver(data.draw(st.sampled_from(["minisat22", "cadical195"]))) as solver:
        sink = Sink(solver, VARS)
        counts, promises = [], []
        for _ in range(data.draw(st.integers(1, 2))):
            lits = data.draw(st.lists(LITS, max_size=4))
            downto, upto = sorted(data.draw(st.tuples(st.integers(0, 9), st.integers(0, 9))))
            directions = data.draw(st.sampled_from(DIRECTIONS))
            counter = data.draw(st.sampled_from(EVERY))
            count = counter.count(lits, upto, sink, directions, downto)
            counts.append(SimpleNamespace(count=count, lits=lits))
        for _ in range(data.draw(st.integers(1, 8))):
            one = data.draw(st.sampled_from(counts))
            match data.draw(st.sampled_from(["add", "merge", "extend", "ask", "ask"])):
                case "add":
                    more = data.draw(st.lists(LITS, max_size=3))
                    one.count.add_inputs(more)
                    one.lits = one.lits + more
                case "merge":
                    other = data.draw(st.sampled_from(counts))
                    if len(one.lits) + len(other.lits) <= 20:
                        one.count.merge(other.count)
                        one.lits = one.lits + other.lits
                case "extend":
                    bounds = data.draw(st.tuples(st.integers(-1, 9), st.integers(-1, 9)))
                    one.count.extend(*bounds, data.draw(st.sampled_from(DIRECTIONS)))
                case "ask":
                    kind = data.draw(st.sampled_from(list(one.count.directions)))
                    bound = data.draw(st.integers(one.count.downto, one.count.upto))
                    at_most = kind is Direction.AT_MOST
                    ask = one.count.at_most if at_most else one.count.at_least
                    promises.append((promise(list(one.lits), kind, bound), ask(bound)))
            assert one.count.inputs == len(one.lits)
            picked = data.draw(st.lists(st.sampled_from(promises), max_size=3)) if promises else []
            fixed = data.draw(st.lists(LITS, max_size=VARS, unique_by=abs))
            assumed = [lit for _, lits in picked for lit in lits]
            possible = solvable(VARS, fixed, [holds for holds, _ in picked])
            assert solver.solve(assumptions=[*assumed, *fixed]) == possible


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(EVERY), st.lists(st.integers(0, 3), min_size=1, max_size=4), st.data())
def test_a_counter_that_got_its_inputs_in_portions_propagates_all_that_follows(
    oracle, counter, portions, data
):
    formula, lits = Formula(num_vars=sum(portions)), iter(range(1, sum(portions) + 1))
    lots = [[*islice(lits, portion)] for portion in portions]
    first, *rest = [counter.count(lot, 99, formula) for lot in lots]
    for lot, count in zip(lots[1:], rest, strict=True):
        if data.draw(st.booleans()):
            first.merge(count)
        else:
            first.add_inputs(lot)
    n = first.inputs
    lower, upper = (data.draw(st.integers(0, n)) for _ in range(2))
    assumed = first.at_least(lower) + first.at_most(upper)
    assert oracle.missed(clauses_of(formula, assumed), n, lower, upper) == ([], [])
    assert oracle.extends_uniquely(list(formula.clauses()), n, formula.num_vars)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 6), min_size=1, max_size=4), st.sampled_from(DIRECTIONS), st.data())
def test_the_predicted_size_of_inputs_in_portions_is_the_emitted_one(portions, directions, data):
    n = sum(portions)
    downto, upto = sorted(data.draw(st.tuples(st.integers(0, n), st.integers(0, n + 1))))
    formula, lits = Formula(num_vars=n), iter(range(1, n + 1))
    count = TOTALIZER.count(islice(lits, portions[0]), upto, formula, directions, downto)
    for portion in portions[1:]:
        count.add_inputs(islice(lits, portion))
    size = TOTALIZER.count_size(portions[0], upto, directions, downto, portions[1:])
    assert size == size_of(formula, n)


@every_counter_and_sorter
def test_an_upper_bound_that_the_inputs_capped_grows_with_them(counter):
    formula = Formula(num_vars=9)
    count = counter.count([1, 2], 5, formula)
    assert (count.upto, count.at_most(5)) == (2, [])
    count.add_inputs(range(3, 10))
    assert (count.upto, len(count.at_most(5))) == (5, 1)
    with pytest.raises(ValueError, match="from 0 to 5, not 6; `extend`"):
        count.at_most(6)


@every_counter_and_sorter
def test_nothing_added_emits_nothing(counter):
    formula = Formula(num_vars=3)
    count = counter.count([1, 2, 3], 2, formula)
    before = list(formula.clauses())
    count.add_inputs([])
    count.merge(counter.count([], 0, formula))
    assert list(formula.clauses())[:-1] == before
    assert count.inputs == 3


@every_counter_and_sorter
@pytest.mark.parametrize(("lits", "error"), [([0], ValueError), ([1, "2"], TypeError)])
def test_what_is_no_literal_is_refused_before_anything_changes(counter, lits, error):
    formula = Formula(num_vars=3)
    count = counter.count([1, 2, 3], 2, formula)
    size = formula.num_vars, formula.num_clauses
    with pytest.raises(error):
        count.add_inputs(lits)
    with pytest.raises(ValueError, match="literal 99: variable 99 is not allocated"):
        count.add_inputs([1, 99])
    assert (formula.num_vars, formula.num_clauses, count.inputs) == (*size, 3)


@every_counter_and_sorter
def test_counters_of_two_sinks_are_not_merged(counter):
    one, other = (counter.count([1, 2], 2, Formula(num_vars=2)) for _ in range(2))
    with pytest.raises(ValueError, match="two sinks cannot be merged"):
        one.merge(other)
    assert one.inputs == 2


@pytest.mark.parametrize("onto_the_new", [False, True])
def test_a_counter_takes_thousands_of_inputs_one_by_one(onto_the_new):
    formula = Formula(num_vars=2000)
    count = TOTALIZER.count([1], 1, formula, Direction.AT_MOST)
    for lit in range(2, 2001):
        new = TOTALIZER.count([lit], 1, formula, Direction.AT_MOST)
        (new if onto_the_new else count).merge(count if onto_the_new else new)
        count = new if onto_the_new else count
    count.extend(upto=2, directions=Direction.BOTH)
    with Solver("minisat22", bootstrap_with=formula.clauses()) as solver:
        assert solver.solve(assumptions=[*count.at_most(1), 7, *range(-2000, -1000)])
        assert not solver.solve(assumptions=[*count.at_most(1), 7, 1999])
        none_but_one = [-var for var in range(1, 2001) if var != 7]
        assert not solver.solve(assumptions=[*count.at_least(2), *none_but_one])
