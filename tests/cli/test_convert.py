"""``convert`` of boards with rules or of other cells than squares: between text, JSON, Hexcells."""

import json
from base64 import b64encode
from pathlib import Path

import pytest

from satsweeper import Position
from satsweeper.cli.convert import FORMATS, LEVEL
from satsweeper.puzzle.formats import PUZZLE_FORMATS
from satsweeper.puzzle.puzzle import Puzzle, read_board_or_puzzle
from tests.commands import EXAMPLES, call, done, refused

FLOWER = EXAMPLES / "flower.hexcells"
RULES = "rules: C W\ngeometry: torus\nmines: 4\n13 ? F\n? 0 ?\n? ? ?\n"
# On a torus of 3 x 3 every cell sees every other one.
SOLUTION = "* 3 3\n3 * 3\n3 3 *"
GAME = json.dumps(
    {"schema": "satsweeper/game/2", "rules": "C", "geometry": "torus", "mines": 3, "seed": 1,
     "grid": ["# 3 ?", "3 ! #", "# # #"], "solution": b64encode(SOLUTION.encode()).decode()}
)  # fmt: skip


def test_the_command_offers_the_formats_of_puzzles_and_says_what_they_are():
    assert {*PUZZLE_FORMATS} <= {*FORMATS, LEVEL}
    assert f"\n  {LEVEL} " in call("convert", "--help").out


def test_a_board_with_rules_goes_to_json_and_back():
    there = done("convert", "-", "--to", "json", board=RULES).out
    assert json.loads(there)["schema"] == "satsweeper/board/2"
    assert Puzzle.parse(there) == Puzzle.parse(RULES)
    assert done("convert", "-", "--to", "text", board=there).out == RULES
    assert done("convert", "-", "--to", "text", board=RULES).out == RULES
    for name, board in (("json", there), ("text", RULES)):
        again = done("convert", "-", "--from", name, "--to", "text", board=board).out
        assert again == RULES


def test_the_name_of_the_file_says_the_format(tmp_path: Path):
    (tmp_path / "a.txt").write_text(RULES)
    done("convert", tmp_path / "a.txt", "-o", tmp_path / "b.json")
    done("convert", tmp_path / "b.json", "-o", tmp_path / "c.txt")
    assert (tmp_path / "c.txt").read_text() == RULES
    assert read_board_or_puzzle(tmp_path / "b.json") == Puzzle.parse(RULES)
    done("convert", FLOWER, "-o", tmp_path / "d.hexcells")
    assert (tmp_path / "d.hexcells").read_bytes() == FLOWER.read_bytes()
    ended = refused(2, "convert", FLOWER, "--to", "json", "-o", tmp_path / "d.hexcells")
    assert "the name says hexcells, and the format is to be json" in ended.err


def test_a_level_keeps_its_solution_and_json_has_none_of_it():
    assert done("convert", FLOWER, "--to", "hexcells").out == FLOWER.read_text()
    text = FLOWER.read_text()
    other = done("convert", "-", "--from", "hexcells", "--to", "json", board=text).json
    assert Puzzle.parse(json.dumps(other)) == Puzzle.read(FLOWER)
    assert other["mines"] == 9
    assert [len(other[name]) for name in ("cells", "clues", "shown")] == [19, 2, 3]
    unknown = done("convert", FLOWER, "--to", "json", "--mines", "unknown").json
    assert unknown == other | {"mines": None}


def test_a_board_of_hexagons_with_one_layout_becomes_a_level_with_this_solution():
    board = {
        "schema": "satsweeper/board/2", "geometry": "hexcells", "mines": 2, "rules": ["#"],
        "cells": [[4, 1], [6, 1], [8, 1], [5, 2]],
        "clues": [{"cell": [6, 1], "clue": "-2-", "rule": ["HN"]}],
        "regions": [{"name": "the column below (2, 1)", "mines": 2, "arranged": "apart",
                     "cells": [[4, 1], [6, 1], [8, 1]]}],
    }  # fmt: skip
    text = done("convert", "-", "--to", "hexcells", board=json.dumps(board)).out
    rows = text.splitlines()[5:]
    assert [row[2:6] for row in rows[2:9]] == [
        "|n..",
        "....",
        "x...",
        "..o+",
        "On..",
        "....",
        "x...",
    ]
    assert Puzzle.parse(text) == Puzzle.parse(json.dumps(board))
    for change, what in (
        ({"clues": [], "regions": []}, "a level has one solution, and 4 cells may be safe or a m"),
        ({"mines": 3}, "a level has a solution, and the board has no layout"),
        ({"flags": [[4, 1]]}, "a level cannot hold flags: JSON can"),
    ):
        ended = refused(1, "convert", "-", "--to", "hexcells", board=json.dumps(board | change))
        assert f"<stdin>: {what}" in ended.err


