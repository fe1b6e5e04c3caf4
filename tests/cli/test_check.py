"""``certify`` and ``check``: what they write, say and refuse, and the limits of what is read."""

import json
import os
from hashlib import sha256
from pathlib import Path

import pytest

from satsweeper.checker import contents
from tests.commands import EXAMPLES, call, done, python, refused

BOARD = "1 3 1\n1??\n"


def test_a_certificate_is_written_and_summed_up(tmp_path):
    folder = tmp_path / "certificate"
    ended = call("certify", "-", "-o", folder, board=BOARD)
    said = f"{folder}: 1 safe and 1 mine proved, 0 unknown cells witnessed\n"
    assert ended == (0, said, "", "")
    assert sorted(os.listdir(folder)) == [
        "board.txt", "clues.opb", "derivation.pbp", "formula.cnf", "layouts.json", "manifest.json",
        "map.json", "proof.opb", "proof.pbp", "refutation.cnf", "refutation.drat",
        "refutation.lrat",
    ]  # fmt: skip
    assert (folder / "board.txt").read_text() == BOARD


def test_clauses_prove_all_where_sums_would(tmp_path, monkeypatch):
    monkeypatch.setattr("satsweeper.certificate.certify.MANY", 0)
    for folder, options in (("sums", []), ("clauses", ["--clauses"])):
        assert call("certify", "-", *options, "-o", tmp_path / folder, board=BOARD).code == 0
        said = call("check", "--no-external", "--json", tmp_path / folder).json
        assert (said["proof"], said["grid"]) == (folder, ["1MS"])


def test_json_is_the_manifest(tmp_path):
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


def test_an_inconsistent_board_is_certified_and_verified_to_be_that(tmp_path):
    folder = tmp_path / "certificate"
    ended = call("certify", EXAMPLES / "contradiction.txt", "-o", folder)
    assert (ended.code, ended.err) == (20, "")
    assert ended.out.splitlines() == [
        "No layout exists: the clues at (0, 0), (0, 2) cannot all be met at once.",
        f"{folder}: the board is inconsistent, and that is proved",
    ]
    assert not (folder / "layouts.json").exists()
    ended = call("check", "--no-external", folder)
    assert (ended.code, ended.err) == (20, "")
    assert ended.out.startswith("verified: the board is inconsistent (")
    assert ended.out.endswith("total unknown, flags: trust\n1?3\n???\n")
    ended = call("check", "--no-external", "--json", folder)
    assert (ended.code, ended.json["status"], ended.json["grid"]) == (20, "inconsistent", None)


def test_the_same_board_gives_the_same_files_within_a_limit_too(tmp_path):
    board, contents = EXAMPLES / "wikipedia_corner.txt", []
    for name, limit in (("one", []), ("two", []), ("three", ["--timeout", "50"])):
        done("certify", board, "-o", tmp_path / name, *limit)
        files = sorted((tmp_path / name).iterdir())
        contents.append([(path.name, path.read_bytes()) for path in files])
    assert contents[0] == contents[1] == contents[2]
    refused = call("certify", board, "-o", tmp_path / "c", "--timeout", "50", "--cell", "0,0")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.startswith(f"{board}: cell (0, 0) is a clue")


def test_options_are_those_of_the_board(tmp_path):
    arguments = ["certify", "--json", "-", "-o", tmp_path / "c"]
    assert call(*arguments, "--mines", "unknown", board=BOARD).json["grid"] == ["1M?"]
    assert call(*arguments, "--mines", "2", board=BOARD).json["grid"] == ["1MM"]
    flags = call(*arguments, "--flags", "ignore", board="1F\n1?\n").json
    assert (flags["flags"], flags["grid"]) == ("ignore", ["1?", "1?"])
    other = ["--encoding", "totalizer", "--total-encoding", "knuth_counter"]
    made = call(*arguments, *other, "--solver", "cadical195", board="1 5 2\n?1?2?\n").json
    assert (made["encoding"], made["solver"]) == ("totalizer", "cadical195")


