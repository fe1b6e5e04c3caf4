"""A certificate is about one board: its rows and total, how flags are read, what its files say."""

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf.proof.cutting_planes.formula import read_formula
from satsweeper import Position
from satsweeper.certificate.certify import certify
from satsweeper.checker import contents
from satsweeper.checker.board import CheckedBoard, CountPair, read_board
from satsweeper.checker.check import check
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.expected_board import plain_board
from satsweeper.checker.formula import OpbStatement, check_problem
from satsweeper.checker.sums_recheck import add_up
from satsweeper.notation.error import BoardError
from tests.boards import neighbours
from tests.commands import EXAMPLES
from tests.oracles import assignments
from tests.problem_files import pb_proof


def certificate_of(tmp_path: Path, text: str, **options: Any) -> Path:
    folder = tmp_path / f"c{len(list(tmp_path.iterdir()))}"
    certify(Position.parse(text), **options).write(folder)
    return folder


def refusal(folder: Path, **asked: Any) -> str:
    with pytest.raises(WrongCertificateError) as refused:
        check(folder, external=False, **asked)
    return str(refused.value)


ABOUT = "board.txt: the certificate is about total"


@pytest.mark.parametrize(
    ("certified", "board", "fault"),
    [("1 1 0\n?\n", "1 1 1\n?\n", f"{ABOUT} 0, the board says 1"),
     ("1 2 0\n1?\n", "1 2 1\n1?\n", f"{ABOUT} 0, the board says 1"),
     ("1 1 0\n?\n", "?\n", f"{ABOUT} 0, the board says unknown"),
     ("1 1 0\n?\n", "1 1 ?\n?\n", f"{ABOUT} 0, the board says unknown"),
     ("?\n", "1 1 0\n?\n", f"{ABOUT} unknown, the board says 0")],
)  # fmt: skip
def test_a_certificate_of_another_total_is_refused_by_name(tmp_path, certified, board, fault):
    folder = certificate_of(tmp_path, certified)
    assert refusal(folder, board=board) == fault
    rows, total = board.split("\n")[-2:-1], Position.parse(board).mines
    asked = "unknown" if total is None else total
    other = fault.replace("the board says", "asked for is")
    assert refusal(folder, board=rows, mines=asked) == other
    assert refusal(folder, mines=asked) == other
    assert check(folder, board=certified, external=False).rows == tuple(rows)


def test_rows_alone_state_no_total(tmp_path):
    folder = certificate_of(tmp_path, "1 1 0\n?\n")
    assert refusal(folder, board=["?"]) == f"{ABOUT} 0, the board says unknown"
    assert check(folder, board=["?"], mines=0, external=False).mines == 0
    assert check(certificate_of(tmp_path, "?\n"), board=["?"], external=False).mines is None


def test_flags_that_are_read_otherwise_are_refused_by_name(tmp_path):
    board = "1 3 ?\nF0?\n"
    modes = ("trust", "ignore")
    trusting, ignoring = (certificate_of(tmp_path, board, flags=mode) for mode in modes)
    assert check(trusting, board=board, external=False).status == "inconsistent"
    assert check(ignoring, board=board, flags="ignore", external=False).grid == ("S0S",)
    fault = "manifest.json: the certificate is about flags read as"
    for asked in ({"board": board}, {"flags": "trust"}, {"board": board, "flags": "trust"}):
        assert refusal(ignoring, **asked) == f"{fault} 'ignore', asked for is 'trust'"
    for asked in ({"flags": "ignore"}, {"board": board, "flags": "ignore"}):
        assert refusal(trusting, **asked) == f"{fault} 'trust', asked for is 'ignore'"


def test_what_was_checked_is_told_from_the_bytes_that_were_checked(forge, monkeypatch):
    folder = forge("total").write()
    manifest = (folder / "manifest.json").read_bytes()
    read = contents.read_regular

    def spoilt(where: Path, name: str) -> bytes:
        content = read(where, name)
        (where / name).write_bytes(b"another one")
        return content

    monkeypatch.setattr("satsweeper.checker.contents.read_regular", spoilt)
    monkeypatch.setattr("satsweeper.checker.manifest.read_regular", spoilt)
    found = check(folder, external=False)
    assert (folder / "manifest.json").read_bytes() == b"another one"
    assert found.sha256 == hashlib.sha256(manifest).hexdigest()
    assert (found.rows, found.mines, found.flags) == (("1????", "1????"), 1, "trust")
    assert list(found.grid or ()) == forge("total").about["grid"]
    assert found.as_json()["board"] == {"rows": 2, "columns": 5, "mines": 1, "flags": "trust"}


