"""Networks: outputs count, sizes are Batcher's, values may be left out; what is emitted in bulk."""

from itertools import accumulate, pairwise, product

import numpy as np
import pytest
from pysat.solvers import Solver

from pbcnf import Direction, EncodingSize, Formula
from pbcnf.encoders.cardinality import pairwise_network
from pbcnf.encoders.circuits import array_emission, one_directional, sequential_grid, totalizer_tree
from pbcnf.encoders.circuits.networks import NetworkBuilder, small_merger, sorting_network
from pbcnf.encoders.circuits.output_ranges import Asked
from tests.pbcnf.emitted import encoded, size_of

WAYS = Direction.AT_MOST, Direction.AT_LEAST
every_direction = pytest.mark.parametrize("directions", list(Direction))
BATCHER = [0, 1, 3, 5, 9, 12, 16, 19, 26, 31, 37, 41, 48, 53, 59, 63]
"""Comparators of Batcher's sorting network for 1..16 inputs: OEIS A006282."""


def merge_comparators(a, b):
    """Batcher's recurrence: merge the odd places, merge the even places, compare neighbours."""
    if a == 0 or b == 0 or a == b == 1:
        return a * b
    odd, even = ((a + 1) // 2, (b + 1) // 2), (a // 2, b // 2)
    neighbours = min(sum(odd) - 1, sum(even))
    return merge_comparators(*odd) + merge_comparators(*even) + neighbours


def merging_network(a, b, last=None):
    builder = NetworkBuilder(a + b)
    outputs = builder.merge(builder.inputs(0, a), builder.inputs(a, a + b))
    return builder.network(outputs[0, :last])


def emitted(network, n, directions, emit=None):
    """Emit over the inputs 1 .. n; return the outputs and the formula."""
    formula = Formula(num_vars=n)
    return (emit or network.emit)(range(1, n + 1), directions, formula), formula


def signed(n):
    """All assignments of the inputs 1 .. n, as literals."""
    return [[s * v for v, s in enumerate(a, 1)] for a in product((1, -1), repeat=n)]


def assert_counts(formula, inputs, outputs, first, directions):
    """Unit propagation decides output j, as far as the directions go, from all the inputs."""
    with Solver("minisat22", bootstrap_with=list(formula.clauses())) as solver:
        for values in inputs:
            consistent, decided = solver.propagate(assumptions=values)
            assert consistent
            decided = {*decided, *values}
            true = sum(value > 0 for value in values)
            for j, output in enumerate(outputs, start=first):
                up, down = (d in directions or abs(output) <= len(values) for d in WAYS)
                assert (output in decided) == (j <= true and up)
                assert (-output in decided) == (j > true and down)


@every_direction
def test_output_j_of_a_sort_says_that_at_least_j_are_true(directions):
    for n in range(9):
        outputs, formula = emitted(sorting_network(n), n, directions)
        assert len(outputs) == n
        assert_counts(formula, signed(n), outputs, 1, directions)


@every_direction
def test_output_j_of_a_merge_says_that_at_least_j_are_true_on_both_sides(directions):
    for a, b in product(range(9), repeat=2):
        outputs, formula = emitted(merging_network(a, b), a + b, directions)
        assert len(outputs) == a + b
        assignments = [
            [v if v <= i or a < v <= a + j else -v for v in range(1, a + b + 1)]
            for i in range(a + 1)
            for j in range(b + 1)
        ]
        assert_counts(formula, assignments, outputs, 1, directions)


@pytest.mark.parametrize("widths", [(1, 1), (3, 2, 1), (2, 2, 2, 2), (5, 4, 2, 1), (4, 0, 4, 3)])
def test_four_sorted_columns_are_merged_for_every_number_of_true_values_in_each(widths):
    builder, n, ends = NetworkBuilder(sum(widths)), sum(widths), [*accumulate(widths, initial=0)]
    columns = [builder.inputs(*pair) for pair in pairwise(ends)]
    network = builder.network(builder.merge_four(columns)[0])
    outputs, formula = emitted(network, n, Direction.BOTH)
    falling = [
        [
            v if v - start <= true else -v
            for start, stop, true in zip(ends[:-1], ends[1:], some, strict=True)
            for v in range(start + 1, stop + 1)
        ]
        for some in product(*(range(width + 1) for width in widths))
    ]
    assert_counts(formula, falling, outputs, 1, Direction.BOTH)


@pytest.mark.parametrize("n", range(2, 12))
def test_pairs_sorted_apart_are_merged_without_comparing_them_again(n):
    builder = NetworkBuilder(n)
    larger, smaller = builder.compare_pairs(builder.inputs(0, n))
    outputs = builder.merge_pairwise(builder.sort(larger), builder.sort(smaller))
    literals, formula = emitted(builder.network(outputs[0]), n, Direction.BOTH)
    assert_counts(formula, signed(n), literals, 1, Direction.BOTH)


def test_a_whole_pairwise_network_has_as_many_comparators_as_parberry_says():
    for power in range(1, 8):
        n = 2**power
        whole = pairwise_network.bounded(n, n, n)  # the last output needs all values
        assert len(whole.left) == n * power * (power - 1) // 4 + n - 1


@every_direction
def test_a_range_of_outputs_is_built_without_the_others(directions):
    n = 6
    whole = sorting_network(n).size(directions)
    for first, last in product(range(1, n + 1), repeat=2):
        if first <= last:
            outputs, formula = emitted(sorting_network(n, first, last), n, directions)
            assert len(outputs) == last - first + 1
            assert_counts(formula, signed(n), outputs, first, directions)
            if (first, last) != (1, n):
                assert size_of(formula, n).variables < whole.variables


def test_both_directions_determine_every_value(oracle):
    for n in range(8):
        _, formula = emitted(sorting_network(n, 2, n - 1), n, Direction.BOTH)
        assert oracle.extends_uniquely(list(formula.clauses()), n, formula.num_vars)


def test_networks_have_as_many_comparators_as_batchers():
    for n, comparators in enumerate(BATCHER, start=1):
        one, both = map(sorting_network(n).size, (Direction.AT_MOST, Direction.BOTH))
        assert (one.variables, one.clauses) == (2 * comparators, 3 * comparators)
        assert both == EncodingSize(2 * comparators, 6 * comparators, 14 * comparators)
    for a, b in product(range(34), repeat=2):
        comparators = merge_comparators(a, b)
        size = merging_network(a, b).size(Direction.BOTH)
        assert size == EncodingSize(2 * comparators, 6 * comparators, 14 * comparators), (a, b)


@every_direction
def test_the_predicted_size_is_the_emitted_size(directions):
    for n in range(14):
        for first, last in product(range(1, n + 1), repeat=2):
            network = sorting_network(n, first, last)
            assert network.size(directions) == size_of(emitted(network, n, directions)[1], n)
    for a, b, most in product(range(6), range(7), [1, 4, None]):
        network = merging_network(a, b, most)
        assert network.size(directions) == size_of(emitted(network, a + b, directions)[1], a + b)


def test_a_small_merge_has_the_comparators_of_a_merge_by_arrays_in_their_order():
    for a, b in [*product(range(1, 12), repeat=2), (1, 40), (40, 17), (33, 64)]:
        builder = NetworkBuilder(a + b)
        outputs = builder.merge(builder.inputs(0, a), builder.inputs(a, a + b))[0]
        expected, found = builder.wiring(outputs), small_merger(a, b)
        assert [np.array(part).tolist() for part in found] == [
            np.array(part).tolist() for part in expected
        ]


def test_literals_of_any_sign_are_sorted():
    formula = Formula(num_vars=2)
    high, low = sorting_network(2).emit([-1, 2], Direction.AT_LEAST, formula)
    assert {*map(frozenset, formula)} == {*map(frozenset, [[-high, -1, 2], [-low, -1], [-low, 2]])}
    assert formula.num_clauses == 3


def test_rows_are_sorted_side_by_side_as_each_alone():
    builder = NetworkBuilder(12)
    rows = builder.sort(builder.inputs(0, 12).reshape(3, 4))
    network = builder.network(rows.ravel())
    outputs, formula = emitted(network, 12, Direction.BOTH)
    assert network.size(Direction.BOTH) == sorting_network(4).size(Direction.BOTH) * 3
    for row in range(3):
        own = range(4 * row + 1, 4 * row + 5)
        others = [-v for v in range(1, 13) if v not in own]
        assignments = [
            sorted([*(s * v for v, s in zip(own, a, strict=True)), *others], key=abs)
            for a in product((1, -1), repeat=4)
        ]
        assert_counts(formula, assignments, outputs[4 * row : 4 * row + 4], 1, Direction.BOTH)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("n", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_unit_propagation_finds_as_much_with_values_left_out_that_one_direction_spares(n, way):
    for first, last in ((a, b) for b in range(1, n + 1) for a in range(1, b + 1)):
        network, found = sorting_network(n, first, last), []
        for emit in (network.emit, lambda *rest, net=network: one_directional.emit(net, *rest)):
            outputs, formula = emitted(network, n, way, emit)
            shown = [*range(1, n + 1), *outputs]
            places = {abs(lit): place for place, lit in enumerate(shown)}
            with Solver("minisat22", bootstrap_with=formula.clauses()) as solver:
                for values in product((0, 1, -1), repeat=len(shown)):
                    given = [v * lit for v, lit in zip(values, shown, strict=True) if v]
                    consistent, known = solver.propagate(given)
                    known = {(places[abs(lit)], lit > 0) for lit in known if abs(lit) in places}
                    found.append((values, consistent, known if consistent else None))
        half = len(found) // 2
        assert found[:half] == found[half:], (first, last)


@every_direction
@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 16, 33, 100])
def test_what_is_left_of_a_network_has_the_predicted_size_and_no_more_than_the_whole(n, directions):
    for first, last in [(1, n), (n, n), (1, 1), (n // 2 + 1, n // 2 + 1)]:
        network = sorting_network(n, first, last)
        formula = Formula(num_vars=n)
        one_directional.emit(network, range(1, n + 1), directions, formula)
        now, whole = size_of(formula, n), network.size(directions)
        assert one_directional.size(network, directions) == now
        assert now.variables <= whole.variables
        assert now.clauses <= whole.clauses
        used = {abs(lit) for clause in formula.clauses() for lit in clause}
        assert used >= set(range(n + 1, formula.num_vars + 1))


every_counter = pytest.mark.parametrize(
    "name", ["totalizer", "sequential_counter", "knuth_counter"]
)


@every_counter
@pytest.mark.parametrize("bounds", [(0, 1), (0, 9), (30, 50), (20, 20), (7, 24), (49, 50)])
def test_neither_chunks_nor_caches_change_a_clause(monkeypatch, name, bounds):
    whole = list(encoded(name, 50, *bounds))
    for module in (array_emission, sequential_grid):
        monkeypatch.setattr(module, "CHUNK", 7)
    monkeypatch.setattr(totalizer_tree, "FEW", 0)
    assert sorted(encoded(name, 50, *bounds)) == sorted(whole)


@pytest.mark.parametrize("few", [0, 1024])
@pytest.mark.parametrize("n", [1, 2, 3, 7, 16, 41, 90])
def test_a_tree_in_lists_emits_what_a_tree_in_arrays_emits(monkeypatch, few, n):
    monkeypatch.setattr(totalizer_tree, "FEW", few)
    rising, falling = range(n // 3 + 1, n // 2 + 2), range(max(n // 4, 1), n // 2 + 1)
    both = Asked(range(max(n // 4, 1), n // 2 + 1), falling)
    wider = Asked(*(range(1, n + 1) for _ in both))
    for asked in ([Asked(rising, range(0))], [Asked(range(0), falling)], [both, wider]):
        lists, arrays = Formula(num_vars=n), Formula(num_vars=n)
        for sink in (lists, arrays):
            negated = [-v for v in range(1, n + 1)]
            tree = totalizer_tree.TotalizerTree(negated, arrays=sink is arrays)
            outputs = [tree.grow(each, sink) for each in asked]
            if n > 1:
                tree.bound_root(asked[-1], sink)
            sink.add_clause([*outputs[-1]])
        assert list(lists) == list(arrays)


def test_a_staircase_is_cut_between_its_rows():
    starts, stops = np.array([3, 0, 5, 2, 0]), np.array([3, 4, 6, 1, 2])
    places = [(r, c) for r in range(5) for c in range(starts[r], stops[r])]
    for chunk in range(12):
        parts = [
            list(zip(rows.tolist(), columns.tolist(), strict=True))
            for rows, columns in array_emission.staircase(starts, stops, chunk)
        ]
        assert [place for part in parts for place in part] == places
        assert all(len(part) <= chunk or len({r for r, _ in part}) == 1 for part in parts)
        assert all(parts)


@every_counter
@pytest.mark.parametrize("lower", [0, 50, 100])
def test_hundreds_of_inputs_are_counted_exactly(name, lower):
    n, upper = 250, 100
    with Solver("minisat22", bootstrap_with=encoded(name, n, lower, upper)) as solver:
        true = [*range(1, 200, 4), *range(2, 200, 4)]
        forced = {lit for lit in solver.propagate(true)[1] if abs(lit) <= n}
        assert forced == {v if v in true else -v for v in range(1, n + 1)}
        assert solver.propagate(true[1:])[0]
        assert not solver.propagate([*true, n])[0]
        assert solver.propagate([-v for v in range(1, n + 1 - lower)])[0]
        assert solver.propagate([-v for v in range(1, n + 2 - lower)])[0] == (lower == 0)
