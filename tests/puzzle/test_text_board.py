"""Boards with rules and geometries as text: what is read, refused and written."""

import codecs
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from satsweeper import Position, as_text
from satsweeper.notation.error import BoardError
from satsweeper.puzzle.clue import Clue, Region, read_clue
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.geometry import Geometry
from satsweeper.puzzle.geometry.grids import square
from satsweeper.puzzle.geometry.space import cubes
from satsweeper.puzzle.json_board import json_text
from satsweeper.puzzle.puzzle import Puzzle, parse_board_or_puzzle, read_board_or_puzzle
from satsweeper.puzzle.rules.kind import clue_kind
from tests.puzzle.boards import grids


def texts(puzzle: Puzzle) -> dict[Any, str]:
    """The text of each clue by the cell's name."""
    return {puzzle.geometry.cells[cell]: clue.text() for cell, clue in puzzle.clues.items()}


MALFORMED = {
    "no_row": ("rules: C\nmines: 3\n", "b.txt: no board: no row of cells"),
    "only_comments": ("rules: C\n; nothing\n\n", "no row of cells"),
    "unknown_line": ("rules: C\nmine: 3\n1?\n", "b.txt:2:1: unknown line 'mine'; did you mean"),
    "unknown_first_line": ("rule: C\n1?\n", "b.txt:1:1: unknown line 'rule'; did you mean 'rules'"),
    "indented_unknown_line": ("rules: C\n  title: x\n1?\n", "b.txt:2:3: unknown line 'title'"),
    "second_line": ("rules: C\nmines: 1\nrules: Q\n1?\n", "b.txt:3:1: a second line 'rules'"),
    "line_below_a_row": ("rules: C\n1?\nmines: 1\n", "b.txt:3:1: line 'mines' below a row"),
    "unknown_rule": ("rules: C XX\n1?\n", "b.txt:1:8: unknown rule 'XX'"),
    "rules_without_a_blank": ("rules: 2HCW\n1?\n", "1:8: unknown rule '2HCW': rules stand apart by "
                              "blanks, as '2H C W'"),
    "rules_with_a_comma": ("rules: C,W\n1?\n", "rules stand apart by blanks, as 'C W'"),
    "unknown_rule_after_tab": ("rules:\tC9\n1?\n", "b.txt:1:8: unknown rule 'C9'"),
    "rule_twice": ("rules: C C\n1?\n", "b.txt:1:8: rule C is there twice"),
    "rules_that_do_not_combine": ("rules: W P\n1?\n", "b.txt:1:8: rules W and P do not combine"),
    "own_letters_with_a_rule": ("rules: # W\nW1 ?\n", "1:8: rules # W: with # each clue has its"),
    "own_rule": ("rules: os:abort\n1?\n", "b.txt:1:8: rule os:abort is code, which no file may"),
    "unknown_geometry": ("geometry: hexagon\n1?\n", "b.txt:1:11: unknown geometry 'hexagon'"),
    "small_torus": ("geometry: torus\n1?\n??\n", "b.txt:1:11: a torus has 3 rows and 3 columns"),
    "total_no_number": ("rules: C\nmines: many\n1?\n", "b.txt:2:8: 'many': a number of mines"),
    "total_negative": ("rules: C\nmines: -1\n1?\n", "b.txt:2:8: '-1': a number of mines"),
    "total_empty": ("rules: C\nmines:\n1?\n", "b.txt:2:7: '': a number of mines, or ?"),
    "total_too_large": ("rules: C\nmines: 3\n1?\n", "b.txt:2:8: 3 mines in 2 cells: the total is"),
    "total_huge": ("rules: C\nmines: " + "9" * 5000 + "\n1?\n", "2:8: '99999999...(5000"),
    "short_row": ("rules: C\n1??\n1?\n", "b.txt:3:3: row of 2 cells: the first row has 3"),
    "long_row": ("rules: C\n1 ? ?\n1 ? ? ?\n", "b.txt:3:7: row of 4 cells: the first row has 3"),
    "rows_with_and_without_blanks": ("rules: W\n11 ? ?\n11??\n", "3:4: row of 4 cells"),
    "unknown_character": ("rules: C\n1x\n", "b.txt:2:2: 'x': a clue is a number; or ? covered"),
    "unknown_character_after_tab": ("rules: C\n\t1\tx\n", "b.txt:2:4: 'x': a clue is a number"),
    "zero_in_runs": ("rules: W\n10 ?\n", "b.txt:2:1: '10': a digit for each run of mines"),
    "half_a_pair": ("rules: 2X\n?? 1\n", "b.txt:2:1: '??': two digits"),
    "pairs_run_together": ("rules: 2X\n1212\n", "b.txt:2:1: '1': two digits"),
    "clue_without_letters": ("rules: #\n? 3\n", "b.txt:2:3: '3': a clue begins with the letters"),
    "clue_with_unknown_letters": ("rules: #\n? Y3\n", "b.txt:2:3: 'Y3': a clue begins with the"),
    "letters_without_clue": ("rules: #\nW ?\n", "b.txt:2:1: '': a digit for each run"),
    "letter_beyond": ("rules: 2E\nAJ\n", "b.txt:2:2: 'J': a letter from A to I"),
    "emoji": ("rules: C\n1🚩\n", "b.txt:2:2: '🚩': a clue is a number; or ? covered, F flag"),
    "other_digits": ("rules: C\n1 ٣\n", "b.txt:2:3: '٣': a clue is a number"),
    "long_cell": ("rules: C\n? " + "1" * 99 + "\n", "2:3: a cell of 99 characters: '11111111"),
    "classic_header": ("rules: C\n2 4 3\n1???\n????\n", "b.txt:2:1: '2 4 3' is the header of"),
    "classic_header_unknown_total": ("rules: C\n1 4 ?\n1???\n", "b.txt:2:1: '1 4 ?' is the header"),
    "classic_header_of_wrong_size": ("rules: C\n7 7 3\n1???\n????\n", "2:1: '7 7 3' is the header"),
    "header_or_row": ("rules: C\n2 3 1\n1??\n???\n", "b.txt:2:1: '2 3 1' is the header of boards"),
    "columns_no_number": ("columns: x\n1\n", "b.txt:1:10: 'x': a number of columns, 1 at least"),
    "columns_zero": ("columns: 0\n1\n", "b.txt:1:10: '0': a number of columns, 1 at least"),
    "columns_other": ("columns: 3\n1?\n", "b.txt:2:3: row of 2 cells: the line 'columns' says 3"),
    "too_many_cells": ("rules: C\n" + ("?" * 101 + "\n") * 100, "101:1: more than 10000 cells"),
    "endless_row": ("rules: C\n" + "?" * 600_000 + "\n", "2:1: row of 600000 characters: a board"),
    "fence_without_end": ("```\nrules: C\n1?\n", "b.txt:1:1: code fence '```'"),
}  # fmt: skip
"""Name of a defect -> a text, and a part of the message."""