@pytest.mark.parametrize(
    "asked", [{"flags": "some"}, {"mines": "?"}, {"board": "2x1x1\n?x"}, {"board": ""}]
)
def test_what_nobody_can_ask_for_is_refused(forge, asked):
    with pytest.raises(ValueError, match=r"flags=|mines=|board: no board in the plain notation"):
        check(forge("total").write(), external=False, **asked)


def test_the_checker_reads_the_plain_notation_as_all_other_commands_do():
    for path in EXAMPLES.glob("*.txt"):
        assert read_alike(path.read_text())
        assert plain_board(path.read_bytes()) == plain_board(path.read_text())


def test_what_it_reads_is_read_by_the_others_in_the_same_way():
    rng = random.Random(1)
    pieces = [*"0012?#.H-F!*", " ", "  ", "\t", "\n", "\n", "\r\n", "; a 1\n", "# 1\n", "# word\n"]
    pieces += ["2 2 1\n", "1 3 ?\n", "3 1 9\n", "2 3 F\n", "x", ":", ";", "9", "\x0b", "\ufeff"]
    both = 0
    for _ in range(20_000):
        text = "".join(rng.choices(pieces, k=rng.randint(1, 9)))
        text += "".join("".join(rng.choices("012?", k=3)) + "\n" for _ in range(rng.randrange(3)))
        both += read_alike(text)
    assert both > 1000


def read_alike(text: str) -> bool:
    """Whether the checker reads a text; if so, the others must read the same."""
    found = plain_board(text)
    if found is None:
        return False
    try:
        position = Position.parse(text)
    except BoardError as error:
        # Whether a game can show a clue is not a matter of notation.
        if "a clue is at most" not in str(error):
            pytest.fail(f"{text!r}: {error}")
        return False
    lines = position.text().splitlines()
    assert (list(found.rows), found.mines) == (lines[1:], position.mines), text
    return True


def test_three_cells_alone_are_a_row_for_both_and_no_header(tmp_path):
    assert all(map(read_alike, ["0 0 ?", "0 1 ?", " 0\t0 ?\r\n", "0 0 0\n;\n"]))
    assert plain_board("0 00 1") is None
    folder = certificate_of(tmp_path, "1 3 ?\n1??\n")
    for text in ("0 0 1\n", "0 0 1"):
        assert refusal(folder, board=text) == "board.txt: this is another board than the one given"


@settings(max_examples=400)
@given(
    header=st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from(["0", "1", "?", "9"])),
    rows=st.lists(st.text("01?F ", max_size=4), max_size=3),
    end=st.sampled_from(["", "\n", " \n", "\r\n", "\n;"]),
)
def test_small_texts_below_any_three_words_are_read_alike(header, rows, end):
    read_alike("\n".join([" ".join(map(str, header)), *rows]) + end)


# -- What is compared as text, or not made before somebody needs it, is what reading it all gives.

CELLS = 5
cell_sets = st.sets(st.integers(1, CELLS)).map(lambda cells: tuple(sorted(cells)))
sums = st.lists(st.tuples(cell_sets, st.integers(-1, CELLS + 1)), max_size=6)
claims = st.none() | st.lists(st.integers(1, CELLS), unique=True).flatmap(
    lambda cells: st.tuples(*[st.sampled_from([v, -v]) for v in cells]).map(list)
)


def written(said: OpbStatement, claim: list[int] | None = None) -> bytes:
    last = ""
    if claim is not None:
        terms = "".join(f"+1 x{v} " if v > 0 else f"-1 x{-v} " for v in claim)
        last = f"{terms}>= {1 - sum(v < 0 for v in claim)} ;\n"
    equal = len(said.sums)
    lines = equal + (claim is not None)
    head = f"* #variable= {said.cells} #constraint= {lines} #equal= {equal} intsize= 9\n"
    return head.encode() + said.text + last.encode()


def forced_by(sum_: CountPair) -> set[int]:
    """The literals that all assignments of this one sum make true; none if there is none."""
    cells, number = sum_
    models = [bits for bits in assignments(len(cells)) if sum(bits) == number]
    return {
        v if value else -v
        for at, v in enumerate(cells)
        for value in (0, 1)
        if models and all(bits[at] == value for bits in models)
    }


