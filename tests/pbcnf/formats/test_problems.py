"""The table of formats, what reads and writes a problem of any, and packed files."""

import bz2
import gzip
import io
import lzma
import os
import stat
import sys
import threading
import tracemalloc
import zlib
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pbcnf.formats
from pbcnf import Cardinality, PseudoBoolean
from pbcnf.constraints.problem import Objective, Problem
from pbcnf.emission.whole_problems import Choices
from pbcnf.formats import compressed
from pbcnf.formats.compressed import (
    DamagedError,
    TooLargeError,
    decompressed_chunks,
    decompressed_lines,
    line_blocks,
)
from pbcnf.formats.error import FormatError
from pbcnf.formats.problems import open_problem, read_problem, write_problem
from pbcnf.formats.read.counting import read_counting
from pbcnf.formats.read.dimacs import read_dimacs
from pbcnf.formats.read.icnf import read_icnf
from pbcnf.formats.read.wcnf import read_wcnf
from pbcnf.formats.table import FORMATS, find_format, format_to_write
from pbcnf.formats.writing import replacing
from tests.commands import python
from tests.problem_files import read as read_with

PACKERS: dict[str, Any] = {
    "plain": bytes, "gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress
}  # fmt: skip
OPB = b"min: +1 x7 ;\n+2 x1 -1 x3 >= 1 ;\n"
KNF = b"c\np knf 4 1\nk 2 1 2 3 0\n"


read = partial(read_with, name="p")


@pytest.fixture(params=PACKERS)
def packed(request):
    return PACKERS[request.param]


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
    [(b"", "p: the file is empty: a problem is needed"), (b"\n \t\r\n", "p: the file is empty"),
     (gzip.compress(b"", mtime=0), "p: the file is empty"),
     (b"* only a comment\nNAME\nROWS\n", "p:3:1: no ENDATA"),
     (b"\\ only a comment\n", "p:1:1: the file has no 'End'"),
     (b"Minimize\n x\n", "p:2:1: the file has no 'End'"),
     (b"1 x1 >= 1", "p:1:9: the last statement has no ';'"),
     (gzip.compress(b"NAME\nROWS\n", mtime=0)[:-4], "p:")],
)  # fmt: skip
def test_what_is_wrong_is_said_by_the_reader_of_the_format(data: bytes, expected: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(data)
    assert str(caught.value).startswith(expected)


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf", b"\n \n"], ids=["", "BOM", "blank lines"])
def test_format_and_compression_are_detected_by_content(packed, start):
    for content, said, objective, constraint in (
        (OPB, ("opb", 7, None), "min: +1 x7", PseudoBoolean([1, 3], [2, -1], lower=1)),
        (KNF, ("knf", 4, 1), None, Cardinality([1, 2, 3], lower=2)),
    ):
        problem = open_problem(io.BytesIO(packed(start + content)), "f")
        assert (problem.format, problem.num_vars, problem.declared) == said
        assert (list(problem.constraints), problem.objective) == ([constraint], objective)


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
    clauses = Cardinality([1, -2], 1), Cardinality([2, 3], 1)
    problem = Problem(3, clauses, {1: "a", 2: "b", 3: "c"})
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
    for target, message in (
        (io.BytesIO(), "a stream does not say its format"),
        (tmp_path / "p.txt", "unknown format 'txt'"),
    ):
        with pytest.raises(ValueError, match=message):
            write_problem(Problem(0, ()), target)


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


def test_every_row_has_its_reader_and_writer_and_clauses_come_before_constraints() -> None:
    for format in FORMATS.values():
        assert callable(format.load_writer())
        assert format.summary
        assert (format.begins is None) == (format.reader is None)
        if format.reader is None:
            with pytest.raises(ValueError, match="not read as a problem"):
                format.load_reader()
        else:
            assert callable(format.load_reader())
    holds = [format.holds for format in FORMATS.values()]
    assert holds == sorted(holds)


def test_readers_and_writers_have_the_same_names() -> None:
    folder = Path(pbcnf.formats.__path__[0])
    readers, writers = ({p.stem for p in (folder / n).glob("*.py")} for n in ("read", "write"))
    assert writers - readers == {"wbo", "xcnf"}
    assert readers <= writers


def test_the_table_is_light() -> None:
    child = python("-c", "import sys, pbcnf.formats.table; print(*sys.modules)")
    loaded = set(child.stdout.split())
    assert "numpy" not in loaded
    assert {name.removeprefix("pbcnf.") for name in loaded if name.startswith("pbcnf.")} == {
        "errors", "formats", "formats.table", "late_imports", "wording"
    }  # fmt: skip


def test_the_name_of_a_file_says_its_format_and_an_unknown_one_is_refused() -> None:
    for name, format in FORMATS.items():
        assert find_format(name) is format
        for suffix in ("", ".gz", ".bz2", ".xz"):
            assert format_to_write(f"a.b/problem.{name}{suffix}") is format
    for name in ("opbb", "", "OPB"):
        with pytest.raises(ValueError, match=f"unknown format '{name}'.*known: cnf, "):
            find_format(name)


def lines(data):
    return list(decompressed_lines(io.BytesIO(data)))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.binary(max_size=40), max_size=6), st.sampled_from(sorted(PACKERS)))
