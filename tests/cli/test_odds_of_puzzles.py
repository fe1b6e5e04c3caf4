"""``odds`` of boards of any shape under any rules: maps, lists, refusals, conflicts."""

from fractions import Fraction

import networkx
import pytest

from satsweeper.count.budget import OddsLimitError
from satsweeper.puzzle.odds.odds import odds
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.show.puzzle_odds import show_puzzle_odds
from tests.commands import call, done

CONNECTED = "rules: C W\nmines: 4\n? ? 2\n? ? ?\n1 ? ?\n"
HEXAGONS = "geometry: hexagonal\nmines: 3\n? ? 2 ?\n? 1 ? ?\n? ? ? F\n"


def test_json_has_every_covered_cell_with_rules_and_geometry():
    answer = done("odds", "--json", "-", board=CONNECTED).json
    assert answer["schema"] == "satsweeper/odds/1"
    assert (answer["rules"], answer["geometry"]) == (["C", "W"], "square")
    assert (answer["rows"], answer["columns"], answer["mines"]) == (3, 3, 4)
    assert (answer["exact"], answer["solutions"]) == (True, "2")
    cells = {tuple(each["cell"]): each["mine"] for each in answer["cells"]}
    # Four connected mines, two of them in one run around the 2, and one run of one around the 1.
    assert cells == {
        (0, 0): "1", (0, 1): "1/2", (1, 0): "0", (1, 1): "1", (1, 2): "1/2", (2, 1): "0",
        (2, 2): "1",
    }  # fmt: skip
    assert answer["interior"] == {"mine": None, "value": None, "cells": 0}


def test_a_grid_has_a_map_with_wide_clues_in_columns():
    lines = done("odds", "-", board="rules: W\nmines: 4\n? ? ?\n? 1111 ?\n? ? ?\n").out.splitlines()
    assert lines[:4] == [
        "      0    1    2",
        "0    50   50   50",
        "1    50 1111   50",
        "2    50   50   50",
    ]
    assert lines[-1] == "2 layouts, all equally likely."
    assert "(0, 0)" in lines[-2]


def test_hexagons_are_drawn_in_rows_half_a_cell_apart():
    lines = done("odds", "-", board=HEXAGONS).out.splitlines()
    assert lines[1:4] == ["0   S 50  2  M", "1    S  1 50  S", "2   S  S  S  F"]


def test_all_cells_are_listed():
    out = done("odds", "--all", "-", board=CONNECTED).out
    assert "(0, 1): a mine with 1/2 = 50%\n(1, 0): safe\n" in out
    assert out.count("\n(") == 7


def test_a_density_needs_an_unknown_total():
    board = "rules: H\n? ? ?\n"
    words = ("odds", "--json", "--density", "1/3", "--mines", "unknown", "-")
    answer = done(*words, board=board).json
    # Weights 8 of no mine, 4 of each single mine, 2 of both ends: 22 in all.
    assert [Fraction(each["mine"]) for each in answer["cells"]] == [
        Fraction(6, 22), Fraction(4, 22), Fraction(6, 22)
    ]  # fmt: skip
    run = call("odds", "--density", "1/3", "-", board="rules: H\nmines: 1\n? ? ?\n")
    assert run.code == 2
    assert "--density excludes a known total" in run.err


def test_flags_are_trusted_or_ignored():
    board = "rules: U\nmines: 1\nF ? ?\n"
    assert [e["mine"] for e in done("odds", "--json", "-", board=board).json["cells"]] == ["0", "0"]
    words = ("odds", "--json", "--flags", "ignore", "-")
    assert [e["mine"] for e in done(*words, board=board).json["cells"]] == ["1/3"] * 3


def test_a_board_without_a_layout_names_the_parts_that_clash():
    board = "rules: H\nmines: 3\n? ? ?\n"
    run = call("odds", "-", board=board)
    assert run.code == 20
    assert run.out == "No layout exists with rule H and the total of 3 mines.\n"
    run = call("odds", "--json", "-", board=board)
    assert run.code == 20
    assert run.json["schema"] == "satsweeper/odds/1"
    assert run.json["status"] == "inconsistent"
    assert run.json["conflict"]["rules"] == ["H"]
    assert run.json["conflict"]["total"] is True


@pytest.mark.parametrize("option", [("--certify", "folder"), ("--max-width", "9")])
def test_what_a_board_under_rules_cannot_have_is_said_in_a_line(option: tuple[str, str], tmp_path):
    words = (option[0], str(tmp_path / option[1]) if option[0] == "--certify" else option[1])
    run = call("odds", *words, "-", board=CONNECTED)
    assert run.code == 2
    assert f"{option[0]} is for boards of squares under rule V alone" in run.err
    assert not (tmp_path / "folder").exists()


def test_a_count_that_takes_too_long_is_refused_in_one_line(monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise OddsLimitError("the region of 7 cells takes too long")

    monkeypatch.setattr("satsweeper.puzzle.odds.odds.odds_of_puzzle", refuse)
    run = call("odds", "-", board=CONNECTED)
    assert (run.code, run.out) == (124, "")
    assert run.err == "<stdin>: the region of 7 cells takes too long\n"


def test_a_graph_has_a_list_of_its_cells(capsys):
    graph = networkx.path_graph(["left", "middle", "right"])
    show_puzzle_odds(odds(Puzzle.from_graph(graph, clues={"middle": 1})))
    assert capsys.readouterr().out.splitlines() == [
        "Safest guesses: left, right; a mine with 1/2 = 50%.",
        "2 layouts, all equally likely.",
        "left: a mine with 1/2 = 50%",
        "right: a mine with 1/2 = 50%",
    ]
