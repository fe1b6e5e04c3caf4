"""Plots as readers see them: whole numbers of jobs, few numbers at an axis, bars for counts."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("matplotlib")

from satsweeper.report.figures import Curve, _ticks, curves, histogram, scatter


def labels(document: str, axis: str) -> list[str]:
    """The numbers at an axis, from the texts of its ticks."""
    parts = re.split(rf'<g id="{axis}tick_\d+">', document)[1:]
    found = [re.search(r">([^<>]+)</text>", part) for part in parts]
    return [each[1].replace("\N{MINUS SIGN}", "-") for each in found if each]


def test_jobs_are_counted_in_whole_numbers_and_one_curve_needs_no_legend():
    for jobs in (1, 2, 3, 24):
        steps = np.arange(1, jobs + 1.0)
        document = curves([Curve("alone", steps, steps / 100, 0)], "jobs solved", "seconds")
        assert all(re.fullmatch(r"-?\d+", text) for text in labels(document, "x"))
        assert 'id="legend' not in document


@given(st.floats(1e-6, 1e6), st.floats(1.01, 1e6))
def test_a_logarithmic_axis_has_one_to_five_numbers_of_its_range_and_no_two_look_alike(low, ratio):
    found = _ticks(low, low * ratio)
    assert 1 <= len(found) <= 5
    assert found == sorted(found)
    assert all(0.99 * low <= tick <= 1.01 * low * ratio for tick in found)
    assert len({f"{tick:g}" for tick in found}) == len(found)
    # From a factor of ten on there are two numbers to compare.
    assert len(found) > 1 or ratio < 10


def test_pairs_of_times_have_the_same_few_numbers_at_both_axes():
    times = np.array([0.0091, 0.0104, 0.0123])
    document = scatter(times, times[::-1], "a", "b", None)
    assert labels(document, "x") == labels(document, "y")
    assert 1 < len(labels(document, "x")) <= 5


def test_counts_are_bars_side_by_side_that_differ_without_colours():
    numbers = np.arange(4.0)
    drawn = [Curve(name, numbers, numbers + 1, at) for at, name in enumerate("ab")]
    document = histogram(drawn, "guesses in a game", "games [%]")
    assert labels(document, "x") == ["0", "1", "2", "3"]
    assert document.count('style="fill: url(#') >= 4
