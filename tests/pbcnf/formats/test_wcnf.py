import bz2
import io
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import MAX_VAR, Cardinality, Formula
from pbcnf.constraints.problem import Objective, Problem
from pbcnf.formats.error import FormatError
from pbcnf.formats.problems import open_problem, read_problem
from pbcnf.formats.read.wcnf import read_wcnf
from pbcnf.formats.write.wcnf import write_wcnf
from tests.oracles import assignments, true_literals, weighted_sum
from tests.problem_files import formula_of, models_of, objective_of, written
from tests.problem_files import read as read_with

read = partial(read_with, reader=read_wcnf)


def content(file):
    return file.hard.num_vars, list(file.hard.clauses()), list(file.soft)


NEW = b"c by hand\nh 1 -2 0\n7 2 0 c why\nh 3\n4 0\n1 -3 -4 0\n2 0\n"
EXPECTED = (4, [[1, -2], [3, 4]], [(7, (2,)), (1, (-3, -4)), (2, ())])


def test_both_forms_are_read_the_older_with_its_declared_variables():
    file = read(NEW)
    assert content(file) == EXPECTED
    assert (file.comments, file.notes) == (("by hand", "why"), ())
    assert content(read(bz2.compress(NEW.replace(b"\n", b"\r\n")))) == EXPECTED
    old = "p wcnf 9 5 11\n11 1 -2 0\n7 2 0\n11 3\n4 0\n1 -3 -4 0\n2 0\n"
    assert content(read(old)) == (9, *EXPECTED[1:])


def test_weights_from_top_upwards_are_hard_and_without_a_top_all_clauses_are_soft():
    assert content(read("p wcnf 3 2\n5 1 0\n9 -1 0\n")) == (3, [], [(5, (1,)), (9, (-1,))])
    file = read("p wcnf 3 4 10\n10 1 0\n11 2 0\n9999 3 0\n9 -3 0\n")
    assert content(file) == (3, [[1], [2], [3]], [(9, (-3,))])


def test_every_hard_clause_of_many_has_its_h():
    formula = Formula(999)
    rng = np.random.default_rng(0)
    formula.add_block(rng.integers(1, 1000, (30_000, 7)))
    formula.add_clause(range(1, 1000))
    stream = io.BytesIO()
    write_wcnf(formula, [], stream)
    assert stream.getvalue().count(b"h ") == 30_001
    assert list(read(stream.getvalue()).hard.clauses()) == list(formula.clauses())


LITS = st.integers(-9, 9).filter(bool) | st.sampled_from([MAX_VAR, -MAX_VAR])
CLAUSE = st.lists(LITS, max_size=4)
SOFT = st.lists(st.tuples(st.integers(1, 2**60), CLAUSE), max_size=6)


@settings(max_examples=60, deadline=None)
@given(st.lists(CLAUSE, max_size=6), SOFT, st.lists(st.text("ab h1", max_size=4), max_size=2))
def test_what_is_written_is_read_back(hard, soft, comments):
    stream = io.BytesIO()
    write_wcnf(formula_of(MAX_VAR, hard), soft, stream, comments)
    if not hard and not soft:
        with pytest.raises(FormatError, match=r"no clause and no header"):
            read(stream.getvalue())
        return
    file = read(stream.getvalue())
    assert list(file.hard.clauses()) == hard
    assert file.soft == tuple((weight, tuple(clause)) for weight, clause in soft)
    assert file.comments == tuple(comment.rstrip() for comment in comments)


def test_pysat_reads_what_we_write_and_we_read_what_pysat_writes():
    from pysat.formula import WCNF

    hard, soft = [[1, -2], [-1, 3, 2]], [(7, [2]), (12345678901, [-3, -1])]
    stream, text = io.StringIO(), io.StringIO()
    write_wcnf(formula_of(3, hard), soft, stream, ["a comment"])
    theirs = WCNF(from_string=stream.getvalue())
    assert (theirs.hard, theirs.soft, theirs.wght) == (hard, [c for _, c in soft], [7, 12345678901])
    theirs.to_fp(text)
    assert content(read(text.getvalue())) == (3, hard, [(w, tuple(c)) for w, c in soft])


SMALL = st.lists(st.integers(-3, 3).filter(bool), max_size=3)
WEIGHTED = st.lists(st.tuples(st.none() | st.integers(1, 5), SMALL), min_size=1, max_size=5)


def cost_of(clauses, bits):
    """The weight of the soft clauses that fail under `bits`; None if a hard one does."""
    failed = [weight for weight, lits in clauses if not true_literals(bits).intersection(lits)]
    return None if None in failed else sum(failed)


def least_costs(problem, constant=0):
    """For each assignment of the variables 1 to 3 the least objective, None without a model."""
    models = models_of(problem)
    for bits in assignments(3):
        costs = [objective_of(problem, model) for model in models if model[:3] == bits]
        yield min(costs) + constant if costs else None