def test_only_certificates_are_replaced_and_never_the_folder_that_it_runs_in(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("mine\n")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine\n")
    monkeypatch.chdir(tmp_path)
    runs_in = "is the folder that this runs in: name another one"
    for name, why in (
        (tmp_path / "file", "is no folder"), (".", runs_in), ("", runs_in), (tmp_path, runs_in),
        (tmp_path / "full", "is not empty and holds no certificate"),
    ):  # fmt: skip
        assert refused(1, "certify", "-", "-o", name, board=BOARD).err.endswith(f" {why}\n")
    assert (tmp_path / "file").read_text() == "mine\n"
    for total in ("1", "2"):
        assert call("certify", "-", "-o", "c", "--mines", total, board=BOARD).code == 0
    assert (tmp_path / "c" / "board.txt").read_text() == "1 3 2\n1??\n"


# ``check`` on the command line: what it says of a certificate, and of one that is wrong


@pytest.fixture
def certificate(tmp_path):
    (tmp_path / "board.txt").write_text(BOARD)
    folder = tmp_path / "certificate"
    assert call("certify", tmp_path / "board.txt", "-o", folder, "--cell", "0,2").code == 0
    return folder


def test_what_is_proved_is_summed_up_and_several_processes_and_json_say_the_same(certificate):
    ended = done("check", "--no-external", certificate)
    assert call("check", "--no-external", "--jobs", "3", certificate) == ended
    assert call("check", "--jobs", "0", certificate).code == 2
    first, *rest = ended.out.splitlines()
    assert first.startswith("verified: 2 certain verdicts proved (")
    assert first.endswith("lemmas), 0 unknown cells witnessed by 1 layout")
    digest = sha256((certificate / "manifest.json").read_bytes()).hexdigest()
    assert rest == [
        "verified: the same in one pseudo-Boolean proof",
        "verified: 1 cell by a proof of its own",
        f"about the board in {certificate} (sha256 {digest}): 3 columns, 1 row, total 1,"
        " flags: trust",
        "1MS",
    ]
    found = call("check", "--no-external", "--json", certificate).json
    assert list(found) == [
        "schema", "verified", "board", "status", "grid", "sha256", "proved", "proof",
        "by_sums", "witnessed", "cells", "clauses", "lemmas", "layouts", "external", "one_proof",
        "read_by",
    ]  # fmt: skip
    expected = {
        "schema": "satsweeper/check/1", "verified": True, "status": "consistent", "proved": 2,
        "board": {"rows": 1, "columns": 3, "mines": 1, "flags": "trust"}, "grid": ["1MS"],
        "read_by": None, "sha256": digest, "cells": 1, "external": [], "one_proof": True,
    }  # fmt: skip
    assert found | expected == found


def test_the_first_thing_that_is_wrong_is_one_line_be_it_another_board(certificate, tmp_path):
    done("check", "--no-external", certificate, "--board", tmp_path / "board.txt")
    said = f"{certificate}: board.txt: this is another board than the one given\n"
    assert call("check", certificate, "--board", EXAMPLES / "expert.txt") == (1, "", said, "")
    (certificate / "formula.cnf").write_text("p cnf 2 0\n")
    fault = "its hash is not that of the manifest"
    assert call("check", certificate) == (1, "", f"{certificate}: formula.cnf: {fault}\n", "")
    ended = call("check", "--json", certificate)
    assert (ended.code, ended.err) == (1, "")
    assert ended.json == {
        "schema": "satsweeper/check/1", "verified": False, "file": "formula.cnf", "fault": fault
    }  # fmt: skip


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
    tmp_path, certified, options, board, asked, fault
):
    call("certify", "-", "-o", tmp_path / "c", *options, board=certified)
    given = () if board is None else ("--board", "-")
    ended = refused(1, "check", tmp_path / "c", *given, *asked, board=board or "")
    assert ended.err.endswith(f"{fault}\n")
    assert "the certificate is about" in ended.err


