"""XOR lines of CryptoMiniSat's dialect of DIMACS: read, refused, written."""

import pytest

from pbcnf import Cardinality, Choices, Parity
from pbcnf.constraints.problem import Problem
from pbcnf.formats.lint import lint
from tests.problem_files import read, written


def test_an_xor_line_says_that_an_odd_number_of_its_literals_is_true() -> None:
    found = read("c hello\np cnf 4 3\n1 -2 0\nx1 2 -3 0\n4 0\n").constraints
    assert found == (Cardinality([1, -2], 1), Parity([1, 2, -3], True), Cardinality([4], 1))


def test_several_on_a_line_and_empty_ones_are_read() -> None:
    assert read("p cnf 4 4\nx1 2 0 x-4 0 x0 3 0\n").constraints == (
        Parity([1, 2], True),
        Parity([-4], True),
        Parity([], True),
        Cardinality([3], 1),
    )


def test_repeated_and_opposite_literals_of_an_xor_line_stay_as_they_are() -> None:
    assert read("p cnf 2 1\nx1 1 -1 2 0\n").constraints == (Parity([1, 1, -1, 2], True),)


def test_a_parity_that_never_holds_is_the_empty_clause() -> None:
    assert written(Problem(1, (Parity([1, 1], True),)), "xcnf") == "p cnf 1 1\n0\n"


@pytest.mark.parametrize("format", ["cnf", "wcnf", "icnf", "pmc"])
def test_other_formats_of_clauses_have_the_parities_encoded(format: str) -> None:
    problem = Problem(6, (Parity(range(1, 7), True),))
    lines = written(problem, format, choices=Choices(parity="cut_3")).splitlines()
    assert not any(line.startswith("x") for line in lines)
    assert sum(line.endswith(" 0") for line in lines if line[0] not in "cp") == 16


def test_knf_holds_parities_of_two_literals_and_refuses_longer_ones() -> None:
    short = Problem(3, (Parity([1, -2], True), Parity([3], False), Parity([1, 1], False)))
    assert written(short, "knf") == "p knf 3 3\n1 -2 0\n-1 2 0\n-3 0\n"
    with pytest.raises(ValueError, match=r"constraint 2: KNF cannot .* of 3 literals"):
        written(Problem(3, (Cardinality([1], 1), Parity([1, 2, 3], True))), "knf")


def test_lint_says_what_an_xor_line_is() -> None:
    findings = list(lint([b"p cnf 3 2\n", b"1 -2 0\n", b"x1 2 -3 0\n"]))
    assert [(found.rule, found.line) for found in findings] == [("literal", 3)]
    assert "XOR line" in findings[0].message
