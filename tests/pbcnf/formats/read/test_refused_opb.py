import io

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbcnf.constraints.problem import Problem
from pbcnf.formats.error import FormatError
from pbcnf.formats.problem_file import FileLines
from pbcnf.formats.problems import read_whole
from pbcnf.formats.read.opb import open_opb


def read(text, strict=True):
    data = text if isinstance(text, bytes) else text.encode()
    return read_whole(open_opb(FileLines(lambda: io.BytesIO(data), "p.opb", strict)))


MALFORMED = {
    "no semicolon at the end": ("+1 x1 >= 1", "1:10: the last statement has no ';'"),
    "no semicolon between": ("1 x1 >= 1\n1 x2 >= 1;", "2:1: '1' after the bound: ';' is missing"),
    "an unknown relation": ("+1 x1 => 1;", "1:7: '=>' is no weight, >=, <=, =, > or <"),
    "a product without a weight": ("x1 x2 >= 1;", "1:4: x2 has no weight or sign: a term is +2"),
    "no weight or sign": ("+x1 ~x2 >= 1;", "1:5: ~x2 has no weight or sign"),
    "three signs": ("+ - -1 x2 >= 1;", "1:3: '-' after the sign +: a number or a name is"),
    "two signs without a blank": ("--x2 >= 1;", "1:1: '--x2' is no weight"),
    "a sign alone": ("1 x1 + >= 1;", "1:8: '>=' after the sign +: a number"),
    "a sign at the end": ("min: 1 x1 - ;", "1:11: nothing follows the last sign"),
    "a name no variable can have": ("+1 x1\n +1 y? >= 1;", "2:5: 'y?' is no variable"),
    "a fraction in the objective": ("min: +1*x1 +1/2 x2 ;", "1:12: '+1/2' is no weight"),
    "a relation in the objective": (
        "max: +1 x1\n1 x1 >= 2 ;",
        "2:6: '>=' in the objective: a ';' is missing before, or 'max:' is one too many",
    ),
    "a constant in the objective": ("min: +1 x1 +7 ;", "1:13: the last weight has no variable"),
    "a star without a variable": ("+1*x1 >= 1;\n+1* >= 1;", "2:5: '>=' is no variable"),
    "two stars": ("+1**x1 >= 1;", "1:4: '*' is no variable"),
    "a label alone": ("@ +1 x1 >= 1;", "1:1: '@' is no weight"),
    "a label in the middle": ("+1 x1 @a >= 1;", "1:7: '@a' is no weight"),
    "an implication": ("+1 x1 ==> +1 x2 >= 1;", "1:7: '==>' is no weight, >="),
    "a double negation": ("+1 ~~x1 >= 2 ;", "1:4: '~~x1' is no variable"),
    "no bound": ("1 x1 >= ;", "1:7: the bound is missing"),
    "no relation": ("1 x1 ;", "1:4: a constraint needs >=, <=, =, > or < and a bound"),
    "no variable at the end": ("1 x1 1 ;", "1:6: the last weight has no variable"),
    "a fraction": ("3/2 x1 >= 1 ;", "1:1: '3/2' is no weight"),
    "a number too large to be written out": ("1e1000 x1 >= 1 ;", "1:1: '1e1000' is no weight"),
    "a weight and a name in one": ("1 x1 50L9 >= 1 ;", "1:6: '50L9' is no weight"),
    "a comment without an end": ("1 x1 >= 1;\n/* so\n\n", "2:1: the comment has no '*/'"),
    "integers without a comma": ("x<=1;\nint x y;", "2:5: after 'int' come names with commas"),
    "integers and a number": ("x<=1;\nint x, 7;", "2:8: after 'int' come names with commas"),
    "an integer that may be 2": (
        "x <= 1; y <= 2;\nint x, y;",
        "1:9: this is lp_solve's LP format, and a bound",
    ),
    "an integer without a bound": (
        "min: x;\nint x;",
        "1:6: this is lp_solve's LP format, where x <= 1 is missing",
    ),
    "a real beside integers": (
        "x <= 1; x + y >= 1;\nint x;",
        "1:13: this is lp_solve's LP format, where y is real",
    ),
    "an underscore in a number": ("1_0 x1 >= 1 ;", "1:1: '1_0' is no weight"),
    "a bound that is no number": ("1 x1 >= one ;", "1:9: 'one' is no bound"),
    "a digit that is not ASCII": ("\u0663 x1 >= 1 ;", "1:1: '\\xd9\\xa3' is no weight"),
    "a control character": (b"1 x1 >= \x07 ;", "1:9: '\\x07' is no bound"),
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
        problem = read(data, strict=False)
    except FormatError:
        return
    assert isinstance(problem, Problem)
