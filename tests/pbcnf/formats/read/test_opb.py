import io

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbcnf import PseudoBoolean
from pbcnf.formats.error import FormatError
from pbcnf.formats.read.opb import ObjectiveStatement, read_constraints, read_header


def read(text):
    data = text if isinstance(text, bytes) else text.encode()
    header = read_header(io.BytesIO(data), "p.opb")
    return list(read_constraints(io.BytesIO(data), "p.opb", header))


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
    assert read(text) == [
        ObjectiveStatement("min: 1 x2 -1 x3"),
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
        (">= 0;", [([], [], 0, None)]),
        ("* only comments\n", []),
    ],
    ids=[
        "two on a line",
        "one over many lines",
        "a comment inside",
        "no spaces where none are needed",
        "at most",
        "an empty sum",
        "no constraint",
    ],
)
def test_other_layouts_of_the_same_are_read(text, expected):
    assert read(text) == [PseudoBoolean(*terms) for terms in expected]


MALFORMED = {
    "no semicolon at the end": ("+1 x1 >= 1", "1:10: the last statement has no ';'"),
    "no semicolon between": ("1 x1 >= 1\n1 x2 >= 1;", "2:1: '1' after the bound: ';' is missing"),
    "an unknown relation": ("+1 x1 > 1;", "1:7: '>' is no weight, >=, <= or ="),
    "a product": ("+1 x1 x2 >= 1;", "1:7: x2 has no weight of its own"),
    "no weight": ("x1 >= 1;", "1:1: x1 has no weight"),
    "another name": ("+1 x1\n +1 y >= 1;", "2:5: 'y' is no variable"),
    "variable zero": ("+1 x1 >= 1; +1 x0 >= 2 ;", "1:16: 'x0' is no variable"),
    "a leading zero": ("+1 x01 >= 2 ;", "1:4: 'x01' is no variable"),
    "a double negation": ("+1 ~~x1 >= 2 ;", "1:4: '~~x1' is no variable"),
    "no bound": ("1 x1 >= ;", "1:7: the bound is missing"),
    "no relation": ("1 x1 ;", "1:4: a constraint needs >=, <= or = and a bound"),
    "no variable at the end": ("1 x1 1 ;", "1:6: the last weight has no variable"),
    "a fraction": ("1.5 x1 >= 1 ;", "1:1: '1.5' is no weight"),
    "an underscore in a number": ("1_0 x1 >= 1 ;", "1:1: '1_0' is no weight"),
    "a bound that is no number": ("1 x1 >= one ;", "1:9: 'one' is no integer bound"),
    "a digit that is not ASCII": ("\u0663 x1 >= 1 ;", "1:1: '\\xd9\\xa3' is no weight"),
    "a control character": (b"1 x1 >= \x07 ;", "1:9: '\\x07' is no integer bound"),
    "a second objective too late": ("1 x1 >= 1;\nmin: 1 x1;", "2:1: the objective comes before"),
    "soft constraints": ("soft: 4 ;\n[2] 1 x1 >= 1;", "1:1: soft constraints"),
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
@given(st.binary(max_size=60) | st.text("+-12 x~>=<;*\n", max_size=60).map(str.encode))
@example(b"1 x1 >= 1;" * 3)
def test_any_bytes_are_read_or_refused(data):
    try:
        statements = read(data)
    except FormatError:
        return
    assert all(
        isinstance(statement, (PseudoBoolean, ObjectiveStatement)) for statement in statements
    )


TERMS = st.lists(
    st.tuples(st.sampled_from([1, -1, 2, -2, 3, -3]), st.integers(-(10**30), 10**30)), max_size=5
)


@given(st.lists(st.tuples(TERMS, st.sampled_from([">=", "=", "<="]), st.integers()), max_size=4))
def test_what_is_written_by_hand_is_read_back(constraints):
    text = "".join(
        " ".join(f"{weight:+} {'~' * (lit < 0)}x{abs(lit)}" for lit, weight in terms)
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