@given(sums, claims)
def test_a_problem_that_is_not_read_has_the_constraints_that_reading_finds(said, claim):
    stated = OpbStatement(CELLS, said)
    problem = written(stated, claim)
    found = check_problem(problem, stated, "clues.opb", claim)
    read = read_formula(problem)
    assert not isinstance(found.constraints, list)
    assert list(found.constraints) == read.constraints
    assert len(found.constraints) == len(read.constraints)
    assert found.variables == read.variables == CELLS


@given(sums, st.randoms(use_true_random=False))
def test_a_problem_in_another_order_is_read_and_accepted(said, rng):
    stated = OpbStatement(CELLS, said)
    head, *lines = written(stated).splitlines(keepends=True)
    rng.shuffle(lines)
    problem = head + b"".join(lines)
    found = check_problem(problem, stated, "clues.opb")
    assert list(found.constraints) == list(read_formula(problem).constraints)


@given(sums)
def test_both_checkers_take_from_single_sums_what_all_assignments_show(said):
    stated = OpbStatement(CELLS, said)
    forced = {lit for one in said for lit in forced_by(one)}
    found = check_problem(written(stated), stated, "clues.opb")
    assert not isinstance(found.constraints, list)
    assert found.constraints.forced() == forced
    again = add_up(written(stated).decode(), pb_proof(given=2 * len(said)), "sums.pbp")
    assert again.literals == forced


@st.composite
def marked(draw: st.DrawFn) -> tuple[CheckedBoard, set[tuple[int, int]]]:
    """A board, right or wrong, and mines in some of its covered cells."""
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(1, 6))
    line = st.text("?F0123", min_size=columns, max_size=columns)
    lines = draw(st.lists(line, min_size=rows, max_size=rows))
    total = draw(st.sampled_from(["?", "1", "3"]))
    text = "\n".join([f"{rows} {columns} {total}", *lines, ""])
    board = read_board(text, draw(st.booleans()))
    mines = draw(st.sets(st.sampled_from(board.cells))) if board.cells else set()
    return board, mines


def shown_on(board: CheckedBoard) -> dict[tuple[int, int], int]:
    """Cell -> clue."""
    marks = {(r, c): mark for r, row in enumerate(board.rows) for c, mark in enumerate(row)}
    return {cell: int(mark) for cell, mark in marks.items() if mark in "0123"}


@given(marked())
def test_a_layout_breaks_a_board_if_some_clue_or_the_total_counts_other_mines(drawn):
    board, mines = drawn
    placed = mines.union(board.flags)
    wrong = [
        cell
        for cell, clue in shown_on(board).items()
        if len(placed.intersection(neighbours(cell, board.size[:2]))) != clue
    ]
    last = len(board.text) - 1
    found = board.broken_by_places(sum(1 << last - board.grid.place(cell) for cell in mines))
    if wrong:
        assert found is not None
        assert found.startswith(f"the clue at {wrong[0]} wants")
    else:
        assert (found is None) == (board.mines in (None, len(placed)))


@given(marked())
def test_clues_are_made_when_they_are_asked_for_and_say_what_is_around_them(drawn):
    board, _ = drawn
    shown = shown_on(board)
    assert board.counts == [board.clue_at(cell) for cell in shown]
    for cell, clue in shown.items():
        near = {*neighbours(cell, board.size[:2])}
        count = board.clue_at(cell)
        assert count is not None
        assert count.variables == {board.variable[one] for one in near.intersection(board.cells)}
        assert count.mines == clue - len(near.intersection(board.flags))
    for cell in ((-1, 0), (0, 99), (99, 0), *board.cells, *board.flags):
        assert board.clue_at(cell) is None


def test_a_map_may_be_written_in_other_ways(forge):
    forgery = forge("open")
    forgery.files["map.json"] = json.dumps(forgery.json("map.json"), indent=1).encode()
    assert forgery.check().proved


@pytest.mark.parametrize(
    ("old", "new"),
    [('"2": {"cell": [0, 2]}', '"2": {"cell": [0, 3]}'),
     ('"variables": {', '"variables": {}, "variables": {'),
     ('"variables": {', '"variables": {}, "more": {'),
     ('"auxiliaries": [', '"auxiliaries": [{"variables": {}}, ')],
)  # fmt: skip
def test_a_map_that_says_anything_else_is_refused(forge, old, new):
    forgery = forge("open")
    forgery.replace("map.json", old, new)
    forgery.refused("map.json")
