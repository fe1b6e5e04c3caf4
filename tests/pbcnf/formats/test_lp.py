import io
import operator
from fractions import Fraction
from itertools import product

import pytest

from pbcnf import Cardinality, PseudoBoolean
from pbcnf.constraints.problem import Objective, Problem
from pbcnf.formats.write.lp import write_lp
from tests.problem_files import read, written


def test_what_is_written_is_the_format() -> None:
    problem = Problem(
        4,
        (
            Cardinality([1, 2], lower=1, upper=1),
            PseudoBoolean([1, -3], [2, 1], lower=1, upper=2),
            Cardinality([2, -2], lower=3),
        ),
        {1: "m_0_0", 2: "m_0_1"},
        Objective((3, -1), (1, 4), maximise=True),
    )
    assert written(problem, "lp", comments=("made by hand",)) == (
        "\\ made by hand\n"
        "Maximize\n"
        " obj: - 4 m_0_0 + x3 + 0 x4 + 4\n"
        "Subject To\n"
        " c1: m_0_0 + m_0_1 = 1\n"
        " c2_lower: 2 m_0_0 - x3 >= 0\n"
        " c2_upper: 2 m_0_0 - x3 <= 1\n"
        " c3: 0 m_0_0 >= 2\n"
        "Binaries\n"
        " m_0_0 m_0_1 x3 x4\n"
        "End\n"
    )


def test_long_sums_take_many_lines() -> None:
    names = {var: f"{'n' * 50}_{var}" for var in range(1, 101)}
    text = written(Problem(100, (Cardinality(range(1, 101), 3, 5),), names), "lp")
    assert max(map(len, text.splitlines())) <= 255
    assert read(text).constraints == (
        Cardinality(range(1, 101), lower=3),
        Cardinality(range(1, 101), upper=5),
    )


@pytest.mark.parametrize("value", [10**15 + 1, -(10**15) - 1, 10**5000], ids=["+", "-", "huge"])
def test_an_integer_that_floating_point_may_not_hold_is_refused(value: int) -> None:
    stream = io.BytesIO()
    for row in PseudoBoolean([1], [value], lower=1), Cardinality([1], value):
        with pytest.raises(ValueError, match=r"^constraint 2: .* too large for LP"):
            write_lp(Problem(1, (Cardinality([1], 1), row)), stream)
    with pytest.raises(ValueError, match=r"^the objective: .* too large for LP"):
        write_lp(Problem(1, (), {}, Objective((1,), (value,))), stream)
    assert stream.getvalue() == b""


def test_a_bound_that_fixes_a_variable_becomes_a_constraint(models_of) -> None:
    text = "min\nst\n x + y >= 1\nbounds\n x = 0\n 1 <= z\nbinaries\n y x z\nend\n"
    assert read(text).names == {1: "y", 2: "x", 3: "z"}
    assert models_of(read(text)) == {(1, 0, 1)}


@pytest.mark.parametrize("bound", ["0.5", "0.75", "1e-1", "-.25", "1.249"])
@pytest.mark.parametrize("relation", ["<=", ">=", "="])
def test_decimals_mean_exactly_what_they_say(models_of, relation: str, bound: str) -> None:
    rows = f"0.75 x - 2.5e-1 y + .5 z {relation} {bound}"
    problem = read(f"max 0.5 x + 1.25 y + 3\nst\n {rows}\nbin\nx y z\nend\n")
    holds = {"<=": operator.le, ">=": operator.ge, "=": operator.eq}[relation]
    assert models_of(problem) == {
        (x, y, z)
        for x, y, z in product((0, 1), repeat=3)
        if holds(Fraction(3 * x - y + 2 * z, 4), Fraction(bound))
    }
    assert problem.objective == Objective((1, 2), (2, 5), 12, maximise=True, scale=4)


def test_sections_without_content_are_passed_over(models_of) -> None:
    text = "min\n x\nst\n x + y >= 1\nbounds\n y <= 0.5\nbin\n x\ngen\n y\nsemi\nsos\n\nend\n"
    assert models_of(read(text)) == {(1, 0)}
