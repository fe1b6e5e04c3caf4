"""Bounds of integers that follow from equations with Booleans, products and cases."""

import io
from itertools import product

import pytest

pytest.importorskip("pysmt")

from pbcnf.formats.problems import read_problem

FOLLOWING = {
    "an equation with an asserted Boolean": (
        "(assert (= (> (+ x y) 0) a)) (assert a) (assert (<= x 10)) (assert (<= y 12))",
        lambda x, y: x + y > 0 and x <= 10 and y <= 12,
    ),
    "an equation with one that is asserted false": (
        "(assert (not (= (<= x 2) a))) (assert (not a)) (assert (and (>= x 0) (<= 0 y x)))",
        lambda x, y: 0 <= y <= x <= 2,
    ),
    "a product that is a number": (
        "(assert (= 6 (* x y)))",
        lambda x, y: x * y == 6,
    ),
    "a case that an asserted Boolean rules out": (
        "(assert (or a (and (<= 0 x 3) (= y x)))) (assert (not a))",
        lambda x, y: 0 <= x <= 3 and y == x,
    ),
    "cases with bounds of their own": (
        "(assert (or (and (<= 0 x 1) (<= 2 y 3)) (and (<= 4 x 6) (= y 0))))",
        lambda x, y: (0 <= x <= 1 and 2 <= y <= 3) or (4 <= x <= 6 and y == 0),
    ),
}


def read(assertions):
    declared = "(declare-const x Int) (declare-const y Int) (declare-const a Bool)"
    return read_problem(io.BytesIO(f"(set-logic QF_NIA) {declared} {assertions}".encode()))


@pytest.mark.parametrize(("assertions", "holds"), FOLLOWING.values(), ids=FOLLOWING)
def test_every_solution_lies_within_the_bounds_that_follow(assertions, holds):
    problem = read(assertions)
    reach = {}
    for name in "xy":
        form = problem.integers[name]
        ends = [form.constant + sum(w for w in form.weights if w * sign > 0) for sign in (-1, 1)]
        reach[name] = range(ends[0], ends[1] + 1)
    points = [point for point in product(range(-30, 31), repeat=2) if holds(*point)]
    assert points
    assert all(x in reach["x"] and y in reach["y"] for x, y in points)


@pytest.mark.parametrize(
    "assertions",
    ["(assert (= 0 (* x y)))", "(assert (= (> (+ x y) 0) a))", "(assert (or a (= x y)))"],
)
def test_what_has_no_bounds_is_refused(assertions):
    with pytest.raises(ValueError, match="without two asserted bounds"):
        read(assertions)
