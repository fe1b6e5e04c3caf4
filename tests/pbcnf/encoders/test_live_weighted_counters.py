"""Weighted sums that get inputs, merge and are bounded anew in a live solver, against adding up."""

from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from pbcnf import ENCODERS

COUNTERS = [encoder for encoder in ENCODERS.values() if hasattr(encoder, "count_weighted")]
every_counter = pytest.mark.parametrize("counter", COUNTERS, ids=lambda counter: counter.name)
VARS = 6
"""So many variables are there to be counted."""
LITS = st.integers(1, VARS) | st.integers(-VARS, -1)
WEIGHTS = st.one_of(
    st.integers(1, 6), st.integers(-4, 30), st.sampled_from([2**40, 2**40 + 1, 2**70])
)
TERMS = st.lists(st.tuples(LITS, WEIGHTS), max_size=4)


def value(assignment, terms):
    return sum(w for lit, w in terms if (assignment[abs(lit) - 1] > 0) == (lit > 0))


def unzipped(terms):
    return [lit for lit, _ in terms], [weight for _, weight in terms]


@st.composite
def bounds_of(draw, terms):
    """Draw a bound near a value that the sum can have."""
    picked = draw(st.lists(st.sampled_from(terms), unique=True)) if terms else []
    return sum(weight for _, weight in picked) + draw(st.integers(-2, 2))


def promise(terms, at_most, bound):
    if at_most:
        return lambda assignment: value(assignment, terms) <= bound
    return lambda assignment: value(assignment, terms) >= bound


@settings(max_examples=100, deadline=None)
@given(data=st.data())
@every_counter
def test_any_sequence_of_growth_and_bounds_is_answered_as_by_adding_up(live, counter, data):
    """Bounds from before a change go on to speak of the inputs of that time.

    Of the watchdog's upper bounds one is assumed at a time, as of its lower ones.
    """
    with Solver(data.draw(st.sampled_from(["minisat22", "cadical195"]))) as solver:
        sink = live.Sink(solver, VARS)
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
            possible = live.solvable(VARS, fixed, [holds for holds, _ in picked])
            assert solver.solve(assumptions=[*assumed, *fixed]) == possible
