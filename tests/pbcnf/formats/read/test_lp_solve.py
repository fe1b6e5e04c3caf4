import io
import json
from itertools import product
from pathlib import Path

import pytest

from pbcnf.formats.error import FormatError
from pbcnf.formats.problems import read_problem

LINES = (Path(__file__).parents[3] / "data" / "lp_solve.txt").read_text("utf-8").splitlines()
"""Files of lp_solve that are no 0/1 problems as OPB would read them: name | label | JSON."""

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


@pytest.mark.parametrize("line", LINES)
def test_what_lp_solve_reads_otherwise_is_refused_by_the_name_of_its_format(line):
    name, _, text = line.split(" | ")
    for each in [None, "p.lp", "p.txt"] if name == "any name" else [name]:
        assert "lp_solve's LP format" in refusal(json.loads(text), each)


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
