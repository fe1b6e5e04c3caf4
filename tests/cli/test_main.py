"""The command as a whole: help, wrong usage, exit codes, and output that nobody reads."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from satsweeper import __version__
from satsweeper.cli.main import COMMANDS
from tests.commands import EXAMPLES, call

Call = Callable[..., Any]
EXIT_CODES = ["0 done", "20 the board is inconsistent", "124 a limit", "130 interrupted"]
CODES_OF_SOLVERS = {
    "sat": ["10 SATISFIABLE", "20 UNSATISFIABLE", "0 UNKNOWN", "130 interrupted"],
    "solve": ["30 OPTIMUM FOUND", "10 SATISFIABLE", "20 UNSATISFIABLE", "130 interrupted"],
}
"""The commands that end as solvers do in the competitions."""


def test_without_a_command_the_commands_are_named_and_the_exit_code_is_2() -> None:
    ended = call()
    assert (ended.code, ended.out) == (2, "")
    assert ended.usage == "usage: satsweeper [options] COMMAND ..."
    assert ended.err == (
        f"satsweeper: a command is needed: {', '.join(COMMANDS)}; "
        "satsweeper --help says what each does\n"
    )


def test_help_names_every_command_and_every_exit_code() -> None:
    ended = call("--help")
    assert (ended.code, ended.err) == (0, "")
    assert all(f"  {name}" in ended.out for name in COMMANDS)
    assert all(code in " ".join(ended.out.split()) for code in EXIT_CODES)
    assert "example: satsweeper" in ended.out


NO_FILES = {
    "audit",
    "compare",
    "competition",
    "completion",
    "doctor",
    "families",
    "family",
    "game",
    "generate",
    "page",
    "play",
    "report",
    "simulate",
}
"""Commands whose examples read no file that is there already."""


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_has_a_summary_an_example_and_the_exit_codes(command: str) -> None:
    ended = call(command, "--help")
    assert (ended.code, ended.err) == (0, "")
    codes = CODES_OF_SOLVERS.get(command, EXIT_CODES)
    assert all(code in " ".join(ended.out.split()) for code in codes)
    assert (EXIT_CODES[0] in ended.out) is (codes is EXIT_CODES)
    shown = [word for word in ended.out.split() if word.startswith("examples/")]
    assert f"  satsweeper {command} " in ended.out or f": satsweeper {command} " in ended.out
    assert shown or command in NO_FILES
    assert all((EXAMPLES.parent / board).is_file() for board in shown)


def test_the_version_is_that_of_the_package() -> None:
    assert call("--version").out == f"satsweeper {__version__}\n"


def test_the_module_is_the_command(child: Call) -> None:
    ended = child("classify", "--json", EXAMPLES / "contradiction.txt")
    assert (ended.code, ended.err) == (20, "")
    assert ended.json["status"] == "inconsistent"
    assert child().code == 2


CALLS = {
    "help of a command": ["classify", "--help"],
    "an object": ["classify", "--json", "BOARD"],
    "a limited search": ["classify", "--json", "--timeout", "50", "BOARD"],
    "an explanation": ["explain", "BOARD", "2,2"],
}


@pytest.fixture(params=list(CALLS.values()), ids=list(CALLS))
def arguments(request: pytest.FixtureRequest) -> list[str]:
    board = str(EXAMPLES / "wikipedia_corner.txt")
    return [board if word == "BOARD" else word for word in request.param]


def into_a_closed_pipe(child: Call, arguments: list[str]) -> Any:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        return child(*arguments, stdout=writer)
    finally:
        os.close(writer)


def test_a_reader_that_has_gone_is_no_error(child: Call, arguments: list[str]) -> None:
    ended = into_a_closed_pipe(child, arguments)
    assert (ended.code, ended.err) == (0, "")


@pytest.mark.parametrize("json", [[], ["--json"]], ids=["text", "json"])
def test_a_reader_that_has_gone_is_no_error_without_buffers(
    child: Call, json: list[str], environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(environment, "PYTHONUNBUFFERED", "1")
    ended = into_a_closed_pipe(child, ["classify", *json, str(EXAMPLES / "expert.txt")])
    assert (ended.code, ended.err) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_one_line_and_exit_code_1(child: Call, arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:
        ended = child(*arguments, stdout=full)
    assert ended.code == 1
    assert len(ended.err.splitlines()) == 1
    assert "No space left" in ended.err


@pytest.mark.parametrize("options", [[], ["--json"], ["--timeout", "50"]], ids=" ".join)
def test_a_closed_error_stream_is_no_error(child: Call, options: list[str]) -> None:
    board = EXAMPLES / "wikipedia_corner.txt"
    ended = child("classify", *options, board, stderr=None, preexec_fn=lambda: os.close(2))
    assert (ended.code, ended.err) == (0, "")
    assert ended.out


def test_a_fault_without_an_error_stream_keeps_its_exit_code(child: Call) -> None:
    ended = child("classify", "/no/board", stderr=None, preexec_fn=lambda: os.close(2))
    assert (ended.code, ended.out) == (1, "")


def test_a_closed_standard_input_is_one_line(child: Call) -> None:
    ended = child("classify", "-", preexec_fn=lambda: os.close(0))
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == "<stdin>: standard input is closed\n"


def test_a_board_comes_through_a_pipe(start: Call) -> None:
    process = start("classify", "--json", "-", stdin=subprocess.PIPE)
    out, err = process.communicate("1?\n", timeout=60)
    assert (process.returncode, err) == (0, "")
    assert '"grid": ["1M"]' in out
