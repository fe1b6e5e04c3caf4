from pbcnf import Cardinality, Problem
from tests.problem_files import read


def test_clauses_and_klauses_are_read():
    text = "c first\np knf 9 3\n1 -2 0\nc between\nk 2 1 2 -3 4 0\n0\n"
    lines = (Cardinality([1, -2], lower=1), Cardinality([1, 2, -3, 4], 2), Cardinality([], 1))
    assert read(text) == Problem(9, lines)


def test_repeated_and_opposite_literals_are_read_as_they_stand():
    assert read("p knf 2 1\nk 2 1 1 -2 2 0").constraints == (Cardinality([1, 1, -2, 2], 2),)
