import gzip
import io
from decimal import Decimal
from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import MAX_VAR, Formula
from pbcnf.formats.read.counting import read_counting
from pbcnf.formats.read.dimacs import read_dimacs
from pbcnf.formats.write.counting import write_counting
from tests.problem_files import formula_of
from tests.problem_files import read as read_with

read = partial(read_with, reader=read_counting)


def written(formula, **arguments):
    stream = io.StringIO()
    write_counting(formula, stream, **arguments)
    return stream.getvalue()


# The layout of the example in the README of ganak.
HAND_WRITTEN = b"""c t pwmc
c by hand
p cnf 5 2
c p weight 1 0.3 0
c p weight -1 4/5 0
1 2 3 0
c p show 1 2 0
-1 2 0
c p show 4 2 0
c p weight 2 -3.4e5 0
"""


def test_kind_projection_weights_and_comments_are_read():
    file = read(HAND_WRITTEN)
    assert (file.formula.num_vars, list(file.formula.clauses())) == (5, [[1, 2, 3], [-1, 2]])
    assert (file.kind, file.show) == ("pwmc", (1, 2, 4))
    assert file.weights == {1: Fraction(3, 10), -1: Fraction(4, 5), 2: Fraction(-340000)}
    assert file.comments == ("by hand",)
    assert read(gzip.compress(HAND_WRITTEN.replace(b"\n", b"\r\n"))).weights == file.weights


def test_the_older_form_of_a_projection_is_read():
    file = read("c ind 1 3 0\nc ind 7 0\np cnf 9 1\n1 2 0\n")
    assert (file.kind, file.show, file.comments) == (None, (1, 3, 7), ())


def test_no_projection_is_not_an_empty_one():
    assert read("p cnf 1 0\n").show is None
    assert read("p cnf 1 0\nc p show 0\n").show == ()
    assert "c p show 0\n" in written(Formula(1), show=[])
    assert "show" not in written(Formula(1))


def test_comments_that_only_begin_alike_are_comments():
    text = "c the t line\nc t is the time\nc p cnf\nc indeed\nc p\nct mc\np cnf 1 0\n"
    file = read(text)
    assert (file.kind, file.show, file.weights) == (None, None, {})
    assert file.comments == ("the t line", "t is the time", "p cnf", "indeed", "p", "t mc")


@pytest.mark.parametrize(
    ("show", "weights", "kind"),
    [
        (None, None, "mc"),
        ([1], None, "pmc"),
        (None, {1: 1}, "wmc"),
        ([1], {1: 1}, "pwmc"),
        ([], {}, "pwmc"),
    ],
)
def test_the_kind_is_what_is_given(show, weights, kind):
    text = written(Formula(1), show=show, weights=weights)
    assert text.startswith(f"c t {kind}\n")
    assert read(text).kind == kind


WEIGHTS = {
    3: "3",
    -2: "-2",
    Fraction(1, 4): "0.25",
    Fraction(-1, 40): "-0.025",
    Fraction(1, 3): "1/3",
    Fraction(-7, 6): "-7/6",
    Fraction(25, 2): "12.5",
    Decimal("0.1"): "0.1",
    Decimal("3e-5"): "0.00003",
    Decimal("12e3"): "12000",
    0: "0",
    Fraction(1, 2**50): str(Fraction(1, 2**50)),
}


@pytest.mark.parametrize("weight", WEIGHTS)
def test_a_weight_is_written_exactly(weight):
    text = written(Formula(1), weights={-1: weight})
    assert f"c p weight -1 {WEIGHTS[weight]} 0\n" in text
    assert read(text).weights == {-1: Fraction(weight)}


@pytest.mark.parametrize(
    "text", ["1", "+1", "1.", ".5", "-0.25", "1e3", "2E-2", "1/3", "-6/4", "0"]
)
def test_every_way_to_write_a_weight_is_read(text):
    assert read(f"p cnf 1 0\nc p weight 1 {text} 0\n").weights == {1: Fraction(text)}


LITS = st.integers(-9, 9).filter(bool) | st.sampled_from([MAX_VAR, -MAX_VAR])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(LITS, max_size=4), max_size=5),
    st.none() | st.lists(LITS.map(abs), max_size=5, unique=True),
    st.none() | st.dictionaries(LITS, st.fractions() | st.decimals("-1e9", "1e9"), max_size=4),
    st.lists(st.text("abx 1", max_size=4), max_size=2),
)
def test_what_is_written_is_read_back(clauses, show, weights, comments):
    text = written(formula_of(MAX_VAR, clauses), show=show, weights=weights, comments=comments)
    file = read(text)
    assert (file.formula.num_vars, list(file.formula.clauses())) == (MAX_VAR, clauses)
    assert file.show == (None if show is None else tuple(show))
    assert file.weights == {lit: Fraction(weight) for lit, weight in (weights or {}).items()}
    assert file.comments == tuple(comment.rstrip() for comment in comments)
    assert list(read_dimacs(io.BytesIO(text.encode()), "f").formula.clauses()) == clauses


def test_a_long_projection_takes_several_lines():
    text = written(Formula(2500), show=range(1, 2501))
    assert text.count("c p show") == 3
    assert read(text).show == tuple(range(1, 2501))


@pytest.mark.parametrize(
    "arguments",
    [
        {"show": [3]},
        {"show": [-1]},
        {"show": [0]},
        {"show": [True]},
        {"weights": {3: 1}},
        {"weights": {1: 0.5}},
        {"weights": {1: True}},
        {"weights": {1: Decimal("nan")}},
        {"weights": {1: Decimal("-inf")}},
        {"weights": {1: 10**1000}},
        {"comments": ["t mc"]},
        {"comments": ["fine", "p show 1 0"]},
        {"comments": ["ind 1 0"]},
        {"comments": ["a p cnf b"]},
    ],
)
def test_what_cannot_be_written_is_refused_before_anything_is(arguments):
    stream = io.BytesIO()
    with pytest.raises((TypeError, ValueError)):
        write_counting(Formula(2), stream, **arguments)
    assert stream.getvalue() == b""


@pytest.mark.parametrize("byte", ["\x0b", "\x0c"])
def test_no_variable_is_lost_behind_what_is_no_blank(byte):
    file = read(f"p cnf 2 1\n1 2 0\nc p{byte}show 1 2 0\n")
    assert (file.show, file.comments) == (None, (f"p{byte}show 1 2 0",))
