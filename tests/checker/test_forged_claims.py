"""A certificate that says something else than was proved is refused: boards, verdicts, layouts."""

from collections.abc import Callable
from typing import Any

import pytest

Forge = Callable[[str], Any]
NAMES = ["total", "open", "clash", "clash by the total", "flags", "interior", "expert"]


@pytest.mark.parametrize("name", NAMES)
def test_what_was_not_changed_is_verified(forge, name):
    checked = forge(name).check()
    assert checked.status == ("inconsistent" if "clash" in name else "consistent")
    assert checked.cells == {"total": 2, "open": 1}.get(name, 0)


def test_every_clue_of_the_board_counts(forge):
    lines = forge("open").lines("board.txt")
    for row, line in enumerate(lines[1:], start=1):
        for column, symbol in enumerate(line):
            if symbol == "?":
                continue
            forged = forge("open")
            changed = [*lines]
            changed[row] = line[:column] + str((int(symbol) + 1) % 9) + line[column + 1 :]
            forged.put_lines("board.txt", changed)
            # The grid shows the clues, too.
            rows = [list(each) for each in forged.about["grid"]]
            rows[row - 1][column] = changed[row][column]
            forged.about["grid"] = ["".join(each) for each in rows]
            assert forged.fault().file in ("clues.opb", "layouts.json")


@pytest.mark.parametrize("total", ["2", "?", "0", "10"])
def test_another_total_is_another_board(forge, total):
    forged = forge("total")
    forged.replace("board.txt", "2 5 1", f"2 5 {total}")
    assert forged.fault().file == "manifest.json"
    again = forge("total")
    again.replace("board.txt", "2 5 1", f"2 5 {total}")
    again.about["mines"] = None if total == "?" else int(total)
    assert again.fault().file == "clues.opb"


@pytest.mark.parametrize("name", ["total", "open", "flags", "interior", "expert"])
@pytest.mark.parametrize(
    ("old", "new"), [("S", "M"), ("M", "S"), ("S", "?"), ("M", "?"), ("?", "S"), ("?", "M")]
)
def test_no_other_verdict_is_accepted(forge, name, old, new):
    cells = list(forge(name).cells_with(old))
    for cell in cells[:4]:
        forged = forge(name)
        forged.change_verdict(cell, new)
        assert forged.fault().file in ("layouts.json", "refutation.cnf", "manifest.json")


def test_a_layout_must_be_a_layout(forge):
    found = forge("open").json("layouts.json")
    for at, grid in enumerate(found["layouts"]):
        for r, row in enumerate(grid):
            for c, mark in enumerate(row):
                changed = [[*rows] for rows in found["layouts"]]
                symbol = {"S": "M", "M": "S"}.get(mark, "9")
                changed[at][r] = row[:c] + symbol + row[c + 1 :]
                forged = forge("open")
                forged.put_json("layouts.json", {**found, "layouts": changed})
                assert forged.fault().file == "layouts.json"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda found: {**found, "layouts": []}, "no layout at all"),
        (lambda found: {**found, "layouts": found["layouts"][:1]}, "cells: "),
        (lambda found: {**found, "cells": found["cells"][1:]}, "has no layouts"),
        (lambda found: {**found, "cells": []}, "has no layouts"),
        (lambda found: {**found, "cells": found["cells"] * 2}, "cells: "),
        (lambda found: {**found, "cells": None}, "cells: no list"),
        (lambda found: {"layouts": found["layouts"]}, "not an object of layouts and cells"),
        (lambda found: {**found, "more": 1}, "not an object of layouts and cells"),
        (lambda found: {**found, "layouts": None}, "no layout at all"),
        (lambda found: {**found, "layouts": [None]}, "not the rows of the board"),
        (lambda found: {**found, "layouts": [[]]}, "not the rows of the board"),
        (lambda found: {**found, "layouts": [[1, 2, 3]]}, "row 0 is not one of the board"),
        (lambda found: {**found, "layouts": [["", "", ""]]}, "row 0 is not one of the board"),
    ],
)
def test_the_list_of_layouts_is_read_strictly(forge, change, why):
    forged = forge("open")
    forged.put_json("layouts.json", change(forged.json("layouts.json")))
    fault = forged.fault()
    assert fault.file == "layouts.json"
    assert why in fault.fault


