"""Files that are missing, too many, cut off, elsewhere, or not of their one form."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from satsweeper.checker import contents
from satsweeper.checker.check import check
from satsweeper.checker.errors import WrongCertificateError


@pytest.mark.parametrize("board", ["open", "total", "clash"])
def test_a_file_that_is_cut_off_is_refused(forge, board):
    original = forge(board)
    for name, data in original.files.items():
        lengths = {0, 1, len(data) // 4, len(data) // 2, 3 * len(data) // 4, len(data) - 2}
        for length in sorted(each for each in lengths if 0 <= each < len(data)):
            # DRAT may end early: it ends where propagation finds the conflict.
            if name.endswith(".drat"):
                continue
            forged = forge(board)
            forged.files[name] = data[:length]
            stem, _, last = name.rpartition("/")
            found = forged.fault().file
            assert found.startswith(stem)
            assert found == name or name == "board.txt" or found in BESIDE[last].split()


BESIDE = {"clues.opb": "derivation.pbp", "formula.cnf": "refutation.cnf map.json"}
"""File that is cut off -> the files, read with or before that file, that may be named instead."""


@pytest.mark.parametrize("board", ["open", "clash", "flags"])
def test_every_file_is_needed_and_named(forge, board):
    for name in [*forge(board).files]:
        unnamed = forge(board)
        del unnamed.files[name]
        unnamed.refused("manifest.json")
        missing, other = forge(board).write(), forge(board).write()
        (missing / name).unlink()
        (other / name).write_bytes(b"another one\n")
        for folder, fault in ((missing, "it is missing"), (other, "its hash is not that of the")):
            with pytest.raises(WrongCertificateError, match=f"^{name}: {fault}"):
                check(folder, external=False)


@pytest.mark.parametrize(
    "name", ["more.txt", "cells/0_3/formula.cnf", "refutation.drat.gz", ".hidden", "cells/more"]
)
def test_no_other_file_is_there(forge, name):
    named = forge("open")
    named.files[name] = b"more\n"
    named.refused("manifest.json")
    unnamed = forge("open")
    unnamed.unnamed[name] = b"more\n"
    assert unnamed.fault().file == name


@pytest.mark.parametrize(
    "name",
    ["../board.txt", "/etc/passwd", "./board.txt", "cells/../board.txt", "cells//x", "", "..", ".",
     "board.txt/", "BOARD.TXT", "cells\\board.txt", "board.txt\0", "b\ud800", "\u0661", "a" * 5000,
     "cells/0_1", "cells/00_1/clues.opb", "manifest.json"],
)  # fmt: skip
def test_a_name_that_no_certificate_has_is_never_opened(forge, name):
    forged = forge("open")
    found = forged.named()
    found["files"][name] = "0" * 64
    forged.manifest = json.dumps(found).encode()
    forged.refused("manifest.json")


def test_a_link_a_pipe_or_a_folder_is_no_file_of_a_certificate(forge, tmp_path):
    for make in (lambda path: path.symlink_to(tmp_path / "board"), os.mkfifo, Path.mkdir):
        folder = forge("open").write()
        (tmp_path / "board").write_bytes((folder / "board.txt").read_bytes())
        (folder / "board.txt").unlink()
        make(folder / "board.txt")
        with pytest.raises(WrongCertificateError, match=r"^board\.txt: no regular file"):
            check(folder, external=False)
    folder = forge("open").write()
    (tmp_path / "elsewhere").mkdir()
    (folder / "more").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(WrongCertificateError, match=r"^more: the manifest does not name it"):
        check(folder, external=False)


def test_a_folder_without_a_manifest_holds_no_certificate(tmp_path):
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(WrongCertificateError, match=r"^manifest\.json: it is missing"):
            check(folder, external=False)


JSON = {
    "a name twice": lambda text: text.replace("{", '{"schema": "satsweeper/certificate/1", ', 1),
    "not a number": lambda text: text.replace('"rows": 3', '"rows": NaN'),
    "a fraction": lambda text: text.replace('"rows": 3', '"rows": 3.0'),
    "a huge number": lambda text: text.replace('"rows": 3', '"rows": ' + "9" * 5000),
    "a boolean": lambda text: text.replace('"rows": 3', '"rows": true'),
    "a negative number": lambda text: text.replace('"rows": 3', '"rows": -3'),
    "another size": lambda text: text.replace('"rows": 3', '"rows": 4'),
    "mines that are not on the board": lambda text: text.replace('"mines": null', '"mines": 4'),
    "deep nesting": lambda text: text[:-1] + ', "x": ' + "[" * 100_000 + "]" * 100_000 + "}",
    "not ASCII": lambda text: text.replace('"glucose4"', '"glücose"'),
    "an unpaired surrogate": lambda text: text.replace('"glucose4"', '"\\ud800"') + " x",
    "a byte order mark": lambda text: "\ufeff" + text,
    "a list": lambda text: f"[{text}]",
    "another schema": lambda text: text.replace("certificate/1", "certificate/2"),
    "a list for the status": lambda text: text.replace('"consistent"', "[]"),
    "an object for the flags": lambda text: text.replace('"trust"', "{}"),
    "a key more": lambda text: text[:-1] + ', "proved": 100}',
    "a key less": lambda text: text.replace('"solver": "glucose4", ', ""),
    "no name of a solver": lambda text: text.replace('"glucose4"', "[1]"),
    "cells that are no list": lambda text: text.replace('"cells": [', '"cells": {"a": [') + "}",
    "no files": lambda text: text[: text.index('"files"')] + '"files": null}',
    "a number for a hash": lambda text: text[: text.index('"board.txt": ') + 13] + "1}}",
}  # fmt: skip


@pytest.mark.parametrize("change", JSON.values(), ids=JSON.keys())
def test_a_manifest_is_read_strictly(forge, change):
    forged = forge("open")
    text = json.dumps(forged.named())
    assert change(text) != text
    forged.manifest = change(text).encode("utf-8")
    forged.refused("manifest.json board.txt")


ENTRY = {"cell": [0, 1], "verdict": "mine", "clues": [[0, 0]], "total": False}


@pytest.mark.parametrize(
    "entry",
    [None, [], {}, 1, "0,1", {"cell": [0, 1]}, ENTRY | {"verdict": "unknown", "clues": []},
     ENTRY | {"total": 0}, ENTRY | {"cell": [False, True]}, ENTRY | {"clues": [[False, 0]]},
     ENTRY | {"clues": [[0, 0, 0]]}, ENTRY | {"clues": [0]}, ENTRY | {"clues": {}},
     ENTRY | {"more": 1}, ENTRY | {"cell": [-1, 1]}, ENTRY | {"cell": [0, 0]},
     ENTRY | {"cell": [10**400, 1]}],
)  # fmt: skip
def test_an_entry_of_a_cell_is_read_strictly(forge, entry):
    forged = forge("open")
    for name in [name for name in forged.files if "/" in name]:
        del forged.files[name]
    forged.about["cells"] = [entry]
    forged.refused("manifest.json")
    twice = forge("open")
    twice.about["cells"] *= 2
    assert "two proofs of one cell" in twice.fault().fault


@pytest.mark.parametrize(
    "grid",
    [None, [], "1MS??", [1, 2, 3], ["1MS??", "12?2S"], ["1MS??", "12?2S", "01?1S", ""],
     ["1MS??", "12?2S", "01?1"], ["1MS??", "12?2S", "01?1S?"], ["1MS??", "12?2S", "01?2S"],
     ["1MS??", "12?2S", "01?1U"], ["1MS??", "12?2S", "01?1\u0661"], ["SMS??", "12?2S", "01?1S"],
     [["1", "M"]], [None] * 3],
)  # fmt: skip
def test_the_grid_is_one_of_the_board(forge, grid):
    forged = forge("open")
    forged.about["grid"] = grid
    forged.refused("manifest.json")


HEAD, OPEN = "3 5 ?\n", "1????\n12?2?\n01?1?"


@pytest.mark.parametrize(
    "text",
    [*(head + OPEN + "\n" for head in (
        "", "\n", "3 5\n", "3 5 x\n", "3 5 -1\n", "3 5 \u0664\n", "03 5 ?\n", "3  5 ?\n", "3 5 ?",
        "9999999999 5 ?\n", "3 5 9999999999\n")),
     *(HEAD + rows for rows in (
        OPEN, OPEN + "\n\n", OPEN + "\n1????\n", OPEN[:-5], OPEN[1:] + "\n", OPEN[:-1] + "\n",
        OPEN + "?\n", OPEN.replace("2?2", "2?9") + "\n", OPEN.replace("2?2", "2?x") + "\n",
        OPEN.replace("\n", "\r\n") + "\r\n"))],
)  # fmt: skip
def test_the_board_is_read_strictly(forge, text):
    forged = forge("open")
    forged.files["board.txt"] = text.encode()
    forged.refused("board.txt")


@pytest.mark.parametrize(("rows", "columns"), [(0, 0), (0, 3), (2, 0)])
def test_a_board_without_a_cell_is_refused(forge, rows, columns):
    forged = forge("clash")
    forged.files["board.txt"] = f"{rows} {columns} ?\n".encode() + b"\n" * rows
    forged.about.update(rows=rows, columns=columns)
    forged.refused("board.txt", "a board has a row and a column at least")


def test_a_wrong_map_is_refused(forge):
    found = forge("open").json("map.json")
    cells = found["variables"]
    swapped = {**cells, "1": cells["2"], "2": cells["1"]}
    auxiliary = found["auxiliaries"][0]
    before, behind = auxiliary["first"] - 1, auxiliary["last"] + 1
    changes: list[dict[str, Any]] = [
        {"variables": swapped}, {"variables": {**cells, "1": {"cell": [False, True]}}},
        {"variables": {**cells, "99": {"cell": [0, 0]}}}, {"variables": None}, {"rows": 4},
        {"variables": {key: cells[key] for key in cells if key != "3"}}, {"columns": True},
        {"mines": 3}, {"flags": [[0, 0]]}, {"schema": "satsweeper/map/2"}, {"more": 1},
        {"auxiliaries": []}, {"auxiliaries": None},
        {"auxiliaries": [{**auxiliary, "first": before}]},
        {"auxiliaries": [{**auxiliary, "last": behind}]},
        {"auxiliaries": [{**auxiliary, "role": "cell"}]},
        {"auxiliaries": [{**auxiliary, "more": 1}]},
    ]  # fmt: skip
    without = {key: found[key] for key in found if key != "auxiliaries"}
    for value in ({}, without, *({**found, **change} for change in changes)):
        forged = forge("open")
        forged.put_json("map.json", value)
        forged.refused("map.json")


@pytest.mark.parametrize(
    "header",
    ["p cnf 3 2", "p cnf 4 1", "p cnf 4 3", "p cnf 5 2", "p cnf 4 x", "p dnf 4 2", "", "4 2"],
)
def test_a_formula_has_the_header_that_it_needs(forge, header):
    for name in ("formula.cnf", "refutation.cnf"):
        forged = forge("interior")
        right = f"p cnf 4 {len(forged.clauses(name))}"
        forged.put_lines(name, [header, *forged.clauses(name)])
        if header == right:
            assert forged.check().proved == 1
        else:
            forged.refused(f"{name} map.json")


# -- A certificate is written in one way, so that no checker on PATH judges it otherwise.


OTHERWISE = {
    "a clause on two lines": ("refutation.cnf", r" 0\n", "\n0\n", "line 2"),
    "two clauses on a line": ("refutation.cnf", r" 0\n", " 0 ", "line 2"),
    "a comment among clauses": ("formula.cnf", r"\n", "\nc a\n", "line 2"),
    "a comment before the header": ("formula.cnf", r"\A", "c a\n", "line 1"),
    "two blanks": ("formula.cnf", r" 0\n", "  0\n", "line 2"),
    "a tab": ("refutation.cnf", r" 0\n", "\t0\n", "line 2"),
    "a carriage return": ("formula.cnf", r"\n", "\r\n", "line 1"),
    "a vertical tab": ("refutation.cnf", r" 0\n", "\x0b0\n", "line 2"),
    "no line feed at the end": ("refutation.cnf", r"\n\Z", "", "line "),
    "an empty line": ("formula.cnf", r"\Z", "\n", "line "),
    "a comment among hints": ("refutation.lrat", r"\A", "c a\n", "line 1"),
    "a lemma on two lines": ("refutation.lrat", r" 0 ", " 0\n", "line "),
    "a comment among lemmas": ("refutation.drat", r"\A", "c a\n", "line 1"),
    "binary DRAT": ("refutation.drat", r"(?s)\A.+\Z", "a\0", "line 1"),
    "a comment in the problem": ("clues.opb", r"\Z", "* a\n", "line "),
    "a problem without its header": ("clues.opb", r"\A.*\n", "", "line 1"),
    "a separator of units": ("clues.opb", r" x", "\x1cx", "line 2"),
    "a comment in a proof": ("derivation.pbp", "output", "% Unsupported version\noutput", "line "),
    "an older version": ("derivation.pbp", r"3\.0", "2.0", "line 1"),
    "a step on two lines": ("derivation.pbp", r" : ", "\n: ", "line 3"),
    "two blanks in the one problem": ("proof.opb", r" x", "  x", "line 2"),
    "a step of the one proof on two lines": ("proof.pbp", r" : ", "\n: ", "line 3"),
    "a long word": ("derivation.pbp", r"\nf ", f"\nf {'0' * 50}", "line 2"),
}


@pytest.mark.parametrize("what", OTHERWISE)
def test_what_others_may_read_otherwise_is_refused(forge, what):
    name, old, new, line = OTHERWISE[what]
    for stem in ("", "cells/0_1/"):
        forged = forge("open")
        before = forged.text(stem + name)
        forged.files[stem + name] = re.sub(old, new, before, count=1).encode()
        assert forged.text(stem + name) != before
        fault = forged.fault()
        assert fault.file == stem + name
        assert fault.fault.startswith(line)
        assert "not as certificates are written: " in fault.fault


@pytest.mark.parametrize(
    "name", ["formula.cnf", *(f"refutation.{e}" for e in ("cnf", "lrat", "drat"))]
)
@pytest.mark.parametrize("sign", [1, -1])
def test_no_variable_is_twice_in_a_clause(forge, name, sign):
    forged = forge("expert")
    lines = forged.lines(name)
    start = 1 if name.endswith(".lrat") else 0
    listed = [at for at, line in enumerate(lines) if line[0] != "p" and " d " not in line]
    at = next(at for at in listed if lines[at].split()[start] != "0")
    words = lines[at].split()
    lines[at] = " ".join([*words[: start + 1], str(sign * int(words[start])), *words[start + 1 :]])
    forged.put_lines(name, lines)
    fault = forged.fault()
    assert (fault.file, fault.fault.partition(": ")[2]) == (name, "a variable is there twice")


def test_hints_that_are_not_needed_are_refused_in_a_certificate(forge):
    forged = forge("total")
    lines = forged.lines("refutation.lrat")
    at = next(i for i, line in enumerate(lines) if " d " not in line)
    lines[at] = f"{lines[at][:-2]} 1 0"
    forged.put_lines("refutation.lrat", lines)
    forged.refused("refutation.lrat")


def test_huge_factors_are_refused_at_once(forge):
    """Seconds and gigabytes for a line of a megabyte, if numbers grew without a limit."""
    for digits, fault in ((4000, "not as certificates are"), (18, "more than 40 digits")):
        forged = forge("interior")
        forged.add_steps(f"pol 1 {' '.join(['9' * digits, '*'] * 300)} ;")
        forged.refused("derivation.pbp", fault)


def test_files_and_lines_have_a_largest_size(forge, monkeypatch):
    folder = forge("open").write()
    monkeypatch.setattr(contents, "MOST_IN_LINE", 25)
    with pytest.raises(WrongCertificateError, match=r"clues\.opb: line 1: longer than 25 bytes"):
        check(folder, external=False)
    monkeypatch.setattr(contents, "MOST_BYTES", 99)
    with pytest.raises(WrongCertificateError, match=r"manifest\.json: more than 99 bytes"):
        check(folder, external=False)


def test_a_file_of_any_size_that_holds_nothing_is_not_read(forge):
    folder = forge("open").write()
    os.truncate(folder / "formula.cnf", contents.MOST_BYTES + 1)
    with pytest.raises(WrongCertificateError, match=r"formula\.cnf: more than [0-9]+ bytes"):
        check(folder, external=False)


def test_a_file_that_becomes_a_link_meanwhile_is_not_followed(forge, monkeypatch, tmp_path):
    folder = forge("open").write()
    elsewhere = tmp_path / "elsewhere"
    opened = os.open

    def swapped(path: Any, flags: int, *rest: Any, **more: Any) -> int:
        if Path(path).name == "formula.cnf":
            Path(path).rename(elsewhere)
            Path(path).symlink_to(elsewhere)
        return opened(path, flags, *rest, **more)

    monkeypatch.setattr("os.open", swapped)
    with pytest.raises(OSError, match="symbolic links"):
        check(folder, external=False)
