import random
from itertools import product

import pytest
from pysat.card import CardEnc, EncType
from pysat.solvers import Solver

from pbcnf import Propagation
from pbcnf.encoders.cardinality.k_modulo_totalizer import KModuloTotalizer
from pbcnf.encoders.cardinality.modulo_totalizer import ModuloTotalizer
from tests.pbcnf.emitted import encoded, size_of

PLAIN, BOUNDED = ModuloTotalizer(), KModuloTotalizer()
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


@pytest.mark.parametrize(
    ("encoder", "published"), [(PLAIN, EncType.mtotalizer), (BOUNDED, EncType.kmtotalizer)]
)
def test_exactly_k_takes_at_most_half_the_auxiliaries_of_pysat(encoder, published):
    compared = 0
    for n in range(2, 21):
        for k in range(1, n):
            theirs = CardEnc.equals(range(1, n + 1), bound=k, encoding=published).nv - n
            if theirs > 0:
                assert 2 * encoder.size(n, k, k).variables <= theirs, (n, k)
                compared += 1
    assert compared == 189  # all but n = 2


@pytest.mark.parametrize(
    ("encoder", "published"), [(PLAIN, EncType.mtotalizer), (BOUNDED, EncType.kmtotalizer)]
)
def test_one_bound_takes_no_more_than_pysat(encoder, published):
    for n in range(3, 13):
        for k in range(1, n):
            theirs = CardEnc.atmost(range(1, n + 1), bound=k, encoding=published)
            ours = encoder.size(n, 0, k)
            assert ours.clauses <= len(theirs.clauses)
            assert ours.variables <= max(0, theirs.nv - n)


@both
@pytest.mark.parametrize(
    "sizes", [range(2, 25), pytest.param(range(25, 41), marks=pytest.mark.slow)]
)
def test_the_negated_inputs_take_the_same_size(encoder, sizes):
    for n in sizes:
        for lower, upper in bounds(n):
            assert encoder.size(n, lower, upper) == encoder.size(n, n - upper, n - lower)


def test_exactly_half_of_eight_to_twenty_has_the_documented_sizes():
    def exactly(encoder, n, k):
        size = encoder.size(n, k, k)
        return size.variables, size.clauses

    assert exactly(PLAIN, 8, 4) == exactly(BOUNDED, 8, 4) == (16, 64)
    assert exactly(PLAIN, 20, 10) == (63, 330)
    assert exactly(BOUNDED, 20, 10) == (57, 284)


@both
def test_ten_thousand_inputs_are_encoded_with_the_predicted_size(encoder):
    size = encoder.size(10_000, 1000, 1000)
    assert size == size_of(encoded(encoder, 10_000, 1000, 1000), 10_000)
    assert size.variables < 80_000
    assert size.clauses < 3_000_000


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


@both
def test_larger_counts_miss_conflicts_so_no_propagation_is_claimed(oracle, encoder):
    assert encoder.propagation is Propagation.NONE
    scenario: tuple[int, ...] = (0, 0, 1, 1, 1, 1, 0, 1, 1)
    assert oracle.missed(clauses_of(encoder, 9, 1, 5), 9, 1, 5, [scenario])[0] == [scenario]
    scenario = (0, 0, 1, 1, 1, 0, 0, 1, 1, 1)
    if encoder is BOUNDED:
        scenario = (0, 0, 0, 1, 1, 1, 1, 0, 1, 1)
    assert oracle.missed(clauses_of(encoder, 10, 0, 5), 10, 0, 5, [scenario])[0] == [scenario]


@both
def test_total_assignments_are_decided_by_unit_propagation_with_two_bounds_alone(oracle, encoder):
    total = list(product((1, -1), repeat=10))
    for lower, upper in [(5, 5), (1, 5), (2, 9)]:
        made = clauses_of(encoder, 10, lower, upper)
        assert oracle.missed(made, 10, lower, upper, total) == ([], [])
    conflicts, _ = oracle.missed(clauses_of(encoder, 10, 0, 5), 10, 0, 5, total)
    assert conflicts
