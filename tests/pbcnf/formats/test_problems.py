"""The table of formats, and the doors that read and write a problem of any."""

import bz2
import gzip
import io
import lzma
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

import pbcnf.formats
from pbcnf import Cardinality, PseudoBoolean
from pbcnf.constraints.problem import Objective, Problem
from pbcnf.emission.whole_problems import Choices
from pbcnf.formats.error import FormatError
from pbcnf.formats.problems import open_problem, read_problem, write_problem
from pbcnf.formats.table import FORMATS, find_format, format_to_write

OPB = b"min: +1 x7 ;\n+2 x1 -1 x3 >= 1 ;\n"
KNF = b"c\np knf 4 1\nk 2 1 2 3 0\n"


def read(data: bytes) -> Problem:
    return read_problem(lambda: io.BytesIO(data), "p")


def test_dimacs_cnf_is_a_problem_of_clauses() -> None:
    assert read(b"c var 2 b\nc var 2 c\nc var 9 d\np cnf 3 2\n1 -2 0\n0\n") == Problem(
        3, (Cardinality([1, -2], 1), Cardinality([], 1)), {2: "b"}
    )


@pytest.mark.parametrize("text", [b"; made by hand\n(check-sat)", b"\n (set-logic QF_LIA)"])
def test_smtlib_is_read_like_the_others_and_says_what_it_needs(text, monkeypatch) -> None:
    pytest.importorskip("pysmt")
    assert read(text) == Problem(0, ())
    monkeypatch.setitem(sys.modules, "pysmt", None)
    needed = r"^SMT-LIB needs pysmt, which is not installed: .*pip install 'satsweeper\[smt\]'$"
    with pytest.raises(ImportError, match=needed):
        read(text)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "p: the file is empty: a problem is needed"),
        (b"\n \t\r\n", "p: the file is empty"),
        (gzip.compress(b"", mtime=0), "p: the file is empty"),
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


