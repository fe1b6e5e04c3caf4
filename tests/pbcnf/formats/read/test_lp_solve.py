import io
from itertools import product

import pytest

from pbcnf.formats.error import FormatError
from pbcnf.formats.problems import read_problem

OF_LP_SOLVE = {
    "a real and an integer beyond 1": "/* t */ max: 3 x;\nc1: x <= 5;\nc2: x >= 0.5;\n",
    "weights and bounds alone": "/* Objective */\nmax: +143 x1 +60 x2;\n+1 x1 +3 x2 <= 7;\n",
    "a maximum of x1 and x2": "max: +143 x1 +60 x2;\n+120 x1 +210 x2 >= 15;\n",
    "an upper bound over x1 and x2": "min: +1 x1 +1 x2;\n+120 x1 +210 x2 <= 15;\n",
    "terms without a weight": "min: +1 x1 +1 x2;\n+1 x1 >= 0;\nx1 +x2 >= 3;\n",
    "names alone": "max: 143 x + 60 y;\n120 x + 210 y <= 15000;\n110 x + 30 y <= 4000;\n",
    "bounds far from 0 and 1": "min: +C3;\nC1 >= -10000000000;\nR5: -C3 <= -0.09;\n",
    "an integer without a bound": "max: +2 x;\n+2 x <= 7;\nint x;\n",
    "an integer up to 40": "max: x;\nx <= 40;\nint x;\n",
    "a bound that replaces another": "max: x;\nx <= 1;\nx <= 0;\nint x;\n",
    "a declaration that replaces a bound": "max: x;\nx <= 0;\nbin x;\n",
    "a range of another row": "max: x + y;\nR1: x + y >= 0;\nR1: <= 1;\nbin x, y;\n",
    "terms without a sign between": "max: 3 x y;\nc: 3 x y <= 3;\nbin x, y;\n",
    "a real that is free": "min: x;\nc: x + y >= -5;\nfree x;\n",
    "semi-continuous variables": "max: x;\nc: x + y <= 5;\nx <= 10;\nsec x;\n",
    "ordered sets": "min: -x1 -x2;\nc: x1 + x2 <= 3;\nsos2\nSOS1: x1:5,x2:9;\n",
}
"""Files of lp_solve that are no 0/1 problems as OPB would read them."""

AS_LP_ALONE = {
    "weights and x1, x2 alone": "max: +143 x1 +60 x2;\n+120 x1 +210 x2 <= 15000;\n",
    "two sides": "max: x;\n-5 <= x <= 5;\n",
    "variables on both sides": "max: x;\n3 x >= 2 y;\n",
    "a weight that touches its name": "max: 3x + 2y;\nc: 3x + 2y <= 4;\n",
}

DECLARED = {
    "binary": ("max: 3 x + 2 y;\nc1: x + y < 1;\nbin x, y;\n", lambda x, y: x + y <= 1, 3),
    "integers up to 1": (
        "/* t */ max: 2 x + 3 y;\nc: 2 x + 2 y < 4;\nx <= 1; y < 1;\nint x, y;\n",
        lambda x, y: 2 * x + 2 * y <= 4,
        5,
    ),
    "a constant, and bounds the other way round": (
        "min: x - y;\nR1: x + y > 1;\nx = 1;\n-2 y >= -2;\nint y;\n",
        lambda x, y: x + y >= 1 and x == 1,
        0,
    ),
    "both kinds": (
        "max: x - y;\nR1: x - y >= 0.5;\nx <= 1;\nint x;\nbinary y;\n",
        lambda x, y: x - y >= 0.5,
        1,
    ),
}


def refusal(text, name):
    with pytest.raises(FormatError) as caught:
        read_problem(io.BytesIO(text.encode()), name)
    return str(caught.value)


@pytest.mark.parametrize("name", [None, "p.lp", "p.txt"])
@pytest.mark.parametrize("text", OF_LP_SOLVE.values(), ids=OF_LP_SOLVE)
def test_what_lp_solve_reads_otherwise_is_refused_by_the_name_of_its_format(text, name):
    assert "lp_solve's LP format" in refusal(text, name)


@pytest.mark.parametrize("text", AS_LP_ALONE.values(), ids=AS_LP_ALONE)
def test_a_name_in_lp_is_enough_to_be_of_lp_solve(text):
    assert "lp_solve's LP format" in refusal(text, "a_folder/p.LP")


@pytest.mark.parametrize(("text", "holds", "best"), DECLARED.values(), ids=DECLARED)
@pytest.mark.parametrize("name", [None, "p.lp", "p.opb"])
def test_where_all_variables_are_declared_0_1_it_is_read_as_lp_solve_does(text, holds, best, name):
    problem = read_problem(io.BytesIO(text.encode()), name)
    names = {name: var for var, name in problem.names.items()}
    values = []
    for x, y in product((0, 1), repeat=2):
        model = {names["x"] if x else -names["x"], names["y"] if y else -names["y"]}
        assert problem.holds(model) == holds(x, y)
        values += [problem.objective.value(model)] if holds(x, y) else []
    assert (max if problem.objective.maximise else min)(values) == best


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("min: +2 x1 +3 y;\n+1 x1 +1 y >= 1;\n", "p.opb"),
        ("R1: +x -y >= 0.5;\n", "A.OPB"),
        ("* #variable= 2 #constraint= 1\nmin: x + y;\nx + y >= 1;\n", "p.lp"),
        ("+1 x1 +1 y <= 5;\n* a comment\n", None),
        ("min: +2 x +3 y;\n+1 x +1 ~y <= 5;\n", None),
        ("@c1 +1 x +1 y <= 5;\n", None),
        ("min: 2 x;\n+1 ~x +1 y <= 5;\n", None),
        ("min: +143 x1 +60 x2;\n+120 x1 +210 x2 >= 150;\n", None),
        ("max: +143 x1 +60 x2;\n+1 ~x1 +x2 <= 1;\n", None),
    ],
)
def test_what_says_that_it_is_opb_is_read_as_opb(text, name):
    problem = read_problem(io.BytesIO(text.encode()), name)
    assert len(problem.constraints) == 1


def test_a_star_in_a_comment_of_lp_solve_says_nothing():
    assert "real" in refusal("/*\n* by hand\n*/\nmax: +2 x;\nc: +3 x <= 4;\n", "p.lp")
