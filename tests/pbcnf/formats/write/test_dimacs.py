"""DIMACS as it is written, flat arrays of clauses, and formulas that write themselves."""

import gzip
import io
import tempfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import MAX_VAR, Cardinality, EncodingError, Formula, dimacs, encode, write_dimacs
from pbcnf.formats.read.dimacs import read_dimacs
from pbcnf.formats.read.wcnf import read_wcnf


def parse(text):
    """Read DIMACS the plain way: (variables, clauses)."""
    lines = [line for line in text.splitlines() if not line.startswith("c")]
    kind, cnf, num_vars, num_clauses = lines[0].split(" ")
    assert (kind, cnf) == ("p", "cnf")
    clauses = [[int(word) for word in line.split(" ")] for line in lines[1:]]
    assert all(clause[-1] == 0 and 0 not in clause[:-1] for clause in clauses)
    assert len(clauses) == int(num_clauses)
    return int(num_vars), [clause[:-1] for clause in clauses]


VARIABLES = st.one_of(
    st.integers(1, 12), st.integers(1, MAX_VAR), st.sampled_from([10**k for k in range(10)])
)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.lists(st.tuples(VARIABLES, st.booleans()), max_size=4), max_size=12),
    st.sampled_from([20, 1000, 999_999, MAX_VAR]),
)
def test_what_is_written_is_what_was_added(clauses, num_vars):
    clauses = [[(-v if sign else v) for v, sign in c if v <= num_vars] for c in clauses]
    formula = Formula(num_vars)
    for clause in clauses:
        formula.add_clause(clause)
    assert parse(dimacs(formula)) == (num_vars, clauses)


