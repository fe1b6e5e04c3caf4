"""Any bytes end in a value or in FormatError: nothing else, and nothing half read."""

import bz2
import gzip
import io
import lzma
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf.formats.error import FormatError
from pbcnf.formats.problems import open_problem
from pbcnf.formats.read.counting import CountingFile, read_counting
from pbcnf.formats.read.dimacs import DimacsFile, read_dimacs
from pbcnf.formats.read.icnf import IcnfFile, read_icnf
from pbcnf.formats.read.wcnf import WcnfFile, read_wcnf
from tests.problem_files import read

VALID = {
    "dimacs": b"c hello\np cnf 9 4\n1 -2 0\n-9 3\n4 0 0\n5 0 c x\n%\n0\n",
    "counting": b"c t pwmc\np cnf 9 2\nc p show 1 2 0\nc p weight -1 3/5 0\n1 -2 0\n3 0\nc ind 4 0",
    "icnf": b"c hello\np inccnf\n1 -2 0\n-9 3\n4 0 0\na 1 2 0\na 0\n",
    "wcnf": b"c hello\nh 1 -2 0\n7 -9 3\n4 0\n12345678901 0\n",
    "older wcnf": b"p wcnf 9 3 99\n99 1 -2 0\n7 -9 3\n4 0\n1 0\n",
    "opb": b"* #variable= 9 #constraint= 1\n+2 x1 -3 ~x9 >= 1 ;\n",
    "knf": b"p knf 9 2\nk 2 1 2 -3 0\n1 -9 0\n",
    "cnf+": b"p cnf+ 9 3\n1 2 -3 <= 2\nw 2*1 3*-9 >= 3\n1 0\n",
    "xcnf": b"p cnf 9 2\nx1 2 -3 0\n1 -9 0\n",
    "lp": b"\\ hello\nmin 2 x - y\nst\n c: 0.5 x + y <= 1\nbin\n x y\nend\n",
    "mps": b"NAME\nROWS\n N o\n L c\nCOLUMNS\n x o 2 c 1\n y c 1\nRHS\n R c 1\nRANGES\n R c 1\n"
    b"BOUNDS\n BV B x\n UI B y 1\nENDATA\n",
    "smt2": b"(declare-const x Int)(assert (<= 0 x 3))(declare-const a Bool)\n"
    b"(assert (= a (< x 2)))",
}
TOKENS = [
    b"0", b"-", b" ", b"\n", b"\r", b"\t", b"c", b"p", b"%", b"h", b"a", b"k", b"x", b"+", b"/",
    b".", b"e9", b"99999999999", b"\x00", b"\xff", b"\xef\xbb\xbf", b"p cnf ", b"c p weight 1 ",
    b"\x1f\x8b", b"0.5", b"<=", b"end", b" x1", b"~", b";", b"@", b"[1]", b"ROWS\n", b" FR B x\n",
    b"(", b")", b" x ", b"not ", b"let ", b'"', b"|", b"w ", b"2*1", b"min", b"max:", b"st\n",
]  # fmt: skip
PACKERS = [bytes, bytes, bytes, gzip.compress, bz2.compress, lzma.compress]


def problem(stream, source):
    data = stream.read()
    if data.lstrip().startswith((b"(", b";")):
        pytest.importorskip("pysmt")
    with open_problem(lambda: io.BytesIO(data), source) as opened:
        return list(opened.constraints)


READERS: list[tuple[Any, Any]] = [
    (read_dimacs, DimacsFile), (partial(read_dimacs, strict=False), DimacsFile),
    (read_counting, CountingFile), (read_icnf, IcnfFile), (read_wcnf, WcnfFile), (problem, list),
]  # fmt: skip


def check(data):
    for reader, kind in READERS:
        try:
            value = read(data, reader=reader)
        except FormatError as error:
            value = str(error) if len(str(error)) < 250 else None
        assert isinstance(value, kind) or (isinstance(value, str) and value.isprintable())


@st.composite
def mutations(draw):
    data = bytearray(draw(st.sampled_from(sorted(VALID.values()))))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 6)))
        new = draw(
            st.sampled_from(TOKENS) | st.binary(max_size=3) | st.just(bytes(data[start:end]))
        )
        data[start : end if draw(st.booleans()) else start] = new
    return bytes(data)


def test_the_valid_files_are_valid():
    assert read(VALID["dimacs"], reader=read_dimacs).formula.num_clauses == 4
    assert read(VALID["counting"], reader=read_counting).show == (1, 2, 4)
    assert len(read(VALID["icnf"], reader=read_icnf).cubes) == 2
    for name in "wcnf", "older wcnf":
        assert len(read(VALID[name], reader=read_wcnf).soft) == 2
    lengths = {name: len(read(VALID[name], reader=problem)) for name in [*VALID][-7:-1]}
    assert lengths == {"opb": 1, "knf": 2, "cnf+": 3, "xcnf": 2, "lp": 1, "mps": 1}


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=80))
def test_any_bytes_are_read_or_refused(data):
    check(data)


@settings(max_examples=400, deadline=None)
@given(mutations(), st.sampled_from(PACKERS))
def test_any_changed_file_is_read_or_refused(data, pack):
    check(pack(data))


@settings(max_examples=80, deadline=None)
@given(mutations(), st.sampled_from(PACKERS[3:]), st.data())
def test_any_changed_compressed_file_is_read_or_refused(data, pack, draw):
    packed = bytearray(pack(data))
    place = draw.draw(st.integers(0, len(packed) - 1))
    packed[place] ^= draw.draw(st.integers(1, 255))
    check(bytes(packed[: draw.draw(st.integers(place, len(packed)))]))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from([*TOKENS, b"1", b"-2", b"1 ", b" 0\n"]), max_size=40))
@pytest.mark.parametrize(
    "start",
    [b"", b"p cnf 2 2\n", b"p inccnf\n", b"p wcnf 2 2 5\n", b"p knf 2 2\n", b"p cnf+ 2 2\n"],
)
def test_any_words_are_read_or_refused(start, words):
    check(start + b"".join(words))
