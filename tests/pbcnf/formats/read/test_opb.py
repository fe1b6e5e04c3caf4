"""OPB as it is read, of other programs too, and lp_solve's format, which looks like OPB."""

import io
import json
import re
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbcnf import PseudoBoolean
from pbcnf.constraints.problem import Objective
from pbcnf.formats.error import FormatError
from pbcnf.formats.problem_file import FileLines
from pbcnf.formats.problems import read_problem, read_whole
from pbcnf.formats.read.opb import open_opb
from tests.oracles import assignments, true_literals
from tests.problem_files import models_of

DATA = Path(__file__).parents[3] / "data" / "opb"


def opened(text, strict=False):
    data = text if isinstance(text, bytes) else text.encode()
    return open_opb(FileLines(lambda: io.BytesIO(data), "p.opb", strict))


def read(text, strict=True):
    return list(opened(text, strict).constraints)


def whole(text):
    return read_whole(opened(text))


def test_the_example_of_the_format_is_read_and_a_sum_and_a_file_may_be_empty():
    text = """* #variable= 5 #constraint= 4 #equal= 1 intsize= 64
*
* a comment
min: 1 x2 -1 x3 ;
1 x1 +4 x2 -2 x5 >= 2;
-1 x1 +4 ~x2 -2 x5 >= +3;
12345678901234567890 x4 +4 x3 >= 10;
* an equality
2 x2 +3 x4 +2 x1 +3 x5 = 5 ;
"""
    problem = whole(text)
    assert problem.objective == Objective((2, 3), (1, -1))
    assert read(">= 0;") == [PseudoBoolean([], [], 0, None)]
    assert read("* only comments\n") == []
    assert list(problem.constraints) == [
        PseudoBoolean([1, 2, 5], [1, 4, -2], lower=2),
        PseudoBoolean([1, -2, 5], [-1, 4, -2], lower=3),
        PseudoBoolean([4, 3], [12345678901234567890, 4], lower=10),
        PseudoBoolean([2, 4, 1, 5], [2, 3, 2, 3], lower=5, upper=5),
    ]


TERMS = st.lists(
    st.tuples(st.sampled_from([1, -1, 2, -2, 3, -3]), st.integers(-(10**30), 10**30)), max_size=5
)


@given(
    st.lists(st.tuples(TERMS, st.sampled_from([">=", "=", "<="]), st.integers()), max_size=4),
    st.sampled_from([" ", "*"]),
)
def test_what_is_written_by_hand_is_read_back(constraints, between):
    text = "".join(
        " ".join(f"{weight:+}{between}{'~' * (lit < 0)}x{abs(lit)}" for lit, weight in terms)
        + f" {relation} {bound} ;\n"
        for terms, relation, bound in constraints
    )
    assert read(text) == [
        PseudoBoolean(
            [lit for lit, _ in terms],
            [weight for _, weight in terms],
            lower=None if relation == "<=" else bound,
            upper=None if relation == ">=" else bound,
        )
        for terms, relation, bound in constraints
    ]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_objective_may_stand_anywhere(place):
    for objective in "max: -2*x1 +1*~x2 ;\n", "max:-2 x1 +1 ~x2 ;\n":
        parts = ["+1 x1 +1 x2 >= 1 ;\n", "+1 x1 >= 0 ;\n"]
        parts.insert(place, objective)
        problem = whole("".join(parts))
        assert problem.objective == Objective((1, -2), (-2, 1), maximise=True)
        assert len(problem.constraints) == 2


def test_an_objective_with_decimals_says_how_many_times_it_is_what_was_written():
    problem = whole("min: 0.25 x1 -1.5 x2 ;\n0.5 x1 +0.5 x2 >= 0.5 ;\n")
    assert problem.objective == Objective((1, 2), (1, -6), scale=4)
    assert problem.constraints == (PseudoBoolean([1, 2], [1, 1], lower=1),)


def test_a_minus_in_brackets_is_part_of_a_name():
    assert whole("1 y_{1}^[-4,2] >= 1 ;").names == {1: "y_{1}^[-4,2]"}
    with pytest.raises(FormatError, match="'y-2' is no variable"):
        read("1 y-2 >= 1;")


