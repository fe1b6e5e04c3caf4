"""Pairs: what is compared with what, what counts as a tie, and how often a claim is false."""

import numpy as np
import pytest

from satsweeper.compare.job.job import JobStatus, LiteralOrder, Task
from satsweeper.compare.report.sentences import FEW, SAME, verdict
from satsweeper.compare.statistics.contest import contests
from satsweeper.compare.statistics.paired import comparisons


def compare(results, timeout=10.0):
    """Measure -> its comparisons."""
    (contest,) = contests(results, timeout)
    found = {}
    for each in comparisons(contest):
        found.setdefault(each.measure.name, []).append(each)
    return found


def told(results, measure="time", timeout=10.0):
    """The verdict on the only pair."""
    (contest,) = contests(results, timeout)
    (pair,) = [each for each in comparisons(contest) if each.measure.name == measure]
    return verdict(pair, contest)


def claims(simulate, sweeps, factors, instances):
    """Of so many sweeps: with a claim by any measure; with one by time, for the first of two."""
    some = in_time = 0
    for draw in range(sweeps):
        found = compare(simulate(factors, instances, draw=draw))
        some += any(each.better for pairs in found.values() for each in pairs)
        in_time += found["time"][0].better == found["time"][0].first
    return some, in_time


@pytest.mark.parametrize("instances", [12, 40])
def test_one_encoder_under_two_names_is_told_apart_in_at_most_5_of_100_sweeps(simulate, instances):
    some, _ = claims(simulate, 100, {"one": 1.0, "two": 1.0}, instances)
    assert some <= 5


def test_among_real_differences_the_same_encoder_is_still_not_told_apart(simulate):
    false = 0
    for draw in range(100):
        factors = {"one": 1.0, "slow": 1.5, "slower": 2.5, "two": 1.0}
        pairs = compare(simulate(factors, 12, draw=draw))["time"]
        assert sum(each.better is not None for each in pairs) >= 1
        same = [p for p in pairs if {p.first.encoding, p.second.encoding} == {"one", "two"}]
        false += same[0].better is not None
    assert false <= 5


@pytest.mark.parametrize(
    ("instances", "at_least"),
    [(20, 15)] + [pytest.param(*each, marks=pytest.mark.slow) for each in ((40, 40), (80, 85))],
)
def test_one_that_is_ten_per_cent_slower_is_found_with_enough_instances(
    simulate, instances, at_least
):
    _, found = claims(simulate, 100, {"one": 1.0, "two": 1.1}, instances)
    assert found >= at_least


def test_the_interval_is_about_the_true_ratio(simulate):
    pair = compare(simulate({"one": 1.0, "two": 1.25}, 60))["time"][0]
    assert pair.lower < 0.8 < pair.upper
    assert pair.better == pair.first
    middle, low, high = pair.margin()
    assert low < 20 < high
    assert middle == pytest.approx(100 * (1 - pair.ratio))


def test_who_comes_second_can_be_the_better_one(simulate):
    pair = compare(simulate({"one": 2.0, "two": 1.0}, 30))["time"][0]
    assert pair.better == pair.second
    middle, low, high = pair.margin()
    assert 0 < low < middle < high < 100
    assert told(simulate({"one": 2.0, "two": 1.0}, 30)).startswith("two faster by ")


def runs(made_up, table, **fields):
    """Encoding -> a solve time per (instance, seed), as results."""
    return [
        made_up(encoding, f"i{at}", seed, solve=seconds, **fields)
        for encoding, rows in table.items()
        for at, row in enumerate(rows)
        for seed, seconds in enumerate(row)
        if seconds is not None
    ]


def test_the_ratio_is_a_geometric_mean_over_instances_of_that_over_seeds(made_up):
    results = runs(made_up, {"a": [[1, 4], [3]], "b": [[2, 1], [1]]})
    pair = compare(results)["time"][0]
    within = (np.log(1 / 2) + np.log(4 / 1)) / 2
    assert pair.ratio == pytest.approx(np.exp((within + np.log(3)) / 2))
    assert (pair.instances, pair.pairs) == (2, 3)


def test_only_runs_on_the_same_instance_with_the_same_seed_meet(made_up):
    results = runs(made_up, {"a": [[1, None], [1, 1]], "b": [[None, 5], [2, None]]})
    pair = compare(results)["time"][0]
    assert (pair.instances, pair.pairs, pair.ratio) == (1, 1, pytest.approx(0.5))


