"""What is said where nothing is claimed: too few instances, or none shown, and why."""

import numpy as np
import pytest

from satsweeper.compare.report.sentences import FEW, SAME, verdict
from satsweeper.compare.statistics.contest import contests
from satsweeper.compare.statistics.paired import comparisons

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
        said
        for each, said in judged(results)
        if said != SAME
        and each.ranks.p < 0.05
        and {each.first.encoding, each.second.encoding} == {"a", "z"}
        and each.measure.name == "time"
    ]
    assert many.startswith(f"{SAME} after the correction for 72 comparisons (p = 0.0")
    assert many.endswith(" without it)")


def test_where_most_runs_are_equal_that_is_said(made_up):
    results = [
        made_up(name, f"i{at}", solve=1.0, conflicts=100 + (name == "b" and at < 3) * 50)
        for name in "ab" for at in range(20)
    ]  # fmt: skip
    (said,) = [said for each, said in judged(results) if each.measure.name == "conflicts"]
    assert said == f"{SAME} (equal on 17 of 20 instances)"
