"""``certify`` on the command line: what it writes, what it says, and what it refuses."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.commands import EXAMPLES, call

Call = Callable[..., Any]
BOARD = "1 3 1\n1??\n"


def test_a_certificate_is_written_and_summed_up(tmp_path: Path) -> None:
    folder = tmp_path / "certificate"
    ended = call("certify", "-", "-o", folder, board=BOARD)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == f"{folder}: 1 safe and 1 mine proved, 0 unknown cells witnessed\n"
    assert sorted(os.listdir(folder)) == [
        "board.txt", "clues.opb", "derivation.pbp", "formula.cnf", "layouts.json", "manifest.json",
        "map.json", "proof.opb", "proof.pbp", "refutation.cnf", "refutation.drat",
        "refutation.lrat",
    ]  # fmt: skip
    assert (folder / "board.txt").read_text() == BOARD


def test_clauses_prove_all_where_sums_would(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("satsweeper.certificate.certify.MANY", 0)
    for folder, options in (("sums", []), ("clauses", ["--clauses"])):
        made = call("certify", "-", *options, "-o", tmp_path / folder, board=BOARD)
        assert made.code == 0
        said = call("check", "--no-external", "--json", tmp_path / folder).json
        assert (said["proof"], said["grid"]) == (folder, ["1MS"])


def test_json_is_the_manifest(tmp_path: Path) -> None:
    ended = call("certify", "--json", "-", "--cell", "0,2", "-o", tmp_path / "c", board=BOARD)
    manifest = json.loads((tmp_path / "c" / "manifest.json").read_bytes())
    assert ended.json == manifest
    assert list(manifest) == [
        "schema", "satsweeper", "rows", "columns", "mines", "flags", "status", "grid", "solver",
        "encoding", "total_encoding", "cells", "files",
    ]  # fmt: skip
    assert manifest["schema"] == "satsweeper/certificate/1"
    assert (manifest["grid"], manifest["mines"], manifest["status"]) == (["1MS"], 1, "consistent")
    assert manifest["cells"] == [
        {"cell": [0, 2], "verdict": "safe", "clues": [[0, 0]], "total": True}
    ]


def test_an_inconsistent_board_is_certified_to_be_that(tmp_path: Path) -> None:
    folder = tmp_path / "certificate"
    ended = call("certify", EXAMPLES / "contradiction.txt", "-o", folder)
    assert (ended.code, ended.err) == (20, "")
    clash, proved = ended.out.splitlines()
    assert clash == "No layout exists: the clues at (0, 0), (0, 2) cannot all be met at once."
    assert proved == f"{folder}: the board is inconsistent, and that is proved"
    assert not (folder / "layouts.json").exists()


def test_the_same_board_gives_the_same_files(tmp_path: Path) -> None:
    contents = []
    for name in ("one", "two"):
        call("certify", EXAMPLES / "wikipedia_corner.txt", "-o", tmp_path / name)
        files = sorted((tmp_path / name).iterdir())
        contents.append([(path.name, path.read_bytes()) for path in files])
    assert contents[0] == contents[1]


def test_options_are_those_of_the_board(tmp_path: Path) -> None:
    arguments = ["certify", "--json", "-", "-o", tmp_path / "c"]
    assert call(*arguments, "--mines", "unknown", board=BOARD).json["grid"] == ["1M?"]
    assert call(*arguments, "--mines", "2", board=BOARD).json["grid"] == ["1MM"]
    flags = call(*arguments, "--flags", "ignore", board="1F\n1?\n").json
    assert (flags["flags"], flags["grid"]) == ("ignore", ["1?", "1?"])
    other = ["--encoding", "totalizer", "--total-encoding", "knuth_counter"]
    made = call(*arguments, *other, "--solver", "cadical195", board="1 5 2\n?1?2?\n").json
    assert (made["encoding"], made["solver"]) == ("totalizer", "cadical195")


def test_only_certificates_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine\n")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine\n")
    for name, why in (("file", "is no folder"), ("full", "is not empty and holds no certificate")):
        ended = call("certify", "-", "-o", tmp_path / name, board=BOARD)
        assert (ended.code, ended.out, ended.err) == (1, "", f"{tmp_path / name} {why}\n")
    assert (tmp_path / "file").read_text() == "mine\n"
    for total in ("1", "2"):
        ended = call("certify", "-", "-o", tmp_path / "c", "--mines", total, board=BOARD)
        assert ended.code == 0
    assert (tmp_path / "c" / "board.txt").read_text() == "1 3 2\n1??\n"


def test_the_folder_that_it_runs_in_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (".", "", str(tmp_path)):
        ended = call("certify", "-", "-o", name, board=BOARD)
        assert (ended.code, ended.out) == (1, "")
        assert ended.err.endswith(" is the folder that this runs in: name another one\n")


def test_within_the_limit_a_certificate_is_the_same(tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text(BOARD)
    for name, limit in (("one", []), ("two", ["--timeout", "50"])):
        ended = call("certify", board, "-o", tmp_path / name, *limit)
        assert (ended.code, ended.err) == (0, "")
    one, two = (sorted((tmp_path / name).iterdir()) for name in ("one", "two"))
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]
    refused = call("certify", board, "-o", tmp_path / "c", "--timeout", "50", "--cell", "0,0")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.startswith(f"{board}: cell (0, 0) is a clue")