def test_equal_counts_are_no_difference_and_no_test(made_up):
    results = [
        made_up(name, f"i{at}", conflicts=at, solve=1 + at + (name == "b"), budget=7)
        for name in "ab"
        for at in range(8)
    ]
    found = compare(results)
    assert found["conflicts"][0].corrected is None
    assert found["time"][0].better is not None
    assert told(results, "conflicts") == f"{SAME} (equal on all instances)"
    assert "propagations" not in found


def test_fewer_conflicts_are_told_as_such(made_up):
    results = [
        made_up(name, f"i{at}", conflicts=(at + 20) * (2 if name == "b" else 1) - 1)
        for name in "ab"
        for at in range(12)
    ]
    assert told(results, "conflicts") == "a fewer conflicts by 50.0 % [50.0, 50.0]"


def test_differences_below_the_resolution_of_the_clock_are_none(made_up):
    small = runs(made_up, {"a": [[1e-6]] * 20, "b": [[9e-6]] * 20})
    assert told(small) == f"{SAME} (equal on all instances)"
    close = runs(made_up, {"a": [[0.5]] * 20, "b": [[0.500009]] * 20})
    assert told(close) == f"{SAME} (equal on all instances)"
    apart = runs(made_up, {"a": [[0.0]] * 20, "b": [[0.001]] * 20})
    assert told(apart).startswith("a faster by 99.0 %")


def test_five_instances_are_too_few_whatever_they_show(made_up):
    results = runs(made_up, {"a": [[1]] * 5, "b": [[9]] * 5})
    assert told(results) == f"{FEW} (5, and 2 comparisons need 7)"
    assert told(runs(made_up, {"a": [[1]] * 9, "b": [[9]] * 9})).startswith("a faster by 88.9 %")


def test_a_run_out_of_time_counts_as_the_limit_and_is_told(made_up):
    results = [
        made_up(name, f"i{at}", solve=10.0 if late else 2.0,
                status=JobStatus.TIMEOUT if late else JobStatus.SAT)
        for name in "ab" for at in range(10) for late in [at == 0 or (name == "b" and at < 9)]
    ]  # fmt: skip
    pair = compare(results)["time"][0]
    assert (pair.pairs, pair.censored) == (9, 8)
    assert pair.ratio == pytest.approx(0.2 ** (8 / 9))
    assert "; 8 of 9 runs at the limit of time" in told(results)
    assert "encode" in compare(results)
    assert compare(results)["encode"][0].pairs == 1


def test_without_a_limit_a_run_out_of_time_says_nothing(made_up):
    results = [made_up("a"), made_up("b", status=JobStatus.TIMEOUT)]
    assert told(results, timeout=None) == "nothing to compare"


def test_who_was_stopped_is_not_faster_than_who_was_let_go_on(made_up):
    results = [
        made_up(name, f"i{at}", solve=12.0 if name == "a" else 10.0,
                status=JobStatus.TIMEOUT if name == "b" else JobStatus.SAT)
        for name in "ab" for at in range(10)
    ]  # fmt: skip
    assert compare(results)["time"][0].ratio == 1


def test_runs_that_failed_otherwise_are_left_out_and_counted(made_up):
    for status in (JobStatus.CRASH, JobStatus.MEMORY, JobStatus.ERROR, JobStatus.UNKNOWN):
        results = [
            made_up(name, f"i{at}", solve=1.0 + (name == "b"),
                    status=status if name == "b" and at < 2 else JobStatus.UNSAT)
            for name in "ab" for at in range(12)
        ]  # fmt: skip
        pair = compare(results)["time"][0]
        assert (pair.pairs, pair.failed) == (10, (0, 2))
        assert told(results).endswith("; without 2 runs that only b failed")


def test_a_claim_needs_ranks_and_mean_on_the_same_side(made_up):
    # Faster on most instances by a little, far slower on a few: neither is better.
    results = runs(made_up, {"a": [[0.9]] * 20 + [[9.0]] * 5, "b": [[1.0]] * 25})
    pair = compare(results)["time"][0]
    assert pair.ratio > 1
    assert pair.ranks.negative > pair.ranks.positive
    assert pair.better is None


def test_the_more_pairs_there_are_the_more_evidence_a_claim_needs(made_up):
    rng = np.random.default_rng(3)
    table = {name: np.exp(rng.normal(0, 0.1, (8, 1))) for name in "abcdefgh"}
    table["z"] = table["a"] * 1.2 * np.exp(rng.normal(0, 0.03, (8, 1)))
    two = compare(runs(made_up, {name: table[name] for name in "az"}))["time"][0]
    every = compare(runs(made_up, table))["time"]
    (many,) = [e for e in every if (e.first.encoding, e.second.encoding) == ("a", "z")]
    assert two.ranks == many.ranks
    assert two.better is not None
    assert many.better is None


