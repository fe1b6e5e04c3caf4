"""``odds`` on the command line: the JSON object, exit codes, options."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]
CORNER = "01?\n12?\n???\n"


def test_json_has_every_covered_cell_the_interior_too(call: Call) -> None:
    ended = call("odds", "--json", "--mines", "3", "-", board=CORNER + "???\n")
    assert ended.code == 0
    answer = ended.json
    assert answer["schema"] == "satsweeper/odds/1"
    assert isinstance(answer["solutions"], str)
    cells = [tuple(each["cell"]) for each in answer["cells"]]
    assert cells == [(0, 2), (1, 2), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (3, 2)]
    assert answer["interior"]["cells"] == 3
    total = Fraction(0)
    for each in answer["cells"]:
        assert list(each) == ["cell", "mine", "value"]
        assert str(Fraction(each["mine"])) == each["mine"]
        assert each["value"] == float(Fraction(each["mine"]))
        total += Fraction(each["mine"])
    assert total == 3
    inside = [each for each in answer["cells"] if each["cell"][0] == 3]
    assert {each["mine"] for each in inside} == {answer["interior"]["mine"]}


def test_a_board_without_interior_says_so(call: Call) -> None:
    answer = call("odds", "--json", "-", board=CORNER).json
    assert answer["solutions"] == "4"
    assert answer["interior"] == {"mine": None, "value": None, "cells": 0}
    assert {tuple(each["cell"]): each["mine"] for each in answer["cells"]}[2, 2] == "0"


def test_an_inconsistent_board_is_answered_as_classify_answers_it(call: Call) -> None:
    for board in ("000\n080\n000\n", "?1?\n?3?\n000\n"):
        ended = call("odds", "--json", "-", board=board)
        asked = call("classify", "--json", "-", board=board)
        assert ended.code == asked.code
        if asked.code == 20:
            assert ended.json["status"] == "inconsistent"
            assert ended.json["conflict"] == asked.json["conflict"]
    ended = call("odds", "--mines", "9", "-", board=CORNER)
    assert ended.code == 20
    assert "No layout exists" in ended.out


def test_a_density_is_taken_exactly(call: Call) -> None:
    for text in ("0.2", "1/5", ".20"):
        answer = call("odds", "--json", "--density", text, "-", board="???\n???\n").json
        assert answer["interior"] == {"mine": "1/5", "value": 0.2, "cells": 6}


@pytest.mark.parametrize("text", ["0", "1", "1.5", "-0.1", "nan", "x", "1/0", "1e-999999999"])
def test_what_is_no_density_is_wrong_usage(call: Call, text: str) -> None:
    assert call("odds", f"--density={text}", "-", board="???\n").code == 2


def test_a_density_and_a_total_exclude_each_other(call: Call) -> None:
    ended = call("odds", "--density", "0.2", "--mines", "1", "-", board="???\n")
    assert ended.code == 2
    assert ended.err.count("\n") == 1
    unknown = call("odds", "--density", "0.2", "--mines", "unknown", "-", board="1 3 1\n???\n")
    assert unknown.code == 0


def test_flags_are_trusted_or_ignored(call: Call) -> None:
    trusted = call("odds", "--json", "-", board="F1?\n").json
    assert [each["mine"] for each in trusted["cells"]] == ["0"]
    ignored = call("odds", "--json", "--flags", "ignore", "-", board="F1?\n").json
    assert [each["mine"] for each in ignored["cells"]] == ["1/2", "1/2"]


def test_a_region_that_is_too_wide_is_refused_in_one_line(call: Call) -> None:
    board = "???\n?2?\n???\n2??\n???\n"
    ended = call("odds", "--max-width", "1", "-", board=board)
    assert ended.code == 124
    assert ended.out == ""
    assert ended.err.count("\n") == 1
    assert "<stdin>: the region of" in ended.err


def test_the_example_of_the_help_runs(call: Call, examples: Path) -> None:
    ended = call("odds", "--json", examples / "expert.txt")
    assert ended.code == 0
    assert json.loads(ended.out)["interior"]["cells"] > 0
    assert "layouts, all equally likely" in call("odds", examples / "expert.txt").out


def test_all_cells_are_listed_with_the_chances_of_the_object(call: Call, examples: Path) -> None:
    board = examples / "lp_5x5.txt"
    cells = call("odds", "--json", board).json["cells"]
    said = {"0": "safe", "1": "a mine"}
    expected = [
        f"({row}, {column}): " + said.get(each["mine"], f"a mine with {each['mine']} = ")
        for each in cells
        for row, column in [each["cell"]]
    ]
    lines = call("odds", "--all", board).out.splitlines()
    assert len(cells) > 12
    listed = [line for line in lines if line.startswith("(")]
    assert [line[: len(start)] for line, start in zip(listed, expected, strict=True)] == expected
    assert not [line for line in call("odds", board).out.splitlines() if line.startswith("(")]


def test_a_width_of_0_is_wrong_usage(call: Call, examples: Path) -> None:
    ended = call("odds", "--max-width", 0, examples / "lp_5x5.txt")
    assert (ended.code, ended.out) == (2, "")
    assert "--max-width: '0' is not a number of clues above 0" in ended.err
