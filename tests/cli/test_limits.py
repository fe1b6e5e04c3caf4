"""Limits of every command on a board of 360,000 cells: kept, and nothing is left behind."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from satsweeper.cli.main import COMMANDS
from tests.commands import call

Call = Callable[..., Any]
SIZE = 600
NO_LIMIT = {"completion", "play"}
"""Prints a text that is there already."""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A board with 20 % mines and half of the other cells opened at random."""
    draw = np.random.default_rng(1)
    mines = draw.random((SIZE, SIZE)) < 0.2
    opened = ~mines & (draw.random((SIZE, SIZE)) < 0.5)
    padded = np.pad(mines.astype(int), 1)
    steps = [(i, j) for i in range(3) for j in range(3) if (i, j) != (1, 1)]
    clues = sum(padded[i : i + SIZE, j : j + SIZE] for i, j in steps)
    shown = np.where(opened, np.char.mod("%d", clues), "?")
    rows = "".join("".join(row) + "\n" for row in shown)
    path = tmp_path_factory.mktemp("large") / "board.txt"
    path.write_text(f"{SIZE} {SIZE} {mines.sum()}\n{rows}")
    return path


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - NO_LIMIT))
def test_every_command_has_a_limit(command: str) -> None:
    assert "--timeout TIME" in call(command, "--help").out


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("odds", []),
        ("odds", ["--certify", "certified"]),
        ("explain", ["0,0"]),
        ("export", ["-o", "out.cnf"]),
        ("export", ["-o", "out.opb.gz"]),
        ("export", ["-o", "entries", "--competition"]),
        ("certify", ["-o", "certificate"]),
        ("game", ["new", "game.txt", "--size", "1500x1500/500000"]),
        ("render", ["--play", "200x100/4000", "--go-on", "-o", "a.gif"]),
    ],
)
def test_what_is_not_done_in_time_ends_and_leaves_nothing(
    child: Call, large: Path, tmp_path: Path, command: str, options: list[str]
) -> None:
    board = [] if command in ("game", "render") else [large]
    ended = child(command, *board, *options, "--timeout", 0.2, cwd=tmp_path)
    assert ended.code == 124
    assert "within 0.2 s" in ended.out + ended.err
    assert (ended.out + ended.err).count("\n") == 1
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_formula_that_is_not_read_in_time_is_unknown(child: Call, tmp_path: Path) -> None:
    path = tmp_path / "long.cnf"
    path.write_bytes(b"p cnf 9 2000000\n" + b"1 2 3 0\n" * 2_000_000)
    ended = child("sat", path, "--timeout", 0.01)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines()[-1] == "s UNKNOWN"


def test_a_large_board_is_decided_with_its_total_and_agrees_with_how_it_was_made(
    child: Call, large: Path
) -> None:
    ended = child("classify", "--json", large)
    assert (ended.code, ended.err) == (0, "")
    answer = ended.json
    draw = np.random.default_rng(1)
    mines = draw.random((SIZE, SIZE)) < 0.2
    grid = np.array([list(row) for row in answer["grid"]])
    assert answer["status"] == "consistent"
    assert not mines[grid == "S"].any()
    assert mines[grid == "M"].all()
    assert answer["counts"]["safe"] == (grid == "S").sum() > 50_000
    assert answer["stats"]["total_asked"]
