"""LP and MPS: decimals, bounds that fix variables, names; and the names that formats allow."""

import io
import operator
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import Cardinality
from pbcnf.constraints.problem import Objective, Problem
from pbcnf.formats.error import FormatError
from pbcnf.formats.names import legal_names
from pbcnf.formats.problems import open_problem, read_problem, read_whole
from pbcnf.formats.read import mps
from tests.oracles import assignments, true_literals
from tests.problem_files import models_of, read, written


def test_long_sums_take_many_lines() -> None:
    every = range(1, 101)
    names = {var: f"{'n' * 50}_{var}" for var in every}
    text = written(Problem(100, (Cardinality(every, 3, 5),), names), "lp")
    assert max(map(len, text.splitlines())) <= 255
    assert read(text).constraints == (Cardinality(every, lower=3), Cardinality(every, upper=5))


@pytest.mark.parametrize("bound", ["0.5", "0.75", "1e-1", "-.25", "1.249"])
@pytest.mark.parametrize("relation", ["<=", ">=", "="])
def test_decimals_mean_exactly_what_they_say(relation: str, bound: str) -> None:
    rows = f"0.75 x - 2.5e-1 y + .5 z {relation} {bound}"
    problem = read(f"max 0.5 x + 1.25 y + 3\nst\n {rows}\nbin\nx y z\nend\n")
    holds = {"<=": operator.le, ">=": operator.ge, "=": operator.eq}[relation]
    assert models_of(problem) == {
        (x, y, z)
        for x, y, z in assignments(3)
        if holds(Fraction(3 * x - y + 2 * z, 4), Fraction(bound))
    }
    assert problem.objective == Objective((1, 2), (2, 5), 12, maximise=True, scale=4)


def test_sections_without_content_are_passed_over() -> None:
    text = "min\n x\nst\n x + y >= 1\nbounds\n y <= 0.5\nbin\n x\ngen\n y\nsemi\nsos\n\nend\n"
    assert models_of(read(text)) == {(1, 0)}


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
    text = "min\nst\n x + y >= 1\nbounds\n x = 0\n 1 <= z\nbinaries\n y x z\nend\n"
    assert read(text).names == {1: "y", 2: "x", 3: "z"}
    assert models_of(read(text)) == {(1, 0, 1)}
    text = f"{ROWS}{MARKED}RHS\n c 2\nBOUNDS\n FX BND x 0\n BV y\n LO z 1\n UP z 1\nENDATA"
    assert models_of(read(text)) == {(0, 1, 1)}


def test_decimals_of_mps_mean_exactly_what_they_say() -> None:
    entries = " x c 0.75 obj 1.5\n y c -2.5E-1\n z c .5\n"
    text = f"{ROWS}{entries}RHS\n c 0.5 obj 0.25\nRANGES\n c 0.30\nBOUNDS\n{BINARY}"
    problem = read(text)
    assert models_of(problem) == {
        (x, y, z)
        for x, y, z in assignments(3)
        if Fraction(1, 2) <= Fraction(3 * x - y + 2 * z, 4) <= Fraction(8, 10)
    }
    assert problem.objective == Objective((1,), (6,), -1, scale=4)


INTEGERS = (
    "OBJSENSE\n MAX\nNAME t\nROWS\n N obj $ what it is worth\n L c1\nCOLUMNS\n M1 MARKER INTORG\n"
    " x obj 1 c1 1 $ N and 3 words\n y obj 2 c1 1\n M2 MARKER INTEND\nRHS\n rhs c1 1\nENDATA\n"
)


COLUMN = st.sampled_from(
    ["  x  a 1", " y a 2 b -1.5", "\tx b 3 ", " x c 1 a 0", " a a 1", " z b 1e1 $ a 2"]
)
LINES = st.lists(
    st.one_of(
        COLUMN,
        st.sampled_from(
            [" x a", " x d 1", " y a 1 a 2", " y a ten", " x cost -0 c 2", " é a 1", "* x a", ""]
        ),
    ),
    max_size=7,
)


@given(LINES)
def test_plain_lines_of_columns_are_read_as_all_lines_are(lines: list[str]) -> None:
    begin = ["NAME", "ROWS", " N cost", " G a", " L b", " E c", "COLUMNS", " M 'MARKER' 'INTORG'"]
    end = [" M 'MARKER' 'INTEND'", "RHS", " r a 1 b 2", "ENDATA", ""]
    text = "\n".join([*begin, *lines, *end]).encode()

    def outcome() -> object:
        try:
            return mps.read_mps(io.BytesIO(text), "p.mps")
        except FormatError as error:
            return str(error)

    fast = outcome()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mps, "_plain_columns", lambda state: lambda raw, number: False)
        assert outcome() == fast


def test_integer_columns_without_bounds_are_0_1_and_a_note_says_so() -> None:
    with open_problem(io.BytesIO(INTEGERS.encode()), "t.mps") as file:
        problem = read_whole(file)
        [note] = file.notes
    assert "t.mps:9:2: 2 integer columns without bounds, x first: read as 0/1" in note
    found = {problem.objective.value(true_literals(bits)) for bits in models_of(problem)}
    # x + y <= 1 over 0/1; the sense stands before the name.
    assert (found, problem.objective.maximise) == ({0, 1, 2}, True)
    with pytest.raises(FormatError, match="9:2: 2 integer columns without bounds"):
        read_problem(io.BytesIO(INTEGERS.encode()), strict=True)
    # A name that begins with a dollar is no comment.
    text = "ROWS\n N $o\n L $c\nCOLUMNS\n $x $o 1 $c 1\nRHS\n r $c 1\nBOUNDS\n BV b $x\nENDATA\n"
    assert read(text).constraints[0].upper == 1


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.integers(1, 12), st.text(max_size=80) | st.sampled_from(["x3", "X3"])))
def test_names_are_made_legal_and_unique(names: dict[int, str]) -> None:
    legal = legal_names(Problem(12, (), names))
    assert len({name.lower() for name in legal}) == 12
    for name in legal:
        assert name.isascii()
        assert name.isidentifier()
        assert len(name) <= 80


def test_only_words_of_the_formats_and_signs_are_changed_and_can_be_read() -> None:
    words = ["end", "Free", "inf", "st", "e", "E5", "e12", "true", "bvand"]
    kept = ["m_0_2", "easy", "e_1", "ending", "interior", "x1", "n_bit0"]
    changed = {
        "n>=3": "n_ge_3", "n=-1": "n_eq_m1", "n=1": "n_eq_1", "('a', -2)<=5": "v__a_m2__le_5",
        "a-1": "a_1", "- 1": "v__1",
    } | {word: f"v_{word}" for word in words} | {word: word for word in kept}  # fmt: skip
    names = dict(enumerate(changed, start=1))
    assert legal_names(Problem(len(names), (), names)) == list(changed.values())