@pytest.mark.parametrize("defect", MALFORMED)
def test_a_malformed_board_is_refused_in_a_line_with_its_place(defect):
    text, message = MALFORMED[defect]
    for data in (text, text.encode(), text.replace("\n", "\r\n")):
        with pytest.raises(BoardError) as error:
            parse_board_or_puzzle(data, "b.txt")
        assert message in str(error.value)
        assert str(error.value).startswith("b.txt:")
        assert "\n" not in str(error.value)
        assert len(str(error.value)) < 400
        with pytest.raises(BoardError, match=re.escape(message)):
            Puzzle.parse(data, source="b.txt")


def test_bytes_that_are_no_text_are_refused_with_their_place():
    with pytest.raises(BoardError, match=r"b:2:2: byte 0xff at offset 10 is not UTF-8"):
        parse_board_or_puzzle(b"rules: C\n1\xff\n", "b")


BOARD = "rules: C W\ngeometry: torus\nmines: 4\n13 ? F\n? 0 ?\n? ? ?\n"
SAME = {
    "lines_in_another_order": "mines: 4\nrules: C W\ngeometry: torus\n13 ? F\n? 0 ?\n? ? ?\n",
    "carriage_returns": BOARD.replace("\n", "\r\n"),
    "tabs": BOARD.replace(" ", "\t"),
    "byte_order_mark": "\ufeff" + BOARD,
    "code_fence": f"```text\n{BOARD}```\n",
    "comments": f"; a comment\n# a remark\n\n{BOARD.replace('?', '?', 1)}; the end\n\n",
    "comment_between_rows": BOARD.replace("? 0", "; between\n\n? 0"),
    "no_last_newline": BOARD.rstrip(),
    "other_symbols": BOARD.replace("F", "!").replace("? 0 ?", ". 0 #").replace("? ? ?", "H - ?"),
    "unknown_total_of_the_file_replaced": BOARD.replace("mines: 4", "mines: ?"),
    "capital_keys": BOARD.replace("rules", "Rules").replace("mines", "MINES"),
    "indented": "  " + BOARD.replace("\n", "\n  "),
}


@pytest.mark.parametrize("form", SAME)
def test_a_board_is_read_in_every_form_in_which_it_is_pasted(form):
    puzzle = Puzzle.parse(SAME[form], mines=4)
    assert puzzle == Puzzle.parse(BOARD)
    assert puzzle == Puzzle.parse(SAME[form].encode(), mines=4)
    assert puzzle.rules == ("C", "W")
    assert puzzle.geometry.name == "torus"
    assert puzzle.mines == 4
    assert texts(puzzle) == {(0, 0): "13", (1, 1): "0"}
    assert puzzle.flags == {2}


