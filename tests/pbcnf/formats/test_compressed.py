import bz2
import gzip
import io
import lzma
import os
import threading
import tracemalloc
import zlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf.formats import compressed
from pbcnf.formats.compressed import (
    DamagedError,
    TooLargeError,
    decompressed_chunks,
    decompressed_lines,
    line_blocks,
)
from pbcnf.formats.error import FormatError
from pbcnf.formats.problems import read_problem
from pbcnf.formats.read.counting import read_counting
from pbcnf.formats.read.dimacs import read_dimacs
from pbcnf.formats.read.icnf import read_icnf
from pbcnf.formats.read.wcnf import read_wcnf

PACKERS: dict[str, Any] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
}


@pytest.fixture(params=PACKERS)
def packed(request):
    return PACKERS[request.param]


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


def test_large_content_is_read_in_whole_lines(packed):
    rows = [b"%d\n" % pow(7, i, 10**40) for i in range(30_000)]
    data = packed(b"".join(rows) + b"no line feed")
    blocks = list(line_blocks(io.BytesIO(data)))
    assert all(block.endswith(b"\n") for block in blocks[:-1])
    assert b"".join(blocks).split(b"\n") == [*[row[:-1] for row in rows], b"no line feed"]
    assert max(map(len, decompressed_chunks(io.BytesIO(data)))) <= 2**20


def test_zeros_behind_a_compressed_file_are_passed_over():
    for pack in (gzip.compress, lzma.compress):
        assert lines(pack(b"a\n") + bytes(4096) + pack(b"b\n") + bytes(512)) == [b"a\n", b"b\n"]


def test_a_pipe_that_cannot_seek_is_read(packed):
    data = packed(b"1 2 0\n" * 50_000)
    reading, writing = os.pipe()

    def feed():
        with open(writing, "wb") as end:
            end.write(data)

    feeder = threading.Thread(target=feed)
    feeder.start()
    with open(reading, "rb", buffering=0) as raw:
        assert sum(map(len, decompressed_chunks(raw))) == 300_000
        assert not raw.closed
    feeder.join()


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


READERS = {
    "dimacs": lambda stream: read_dimacs(stream, "f"),
    "lenient dimacs": lambda stream: read_dimacs(stream, "f", strict=False),
    "counting": lambda stream: read_counting(stream, "f"),
    "icnf": lambda stream: read_icnf(stream, "f"),
    "wcnf": lambda stream: read_wcnf(stream, "f"),
    "problem": lambda stream: read_problem(lambda: io.BytesIO(stream.getvalue()), "f"),
}
PIECES = {"blanks": b" " * 16, "zeros": bytes(16), "long lines": b"1" * 2**20 + b"\n"}


@pytest.fixture(scope="module", params=PIECES)
def data_of_bomb(request):
    return bomb(PIECES[request.param])


def test_a_bomb_of_4_mb_ends_in_an_error_and_little_memory(data_of_bomb):
    assert len(data_of_bomb) < 6_000_000
    for name, reader in READERS.items():
        tracemalloc.start()
        try:
            with pytest.raises(FormatError):
                reader(io.BytesIO(data_of_bomb))
            assert tracemalloc.get_traced_memory()[1] < 200 * 2**20, name
        finally:
            tracemalloc.stop()


def test_a_bomb_of_clauses_ends_in_an_error_and_little_memory():
    header = gzip.compress(b"p cnf 1073741823 999999999999\n")
    for piece in (b"1 0\n", b"\n" * 16, b"1 -2 3 4 "):
        tracemalloc.start()
        try:
            with pytest.raises(FormatError, match="more than 200 times its size"):
                read_dimacs(io.BytesIO(header + bomb(piece)), "f")
            assert tracemalloc.get_traced_memory()[1] < 300 * 2**20
        finally:
            tracemalloc.stop()
