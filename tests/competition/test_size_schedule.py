"""Sizes are found where the weak solver fails and the strong one does not, whatever the machine."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsweeper.competition.instance import Series, series_of
from satsweeper.competition.measurement import Measurement, Probe, SolverRun
from satsweeper.competition.selection import SEEDS, next_probe

SERIES = series_of("sat")
Make = Callable[..., Any]


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
        solved = probe.size <= strong
        return Measurement(
            probe, weak=late, strong=SolverRun("SATISFIABLE", 0.5) if solved else late
        )

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
        assert tried == (set(range(SEEDS)) if hard else {0})


def test_a_series_that_stays_easy_ends_where_it_is_too_large(make: Make) -> None:
    found = walked(
        SERIES["planted"],
        lambda probe: make("planted", probe.size, "easy" if probe.size < 99 else "too large"),
    )
    assert [each.grade for each in found.values()].count("too large") == 1


def test_a_series_whose_first_instance_nobody_solves_ends(make: Make) -> None:
    found = walked(SERIES["ones"], lambda probe: make("ones", probe.size, "unsolved"))
    assert list(found) == [Probe("ones", 6, 0)]


@pytest.mark.parametrize(("seconds", "size"), [(0.00001, 16), (0.01, 12), (0.5, 9)])
def test_steps_are_shorter_the_longer_the_weak_solver_takes(
    make: Make, seconds: float, size: int
) -> None:
    measured = make("ones", 8, "easy", seconds=seconds)
    assert next_probe(SERIES["ones"], 0, 1.0, {measured.job: measured}) == Probe("ones", size, 0)
