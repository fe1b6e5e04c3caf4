"""Counters and networks: published clauses and sizes, propagation, what is left of a network."""

import random
from itertools import product
from math import comb
from typing import Any

import pytest
from pysat.card import CardEnc, EncType
from pysat.solvers import Solver

from pbcnf import ENCODERS, Cardinality, Direction, EncodingSize, Formula, Propagation, encode
from pbcnf.encoders.cardinality.totalizer import Totalizer
from pbcnf.encoders.circuits.networks import NetworkBuilder, sorting_network
from pbcnf.encoders.pseudo_boolean.adder import Adder
from tests.oracles import assignments, true_literals
from tests.pbcnf.emitted import encoded, size_of

RANGE = [(n, k) for n in range(2, 41) for k in range(1, n)]


def bounds(n):
    return [(lower, upper) for lower in range(n + 1) for upper in range(lower, n + 1)]


def size(name, n, lower, upper):
    return ENCODERS[name].size(n, lower, upper)


@pytest.mark.parametrize("name", ["knuth_counter", "sequential_counter"])
def test_counters_have_the_size_that_knuth_published_and_four_clauses_per_auxiliary(name):
    for n, k in RANGE:
        w = k * (n - k)
        at_most = size(name, n, 0, k)
        assert (at_most.variables, at_most.clauses) == (w, 2 * w + n - 2 * k)
        assert size(name, n, k, k) == EncodingSize(w, 4 * w, 10 * w - n)


@pytest.mark.parametrize("n", range(3, 200))
def test_the_parallel_counter_keeps_within_the_published_maxima(n):
    sizes = {k: size("parallel_counter", n, 0, k) for k in range(1, n - 1)}
    power = n.bit_count() == 1
    most = 7 * n - 3 * (n.bit_length() - 1) - 6
    assert {size.variables for size in sizes.values()} == {2 * (n - n.bit_count())}
    assert (max(size.variables for size in sizes.values()) == 2 * n - 2) == power
    for k, found in sizes.items():
        assert found.clauses < most
        assert (found.clauses == most - 1) == (power and k.bit_count() == 1)


def test_two_bounds_take_fourteen_clauses_per_full_adder_and_seven_per_half_adder():
    # 8 inputs: 4 full adders, 3 half adders, results of 4 bits; 3 is 0011.
    assert size("parallel_counter", 8, 3, 3).clauses == 14 * 4 + 7 * 3 + 2 + 2
    # 7 inputs: 4 full adders alone, results of 3 bits; 5 is 101, 2 is 010.
    assert size("parallel_counter", 7, 2, 5).clauses == 14 * 4 + 1 + 1


def test_direct_has_binomially_many_clauses():
    exactly = [size("direct", 8, k, k).clauses for k in range(9)]
    assert exactly == [8, 29, 64, 98, 112, 98, 64, 29, 8]
    assert all(size("direct", n, 0, k).clauses == comb(n, k + 1) for n, k in RANGE)


def test_the_totalizer_is_bounded_and_modulo_totalizers_have_the_documented_sizes():
    assert size("totalizer", 100, 0, 1) == EncodingSize(196, 393, 882)
    assert size("totalizer", 8, 4, 4) == EncodingSize(16, 64, 152)
    exactly_half = {
        name: [(s.variables, s.clauses) for s in (size(name, 8, 4, 4), size(name, 20, 10, 10))]
        for name in ("modulo_totalizer", "k_modulo_totalizer")
    }
    assert exactly_half["modulo_totalizer"] == [(16, 64), (63, 330)]
    assert exactly_half["k_modulo_totalizer"] == [(16, 64), (57, 284)]


SLOW_SIZES = pytest.param(range(25, 41), marks=pytest.mark.slow)
SYMMETRIC = (
    "sequential_counter knuth_counter direct parallel_counter adder modulo_totalizer"
    " k_modulo_totalizer"
)


@pytest.mark.parametrize("sizes", [range(2, 25), SLOW_SIZES])
@pytest.mark.parametrize("name", SYMMETRIC.split())
def test_bounds_of_the_negated_inputs_take_the_same_size(name, sizes):
    for n in sizes:
        for lower, upper in bounds(n):
            if upper == n or name != "parallel_counter":
                assert size(name, n, lower, upper) == size(name, n, n - upper, n - lower)


def test_a_large_size_is_predicted_without_building_anything():
    assert size("totalizer", 100_000, 5, 5).variables < 10**6
    assert size("knuth_counter", 10**6, 0, 5 * 10**5).variables == 25 * 10**10
    assert size("cardinality_network", 10_000, 0, 50).variables < 500_000


