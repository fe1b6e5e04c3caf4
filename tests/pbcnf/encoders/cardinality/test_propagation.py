"""What unit propagation finds over sums of bits and of digits, and what it misses."""

import random
from itertools import product
from typing import Any

import pytest
from pysat.solvers import Solver

from pbcnf import ENCODERS, Propagation
from pbcnf.encoders.pseudo_boolean.adder import Adder
from tests.pbcnf.emitted import encoded

PLAIN: Any
BOUNDED: Any
PLAIN, BOUNDED = ENCODERS["modulo_totalizer"], ENCODERS["k_modulo_totalizer"]
PARALLEL = ENCODERS["parallel_counter"]
both = pytest.mark.parametrize("encoder", [PLAIN, BOUNDED], ids=lambda e: e.name)


def clauses_of(encoder, n, lower, upper):
    return list(encoded(encoder, n, lower, upper))


def bounds(n):
    return [(lower, upper) for lower in range(n + 1) for upper in range(lower, n + 1)]


@both
@pytest.mark.parametrize("n", [9, 10, 11, 12, 40, 130])
def test_sampled_assignments_of_more_inputs_extend_iff_they_meet_the_bounds(encoder, n):
    rng = random.Random(n)
    for _ in range(12 if n <= 12 else 4):
        lower, upper = sorted(rng.choices(range(n + 1), k=2))
        lower, upper = rng.choice([(lower, upper), (lower, lower), (0, upper), (lower, n)])
        with Solver("cadical153", bootstrap_with=clauses_of(encoder, n, lower, upper)) as solver:
            for _ in range(40):
                true = rng.choice([lower - 1, lower, upper, upper + 1, rng.randint(0, n)])
                true = min(n, max(0, true))
                values = rng.sample([1] * true + [-1] * (n - true), n)
                assumed = [value * var for var, value in enumerate(values, start=1)]
                assert solver.solve(assumptions=assumed) == (lower <= true <= upper)


def test_the_bound_limits_the_modulus_of_the_k_modulo_totalizer():
    assert [PLAIN.modulus(n, 5) for n in (2, 9, 10, 100)] == [2, 3, 4, 10]
    assert [BOUNDED.modulus(100, k) for k in (1, 5, 8, 9, 50)] == [2, 3, 3, 4, 8]
    assert BOUNDED.size(1000, 50, 50).clauses < PLAIN.size(1000, 50, 50).clauses / 3


@both
@pytest.mark.parametrize("n", range(1, 8))
def test_no_conflict_of_a_few_inputs_is_missed(oracle, encoder, n):
    for lower, upper in bounds(n):
        conflicts, forced = oracle.missed(clauses_of(encoder, n, lower, upper), n, lower, upper)
        assert conflicts == []
        assert forced == [] or (n, lower, upper) == (7, 1, 6)


@both
@pytest.mark.parametrize(("lower", "upper"), [(0, 4), (4, 4), (3, 4), (9, 13), (10, 10), (9, 11)])
def test_counts_up_to_four_are_arc_consistent(oracle, encoder, lower, upper):
    rng = random.Random(lower)
    scenarios = []
    for _ in range(300):
        true = min(13, max(0, rng.choice([lower, upper]) + rng.choice([-1, 0, 1])))
        false = min(13 - true, rng.choice([0, 13 - lower, 14 - lower]))
        values = [1] * true + [-1] * false + [0] * (13 - true - false)
        scenarios.append(tuple(rng.sample(values, 13)))
    found = oracle.missed(clauses_of(encoder, 13, lower, upper), 13, lower, upper, scenarios)
    assert found == ([], [])


@pytest.mark.parametrize(
    ("encoder", "n", "bounds", "scenario"),
    [
        (PLAIN, 9, (1, 5), (0, 0, 1, 1, 1, 1, 0, 1, 1)),
        (BOUNDED, 9, (1, 5), (0, 0, 1, 1, 1, 1, 0, 1, 1)),
        (PLAIN, 10, (0, 5), (0, 0, 1, 1, 1, 0, 0, 1, 1, 1)),
        (BOUNDED, 10, (0, 5), (0, 0, 0, 1, 1, 1, 1, 0, 1, 1)),
        (PARALLEL, 4, (0, 1), None),
        (PARALLEL, 6, (1, 2), None),
        (Adder(), 7, (0, 2), None),
    ],
)
def test_larger_counts_miss_conflicts_so_no_propagation_is_claimed(
    oracle, encoder, n, bounds, scenario
):
    assert encoder.propagation is Propagation.NONE
    scenarios = [scenario] if scenario else None
    conflicts, _ = oracle.missed(clauses_of(encoder, n, *bounds), n, *bounds, scenarios)
    assert scenarios in (conflicts, None)
    assert conflicts


@pytest.mark.parametrize(
    ("encoder", "n", "decided", "open_"),
    [
        (PLAIN, 10, [(5, 5), (1, 5), (2, 9)], [(0, 5)]),
        (BOUNDED, 10, [(5, 5), (1, 5), (2, 9)], [(0, 5)]),
        (PARALLEL, 8, [(1, 2), (2, 2), (3, 6), (5, 5)], [(0, 1)]),
        (Adder(equivalent=True), 8, [(0, 2), (1, 2), (3, 3), (5, 8)], []),
    ],
)
def test_total_assignments_are_decided_by_two_bounds_and_not_always_by_one(
    oracle, encoder, n, decided, open_
):
    totals = list(product((1, -1), repeat=n))
    for lower, upper in decided + open_:
        found = oracle.missed(clauses_of(encoder, n, lower, upper), n, lower, upper, totals)
        assert (found == ([], [])) == ((lower, upper) in decided)
