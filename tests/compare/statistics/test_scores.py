"""PAR-2, solved and unique jobs, the virtual best, ties, curves and growth, by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsweeper.compare.job.job import JobStatus
from satsweeper.compare.statistics.contest import Contender, contests
from satsweeper.compare.statistics.curves import (
    best_cactus,
    cactus,
    growth,
    instance_sizes,
    scatter,
)
from satsweeper.compare.statistics.measures import scores, virtual_best
from satsweeper.compare.statistics.paired import tied_groups

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
    assert best_cactus(contest).tolist() == [1, 1, 4]


def test_without_a_limit_an_unsolved_job_leaves_no_par2(made_up):
    results = [made_up("a", status=JobStatus.CRASH), made_up("b", solve=2.0)]
    (contest,) = contests(results, None)
    found = [(s.contender.encoding, s.par2 and s.par2.mean) for s in scores(contest)]
    assert found == [("b", 2.0), ("a", None)]


def test_par2_of_an_unfinished_sweep_is_over_the_jobs_that_all_have_run(made_up):
    results = [made_up("a", "i0", solve=1.0), made_up("a", "i1", solve=9.0)]
    results.append(made_up("b", "i0", solve=2.0))
    (contest,) = contests(results, LIMIT)
    found = [(s.contender.encoding, s.par2.mean, s.jobs) for s in scores(contest)]
    assert found == [("a", 1.0, 2), ("b", 2.0, 1)]


def test_a_cactus_holds_the_solved_jobs_in_ascending_order(contest):
    curves = {contender.encoding: list(times) for contender, times in cactus(contest).items()}
    assert curves == {"a": [1, 2], "b": [1, 3, 4], "c": [5]}


def test_a_scatter_puts_what_timed_out_at_the_limit_and_leaves_out_what_crashed(contest):
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


def test_two_sizes_have_no_exponent(made_up):
    results = [made_up("a", f"i{at}", variables=at, clauses=at) for at in (5, 9)]
    (contest,) = contests(results, None)
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
