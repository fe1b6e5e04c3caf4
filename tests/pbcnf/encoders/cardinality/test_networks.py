"""Sorting and cardinality networks: their counters, bounds, and what is left of the network."""

import random
from itertools import product
from typing import Any

import pytest
from pysat.solvers import Solver

from pbcnf import ENCODERS, Cardinality, Direction, EncodingSize, Formula, encode
from pbcnf.encoders.circuits.networks import NetworkBuilder, sorting_network
from tests.pbcnf.emitted import encoded

SORTER: Any = ENCODERS["sorting_network"]
NETWORK = ENCODERS["cardinality_network"]
BOTH = [SORTER, NETWORK]


def counter(n, upto, directions=Direction.BOTH, downto=0):
    formula = Formula(num_vars=n)
    return SORTER.count(range(1, n + 1), upto, formula, directions, downto), formula


def nontrivial(n):
    for lower, upper in product(range(n), range(1, n + 1)):
        if lower <= upper and (lower, upper) != (0, n):
            yield lower, upper


def unit_clauses(formula):
    return [clause for clause in formula.clauses() if len(clause) == 1]


@pytest.mark.parametrize("n", range(6))
def test_assumed_bounds_propagate_like_a_closed_encoding(oracle, n):
    count, formula = counter(n, n)
    clauses = list(formula.clauses())
    assert oracle.extends_uniquely(clauses, n, formula.num_vars)
    for lower, upper in product(range(-1, n + 2), repeat=2):
        assumed = [[lit] for lit in count.at_least(lower) + count.at_most(upper)]
        assert oracle.missed(clauses + assumed, n, lower, upper) == ([], [])


def test_only_the_bounds_asked_are_answered_and_extending_the_range_emits_nothing():
    count, formula = counter(9, 4, downto=3)
    before = (formula.num_vars, formula.num_clauses)
    seen = [count.at_most(bound) for bound in (3, 4)]
    assert [len(lits) for lits in seen] == [1, 1]
    for bound in (1, 5):
        with pytest.raises(ValueError, match="extend"):
            count.at_most(bound)
    count.extend(upto=7)
    assert (formula.num_vars, formula.num_clauses) == before
    assert [count.at_most(bound) for bound in (3, 4)] == seen
    assert len({*count.outputs}) == 6


def test_a_direction_is_added_over_the_same_variables():
    count, formula = counter(5, 5, Direction.AT_MOST)
    variables = formula.num_vars
    count.extend(directions=Direction.AT_LEAST)
    assert formula.num_vars == variables
    assert sorted(formula.clauses()) == sorted(counter(5, 5)[1].clauses())


def test_a_bound_asks_for_less_than_the_whole_network_and_one_network_serves_both():
    for n in [*range(3, 20), 32, 40]:
        whole = sorting_network(n).size(Direction.BOTH).variables
        for k in range(1, n):
            one, both, other = (
                SORTER.size(n, *bounds).variables for bounds in ((0, k), (k, k), (k, n))
            )
            assert max(one, both) < whole
            assert both <= one + other or k != n // 2


@pytest.mark.parametrize(("n", "lower", "upper"), [(9, 0, 1), (9, 2, 3), (10, 1, 3)])
def test_literals_of_constants_get_unit_clauses_and_keep_the_claims(oracle, n, lower, upper):
    formula = encoded(SORTER, n, lower, upper)
    clauses = list(formula.clauses())
    assert unit_clauses(formula)
    assert oracle.missed(clauses, n, lower, upper) == ([], [])
    if lower > 0:
        assert oracle.extends_uniquely(clauses, n, formula.num_vars)


def test_a_cardinality_network_has_no_literals_of_constants():
    for n in range(2, 12):
        for lower, upper in nontrivial(n):
            assert not unit_clauses(encoded(NETWORK, n, lower, upper))


def test_at_most_one_takes_a_disjunction_per_pair_of_blocks():
    for n in range(3, 41):
        expected = EncodingSize(n - 2, 3 * n - 5, 6 * n - 10)
        assert NETWORK.size(n, 0, 1) == expected


def test_a_cardinality_network_grows_linearly_and_is_much_smaller_for_a_small_bound():
    for k in (1, 3, 7, 15):
        p = k + 1
        blocks = [NETWORK.size(m * p, 0, k).variables for m in (16, 32, 64)]
        assert blocks[2] - blocks[1] == 2 * (blocks[1] - blocks[0])
    found, whole = (encoder.size(1000, 3, 3).variables for encoder in reversed(BOTH))
    assert found < whole / 6


def test_a_cardinality_network_is_never_much_larger_than_a_sorting_network():
    for n in [5, 9, 15, 17, 24, 33, 48]:
        for k in range(1, n, 1 + n // 12):
            for bounds in [(0, k), (k, n), (k, k)]:
                whole, found = (encoder.size(n, *bounds) for encoder in BOTH)
                assert found.variables <= 1.1 * whole.variables + 2
                assert found.clauses <= 1.1 * whole.clauses + 2


def test_a_bound_beyond_the_half_counts_the_negated_inputs():
    for lower, upper in [(9, 9), (9, 11), (8, 10)]:
        above, below = Formula(num_vars=11), Formula(num_vars=11)
        encode(Cardinality(range(1, 12), lower, upper), above, NETWORK)
        negated = Cardinality(range(-1, -12, -1), 11 - upper, 11 - lower)
        encode(negated, below, NETWORK)
        assert list(above.clauses()) == list(below.clauses())


@pytest.mark.parametrize("encoder", BOTH, ids=lambda encoder: encoder.name)
@pytest.mark.parametrize(("n", "lower", "upper"), [(50, 0, 7), (61, 40, 61), (100, 37, 37)])
def test_unit_propagation_decides_complete_assignments_of_many_inputs(encoder, n, lower, upper):
    rng = random.Random(n)
    with Solver("minisat22", bootstrap_with=encoded(encoder, n, lower, upper)) as solver:
        for true in {*range(n + 1)} & {lower - 1, lower, upper, upper + 1, (lower + upper) // 2}:
            chosen = set(rng.sample(range(1, n + 1), true))
            values = [v if v in chosen else -v for v in range(1, n + 1)]
            assert solver.propagate(assumptions=values)[0] == (lower <= true <= upper)
            assert solver.solve(assumptions=values) == (lower <= true <= upper)


def test_a_value_on_which_nothing_asked_depends_takes_no_variable():
    builder = NetworkBuilder(2)
    high, low = builder.sort(builder.inputs(0, 2)).T
    builder.forbid(low)
    formula = Formula(num_vars=2)
    assert builder.network(high[:0]).emit([1, 2], Direction.AT_MOST, formula) == []
    assert (formula.num_vars, list(formula.clauses())) == (2, [[-1, -2]])
