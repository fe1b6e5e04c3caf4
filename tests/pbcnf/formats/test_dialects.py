"""Dialects of DIMACS: counting, iCNF, CNF+, XCNF and KNF, read and written."""

import gzip
import io
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import MAX_VAR, Cardinality, Choices, Formula, Parity, Problem, PseudoBoolean
from pbcnf.formats.lint import lint
from pbcnf.formats.problems import open_problem
from pbcnf.formats.read.counting import read_counting
from pbcnf.formats.read.dimacs import read_dimacs
from pbcnf.formats.read.icnf import read_icnf
from pbcnf.formats.read.wcnf import MOST_WEIGHT
from pbcnf.formats.write.counting import write_counting
from pbcnf.formats.write.icnf import write_icnf
from pbcnf.formats.write.knf import write_knf
from pbcnf.formats.write.wcnf import write_wcnf
from tests.oracles import assignments, true_literals, weighted_sum
from tests.problem_files import formula_of, models_of, random_instance, read, written

counting, icnf = partial(read, reader=read_counting), partial(read, reader=read_icnf)


def counted(formula, **arguments):
    stream = io.StringIO()
    write_counting(formula, stream, **arguments)
    return stream.getvalue()


# The layout of the example in the README of ganak.
COUNTING = (
    b"c t pwmc\nc by hand\np cnf 5 2\nc p weight 1 0.3 0\nc p weight -1 4/5 0\n1 2 3 0\n"
    b"c p show 1 2 0\n-1 2 0\nc p show 4 2 0\nc p weight 2 -3.4e5 0\n"
)
ICNF = b"c by hand\np inccnf\n1 -2 0\n2 3\n-4 0 c why\na 1 -3 0\na 0\n"


def test_kind_projection_weights_and_comments_are_read():
    for data in COUNTING, gzip.compress(COUNTING.replace(b"\n", b"\r\n")):
        file = counting(data)
        assert (file.formula.num_vars, list(file.formula.clauses())) == (5, [[1, 2, 3], [-1, 2]])
        assert (file.kind, file.show, file.comments) == ("pwmc", (1, 2, 4), ("by hand",))
        assert file.weights == {1: Fraction(3, 10), -1: Fraction(4, 5), 2: Fraction(-340000)}


def test_clauses_cubes_and_comments_are_read():
    for data in ICNF, gzip.compress(b"\xef\xbb\xbf" + ICNF.replace(b"\n", b"\r\n")):
        file = icnf(data)
        assert (file.formula.num_vars, list(file.formula.clauses())) == (4, [[1, -2], [2, 3, -4]])
        assert (file.cubes, file.clauses_before) == (((1, -3), ()), (2, 2))
        assert (file.comments, file.notes) == (("by hand", "why"), ())


def test_a_cube_is_asked_after_the_clauses_before_it():
    file = icnf("p inccnf\na 1 0\n1 2 0\na -1 0\n-2 0 a 3 0")
    assert (file.cubes, file.clauses_before) == (((1,), (-1,), (3,)), (0, 1, 2))
    assert (file.formula.num_vars, file.formula.num_clauses) == (3, 2)


def test_the_older_form_of_a_projection_is_read_and_none_is_not_an_empty_one():
    file = counting("c ind 1 3 0\nc ind 7 0\np cnf 9 1\n1 2 0\n")
    assert (file.kind, file.show, file.comments) == (None, (1, 3, 7), ())
    assert counting("p cnf 1 0\n").show is None
    assert counting("p cnf 1 0\nc p show 0\n").show == ()
    assert "c p show 0\n" in counted(Formula(1), show=[])
    assert "show" not in counted(Formula(1))


