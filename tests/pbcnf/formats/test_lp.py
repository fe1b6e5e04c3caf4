import operator
from fractions import Fraction
from itertools import product

import pytest

from pbcnf import Cardinality
from pbcnf.constraints.problem import Objective, Problem
from tests.problem_files import models_of, read, written


def test_long_sums_take_many_lines() -> None:
    names = {var: f"{'n' * 50}_{var}" for var in range(1, 101)}
    text = written(Problem(100, (Cardinality(range(1, 101), 3, 5),), names), "lp")
    assert max(map(len, text.splitlines())) <= 255
    assert read(text).constraints == (
        Cardinality(range(1, 101), lower=3),
        Cardinality(range(1, 101), upper=5),
    )


def test_a_bound_that_fixes_a_variable_becomes_a_constraint() -> None:
    text = "min\nst\n x + y >= 1\nbounds\n x = 0\n 1 <= z\nbinaries\n y x z\nend\n"
    assert read(text).names == {1: "y", 2: "x", 3: "z"}
    assert models_of(read(text)) == {(1, 0, 1)}


@pytest.mark.parametrize("bound", ["0.5", "0.75", "1e-1", "-.25", "1.249"])
@pytest.mark.parametrize("relation", ["<=", ">=", "="])
def test_decimals_mean_exactly_what_they_say(relation: str, bound: str) -> None:
    rows = f"0.75 x - 2.5e-1 y + .5 z {relation} {bound}"
    problem = read(f"max 0.5 x + 1.25 y + 3\nst\n {rows}\nbin\nx y z\nend\n")
    holds = {"<=": operator.le, ">=": operator.ge, "=": operator.eq}[relation]
    assert models_of(problem) == {
        (x, y, z)
        for x, y, z in product((0, 1), repeat=3)
        if holds(Fraction(3 * x - y + 2 * z, 4), Fraction(bound))
    }
    assert problem.objective == Objective((1, 2), (2, 5), 12, maximise=True, scale=4)


def test_sections_without_content_are_passed_over() -> None:
    text = "min\n x\nst\n x + y >= 1\nbounds\n y <= 0.5\nbin\n x\ngen\n y\nsemi\nsos\n\nend\n"
    assert models_of(read(text)) == {(1, 0)}
