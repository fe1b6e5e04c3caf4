"""``certify`` and ``check``: what they write, say and refuse, and the limits of what is read."""

import json
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from satsweeper.checker import contents
from tests.commands import EXAMPLES, call, done, python, refused

Call = Callable[..., Any]
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


def test_an_inconsistent_board_is_certified_to_be_that(tmp_path):
    folder = tmp_path / "certificate"
    ended = call("certify", EXAMPLES / "contradiction.txt", "-o", folder)
    assert (ended.code, ended.err) == (20, "")
    clash, proved = ended.out.splitlines()
    assert clash == "No layout exists: the clues at (0, 0), (0, 2) cannot all be met at once."
    assert proved == f"{folder}: the board is inconsistent, and that is proved"
    assert not (folder / "layouts.json").exists()


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


def test_only_certificates_are_replaced(tmp_path):
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


def test_the_folder_that_it_runs_in_is_not_replaced(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in (".", "", str(tmp_path)):
        ended = call("certify", "-", "-o", name, board=BOARD)
        assert (ended.code, ended.out) == (1, "")
        assert ended.err.endswith(" is the folder that this runs in: name another one\n")


# ``check`` on the command line: what it says of a certificate, and of one that is wrong


@pytest.fixture
def certificate(tmp_path):
    board = tmp_path / "board.txt"
    board.write_text("1 3 1\n1??\n")
    folder = tmp_path / "certificate"
    assert call("certify", board, "-o", folder, "--cell", "0,2").code == 0
    return folder


def test_what_is_proved_is_summed_up_and_several_processes_say_the_same(certificate):
    ended = done("check", "--no-external", certificate)
    assert call("check", "--no-external", "--jobs", "3", certificate) == ended
    assert call("check", "--jobs", "0", certificate).code == 2
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


def test_json_says_the_same(certificate):
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


def test_an_inconsistent_board_is_verified_to_be_that(tmp_path):
    call("certify", EXAMPLES / "contradiction.txt", "-o", tmp_path / "c")
    ended = call("check", "--no-external", tmp_path / "c")
    assert (ended.code, ended.err) == (20, "")
    assert ended.out.startswith("verified: the board is inconsistent (")
    assert ended.out.endswith("total unknown, flags: trust\n1?3\n???\n")
    ended = call("check", "--no-external", "--json", tmp_path / "c")
    assert (ended.code, ended.json["status"], ended.json["grid"]) == (20, "inconsistent", None)


def test_the_first_thing_that_is_wrong_is_one_line(certificate):
    (certificate / "formula.cnf").write_text("p cnf 2 0\n")
    ended = call("check", certificate)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == f"{certificate}: formula.cnf: its hash is not that of the manifest\n"
    ended = call("check", "--json", certificate)
    assert (ended.code, ended.err) == (1, "")
    assert ended.json == {
        "schema": "satsweeper/check/1", "verified": False,
        "file": "formula.cnf", "fault": "its hash is not that of the manifest",
    }  # fmt: skip


def test_it_may_have_to_be_about_a_given_board(certificate, tmp_path):
    done("check", "--no-external", certificate, "--board", tmp_path / "board.txt")
    said = f"{certificate}: board.txt: this is another board than the one given\n"
    assert call("check", certificate, "--board", EXAMPLES / "expert.txt") == (1, "", said, "")


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


MOST: int = 100_000
"""Kilobytes of memory that a game of a megabyte may take."""


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
    ended = refused(1, "check", "--no-external", *words)
    as_json = call("check", "--no-external", "--json", *words)
    if as_json.out:
        assert (as_json.code, as_json.json["verified"]) == (1, False)
    said: str = ended.err
    return said.rstrip("\n")


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
    folder = tmp_path / "folder"
    folder.mkdir()

    def fails(*_: object) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("satsweeper.checker.encoding.read_named", fails)
    monkeypatch.setattr("satsweeper.checker.odds.check.read_regular", fails)
    assert refusal(*three) == f"{three[0]}: Input/output error"
    assert refusal(folder) == f"{folder}: Input/output error"


def test_a_link_may_be_named(game, three, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(game)
    assert call("check", "--no-external", link).code == 0
    link.unlink()
    link.symlink_to(three[2])
    assert call("check", "--no-external", *three[:2], link).code == 0


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


def checked_in_a_process(path: Path) -> tuple[str, int]:
    """The status of a game, or its fault; and the kilobytes of memory that this took."""
    found, peak = python("-c", PEAK, path).stdout.splitlines()
    return found, int(peak)


@ON_LINUX
@pytest.mark.parametrize(
    ("bomb", "size", "status"),
    [(growing, 10**6, "not shown"), (pairs, 10**6, "not shown"), (opened, 15_000, "not shown"),
     (shown, 120_000, "consistent"), (clauses, 10**6, "not shown")],
)  # fmt: skip
def test_a_game_takes_the_memory_of_its_lines_however_large_its_board(bomb, size, status, tmp_path):
    path = tmp_path / "bomb.lidrup"
    path.write_text(bomb(size))
    found, peak = checked_in_a_process(path)
    assert found == status
    assert peak < MOST


@ON_LINUX
def test_a_file_without_lines_is_refused_before_it_is_in_memory(tmp_path):
    path = tmp_path / "sparse"
    path.touch()
    os.truncate(path, 1_500_000_000)
    found, peak = checked_in_a_process(path)
    assert found == "sparse: line 1: longer than 67108864 bytes"
    assert peak < 2 * MOST
