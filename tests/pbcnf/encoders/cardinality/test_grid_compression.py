"""At most k by grid compression: lines and slots by brute force, sizes, choice by size."""

import random
from itertools import combinations, product

import numpy as np
import pytest
from pysat.solvers import Solver

from pbcnf import ENCODERS, EncodingSize, Formula
from pbcnf.derivation import grid_compression as derivation
from pbcnf.encoders.cardinality import grid_compression
from pbcnf.encoders.cardinality.grid_compression import Step, grid_of, step_of
from tests.pbcnf.derivation.derived import SumCase
from tests.pbcnf.emitted import encoded, extending, size_of

GRID = "grid_compression"


@pytest.mark.parametrize(
    ("n", "k", "slots"), [(6, 2, 2), (9, 2, 2), (12, 3, 3), (11, 3, 2), (14, 4, 3)]
)
def test_slots_let_through_the_assignments_with_at_most_k_true_inputs(n, k, slots):
    formula = Formula(num_vars=n)
    grid_compression.emit_slots(range(1, n + 1), k, grid_of(n, k, slots), formula)
    assert all(sum(bits) <= k for bits in extending(formula, n))
    assert len(extending(formula, n)) == sum(1 for bits in range(2**n) if bits.bit_count() <= k)


@pytest.mark.parametrize(("n", "rows"), [(4, 2), (6, 2), (6, 3), (9, 3), (12, 3), (13, 4)])
def test_lines_let_through_the_assignments_with_at_most_two_true_inputs(n, rows):
    formula = Formula(num_vars=n)
    grid_compression.emit_lines(range(1, n + 1), rows, formula)
    assert all(sum(bits) <= 2 for bits in extending(formula, n))
    assert len(extending(formula, n)) == 1 + n + n * (n - 1) // 2


def found_by_propagation(n, k, emit):
    """Conflicts found of all, and whether any input is ever implied, over every partial assignment.

    Conflicts are the partial assignments with more than k true inputs, as keys "true inputs".
    """
    formula, conflicts, implied = (
        Formula(num_vars=n),
        dict.fromkeys(product((0, 1, None), repeat=n)),
        False,
    )
    emit(formula)
    with Solver("minisat22", bootstrap_with=formula.clauses()) as solver:
        for bits in list(conflicts):
            assumed = [v if bit else -v for v, bit in enumerate(bits, start=1) if bit is not None]
            holds, lits = solver.propagate(assumptions=assumed)
            assert holds or bits.count(1) > k
            implied = implied or any(abs(lit) <= n and lit not in assumed for lit in lits)
            conflicts[bits] = not holds
    return {bits: found for bits, found in conflicts.items() if bits.count(1) > k}, implied


@pytest.mark.parametrize(("n", "rows"), [(6, 2), (8, 2), (8, 3)])
def test_lines_propagate_nothing_whatever_is_decided(n, rows):
    conflicts, implied = found_by_propagation(
        n, 2, lambda f: grid_compression.emit_lines(range(1, n + 1), rows, f)
    )
    assert not implied
    assert not any(conflicts.values())


@pytest.mark.parametrize(
    ("n", "k", "slots", "found"),
    [(8, 2, 2, 3201), (8, 2, 3, 3361), (8, 3, 2, 1601), (8, 3, 3, 1697), (8, 4, 3, 577)],
)
def test_slots_find_no_conflict_between_columns_that_share_no_slot_and_most_others(
    n, k, slots, found
):
    grid = grid_of(n, k, slots)
    conflicts, implied = found_by_propagation(
        n, k, lambda f: grid_compression.emit_slots(range(1, n + 1), k, grid, f)
    )
    assert implied
    assert sum(conflicts.values()) == found
    for bits, conflict in conflicts.items():
        columns = {at % grid.columns for at, bit in enumerate(bits) if bit == 1}
        apart = all(
            len({int(mode[column]) for column in columns}) == len(columns) for mode in grid.slot_of
        )
        assert not (apart and len(columns) > k and conflict)


@pytest.mark.parametrize("k", range(2, 9))
def test_two_columns_share_a_slot_in_one_mode_at_most(k):
    for slots in (2, 3, 5, 7, 11, 12):
        if slots < k - 1 or any(slots % s == 0 for s in range(2, k - 1)):
            continue
        grid = grid_of(3 * slots**2, k, slots)
        assert grid.slot_of.shape == (k, slots**2)
        for one, other in combinations(grid.slot_of.T, 2):
            assert np.count_nonzero(one == other) <= 1
        # Modes have slots of their own, and every slot has a column.
        assert sorted({*grid.slot_of.ravel().tolist()}) == [*range(grid.slots)]


