from itertools import product

import pytest

from pbcnf import Direction, Formula
from pbcnf.encoders.cardinality.sorting_network import SortingNetwork
from pbcnf.encoders.circuits.networks import sorting_network


def counter(n, upto, directions=Direction.BOTH, downto=0):
    formula = Formula(num_vars=n)
    return SortingNetwork().count(range(1, n + 1), upto, formula, directions, downto), formula


def size(n, lower, upper):
    return SortingNetwork().size(n, lower, upper)


@pytest.mark.parametrize("n", range(6))
def test_assumed_bounds_propagate_like_a_closed_encoding(oracle, n):
    count, formula = counter(n, n)
    clauses = list(formula.clauses())
    assert oracle.extends_uniquely(clauses, n, formula.num_vars)
    for lower, upper in product(range(-1, n + 2), repeat=2):
        assumed = [[lit] for lit in count.at_least(lower) + count.at_most(upper)]
        assert oracle.missed(clauses + assumed, n, lower, upper) == ([], [])


def test_only_the_bounds_asked_are_answered():
    count, _ = counter(8, 4, downto=3)
    assert [len(count.at_most(bound)) for bound in (3, 4)] == [1, 1]
    for bound in (1, 5):
        with pytest.raises(ValueError, match="extend"):
            count.at_most(bound)


def test_extending_the_range_emits_nothing():
    count, formula = counter(9, 2)
    before = (formula.num_vars, formula.num_clauses)
    seen = count.at_most(2)
    count.extend(upto=7)
    assert (formula.num_vars, formula.num_clauses) == before
    assert count.at_most(2) == seen
    assert len({*count.outputs}) == 8


def test_a_direction_is_added_over_the_same_variables(oracle):
    n = 5
    count, formula = counter(n, n, Direction.AT_MOST)
    variables = formula.num_vars
    count.extend(directions=Direction.AT_LEAST)
    at_once = counter(n, n)[1]
    assert formula.num_vars == variables
    assert sorted(formula.clauses()) == sorted(at_once.clauses())
    for lower, upper in product(range(n + 1), repeat=2):
        assumed = [[lit] for lit in count.at_least(lower) + count.at_most(upper)]
        assert oracle.missed([*formula.clauses(), *assumed], n, lower, upper) == ([], [])


def test_a_bound_asks_for_less_than_the_whole_network():
    for n in [*range(3, 20), 32, 40]:
        whole = sorting_network(n).size(Direction.BOTH)
        for k in range(1, n):
            assert size(n, 0, k).variables < whole.variables
            assert size(n, k, k).variables < whole.variables


def test_one_network_serves_both_bounds():
    for n in range(4, 41):
        k = n // 2
        one, both = size(n, 0, k), size(n, k, k)
        assert both.variables <= one.variables + size(n, k, n).variables
