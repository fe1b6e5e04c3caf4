"""``check`` on the command line: what it says of a certificate, and of one that is wrong."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.commands import EXAMPLES, call


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    board = tmp_path / "board.txt"
    board.write_text("1 3 1\n1??\n")
    folder = tmp_path / "certificate"
    assert call("certify", board, "-o", folder, "--cell", "0,2").code == 0
    return folder


def test_what_is_proved_is_summed_up(certificate: Path) -> None:
    ended = call("check", "--no-external", certificate)
    assert (ended.code, ended.err) == (0, "")
    first, whole, second, about, grid = ended.out.splitlines()
    assert first.startswith("verified: 2 certain verdicts proved (")
    assert first.endswith("lemmas), 0 unknown cells witnessed by 1 layout")
    assert whole == "verified: the same in one pseudo-Boolean proof"
    assert second == "verified: 1 cell by a proof of its own"
    digest = sha256((certificate / "manifest.json").read_bytes()).hexdigest()
    assert about == (
        f"about the board in {certificate} (sha256 {digest}): 3 columns, 1 row, total 1,"
        " flags: trust"
    )
    assert grid == "1MS"


def test_several_processes_say_the_same(certificate: Path) -> None:
    alone = call("check", "--no-external", certificate)
    several = call("check", "--no-external", "--jobs", "3", certificate)
    assert (several.code, several.out, several.err) == (alone.code, alone.out, alone.err)
    assert call("check", "--jobs", "0", certificate).code == 2


def test_json_says_the_same(certificate: Path) -> None:
    found = call("check", "--no-external", "--json", certificate).json
    assert list(found) == [
        "schema", "verified", "board", "status", "grid", "sha256", "proved", "proof",
        "by_sums", "witnessed", "cells", "clauses", "lemmas", "layouts", "external", "one_proof",
        "read_by",
    ]  # fmt: skip
    assert found["board"] == {"rows": 1, "columns": 3, "mines": 1, "flags": "trust"}
    assert (found["grid"], found["read_by"]) == (["1MS"], None)
    assert found["sha256"] == sha256((certificate / "manifest.json").read_bytes()).hexdigest()
    assert (found["schema"], found["verified"]) == ("satsweeper/check/1", True)
    assert (found["status"], found["proved"], found["cells"]) == ("consistent", 2, 1)
    assert (found["external"], found["one_proof"]) == ([], True)


def test_an_inconsistent_board_is_verified_to_be_that(tmp_path: Path) -> None:
    call("certify", EXAMPLES / "contradiction.txt", "-o", tmp_path / "c")
    ended = call("check", "--no-external", tmp_path / "c")
    assert (ended.code, ended.err) == (20, "")
    assert ended.out.startswith("verified: the board is inconsistent (")
    assert ended.out.endswith("total unknown, flags: trust\n1?3\n???\n")
    ended = call("check", "--no-external", "--json", tmp_path / "c")
    assert (ended.code, ended.json["status"], ended.json["grid"]) == (20, "inconsistent", None)


def test_the_first_thing_that_is_wrong_is_one_line(certificate: Path) -> None:
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
def test_what_is_no_certificate_is_one_line(tmp_path: Path, name: str) -> None:
    (tmp_path / "board.txt").write_text("1?\n")
    ended = call("check", tmp_path / name)
    assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
    faults = "manifest.json: it is missing", "No such file", "line 1: expected 'p lidrup', not"
    assert any(fault in ended.err for fault in faults)
    assert "\x1b" not in ended.err


def test_it_may_have_to_be_about_a_given_board(certificate: Path, tmp_path: Path) -> None:
    same = call("check", "--no-external", certificate, "--board", tmp_path / "board.txt")
    assert (same.code, same.err) == (0, "")
    other = call("check", certificate, "--board", EXAMPLES / "expert.txt")
    assert (other.code, other.out) == (1, "")
    assert other.err == f"{certificate}: board.txt: this is another board than the one given\n"
    none = call("check", certificate, "--board", tmp_path / "none.txt")
    assert (none.code, none.err) == (1, f"{tmp_path / 'none.txt'}: No such file or directory\n")


@pytest.mark.parametrize(
    ("certified", "options", "board", "asked", "fault"),
    [
        ("1 1 0\n?\n", (), "1 1 1\n?\n", (), "total 0, the board says 1"),
        ("1 2 0\n1?\n", (), "1 2 1\n1?\n", (), "total 0, the board says 1"),
        ("?\n", ("--mines", 0), "?\n", (), "total 0, the board says unknown"),
        ("?\n", (), "1 1 0\n?\n", (), "total unknown, the board says 0"),
        ("?\n", (), "1 1 0\n?\n", ("--mines", 1), "total unknown, asked for is 1"),
        ("1 1 0\n?\n", (), "1 1 0\n?\n", ("--mines", "unknown"), "total 0, asked for is unknown"),
        ("1 1 0\n?\n", (), None, ("--mines", 1), "total 0, asked for is 1"),
        ("F0?\n", (), "F0?\n", ("--flags", "ignore"), "'trust', asked for is 'ignore'"),
        ("F0?\n", ("--flags", "ignore"), "F0?\n", (), "'ignore', asked for is 'trust'"),
        ("F0?\n", ("--flags", "ignore"), None, ("--flags", "trust"), "asked for is 'trust'"),
    ],
)  # fmt: skip
def test_a_certificate_of_another_total_or_of_other_flags_is_refused_by_name(
    tmp_path: Path, certified: str, options: Any, board: Any, asked: Any, fault: str
) -> None:
    call("certify", "-", "-o", tmp_path / "c", *options, board=certified)
    given = () if board is None else ("--board", "-")
    ended = call("check", tmp_path / "c", *given, *asked, board=board or "")
    assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
    assert ended.err.endswith(f"{fault}\n")
    assert "the certificate is about" in ended.err


def test_what_is_asked_for_agrees_as_in_all_other_commands(tmp_path: Path) -> None:
    board = tmp_path / "b.txt"
    board.write_text("; flags\n1 3 2\nF 0 ?\n")
    for asked in ((), ("--mines", 1), ("--mines", 0, "--flags", "ignore"), ("--mines", "unknown")):
        code = call("certify", board, "-o", tmp_path / "c", *asked).code
        ended = call("check", "--no-external", tmp_path / "c", "--board", board, *asked)
        assert (ended.code, ended.err) == (0 if "ignore" in asked else 20, "") == (code, "")
        assert f"about the board of {board} (sha256 " in ended.out


def test_who_has_read_the_board_is_said_unless_it_was_the_checker(
    certificate: Path, tmp_path: Path
) -> None:
    other = tmp_path / "board.json"
    assert call("convert", tmp_path / "board.txt", "--to", "json", "-o", other).code == 0
    plain = call("check", certificate, "--board", tmp_path / "board.txt")
    assert "plain notation" not in plain.out
    ended = call("check", certificate, "--board", other)
    assert (ended.code, ended.err) == (0, "")
    assert "BOARD is not in the plain notation: it was read as certify reads it" in ended.out
    assert (
        call("check", "--json", certificate, "--board", other).json["read_by"]
        == "satsweeper.notation"
    )
    read_by = call("check", "--json", certificate, "--board", tmp_path / "board.txt").json[
        "read_by"
    ]
    assert read_by == "checker"
