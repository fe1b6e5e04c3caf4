"""Files of other programs, written by hand from their descriptions or published, and corpora."""

import ctypes
import gzip
import json
import platform
import random
from itertools import islice
from pathlib import Path

import pytest

from satsweeper.board.codes import FLAG
from satsweeper.notation.corpus import is_corpus, read_corpus
from satsweeper.notation.danamlund import rand
from satsweeper.notation.detect import detect
from satsweeper.notation.error import BoardError
from satsweeper.notation.formats import FORMATS, read_record, write_record
from satsweeper.notation.record import Record
from satsweeper.notation.solution import MINE
from satsweeper.position import Position

FILES = Path(__file__).parents[1] / "data" / "notation"
EXAMPLES = Path(__file__).parents[2] / "examples"


def read(name: str) -> Record:
    return read_record((FILES / name).read_bytes(), name)


def drawn(record: Record) -> list[str]:
    """The rows of what the player sees."""
    cells = record.reading.cells.tolist()
    return ["".join("F?012345678"[code + 2] for code in row) for row in cells]


def layout(record: Record) -> list[str]:
    """The rows of the truth, in the characters of the published answers."""
    assert record.solution is not None
    rows = record.solution.rstrip(b"\x7f").split(b"\x7f")
    return ["".join("*" if code == MINE else str(code) for code in row) for row in rows]


@pytest.mark.parametrize("path", sorted(FILES.glob("*.*")), ids=lambda path: path.name)
def test_every_file_is_found_to_be_in_its_format(path):
    name = path.suffix[1:]
    if name == "md":
        return
    raw = path.read_bytes()
    assert detect(raw) == name
    assert Position.read(path) == Position.read(path, format=name)
    if name != "mbf":
        assert Position.parse(b"\xef\xbb\xbf" + raw) == Position.read(path)
        text = raw.decode("utf-8")
        windows = text.replace("\n", "\r\n").encode()
        assert Position.parse(windows) == Position.parse(text) == Position.read(path)


def test_there_is_a_file_in_every_format_and_text_is_the_default():
    assert {path.suffix[1:] for path in FILES.glob("*.*")} - {"md"} == set(FORMATS) - {"text"}
    assert {detect(path.read_bytes()) for path in EXAMPLES.glob("*.txt")} == {"text"}


def test_the_game_id_in_the_source_of_the_puzzle_collection():
    """mines.c gives this ID and the same one unmasked, 9x9:4,4,004000007c00010022080."""
    record = read("vector.tatham")
    assert (record.mines, record.first, record.masked) == (10, (4, 4), True)
    assert " ".join(layout(record)).translate(str.maketrans("012345678", "." * 9)) == (
        "......... *........ ......... ......*** **....... ......... .*....... ...*...*. ....*...."
    )
    assert " ".join(drawn(record)) == (
        "?10000000 ?10000000 ?10001232 ?21001??? ??1001232 ??2000000 ??2110111 ????211?? ?????????"
    )
    plain = read_record("9x9:4,4,004000007c00010022080", "id")
    assert (plain.padded, plain.solution, plain.masked) == (record.padded, record.solution, False)
    assert write_record(record, "tatham") == b"9x9:4,4,mb071b49fbd1cb6a0d5868\n"
    assert write_record(plain, "tatham") == b"9x9:4,4,u004000007c00010022080\n"


def test_a_game_id_without_a_click_is_all_covered_and_a_lone_size_is_a_square():
    for spelt in ("3x3:u800", "3:800", " 3x3n1a:U800".replace("U", ""), "3x3X1Y2:800\n\n"):
        record = read_record(spelt, "id")
        assert (record.mines, record.first) == (1, None)
        assert layout(record) == ["*10", "110", "000"]
        assert drawn(record) == ["???"] * 3


def test_the_game_published_with_danamlunds_solver():
    """From danamlund.dk/minesweeper_solver: the solution decrypts to a board with 10 mines."""
    record = read("game.danamlund")
    assert (record.mines, record.seed) == (10, 1327442006)
    assert drawn(record) == ["????????"] * 8
    assert " ".join(layout(record)) == (
        "00123*10 001**221 0012322* 00012*21 0001*320 00134*10 001**310 0013*200"
    )
    assert write_record(record, "danamlund") == (FILES / "game.danamlund").read_bytes()


def test_moves_explosions_and_cut_spaces_in_a_game():
    text = (FILES / "game.danamlund").read_text()
    played = text.replace("........\n" * 2, "  123*1.\n  1?!221\n", 1)
    record = read_record(played.replace("seed 1327442006", "seed 1327442006 "), "g")
    assert drawn(record)[:2] == ["00123F1?", "001?F221"]
    assert record.marks == (("cell to be opened", 1), ("exploded mine", 1))
    cut = (FILES / "game.danamlund").read_text().replace("........\n", "\n", 1)
    with pytest.raises(ValueError, match=r"^g:2:3: opened cell 0: the layout has 1 there"):
        read_record(cut, "g")