def test_utf_16_with_its_mark_is_read():
    data = codecs.BOM_UTF16_LE + BOARD.encode("utf-16-le")
    assert parse_board_or_puzzle(data) == Puzzle.parse(BOARD)


def test_the_total_of_the_caller_replaces_the_one_of_the_text_and_is_checked():
    assert Puzzle.parse(BOARD, mines=None).mines is None
    assert Puzzle.parse(BOARD, mines=2).mines == 2
    with pytest.raises(BoardError, match=r"b.txt: 10 mines in 9 cells: the total is 0 to 9"):
        Puzzle.parse(BOARD, source="b.txt", mines=10)


@pytest.mark.parametrize(
    ("text", "clues"),
    [
        # A row without blanks has a cell a character.
        ("rules: W\n13\n11\n", {(0, 0): "1", (0, 1): "3", (1, 0): "1", (1, 1): "1"}),
        # Unless the line 'columns' says that the board has one column.
        ("rules: W\ncolumns: 1\n13\n11\n", {(0, 0): "13", (1, 0): "11"}),
        # Or no single character of a row could be a cell: these are clues of two characters.
        ("rules: 2X\n12\n?\n01\n", {(0, 0): "12", (2, 0): "01"}),
        ("rules: #\nW13\nV3\n?\n", {(0, 0): "13", (1, 0): "3"}),
        ("rules: E\n12\n34\n", {(0, 0): "1", (0, 1): "2", (1, 0): "3", (1, 1): "4"}),
        ("rules: 2X'\n12\n", {(0, 0): "1", (0, 1): "2"}),
        ("rules: #\n2X'3 2X12 2P8 X'1\n", {(0, 0): "3", (0, 1): "12", (0, 2): "8", (0, 3): "1"}),
        # A letter that is a clue is no flag.
        ("rules: 2E\nFH!?\n", {(0, 0): "F", (0, 1): "H"}),
        # A row of clues that looks like a header, told by the line 'columns' or by its blanks.
        ("rules: C\ncolumns: 3\n1 3 1\n1??\n",
         {(0, 0): "1", (0, 1): "3", (0, 2): "1", (1, 0): "1"}),
        ("rules: C\n1 3 1\n1 ? ?\n", {(0, 0): "1", (0, 1): "3", (0, 2): "1", (1, 0): "1"}),
        ("rules: C\n2 3 ?\n1 ? ?\n? ? ?\n", {(0, 0): "2", (0, 1): "3", (1, 0): "1"}),
        ("rules: C\n1 3 1\n", {(0, 0): "1", (0, 1): "3", (0, 2): "1"}),
        ("rules: C\n131\n1??\n", {(0, 0): "1", (0, 1): "3", (0, 2): "1", (1, 0): "1"}),
        ("rules: C\n9 9 9\n1 ? ?\n", {(0, 0): "9", (0, 1): "9", (0, 2): "9", (1, 0): "1"}),
    ],
)  # fmt: skip
def test_the_cells_of_a_row_are_found_by_blanks_and_by_what_can_be_a_cell(text, clues):
    puzzle = Puzzle.parse(text)
    assert texts(puzzle) == clues
    assert Puzzle.parse(puzzle.text()) == puzzle


def test_a_row_of_one_column_with_short_and_long_clues_needs_the_line_columns():
    with pytest.raises(BoardError, match=r":3:2: row of 1 cell: the first row has 2"):
        Puzzle.parse("rules: W\n13\n1\n")
    assert texts(Puzzle.parse("rules: W\ncolumns: 1\n13\n1\n")) == {(0, 0): "13", (1, 0): "1"}


@pytest.mark.parametrize("header", ["rules: V\n", "geometry: square\n", "mines: ?\n"])
def test_squares_with_plain_clues_are_a_position_and_equal_to_the_board_without_the_lines(header):
    assert parse_board_or_puzzle(f"{header}1?F\n12?\n") == Position.parse("1?F\n12?\n")


def test_a_clue_no_square_can_show_is_refused_in_a_plain_board():
    with pytest.raises(BoardError, match=r"b: cell \(0, 0\) holds 9: a cell is 0 to 8"):
        parse_board_or_puzzle("rules: V\n9 ?\n? ?\n", "b")


def test_boards_in_other_formats_are_puzzles_of_squares_under_rule_v():
    for text in ("2 2 1\n1?\n??\n", "2x2x1\n1H\nHH\n",
                 '{"schema": "satsweeper/board/1", "rows": 2, "columns": 2, "mines": 1,'
                 ' "grid": ["1?", "??"]}'):  # fmt: skip
        assert isinstance(parse_board_or_puzzle(text), Position)
        puzzle = Puzzle.parse(text)
        assert (texts(puzzle), puzzle.mines, puzzle.rules) == ({(0, 0): "1"}, 1, ())


