"""Every format gives back what was written, and refuses what it cannot hold or is malformed."""

import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from satsweeper.board.codes import COVERED, FLAG, PADDING
from satsweeper.cli.convert import PARTS
from satsweeper.notation.error import BoardError, CannotHoldError
from satsweeper.notation.formats import FORMATS, read_record, write_record
from satsweeper.notation.record import Record
from satsweeper.notation.text import read_text
from satsweeper.position import Position
from tests.boards import neighbours

Rows = list[list[int]]


def padded(rows: Rows) -> bytes:
    return b"".join(bytes(code & 255 for code in [*row, PADDING]) for row in rows)


def numbers(mines: set[tuple[int, int]], rows: int, columns: int) -> Rows:
    """The solved board, counted cell by cell."""

    def shown(cell: tuple[int, int]) -> int:
        return FLAG if cell in mines else len(mines & {*neighbours(cell, (rows, columns))})

    return [[shown((r, c)) for c in range(columns)] for r in range(rows)]


def opening(solution: Rows, row: int, column: int) -> Rows:
    """What a first click shows."""
    shown = [[COVERED] * len(cells) for cells in solution]
    todo = [(row, column)]
    while todo:
        r, c = todo.pop()
        if shown[r][c] == COVERED:
            shown[r][c] = solution[r][c]
            if solution[r][c] == 0:
                todo += neighbours((r, c), (len(solution), len(shown[0])))
    return shown


@st.composite
def records(draw: st.DrawFn) -> tuple[Record, Rows, Rows | None]:
    """A record, what it shows, and the truth if it tells it or flags give it away."""
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(1, 7))
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    mines = draw(st.sets(st.sampled_from(cells)))
    solution = numbers(mines, rows, columns)
    shown = [[COVERED] * columns for _ in range(rows)]
    free = [cell for cell in cells if cell not in mines]
    kind = draw(st.sampled_from(["covered", "click", "game", "game", "won"]))
    if kind == "click" and free:
        shown = opening(solution, *draw(st.sampled_from(free)))
    elif kind == "won":
        shown = [list(row) for row in solution]
    elif kind == "game":
        for r, c in draw(st.sets(st.sampled_from(cells))):
            shown[r][c] = solution[r][c]
        for r, c in draw(st.sets(st.sampled_from(cells), max_size=1)):
            shown[r][c] = FLAG
    told = draw(st.booleans())
    total = draw(st.sampled_from([None, len(mines)]))
    notes = draw(st.sampled_from([(), (), (("author", "eve: \u2713"), ("comment", "x"))]))
    record = Record(padded(shown), columns, total, padded(solution) if told else None, notes)
    flags = flags_of(shown)
    given_away = numbers(flags, rows, columns)
    plain = total == len(flags) or (total is None and all(COVERED not in row for row in shown))
    agrees = all(shown[r][c] in (COVERED, given_away[r][c]) for r, c in cells)
    implied = given_away if plain and agrees else None
    return record, shown, solution if told else implied


def can_hold(name: str, record: Record, shown: Rows, truth: Rows | None) -> bool:
    """By the documentation of each format, not by its code."""
    told_only = record.solution is not None and unsaid(record, shown, truth)
    if record.notes and name not in ("json", "board"):
        return False
    if name == "json":
        return True
    if name in ("text", "minesweepr"):
        return not told_only and (name == "text" or record.mines is None)
    if record.mines is None:
        return False
    if name == "board":
        return True
    if name == "mine":
        told = truth is not None and all(truth[r][c] == FLAG for r, c in flags_of(shown))
        return record.solution is None or told
    if truth is None:
        return False
    covered = [[COVERED] * len(row) for row in shown]
    if name == "mbf":
        return shown == covered
    if name == "tatham":
        free = [(r, c) for r, row in enumerate(truth) for c, x in enumerate(row) if x != FLAG]
        return shown == covered or any(opening(truth, *cell) == shown for cell in free)
    return True


def flags_of(shown: Rows) -> set[tuple[int, int]]:
    return {(r, c) for r, row in enumerate(shown) for c, x in enumerate(row) if x == FLAG}


def unsaid(record: Record, shown: Rows, truth: Rows | None) -> bool:
    """Whether the flags leave the layout open."""
    if numbers(flags_of(shown), len(shown), len(shown[0])) != truth:
        return True
    return record.mines is None and any(COVERED in row for row in shown)


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=120)
@given(records())
def test_what_a_format_can_hold_comes_back_and_the_rest_is_refused(name, drawn):
    record, shown, truth = drawn
    if not can_hold(name, record, shown, truth):
        with pytest.raises(CannotHoldError, match=f"^{name} "):
            write_record(record, name)
        return
    written = write_record(record, name)
    for again in (read_record(written, "b", name), read_record(written, "b")):
        assert again.padded == record.padded
        assert again.mines == record.mines
        assert again.notes == record.notes
        if record.solution is not None:
            assert again.truth == record.solution
    as_position = Position.parse(written)
    assert as_position == Position(shown, record.mines)


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=50)
@given(records())
def test_leaving_out_what_an_error_names_is_enough_or_it_names_nothing(name, drawn):
    record = drawn[0]
    # What the table of formats refuses is said at once; a format's own refusal may follow.
    for left in (2, 1, 0) if name in ("mine", "tatham") else (1, 0):
        try:
            write_record(record, name)
            return
        except CannotHoldError as refusal:
            error = refusal
        assert str(error).isprintable()
        assert left or not error.drops
        for part in error.drops:
            record = record.without(part)


