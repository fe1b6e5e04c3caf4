import io

from pbcnf import Cardinality
from pbcnf.formats.read.knf import read_constraints, read_header


def read(text):
    stream = io.BytesIO(text if isinstance(text, bytes) else text.encode())
    header = read_header(stream, "p.knf")
    return header.variables, list(read_constraints(stream, "p.knf", header))


def test_clauses_and_klauses_are_read():
    text = "c first\np knf 9 3\n1 -2 0\nc between\nk 2 1 2 -3 4 0\n0\n"
    assert read(text) == (
        9,
        [Cardinality([1, -2], lower=1), Cardinality([1, 2, -3, 4], lower=2), Cardinality([], 1)],
    )


def test_repeated_and_opposite_literals_are_read_as_they_stand():
    assert read("p knf 2 1\nk 2 1 1 -2 2 0")[1] == [Cardinality([1, 1, -2, 2], lower=2)]
