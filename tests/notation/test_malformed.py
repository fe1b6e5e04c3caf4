"""Every malformed file is refused with one line that says where and what, in bounded time."""

import json
import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from satsweeper.notation.error import BoardError
from satsweeper.notation.formats import FORMATS, read_record, write_record
from satsweeper.notation.record import Record
from satsweeper.notation.text import read_text
from satsweeper.position import Position

DATA = Path(__file__).parents[1] / "data"
FILES = DATA / "notation"
MALFORMED = {
    path.name: path
    for path in (*(DATA / "malformed").glob("*.txt"), *(FILES / "malformed").iterdir())
}


def cases(name: str) -> list[list[str]]:
    """The lines of a file of cases: a name, or a text as JSON, and the message."""
    lines = (DATA / name).read_text("utf-8").splitlines()
    return [line.split(" | ", 1) for line in lines]


def test_every_malformed_file_has_its_expected_message():
    assert MALFORMED.keys() == {name for name, _ in cases("malformed_boards.txt")}


@pytest.mark.parametrize(("name", "message"), cases("malformed_boards.txt"))
def test_the_error_names_the_place_and_the_defect(name, message):
    raw = MALFORMED[name].read_bytes()
    form = name.rpartition(".")[2].replace("txt", "text")
    with pytest.raises(BoardError) as caught:
        read_record(raw, "board", form)
    assert str(caught.value) == message
    assert str(caught.value).isprintable()
    with pytest.raises(BoardError):
        Position.parse(raw, source="board")
    if form != "text":
        return
    error = caught.value
    assert (error.line is None) == (error.column is None)
    if error.line is not None and error.column is not None:
        lines = raw.split(b"\n")
        assert 1 <= error.line <= len(lines)
        assert 1 <= error.column <= len(lines[error.line - 1]) + 1
    if " at offset " not in message:
        with pytest.raises(BoardError, match=re.escape(message)):
            read_text(raw.decode("utf-8"), "board")


def test_a_file_is_named_by_its_path():
    path = MALFORMED["clue_9.txt"]
    with pytest.raises(BoardError) as caught:
        Position.read(path)
    assert str(caught.value) == f"{path}:2:2: clue 9: a clue is 0 to 8"


@pytest.mark.parametrize(("text", "said"), cases("headers_of_wrong_size.txt"))
def test_what_the_header_says_and_what_the_board_has_is_told(text, said):
    with pytest.raises(BoardError, match=r"\S") as caught:
        read_record(json.loads(text), "b")
    assert re.sub(r"^b:? ?", "", str(caught.value)).startswith(said.removeprefix(": "))


def test_no_header_of_the_wrong_size_is_a_wrong_clue():
    random = Random(1)
    for _ in range(3000):
        rows, columns = random.randint(1, 12), random.randint(1, 12)
        size = [rows + random.choice((-1, 0, 1, 4)), columns + random.choice((-1, 0, 1, 4))]
        total = random.choice(("?", "0", "3", "12", "99"))
        head = f"{size[0]} {size[1]} {total}"
        may_be_a_row = columns == 3 and all(word in "012345678?" for word in head.split())
        if size == [rows, columns] or may_be_a_row:
            continue
        with pytest.raises(BoardError, match=r"^b:1:[0-9]+: the header says [0-9]+ (row|column)"):
            read_text(f"{head}\n" + rows * (columns * "?" + "\n"), "b")


GOOD = [path.read_bytes() for path in FILES.glob("*.*") if path.suffix != ".md"]
PIECES = [b"", *b"\n 0 9 x ? F * : { \0 \xff -1".split(b" "), b"\r\n"]


def outcome(data: bytes | str, name: str | None) -> Record | BoardError:
    try:
        return read_record(data, "board", name)
    except BoardError as error:
        return error


def is_read_or_refused(raw: bytes, name: str | None) -> None:
    record = outcome(raw, name)
    if isinstance(record, BoardError):
        assert str(record).isprintable()
        return
    bare = record.without("layout").without("notes").without("marks")
    again = read_record(write_record(bare, "text"), "again")
    assert (again.padded, again.mines) == (bare.padded, bare.mines)
    assert Position.parse(raw, format=name).mines == record.mines


@settings(max_examples=300)
@given(
    st.sampled_from(GOOD),
    st.lists(
        st.tuples(st.integers(0, 250), st.integers(0, 3), st.sampled_from(PIECES) | st.binary()),
        min_size=1,
        max_size=3,
    ),
    st.sampled_from([None, *FORMATS]),
)
def test_damaged_files_are_read_or_refused(raw, edits, name):
    for place, removed, piece in edits:
        place %= len(raw) + 1
        raw = raw[:place] + piece + raw[place + removed :]
    is_read_or_refused(raw, name)
    is_read_or_refused(raw, None)


@settings(max_examples=300)
@given(st.binary(max_size=80), st.sampled_from([None, *FORMATS]))
@example(b"\xff" * 4, "mbf")
@example(b"", "board")
@example(b"\n", "danamlund")
def test_any_bytes_are_read_or_refused(raw, name):
    is_read_or_refused(raw, name)


@settings(max_examples=200)
@given(st.text(max_size=60), st.sampled_from([None, *FORMATS]))
@example("\ud800x", None)
@example('{"schema": "satsweeper/board/1", "\ud800": 1}', "json")
def test_any_text_is_read_or_refused(text, name):
    found = outcome(text, name)
    if isinstance(found, BoardError):
        assert str(found).isprintable()
    else:
        assert Position.parse(text, format=name).mines == found.mines


LONG = {
    "digits": b"9" * 500_000,
    "digits and an x": b"9" * 1_000_000 + b"x" + b"9" * 1_000_000,
    "spaces": b" " * 500_000 + b"\x0b",
    "a field of spaces": b"# MINESWEEPER-BOARD v0.1\na:" + b" " * 500_000 + b"\x0b",
    "line ends": b"\n" * 300_000,
    "an ID": b"3x3" + b"n" * 500_000,
    "brackets": b"{" + b"[" * 500_000,
    "a game": b"Minesweeper " + b"1" * 500_000,
    "more lines than any board": b"2x2x1" + b"\n" * 2_100_000,
}


@pytest.mark.parametrize("raw", LONG.values(), ids=LONG.keys())
def test_long_files_take_no_more_than_linear_time(raw):
    # Anything quadratic would take hours, and the time limit of the suite would end it.
    for name in [None, *FORMATS]:
        with pytest.raises(BoardError) as caught:
            read_record(raw, "board", name)
        assert len(str(caught.value)) < 300