@pytest.mark.parametrize(
    ("name", "bounds", "variables", "clauses"),
    [("modulo_totalizer", (1000, 1000), 80_000, 3_000_000),
     ("k_modulo_totalizer", (1000, 1000), 80_000, 3_000_000),
     ("parallel_counter", (5_000, 5_000), 2 * (10_000 - (10_000).bit_count()), 10**6),
     ("adder", (0, 5_000), 2 * 10_000, 10**6)],
)  # fmt: skip
def test_ten_thousand_inputs_are_encoded_as_predicted(name, bounds, variables, clauses):
    found = size_of(encoded(name, 10_000, *bounds), 10_000)
    assert found == size(name, 10_000, *bounds)
    assert found.variables <= variables
    assert found.clauses <= clauses


SOME = [2, 3, 5, 8, 9, 13, 15, 16, 17, 20]


@pytest.mark.parametrize(
    ("name", "inputs", "theirs"),
    [("sequential_counter", range(4, 31), EncType.seqcounter),
     ("modulo_totalizer", range(3, 21), EncType.mtotalizer),
     ("k_modulo_totalizer", range(3, 21), EncType.kmtotalizer),
     ("sorting_network", SOME, EncType.sortnetwrk),
     ("cardinality_network", SOME, EncType.cardnetwrk)],
)  # fmt: skip
def test_exactly_k_takes_at_most_half_the_auxiliaries_of_pysat(name, inputs, theirs):
    # PySAT's counter has no auxiliaries for a bound that is a single clause.
    least = 2 if name == "sequential_counter" else 1
    for n in inputs:
        for k in range(least, n - least + 1):
            found = CardEnc.equals(list(range(1, n + 1)), bound=k, encoding=theirs).nv
            assert 2 * size(name, n, k, k).variables <= max(found, n) - n, (n, k)


@pytest.mark.parametrize(
    ("name", "upto", "theirs"),
    [("sequential_counter", 30, EncType.seqcounter), ("modulo_totalizer", 12, EncType.mtotalizer),
     ("k_modulo_totalizer", 12, EncType.kmtotalizer)],
)  # fmt: skip
def test_at_most_k_takes_no_more_than_pysat_and_the_sequential_counter_as_much(name, upto, theirs):
    for n in range(3, upto + 1):
        for k in range(1, n - 1):
            found = CardEnc.atmost(list(range(1, n + 1)), bound=k, encoding=theirs)
            pysats, ours = (max(0, found.nv - n), len(found.clauses)), size(name, n, 0, k)
            assert ours.variables <= pysats[0], (n, k)
            assert ours.clauses <= pysats[1], (n, k)
            assert name != "sequential_counter" or (ours.variables, ours.clauses) == pysats


def knuths(n, r):
    """Yield (18) and (19) for at most r of n, with s[j][k] numbered row by row after the inputs."""

    def s(j, k):
        return n + (j - 1) * r + k

    for j in range(1, n - r):
        for k in range(1, r + 1):
            yield [-s(j, k), s(j + 1, k)]
    for j in range(1, n - r + 1):
        for k in range(r + 1):
            before, after = [-s(j, k)] if k > 0 else [], [s(j, k + 1)] if k < r else []
            yield [-(j + k), *before, *after]


def test_knuths_counter_has_his_clauses_and_sinzs_counter_those_of_knuths():
    for n in range(2, 13):
        for r in range(1, n):
            found = sorted(map(sorted, encoded("knuth_counter", n, 0, r)))
            assert found == sorted(map(sorted, knuths(n, r))), (n, r)
        for lower, upper in bounds(n)[1:] if n < 11 else []:
            sinzs = clauses_of("sequential_counter", n, lower, upper)
            assert sinzs == clauses_of("knuth_counter", n, lower, upper)


