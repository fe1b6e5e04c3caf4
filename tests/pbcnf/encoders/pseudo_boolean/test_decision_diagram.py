import random
from itertools import product
from typing import Any

import pytest

from pbcnf import ENCODERS, EncodingSize
from pbcnf.encoders.circuits.diagrams import (
    TRUE,
    decision_diagram,
    equal_diagram,
    interval_diagram,
    layered_diagram,
)
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


def test_a_range_that_no_sum_meets_is_one_empty_clause(weighted):
    assert weighted.correct(DIAGRAM, (3, 3), 5, 5) == [[]]
    assert weighted.correct(DIAGRAM, (6, 4, 4, 4), 9, 9) == [[]]


def subfunctions(weights, lower, upper):
    """Return the number of different functions per level that depend on its input."""
    nodes = 0
    for level in range(len(weights)):
        rest = list(product((0, 1), repeat=len(weights) - level))
        functions = set()
        for past in product((0, 1), repeat=level):
            so_far = sum(w for w, x in zip(weights, past, strict=False) if x)
            future = weights[level:]
            sums = [so_far + sum(w * x for w, x in zip(future, xs, strict=True)) for xs in rest]
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
        diagram = decision_diagram(weights, lower, upper)
        nodes = diagram.nodes
        assert diagram.root <= 0
        for node in nodes:
            assert all(nodes[c].level == node.level + 1 for c in node[1:] if c >= 0)


def test_place_by_place_and_level_by_level_give_the_same_diagram():
    rng = random.Random(5)
    for _ in range(200):
        weights = rng.choices(range(1, rng.choice([3, 12, 400])), k=rng.randint(2, 12))
        weights.sort(reverse=True)
        upper = rng.randint(0, sum(weights))
        for lower in (0, rng.randint(0, upper)):
            one, other = (
                build(weights, lower, upper) for build in (interval_diagram, layered_diagram)
            )
            assert (one.nodes, one.root) == (other.nodes, other.root), (weights, lower, upper)


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


def test_the_documented_size_of_a_range_holds():
    for n in range(2, 41):
        for lower, upper in product(range(1, n), repeat=2):
            if lower <= upper:
                a, b, d = upper + 1, n - lower + 1, upper - lower + 1
                nodes = a * b - d * d
                assert DIAGRAM.size(n, lower, upper) == EncodingSize(
                    nodes - 3, 5 * nodes - a - b - 2 * d - 7, 15 * nodes - 7 * (a + b) - 2 * d - 11
                )
    assert size_of(encoded(DIAGRAM, 400, 90, 100), 400) == DIAGRAM.size(400, 90, 100)


def test_the_diagram_of_equal_weights_is_laid_out_as_it_is_found_by_intervals():
    for n in range(2, 14):
        for lower, upper in product(range(1, n), repeat=2):
            if lower <= upper:
                found = interval_diagram([1] * n, lower, upper)
                assert equal_diagram(n, lower, upper).nodes == found.nodes


def test_the_size_of_a_range_of_different_weights_is_the_emitted_one(weighted):
    rng = random.Random(6)
    for _ in range(100):
        weights = rng.choices(range(1, rng.choice([3, 12, 400])), k=rng.randint(2, 15))
        weighted.clauses_of(DIAGRAM, weights, *sorted(rng.choices(range(1, sum(weights)), k=2)))


def test_only_the_order_of_weights_matters_not_that_of_the_inputs():
    sizes = {DIAGRAM.weighted_size(w, 4, 7) for w in [(5, 3, 2, 1), (1, 2, 3, 5), (2, 5, 1, 3)]}
    assert len(sizes) == 1


def test_where_the_bounds_are_met_for_good_the_remaining_inputs_are_free():
    assert interval_diagram([9, 1, 1], 9, 12).nodes[0].high == TRUE