def test_a_large_plain_board_is_a_position_and_no_puzzle():
    text = ("?" * 200 + "\n") * 100
    assert isinstance(parse_board_or_puzzle(text), Position)
    with pytest.raises(BoardError, match="200x100 cells: a puzzle has 10000 at most"):
        Puzzle.parse(text)


def test_a_file_is_read_by_its_content(tmp_path: Path):
    (tmp_path / "b.txt").write_text(BOARD)
    assert read_board_or_puzzle(tmp_path / "b.txt") == Puzzle.parse(BOARD)
    assert Puzzle.read(tmp_path / "b.txt", mines=3).mines == 3


DATA = Path(__file__).parents[1] / "data"


def test_files_of_positions_good_and_malformed_are_read_as_without_rules():
    files = [path for folder in ("notation", "positions", "malformed")
             for path in (DATA / folder).rglob("*") if path.is_file()]  # fmt: skip
    assert len(files) > 100

    def read(reader: Callable[..., Any], path: Path) -> Any:
        try:
            return reader(path.read_bytes(), source=path.name)
        except BoardError as error:
            return str(error)

    for path in files:
        assert read(parse_board_or_puzzle, path) == read(Position.parse, path), path


@pytest.mark.parametrize(
    "path", sorted((DATA.parents[1] / "examples" / "rules").glob("*.txt")), ids=lambda p: p.stem
)
def test_an_example_is_written_as_text_and_as_json_and_read_again(path):
    puzzle = Puzzle.read(path)
    assert Puzzle.parse(puzzle.text()) == puzzle
    assert Puzzle.parse(json_text(puzzle)) == puzzle


@settings(max_examples=150, deadline=None)
@given(grids())
@example(Puzzle.parse("rules: W\ncolumns: 1\n13\n11\n"))
@example(Puzzle.parse("rules: 2E\nFH!?\n"))
@example(Puzzle.parse("rules: E\ncolumns: 3\n3 3 2\n12 ? ?\n? ? ?\n? ? ?\n"))
def test_a_board_that_is_written_is_read_again(puzzle: Puzzle):
    text = puzzle.text()
    assert Puzzle.parse(text) == puzzle
    assert Puzzle.parse(text.encode()) == puzzle
    assert str(puzzle) == text.rstrip("\n")


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from("rules:geomtyinCW#VX2 13?F.\n\t;`'"), max_size=60))
def test_a_text_is_a_board_or_refused_in_a_line(text):
    try:
        puzzle = Puzzle.parse("rules: #\n" + text)
    except BoardError as error:
        message = str(error)
    else:
        assert Puzzle.parse(puzzle.text()) == puzzle
        return
    assert message.startswith("<text>:")
    assert "\n" not in message


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=40), st.sampled_from(["", "rules: #\n", "geometry: hexagonal\n", "{"]))
def test_bytes_are_a_board_or_refused_in_a_line(data, head):
    with suppress(BoardError):
        parse_board_or_puzzle(head.encode() + data)


def plain_board(**more: Any) -> Puzzle:
    return Puzzle(square(2, 2), ("C",), **more)


@pytest.mark.parametrize(
    ("puzzle", "what"),
    [
        (Puzzle(cubes(1, 2, 2)), "the geometry 'cubes': JSON can"),
        (Puzzle.from_graph(type("G", (), {"adj": {1: [2], 2: [1]}, "__iter__":
                                          lambda self: iter(self.adj)})()), "geometry 'graph'"),
        (Puzzle(Geometry("square", ((0, 0), (0, 1)), ((), ()), ((), ()), ((), ()), (1, 2))),
         "the geometry 'square'"),
        (plain_board(regions=(Region("row", (0, 1), 1),)), "regions: JSON can"),
        (plain_board(dyed=frozenset({0})), "dyed cells: JSON can"),
        (plain_board(weights={0: 2}, capacity={1: 2}), "weights, capacities: JSON can"),
        (plain_board(opened=frozenset({0})), "opened cells without a clue: JSON can"),
        (plain_board(shown=frozenset({0})), "cells known to be mines: JSON can"),
        (plain_board(clues={0: read_clue("12", ("2X",))}), "the clue '12' of rule 2X at (0, 0)"),
        (Puzzle(square(1, 1), ("W",), clues={0: Clue(clue_kind(("W",)), (10, 1))}), "clue '101'"),
    ],
)  # fmt: skip
def test_what_text_cannot_hold_is_named_and_the_board_still_prints(puzzle, what):
    with pytest.raises(RuleError, match=re.escape(what)):
        puzzle.text()
    assert str(puzzle) == as_text(puzzle)
    assert len(str(puzzle)) > 20