@given(records(), st.sampled_from(PARTS))
def test_leaving_out_a_part_keeps_the_others(drawn, part):
    record, shown, truth = drawn
    left = record.without(part)
    kept = {
        "flags": [[COVERED if x == FLAG else x for x in row] for row in shown],
        "view": [[COVERED] * len(row) for row in shown],
    }.get(part, shown)
    assert left.padded == padded(kept)
    assert left.mines == (None if part == "total" else record.mines)
    assert left.notes == (() if part == "notes" else record.notes)
    told = record.solution if truth is None or part not in ("flags", "view") else padded(truth)
    assert left.solution == (None if part == "layout" else told)


@given(records())
def test_the_solution_is_the_truth_with_nothing_covered(drawn):
    record, _, truth = drawn
    if truth is None:
        with pytest.raises(CannotHoldError, match="no layout is told"):
            record.solved()
    else:
        assert record.solved().reading.cells.tolist() == truth


@given(records(), st.integers(0, 35))
def test_a_game_id_masked_or_not_tells_the_same_board(drawn, seed):
    record, shown, truth = drawn
    record = replace(record, notes=(), seed=seed)
    if record.mines is None or truth is None:
        return
    same = [read_record(write_record(record, "danamlund"), "b")]
    if can_hold("tatham", record, shown, truth):
        for masked in (True, False):
            written = write_record(replace(record, masked=masked), "tatham")
            assert (b"m" in written, b"u" in written) == (masked, not masked)
            same.append(read_record(written, "b"))
    assert {(again.padded, again.solution) for again in same} == {(record.padded, padded(truth))}


@pytest.mark.parametrize(
    ("name", "rows", "columns", "message"),
    [("mbf", 256, 1, "mbf cannot hold 1x256 cells: 255x255 at most"),
     ("mbf", 1, 256, "mbf cannot hold 256x1 cells: 255x255 at most"),
     ("tatham", 2001, 2000, "tatham cannot hold 4002000 cells: 4000000 at most"),
     ("danamlund", 2001, 2000, "danamlund cannot hold 4002000 cells: 4000000 at most"),
     ("json", 2001, 2000, "json cannot hold 2000x2001 cells: 4000000 cells and"),
     ("mine", 1_000_001, 1, "mine cannot hold 1000001 rows: 1000000 at most")],
)  # fmt: skip
def test_boards_that_are_too_large_are_refused(name, rows, columns, message):
    covered = bytes([255] * columns + [PADDING]) * rows
    with pytest.raises(CannotHoldError, match=f"^{message}"):
        write_record(Record(covered, columns, 0), name)


def test_an_mbf_file_of_any_shape_is_told_from_text():
    # 59 columns begin like a comment, 35 by 32 like a remark; 48 is the digit 0, 10 a line end.
    for rows, columns in [(49, 59), (32, 35), (48, 48), (10, 49), (255, 255), (1, 239)]:
        for mines in ([0], [10 % columns], range(rows), range(rows * columns)):
            cells = {divmod(i, columns) for i in mines}
            if columns > 10 and rows > 48:
                cells.add((48, 10))
            solution = padded(numbers(cells, rows, columns)) if len(cells) < 100 else None
            flat = [(c, r) for r, c in sorted(cells)]
            raw = bytes([columns, rows]) + len(cells).to_bytes(2, "big")
            raw += bytes(byte for pair in flat for byte in pair)
            record = read_record(raw, "b")
            assert (record.rows, record.columns, record.mines) == (rows, columns, len(cells))
            assert solution is None or record.solution == solution
            assert Position.parse(raw).covered_cells() == [
                (r, c) for r in range(rows) for c in range(columns)
            ]
            assert write_record(record, "mbf") == raw


def test_a_total_that_is_not_that_of_the_layout_is_refused():
    record = read_record("3x1x1\nM1H\n", "b")
    with pytest.raises(ValueError, match="total 2: the layout has 1 mine"):
        record.with_total(2)
    with pytest.raises(ValueError, match="4 mines in 3 cells"):
        record.with_total(4)
    assert record.with_total(None).mines is None


def test_a_note_that_a_line_cannot_hold_is_refused():
    record = Record(padded([[COVERED]]), 1, 0)
    for name, value in [("a b", "x"), ("rows", "x"), ("author", "a\nb"), ("author", " a")]:
        with pytest.raises(CannotHoldError, match="board cannot hold the note"):
            write_record(replace(record, notes=((name, value),)), "board")
    mode = replace(record, notes=(("game_mode", "upk"),))
    assert read_record(write_record(mode, "board"), "b").notes == mode.notes


def test_marks_are_in_no_other_format():
    record = Record(padded([[COVERED]]), 1, 1, marks=(("question mark", 1),))
    for name in FORMATS:
        with pytest.raises(CannotHoldError):
            write_record(record, name)
    assert read_record(write_record(record.without("marks"), "board"), "b").marks == ()


def test_a_format_that_is_named_is_not_looked_for_and_unknown_words_are_errors():
    assert Position.parse(".0\n").cells.tolist() == [[-1, 0]]
    assert Position.parse(".0\n", format="minesweepr").cells.tolist() == [[0, 0]]
    with pytest.raises(BoardError, match="unknown character 'x'"):
        Position.parse("1x1x0\n?\n", format="text")
    with pytest.raises(KeyError):
        Position.parse("1x\n", format="pgn")
    with pytest.raises(KeyError):
        Record(padded([[COVERED]]), 1).without("colour")


# -- Every malformed file is refused with one line that says where and what, in bounded time.


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