@pytest.mark.parametrize(
    "entry",
    [
        {"cell": [0, 3], "mine": 0, "safe": 0},
        {"cell": [0, 3], "mine": 0, "safe": 99},
        {"cell": [0, 3], "mine": -1, "safe": 0},
        {"cell": [0, 3], "mine": True, "safe": False},
        {"cell": [False, 3], "mine": 0, "safe": 1},
        {"cell": [0], "mine": 0, "safe": 1},
        {"cell": "03", "mine": 0, "safe": 1},
        {"cell": [0, 3], "mine": 0},
        {"cell": [0, 3], "mine": 0, "safe": 1, "more": 0},
        {"cell": [0, 1], "mine": 0, "safe": 1},
        {"cell": [0, 0], "mine": 0, "safe": 1},
        {"cell": [9, 9], "mine": 0, "safe": 1},
        [0, 3, 0, 1],
        None,
    ],
)
def test_which_layouts_show_a_cell_is_read_strictly(forge, entry):
    forged = forge("open")
    found = forged.json("layouts.json")
    cells = [each for each in found["cells"] if each["cell"] != [0, 3]]
    assert len(cells) < len(found["cells"])
    forged.put_json("layouts.json", {**found, "cells": [*cells, entry]})
    assert forged.fault().file == "layouts.json"


def test_an_inconsistent_board_and_a_consistent_one_are_no_certificates_of_each_other(forge):
    for name, other in (("open", "clash"), ("clash", "open")):
        forged, from_other = forge(name), forge(other)
        forged.about.update(status=from_other.about["status"], grid=from_other.about["grid"])
        assert forged.fault().file == "manifest.json"
        files = forge(name)
        files.files = {**from_other.files, "board.txt": files.files["board.txt"]}
        files.about = {
            **from_other.about, "rows": files.about["rows"], "columns": files.about["columns"],
            "cells": [],
        }  # fmt: skip
        files.files = {name: data for name, data in files.files.items() if "/" not in name}
        assert files.fault().file in ("clues.opb", "layouts.json", "manifest.json")


def test_a_board_with_layouts_cannot_be_called_inconsistent(forge):
    forged = forge("interior")
    forged.about.update(status="inconsistent", grid=None)
    del forged.files["layouts.json"]
    assert forged.fault().file == "refutation.cnf"
    again = forge("interior")
    again.about.update(status="inconsistent", grid=None)
    del again.files["layouts.json"]
    again.put_clauses("refutation.cnf", again.clauses("formula.cnf"))
    assert again.fault().file == "refutation.lrat"


def test_an_inconsistent_board_cannot_be_called_consistent(forge):
    forged = forge("clash")
    forged.about.update(status="consistent", grid=["1?1", "2?1"])
    cells = [{"cell": [r, 1], "mine": 0, "safe": 1} for r in (0, 1)]
    names = ("refutation.cnf", "refutation.drat", "refutation.lrat", "proof.opb", "proof.pbp")
    for name in names:
        del forged.files[name]
    forged.put_json("layouts.json", {"layouts": [["1M1", "2S1"], ["1S1", "2M1"]], "cells": cells})
    assert forged.fault().file == "layouts.json"


def test_an_inconsistent_board_has_no_verdicts_of_cells(forge):
    forged, other = forge("clash"), forge("open")
    forged.about["cells"] = other.about["cells"]
    forged.files |= {name: data for name, data in other.files.items() if "/" in name}
    fault = forged.fault()
    assert (fault.file, fault.fault) == ("manifest.json", "cells: (0, 1) has another verdict")


def test_flags_are_trusted_or_not_as_was_proved(forge):
    forged = forge("flags")
    forged.about["flags"] = "ignore"
    assert forged.fault().file == "manifest.json"
    filled = forge("flags")
    filled.about.update(flags="ignore", grid=["1M" + filled.about["grid"][0][2:], "12SM"])
    assert filled.fault().file in ("clues.opb", "manifest.json")
    unflagged = forge("flags")
    unflagged.replace("board.txt", "1F??", "1???")
    unflagged.about["grid"] = ["1?" + unflagged.about["grid"][0][2:], unflagged.about["grid"][1]]
    assert unflagged.fault().file == "clues.opb"