def test_any_content_is_read_as_it_was_in_one_member_or_several(parts, packer):
    whole = b"".join(parts)
    pack = PACKERS[packer]
    if packer == "plain" and whole.startswith((b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0")):
        return
    assert lines(pack(whole)) == list(io.BytesIO(whole))
    if parts:
        assert b"".join(lines(b"".join(map(pack, parts)))) == whole


def test_large_content_is_read_in_whole_lines_also_from_a_pipe_that_cannot_seek(packed):
    content = b"".join(b"%d\n" % pow(7, i, 10**40) for i in range(30_000)) + b"no line feed"
    data = packed(content)
    blocks = list(line_blocks(io.BytesIO(data)))
    assert all(block.endswith(b"\n") for block in blocks[:-1])
    assert b"".join(blocks) == content
    assert max(map(len, decompressed_chunks(io.BytesIO(data)))) <= 2**20
    reading, writing = os.pipe()

    def feed():
        with open(writing, "wb") as end:
            end.write(data)

    feeder = threading.Thread(target=feed)
    feeder.start()
    with open(reading, "rb", buffering=0) as raw:
        assert b"".join(decompressed_chunks(raw)) == content
        assert not raw.closed
    feeder.join()


def test_zeros_behind_a_compressed_file_are_passed_over():
    for pack in (gzip.compress, lzma.compress):
        assert lines(pack(b"a\n") + bytes(4096) + pack(b"b\n") + bytes(512)) == [b"a\n", b"b\n"]


def test_lines_close_the_stream_in_the_end_and_blocks_do_not():
    stream = io.BytesIO(gzip.compress(b"a\nb\n"))
    assert list(line_blocks(stream)) == [b"a\nb\n"]
    assert not stream.closed
    stream.seek(0)
    found: Any = decompressed_lines(stream)
    next(found)
    found.close()
    assert stream.closed


@pytest.mark.parametrize("packer", ["gzip", "bzip2", "xz"])
def test_a_file_that_is_cut_off_anywhere_or_has_one_wrong_byte_is_damaged(packer):
    data = PACKERS[packer](os.urandom(3000))
    for cut in (0, 1, 2, 5, 40):
        for end in (len(data) - 1 - cut, len(data) // 2 - cut, 7 + cut):
            with pytest.raises(DamagedError):
                lines(data[:end])
    data = bytearray(PACKERS[packer](b"1 2 3 0\n" * 1000))
    data[len(data) // 2] ^= 0x55
    with pytest.raises(DamagedError):
        lines(bytes(data))


def test_an_error_of_the_disk_is_no_damage():
    class Broken(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, buffer):
            raise OSError(5, "Input/output error")

    with pytest.raises(OSError, match="Input/output") as error:
        list(decompressed_chunks(Broken()))
    assert error.value.errno == 5


def test_an_xz_file_that_wants_a_huge_dictionary_is_refused():
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 2**20, "preset": 0}]
    data = bytearray(lzma.compress(b"a\n", filters=filters, check=lzma.CHECK_NONE))
    # The dictionary size, 4 GiB - 1, and the checksum of the block header that holds it.
    assert data[16] == 16
    data[16] = 40
    data[20:24] = zlib.crc32(data[12:20]).to_bytes(4, "little")
    with pytest.raises(DamagedError, match=r"[Mm]emory"):
        lines(bytes(data))


def test_the_limit_of_bytes_counts_what_is_decompressed():
    data = gzip.compress(b"12345\n" * 100)
    assert sum(map(len, decompressed_chunks(io.BytesIO(data), 600))) == 600
    with pytest.raises(TooLargeError, match="more than 599 bytes"):
        list(decompressed_chunks(io.BytesIO(data), 599))
    assert sum(map(len, decompressed_chunks(io.BytesIO(b"x" * 700), 600))) == 700


def test_a_line_is_not_gathered_without_bound(monkeypatch):
    monkeypatch.setattr(compressed, "LONGEST_LINE", 2**20)
    assert len(lines(b"x" * 2**20)) == 1
    with pytest.raises(TooLargeError, match="a line of more than 1,048,576 bytes"):
        lines(b"x\n" + b"x" * 3 * 2**20)


def bomb(piece):
    """A gzip file of some 4 MB that holds 4 GiB: one member of 64 MiB, again and again."""
    member = gzip.compress(piece * (2**26 // len(piece)), 9, mtime=0)
    return member * 64


def refused_with_little_memory(data, reader, megabytes, message=r"\S"):
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match=message):
            read_with(data, reader=reader)
        assert tracemalloc.get_traced_memory()[1] < megabytes * 2**20, reader
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "piece", [b" " * 16, bytes(16), b"1" * 2**20 + b"\n"], ids=["blanks", "zeros", "long lines"]
)
def test_a_bomb_of_4_mb_ends_in_an_error_and_little_memory(piece):
    data = bomb(piece)
    assert len(data) < 6_000_000
    lenient = partial(read_dimacs, strict=False)
    for reader in (read_dimacs, lenient, read_counting, read_icnf, read_wcnf, read_problem):
        refused_with_little_memory(data, reader, 200)


def test_a_bomb_of_clauses_ends_in_an_error_and_little_memory():
    header = gzip.compress(b"p cnf 1073741823 999999999999\n")
    for piece in (b"1 0\n", b"\n" * 16, b"1 -2 3 4 "):
        data = header + bomb(piece)
        refused_with_little_memory(data, read_dimacs, 300, "more than 200 times its size")


@pytest.mark.parametrize("name", ["b.cnf", "b.cnf.gz", "b.cnf.bz2", "b.cnf.xz"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError, MemoryError])
def test_an_interrupted_write_leaves_nothing(
    tmp_path: Path, name: str, error: type[BaseException]
) -> None:
    with pytest.raises(error), replacing(tmp_path / name) as stream:  # noqa: PT012
        stream.write(b"p cnf 1 1\n" * 100_000)
        raise error
    assert os.listdir(tmp_path) == []


def test_nobody_sees_a_file_before_it_is_whole_and_links_and_permissions_survive(tmp_path) -> None:
    path, link = tmp_path / "b.cnf", tmp_path / "link"
    path.write_text("older")
    path.chmod(0o640)
    link.symlink_to(path)
    for target, before, after in ((path, "older", "newer"), (link, "newer", "newest")):
        with replacing(target) as stream:
            stream.write(after.encode())
            assert path.read_text() == before
        assert path.read_text() == after
        assert sorted(os.listdir(tmp_path)) == ["b.cnf", "link"]
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_device_is_written_to_and_not_replaced() -> None:
    with replacing(os.devnull) as stream:
        stream.write(b"newer")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
