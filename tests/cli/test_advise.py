"""``satsweeper advise``: the words, the object, the codes."""

import json
from pathlib import Path

import pytest


def test_the_object_has_the_cells_and_exact_fractions(call, examples: Path):
    ended = call("advise", "--json", str(examples / "covered_4x4.txt"))
    answer = json.loads(ended.out)
    assert ended.code == 0
    assert answer["schema"] == "satsweeper/advise/1"
    assert answer["certain"] == []
    assert answer["choices"][0] == {"cell": [0, 1], "safe": "3/4", "win": "961/1820"}


def test_certain_moves_in_words(call, tmp_path: Path):
    board = tmp_path / "board.txt"
    board.write_text("1 3 1\n1F?\n", "utf-8")
    ended = call("advise", str(board))
    assert ended.out == "Open what holds no mine: (0, 2).\n"


def test_a_guess_is_told_with_its_chances_and_the_others(call, tmp_path: Path):
    board = tmp_path / "board.txt"
    board.write_text("2 2 1\n1?\n1?\n", "utf-8")
    ended = call("advise", str(board))
    assert "Guess (0, 1): free with 1/2 (50.0 %), the best play wins 1/2 (50.0 %)" in ended.out
    assert "(1, 1)" in ended.out


def test_a_board_that_contradicts_itself_has_code_20(call, tmp_path: Path):
    board = tmp_path / "board.txt"
    board.write_text("1 2 0\n1?\n", "utf-8")
    ended = call("advise", str(board))
    assert ended.code == 20
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize(
    "options", [("--strategy", "safset"), ("--first-click", "saef"), ("--mines", "unknown")]
)
def test_wrong_usage_is_a_line(call, examples: Path, options):
    ended = call("advise", *options, str(examples / "covered_4x4.txt"))
    assert ended.code == 2
    assert "Traceback" not in ended.err