def test_comments_that_only_begin_alike_are_comments():
    text = "c the t line\nc t is the time\nc p cnf\nc indeed\nc p\nct mc\np cnf 1 0\n"
    file = counting(text)
    assert (file.kind, file.show, file.weights) == (None, None, {})
    assert file.comments == ("the t line", "t is the time", "p cnf", "indeed", "p", "t mc")
    for byte in "\x0b", "\x0c":  # which are no blanks
        file = counting(f"p cnf 2 1\n1 2 0\nc p{byte}show 1 2 0\n")
        assert (file.show, file.comments) == (None, (f"p{byte}show 1 2 0",))


def test_the_kind_is_what_is_given():
    for kind, show, weights in (
        ("mc", None, None), ("pmc", [1], None), ("wmc", None, {1: 1}), ("pwmc", [1], {1: 1}),
        ("pwmc", [], {}),
    ):  # fmt: skip
        text = counted(Formula(1), show=show, weights=weights)
        assert text.startswith(f"c t {kind}\n")
        assert counting(text).kind == kind


WEIGHTS: dict[Any, str] = {
    3: "3", -2: "-2", Fraction(1, 4): "0.25", Fraction(-1, 40): "-0.025", Fraction(1, 3): "1/3",
    Fraction(-7, 6): "-7/6", Fraction(25, 2): "12.5", Decimal("0.1"): "0.1",
    Decimal("3e-5"): "0.00003", Decimal("12e3"): "12000", 0: "0",
    Fraction(1, 2**50): str(Fraction(1, 2**50)),
}  # fmt: skip


def test_a_weight_is_written_exactly_and_every_way_to_write_one_is_read():
    for weight, word in WEIGHTS.items():
        text = counted(Formula(1), weights={-1: weight})
        assert f"c p weight -1 {word} 0\n" in text
        assert counting(text).weights == {-1: Fraction(weight)}
    for text in "1", "+1", "1.", ".5", "-0.25", "1e3", "2E-2", "1/3", "-6/4", "0":
        assert counting(f"p cnf 1 0\nc p weight 1 {text} 0\n").weights == {1: Fraction(text)}


LITS = st.integers(-9, 9).filter(bool) | st.sampled_from([MAX_VAR, -MAX_VAR])
CLAUSES = st.lists(st.lists(LITS, max_size=4), max_size=6)


@settings(max_examples=60, deadline=None)
@given(
    CLAUSES,
    st.none() | st.lists(LITS.map(abs), max_size=5, unique=True),
    st.none() | st.dictionaries(LITS, st.fractions() | st.decimals("-1e9", "1e9"), max_size=4),
    st.lists(st.text("abx 1", max_size=4), max_size=2),
)
def test_a_counting_problem_is_read_as_it_was_written(clauses, show, weights, comments):
    text = counted(formula_of(MAX_VAR, clauses), show=show, weights=weights, comments=comments)
    file = counting(text)
    for formula in file.formula, read(text, reader=read_dimacs).formula:
        assert (formula.num_vars, list(formula.clauses())) == (MAX_VAR, clauses)
    assert file.show == (None if show is None else tuple(show))
    assert file.weights == {lit: Fraction(weight) for lit, weight in (weights or {}).items()}
    assert file.comments == tuple(comment.rstrip() for comment in comments)


@settings(max_examples=60, deadline=None)
@given(CLAUSES, CLAUSES, st.lists(st.text("ab 1p", max_size=4), max_size=2))
def test_clauses_and_cubes_are_read_as_they_were_written(clauses, cubes, comments):
    stream = io.BytesIO()
    write_icnf(formula_of(MAX_VAR, clauses), cubes, stream, comments)
    file = icnf(stream.getvalue())
    assert (list(file.formula.clauses()), file.cubes) == (clauses, tuple(map(tuple, cubes)))
    assert set(file.clauses_before) <= {len(clauses)}
    assert file.comments == tuple(comment.rstrip() for comment in comments)
    largest = max((abs(lit) for lits in [*clauses, *cubes] for lit in lits), default=0)
    assert file.formula.num_vars == largest


def test_a_long_projection_takes_several_lines():
    text = counted(Formula(2500), show=range(1, 2501))
    assert text.count("c p show") == 3
    assert counting(text).show == tuple(range(1, 2501))