@pytest.mark.parametrize("packed", [bytes, gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf", b"\n \n"], ids=["", "BOM", "blank lines"])
def test_format_and_compression_are_detected_by_content(packed, start):
    problem = open_problem(lambda: io.BytesIO(packed(start + OPB)), "f")
    assert (problem.format, problem.num_vars, problem.declared) == ("opb", 7, None)
    assert list(problem.constraints) == [PseudoBoolean([1, 3], [2, -1], lower=1)]
    assert problem.objective == "min: +1 x7"
    problem = open_problem(lambda: io.BytesIO(packed(start + KNF)), "f")
    assert (problem.format, problem.num_vars, problem.declared) == ("knf", 4, 1)
    assert list(problem.constraints) == [Cardinality([1, 2, 3], lower=2)]


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


@pytest.mark.parametrize("format", [f for f in FORMATS if FORMATS[f].reader is not None])
@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz"])
def test_what_is_written_to_a_file_is_read_from_it(tmp_path, format, suffix) -> None:
    if format == "smt2":
        pytest.importorskip("pysmt")
    problem = Problem(
        3, (Cardinality([1, -2], 1), Cardinality([2, 3], 1)), {1: "a", 2: "b", 3: "c"}
    )
    path = tmp_path / f"problem.{format}{suffix}"
    write_problem(problem, path)
    found = read_problem(path)
    assert (found.num_vars, found.names) == (3, problem.names)
    with open(path, "rb") as stream:
        assert read_problem(stream) == found
        assert not stream.closed
    with open_problem(path) as file:
        assert file.format == format
        assert tuple(file.constraints) == found.constraints


@pytest.mark.parametrize("format", [f for f in FORMATS if FORMATS[f].holds == "clauses"])
def test_constraints_are_encoded_for_a_format_of_clauses(format) -> None:
    problem = Problem(3, (Cardinality([1, 2, 3], 0, 1),), {2: "b"}, Objective((1,), (2,)))
    stream = io.BytesIO()
    write_problem(problem, stream, format, comments=["hello"], choices=Choices("bitwise"))
    lines = stream.getvalue().decode().splitlines()
    kept = format == "wcnf"
    said = "the objective: what the soft clauses given up weigh", "the objective is left out"
    assert {"c hello", "c var 2 b", f"c {said[not kept]}"} <= set(lines)
    assert sum(line.endswith(" 0") and not line.startswith("c") for line in lines) == 5 + kept
    if format == "cnf":
        assert f"p {format} 5 5" in lines
        assert read(stream.getvalue()).names == {2: "b"}


def test_what_cannot_be_written_leaves_the_file_as_it_was(tmp_path) -> None:
    path = tmp_path / "p.knf"
    path.write_text("before")
    with pytest.raises(ValueError, match="constraint 1: "):
        write_problem(Problem(3, (PseudoBoolean([1, 2, 3], [2, 3, 4], 5),)), path)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(ValueError, match="a stream does not say its format"):
        write_problem(Problem(0, ()), io.BytesIO())
    with pytest.raises(ValueError, match="unknown format 'txt'"):
        write_problem(Problem(0, ()), tmp_path / "p.txt")


BETWEEN_WORDS = {
    "opb": b"* a%sb\n+1 x1 +1\tx2 >= 1 ;\r\n",
    "knf": b"c a%sb\np knf 2 1\nk 1 1\t2 0\r\n",
    "cnf": b"c a%sb\np cnf 2 1\n1\t2 0\r\n",
    "lp": b"\\ a%sb\nMinimize\nSubject To\n x +\ty >= 1\nBinary\n x y\nEnd\n",
    "mps": b"* a%sb\nNAME\nROWS\n N o\n G\tr\nCOLUMNS\n x r 1\n"
    b"RHS\n R r 1\nBOUNDS\n BV B x\nENDATA\n",
}


@pytest.mark.parametrize("byte", [b"\x0b", b"\x0c", b"\x1c", b"\x1d", b"\x1e", b"\x1f"])
@pytest.mark.parametrize("name", BETWEEN_WORDS)
def test_only_blanks_and_tabs_are_between_words(name: str, byte: bytes) -> None:
    text = BETWEEN_WORDS[name] % byte
    line = text[: text.index(b"\t")].count(b"\n") + 1
    assert read(text).constraints
    with pytest.raises(FormatError, match=f"p:{line}:[0-9]+: byte 0x{byte[0]:02x}: only blanks"):
        read(text.replace(b"\t", byte))
    # Pieces of a file are counted through.
    long = text.replace(b"\n", b"\n" + text[: text.index(b"\n") + 1] * 9, 1)
    with pytest.raises(FormatError, match=f"p:{line + 9}:"):
        read(long.replace(b"\t", byte))


@pytest.mark.parametrize("format", FORMATS.values(), ids=list(FORMATS))
def test_every_row_has_its_reader_and_writer(format) -> None:
    assert callable(format.load_writer())
    assert format.summary
    assert (format.begins is None) == (format.reader is None)
    if format.reader is None:
        with pytest.raises(ValueError, match="not read as a problem"):
            format.load_reader()
    else:
        assert callable(format.load_reader())


def test_clauses_come_before_constraints() -> None:
    holds = [format.holds for format in FORMATS.values()]
    assert holds == sorted(holds)


def test_readers_and_writers_have_the_same_names() -> None:
    folder = Path(pbcnf.formats.__path__[0])
    readers, writers = ({p.stem for p in (folder / n).glob("*.py")} for n in ("read", "write"))
    assert writers - readers == {"wbo", "xcnf"}
    assert readers <= writers


def test_the_table_is_light() -> None:
    code = "import sys, pbcnf.formats.table; print(*sys.modules)"
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(child.stdout.split())
    assert "numpy" not in loaded
    assert {name.removeprefix("pbcnf.") for name in loaded if name.startswith("pbcnf.")} == {
        "errors", "formats", "formats.table", "late_imports", "wording"
    }  # fmt: skip


def test_the_name_of_a_file_says_its_format() -> None:
    for name, format in FORMATS.items():
        assert find_format(name) is format
        for suffix in ("", ".gz", ".bz2", ".xz"):
            assert format_to_write(f"a.b/problem.{name}{suffix}") is format


@pytest.mark.parametrize("name", ["opbb", "", "OPB"])
def test_an_unknown_format_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"unknown format '{name}'.*known: cnf, "):
        find_format(name)
