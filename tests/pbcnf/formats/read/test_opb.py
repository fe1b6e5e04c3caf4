import io
import re
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbcnf import PseudoBoolean
from pbcnf.constraints.problem import Objective, Problem
from pbcnf.formats.error import FormatError
from pbcnf.formats.problem_file import FileLines
from pbcnf.formats.problems import read_whole
from pbcnf.formats.read.opb import open_opb


def opened(text, strict=False):
    data = text if isinstance(text, bytes) else text.encode()
    return open_opb(FileLines(lambda: io.BytesIO(data), "p.opb", strict))


def read(text, strict=True):
    return list(opened(text, strict).constraints)


def whole(text):
    return read_whole(opened(text))


def test_the_example_of_the_format_is_read():
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
    assert list(problem.constraints) == [
        PseudoBoolean([1, 2, 5], [1, 4, -2], lower=2),
        PseudoBoolean([1, -2, 5], [-1, 4, -2], lower=3),
        PseudoBoolean([4, 3], [12345678901234567890, 4], lower=10),
        PseudoBoolean([2, 4, 1, 5], [2, 3, 2, 3], lower=5, upper=5),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("+1 x1 +1 x2 >= 1 ; +2 x1 = 2;", [([1, 2], [1, 1], 1, None), ([1], [2], 2, 2)]),
        ("+1 x1\n+1\n x2 >=\r\n 1\n;", [([1, 2], [1, 1], 1, None)]),
        ("+1 x1\n* between\n +1 x2 >= 1;", [([1, 2], [1, 1], 1, None)]),
        ("\t+3  x1 -2 ~x1>=-1;", [([1, -1], [3, -2], -1, None)]),
        ("1 x1 <= 0;", [([1], [1], None, 0)]),
        ("1 x1 < 0; -1 ~x1 > -5;", [([1], [1], None, -1), ([-1], [-1], -4, None)]),
        (
            "+1*x1 -2*~x2 >= 1; 3 * x1 +4 *\nx2 >= 1;",
            [([1, -2], [1, -2], 1, None), ([1, 2], [3, 4], 1, None)],
        ),
        (
            "c1: +x1 -~x2 >= 1; R1.: x2 <= 0; + 3 x1 - x2 -2 x1 > 1;",
            [([1, -2], [1, -1], 1, None), ([2], [1], None, 0), ([1, 2, 1], [3, -1, -2], 2, None)],
        ),
        ("@c1 +1 x1 >= 1; @a[2] +1*x1<=0;", [([1], [1], 1, None), ([1], [1], None, 0)]),
        ("+1 x2 x2 +3 x1 ~x1 >= 1;", [([2], [1], 1, None)]),
        (">= 0;", [([], [], 0, None)]),
        ("* only comments\n", []),
    ],
    ids=[
        "two on a line",
        "one over many lines",
        "a comment inside",
        "no spaces where none are needed",
        "at most",
        "less and greater",
        "stars, as it was written in 2005",
        "labels, signs and weights left out, as before 2005",
        "labels",
        "products that are none",
        "an empty sum",
        "no constraint",
    ],
)
def test_other_layouts_of_the_same_are_read(text, expected):
    assert read(text) == [PseudoBoolean(*terms) for terms in expected]


