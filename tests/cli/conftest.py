"""Running the command as a child process that can be interrupted, and boards that are hard."""

import subprocess
import sys
from typing import Any

import pytest

from tests import commands
from tests.commands import Ended


@pytest.fixture(scope="session")
def environment():
    """The environment of ``start`` and ``child``, to be changed for a test."""
    return commands.environment()


@pytest.fixture
def start(environment, foreground):
    """Start ``python -m satsweeper ...``; what is left of it afterwards is ended."""
    children: list[subprocess.Popen[str]] = []

    def begin(*arguments, **options):
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
        command = [sys.executable, "-m", "satsweeper", *map(str, arguments)]
        child = foreground(command, env=environment, **options)
        children.append(child)
        return child

    yield begin
    for child in children:
        child.kill()
        child.communicate()


@pytest.fixture
def child(start):
    """Run a command to its end in a child process."""

    def run(*arguments: object, **options: Any) -> Ended:
        process = start(*arguments, **options)
        out, err = process.communicate(timeout=60)
        return Ended.of(process.returncode, out or "", err or "")

    return run


def lattice(points: int) -> list[str]:
    """A chessboard without two opposite corners, to be covered by dominoes: no layout.

    Lattice points are clues at odd coordinates, a covered cell lies between neighbouring points,
    every other cell is a flag; each clue asks for one mine besides the flags around it.
    """
    corners = {(1, 1), (2 * points - 1, 2 * points - 1)}
    odd = range(1, 2 * points, 2)
    clues = {(row, column) for row in odd for column in odd} - corners
    size = 2 * points + 1
    board = [["*"] * size for _ in range(size)]
    for row, column in clues:
        for down, right in ((1, 0), (0, 1)):
            if (row + 2 * down, column + 2 * right) in clues:
                board[row + down][column + right] = "#"
    around = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]
    for row, column in clues:
        board[row][column] = " "
    for row, column in clues:
        flags = sum(board[row + r][column + c] == "*" for r, c in around)
        board[row][column] = str(flags + 1)
    return ["".join(row) for row in board]


@pytest.fixture(scope="session")
def mutilated():
    return lattice


@pytest.fixture(scope="session")
def hard(tmp_path_factory):
    """A board of 33 x 33 cells that no solver by clauses decides in minutes."""
    path = tmp_path_factory.mktemp("boards") / "hard.txt"
    path.write_text("\n".join(lattice(16)) + "\n")
    return path
