"""Claims of single encoders: diagrams, adders, mixed radix sorters, watchdogs, binary merges."""

import random
from itertools import product
from typing import Any

import pytest

from pbcnf import ENCODERS, EncodingSize, Formula
from pbcnf.encoders.circuits import diagrams, one_directional
from pbcnf.encoders.circuits.diagrams import decision_diagram, interval_diagram, layered_diagram
from pbcnf.encoders.circuits.mixed_radix import base_of, digits
from pbcnf.encoders.circuits.networks import sorting_network
from pbcnf.encoders.counter import Direction
from pbcnf.encoders.pseudo_boolean.adder import Adder
from pbcnf.encoders.pseudo_boolean.mixed_radix_sorter import MixedRadixSorter
from tests.pbcnf.emitted import encoded, size_of

DIAGRAM: Any = ENCODERS["decision_diagram"]


@pytest.mark.parametrize(
    ("weights", "lower", "upper", "forced"),
    [((3, 2, 2, 2), 4, 4, [-1]), ((2, 2, 1), 2, 2, [-3]), ((5, 5, 1, 1), 7, 8, [3, 4])],
)
def test_what_only_both_bounds_imply_is_propagated(weighted, weights, lower, upper, forced):
    clauses = weighted.correct(DIAGRAM, weights, lower, upper)
    assert weighted.missed(clauses, weights, lower, upper) == ([], [])
    found = weighted.missed([], weights, lower, upper)[1]
    assert [lit for scenario, lit in found if not any(scenario)] == forced


def subfunctions(weights, lower, upper):
    """Return the number of different functions per level that depend on its input."""
    nodes = 0
    for level in range(len(weights)):
        rest = list(product((0, 1), repeat=len(weights) - level))
        functions = set()
        for past in product((0, 1), repeat=level):
            sums = [sum(w * x for w, x in zip(weights, past + xs, strict=True)) for xs in rest]
            functions.add(tuple(lower <= total <= upper for total in sums))
        half = len(rest) // 2
        nodes += sum(table[:half] != table[half:] for table in functions)
    return nodes


def test_the_diagram_has_one_node_per_different_subfunction():
    rng = random.Random(3)
    for _ in range(60):
        weights = sorted(rng.choices(range(1, rng.choice([4, 12, 40])), k=7), reverse=True)
        lower, upper = sorted(rng.choices(range(sum(weights) + 1), k=2))
        for low in (0, lower):
            diagram = decision_diagram(weights, low, upper)
            assert len(diagram.nodes) == subfunctions(weights, low, upper), (weights, low, upper)


def test_no_edge_between_inner_nodes_skips_a_level():
    rng = random.Random(4)
    for _ in range(100):
        weights = sorted(rng.choices(range(1, 20), k=10), reverse=True)
        lower, upper = sorted(rng.choices(range(sum(weights) + 1), k=2))
        nodes, root = (diagram := decision_diagram(weights, lower, upper)).nodes, diagram.root
        assert root <= 0
        for node in nodes:
            assert all(nodes[c].level == node.level + 1 for c in node[1:] if c >= 0)


def test_place_by_place_and_level_by_level_give_the_same_diagram():
    rng = random.Random(5)
    for _ in range(200):
        weights = rng.choices(range(1, rng.choice([3, 12, 400])), k=rng.randint(2, 12))
        weights.sort(reverse=True)
        upper = rng.randint(0, sum(weights))
        for case in ((weights, 0, upper), (weights, rng.randint(0, upper), upper)):
            one, other = interval_diagram(*case), layered_diagram(*case)
            assert (one.nodes, one.root) == (other.nodes, other.root), case


def test_what_has_too_many_places_is_built_place_by_place(monkeypatch):
    assert layered_diagram([2**62, 1], 0, 2**62) is None
    expected = layered_diagram([5, 4, 3, 2], 0, 7)
    monkeypatch.setattr("pbcnf.encoders.circuits.diagrams._MOST_PLACES", 1)
    assert layered_diagram([5, 4, 3, 2], 0, 7) is None
    assert decision_diagram([5, 4, 3, 2], 0, 7).nodes == expected.nodes