def totalizers(inputs):
    """Yield the clauses of a whole totalizer, as literals (inputs, t, sign): "at least t of them".

    Both directions of Bailleux and Boufkhad, for every value of both children of every node.
    """
    if len(inputs) == 1:
        return
    left, right = inputs[: len(inputs) // 2], inputs[len(inputs) // 2 :]
    for i, j in product(range(len(left) + 1), range(len(right) + 1)):
        if i + j > 0:
            reached = [(left, i, -1)] * (i > 0) + [(right, j, -1)] * (j > 0)
            yield [*reached, (inputs, i + j, 1)]
        if i + j < len(inputs):
            passed = [(left, i + 1, 1)] * (i < len(left)) + [(right, j + 1, 1)] * (j < len(right))
            yield [*passed, (inputs, i + j + 1, -1)]
    yield from totalizers(left)
    yield from totalizers(right)


@pytest.mark.parametrize("n", range(1, 8))
def test_a_totalizer_of_everything_has_the_published_clauses(n):
    formula = Formula(num_vars=n)
    count = Totalizer().count(range(1, n + 1), n, formula)
    every = list(assignments(n))
    with Solver("minisat22", bootstrap_with=formula.clauses()) as solver:
        known = [set(solver.propagate(true_literals(bits))[1]) for bits in every]
    name = [tuple(var in true for true in known) for var in range(formula.num_vars + 1)]
    clauses = [clause for clause in formula.clauses() if clause != [-count.false]]
    found = [sorted((name[abs(lit)], lit > 0) for lit in clause) for clause in clauses]
    expected = [
        sorted(
            (tuple(sum(bits[v] for v in inputs) >= t for bits in every), sign > 0)
            for inputs, t, sign in clause
        )
        for clause in totalizers(range(n))
    ]
    assert sorted(found) == sorted(expected)


def test_an_upward_totalizer_of_everything_is_as_large_as_that_of_pysat():
    for n in range(3, 41):
        theirs = CardEnc.atmost(list(range(1, n + 1)), bound=1, encoding=EncType.totalizer)
        ours = Totalizer().count_size(n, n, Direction.AT_MOST)
        # Theirs fixes one output, ours has a variable that is false.
        assert (ours.variables - 1, ours.clauses) == (theirs.nv - n, len(theirs.clauses))


PLAIN: Any
BOUNDED: Any
PLAIN, BOUNDED = ENCODERS["modulo_totalizer"], ENCODERS["k_modulo_totalizer"]
PARALLEL = ENCODERS["parallel_counter"]
both = pytest.mark.parametrize("encoder", [PLAIN, BOUNDED], ids=lambda e: e.name)


def clauses_of(encoder, n, lower, upper):
    return list(encoded(encoder, n, lower, upper))


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
    [(PLAIN, 9, (1, 5), (0, 0, 1, 1, 1, 1, 0, 1, 1)),
     (BOUNDED, 9, (1, 5), (0, 0, 1, 1, 1, 1, 0, 1, 1)),
     (PLAIN, 10, (0, 5), (0, 0, 1, 1, 1, 0, 0, 1, 1, 1)),
     (BOUNDED, 10, (0, 5), (0, 0, 0, 1, 1, 1, 1, 0, 1, 1)),
     (PARALLEL, 4, (0, 1), None), (PARALLEL, 6, (1, 2), None), (Adder(), 7, (0, 2), None)],
)  # fmt: skip
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
    [(PLAIN, 10, [(5, 5), (1, 5), (2, 9)], [(0, 5)]),
     (BOUNDED, 10, [(5, 5), (1, 5), (2, 9)], [(0, 5)]),
     (PARALLEL, 8, [(1, 2), (2, 2), (3, 6), (5, 5)], [(0, 1)]),
     (Adder(equivalent=True), 8, [(0, 2), (1, 2), (3, 3), (5, 8)], [])],
)  # fmt: skip
def test_total_assignments_are_decided_by_two_bounds_and_not_always_by_one(
    oracle, encoder, n, decided, open_
):
    totals = list(product((1, -1), repeat=n))
    for lower, upper in decided + open_:
        found = oracle.missed(clauses_of(encoder, n, lower, upper), n, lower, upper, totals)
        assert (found == ([], [])) == ((lower, upper) in decided)


SORTER: Any = ENCODERS["sorting_network"]
NETWORK = ENCODERS["cardinality_network"]
BOTH = [SORTER, NETWORK]
SELECTING = [ENCODERS["pairwise_network"], ENCODERS["multiway_network"]]


def counter(n, upto, directions=Direction.BOTH, downto=0):
    formula = Formula(num_vars=n)
    return SORTER.count(range(1, n + 1), upto, formula, directions, downto), formula


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
    assert 1 in map(len, clauses)
    assert oracle.missed(clauses, n, lower, upper) == ([], [])
    if lower > 0:
        assert oracle.extends_uniquely(clauses, n, formula.num_vars)


def test_a_cardinality_network_has_no_literals_of_constants():
    for n in range(2, 12):
        for lower, upper in bounds(n):
            if upper > 0 and lower < n:
                assert 1 not in map(len, encoded(NETWORK, n, lower, upper))


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


@pytest.mark.parametrize("encoder", SELECTING, ids=lambda encoder: encoder.name)
def test_networks_that_select_are_smaller_than_a_whole_sorter_and_no_worse_than_blocks(encoder):
    for n, k in [(100, 10), (100, 90), (1000, 10), (1000, 100)]:
        for bounds in [(0, k), (k, k)]:
            blocks, found = (each.size(n, *bounds) for each in (NETWORK, encoder))
            assert found.clauses <= 1.05 * blocks.clauses
            assert found.variables <= 0.9 * SORTER.size(n, *bounds).variables
    # By pairs only half as many of the smaller values go on.
    if encoder.name == "pairwise_network":
        assert encoder.size(1000, 0, 10).variables <= 0.7 * NETWORK.size(1000, 0, 10).variables


@pytest.mark.parametrize("encoder", BOTH + SELECTING, ids=lambda encoder: encoder.name)
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
