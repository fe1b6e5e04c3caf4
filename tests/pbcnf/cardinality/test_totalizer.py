import random
from itertools import product

import pytest
from pysat.solvers import Solver

from pbcnf import Direction, Formula
from pbcnf.cardinality.totalizer import Totalizer


def counter(n, upto, directions=Direction.BOTH):
    formula = Formula(num_vars=n)
    count = Totalizer().count(range(1, n + 1), upto, formula, directions)
    return count, list(formula.clauses()), formula


@pytest.mark.parametrize("n", range(6))
def test_assumed_bounds_propagate_like_a_closed_encoding(oracle, n):
    count, clauses, _ = counter(n, n)
    for lower, upper in product(range(-1, n + 2), repeat=2):
        assumed = [[lit] for lit in count.at_least(lower) + count.at_most(upper)]
        assert oracle.missed(clauses + assumed, n, lower, upper) == ([], [])


@pytest.mark.parametrize("n", range(1, 7))
def test_a_counter_up_to_a_bound_answers_for_every_bound_up_to_it(oracle, n):
    for upto in range(n):
        count, clauses, _ = counter(n, upto)
        for bound in range(upto + 1):
            for assumed, lower, upper in [
                (count.at_most(bound), 0, bound),
                (count.at_least(bound), bound, n),
                (count.at_least(bound) + count.at_most(upto), bound, upto),
            ]:
                models = oracle.projected_models(clauses + [[lit] for lit in assumed], n)
                assert {model.count(1) for model in models} == set(range(lower, upper + 1))


@pytest.mark.parametrize("direction", [Direction.AT_MOST, Direction.AT_LEAST])
def test_one_direction_propagates_its_bounds(oracle, direction):
    n = 5
    count, clauses, formula = counter(n, n, direction)
    assert formula.num_clauses < counter(n, n)[2].num_clauses
    for bound in range(n + 1):
        upper = direction is Direction.AT_MOST
        assumed = count.at_most(bound) if upper else count.at_least(bound)
        lower, upper = (0, bound) if upper else (bound, n)
        assert oracle.missed(clauses + [[lit] for lit in assumed], n, lower, upper) == ([], [])


def test_both_directions_extend_uniquely(oracle):
    for n in range(7):
        for upto in range(n + 1):
            _, clauses, formula = counter(n, upto)
            assert oracle.extends_uniquely(clauses, n, formula.num_vars)


def test_bounds_tighten_and_loosen_in_one_session():
    rng = random.Random(5)
    n = 9
    count, clauses, _ = counter(n, n)
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        for _ in range(400):
            lower, upper = rng.randint(-2, n + 1), rng.randint(-1, n + 2)
            fixed = [rng.choice((1, -1)) * var for var in rng.sample(range(1, n + 1), 4)]
            true = sum(lit > 0 for lit in fixed)
            bounds = count.at_least(lower) + count.at_most(upper)
            possible = max(lower, true) <= min(upper, true + n - 4)
            assert solver.solve(assumptions=bounds + fixed) == possible
            if possible:
                assert lower <= sum(lit > 0 for lit in solver.get_model()[:n]) <= upper
            else:
                assert set(solver.get_core()) <= {*bounds, *fixed}


def test_trivial_bounds_assume_nothing_and_impossible_ones_assume_the_false_literal():
    count, clauses, _ = counter(3, 3)
    assert (count.at_most(3), count.at_most(7), count.at_least(0), count.at_least(-1)) == (
        [], [], [], [],
    )  # fmt: skip
    assert count.at_most(-1) == count.at_least(4) == [count.false]
    assert [-count.false] in clauses


def test_no_inputs_count_to_zero():
    count, _, _ = counter(0, 0)
    assert (count.outputs, count.at_most(0), count.at_least(0)) == ((), [], [])
    assert count.at_least(1) == [count.false]


def test_a_bound_beyond_what_was_built_is_refused():
    count, _, _ = counter(6, 2)
    assert count.at_least(3) == [count.outputs[2]]
    with pytest.raises(ValueError, match="count up to 3"):
        count.at_most(3)
    with pytest.raises(ValueError, match="count up to 3"):
        count.at_least(4)


def test_a_direction_that_was_not_built_is_refused():
    count, _, _ = counter(4, 2, Direction.AT_MOST)
    with pytest.raises(ValueError, match="built for"):
        count.at_least(1)


def test_repeated_and_opposite_literals_are_counted_as_they_stand(oracle):
    lits = [1, 1, -2, 2, 3]
    formula = Formula(num_vars=3)
    count = Totalizer().count(lits, 5, formula)
    clauses = list(formula.clauses())
    for lower, upper in product(range(6), repeat=2):
        assumed = [[lit] for lit in count.at_least(lower) + count.at_most(upper)]
        assert oracle.projected_models(clauses + assumed, 3) == {
            m
            for m in product((1, -1), repeat=3)
            if lower <= 2 * (m[0] > 0) + 1 + (m[2] > 0) <= upper
        }