def test_plain_boards_below_lines_go_to_every_format_of_positions():
    plain = "rules: V\nmines: 3\n1??\n??F\n"
    text = done("convert", "-", "--to", "text", board=plain).out
    assert text == "2 3 3\n1??\n??F\n"
    assert done("convert", "-", "--to", "mine", board=plain).out.startswith("3x2x3\n")
    other = done("convert", "-", "--to", "json", board=plain).json
    assert other["schema"] == "satsweeper/board/1"
    assert Position.parse(json.dumps(other)) == Position.parse(text)
    assert done("convert", "-", "--to", "text", "--drop", "flags", board=plain).out.endswith(
        "???\n"
    )


def test_a_game_under_rules_is_written_without_its_layout_or_as_its_solution():
    seen = "rules: C\ngeometry: torus\nmines: 3\n?3?\n3F?\n???\n"
    for words in ("--drop layout", "--from json --drop layout"):
        assert done("convert", "-", "--to", "text", *words.split(), board=GAME).out == seen
    solved = done("convert", "-", "--to", "text", "--solution", board=GAME).out
    assert solved == "rules: C\ngeometry: torus\nmines: 3\nF33\n3F3\n33F\n"
    plain = json.loads(GAME) | {
        "rules": "",
        "geometry": "square",
        "grid": ["# 2 #"] + ["# # #"] * 2,
    }
    plain["solution"] = b64encode(b"* 2 1\n2 * 2\n1 2 *").decode()
    board = json.dumps(plain)
    there = done("convert", "-", "--to", "json", board=board).json
    assert (there["grid"], there["layout"]) == (["?2?", "???", "???"], ["*..", ".*.", "..*"])
    assert (
        "text cannot hold the layout" in refused(1, "convert", "-", "--to", "text", board=board).err
    )


@pytest.mark.parametrize(
    ("part", "left"),
    [("flags", "mines: 4\n13 ? ?\n? 0 ?\n? ? ?\n"), ("total", "13 ? F\n? 0 ?\n? ? ?\n"),
     ("view", "mines: 4\n???\n???\n???\n"), ("notes", RULES.partition("torus\n")[2])],
)  # fmt: skip
def test_parts_of_a_board_with_rules_are_left_out(part: str, left: str):
    found = done("convert", "-", "--to", "text", "--drop", part, board=RULES).out
    assert found == f"rules: C W\ngeometry: torus\n{left}"


@pytest.mark.parametrize(
    ("board", "words", "code", "what"),
    [
        (RULES, "--to mine", 1, "mine holds squares with plain clues, and the board has geometry"
         " torus, rules C W: text, json, hexcells may hold it"),
        (RULES, "--to hexcells", 1, "a level has hexagons (hexcells), no geometry 'torus'"),
        (FLOWER.read_text(), "--to text", 1, "text cannot hold the geometry 'hexcells': JSON can"),
        ("1?\n??\n", "--to hexcells", 1, "hexcells holds no squares"),
        ("1?\n??\n", "--from hexcells --to json", 1, "no level: no line 'Hexcells level v1'"),
        (RULES, "--from json --to text", 1, "no JSON"),
        (RULES, "--to json --solution", 2, "--solution is for games, and squares with plain clues"),
        (GAME, "--to json", 1, "json cannot hold the layout (which covered cells are mines)"),
        (GAME, "--to mine", 1, "mine holds squares with plain clues, and the board has geometry"),
        (GAME, "--to hexcells", 1, "a level has hexagons (hexcells), no geometry 'torus'"),
        (GAME.replace('"C"', '"os:abort"'), "--to json", 1, "rule os:abort is code, which"),
        (RULES, "--to json --mines 10", 1, "10 mines in 9 cells: the total is 0 to 9"),
        (RULES.replace("C W", "C Y"), "--to json", 1, "<stdin>:1:8: unknown rule 'Y'"),
    ],
)  # fmt: skip
def test_what_cannot_be_converted_is_refused_in_a_line(board, words, code, what):
    assert what in refused(code, "convert", "-", *words.split(), board=board).err
