import io
from fractions import Fraction
from itertools import product

import pytest

from pbcnf.constraints.problem import Objective
from pbcnf.formats.error import FormatError
from pbcnf.formats.problems import open_problem, read_problem, read_whole
from tests.problem_files import models_of, read

ROWS = "NAME\nROWS\n N obj\n G c\nCOLUMNS\n"
ENTRIES = " x c 1 obj 1\n y c 1\n z c 1\n"
BINARY = " BV BND x\n BV BND y\n BV BND z\nENDATA\n"
PLAIN = f"{ROWS}{ENTRIES}RHS\n RHS c 2\nBOUNDS\n{BINARY}"
MARKED = f" M MARKER INTORG\n{ENTRIES} M 'MARKER' 'INTEND'\n"


def test_names_are_utf_8() -> None:
    names = ["m\u00e0", "m\u0663", "\u4e2d"]
    text = PLAIN.replace("x", names[0]).replace("y", names[1]).replace("z", names[2])
    assert list(read(text.replace("obj", "o")).names.values()) == names


def test_a_bound_that_fixes_a_variable_becomes_a_constraint() -> None:
    text = f"{ROWS}{MARKED}RHS\n c 2\nBOUNDS\n FX BND x 0\n BV y\n LO z 1\n UP z 1\nENDATA"
    assert models_of(read(text)) == {(0, 1, 1)}


def test_decimals_mean_exactly_what_they_say() -> None:
    entries = " x c 0.75 obj 1.5\n y c -2.5E-1\n z c .5\n"
    text = f"{ROWS}{entries}RHS\n c 0.5 obj 0.25\nRANGES\n c 0.30\nBOUNDS\n{BINARY}"
    problem = read(text)
    assert models_of(problem) == {
        (x, y, z)
        for x, y, z in product((0, 1), repeat=3)
        if Fraction(1, 2) <= Fraction(3 * x - y + 2 * z, 4) <= Fraction(8, 10)
    }
    assert problem.objective == Objective((1,), (6,), -1, scale=4)


INTEGERS = """OBJSENSE
 MAX
NAME t
ROWS
 N obj $ what it is worth
 L c1
COLUMNS
 M1 MARKER INTORG
 x obj 1 c1 1 $ N and 3 words
 y obj 2 c1 1
 M2 MARKER INTEND
RHS
 rhs c1 1
ENDATA
"""


def test_integer_columns_without_bounds_are_0_1_and_a_note_says_so() -> None:
    with open_problem(io.BytesIO(INTEGERS.encode()), "t.mps") as file:
        problem = read_whole(file)
        [note] = file.notes
    assert "t.mps:9:2: 2 integer columns without bounds, x first: read as 0/1" in note
    found = {
        problem.objective.value(model)
        for signs in product((1, -1), repeat=2)
        if problem.holds(model := {sign * var for var, sign in enumerate(signs, start=1)})
    }
    # x + y <= 1 over 0/1; the sense stands before the name.
    assert (found, problem.objective.maximise) == ({0, 1, 2}, True)
    with pytest.raises(FormatError, match="9:2: 2 integer columns without bounds"):
        read_problem(io.BytesIO(INTEGERS.encode()), strict=True)


def test_a_name_that_begins_with_a_dollar_is_no_comment() -> None:
    text = "ROWS\n N $o\n L $c\nCOLUMNS\n $x $o 1 $c 1\nRHS\n r $c 1\nBOUNDS\n BV b $x\nENDATA\n"
    assert read(text).constraints[0].upper == 1