def test_what_is_asked_for_agrees_as_in_all_other_commands(tmp_path):
    board = tmp_path / "b.txt"
    board.write_text("; flags\n1 3 2\nF 0 ?\n")
    for asked in ((), ("--mines", 1), ("--mines", 0, "--flags", "ignore"), ("--mines", "unknown")):
        code = call("certify", board, "-o", tmp_path / "c", *asked).code
        ended = call("check", "--no-external", tmp_path / "c", "--board", board, *asked)
        assert (ended.code, ended.err) == (0 if "ignore" in asked else 20, "") == (code, "")
        assert f"about the board of {board} (sha256 " in ended.out


def test_who_has_read_the_board_is_said_unless_it_was_the_checker(certificate, tmp_path):
    other = tmp_path / "board.json"
    assert call("convert", tmp_path / "board.txt", "--to", "json", "-o", other).code == 0
    said = "BOARD is not in the plain notation: it was read as certify reads it"
    for board, by in ((tmp_path / "board.txt", "checker"), (other, "satsweeper.notation")):
        assert (said in done("check", certificate, "--board", board).out) is (by != "checker")
        assert call("check", "--json", certificate, "--board", board).json["read_by"] == by


# The size of the files that ``check`` reads is bounded, and so is the memory for each of them


@pytest.fixture
def three(tmp_path):
    files = [EXAMPLES / "knapsack.opb", tmp_path / "k.cnf", tmp_path / "k.pbp"]
    assert call("encode", files[0], "-o", files[1], "--proof", files[2]).code == 0
    return files


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "game.lidrup"
    assert call("game", "new", tmp_path / "g.txt", "--seed", 3, "--proof", path).code == 0
    return path


def refusal(*words: object) -> str:
    said = refused(1, "check", "--no-external", *words).err.rstrip("\n")
    as_json = call("check", "--no-external", "--json", *words)
    assert not as_json.out or (as_json.code, as_json.json["verified"]) == (1, False)
    return said


@pytest.mark.timeout(120)
@pytest.mark.parametrize("kind", ["a pipe", "a device"])
def test_pipes_and_devices_are_refused_wherever_a_file_may_be_named(game, three, tmp_path, kind):
    other = tmp_path / "pipe"
    os.mkfifo(other)
    other = other if kind == "a pipe" else Path("/dev/zero")
    assert refusal(other) == f"{other}: no regular file"
    assert refusal(game, "--board", other) == f"{other}: no regular file"
    for place in range(3):
        words = [*three[:place], other, *three[place + 1 :]]
        assert refusal(*words) == f"{other.name}: no regular file"


def test_a_file_that_fails_while_it_is_read_is_one_line_that_names_what_was_checked(
    three, tmp_path, monkeypatch
):
    def fails(*_: object) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("satsweeper.checker.encoding.read_named", fails)
    monkeypatch.setattr("satsweeper.checker.odds.check.read_regular", fails)
    assert refusal(*three) == f"{three[0]}: Input/output error"
    (tmp_path / "folder").mkdir()
    assert refusal(tmp_path / "folder") == f"{tmp_path / 'folder'}: Input/output error"


def test_a_link_may_be_named(game, three, tmp_path):
    links = tmp_path / "game", tmp_path / "proof"
    for link, file in zip(links, (game, three[2]), strict=True):
        link.symlink_to(file)
    assert call("check", "--no-external", links[0]).code == 0
    assert call("check", "--no-external", *three[:2], links[1]).code == 0


