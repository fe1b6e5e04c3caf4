"""The size of the files that ``check`` reads is bounded, and so is the memory for each of them."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from satsweeper.checker import contents
from tests.commands import EXAMPLES, call, python

MOST: int = 100_000
"""Kilobytes of memory that a game of a megabyte may take."""


@pytest.fixture
def three(tmp_path: Path) -> list[Path]:
    files = [EXAMPLES / "knapsack.opb", tmp_path / "k.cnf", tmp_path / "k.pbp"]
    assert call("encode", files[0], "-o", files[1], "--proof", files[2]).code == 0
    return files


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.lidrup"
    assert call("game", "new", tmp_path / "g.txt", "--seed", 3, "--proof", path).code == 0
    return path


def refusal(*words: object) -> str:
    ended = call("check", "--no-external", *words)
    assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
    as_json = call("check", "--no-external", "--json", *words)
    if as_json.out:
        assert (as_json.code, as_json.json["verified"]) == (1, False)
    said: str = ended.err
    return said.rstrip("\n")


@pytest.mark.timeout(120)
@pytest.mark.parametrize("kind", ["a pipe", "a device"])
def test_pipes_and_devices_are_refused_wherever_a_file_may_be_named(
    game: Path, three: list[Path], tmp_path: Path, kind: str
) -> None:
    other = tmp_path / "pipe"
    os.mkfifo(other)
    other = other if kind == "a pipe" else Path("/dev/zero")
    assert refusal(other) == f"{other}: no regular file"
    assert refusal(game, "--board", other) == f"{other}: no regular file"
    for place in range(3):
        words = [*three[:place], other, *three[place + 1 :]]
        assert refusal(*words) == f"{other.name}: no regular file"


def test_a_file_that_fails_while_it_is_read_is_one_line_that_names_what_was_checked(
    three: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()

    def fails(*_: object) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("satsweeper.checker.encoding.read_named", fails)
    monkeypatch.setattr("satsweeper.checker.odds.check.read_regular", fails)
    assert refusal(*three) == f"{three[0]}: Input/output error"
    assert refusal(folder) == f"{folder}: Input/output error"


def test_a_link_may_be_named(game: Path, three: list[Path], tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(game)
    assert call("check", "--no-external", link).code == 0
    link.unlink()
    link.symlink_to(three[2])
    assert call("check", "--no-external", *three[:2], link).code == 0


def test_sizes_and_lines_have_the_limits_of_files_in_folders(
    game: Path, three: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(contents, "MOST_IN_LINE", 9)
        assert refusal(game).endswith("game.lidrup: line 2: longer than 9 bytes")
        assert refusal(*three) == "knapsack.opb: line 1: longer than 9 bytes"
    monkeypatch.setattr(contents, "MOST_BYTES", 30)
    assert refusal(game).endswith("game.lidrup: more than 30 bytes")
    assert refusal(*three).endswith(": more than 30 bytes")


def test_a_script_can_ask_to_be_refused_where_no_board_is_named(
    game: Path, three: list[Path], tmp_path: Path
) -> None:
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
    around = [
        [at + 1 + step for step in (-1001, -1000, -999, -1, 1, 999, 1000, 1001)] for at, _ in near
    ]
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
ON_LINUX = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="memory is read from /proc"
)


def checked_in_a_process(path: Path) -> tuple[str, int]:
    """The status of a game, or its fault; and the kilobytes of memory that this took."""
    found, peak = python("-c", PEAK, path).stdout.splitlines()
    return found, int(peak)


@ON_LINUX
@pytest.mark.parametrize(
    ("bomb", "size", "status"),
    [
        (growing, 10**6, "not shown"),
        (pairs, 10**6, "not shown"),
        (opened, 15_000, "not shown"),
        (shown, 120_000, "consistent"),
        (clauses, 10**6, "not shown"),
    ],
)
def test_a_game_takes_the_memory_of_its_lines_however_large_its_board(
    bomb: Callable[[int], str], size: int, status: str, tmp_path: Path
) -> None:
    path = tmp_path / "bomb.lidrup"
    path.write_text(bomb(size))
    found, peak = checked_in_a_process(path)
    assert found == status
    assert peak < MOST


@ON_LINUX
def test_a_file_without_lines_is_refused_before_it_is_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "sparse"
    path.touch()
    os.truncate(path, 1_500_000_000)
    found, peak = checked_in_a_process(path)
    assert found == "sparse: line 1: longer than 67108864 bytes"
    assert peak < 2 * MOST
