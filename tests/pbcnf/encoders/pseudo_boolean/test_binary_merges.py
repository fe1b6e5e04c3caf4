"""What is particular to the two binary merges; the rest is tested with the watchdogs."""

import random

import pytest

from pbcnf.encoders.circuits import one_directional
from pbcnf.encoders.circuits.networks import sorting_network
from pbcnf.encoders.counter import Direction
from pbcnf.encoders.pseudo_boolean.binary_merge import BinaryMerge
from pbcnf.encoders.pseudo_boolean.binary_merge_gac import BinaryMergeGac

MERGE, GAC = BinaryMerge(), BinaryMergeGac()
each = pytest.mark.parametrize("encoder", [MERGE, GAC], ids=lambda e: e.name)


@each
@pytest.mark.parametrize("weights", [(1, 2, 4, 8), (2, 1, 2, 4, 1), (1, 1, 1, 4, 4), (8, 2, 8, 1)])
def test_one_sum_propagates_all_inputs_if_their_weights_are_powers_of_two(
    weighted, encoder, weights
):
    for lower, upper in weighted.normal_bounds(weights):
        if lower == 0 or upper == sum(weights):
            clauses = weighted.correct(encoder, weights, lower, upper)
            assert sum(len(clause) == 1 for clause in clauses) <= 1
            assert weighted.missed(clauses, weights, lower, upper) == ([], []), (lower, upper)


@pytest.mark.parametrize("weights", [(1, 3, 4, 6), (3, 3, 5, 7), (7, 2, 2, 1, 5), (6, 6, 1, 8)])
def test_inputs_of_other_weights_have_sums_of_their_own(weighted, weights):
    for lower, upper in weighted.normal_bounds(weights):
        if lower == 0 or upper == sum(weights):
            clauses = weighted.correct(GAC, weights, lower, upper)
            assert weighted.missed(clauses, weights, lower, upper) == ([], []), (lower, upper)


@each
@pytest.mark.parametrize("n", [3, 8, 17, 40])
def test_at_most_k_is_one_sorting_network_and_its_output_false(encoder, n):
    for k in range(1, n - 1):
        network = one_directional.size(sorting_network(n, k + 1, k + 1), Direction.AT_MOST)
        size = encoder.size(n, 0, k)
        assert (size.variables, size.clauses) == (network.variables, network.clauses + 1)


def test_no_auxiliary_is_needed_where_pairs_say_everything():
    assert GAC.weighted_size((3, 5, 6), 0, 7).variables == 0


def test_one_sum_of_all_inputs_finds_conflicts_but_not_every_forced_input(weighted):
    clauses = weighted.correct(MERGE, (1, 1, 3), 0, 3)
    conflicts, forced = weighted.missed(clauses, (1, 1, 3), 0, 3)
    assert not conflicts
    assert ((1, 0, 0), -3) in forced


def test_one_sum_of_all_inputs_takes_a_fraction_of_one_sum_per_input():
    rng = random.Random(1)
    weights = [rng.randint(1, 1000) for _ in range(40)]
    merge, gac = (each.weighted_size(weights, 0, sum(weights) // 2) for each in (MERGE, GAC))
    assert 30 * merge.clauses < gac.clauses