def test_at_most_k_of_equal_weights_takes_what_the_knuth_counter_takes():
    for n in range(2, 41):
        for k in range(1, n - 1):
            expected = ENCODERS["knuth_counter"].size(n, 0, k)
            assert DIAGRAM.size(n, 0, k) == expected == DIAGRAM.size(n, n - k, n)


def test_a_range_of_equal_weights_has_the_documented_size_and_is_laid_out_as_by_intervals():
    for n in range(2, 41):
        for lower, upper in ((low, up) for up in range(1, n) for low in range(1, up + 1)):
            a, b, d = upper + 1, n - lower + 1, upper - lower + 1
            nodes = a * b - d * d
            clauses, literals = 5 * nodes - a - b - 2 * d - 7, 15 * nodes - 7 * (a + b) - 2 * d - 11
            assert DIAGRAM.size(n, lower, upper) == EncodingSize(nodes - 3, clauses, literals)
            if n < 14:
                found = interval_diagram([1] * n, lower, upper)
                assert diagrams.equal_diagram(n, lower, upper).nodes == found.nodes
    assert size_of(encoded(DIAGRAM, 400, 90, 100), 400) == DIAGRAM.size(400, 90, 100)


def test_the_size_of_a_range_of_different_weights_is_the_emitted_one(weighted):
    rng = random.Random(6)
    for _ in range(100):
        weights = rng.choices(range(1, rng.choice([3, 12, 400])), k=rng.randint(2, 15))
        weighted.clauses_of(DIAGRAM, weights, *sorted(rng.choices(range(1, sum(weights)), k=2)))


def test_only_the_order_of_weights_matters_not_that_of_the_inputs():
    sizes = {DIAGRAM.weighted_size(w, 4, 7) for w in [(5, 3, 2, 1), (1, 2, 3, 5), (2, 5, 1, 3)]}
    assert len(sizes) == 1


def test_where_the_bounds_are_met_for_good_the_remaining_inputs_are_free():
    assert interval_diagram([9, 1, 1], 9, 12).nodes[0].high == diagrams.TRUE


ENCODER, EQUIVALENT = Adder(), Adder(equivalent=True)


@pytest.mark.parametrize("encoder", [ENCODER, EQUIVALENT], ids=["one way", "equivalent"])
def test_weights_without_common_form_may_have_constant_and_shared_bits(weighted, encoder):
    weighted.correct(encoder, [6, 1], 1, 6, exact=False)  # bits 1 and 2 are one input
    weighted.correct(encoder, [4, 4, 4], 3, 9, exact=False)  # bits 0 and 1 are 0
    weighted.correct(encoder, [2, 2, 2], 3, 3, exact=False)  # no sum is possible