REFUSED: dict[str, list[dict[str, Any]]] = {
    "counting": [
        *({"show": [wrong]} for wrong in (3, -1, 0, True)), {"weights": {3: 1}},
        *({"weights": {1: w}} for w in (0.5, True, Decimal("nan"), Decimal("-inf"), 10**1000)),
        {"comments": ["t mc"]}, {"comments": ["fine", "p show 1 0"]}, {"comments": ["ind 1 0"]},
        {"comments": ["a p cnf b"]},
    ],
    "icnf": [{"cubes": [[1], [wrong]]} for wrong in (3, 0, True, "1", 1.0)],
    "wcnf": [
        *({"soft": [(wrong, [1])]} for wrong in (0, -1, 1.5, True)), {"soft": [(1, [3])]},
        {"soft": [(1, [0])]}, {"soft": [(MOST_WEIGHT, [1]), (1, [2])]},
    ],
}  # fmt: skip
WRITERS: dict[str, Any] = {"counting": write_counting, "icnf": write_icnf, "wcnf": write_wcnf}


@pytest.mark.parametrize(
    ("name", "wrong"), [(name, each) for name in REFUSED for each in REFUSED[name]], ids=str
)
def test_what_cannot_be_written_is_refused_before_anything_is(name, wrong):
    stream = io.BytesIO()
    with pytest.raises((TypeError, ValueError)):
        WRITERS[name](Formula(2), stream=stream, **wrong)
    assert stream.getvalue() == b""


def test_clauses_counts_and_weighted_sums_of_cnf_plus_are_read():
    text = "c first\np cnf+ 4 5\n1 -2 0\n1 2 3 <= 2\nc var 1 a\n -1 2 -4>=1\n"
    text += "w 2*1 3*-4 -1*2 <= +3\r\n0\n"
    assert read(text) == Problem(4, (
        Cardinality([1, -2], lower=1), Cardinality([1, 2, 3], upper=2),
        Cardinality([-1, 2, -4], lower=1), PseudoBoolean([1, -4, 2], [2, 3, -1], upper=3),
        Cardinality([], lower=1),
    ), {1: "a"})  # fmt: skip
    assert open_problem(lambda: io.BytesIO(text.encode())).format == "cnf+"
    one_row = Problem(3, (Cardinality([1, 2, 3], 0, 1),))
    assert written(one_row, "cnf+") == "p cnf+ 3 1\n1 2 3 <= 1\n"


@settings(max_examples=100, deadline=None)
@given(st.randoms(use_true_random=False))
def test_what_is_written_in_cnf_plus_has_the_same_models_in_pysat_and_is_read_back(rng):
    formula = pytest.importorskip("pysat.formula")
    problem = random_instance(rng)
    text = written(problem, "cnf+")
    theirs, again = formula.CNFPlus(from_string=text), read(text)
    expected = models_of(problem)
    assert (models_of(again), again.names.keys()) == (expected, problem.names.keys())
    for bits in assignments(problem.num_vars):
        model = true_literals(bits)
        holds = all(model.intersection(clause) for clause in theirs.clauses) and all(
            weighted_sum(lits, bits, *weights) <= bound for lits, bound, *weights in theirs.atmosts
        )
        assert holds == (bits in expected)


def test_xor_lines_are_read_several_on_a_line_empty_ones_and_repeated_literals_too() -> None:
    found = read("c hello\np cnf 4 3\n1 -2 0\nx1 2 -3 0\n4 0\n").constraints
    assert found == (Cardinality([1, -2], 1), Parity([1, 2, -3], True), Cardinality([4], 1))
    assert read("p cnf 4 4\nx1 2 0 x-4 0 x0 3 0\n").constraints == (
        Parity([1, 2], True), Parity([-4], True), Parity([], True), Cardinality([3], 1)
    )  # fmt: skip
    assert read("p cnf 2 1\nx1 1 -1 2 0\n").constraints == (Parity([1, 1, -1, 2], True),)

    [finding] = lint([b"p cnf 3 2\n", b"1 -2 0\n", b"x1 2 -3 0\n"])
    assert (finding.rule, finding.line, "XOR line" in finding.message) == ("literal", 3, True)