def test_names_are_kept_and_x_i_stays_i():
    problem = whole("+1 y_x1_5 +1 x0 +1 ~x3 >= 1 ;\n+1 x0 +1 x1 >= 1;\nmin: +1 z[2] ;")
    assert problem.names == {4: "y_x1_5", 5: "x0", 6: "z[2]"}
    assert problem.num_vars == 6
    assert [constraint.lits for constraint in problem.constraints] == [(4, 5, -3), (5, 1)]
    assert problem.objective == Objective((6,), (1,))


def test_a_leading_zero_makes_another_name():
    problem = whole("min: +x01 -x1 ;\nc1: +x2 -x001 >= 0 ;\n")
    assert problem.names == {3: "x01", 4: "x001"}
    assert problem.objective == Objective((3, 1), (1, -1))
    assert problem.constraints == (PseudoBoolean([2, 4], [1, -1], lower=0),)


def test_as_many_names_as_are_declared_are_no_more():
    text = "* #variable= 3 #constraint= 1\n+1 x0 +1 x1 +1 x2 >= 2 ;\n"
    assert read(text) == [PseudoBoolean([3, 1, 2], [1, 1, 1], lower=2)]


WRONG_HEADERS = {
    "2 #constraint= 3\n1 x1 >= 1;\n1 x2 >= 0;": "3: the file ends after 2 of 3",
    "1 #constraint= 1\n1 x1 1 ~x3 >= 1;": "2:8: variable ~x3: 1 varia",
    "1 #constraint= 1\n1 x1 1 y >= 1;": "2:8: variable y: 1 variable is",
    "2 #constraint= 1\n1 x1 >= 1;\n1 x2 >= 0;\n1 x2 >= 0;": "3:1: const",
}


@pytest.mark.parametrize(("text", "message"), WRONG_HEADERS.items())
def test_a_header_that_is_wrong_about_the_file_is_noted_once_or_refused(text, message):
    text = f"* #variable= {text}"
    file = opened(text)
    problem = read_whole(file)
    assert [note.startswith(f"p.opb:{message}") for note in file.notes] == [True]
    used = {abs(lit) for constraint in problem.constraints for lit in constraint.lits}
    assert max(used) <= problem.num_vars
    assert len(problem.constraints) == text.count(">=")
    with pytest.raises(FormatError, match=re.escape(message)):
        read(text, strict=True)


FORMS = ["{:+} ", "{:+}*", "{:+} * ", "1995"]
VARIABLES = ["x1", "x2", "x0", "y_3"]
LITERAL = st.tuples(st.booleans(), st.sampled_from(VARIABLES))
PRODUCTS = st.lists(
    st.tuples(st.integers(-4, 4), st.lists(LITERAL, min_size=1, max_size=3)), max_size=4
)
RELATIONS = {
    ">=": lambda a, b: a >= b, "<=": lambda a, b: a <= b, "=": lambda a, b: a == b,
    ">": lambda a, b: a > b, "<": lambda a, b: a < b,
}  # fmt: skip
NONLINEAR = st.tuples(PRODUCTS, st.sampled_from(sorted(RELATIONS)), st.integers(-5, 6))


def text_of(terms, form="{:+} "):
    words = []
    for weight, factors in terms:
        # A weight of 1 may be left out, but not that of a product.
        short = form == "1995" and len(factors) == 1
        sign = "-" if weight < 0 else "+"
        start = f"{sign} {abs(weight)} " if form == "1995" else form.format(weight)
        if short and abs(weight) == 1:
            start = sign
        words.append(start + " ".join("~" * negated + name for negated, name in factors))
    return " ".join(words)


def value(terms, values):
    return sum(
        weight * all(values[name] != negated for negated, name in factors)
        for weight, factors in terms
    )


def extended(problem):
    """Every assignment of the names, and the objective values of the models that extend it."""
    number = {name: var for var, name in problem.variables()}
    rest = [var for name, var in number.items() if name not in VARIABLES]
    for bits in product((False, True), repeat=len(VARIABLES)):
        values = dict(zip(VARIABLES, bits, strict=True))
        fixed = {number[n] * (1 if bit else -1) for n, bit in values.items() if n in number}
        costs = []
        for others in product((1, -1), repeat=len(rest)):
            model = fixed | {sign * var for sign, var in zip(others, rest, strict=True)}
            if problem.holds(model):
                costs.append(0 if problem.objective is None else problem.objective.value(model))
        yield values, costs


