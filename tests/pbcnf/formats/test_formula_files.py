"""Formulas write themselves to files."""

import pytest

from pbcnf import Cardinality, EncodingError, Formula, encode
from pbcnf.formats.read.dimacs import read_dimacs
from pbcnf.formats.read.wcnf import read_wcnf


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