def test_a_jsminesweeper_position_with_mines_that_are_known_or_not_all_told():
    record = read("position.mine")
    assert (record.rows, record.columns, record.mines) == (3, 5, 3)
    assert drawn(record) == ["?F100", "?3200", "??100"]
    assert layout(record) == ["2*100", "*3200", "2*100"]
    record = read_record("3x1x2\nM?H\n", "b")
    assert layout(record) == ["**1"]
    record = read_record("3x1x2\nM1H\n", "b")
    assert (record.solution, record.marks) == (None, (("mine without a flag", 1),))
    assert drawn(record) == ["?1?"]


def test_an_mbf_layout_byte_by_byte():
    record = read("layout_3x2.mbf")
    assert (FILES / "layout_3x2.mbf").read_bytes() == bytes([3, 2, 0, 2, 2, 0, 0, 1])
    assert drawn(record) == ["???"] * 2
    assert layout(record) == ["12*", "*21"]
    assert record.mines == 2


def test_a_board_file_with_view_layout_and_notes():
    record = read("both.board")
    assert drawn(record) == ["?F2?", "1?2?"]
    assert layout(record) == ["1*21", "112*"]
    assert record.notes == (("author", "eve"), ("comment", "a: b"), ("game_mode", "upk"))
    assert record.marks == (("question mark", 1),)


def test_marks_of_a_board_file_say_no_more_than_is_certain():
    record = read("emoji.board")
    assert drawn(record) == ["?F2?", "112F"]
    assert (record.solution, record.marks) == (None, (("exploded mine", 1),))
    head = "# MINESWEEPER-BOARD v0.1\nrows: 1\ncolumns: 6\nmines: 3\n[view]\n"
    record = read_record(head + "?X@#FU\n", "b")
    assert drawn(record) == ["?FF?F?"]
    marks = ("question mark", "exploded mine", "mine shown after the game", "wrong flag")
    assert dict(record.marks) == dict.fromkeys(marks, 1)


def test_the_board_in_the_readme_of_minesweepr():
    record = read("readme.minesweepr")
    assert record.mines is None
    assert drawn(record)[:5] == [f"00{i}" + "?" * 7 for i in (1, 2, 3, 2)] + ["112" + "?" * 7]
    known = EXAMPLES / "minesweepr.txt"
    assert Position.read(FILES / "readme.minesweepr", mines=10) == Position.read(known, mines=10)
    # Rows that look like the size of another format.
    assert drawn(read_record("1x1x1\n1x1x1\n", "b")) == ["1?1?1"] * 2
    assert detect(b"1x1x1\nH\n") == "mine"
    assert detect(b"2x1x0\n00\n") == "mine"


def test_a_json_board_says_everything():
    record = read("all.json")
    assert (record.mines, record.first, record.notes) == (1, (1, 2), (("author", "eve"),))
    assert drawn(record) == ["?10", "F10"]
    assert layout(record) == ["110", "*10"]
    written = json.loads(write_record(record, "json"))
    assert written == json.loads((FILES / "all.json").read_text())
    assert FLAG in read_record(json.dumps(written), "b").reading.cells


# -- Files of many positions: read whole, found by their first line, and refused with a place.


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
    [(TWO + "\nno head\n", ":12: no '; id=... kind=...'"),
     ("; id=a kind=mid\n1?\n", ":1: no '; id=... kind=...' and 'rows columns mines'"),
     ("; id=\u00e4 kind=mid\n1 2 1\n1?\n", ": neither ASCII text nor gzip")],
)  # fmt: skip
def test_what_is_no_record_is_refused_with_its_line(content, said, tmp_path):
    path = tmp_path / "bad.ms"
    path.write_text(content, "utf-8")
    with pytest.raises(BoardError) as caught:
        read_corpus(path)
    assert said in str(caught.value)


# -- The generator that danamlund's files are encrypted with, against published and live numbers.


def test_the_first_numbers_of_seed_1_are_the_published_ones_and_0_counts_as_1():
    published = [1804289383, 846930886, 1681692777, 1714636915, 1957747793]
    assert list(islice(rand(1), 5)) == published
    assert list(islice(rand(0), 50)) == list(islice(rand(1), 50))


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="no GNU C library to compare with")
def test_every_seed_gives_the_numbers_of_the_c_library():
    library = ctypes.CDLL(None)
    draw = random.Random(3)
    edges = [1327442006, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 1, -1, -(2**31)]
    for seed in edges + [draw.randrange(2**32) for _ in range(100)]:
        library.srand(ctypes.c_uint(seed % 2**32))
        assert list(islice(rand(seed), 100)) == [library.rand() for _ in range(100)], seed