@settings(max_examples=60, deadline=None)
@given(st.lists(NONLINEAR, min_size=1, max_size=2), PRODUCTS, st.sampled_from(FORMS))
@example(
    [([(1, [(False, "x1"), (False, "x2")]), (2, [(False, "x2"), (False, "x1")])], ">=", 1)],
    [],
    "{:+} ",
)
def test_products_mean_what_they_say(constraints, objective, form):
    lines = [f"{text_of(terms, form)} {sign} {bound} ;" for terms, sign, bound in constraints]
    lines.insert(1, f"min: {text_of(objective, form)} ;")
    problem = whole("\n".join(lines))
    sums = [objective, *(terms for terms, _, _ in constraints)]
    sets = {frozenset(factors) for terms in sums for _, factors in terms}
    shared = [s for s in sets if len(s) > 1 and not any((not n, v) in s for n, v in s)]
    assert sum("*" in name for _, name in problem.variables()) == len(shared)
    for values, costs in extended(problem):
        right = all(
            RELATIONS[relation](value(terms, values), bound)
            for terms, relation, bound in constraints
        )
        assert costs == [value(objective, values)] * right


SOFT = st.tuples(st.none() | st.integers(1, 5), NONLINEAR)


@settings(max_examples=60, deadline=None)
@given(st.lists(SOFT, min_size=1, max_size=3), st.none() | st.integers(1, 8))
def test_soft_constraints_cost_their_weight_where_they_do_not_hold(constraints, top):
    lines = ["soft: ;" if top is None else f"soft: {top} ;"]
    for weight, (terms, relation, bound) in constraints:
        head = "" if weight is None else f"[{weight}] "
        lines.append(f"{head}{text_of(terms)} {relation} {bound} ;")
    for values, costs in extended(whole("\n".join(lines))):
        broken = [
            weight
            for weight, (terms, relation, bound) in constraints
            if not RELATIONS[relation](value(terms, values), bound)
        ]
        hard = None in broken
        cost = sum(weight or 0 for weight in broken)
        soft = any(weight is not None for weight, _ in constraints)
        if hard or (soft and top is not None and cost >= top):
            assert costs == []
        else:
            assert min(costs) == cost


def test_a_file_is_looked_through_over_the_ends_of_its_pieces():
    lines = "+1 x1 +1 x2 >= 1 ;\n" * 60_000
    assert opened(f"{lines}+1 x1\n\n* c\n{' ' * 99}\n~x2 >= 0;").num_vars == 3
    assert opened(f"{lines}+1 x7 >= 0;").num_vars == 7
    assert opened(f"* #variable= 9\n{lines}+1 x7 >= 0;").num_vars == 9
    assert opened(f"* #variable= 2\n{lines}+1 x19 >= 0;{lines}").num_vars == 19


@pytest.mark.parametrize(
    ("name", "models", "best"),
    [("lp_solve.opb", 4, 1), ("decimals.opb", 3, Fraction(-5, 4))],
    ids=["integers of lp_solve", "decimals of a converter"],
)
def test_what_other_programs_call_opb_is_read(name, models, best):
    problem = read_problem(DATA / name)
    found = [problem.objective.value(true_literals(bits)) for bits in models_of(problem)]
    assert (len(found), Fraction(min(found), problem.objective.scale)) == (models, best)


LINES = (Path(__file__).parents[3] / "data" / "lp_solve.txt").read_text("utf-8").splitlines()
"""Files of lp_solve that are no 0/1 problems as OPB would read them: name | label | JSON."""

DECLARED = {
    "binary": ("max: 3 x + 2 y;\nc1: x + y < 1;\nbin x, y;\n", lambda x, y: x + y <= 1, 3),
    "integers up to 1": ("/* t */ max: 2 x + 3 y;\nc: 2 x + 2 y < 4;\nx <= 1; y < 1;\nint x, y;\n",
                         lambda x, y: True, 5),
    "a constant, and bounds the other way round":
        ("min: x - y;\nR1: x + y > 1;\nx = 1;\n-2 y >= -2;\nint y;\n", lambda x, y: x == 1, 0),
    "both kinds": ("max: x - y;\nR1: x - y >= 0.5;\nx <= 1;\nint x;\nbinary y;\n",
                   lambda x, y: x - y >= 0.5, 1),
}  # fmt: skip


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
    for x, y in assignments(2):
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
