from pathlib import Path
from random import Random

import pytest

from pbcnf import Formula
from pbcnf.formats.read.dimacs import read_dimacs
from satsweeper.cli.main import main
from satsweeper.export.formula import distinct

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("seed", range(20))
def test_the_first_of_equal_clauses_stays_and_no_other_is_lost(seed):
    random = Random(seed)
    formula, expected = Formula(num_vars=6), {}
    for _ in range(random.randint(0, 60)):
        variables = random.sample(range(1, 6), random.randint(0, 3))
        clause = [random.choice((1, -1)) * var for var in variables]
        formula.add_clause(clause)
        expected.setdefault(frozenset(clause), clause)
    found = distinct(formula)
    assert (list(found), found.num_vars) == (list(expected.values()), 6)
    assert (found.num_clauses, found.num_literals) == (
        len(expected),
        sum(map(len, expected.values())),
    )


def test_the_export_that_lint_shows_as_its_example_has_no_finding(tmp_path, capsys):
    path = tmp_path / "ms_expert.cnf"
    assert main(["export", str(EXAMPLES / "expert.txt"), "-o", str(path)]) == 0
    with open(path, "rb") as stream:
        formula = read_dimacs(stream, "f").formula
    capsys.readouterr()
    assert main(["lint", str(path)]) == 0
    assert capsys.readouterr().out == "0 errors, 0 warnings\n"
    assert len({frozenset(clause) for clause in formula}) == formula.num_clauses


def test_what_is_no_text_is_one_line(tmp_path, capsys):
    path = tmp_path / "noise.cnf"
    path.write_bytes(b"p cnf 1 1\n1 \0\xff\xfe\x01" + Random(1).randbytes(2048))
    assert main(["lint", str(path)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == f"{path}:2: this is no text: byte 0x00 in column 3\n"