def test_weights_one_take_fewer_adders_than_inputs():
    for n in range(2, 100):
        for lower, upper in [(1, n - 1), (n // 2, n // 2)]:
            assert ENCODER.size(n, lower, upper).variables <= 2 * (n - n.bit_count())


def test_the_bounds_share_the_adders_and_one_bound_takes_half_the_clauses_of_equivalences():
    both, upper = ENCODER.size(20, 8, 9), EQUIVALENT.size(20, 0, 9)
    assert both.variables == upper.variables
    assert both.clauses == upper.clauses + 1  # one clause per one of 8
    for n in (20, 100, 1000):
        one, equivalent = ENCODER.size(n, 0, n // 2), EQUIVALENT.size(n, 0, n // 2)
        assert one.variables == equivalent.variables
        assert 2 * one.clauses <= equivalent.clauses + n.bit_length()


def test_a_bound_that_is_a_clause_is_one(weighted):
    assert weighted.clauses_of(ENCODER, [2, 3, 4], 0, 7) == [[-1, -2, -3]]
    assert weighted.clauses_of(ENCODER, [4, 3, 2], 2, 9) == [[1, 2, 3]]


def test_huge_weights_are_added(weighted):
    rng = random.Random(2)
    weights = [rng.randint(1, 10**30) for _ in range(200)]
    weighted.clauses_of(ENCODER, weights, sum(weights) // 3, sum(weights) // 2)


SORTER = MixedRadixSorter()


def test_total_assignments_are_decided_by_propagation_for_two_bounds_as_well(
    weighted, weighted_sums
):
    for weights, lower, upper in weighted_sums[:40]:
        clauses = weighted.clauses_of(SORTER, weights, lower, upper)
        conflicts, _ = weighted.missed(clauses, weights, lower, upper)
        assert all(0 in scenario for scenario in conflicts), (weights, lower, upper)


@pytest.mark.parametrize("n", [2, 7, 16, 40])
def test_exactly_k_is_one_sorting_network_and_its_two_outputs(n):
    for k in range(1, n):
        network = sorting_network(n, first=k, last=k + 1).size(Direction.BOTH)
        size = SORTER.size(n, k, k)
        assert (size.variables, size.clauses) == (network.variables, network.clauses + 2)


def test_powers_of_two_are_compared_without_auxiliaries(weighted):
    clauses = weighted.correct(SORTER, (1, 2, 4, 8), 5, 11)
    assert {abs(lit) for clause in clauses for lit in clause} == {1, 2, 3, 4}


def test_both_bounds_share_the_sorters():
    weights = [5, 7, 9, 11, 6, 8]
    both = SORTER.weighted_size(weights, 20, 30).variables
    single = [SORTER.weighted_size(weights, 0, 30), SORTER.weighted_size(weights, 20, 46)]
    assert max(size.variables for size in single) <= both < sum(size.variables for size in single)


def test_one_bound_is_watched_by_comparators_of_one_direction():
    rng = random.Random(1)
    weights = [rng.randint(1, 1000) for _ in range(40)]
    one, both = SORTER.weighted_size(weights, 0, 9000), SORTER.weighted_size(weights, 1, 9000)
    assert one.variables < both.variables
    assert 2 * one.clauses < both.clauses


def digit_sum(weights, base):
    return sum(sum(digits(weight, base)) for weight in weights)


def every_base(most):
    """All sequences of primes whose product is at most `most`."""
    yield ()
    for prime in (2, 3, 5, 7, 11, 13, 17):
        if prime <= most:
            yield from ((prime, *rest) for rest in every_base(most // prime))


def test_digits_give_the_number_back():
    for number, base in product(range(100), [(), (2,), (3, 2), (5, 5, 2)]):
        value, product_ = 0, 1
        for digit, radix in zip(digits(number, base), (*base, number + 1), strict=True):
            assert 0 <= digit < radix
            value, product_ = value + digit * product_, product_ * radix
        assert value == number


def test_the_base_has_the_least_sum_of_digits_for_small_weights():
    rng = random.Random(5)
    for _ in range(40):
        weights = [rng.randint(1, 60) for _ in range(rng.randint(1, 6))]
        least = min(digit_sum(weights, base) for base in every_base(max(weights)))
        assert digit_sum(weights, base_of(weights)) == least, weights


def test_the_base_of_many_large_weights_is_found_and_no_worse_than_binary():
    rng = random.Random(6)
    weights = [rng.randint(1, 2**40) for _ in range(300)]
    assert digit_sum(weights, base_of(weights)) <= digit_sum(weights, (2,) * 40)
    assert base_of(weights) == base_of(reversed(weights))


WATCHDOGS: Any = [ENCODERS[f"{which}_polynomial_watchdog"] for which in ("global", "local")]
GLOBAL, LOCAL = WATCHDOGS
MERGE = ENCODERS["binary_merge"]
GAC: Any = ENCODERS["binary_merge_gac"]
each_merge = pytest.mark.parametrize("encoder", [MERGE, GAC], ids=lambda e: e.name)


def test_exactly_k_is_parsimonious_for_the_global_watchdog(oracle):
    for n in range(3, 11):
        assert all(GLOBAL.parsimonious(n, k, k) for k in range(n + 1))
        assert not any(GLOBAL.parsimonious(n, 0, k) for k in range(1, n - 1))
    for n, k in ((inputs, k) for inputs in range(8, 11) for k in (1, 2, inputs // 2)):
        formula = encoded(GLOBAL, n, k, k)
        assert oracle.extends_uniquely(list(formula.clauses()), n, formula.num_vars), k


def test_with_weights_one_the_global_watchdog_is_a_totalizer_with_one_output():
    for n in range(3, 30):
        for k in range(1, n - 1):
            totalizer, watchdog = ENCODERS["totalizer"].size(n, 0, k), GLOBAL.size(n, 0, k)
            assert watchdog.variables == totalizer.variables + 1
            assert watchdog.clauses == totalizer.clauses + 1


def test_pairs_beyond_the_bound_are_one_clause_each():
    for encoder in (LOCAL, GAC):
        assert encoder.weighted_size([3] * 6, 0, 3) == EncodingSize(0, 15, 30)
    assert LOCAL.size(6, 0, 1) == EncodingSize(0, 15, 30)
    assert GAC.weighted_size((3, 5, 6), 0, 7).variables == 0


def test_the_size_of_ten_thousand_inputs_is_known_at_once():
    assert GLOBAL.size(10_000, 0, 1).variables == 2 * (10_000 - 2) + 1
    assert LOCAL.size(10_000, 0, 1).clauses == 10_000 * 9_999 // 2


@pytest.mark.parametrize("encoder", [GLOBAL, MERGE], ids=lambda e: e.name)
def test_weights_of_thousands_of_bits_are_encoded(encoder):
    formula = Formula(num_vars=3)
    encoder.encode_weighted([1, 2, 3], [2**3000, 2**3000 + 2**1999, 1], 0, 2**3001, formula)
    assert formula.num_clauses > 0


POWERS = [(1, 2, 4, 8), (2, 1, 2, 4, 1), (1, 1, 1, 4, 4), (8, 2, 8, 1)]
OTHERS = [(1, 3, 4, 6), (3, 3, 5, 7), (7, 2, 2, 1, 5), (6, 6, 1, 8)]


@pytest.mark.parametrize(
    ("encoder", "weights"), [*product((MERGE, GAC), POWERS), *product((GAC,), OTHERS)]
)
def test_sums_of_powers_of_two_are_one_sum_and_gac_has_one_for_each_other_weight(
    weighted, encoder, weights
):
    for lower, upper in weighted.normal_bounds(weights):
        if lower == 0 or upper == sum(weights):
            clauses = weighted.correct(encoder, weights, lower, upper)
            assert sum(len(clause) == 1 for clause in clauses) <= 1 or weights in OTHERS
            assert weighted.missed(clauses, weights, lower, upper) == ([], []), (lower, upper)


@each_merge
@pytest.mark.parametrize("n", [3, 8, 17, 40])
def test_at_most_k_is_one_sorting_network_and_its_output_false(encoder, n):
    for k in range(1, n - 1):
        network = one_directional.size(sorting_network(n, k + 1, k + 1), Direction.AT_MOST)
        size = encoder.size(n, 0, k)
        assert (size.variables, size.clauses) == (network.variables, network.clauses + 1)


def test_one_sum_of_all_inputs_takes_a_fraction_of_one_sum_per_input():
    rng = random.Random(1)
    weights = [rng.randint(1, 1000) for _ in range(40)]
    merge, gac = (each.weighted_size(weights, 0, sum(weights) // 2) for each in (MERGE, GAC))
    assert 30 * merge.clauses < gac.clauses
