import random

from pbcnf import ENCODERS, EncodingSize
from pbcnf.encoders.pseudo_boolean.sequential_weight_counter import SequentialWeightCounter

COUNTER = SequentialWeightCounter()


def test_what_only_both_bounds_imply_may_stay_open(weighted):
    """Nothing is claimed for two bounds: a forced input, and a conflict, that are missed."""
    _, forced = weighted.missed(weighted.correct(COUNTER, (3, 2, 2, 2), 4, 4), (3, 2, 2, 2), 4, 4)
    assert ((0, 0, 0, 0), -1) in forced
    conflicts, _ = weighted.missed(
        weighted.correct(COUNTER, (3, 2, 2, 2, 2), 5, 5), (3, 2, 2, 2, 2), 5, 5
    )
    assert conflicts


def test_equal_weights_take_what_the_knuth_counter_takes(weighted):
    knuth = ENCODERS["knuth_counter"]
    for n in range(2, 13):
        for lower, upper in weighted.normal_bounds([1] * n):
            weighted.clauses_of(COUNTER, [1] * n, lower, upper)
            clause = (lower, upper) in [(0, n - 1), (1, n)]
            expected = EncodingSize(0, 1, n) if clause else knuth.size(n, lower, upper)
            assert COUNTER.size(n, lower, upper) == expected


def test_the_published_bounds_on_the_size_of_at_most_k_hold():
    rng = random.Random(2)
    for _ in range(200):
        weights = rng.choices(range(1, 30), k=rng.randint(2, 12))
        bound = rng.randint(max(weights), sum(weights))
        size = COUNTER.weighted_size(weights, 0, bound)
        n = len(weights)
        assert size.variables <= (n - 1) * bound
        assert size.clauses <= 2 * size.variables + n


def test_a_count_that_an_input_cannot_change_keeps_its_variable():
    # No sum of 7 and 7 lies in 12..13: an input of weight 2 never makes the difference to 14.
    assert COUNTER.weighted_size((7, 7, 2, 2, 2), 0, 15).variables == 2