MALFORMED = {
    "no semicolon at the end": ("+1 x1 >= 1", "1:10: the last statement has no ';'"),
    "no semicolon between": ("1 x1 >= 1\n1 x2 >= 1;", "2:1: '1' after the bound: ';' is missing"),
    "an unknown relation": ("+1 x1 => 1;", "1:7: '=>' is no integer weight, >=, <=, =, > or <"),
    "a product without a weight": ("x1 x2 >= 1;", "1:4: x2 has no weight or sign: a term is +2"),
    "no weight or sign": ("+x1 ~x2 >= 1;", "1:5: ~x2 has no weight or sign"),
    "two signs": ("+ -1 x2 >= 1;", "1:3: '-1' after the sign +: a number or a name is"),
    "two signs before a name": ("- -x2 >= 1;", "1:3: '-x2' after the sign -: a number"),
    "a sign alone": ("1 x1 + >= 1;", "1:8: '>=' after the sign +: a number"),
    "a sign at the end": ("min: 1 x1 - ;", "1:11: nothing follows the last sign"),
    "a name no variable can have": ("+1 x1\n +1 y? >= 1;", "2:5: 'y?' is no variable"),
    "a fraction in the objective": ("min: +1*x1 +0.5 x2 ;", "1:12: '+0.5' is no integer weight"),
    "a relation in the objective": ("max: +1 x1 >= 2 ;", "1:12: '>=' is no integer weight: every"),
    "a constant in the objective": ("min: +1 x1 +7 ;", "1:13: the last weight has no variable"),
    "a star without a variable": ("+1*x1 >= 1;\n+1* >= 1;", "2:5: '>=' is no variable"),
    "two stars": ("+1**x1 >= 1;", "1:4: '*' is no variable"),
    "a label alone": ("@ +1 x1 >= 1;", "1:1: '@' is no integer weight"),
    "a label in the middle": ("+1 x1 @a >= 1;", "1:7: '@a' is no integer weight"),
    "an implication": ("+1 x1 ==> +1 x2 >= 1;", "1:7: '==>' is no integer weight, >="),
    "a double negation": ("+1 ~~x1 >= 2 ;", "1:4: '~~x1' is no variable"),
    "no bound": ("1 x1 >= ;", "1:7: the bound is missing"),
    "no relation": ("1 x1 ;", "1:4: a constraint needs >=, <=, =, > or < and a bound"),
    "no variable at the end": ("1 x1 1 ;", "1:6: the last weight has no variable"),
    "a fraction": ("1.5 x1 >= 1 ;", "1:1: '1.5' is no integer weight"),
    "an underscore in a number": ("1_0 x1 >= 1 ;", "1:1: '1_0' is no integer weight"),
    "a bound that is no number": ("1 x1 >= one ;", "1:9: 'one' is no integer bound"),
    "a digit that is not ASCII": ("\u0663 x1 >= 1 ;", "1:1: '\\xd9\\xa3' is no integer weight"),
    "a control character": (b"1 x1 >= \x07 ;", "1:9: '\\x07' is no integer bound"),
    "a second objective": (
        "1 x1 >= 1;\nmin: 1 x1;\nmax: 1 x1;",
        "3:1: a second objective: the first is in line 2",
    ),
    "soft, and no number": ("soft: many ;", "1:7: 'many': after 'soft:' comes one number"),
    "soft, and two numbers": ("soft: 4 5 ;", "1:9: '5': after 'soft:' comes one number"),
    "a soft constraint that weighs nothing": (
        "[0] 1 x1 >= 1;",
        "1:1: '[0]' is no weight of a soft",
    ),
    "a soft constraint of a weight below 0": ("[-3] 1 x1 >= 1;", "1:1: '[-3]' is no weight of a"),
    "soft twice": ("soft: 3;\nsoft: 4;", "2:1: a second 'soft:'"),
    "an objective beside soft constraints": ("[3] 1 x1 >= 1;\nmin: 1 x1;", "2:1: an objective be"),
    "a variable beyond the declared": (
        "* #variable= 1 #constraint= 1\n1 x1 1 ~x2 >= 1;",
        "2:8: variable ~x2: 1 variable is declared",
    ),
    "more constraints than declared": (
        "* #variable= 1 #constraint= 1\n1 x1 >= 1;\n1 x1 >= 0;",
        "3:1: constraint 2, but 1 is declared",
    ),
    "fewer constraints than declared": (
        "* #variable= 1 #constraint= 3\n1 x1 >= 1;\n",
        "2: the file ends after 1 of 3 declared constraints",
    ),
    "a huge declared number": ("* #variable= 99999999999999 #constraint= 1\n", "1:14: 9999"),
    "a declared number that is none": ("* #variable= many\n", "1:14: #variable= needs a number"),
    "a variable no literal can name": ("1 x9999999999 >= 1;", "1:3: variable x9999999999"),
    "a name longer than any number": (f"1 x{'9' * 99} >= 1;", "1:3: variable x999"),
    "a weight of 5000 digits": (f"1 x1 {'9' * 5000} x2 >= 1;", "1:6: an integer of more than"),
    "a bound of 5000 digits": (f"1 x1 >= {'9' * 5000};", "1:9: an integer of more than 4000"),
}


