import bz2
import gzip
import io
import lzma
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import Cardinality, PseudoBoolean
from pbcnf.constraints.problem import Objective, Problem
from pbcnf.formats.error import FormatError
from pbcnf.formats.names import legal_names
from pbcnf.formats.table import read_instance
from pbcnf.formats.write.knf import write_knf
from pbcnf.formats.write.lp import write_lp
from pbcnf.formats.write.mps import write_mps
from pbcnf.formats.write.opb import write_opb

WRITERS = {"opb": write_opb, "knf": write_knf, "lp": write_lp, "mps": write_mps}


def read(data: bytes, smtlib=None) -> Problem:
    return read_instance(lambda: io.BytesIO(data), "p", smtlib)


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("comments", [(), ("one", "", "c two", "min x")], ids=["bare", "comments"])
@pytest.mark.parametrize("name", WRITERS)
def test_the_content_decides_which_format_it_is(name, comments, pack, models_of) -> None:
    problem = Problem(
        3,
        (Cardinality([1, -2], 1), Cardinality([1, 2, 3], 1, 2)),
        {1: "m_0_0", 3: "m_0_2"},
    )
    stream = io.BytesIO()
    WRITERS[name](problem, stream, comments)
    found = read(pack(stream.getvalue()))
    assert found.names == problem.names
    assert models_of(found) == models_of(problem)


def test_dimacs_cnf_is_an_instance_of_clauses() -> None:
    assert read(b"c var 2 b\nc var 2 c\nc var 9 d\np cnf 3 2\n1 -2 0\n0\n") == Problem(
        3, (Cardinality([1, -2], 1), Cardinality([], 1)), {2: "b"}
    )


@pytest.mark.parametrize("space", ["", " "])
def test_the_objective_of_opb_is_read(space: str) -> None:
    found = read(f"max:{space}+2 x1 -3 ~x2 ;\n+1 x1 +1 x2 >= 1 ;\n".encode())
    assert found.objective == Objective((1, -2), (2, -3), maximise=True)
    assert found.constraints == (PseudoBoolean([1, 2], [1, 1], 1),)


@pytest.mark.parametrize("text", [b"; made by hand\n(check-sat)", b"\n (set-logic QF_LIA)"])
def test_smtlib_goes_to_the_reader_that_is_given(text: bytes) -> None:
    given: list[bytes] = []

    def reader(stream, source: str) -> Problem:
        given.append(stream.read())
        return Problem(1, ())

    assert read(text, reader) == Problem(1, ())
    assert given == [text]
    with pytest.raises(FormatError, match="SMT-LIB is not read here"):
        read(text)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "p: the file is empty"),
        (b"* only a comment\nNAME\nROWS\n", "p:3:1: no ENDATA"),
        (b"\\ only a comment\n", "p:1:1: the file has no 'End'"),
        (b"Minimize\n x\n", "p:2:1: the file has no 'End'"),
        (b"1 x1 >= 1", "p:1:9: the last statement has no ';'"),
        (gzip.compress(b"NAME\nROWS\n", mtime=0)[:-4], "p:"),
    ],
)
def test_what_is_wrong_is_said_by_the_reader_of_the_format(data: bytes, expected: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(data)
    assert str(caught.value).startswith(expected)


@settings(max_examples=200, deadline=None)
@given(
    st.binary(),
    st.sampled_from([b"", b"* c\n", b"min x\n", b"NAME\nROWS\n", b"p knf 2 1\n", b"c var 1 x\n"]),
)
def test_any_bytes_are_read_or_refused(data: bytes, start: bytes) -> None:
    with suppress(FormatError):
        read(start + data)


@settings(max_examples=200, deadline=None)
@given(
    rng=st.randoms(use_true_random=False),
    name=st.sampled_from(sorted(WRITERS)),
    at=st.integers(0, 2**16),
    dropped=st.integers(0, 8),
    put=st.binary(max_size=4)
    | st.sampled_from([b" 1", b"\n", b"-", b"0.5", b" x1", b"<=", b"end"]),
)
def test_a_valid_file_with_an_error_in_it_is_read_or_refused(
    make_instance, rng, name, at, dropped, put
) -> None:
    stream = io.BytesIO()
    with suppress(ValueError):
        WRITERS[name](make_instance(rng), stream)
    data = stream.getvalue()
    at %= len(data) + 1
    with suppress(FormatError):
        read(data[:at] + put + data[at + dropped :])


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.integers(1, 12), st.text(max_size=80) | st.sampled_from(["x3", "X3"])))
def test_names_are_made_legal_and_unique(names: dict[int, str]) -> None:
    legal = legal_names(Problem(12, (), names))
    assert len({name.lower() for name in legal}) == 12
    for name in legal:
        assert name.isascii()
        assert name.isidentifier()
        assert len(name) <= 80


@pytest.mark.parametrize("word", ["end", "Free", "inf", "st", "e", "E5", "e12", "true", "bvand"])
def test_words_of_the_formats_do_not_become_names(word: str) -> None:
    assert legal_names(Problem(1, (), {1: word})) == [f"v_{word}"]


@pytest.mark.parametrize("word", ["m_0_2", "easy", "e_1", "ending", "interior", "x1"])
def test_a_legal_name_stays_as_it_is(word: str) -> None:
    assert legal_names(Problem(1, (), {1: word})) == [word]
