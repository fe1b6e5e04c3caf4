import bz2
import gzip
import io
import lzma
from contextlib import suppress

import pytest

from pbcnf import Cardinality, PseudoBoolean
from pbcnf.formats.error import FormatError
from pbcnf.formats.problem_file import open_problem

OPB = b"min: +1 x7 ;\n+2 x1 -1 x3 >= 1 ;\n"
KNF = b"c\np knf 4 1\nk 2 1 2 3 0\n"


def opened(data):
    return open_problem(lambda: io.BytesIO(data), "f")


@pytest.mark.parametrize("packed", [bytes, gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf", b"\n \n"], ids=["", "BOM", "blank lines"])
def test_format_and_compression_are_detected_by_content(packed, start):
    problem = opened(packed(start + OPB))
    assert (problem.format, problem.num_vars, problem.declared) == ("opb", 7, None)
    assert list(problem.constraints) == [PseudoBoolean([1, 3], [2, -1], lower=1)]
    assert problem.objective == "min: +1 x7"
    problem = opened(packed(start + KNF))
    assert (problem.format, problem.num_vars, problem.declared) == ("knf", 4, 1)
    assert list(problem.constraints) == [Cardinality([1, 2, 3], lower=2)]


def test_comments_declare_no_variables():
    assert opened(b"* x99\n+1 x2 >= 1 ;\n").num_vars == 2


def test_declared_variables_that_never_occur_are_kept():
    assert opened(b"* #variable= 9 #constraint= 1\n+1 x2 >= 1 ;\n").num_vars == 9


@pytest.mark.parametrize("packed", [gzip.compress, bz2.compress, lzma.compress])
def test_a_truncated_compressed_file_is_refused(packed):
    whole = packed(b"p knf 4 2000\n" + b"k 2 1 2 3 4 0\n" * 2000)
    with pytest.raises(FormatError, match="damaged or cut off"):
        list(opened(whole[:-12]).constraints)


@pytest.mark.parametrize("data", [b"\x1f\x8bjunk", b"BZhjunkjunk", b"\xfd7zXZ\0junkjunk"])
def test_a_file_that_only_begins_like_a_compressed_one_is_refused(data):
    with pytest.raises(FormatError, match="damaged or cut off"):
        opened(data)


@pytest.mark.parametrize("data", [b"", b"\n \t\r\n", gzip.compress(b"", mtime=0)])
def test_an_empty_file_is_refused(data):
    with pytest.raises(FormatError, match="the file is empty"):
        opened(data)


@pytest.mark.parametrize(
    "data", [OPB, KNF, gzip.compress(OPB, mtime=0), b"", b"\x1f\x8bjunk", b"p cnf x\n"]
)
def test_every_stream_is_closed_in_the_end(data):
    streams = []

    def stream():
        streams.append(io.BytesIO(data))
        return streams[-1]

    with suppress(FormatError), open_problem(stream, "f") as problem:
        next(problem.constraints, None)
    assert streams
    assert all(stream.closed for stream in streams)
