"""Files of many positions: read whole, found by their first line, and refused with a place."""

import gzip

import pytest

from satsweeper import Position
from satsweeper.notation.corpus import is_corpus, read_corpus
from satsweeper.notation.error import BoardError

TWO = "; id=a kind=mid\n1 2 1\n1?\n; unknown .M\n\n\n; id=b kind=triv\n2 1 ?\n?\n1\n"


def test_the_sample_is_read_record_by_record(data, sample):
    path = data / "corpus" / "sample.txt"
    assert is_corpus(path)
    records = read_corpus(path)
    assert [one.id for one in records] == [one.name for one in sample]
    for one, expected in zip(records, sample, strict=True):
        position = Position.parse(one.text)
        assert position.text() == Position.parse(expected.text).text()
        assert (position.rows, position.columns) == (one.rows, one.columns)
        assert path.read_text().splitlines()[one.line - 1].startswith(f"; id={one.id} ")


@pytest.mark.parametrize("name", ["two.ms", "two.ms.gz"])
def test_plain_and_gzip_are_told_apart_by_content(name, tmp_path):
    path = tmp_path / name
    path.write_bytes(gzip.compress(TWO.encode()) if name.endswith("gz") else TWO.encode())
    assert is_corpus(path)
    first, second = read_corpus(path)
    assert (first.id, first.kind, first.rows, first.columns, first.line) == ("a", "mid", 1, 2, 1)
    assert (second.id, second.kind, second.line) == ("b", "triv", 7)
    assert Position.parse(second.text).mines is None


def test_a_board_is_no_corpus(data, tmp_path):
    assert not is_corpus(data / "positions" / "kaye_wire.txt")
    cut = tmp_path / "cut.gz"
    cut.write_bytes(gzip.compress(TWO.encode())[:15])
    assert not is_corpus(cut)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (TWO + "\nno head\n", ":12: no '; id=... kind=...'"),
        ("; id=a kind=mid\n1?\n", ":1: no '; id=... kind=...' and 'rows columns mines'"),
        ("; id=\u00e4 kind=mid\n1 2 1\n1?\n", ": neither ASCII text nor gzip"),
    ],
)
def test_what_is_no_record_is_refused_with_its_line(content, said, tmp_path):
    path = tmp_path / "bad.ms"
    path.write_text(content, "utf-8")
    with pytest.raises(BoardError) as caught:
        read_corpus(path)
    assert said in str(caught.value)