@pytest.mark.parametrize(("text", "message"), MALFORMED.values(), ids=MALFORMED)
def test_malformed_text_is_refused_at_its_place(text, message):
    with pytest.raises(FormatError) as error:
        read(text)
    assert str(error.value).startswith(f"p.opb:{message}")
    assert str(error.value).isprintable()


@settings(max_examples=300, deadline=None)
@given(
    st.binary(max_size=60)
    | st.text("+-12 x~>=<;*\n", max_size=60).map(str.encode)
    | st.text("+1 xy0~>=<;*\n@[]minsoft:", max_size=60).map(str.encode)
)
@example(b"1 x1 >= 1;" * 3)
def test_any_bytes_are_read_or_refused(data):
    try:
        problem = read_whole(opened(data))
    except FormatError:
        return
    assert isinstance(problem, Problem)


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
    parts = ["+1 x1 +1 x2 >= 1 ;\n", "+1 x1 >= 0 ;\n"]
    parts.insert(place, "max: -2*x1 +1*~x2 ;\n")
    problem = whole("".join(parts))
    assert problem.objective == Objective((1, -2), (-2, 1), maximise=True)
    assert len(problem.constraints) == 2


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
    "constraints that are not there": (
        "* #variable= 2 #constraint= 3\n1 x1 >= 1;\n1 x2 >= 0;",
        "3: the file ends after 2 of 3",
    ),
    "a variable": ("* #variable= 1 #constraint= 1\n1 x1 1 ~x3 >= 1;", "2:8: variable ~x3: 1 varia"),
    "a name": ("* #variable= 1 #constraint= 1\n1 x1 1 y >= 1;", "2:8: variable y: 1 variable is"),
    "a constraint": (
        "* #variable= 2 #constraint= 1\n1 x1 >= 1;\n1 x2 >= 0;\n1 x2 >= 0;",
        "3:1: const",
    ),
}


@pytest.mark.parametrize(("text", "message"), WRONG_HEADERS.values(), ids=WRONG_HEADERS)
def test_a_header_that_is_wrong_about_the_file_is_noted_once_or_refused(text, message):
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


def assignments(problem):
    """Every assignment of the names, and the objective values of the models that extend it."""
    number = {name: var for var, name in problem.variables()}
    rest = [var for name, var in number.items() if name not in VARIABLES]
    for bits in product((False, True), repeat=len(VARIABLES)):
        values = dict(zip(VARIABLES, bits, strict=True))
        fixed = {
            number[name] * (1 if bit else -1) for name, bit in values.items() if name in number
        }
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
    lines = [
        f"{text_of(terms, form)} {relation} {bound} ;" for terms, relation, bound in constraints
    ]
    lines.insert(1, f"min: {text_of(objective, form)} ;")
    problem = whole("\n".join(lines))
    sets = {
        frozenset(factors)
        for terms in [objective, *(terms for terms, _, _ in constraints)]
        for _, factors in terms
    }
    shared = [
        each for each in sets if len(each) > 1 and not any((not n, v) in each for n, v in each)
    ]
    assert sum("*" in name for _, name in problem.variables()) == len(shared)
    for values, costs in assignments(problem):
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
    for values, costs in assignments(whole("\n".join(lines))):
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
