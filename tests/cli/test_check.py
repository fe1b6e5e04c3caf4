"""``check`` on the command line: what it says of a certificate, and of one that is wrong."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]


@pytest.fixture
def certificate(call: Call, tmp_path: Path) -> Path:
    board = tmp_path / "board.txt"
    board.write_text("1 3 1\n1??\n")
    folder = tmp_path / "certificate"
    assert call("certify", board, "-o", folder, "--cell", "0,2").code == 0
    return folder


def test_what_is_proved_is_summed_up(call: Call, certificate: Path) -> None:
    ended = call("check", "--no-external", certificate)
    assert (ended.code, ended.err) == (0, "")
    first, second = ended.out.splitlines()
    assert first.startswith("verified: 2 certain verdicts proved (")
    assert first.endswith("lemmas), 0 unknown cells witnessed by 1 layouts")
    assert second == "verified: 1 cells by proofs of their own"


def test_json_says_the_same(call: Call, certificate: Path) -> None:
    found = call("check", "--no-external", "--json", certificate).json
    assert list(found) == [
        "schema", "verified", "status", "proved", "witnessed", "cells", "clauses", "lemmas",
        "layouts", "external",
    ]  # fmt: skip
    assert (found["schema"], found["verified"]) == ("satsweeper/check/1", True)
    assert (found["status"], found["proved"], found["cells"]) == ("consistent", 2, 1)
    assert found["external"] == []


def test_an_inconsistent_board_is_verified_to_be_that(
    call: Call, examples: Path, tmp_path: Path
) -> None:
    call("certify", examples / "contradiction.txt", "-o", tmp_path / "c")
    ended = call("check", "--no-external", tmp_path / "c")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("verified: the board is inconsistent (")


def test_the_first_thing_that_is_wrong_is_one_line(call: Call, certificate: Path) -> None:
    (certificate / "formula.cnf").write_text("p cnf 2 0\n")
    ended = call("check", certificate)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == f"{certificate}: formula.cnf: its hash is not that of the manifest\n"
    ended = call("check", "--json", certificate)
    assert (ended.code, ended.err) == (1, "")
    assert ended.json == {
        "schema": "satsweeper/check/1",
        "verified": False,
        "file": "formula.cnf",
        "fault": "its hash is not that of the manifest",
    }


@pytest.mark.parametrize("name", ["", "board.txt", "nowhere", "a\x1b[31mred"])
def test_what_is_no_certificate_is_one_line(call: Call, tmp_path: Path, name: str) -> None:
    (tmp_path / "board.txt").write_text("1?\n")
    ended = call("check", tmp_path / name)
    assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
    assert "manifest.json: it is missing" in ended.err or "Not a directory" in ended.err
    assert "\x1b" not in ended.err


def test_it_may_have_to_be_about_a_given_board(
    call: Call, certificate: Path, tmp_path: Path, examples: Path
) -> None:
    same = call("check", "--no-external", certificate, "--board", tmp_path / "board.txt")
    assert (same.code, same.err) == (0, "")
    other = call("check", certificate, "--board", examples / "expert.txt")
    assert (other.code, other.out) == (1, "")
    assert other.err == f"{certificate}: board.txt: this is another board than the one given\n"
    none = call("check", certificate, "--board", tmp_path / "none.txt")
    assert (none.code, none.err) == (1, f"{tmp_path / 'none.txt'}: No such file or directory\n")


@pytest.mark.skipif(os.getuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_named(call: Call, certificate: Path) -> None:
    (certificate / "board.txt").chmod(0)
    ended = call("check", certificate)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == f"{certificate / 'board.txt'}: Permission denied\n"