@pytest.mark.parametrize("num_vars", [9, 10, 99, 12_345, 999_999, 1_000_000])
def test_every_number_of_digits_is_written_from_blocks(num_vars):
    rng = np.random.default_rng(num_vars)
    edges = [10**k + d for k in range(8) for d in (-1, 0, 1) if 1 <= 10**k + d <= num_vars]
    lits = np.array([*edges, num_vars, *rng.integers(1, num_vars + 1, 70_000)])
    lits = np.concatenate([lits, -lits])
    lits = np.concatenate([lits, np.ones(num_vars % 7 * 3 + 3 - len(lits) % 3, dtype=int)])
    formula = Formula(num_vars)
    formula.add_block(lits[: len(lits) // 3 * 3].reshape(-1, 3))
    # Nearly a million variables are looked up in a table only if as many literals follow.
    formula.add_block(np.full((100_000 if num_vars == 999_999 else 10_000, 10), -num_vars))
    formula.add_clause([1])
    assert parse(dimacs(formula)) == (num_vars, list(formula.clauses()))


def test_the_header_counts_allocated_variables_and_clauses():
    formula = Formula(num_vars=7)
    assert dimacs(formula) == "p cnf 7 0\n"
    formula.add_clause([])
    formula.add_block(np.zeros((2, 0), dtype=np.int32))
    formula.add_clause([-7, 1])
    assert dimacs(formula) == "p cnf 7 4\n0\n0\n0\n-7 1 0\n"


def test_binary_and_text_streams_get_the_same():
    formula = Formula(num_vars=3)
    formula.add_clause([1, -3])
    binary, packed = io.BytesIO(), io.BytesIO()
    write_dimacs(formula, binary, comments=["hello"])
    with gzip.open(packed, "wb") as stream:
        write_dimacs(formula, stream, comments=["hello"])
    with tempfile.NamedTemporaryFile("w+") as stream:
        write_dimacs(formula, stream, comments=["hello"])
        stream.seek(0)
        text = stream.read()
    expected = "c hello\np cnf 3 1\n1 -3 0\n"
    assert binary.getvalue().decode() == text == expected
    assert gzip.decompress(packed.getvalue()).decode() == expected


def test_comments_come_first_one_line_each():
    stream = io.StringIO()
    write_dimacs(Formula(1), stream, comments=["one\ntwo", "", "three"])
    assert stream.getvalue() == "c one\nc two\nc\nc three\np cnf 1 0\n"


@pytest.mark.parametrize("comment", ["p cnf 3 2", "see\nthe p cnf line", "p  cnf", "h\xfctte"])
def test_a_comment_that_could_mislead_a_reader_is_refused_before_anything_is_written(comment):
    stream = io.BytesIO()
    with pytest.raises(ValueError, match=r"p cnf|ASCII"):
        write_dimacs(Formula(1), stream, comments=["fine", comment])
    assert stream.getvalue() == b""


FLAT = st.lists(st.integers(-5, 5), max_size=12)


@given(FLAT, st.sampled_from([np.int8, np.int32, np.int64]), st.booleans())
def test_a_flat_array_adds_the_clauses_between_its_zeros(values, kind, owned):
    flat = np.array([*values, 0], dtype=kind)
    formula = Formula(5)
    formula.add_clause([5])
    if owned:
        flat.flags.writeable = False
    formula.add_flat(flat)
    formula.add_clause([])
    if not owned:
        flat[:] = 9
    words = " ".join(map(str, ["", *values, 0, ""])).split(" 0")[:-1]
    expected = [[5], *([int(word) for word in clause.split()] for clause in words), []]
    assert list(formula.clauses()) == expected
    assert sorted(c for block in formula.blocks() for c in block.tolist()) == sorted(expected)
    assert formula.num_clauses == len(expected)
    assert formula.num_literals == sum(map(len, expected))


def test_a_flat_array_that_holds_no_clauses_is_refused_and_nothing_added():
    formula = Formula(5)
    for flat, error in [
        ([1, 2], "no 0"), ([6, 0], "variable 6 is not allocated"),
        ([-6, 0], "variable 6 is not allocated"), ([-(2**31), 0], "outside the range"),
        ([2**32 + 1, 0], "outside the range"), ([1.0, 0], "integers is needed"),
        ([True, False], "integers is needed"), ([[1, 0]], "integers is needed"),
    ]:  # fmt: skip
        with pytest.raises((TypeError, ValueError), match=error):
            formula.add_flat(np.array(flat))
    formula.add_flat(np.empty(0, np.int32))
    assert (formula.num_clauses, list(formula.blocks())) == (0, [])


@pytest.fixture
def formula():
    formula = Formula(5)
    encode(Cardinality(range(1, 6), lower=1, upper=2), formula, encoder="totalizer")
    return formula


def test_a_formula_is_written_as_its_clauses_and_declared_variables(formula, tmp_path):
    assert formula.write(tmp_path / "f.cnf", comments=["one or two of five"]) is None
    text = (tmp_path / "f.cnf").read_text()
    assert text.startswith(f"c one or two of five\np cnf {formula.num_vars} {len(formula)}\n")
    formula.write(str(tmp_path / "f.cnf.xz"))
    with open(tmp_path / "f.cnf.xz", "rb") as stream:
        read = read_dimacs(stream, "f").formula
    assert (read.num_vars, list(read)) == (formula.num_vars, list(formula))


@pytest.mark.parametrize("name", ["f.icnf", "f.pmc", "f.wcnf", "f.xcnf"])
def test_every_format_of_clauses_keeps_them(formula, tmp_path, name):
    formula.write(tmp_path / name)
    if name == "f.wcnf":
        with open(tmp_path / name, "rb") as stream:
            written = list(read_wcnf(stream, name).hard)
    else:
        lines = (tmp_path / name).read_text().splitlines()
        rows = [line.split() for line in lines if line[0] not in "cp"]
        written = [list(map(int, row[:-1])) for row in rows]
    assert sorted(map(sorted, written)) == sorted(map(sorted, formula))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("f.opb", "f.opb: opb is no format of clauses; these are: cnf, xcnf, icnf, pmc, wcnf"),
        ("f.txt", "unknown format 'txt'"),
        ("f", "the name says no format; known: cnf, "),
        ("f.cnf.zst", ".zst is not supported"),
    ],
)
def test_a_name_of_no_such_format_is_refused_and_nothing_written(formula, tmp_path, name, message):
    with pytest.raises(EncodingError, match=message):
        formula.write(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_named_with_the_file_that_was_asked_for(formula, tmp_path):
    path = tmp_path / "missing" / "f.cnf"
    with pytest.raises(FileNotFoundError) as caught:
        formula.write(path)
    assert caught.value.filename == path
