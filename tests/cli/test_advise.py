"""``satsweeper advise``: the words, the object, the codes."""

import json
from pathlib import Path

import pytest

from satsweeper.count.budget import OddsLimitError
from tests.commands import EXAMPLES, call


def test_the_object_has_the_cells_and_exact_fractions():
    ended = call("advise", "--json", str(EXAMPLES / "covered_4x4.txt"))
    answer = json.loads(ended.out)
    assert ended.code == 0
    assert answer["schema"] == "satsweeper/advise/1"
    assert answer["certain"] == []
    assert answer["choices"][0] == {"cell": [0, 1], "safe": "3/4", "win": "961/1820"}


def test_certain_moves_in_words(tmp_path: Path):
    board = tmp_path / "board.txt"
    board.write_text("1 3 1\n1F?\n", "utf-8")
    ended = call("advise", str(board))
    assert ended.out == "Open what holds no mine: (0, 2).\n"


def test_a_guess_is_told_with_its_chances_and_the_others(tmp_path: Path):
    board = tmp_path / "board.txt"
    board.write_text("2 2 1\n1?\n1?\n", "utf-8")
    ended = call("advise", str(board))
    assert "Guess (0, 1): free with 1/2 (50.0 %), the best play wins 1/2 (50.0 %)" in ended.out
    assert "(1, 1)" in ended.out


def test_certain_moves_need_no_total():
    words = call("advise", "-", board="01?\n12?\n???\n")
    assert (words.code, words.err) == (0, "")
    assert words.out == (
        "Open what holds no mine: (2, 2).\nThe total is unknown; a guess needs it: --mines N.\n"
    )
    answer = call("advise", "-", "--json", board="01?\n12?\n???\n")
    assert answer.code == 0
    assert (answer.json["mines"], answer.json["certain"], answer.json["choices"]) == (
        None,
        [[2, 2]],
        [],
    )


@pytest.mark.parametrize("options", [(), ("--first-click", "safe")])
def test_a_guess_without_a_total_is_refused_by_the_name_of_the_option_that_gives_it(options):
    words = call("advise", "-", *options, board="???\n???\n")
    assert (words.code, words.out) == (1, "")
    assert words.err == (
        "<stdin>: no cell is certain, and a guess needs the total, which is unknown: --mines N\n"
    )
    answer = call("advise", "-", "--json", *options, board="???\n???\n")
    assert (answer.code, answer.err) == (1, words.err)
    assert (answer.json["certain"], answer.json["choices"]) == ([], [])
    assert answer.json["needs_total"] is True


@pytest.mark.parametrize("board", ["1?\n", "1F\n", "1F1\n111\n000\n"])
def test_a_won_game_needs_no_total(board: str):
    ended = call("advise", "-", board=board)
    assert (ended.code, ended.out) == (0, "Nothing is left to open: the game is won.\n")
    assert "needs_total" not in call("advise", "-", "--json", board=board).json


def test_chances_that_would_take_too_long_to_count_are_a_limit_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object, **options: object) -> None:
        raise OddsLimitError("too wide")

    monkeypatch.setattr("satsweeper.play.advice.advise", refuse)
    ended = call("advise", "-", board="1 2 1\n??\n")
    assert ended == (124, "", "<stdin>: too wide\n", "")
