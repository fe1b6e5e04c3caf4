"""``satsweeper convert``: a board in another notation, whole or not at all, nothing lost unsaid."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from satsweeper.cli.convert import FORMATS, PARTS
from satsweeper.cli.main import COMMANDS
from satsweeper.notation.formats import FORMATS as TABLE
from satsweeper.notation.record import DROPPABLE
from satsweeper.position import Position
from tests.commands import EXAMPLES, call, python


@pytest.fixture(scope="module")
def files(data: Path) -> Path:
    return data / "notation"


def test_the_command_offers_every_format_and_every_part_and_says_what_they_are() -> None:
    assert set(FORMATS) == set(TABLE)
    assert set(PARTS) == set(DROPPABLE)
    ended = call("convert", "--help")
    assert all(f"\n  {name} " in ended.out for name in FORMATS)
    assert all(part in ended.out for part in PARTS)
    assert "convert" in COMMANDS


@pytest.mark.parametrize("name", FORMATS)
def test_the_name_of_the_file_says_the_format(files: Path, tmp_path: Path, name: str) -> None:
    by_option, by_name = tmp_path / "given", tmp_path / f"board.{name}"
    drops = [word for part in set(PARTS) - TABLE[name].holds for word in ("--drop", part)]
    board = files / "vector.tatham"
    assert call("convert", board, "--to", name, "-o", by_option, *drops).code == 0
    assert call("convert", board, "-o", by_name, *drops).code == 0
    assert by_name.read_bytes() == by_option.read_bytes()
    other = "mine" if name == "json" else "json"
    ended = call("convert", board, "--to", other, "-o", by_name)
    assert ended.code == 2
    assert f"the name says {name}, and the format is to be {other}" in ended.err


@pytest.mark.parametrize("name", ["json", "mine", "board"])
def test_there_and_back_gives_the_same_board(tmp_path: Path, name: str) -> None:
    there, back = tmp_path / "there", tmp_path / "back.txt"
    assert call("convert", EXAMPLES / "expert.txt", "--to", name, "-o", there).code == 0
    assert call("convert", there, "--to", "text", "-o", back).code == 0
    assert Position.read(back) == Position.read(there) == Position.read(EXAMPLES / "expert.txt")


@pytest.mark.parametrize("name", ["json", "board", "danamlund", "mine"])
def test_a_layout_is_carried_along(files: Path, tmp_path: Path, name: str) -> None:
    there, back = tmp_path / "there", tmp_path / "back"
    source = files / "vector.tatham"
    assert call("convert", source, "--to", name, "-o", there).code == 0
    assert call("convert", there, "--to", "tatham", "-o", back).code == 0
    # Only JSON keeps which of the cells of the opening was clicked; any other gives the same board.
    if name == "json":
        assert back.read_text() == "9x9:4,4,mb071b49fbd1cb6a0d5868\n"
    assert Position.read(back) == Position.read(source) == Position.read(there)
    assert back.read_text().partition("m")[2] == "b071b49fbd1cb6a0d5868\n"


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("vector.tatham", {"safe": 16, "mine": 8, "unknown": 4}),
        ("layout_3x2.mbf", {"safe": 0, "mine": 0, "unknown": 6}),
        ("readme.minesweepr", {"safe": 3, "mine": 3, "unknown": 79}),
    ],
)
def test_every_command_reads_every_format(files: Path, name: str, status: dict[str, int]) -> None:
    mines = ["--mines", "10"] if name == "readme.minesweepr" else []
    assert call("classify", "--json", *mines, files / name).json["counts"] == status


def test_parts_are_left_out_on_request(files: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    drops = [word for part in ("total", "layout", "notes", "marks") for word in ("--drop", part)]
    assert call("convert", files / "both.board", "--to", "minesweepr", *drops, "-o", out).code == 0
    assert out.read_text() == "x*2x\n1x2x\n"
    arguments = ["--to", "mbf", "--drop", "view", "-o", out]
    assert call("convert", files / "vector.tatham", *arguments).code == 0
    assert out.read_bytes()[:4] == bytes([9, 9, 0, 10])


def test_the_solution_of_a_layout_is_shown_on_request(files: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ["--to", "text", "--solution", "-o", out]
    assert call("convert", files / "layout_3x2.mbf", *arguments).code == 0
    assert out.read_text() == "2 3 2\n12F\nF21\n"
    assert call("convert", out, "--to", "mbf", "--drop", "view", "-o", out.with_suffix("")).code
    again = tmp_path / "again"
    assert call("convert", out, "--to", "mbf", "--drop", "view", "-o", again).code == 0
    assert again.read_bytes() == (files / "layout_3x2.mbf").read_bytes()


def test_total_seed_and_mask_are_chosen(files: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    board = files / "readme.minesweepr"
    assert call("convert", board, "--to", "text", "--mines", "10", "-o", out).code == 0
    assert out.read_text().startswith("10 10 10\n")
    assert call("convert", out, "--to", "json", "--mines", "unknown", "-o", out).code == 2
    other = tmp_path / "other"
    assert call("convert", out, "--to", "json", "--mines", "unknown", "-o", other).code == 0
    assert json.loads(other.read_text())["mines"] is None
    vector = files / "vector.tatham"
    assert call("convert", vector, "--to", "tatham", "--unmasked", "-o", out).code == 0
    assert out.read_text() == "9x9:4,4,u004000007c00010022080\n"
    assert call("convert", vector, "--to", "danamlund", "--seed", "7", "-o", out).code == 0
    assert "Solution encrypted with seed 7\n" in out.read_text()
    assert call("convert", vector, "--to", "danamlund", "--seed", "-1", "-o", out).code == 2
    assert call("convert", vector, "--to", "pgn", "-o", out).code == 2


def test_binary_formats_go_to_a_pipe_but_not_to_a_terminal(files: Path) -> None:
    mbf = files / "layout_3x2.mbf"
    ended = call("convert", "-", "--to", "mbf", board=mbf.read_bytes())
    assert (ended.code, ended.data, ended.err) == (0, mbf.read_bytes(), "")
    terminal, end = pty.openpty()
    try:
        words = ("-m", "satsweeper", "convert", mbf, "--to", "mbf")
        refused = python(*words, stdout=end, stderr=subprocess.PIPE)
    finally:
        os.close(end)
        os.close(terminal)
    assert refused.returncode == 2
    assert refused.stderr.endswith(": mbf is binary and not for a terminal: -o FILE\n")


def test_help_loads_nothing_heavy(environment: dict[str, str]) -> None:
    code = (
        "import atexit, runpy, sys\n"
        "atexit.register(lambda: print('\\nLOADED', *sys.modules, file=sys.stderr))\n"
        "sys.argv = ['satsweeper', 'convert', '--help']\n"
        "runpy.run_module('satsweeper', run_name='__main__')\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )
    loaded = set(ended.stderr.rpartition("LOADED ")[2].split())
    assert loaded & {"numpy", "rich", "pysat", "json", "satsweeper.notation.formats"} == set()
