import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import Cardinality
from pbcnf.formats.error import FormatError
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


@pytest.mark.parametrize(
    "text",
    [
        "p knf 4 2\n1 2 0 k 2 1 3 4 0\n",
        "p knf 4 2\n1\n2 0\nk\n2 1\nc a remark\n3 4\n0",
        "p  knf 4 2 \r\n 1 2 0\r\n\r\nk 2 1 3 4 0\r\n",
    ],
    ids=["two on a line", "one over many lines", "CRLF and spaces"],
)
def test_other_layouts_of_the_same_are_read(text):
    assert read(text)[1] == [Cardinality([1, 2], lower=1), Cardinality([1, 3, 4], lower=2)]


def test_declared_variables_that_never_occur_are_kept():
    assert read("p cnf 9 1\n1 2 0\n") == (9, [Cardinality([1, 2], lower=1)])


def test_repeated_and_opposite_literals_are_read_as_they_stand():
    assert read("p knf 2 1\nk 2 1 1 -2 2 0")[1] == [Cardinality([1, 1, -2, 2], lower=2)]


MALFORMED = {
    "an empty file": ("", " no header in 0 lines"),
    "no header": ("1 2 0\n", "1:1: the header 'p knf VARIABLES CONSTRAINTS' must come before"),
    "a second header": ("p knf 2 1\np knf 2 1\n1 0", "2:1: 'p' is no literal"),
    "a header of another format": ("p wcnf 2 1 9\n", "1:1: 'p wcnf 2 1 9' is no header"),
    "PySAT's cnf+": ("p cnf+ 3 1\n1 2 3 <= 1\n", "1:1: 'p cnf+ 3 1' is no header"),
    "an at-most line": ("p knf 3 1\n1 2 3 <= 1\n", "2:7: '<=' is no literal (PySAT's"),
    "negative numbers in the header": ("p knf -3 1\n", "1:1: 'p knf -3 1' is no header"),
    "a huge declared number": ("p knf 99999999999 1\n", "1:7: 99999999999 variables: at most"),
    "a literal beyond the declared": ("p knf 2 1\n1 3 0", "2:3: literal 3: 2 variables are"),
    "a huge literal": (f"p knf 2 1\n1 {'9' * 99} 0", "2:3: literal 9999"),
    "no 0 at the end": ("p knf 2 1\n1 2\n", "2:3: the last constraint has no 0"),
    "a cardinality constraint in CNF": ("p cnf 3 1\nk 1 2 0", "2:1: 'k' begins a constraint of"),
    "a bound that is no number": ("p knf 3 1\nk x 1 0", "2:3: 'x' is no bound"),
    "a negative bound": ("p knf 3 1\nk -1 1 0", "2:3: '-1' is no bound"),
    "a k inside": ("p knf 3 1\n1 k 1 0", "2:3: 'k' is no literal"),
    "minus zero": ("p knf 3 1\n1 -0", "2:3: '-0' is no literal"),
    "a word": ("p knf 3 1\n1 two 0", "2:3: 'two' is no literal"),
    "a hexadecimal": ("p knf 3 1\n0x2 0", "2:1: '0x2' is no literal"),
    "a zero byte": (b"p knf 3 1\n1 \0 0", "2:3: '\\x00' is no literal"),
    "more constraints than declared": ("p knf 3 1\n1 0\n2 0\n", "3:1: constraint 2, but 1 is"),
    "fewer constraints than declared": ("p knf 3 3\n1 0\n", " the file ends after 1 of 3"),
}


@pytest.mark.parametrize(("text", "message"), MALFORMED.values(), ids=MALFORMED)
def test_malformed_text_is_refused_at_its_place(text, message):
    with pytest.raises(FormatError) as error:
        read(text)
    assert str(error.value).startswith(f"p.knf:{message}")
    assert str(error.value).isprintable()


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=40) | st.text("k-0123 c\n", max_size=40).map(str.encode))
def test_any_bytes_are_read_or_refused(data):
    try:
        _, constraints = read(b"p knf 3 2\n" + data)
    except FormatError:
        return
    assert len(constraints) == 2
    assert all(abs(lit) <= 3 for constraint in constraints for lit in constraint.lits)