def test_a_parity_that_never_holds_is_the_empty_clause_and_other_formats_have_them_encoded():
    assert written(Problem(1, (Parity([1, 1], True),)), "xcnf") == "p cnf 1 1\n0\n"
    problem = Problem(6, (Parity(range(1, 7), True),))
    for format in ("cnf", "wcnf", "icnf", "pmc"):
        lines = written(problem, format, choices=Choices(parity="cut_3")).splitlines()
        assert not any(line.startswith("x") for line in lines)
        assert sum(line.endswith(" 0") for line in lines if line[0] not in "cp") == 16


def test_clauses_and_klauses_are_read_with_repeated_and_opposite_literals():
    text = "c f\u00fcrst\np knf 9 3\n1 -2 0\nc between\nk 2 1 2 -3 4 0\n0\n"
    lines = (Cardinality([1, -2], lower=1), Cardinality([1, 2, -3, 4], 2), Cardinality([], 1))
    assert read(text) == Problem(9, lines)
    assert read("p knf 2 1\nk 2 1 1 -2 2 0").constraints == (Cardinality([1, 1, -2, 2], 2),)


def klauses(text: str) -> set[tuple[int, ...]]:
    """The models of a KNF file whose lines are one constraint each."""
    lines = [line.split() for line in text.splitlines() if not line.startswith("c")]
    (p, knf, variables, count), *rows = lines
    assert (p, knf, int(count)) == ("p", "knf", len(rows))
    constraints = []
    for row in rows:
        bound, *lits = map(int, row[1:] if row[0] == "k" else ["1", *row])
        assert lits.pop() == 0
        assert len(set(map(abs, lits))) == len(lits)
        constraints.append((lits, bound))
    return {
        bits
        for bits in assignments(int(variables))
        if all(weighted_sum(lits, bits) >= bound for lits, bound in constraints)
    }


@pytest.mark.parametrize(
    ("row", "message"),
    [(PseudoBoolean([1, 2, 3], [2, 1, 1], lower=2), "a weighted sum"),
     (Cardinality([1, 1, 2, 3], lower=2), "a weighted sum"),
     (PseudoBoolean([1, 2, 3], [1, -2, 1], lower=0, upper=0), "a weighted sum"),
     (Parity([1, 2, 3], True), "a parity,.* of 3 literals")],
)  # fmt: skip
def test_what_knf_cannot_hold_is_refused_by_its_number(row, message: str) -> None:
    stream = io.BytesIO()
    with pytest.raises(ValueError, match=f"^constraint 2: KNF cannot hold {message}"):
        write_knf(Problem(3, (Cardinality([1], 1), row)), stream)
    assert stream.getvalue() == b""
    for comment in "p knf 1 1", "see p   cnf", "f\u00fcrst":
        with pytest.raises(ValueError, match="comment must"):
            write_knf(Problem(1, ()), stream, comments=(comment,))
    assert stream.getvalue() == b""


def test_knf_holds_parities_of_two_literals() -> None:
    short = Problem(3, (Parity([1, -2], True), Parity([3], False), Parity([1, 1], False)))
    assert written(short, "knf") == "p knf 3 3\n1 -2 0\n-1 2 0\n-3 0\n"


@settings(max_examples=200, deadline=None)
@given(rng=st.randoms(use_true_random=False), weighted=st.booleans())
def test_what_is_written_in_knf_has_the_same_models_and_is_read_back(rng, weighted) -> None:
    problem = random_instance(rng, weighted=weighted)
    try:
        text = written(problem, "knf")
    except ValueError:
        # Which sums can be written, the tests above say.
        return
    again = read(text)
    assert klauses(text) == models_of(problem) == models_of(again)
    assert again.names.keys() == problem.names.keys()