def file_of(clauses, new):
    hard = "h" if new else 33
    rows = [" ".join(map(str, [w or hard, *lits, 0])) for w, lits in clauses]
    return "\n".join([*rows, "c", "h 3 -3 0"] if new else [f"p wcnf 3 {len(rows)} 26", *rows])


@settings(max_examples=80, deadline=None)
@given(WEIGHTED, st.booleans(), st.sampled_from(["wcnf", "opb"]))
def test_a_problem_of_soft_clauses_costs_what_they_weigh(clauses, new, format):
    problem = read_with(file_of(clauses, new), "p.wcnf")
    expected = [cost_of(clauses, bits) for bits in assignments(3)]
    assert list(least_costs(problem)) == expected
    text = written(problem, format)
    if not text:
        assert expected == [0] * 8
        return
    again = read_with(text, f"p.{format}.gz")
    wide = Problem(max(3, again.num_vars), again.constraints, {}, again.objective)
    # OPB has no constants.
    constant = 0
    if format == "opb" and problem.objective is not None:
        model = set(range(1, problem.num_vars + 1))
        constant = problem.objective.value(model)
        constant -= 0 if wide.objective is None else wide.objective.value(model)
    assert list(least_costs(wide, constant)) == expected


def test_single_literals_and_empty_clauses_need_no_variable():
    with open_problem(lambda: io.BytesIO(NEW)) as file:
        assert (file.format, file.num_vars, file.declared) == ("wcnf", 5, 3)
        assert [row.lits for row in file.constraints] == [(1, -2), (3, 4), (-3, -4, 5)]
        assert file.parsed_objective == Objective((-2, 5), (7, 1), 2)
        assert file.names() == {5: "given_up_1"}
        assert file.objective == "3 soft clauses"


OBJECTIVE = st.lists(st.tuples(st.sampled_from([1, -1, 2, -2, 3, -3]), st.integers(-5, 5)))


@given(OBJECTIVE, st.integers(-9, 9), st.booleans())
def test_an_objective_becomes_soft_clauses(terms, constant, maximise):
    lits, weights = tuple(lit for lit, _ in terms), tuple(weight for _, weight in terms)
    objective = Objective(lits, weights, constant, maximise)
    text = written(Problem(3, (Cardinality([1, 2, 3], 1),), {}, objective), "wcnf")
    added = sum(int(line.split()[2]) for line in text.splitlines() if line.endswith("more"))
    found = read(text)
    assert list(found.hard.clauses()) == [[1, 2, 3]]
    for bits in assignments(3):
        value = constant + weighted_sum(lits, bits, weights)
        assert cost_of(found.soft, bits) + added == (-value if maximise else value)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("c a\nc b\np wcnf 2 1 3\n3 1 2 0\n", "wcnf"), ("c a\nh 1 2 0\n", "wcnf"),
        ("7 1 2 0\n3 1\n2 0\nc\nh 1 0\n", "wcnf"), ("c a\np cnf 2 1\n1 2 0\n", "cnf"),
        ("c a\np knf 2 1\n1 2 0\n", "knf"), ("7 1 2\nx1 >= 0;", "opb"),
    ],
)  # fmt: skip
def test_the_first_line_that_says_it_decides_the_format(text, form):
    if form == "opb":
        with pytest.raises(FormatError, match="1:3: '1' is no variable"):
            read_with(text)
    else:
        assert open_problem(lambda: io.BytesIO(text.encode())).format == form


def test_clauses_without_a_header_are_neither_cnf_nor_soft():
    with pytest.raises(FormatError, match=r"f:2:1: numbers alone: a header, 'p cnf'"):
        open_problem(io.BytesIO(b"c\n1 -2 0\n3 0\n"), "f")


def test_soft_clauses_alone_are_told_by_the_whole_name_of_the_file(tmp_path):
    path = tmp_path / ("a_folder_with_a_long_name_" * 5) / "sub" / "s.wcnf"
    path.parent.mkdir(parents=True)
    path.write_text("5 1 0\n3 -1 2 0\n")
    assert read_problem(path).objective.weights == (5, 3)
    stream = path.read_bytes()
    with open_problem(lambda: io.BytesIO(stream), "a_folder...", path=path) as file:
        assert file.format == "wcnf"


def test_leading_zeros_of_weights_are_read_as_in_other_readers():
    for text, weights in {
        "h 1 2 0\n05 -1 0\n003 -2 0\n": (5, 3),
        "p wcnf 2 3 009\n09 1 2 0\n05 -1 0\n003 -2 0\n": (5, 3),
        "soft: 09 ;\n[05] +01 x1 >= 01 ;\n": (5,),
        "Minimize\n 05 x\nSubject To\n 007 x >= 01\nBinary\n x\nEnd\n": (5,),
    }.items():
        assert read_with(text).objective.weights == weights
