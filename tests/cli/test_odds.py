"""``odds`` and ``advise``: exact chances, and the moves that follow from them."""

import hashlib
from fractions import Fraction

import pytest

from satsweeper.count.budget import OddsLimitError
from tests.commands import EXAMPLES, call, done, refused

CORNER = "01?\n12?\n???\n"


def test_json_has_every_covered_cell_the_interior_too():
    answer = done("odds", "--json", "--mines", "3", "-", board=CORNER + "???\n").json
    assert answer["schema"] == "satsweeper/odds/1"
    assert isinstance(answer["solutions"], str)
    cells = [tuple(each["cell"]) for each in answer["cells"]]
    assert cells == [(0, 2), (1, 2), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (3, 2)]
    assert answer["interior"]["cells"] == 3
    chances = [Fraction(each["mine"]) for each in answer["cells"]]
    assert sum(chances) == 3
    for each, chance in zip(answer["cells"], chances, strict=True):
        assert each == {"cell": each["cell"], "mine": str(chance), "value": float(chance)}
    inside = [each for each in answer["cells"] if each["cell"][0] == 3]
    assert {each["mine"] for each in inside} == {answer["interior"]["mine"]}
    answer = call("odds", "--json", "-", board=CORNER).json
    assert answer["solutions"] == "4"
    assert answer["interior"] == {"mine": None, "value": None, "cells": 0}
    assert {tuple(each["cell"]): each["mine"] for each in answer["cells"]}[2, 2] == "0"


def test_a_density_is_taken_exactly_and_goes_with_a_total_that_is_made_unknown():
    for text in ("0.2", "1/5", ".20"):
        words = ("odds", "--json", "--density", text, "--mines", "unknown", "-")
        answer = call(*words, board="2 3 1\n???\n???\n").json
        assert answer["interior"] == {"mine": "1/5", "value": 0.2, "cells": 6}


def test_flags_are_trusted_or_ignored():
    for options, chances in (((), ["0"]), (("--flags", "ignore"), ["1/2", "1/2"])):
        answer = call("odds", "--json", *options, "-", board="F1?\n").json
        assert [each["mine"] for each in answer["cells"]] == chances


def test_all_cells_are_listed_with_the_chances_of_the_object():
    board = EXAMPLES / "lp_5x5.txt"
    cells = call("odds", "--json", board).json["cells"]
    said = {"0": "safe", "1": "a mine"}
    listed = [line for line in call("odds", "--all", board).out.splitlines() if line[0] == "("]
    assert len(cells) > 12
    for line, each in zip(listed, cells, strict=True):
        chance = said.get(each["mine"], f"a mine with {each['mine']} = ")
        assert line.startswith(f"{tuple(each['cell'])}: {chance}")
    assert "\n(" not in call("odds", board).out


def test_certified_odds_are_written_and_checked(tmp_path):
    board, folder = EXAMPLES / "wikipedia_corner.txt", tmp_path / "c"
    plain = call("odds", "--json", board).json
    ended = done("odds", board, "--certify", folder, "--json")
    sha256 = hashlib.sha256((folder / "manifest.json").read_bytes()).hexdigest()
    assert ended.json == plain | {"certificate": {"folder": str(folder), "sha256": sha256}}
    said = call("odds", board, "--certify", folder).out
    assert said.endswith(f"\n{folder}: certified (sha256 {sha256})\n")
    checked = done("check", folder, "--board", board, "--json")
    assert list(checked.json) == [
        "schema", "verified", "board", "density", "sha256", "solutions", "cells", "interior",
        "regions", "boxes", "nodes", "pairs", "recounted", "read_by",
    ]  # fmt: skip
    assert checked.json["schema"] == "satsweeper/check-odds/1"
    assert checked.json["solutions"] == plain["solutions"]
    assert checked.json["cells"] == [
        {"cell": each["cell"], "mine": each["mine"]} for each in plain["cells"]
    ]
    assert (checked.json["verified"], checked.json["read_by"]) == (True, "checker")


def test_what_is_verified_of_odds_is_printed(tmp_path):
    call("odds", "-", "--certify", tmp_path / "c", "--density", "0.2", board="1???\n")
    ended = call("check", tmp_path / "c")
    first, about, *chances = ended.out.splitlines()
    assert first.startswith("verified: 4 layouts, and the odds of 3 cells (0 regions; ")
    assert about.startswith(f"about the board in {tmp_path / 'c'} (sha256 ")
    assert about.endswith(": 4 columns, 1 row, total unknown, flags: trust, density 1/5")
    assert chances == ["1: (0, 1)", "1/5: (0, 2) (0, 3)"]


@pytest.mark.parametrize(
    ("asked", "fault"),
    [("", "manifest.json: the certificate is about density 1/5, asked for is none"),
     ("--density 1/4", "about density 1/5, asked for is 1/4"),
     ("--density 1/5 --mines 1", "about total unknown, asked for is 1"),
     ("--density 1/5 --flags ignore", "about flags read as 'trust'")],
)  # fmt: skip
def test_odds_under_other_assumptions_are_refused(tmp_path, asked, fault):
    call("odds", "-", "--certify", tmp_path / "c", "--density", "0.2", board="1???\n")
    words = ("check", tmp_path / "c", "--board", "-")
    assert fault in refused(1, *words, *asked.split(), board="1???\n").err
    done(*words, "--density", "0.2", board="1???\n")