def test_contenders_differ_in_any_part_and_the_rest_is_said_once(made_up):
    results = [
        made_up("a", solver=solver, order=order)
        for solver in ("x", "y") for order in (LiteralOrder.GIVEN, LiteralOrder.REVERSED)
    ]  # fmt: skip
    (contest,) = contests(results, None)
    labels = [contest.label(c) for c in contest.contenders]
    assert labels == ["x/given", "x/reversed", "y/given", "y/reversed"]
    assert contest.fixed == {"encoding": "a"}


def test_instances_on_which_other_axes_play_are_another_contest(made_up):
    results = [
        made_up("a", "board", total_encoding="t"),
        made_up("a", "no total"),
        made_up("", "file", task=Task.SOLVE),
    ]
    found = contests(results, None)
    titles = [each.title for each in found]
    assert titles == ["classify, with a total", "classify, without a total", "solve"]
    assert not any(result is None for each in found for result in each.results.flat)


SOLVERS = ("minisat22", "cadical195")


def judged(results):
    """Every comparison with what is said of it."""
    (contest,) = contests(results, 10.0)
    return [(each, verdict(each, contest)) for each in comparisons(contest)]


def four_contenders(made_up, instances, seed=0, factor=0.56):
    """Two encodings on two solvers; one encoding takes ``factor`` of the other's time."""
    rng = np.random.default_rng(seed)
    return [
        made_up(
            encoding, f"i{at}", solver=solver, encode=0.01 * scale * rng.uniform(0.9, 1.1),
            solve=scale * (1 + at) * rng.uniform(0.9, 1.1), conflicts=int(rng.integers(100, 999)),
            propagations=int(rng.integers(1000, 9999)),
        )
        for at in range(instances) for solver in SOLVERS
        for encoding, scale in (("direct", factor), ("totalizer", 1.0))
    ]  # fmt: skip


def test_ten_instances_cannot_tell_four_contenders_apart_and_that_is_what_is_said(made_up):
    found = judged(four_contenders(made_up, 10))
    assert len(found) == 30
    for each, said in found:
        assert each.attainable == pytest.approx(30 * 2 / 2**10)
        assert said == f"{FEW} (10, and 30 comparisons need 11)"
        assert each.better is None
    assert any(each.upper < 0.7 for each, _ in found)


@pytest.mark.parametrize("seed", range(12))
def test_no_interval_that_excludes_1_stands_beside_nothing_claimed_without_a_reason(made_up, seed):
    instances = 6 + seed * 2
    shown = 0
    for each, said in judged(four_contenders(made_up, instances, seed, factor=0.93)):
        excludes = each.upper < 1 or each.lower > 1
        assert (FEW in said) == (each.corrected is not None and instances < 11)
        if excludes and SAME in said:
            shown += 1
            assert said.removeprefix(SAME).startswith((" after the correction for 30 c", " (")), (
                said
            )
        if said == SAME:
            assert each.lower <= 1 <= each.upper
    assert shown or instances < 11 or seed > 3


def test_the_correction_is_named_where_it_decides(made_up):
    rng = np.random.default_rng(3)
    table = {name: np.exp(rng.normal(0, 0.1, 14)) for name in "abcdefgh"}
    # Four small differences on the other side: 43 of 2^14 assignments of signs are as extreme.
    table["z"] = table["a"] * np.exp(np.arange(1, 15) * np.array([-0.01] * 4 + [0.01] * 10))
    results = [
        made_up(name, f"i{at}", solve=float(each))
        for name, row in table.items() for at, each in enumerate(row)
    ]  # fmt: skip
    two = judged([each for each in results if each.job.encoding in "az"])
    assert two[0][1].startswith("a faster by ")
    (many,) = [
        said for each, said in judged(results)
        if said != SAME and each.ranks.p < 0.05 and each.measure.name == "time"
        and {each.first.encoding, each.second.encoding} == {"a", "z"}
    ]  # fmt: skip
    assert many.startswith(f"{SAME} after the correction for 72 comparisons (p = 0.0")
    assert many.endswith(" without it)")


def test_where_most_runs_are_equal_that_is_said(made_up):
    results = [
        made_up(name, f"i{at}", solve=1.0, conflicts=100 + (name == "b" and at < 3) * 50)
        for name in "ab" for at in range(20)
    ]  # fmt: skip
    (said,) = [said for each, said in judged(results) if each.measure.name == "conflicts"]
    assert said == f"{SAME} (equal on 17 of 20 instances)"
