"""Pairs: ties and how often a claim is false; PAR-2, virtual best, curves and growth by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbcnf.constraints.order import LiteralOrder
from satsweeper.compare.job.job import JobStatus, Task
from satsweeper.compare.report.sentences import FEW, SAME, verdict
from satsweeper.compare.statistics import curves
from satsweeper.compare.statistics.contest import Contender, contests
from satsweeper.compare.statistics.curves import cactus, growth, instance_sizes, scatter
from satsweeper.compare.statistics.measures import scores, virtual_best
from satsweeper.compare.statistics.paired import comparisons, tied_groups


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


SLOW = [pytest.param(*each, marks=pytest.mark.slow) for each in ((40, 40), (80, 85))]


@pytest.mark.parametrize(("instances", "least"), [(20, 15), *SLOW])
def test_one_that_is_ten_per_cent_slower_is_found_with_enough_instances(simulate, instances, least):
    _, found = claims(simulate, 100, {"one": 1.0, "two": 1.1}, instances)
    assert found >= least


def test_the_interval_is_about_the_true_ratio_and_who_comes_second_can_be_better(simulate):
    pair = compare(simulate({"one": 1.0, "two": 1.25}, 60))["time"][0]
    assert pair.lower < 0.8 < pair.upper
    assert pair.better == pair.first
    middle, low, high = pair.margin()
    assert low < 20 < high
    assert middle == pytest.approx(100 * (1 - pair.ratio))
    results = simulate({"one": 2.0, "two": 1.0}, 30)
    pair = compare(results)["time"][0]
    assert pair.better == pair.second
    middle, low, high = pair.margin()
    assert 0 < low < middle < high < 100
    assert told(results).startswith("two faster by ")


def runs(made_up, table, **fields):
    """Encoding -> a solve time per (instance, seed), as results."""
    return [
        made_up(encoding, f"i{at}", seed, solve=seconds, **fields)
        for encoding, rows in table.items()
        for at, row in enumerate(rows)
        for seed, seconds in enumerate(row)
        if seconds is not None
    ]


def test_the_ratio_is_a_geometric_mean_over_instances_of_that_over_seeds_that_both_ran(made_up):
    results = runs(made_up, {"a": [[1, 4], [3]], "b": [[2, 1], [1]]})
    pair = compare(results)["time"][0]
    within = (np.log(1 / 2) + np.log(4 / 1)) / 2
    assert pair.ratio == pytest.approx(np.exp((within + np.log(3)) / 2))
    assert (pair.instances, pair.pairs) == (2, 3)
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
    for one, other in ((1e-6, 9e-6), (0.5, 0.500009)):
        close = runs(made_up, {"a": [[one]] * 20, "b": [[other]] * 20})
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


def test_without_a_limit_a_run_out_of_time_says_nothing_and_who_was_stopped_is_no_faster(made_up):
    results = [made_up("a"), made_up("b", status=JobStatus.TIMEOUT)]
    assert told(results, timeout=None) == "nothing to compare"
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
            why = said.removeprefix(SAME)
            assert why.startswith((" after the correction for 30 c", " (")), said
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


LIMIT = 10.0


@pytest.fixture
def contest(made_up):
    """Three contenders on three instances; seconds, or how they failed."""
    table = {
        "a": [1.0, 2.0, JobStatus.TIMEOUT],
        "b": [3.0, 1.0, 4.0],
        "c": [JobStatus.CRASH, 5.0, JobStatus.MEMORY],
    }
    results = []
    for name, outcomes in table.items():
        for at, found in enumerate(outcomes):
            failed = isinstance(found, JobStatus)
            outcome = {"status": found, "solve": 0.5} if failed else {"solve": found - 0.25}
            results.append(made_up(name, f"i{at}", encode=0.25, variables=10 * (at + 1), **outcome))
    (found,) = contests(results, LIMIT)
    return found


def test_an_unsolved_job_counts_twice_the_limit_and_contenders_stand_by_par2(contest):
    found = {score.contender.encoding: score for score in scores(contest)}
    sums = {name: 3 * score.par2.mean for name, score in found.items()}
    assert sums == pytest.approx({"a": 1 + 2 + 20, "b": 3 + 1 + 4, "c": 20 + 5 + 20})
    assert [score.contender.encoding for score in scores(contest)] == ["b", "a", "c"]
    counts = {name: (s.solved, s.jobs, s.unique) for name, s in found.items()}
    assert counts == {"a": (2, 3, 0), "b": (3, 3, 1), "c": (1, 3, 0)}
    assert found["c"].statuses == {JobStatus.CRASH: 1, JobStatus.SAT: 1, JobStatus.MEMORY: 1}
    assert all(s.par2.lower <= s.par2.mean <= s.par2.upper for s in found.values())
    assert found["a"].variables == 20


def test_the_virtual_best_takes_the_fastest_job_by_job(contest):
    best = virtual_best(contest)
    assert best.par2.mean == pytest.approx((1 + 1 + 4) / 3)
    assert (best.solved, best.jobs) == (3, 3)
    assert curves.best_cactus(contest).tolist() == [1, 1, 4]


def test_par2_is_over_the_jobs_that_all_have_run_and_none_of_an_unsolved_one_without_a_limit(
    made_up,
):
    results = [made_up("a", status=JobStatus.CRASH), made_up("b", solve=2.0)]
    (contest,) = contests(results, None)
    par2 = [(s.contender.encoding, s.par2 and s.par2.mean) for s in scores(contest)]
    assert par2 == [("b", 2.0), ("a", None)]
    results = [made_up("a", "i0", solve=1.0), made_up("a", "i1", solve=9.0)]
    results.append(made_up("b", "i0", solve=2.0))
    (contest,) = contests(results, LIMIT)
    found = [(s.contender.encoding, s.par2.mean, s.jobs) for s in scores(contest)]
    assert found == [("a", 1.0, 2), ("b", 2.0, 1)]


def test_a_cactus_holds_the_solved_jobs_and_a_scatter_all_but_what_crashed(contest):
    found = {contender.encoding: list(times) for contender, times in cactus(contest).items()}
    assert found == {"a": [1, 2], "b": [1, 3, 4], "c": [5]}
    # What timed out is at the limit.
    a, b, c = contest.contenders
    x, y = scatter(contest, a, b)
    assert (x.tolist(), y.tolist()) == ([1, 2, 10], [3, 1, 4])
    x, y = scatter(contest, c, b)
    assert (x.tolist(), y.tolist()) == ([5], [1])


def test_growth_finds_the_exponent_of_a_power_law(made_up):
    rng = np.random.default_rng(0)
    results = [
        made_up(
            "a", f"i{at}", seed, variables=at, clauses=3 * at**2,
            solve=1e-3 * at**1.5 * float(np.exp(rng.normal(0, 0.05))),
        )
        for at in (10, 20, 30, 50, 80, 130, 210) for seed in range(3)
    ]  # fmt: skip
    (contest,) = contests(results, None)
    time, clauses = growth(contest, instance_sizes(contest, {}))
    assert time.exponent[0] == pytest.approx(1.5, abs=0.1)
    assert time.exponent[1] <= 1.5 <= time.exponent[2]
    assert clauses.exponent == pytest.approx((2, 2, 2))
    assert len(time.sizes) == 7
    # Two sizes have no exponent.
    (contest,) = contests([made_up("a", f"i{n}", variables=n, clauses=n) for n in (5, 9)], None)
    assert [each.exponent for each in growth(contest, instance_sizes(contest, {}))] == [None, None]


def test_the_size_of_an_instance_is_told_or_the_fewest_variables_anyone_needed(made_up):
    results = [
        made_up("a", "i1", variables=40), made_up("b", "i1", variables=30),
        made_up("a", "i2", variables=70), made_up("a", "i3"),
    ]  # fmt: skip
    (contest,) = contests(results, None)
    sizes = instance_sizes(contest, {"digest of i2": 8.0})
    assert contest.instances == ("digest of i1", "digest of i2", "digest of i3")
    assert list(map(str, sizes)) == ["30.0", "8.0", "nan"]


NAMED = [Contender(name, "", "s", "given") for name in "abcdef"]


@given(st.sets(st.tuples(st.sampled_from(NAMED), st.sampled_from(NAMED)), max_size=9))
def test_two_share_a_group_if_and_only_if_they_are_not_apart(pairs):
    apart = {(a, b) for a, b in pairs if a != b}
    groups = tied_groups(NAMED, apart)
    for a in NAMED:
        for b in NAMED:
            together = any(a in group and b in group for group in groups)
            assert together == ((a, b) not in apart and (b, a) not in apart)
    assert not any(one < other for one in groups for other in groups)