def test_a_wrong_certificate_of_odds_is_one_line_and_verdicts_have_no_density(tmp_path):
    call("odds", "-", "--certify", tmp_path / "c", board="1???\n")
    (tmp_path / "c" / "odds.json").write_text("{}")
    said = f"{tmp_path / 'c'}: odds.json: its hash is not that of the manifest\n"
    assert call("check", tmp_path / "c") == (1, "", said, "")
    found = call("check", tmp_path / "c", "--json")
    assert (found.code, found.json["verified"], found.json["file"]) == (1, False, "odds.json")
    call("certify", "-", "-o", tmp_path / "d", board="1???\n")
    ended = refused(2, "check", tmp_path / "d", "--density", "0.2")
    assert "--density is for certificates of odds" in ended.err


def test_no_certificate_is_written_where_there_are_no_odds_or_the_folder_is_anothers(tmp_path):
    folder = tmp_path / "c"
    ended = call("odds", "-", "--certify", folder, board="2 3 ?\n1?1\n2?1\n")
    assert ended.code == 20
    assert ended.err == f"{folder}: nothing written: there are no odds; certify proves it\n"
    assert not folder.exists()
    folder.mkdir()
    (folder / "thesis.txt").write_text("years of work")
    ended = refused(1, "odds", "nowhere", "--certify", folder)
    assert "is not empty and holds no certificate" in ended.err
    (tmp_path / "file").write_text("")
    for name in ("file", "file/c"):
        refused(1, "odds", "-", "--certify", tmp_path / name, board="1???\n")


# What ``advise`` makes of the odds.


def test_advise_names_certain_moves_or_a_guess_with_exact_chances_and_the_others():
    answer = done("advise", "--json", EXAMPLES / "covered_4x4.txt").json
    assert (answer["schema"], answer["certain"]) == ("satsweeper/advise/1", [])
    assert answer["choices"][0] == {"cell": [0, 1], "safe": "3/4", "win": "961/1820"}
    assert call("advise", "-", board="1 3 1\n1F?\n").out == "Open what holds no mine: (0, 2).\n"
    told = call("advise", "-", board="2 2 1\n1?\n1?\n").out
    assert "Guess (0, 1): free with 1/2 (50.0 %), the best play wins 1/2 (50.0 %)" in told
    assert "(1, 1)" in told


def test_certain_moves_that_advise_names_need_no_total():
    unknown = "The total is unknown; a guess needs it: --mines N.\n"
    said = f"Open what holds no mine: (2, 2).\n{unknown}"
    assert call("advise", "-", board=CORNER) == (0, said, "", "")
    answer = call("advise", "-", "--json", board=CORNER).json
    assert [answer[key] for key in ("mines", "certain", "choices")] == [None, [[2, 2]], []]


@pytest.mark.parametrize("options", [(), ("--first-click", "safe")])
def test_advise_refuses_a_guess_without_a_total_by_the_option_that_gives_it(options):
    said = "<stdin>: no cell is certain, and a guess needs the total, which is unknown: --mines N\n"
    assert call("advise", "-", *options, board="???\n???\n") == (1, "", said, "")
    answer = call("advise", "-", "--json", *options, board="???\n???\n")
    assert (answer.code, answer.err) == (1, said)
    keys = ("certain", "choices", "needs_total")
    assert [answer.json[key] for key in keys] == [[], [], True]


@pytest.mark.parametrize("board", ["1?\n", "1F\n", "1F1\n111\n000\n"])
def test_advise_needs_no_total_for_a_game_that_is_won(board):
    won = "Nothing is left to open: the game is won.\n"
    assert call("advise", "-", board=board) == (0, won, "", "")
    assert "needs_total" not in call("advise", "-", "--json", board=board).json


@pytest.mark.parametrize(
    ("name", "line", "said"),
    [("play.advice.advise", "advise -", "<stdin>: too wide\n"),
     ("count.odds.odds", "render - --odds -o a.svg", "too wide\n")],
)  # fmt: skip
def test_chances_that_would_take_too_long_are_a_limit_in_one_line(
    monkeypatch, tmp_path, name, line, said
):
    def refuse(*_: object, **options: object) -> None:
        raise OddsLimitError("too wide")

    monkeypatch.chdir(tmp_path)
    # Modules that are imported now keep the function; imported below, they would keep ``refuse``.
    assert call(*line.split(), board="1 2 1\n??\n").code == 0
    for picture in tmp_path.iterdir():
        picture.unlink()
    monkeypatch.setattr(f"satsweeper.{name}", refuse)
    assert call(*line.split(), board="1 2 1\n??\n") == (124, "", said, "")
    assert list(tmp_path.iterdir()) == []
