"""Counters that get inputs, merge and widen in a live solver, against counting by hand."""

from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from pbcnf import Direction, Formula
from pbcnf.encoders.cardinality.sequential_counter import SequentialCounter
from pbcnf.encoders.cardinality.sorting_network import SortingNetwork
from pbcnf.encoders.cardinality.totalizer import Totalizer
from tests.pbcnf.emitted import size_of

COUNTERS = [Totalizer(), SequentialCounter(), SortingNetwork()]
DIRECTIONS = [Direction.AT_MOST, Direction.AT_LEAST, Direction.BOTH]
every_counter = pytest.mark.parametrize("counter", COUNTERS, ids=lambda counter: counter.name)
VARS = 7
"""So many variables are there to be counted."""
LITS = st.integers(1, VARS) | st.integers(-VARS, -1)


def ask(data, count):
    """Return a bound that can be asked, if there is one: its kind, itself and the literals."""
    kind = data.draw(st.sampled_from(list(count.directions)))
    bound = data.draw(st.integers(count.downto, count.upto))
    asked = count.at_most if kind is Direction.AT_MOST else count.at_least
    return kind, bound, asked(bound)


def holds_for(lits, kind, bound):
    def holds(assignment):
        true = sum((assignment[abs(lit) - 1] > 0) == (lit > 0) for lit in lits)
        return true <= bound if kind is Direction.AT_MOST else true >= bound

    return holds


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_any_sequence_of_growth_and_questions_is_answered_as_by_counting(live, data):
    """Bounds from before a change go on to speak of the inputs of that time."""
    with Solver(data.draw(st.sampled_from(["minisat22", "cadical195"]))) as solver:
        sink = live.Sink(solver, VARS)
        counts, promises = [], []
        for _ in range(data.draw(st.integers(1, 2))):
            lits = data.draw(st.lists(LITS, max_size=4))
            downto, upto = sorted(data.draw(st.tuples(st.integers(0, 9), st.integers(0, 9))))
            directions = data.draw(st.sampled_from(DIRECTIONS))
            counter = data.draw(st.sampled_from(COUNTERS))
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
                    kind, bound, assumed = ask(data, one.count)
                    promises.append((holds_for(list(one.lits), kind, bound), assumed))
            assert one.count.inputs == len(one.lits)
            picked = data.draw(st.lists(st.sampled_from(promises), max_size=3)) if promises else []
            fixed = data.draw(st.lists(LITS, max_size=VARS, unique_by=abs))
            assumed = [lit for _, lits in picked for lit in lits]
            possible = live.solvable(VARS, fixed, [holds for holds, _ in picked])
            assert solver.solve(assumptions=[*assumed, *fixed]) == possible


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(COUNTERS), st.lists(st.integers(0, 3), min_size=1, max_size=4), st.data())
def test_a_counter_that_got_its_inputs_in_portions_propagates_all_that_follows(
    oracle, counter, portions, data
):
    formula, lits = Formula(num_vars=sum(portions)), iter(range(1, sum(portions) + 1))
    lots = [[next(lits) for _ in range(portion)] for portion in portions]
    first, *rest = [counter.count(lot, 99, formula) for lot in lots]
    for lot, count in zip(lots[1:], rest, strict=True):
        if data.draw(st.booleans()):
            first.merge(count)
        else:
            first.add_inputs(lot)
    n = first.inputs
    lower, upper = (data.draw(st.integers(0, n)) for _ in range(2))
    assumed = first.at_least(lower) + first.at_most(upper)
    clauses = [*formula.clauses(), *([lit] for lit in assumed)]
    assert oracle.missed(clauses, n, lower, upper) == ([], [])
    assert oracle.extends_uniquely(list(formula.clauses()), n, formula.num_vars)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 6), min_size=1, max_size=4), st.sampled_from(DIRECTIONS), st.data())
def test_the_predicted_size_of_inputs_in_portions_is_the_emitted_one(portions, directions, data):
    n = sum(portions)
    downto, upto = sorted(data.draw(st.tuples(st.integers(0, n), st.integers(0, n + 1))))
    formula, lits = Formula(num_vars=n), iter(range(1, n + 1))
    first, *rest = [[next(lits) for _ in range(portion)] for portion in portions]
    count = Totalizer().count(first, upto, formula, directions, downto)
    for lot in rest:
        count.add_inputs(lot)
    emitted = size_of(formula, n)
    size = Totalizer().count_size(portions[0], upto, directions, downto, portions[1:])
    assert size == emitted


@every_counter
def test_an_upper_bound_that_the_inputs_capped_grows_with_them(counter):
    formula = Formula(num_vars=9)
    count = counter.count([1, 2], 5, formula)
    assert (count.upto, count.at_most(5)) == (2, [])
    count.add_inputs(range(3, 10))
    assert (count.upto, len(count.at_most(5))) == (5, 1)
    with pytest.raises(ValueError, match="from 0 to 5, not 6; `extend`"):
        count.at_most(6)


@every_counter
def test_nothing_added_emits_nothing(counter):
    formula = Formula(num_vars=3)
    count = counter.count([1, 2, 3], 2, formula)
    before = list(formula.clauses())
    count.add_inputs([])
    count.merge(counter.count([], 0, formula))
    assert list(formula.clauses())[:-1] == before
    assert count.inputs == 3


@every_counter
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


@every_counter
def test_counters_of_two_sinks_are_not_merged(counter):
    one, other = (counter.count([1, 2], 2, Formula(num_vars=2)) for _ in range(2))
    with pytest.raises(ValueError, match="two sinks cannot be merged"):
        one.merge(other)
    assert one.inputs == 2


@pytest.mark.parametrize("onto_the_new", [False, True])
def test_a_counter_takes_thousands_of_inputs_one_by_one(onto_the_new):
    formula = Formula(num_vars=2000)
    count = Totalizer().count([1], 1, formula, Direction.AT_MOST)
    for lit in range(2, 2001):
        new = Totalizer().count([lit], 1, formula, Direction.AT_MOST)
        (new if onto_the_new else count).merge(count if onto_the_new else new)
        count = new if onto_the_new else count
    count.extend(upto=2, directions=Direction.BOTH)
    with Solver("minisat22", bootstrap_with=formula.clauses()) as solver:
        assert solver.solve(assumptions=[*count.at_most(1), 7, *range(-2000, -1000)])
        assert not solver.solve(assumptions=[*count.at_most(1), 7, 1999])
        none_but_one = [-var for var in range(1, 2001) if var != 7]
        assert not solver.solve(assumptions=[*count.at_least(2), *none_but_one])
