"""Entries: hard instances first, of several families and both answers; and what is missing."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsweeper.competition import selection
from satsweeper.competition.instance import Series, series_of
from satsweeper.competition.measurement import Measurement, Probe, SolverRun
from satsweeper.competition.selection import Wish, chosen, missing, next_probe, next_round

Make = Callable[..., Any]
SERIES = series_of("sat")
WISH = Wish("sat", 8, 4, 0)


def measured(series: str, size: int, seed: int, grade: str) -> Measurement:
    claim = "SATISFIABLE" if SERIES[series].satisfiable else "UNSATISFIABLE"
    said, late = SolverRun(claim, size / 100), SolverRun("UNKNOWN", 1.0)
    runs = {"easy": (said, None), "hard": (late, said), "unsolved": (late, late)}[grade]
    return Measurement(Probe(series, size, seed), 1, 1, 1, *runs)


GRADES = st.sampled_from(["easy", "hard", "unsolved"])
MEASURED = st.builds(
    measured, st.sampled_from(sorted(SERIES)), st.integers(6, 30), st.integers(0, 2), GRADES
)
FOUND = st.lists(MEASURED, max_size=40, unique_by=lambda each: each.job)


@given(FOUND, st.integers(1, 12), st.data())
def test_an_entry_is_as_large_and_as_hard_as_can_be(found, count, data):
    wish = Wish("sat", count, data.draw(st.integers(0, count)), 0)
    entry = chosen(wish, found)
    solved = [each for each in found if each.solved is not None]
    assert len({each.job for each in entry}) == len(entry) == min(count, len(solved))
    assert all(each in solved for each in entry)
    answers = {SERIES[each.job.series].satisfiable for each in entry}
    if count > 1 and entry:
        assert answers == {SERIES[each.job.series].satisfiable for each in solved}
    hard = sum(each.grade == "hard" for each in entry)
    there = sum(each.grade == "hard" for each in solved)
    # One may have made room for another answer.
    assert hard >= min(there, wish.hard) - 1
    told = missing(wish, found)
    short = len(entry) < count or hard < wish.hard
    assert not short or told


@given(FOUND, st.randoms(use_true_random=False))
def test_the_choice_does_not_depend_on_the_order_of_measuring(found, random):
    again = list(found)
    random.shuffle(again)
    assert chosen(WISH, found) == chosen(WISH, again)


def test_of_two_instances_with_the_same_clauses_there_is_one() -> None:
    found = [replace(measured("bump", 6, seed, "hard"), digest="ab") for seed in (2, 1)]
    found += [replace(measured("bump", 7, seed, "hard"), digest=f"{seed}") for seed in (0, 1)]
    assert [each.job.id for each in chosen(WISH, found)] == ["bump/6/1", "bump/7/0", "bump/7/1"]
    assert missing(WISH, found)[0] == "3 instances of 8"


def test_no_family_has_more_than_its_share_while_others_have_any() -> None:
    found = [measured("hall", size, 0, "hard") for size in range(6, 16)]
    found += [measured(name, 9, 0, "hard") for name in ("ones", "torus", "bump", "regular")]
    found += [measured("pigeonhole", size, 0, "hard") for size in (9, 10)]
    families = Counter(each.job.series for each in chosen(WISH, found))
    assert families == {"hall": 2, "pigeonhole": 2, "ones": 1, "torus": 1, "bump": 1, "regular": 1}
    shares = [Wish("sat", count, 0, 0).share for count in (1, 4, 5, 8, 9, 16, 17)]
    assert shares == [1, 1, 2, 2, 3, 4, 5], "a quarter, rounded up"


def test_the_slowest_of_the_easy_ones_fill_an_entry() -> None:
    found = [measured("ones", size, 0, "easy") for size in range(6, 12)]
    assert {each.job.size for each in chosen(Wish("sat", 2, 0, 0), found)} == {10, 11}


def test_two_instances_have_both_answers_and_a_complete_easy_entry_ends_the_search() -> None:
    wish = Wish("sat", 2, 0, 0)
    easy = [measured(name, 9, 0, "easy") for name in ("ones", "planted")]
    hard = [measured(name, 10, 0, "hard") for name in ("hall", "torus")]
    assert {SERIES[each.job.series].satisfiable for each in hard} == {False}
    answers = {SERIES[each.job.series].satisfiable for each in chosen(wish, [*hard, *easy])}
    assert answers == {True, False}
    assert missing(wish, easy) == []
    assert next_round(wish, 1.0, {each.job: each for each in easy}) == []


def test_what_is_missing_is_told() -> None:
    assert missing(WISH, [measured("ones", 9, 0, "hard")]) == [
        "1 instance of 8", "1 of 4 that the strong solver alone solves",
        "these of 1 of at least 2 families", "none that is satisfiable",
    ]  # fmt: skip


def test_series_are_tried_unsatisfiable_and_satisfiable_ones_in_turn() -> None:
    series = selection.series_in_order(WISH)
    assert [each.satisfiable for each in series[:10]] == [False, True] * 5
    assert {each.name for each in series} == set(SERIES)
    assert series != selection.series_in_order(Wish("sat", 8, 4, 1))


def test_rounds_end_once_there_is_enough_and_where_nothing_is_hard() -> None:
    found: dict[Probe, Measurement] = {}
    rounds = 0
    while probes := next_round(WISH, 1.0, found):
        rounds += 1
        assert len(probes) == 4
        for p in probes:
            hard = p.size > SERIES[p.series].family.small[-1]
            found[p] = measured(p.series, p.size, p.seed, "hard" if hard else "easy")
    assert rounds < 6
    assert missing(WISH, found.values()) == []
    found = {}
    while probes := next_round(WISH, 1.0, found):
        for p in probes:
            easy = measured(p.series, p.size, p.seed, "easy")
            found[p] = Measurement(p) if p.size > 40 else easy
    assert "0 of 4 that the strong solver alone solves" in missing(WISH, found.values())


def walked(
    series: Series, measured: Callable[[Probe], Measurement], most: int = 400
) -> dict[Probe, Measurement]:
    """All that is measured of a series until it has no more to offer."""
    found: dict[Probe, Measurement] = {}
    while (probe := next_probe(series, 0, 1.0, found)) is not None:
        assert probe not in found
        found[probe] = measured(probe)
        assert len(found) < most
    return found


def graded(weak: int, strong: int) -> Callable[[Probe], Measurement]:
    """Solvers whose time grows by 1.5 with every size, up to these sizes."""

    def measured(probe: Probe) -> Measurement:
        late = SolverRun("UNKNOWN", 1.0, "timeout")
        if probe.size <= weak:
            return Measurement(probe, weak=SolverRun("SATISFIABLE", 1.5 ** (probe.size - weak)))
        solved = SolverRun("SATISFIABLE", 0.5) if probe.size <= strong else late
        return Measurement(probe, weak=late, strong=solved)

    return measured


@given(st.sampled_from(["ones", "torus", "regular", "hall"]), st.integers(1, 90), st.integers(0, 9))
def test_every_window_that_holds_a_size_is_found(name: str, weak: int, width: int) -> None:
    series = SERIES[name]
    first = series.family.small[-1]
    found = walked(series, graded(weak, weak + width))
    hard = {probe.size for probe, each in found.items() if each.grade == "hard"}
    window = {n for n in series.family.sizes if max(weak, first - 1) < n <= weak + width}
    if first <= weak + width:
        assert hard <= window
        assert bool(hard) == bool(window)
        assert not window or max(window) in hard


@given(st.integers(6, 60), st.integers(1, 9))
def test_seeds_of_hard_sizes_are_tried_and_no_others(weak: int, width: int) -> None:
    found = walked(SERIES["hall"], graded(weak, weak + width))
    seeds: dict[int, set[int]] = {}
    for probe in found:
        seeds.setdefault(probe.size, set()).add(probe.seed)
    for size, tried in seeds.items():
        hard = found[Probe("hall", size, 0)].grade == "hard"
        assert tried == (set(range(selection.SEEDS)) if hard else {0})


def test_a_series_ends_where_it_is_too_large_or_nobody_solves_its_first_instance(make) -> None:
    def easy(probe):
        return make("planted", probe.size, "easy" if probe.size < 99 else "too large")

    found = walked(SERIES["planted"], easy)
    assert [each.grade for each in found.values()].count("too large") == 1
    found = walked(SERIES["ones"], lambda probe: make("ones", probe.size, "unsolved"))
    assert list(found) == [Probe("ones", 6, 0)]


@pytest.mark.parametrize(("seconds", "size"), [(0.00001, 16), (0.01, 12), (0.5, 9)])
def test_steps_are_shorter_the_longer_the_weak_solver_takes(make, seconds, size):
    measured = make("ones", 8, "easy", seconds=seconds)
    assert next_probe(SERIES["ones"], 0, 1.0, {measured.job: measured}) == Probe("ones", size, 0)