@pytest.mark.parametrize(
    ("n", "k", "columns"), [(60, 2, 10), (400, 2, 20), (600, 3, 75), (1500, 4, 167), (2200, 5, 275)]
)
def test_sets_of_k_inputs_are_let_through_and_one_more_is_not(n, k, columns):
    step = step_of(n, k)
    lines = step.shape == "lines"
    assert columns == (-(-n // step.by) if lines else grid_of(n, k, step.by).columns)
    formula = encoded(GRID, n, 0, k)
    assert ENCODERS[GRID].size(n, 0, k) == size_of(formula, n)
    rng = random.Random(n)
    with Solver("cadical153", bootstrap_with=formula.clauses()) as solver:
        for size in (k, k + 1) * 9:
            first = rng.randrange(1, columns + 1)
            # Inputs from anywhere, of one row and the next, of one column, of two columns.
            column = range(first, n + 1, columns)
            two = [*column, *range(first % columns + 1, n + 1, columns)]
            parts = (range(1, n + 1), range(first, first + columns), column, two)
            true = rng.sample(rng.choice(parts), size)
            rest = [-v for v in range(1, n + 1) if v not in true]
            assert solver.solve([*true, *rest]) == (size == k)
            assert solver.solve(true) == (size == k)


def test_at_least_and_two_bounds_are_at_most_of_the_negated_inputs_as_well():
    n = 13
    for lower, upper in ((0, 2), (11, 13), (2, 2), (2, 11), (1, 2), (12, 12)):
        formula = encoded(GRID, n, lower, upper)
        fitting = extending(formula, n)
        assert len(fitting) == sum(1 for b in range(2**n) if lower <= b.bit_count() <= upper)
        assert all(lower <= sum(bits) <= upper for bits in fitting)
        assert ENCODERS[GRID].size(n, lower, upper) == size_of(formula, n)


def test_sizes_are_at_most_those_of_the_counters_and_near_2n_for_few_of_many():
    counters = ("knuth_counter", "cardinality_network", "parallel_counter")
    for n in (13, 20, 50, 100, 200, 500, 1000):
        for k in {2, 3, 4, 5, 8, n // 2, n - 3}:
            least = min(ENCODERS[name].size(n, 0, k).clauses for name in counters)
            assert ENCODERS[GRID].size(n, 0, k).clauses <= least
    known = {(50, 2): 205, (100, 2): 347, (1000, 2): 2474, (1000, 3): 4830, (10**4, 5): 42805,
             (10**5, 2): 203721, (10**5, 3): 246219, (10**5, 10): 411352}  # fmt: skip
    assert {each: ENCODERS[GRID].size(each[0], 0, each[1]).clauses for each in known} == known


@pytest.mark.parametrize(("n", "k"), [(10**4, 2), (10**4, 8), (10**5, 3)])
def test_sizes_of_many_inputs_are_exact(n, k):
    for bounds in ((0, k), (n - k, n)):
        assert ENCODERS[GRID].size(n, *bounds) == size_of(encoded(GRID, n, *bounds), n)


@pytest.mark.parametrize(
    ("n", "k", "shape", "by"),
    [
        (6, 2, "lines", 2), (9, 2, "lines", 3), (13, 2, "lines", 4), (40, 2, "lines", 6),
        # One column alone in a slot of the first mode, of the second; a shorter last row.
        (4, 2, "slots", 3), (14, 2, "slots", 3), (11, 3, "slots", 3), (40, 4, "slots", 5),
    ],
)  # fmt: skip
def test_every_clause_of_either_shape_is_derived(monkeypatch, n, k, shape, by):
    def forced(number, bound):
        return Step(EncodingSize(0, 0, 0), shape, by) if number == n else step_of(number, bound)

    for module in (grid_compression, derivation):
        monkeypatch.setattr(module, "step_of", forced)
    for bounds in ((0, k), (n - k, n)):
        SumCase(GRID, [1] * n, *bounds).require_derived()


@pytest.mark.parametrize(("n", "k", "shape"), [(150, 2, "lines"), (500, 3, "slots")])
def test_every_clause_of_a_chosen_encoding_is_derived(n, k, shape):
    assert step_of(n, k).shape == shape
    SumCase(GRID, [1] * n, 0, k).require_derived()