def test_sizes_and_lines_have_the_limits_of_files_in_folders(game, three, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(contents, "MOST_IN_LINE", 9)
        assert refusal(game).endswith("game.lidrup: line 2: longer than 9 bytes")
        assert refusal(*three) == "knapsack.opb: line 1: longer than 9 bytes"
    monkeypatch.setattr(contents, "MOST_BYTES", 30)
    assert refusal(game).endswith("game.lidrup: more than 30 bytes")
    assert refusal(*three).endswith(": more than 30 bytes")


def test_a_script_can_ask_to_be_refused_where_no_board_is_named(game, three, tmp_path):
    ended = call("check", "--no-external", "--require-board", game)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.endswith("--require-board: there is no --board BOARD to compare with\n")
    rows = call("check", "--no-external", "--json", game).json["rows"]
    board = tmp_path / "board.txt"
    board.write_text("8 8 10\n" + "\n".join(rows) + "\n")
    assert call("check", "--no-external", "--require-board", game, "--board", board).code == 0
    assert call("check", "--require-board", *three).code == 2


def growing(size: int) -> str:
    """Counts that grow by one cell a line."""
    lines, first, part, length = ["c satsweeper game 1 1 1000000 ?"], 10**6 + 1, 1, 0
    for cells in range(2, 10**6):
        lines.append(f"c count {first} {cells} {part} {cells}")
        first, part, length = first + cells, first, length + len(lines[-1])
        if length > size:
            break
    return "\n".join(["p lidrup", *lines, ""])


def pairs(size: int) -> str:
    """Counts of the same two cells, behind a million others."""
    lines = [f"c count {first} 1 999999 1000000" for first in range(10**6 + 1, 10**6 + size // 32)]
    return "\n".join(["p lidrup", "c satsweeper game 1 1000 1000 ?", *lines, ""])


def opened(size: int) -> str:
    """Cells that are open at the end of a board of a million."""
    lines = [f"c open 999 {column} 1" for column in range(999, 999 - size // 15, -1)]
    return "\n".join(["p lidrup", "c satsweeper game 1 1000 1000 ?", *lines, ""])


def shown(size: int) -> str:
    """Layouts of twelve cells at the end of a board of a million, all different."""
    near = [[at * 1000 + cell for at in (998, 999)] for cell in (800, 820, 840, 860, 880, 900)]
    lines = ["c satsweeper game 1 1000 1000 ?"]
    lines += [f"c open {at // 1000} {at % 1000} 1" for at, _ in near]
    steps = (-1001, -1000, -999, -1, 1, 999, 1000, 1001)
    around = [[at + 1 + step for step in steps] for at, _ in near]
    for number in range(size // 270):
        mines = [cells[number // 8**k % 8] for k, cells in enumerate(around)]
        model = [lit if lit in mines else -lit for cells in around for lit in cells]
        lines += ["q 0", "s SATISFIABLE", f"m {' '.join(map(str, model))} 0"]
    return "\n".join(["p lidrup", *lines, ""])


def clauses(size: int) -> str:
    """One clause again and again."""
    lines = [f"i {number} 1 3 0" for number in range(1, size // 13)]
    start = ["p lidrup", "c satsweeper game 1 1 9 ?", "c open 0 1 1", "c by 0 1"]
    return "\n".join([*start, *lines, ""])


PEAK = """
import sys
from satsweeper.checker.game.check import check_game
from satsweeper.checker.errors import WrongCertificateError
try:
    print(check_game(sys.argv[1], external=False).game.status)
except WrongCertificateError as error:
    print(error)
with open("/proc/self/status") as file:
    print(next(line.split()[1] for line in file if line.startswith("VmHWM")))
"""
ON_LINUX = pytest.mark.skipif(not Path("/proc/self").exists(), reason="memory is read from /proc")


@ON_LINUX
@pytest.mark.parametrize(
    ("bomb", "size", "status"),
    [(growing, 10**6, "not shown"), (pairs, 10**6, "not shown"), (opened, 15_000, "not shown"),
     (shown, 120_000, "consistent"), (clauses, 10**6, "not shown")],
)  # fmt: skip
def test_a_game_takes_the_memory_of_its_lines_however_large_its_board(bomb, size, status, tmp_path):
    path = tmp_path / "bomb.lidrup"
    path.write_text(bomb(size))
    found, kilobytes = python("-c", PEAK, path).stdout.splitlines()
    assert found == status
    assert int(kilobytes) < 100_000


@ON_LINUX
def test_a_file_without_lines_is_refused_before_it_is_in_memory(tmp_path):
    path = tmp_path / "sparse"
    path.touch()
    os.truncate(path, 1_500_000_000)
    found, kilobytes = python("-c", PEAK, path).stdout.splitlines()
    assert found == "sparse: line 1: longer than 67108864 bytes"
    assert int(kilobytes) < 200_000
