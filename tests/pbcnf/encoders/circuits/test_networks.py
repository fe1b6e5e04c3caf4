from itertools import product

import pytest
from pysat.solvers import Solver

from pbcnf import Direction, EncodingSize, Formula
from pbcnf.encoders.circuits.networks import NetworkBuilder, sorting_network
from tests.pbcnf.emitted import size_of

DIRECTIONS = list(Direction)
BATCHER = [0, 1, 3, 5, 9, 12, 16, 19, 26, 31, 37, 41, 48, 53, 59, 63]
"""Comparators of Batcher's sorting network for 1..16 inputs: OEIS A006282."""


def merge_comparators(a, b):
    """Batcher's recurrence: merge the odd places, merge the even places, compare neighbours."""
    if a == 0 or b == 0:
        return 0
    if a == b == 1:
        return 1
    odd, even = (a + 1) // 2 + (b + 1) // 2, a // 2 + b // 2
    return (
        merge_comparators((a + 1) // 2, (b + 1) // 2)
        + merge_comparators(a // 2, b // 2)
        + min(odd - 1, even)
    )


def merging_network(a, b, last=None):
    builder = NetworkBuilder(a + b)
    outputs = builder.merge(builder.inputs(0, a), builder.inputs(a, a + b))
    return builder.network(outputs[0, :last])


def assert_counts(formula, inputs, outputs, first, directions):
    """Unit propagation decides output j, as far as the directions go, from all the inputs."""
    with Solver("minisat22", bootstrap_with=list(formula.clauses())) as solver:
        for values in inputs:
            consistent, decided = solver.propagate(assumptions=values)
            assert consistent
            decided = {*decided, *values}
            true = sum(value > 0 for value in values)
            for j, output in enumerate(outputs, start=first):
                is_input = abs(output) <= len(values)
                assert (output in decided) == (
                    j <= true and (Direction.AT_MOST in directions or is_input)
                )
                assert (-output in decided) == (
                    j > true and (Direction.AT_LEAST in directions or is_input)
                )


@pytest.mark.parametrize("directions", DIRECTIONS)
@pytest.mark.parametrize("n", range(9))
def test_output_j_of_a_sort_says_that_at_least_j_are_true(n, directions):
    formula = Formula(num_vars=n)
    outputs = sorting_network(n).emit(range(1, n + 1), directions, formula)
    assert len(outputs) == n
    assignments = [[s * v for v, s in enumerate(a, 1)] for a in product((1, -1), repeat=n)]
    assert_counts(formula, assignments, outputs, 1, directions)


@pytest.mark.parametrize("directions", DIRECTIONS)
def test_output_j_of_a_merge_says_that_at_least_j_are_true_on_both_sides(directions):
    for a, b in product(range(9), repeat=2):
        formula = Formula(num_vars=a + b)
        outputs = merging_network(a, b).emit(range(1, a + b + 1), directions, formula)
        assert len(outputs) == a + b
        assignments = [
            [v if v <= i or a < v <= a + j else -v for v in range(1, a + b + 1)]
            for i in range(a + 1)
            for j in range(b + 1)
        ]
        assert_counts(formula, assignments, outputs, 1, directions)


@pytest.mark.parametrize("directions", DIRECTIONS)
def test_a_range_of_outputs_is_built_without_the_others(directions):
    n = 6
    assignments = [[s * v for v, s in enumerate(a, 1)] for a in product((1, -1), repeat=n)]
    whole = sorting_network(n).size(directions)
    for first in range(1, n + 1):
        for last in range(first, n + 1):
            formula = Formula(num_vars=n)
            network = sorting_network(n, first, last)
            outputs = network.emit(range(1, n + 1), directions, formula)
            assert len(outputs) == last - first + 1
            assert_counts(formula, assignments, outputs, first, directions)
            if (first, last) != (1, n):
                assert size_of(formula, n).variables < whole.variables


def test_both_directions_determine_every_value(oracle):
    for n in range(8):
        formula = Formula(num_vars=n)
        sorting_network(n, 2, n - 1).emit(range(1, n + 1), Direction.BOTH, formula)
        assert oracle.extends_uniquely(list(formula.clauses()), n, formula.num_vars)


def test_a_sorting_network_has_as_many_comparators_as_batchers():
    for n, comparators in enumerate(BATCHER, start=1):
        one, both = map(sorting_network(n).size, (Direction.AT_MOST, Direction.BOTH))
        assert (one.variables, one.clauses) == (2 * comparators, 3 * comparators)
        assert both == EncodingSize(2 * comparators, 6 * comparators, 14 * comparators)


def test_a_merging_network_has_as_many_comparators_as_batchers():
    for a, b in product(range(34), repeat=2):
        comparators = merge_comparators(a, b)
        size = merging_network(a, b).size(Direction.BOTH)
        assert size == EncodingSize(2 * comparators, 6 * comparators, 14 * comparators), (a, b)


@pytest.mark.parametrize("directions", DIRECTIONS)
def test_the_predicted_size_is_the_emitted_size(directions):
    for n in range(14):
        for first, last in product(range(1, n + 1), repeat=2):
            formula = Formula(num_vars=n)
            network = sorting_network(n, first, last)
            network.emit(range(1, n + 1), directions, formula)
            assert network.size(directions) == size_of(formula, n)
    for a, b, most in product(range(6), range(7), [1, 4, None]):
        formula = Formula(num_vars=a + b)
        network = merging_network(a, b, most)
        network.emit(range(1, a + b + 1), directions, formula)
        assert network.size(directions) == size_of(formula, a + b)


def test_literals_of_any_sign_are_sorted():
    formula = Formula(num_vars=2)
    high, low = sorting_network(2).emit([-1, 2], Direction.AT_LEAST, formula)
    assert sorted(map(sorted, formula.clauses())) == sorted(
        map(sorted, [[-high, -1, 2], [-low, -1], [-low, 2]])
    )


def test_rows_are_sorted_side_by_side_as_each_alone():
    builder = NetworkBuilder(12)
    rows = builder.sort(builder.inputs(0, 12).reshape(3, 4))
    network = builder.network(rows.ravel())
    formula = Formula(num_vars=12)
    outputs = network.emit(range(1, 13), Direction.BOTH, formula)
    assert network.size(Direction.BOTH) == sorting_network(4).size(Direction.BOTH) * 3
    for row in range(3):
        own = range(4 * row + 1, 4 * row + 5)
        others = [-v for v in range(1, 13) if v not in own]
        assignments = [
            sorted([*(s * v for v, s in zip(own, a, strict=True)), *others], key=abs)
            for a in product((1, -1), repeat=4)
        ]
        assert_counts(formula, assignments, outputs[4 * row : 4 * row + 4], 1, Direction.BOTH)
