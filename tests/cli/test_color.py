"""Colours: where they are wanted, and nowhere else."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from satsweeper.cli.main import COMMANDS, parser_of
from tests.commands import EXAMPLES, call

ESCAPE = "\x1b["
BOARD = "lp_5x5.txt"

COLOURED = {
    "classify": [BOARD],
    "explain": [BOARD, "0,3"],
    "odds": [BOARD],
    "audit": ["direct", "--n", "2"],
    "report": ["SWEEP"],
    "simulate": ["--boards", "3x3/1", "--games", "20", "--strategy", "random"],
}


@pytest.fixture(scope="module")
def sweep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sweeps") / "sweep"
    compared = call(
        "compare", EXAMPLES / "ilp_3x3.txt", "--seeds", 1, "--solvers", "minisat22", "-o", folder
    )
    assert compared.code == 0
    return folder


@pytest.fixture(params=list(COLOURED))
def arguments(request: pytest.FixtureRequest, sweep: Path) -> list[str]:
    name = request.param
    paths = {"SWEEP": str(sweep), BOARD: str(EXAMPLES / BOARD)}
    return [name, *(paths.get(word, word) for word in COLOURED[name])]


@pytest.fixture(autouse=True)
def nothing_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def timeless(text: str) -> str:
    return re.sub(r"\d+\.\d+ s\b", "T", text)


def test_colours_are_always_there_or_never_and_change_no_word(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    auto, always = call(*arguments), call(*arguments, "--color", "always")
    assert ESCAPE not in auto.out
    assert ESCAPE in always.out
    assert timeless(plain(always.out)) == timeless(auto.out)
    monkeypatch.setenv("NO_COLOR", "1")
    assert ESCAPE in call(*arguments, "--color", "always").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR")
    forced = call(*arguments)
    assert ESCAPE in forced.out
    # In a file nothing is cut off, coloured or not.
    assert timeless(plain(forced.out)) == timeless(auto.out)
    assert ESCAPE not in call(*arguments, "--color", "never").out


def test_a_width_of_0_is_none_that_is_known(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    known = timeless(call(*arguments).out)
    monkeypatch.setenv("COLUMNS", "0")
    assert timeless(call(*arguments).out) == known


def on_a_terminal(arguments: list[str], environment: dict[str, str]) -> str:
    reader, writer = pty.openpty()
    command = [sys.executable, "-m", "satsweeper", *arguments]
    subprocess.run(command, stdout=writer, env=environment, check=True)
    os.close(writer)
    text = b""
    try:
        while part := os.read(reader, 65536):
            text += part
    except OSError:
        pass
    os.close(reader)
    return text.decode()


@pytest.mark.parametrize(
    ("color", "variables", "coloured"),
    [
        ("auto", {}, True),
        ("auto", {"NO_COLOR": "1"}, False),
        ("never", {"FORCE_COLOR": "1"}, False),
        ("always", {"NO_COLOR": "1"}, True),
    ],
)
def test_a_terminal_gets_colours_unless_they_are_not_wanted(
    environment: dict[str, str], color: str, variables: dict[str, str], coloured: bool
) -> None:
    found = environment | {"TERM": "xterm-256color"} | variables
    text = on_a_terminal(["classify", str(EXAMPLES / BOARD), "--color", color], found)
    # Green, yellow: NO_COLOR forbids colours, not what is bold.
    assert bool(re.search(r"\x1b\[[0-9;]*3[23]m", text)) is coloured
    assert (ESCAPE in text) is (color != "never")


CALLS = {
    "engines": [],
    "certify": [BOARD, "-o", "FOLDER"],
    "check": ["FOLDER"],
    "export": [BOARD, "-o", "FILE"],
    "lint": [BOARD],
    "encode": ["knapsack.opb", "-o", "FILE"],
    "sat": [BOARD],
    "solve": ["knapsack.opb"],
    "decode": [BOARD, "--map", BOARD, BOARD],
    "convert": [BOARD, "--to", "json", "-o", "FILE"],
    "compare": [BOARD, "--dry-run"],
    "doctor": ["--json"],
    "completion": ["bash"],
    "advise": ["covered_4x4.txt"],
    "render": [BOARD, "-o", "FILE.svg"],
    "game": ["new", "FILE"],
    "generate": ["5x5/3"],
    "family": ["ones", "--size", "3", "-o", "FILE"],
    "families": [],
    "competition": ["--list"],
    "page": [],
}


def test_every_command_that_prints_colours_can_be_told_not_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr("satsweeper.solvers.probe.probe", lambda name, seconds: "not asked")
    # A game needs a terminal: its colours are tested where it is.
    assert {*COLOURED, *CALLS, "play"} == set(COMMANDS)
    for command, words in CALLS.items():
        named = [
            tmp_path / word if word in ("FILE", "FILE.svg", "FOLDER") else word for word in words
        ]
        given = [EXAMPLES / word if (EXAMPLES / str(word)).is_file() else word for word in named]
        ended = call(command, *given)
        assert ESCAPE not in ended.out + ended.err
    options = {command: parser_of([command])[1][command].format_help() for command in COMMANDS}
    can = {command for command, text in options.items() if "--color" in text}
    assert can == {*COLOURED, "play"}
