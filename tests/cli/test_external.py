"""Programs as solvers of ``classify`` and ``explain``: whatever they do, one line and a code."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands import call

BOARD = "?1?\n???\n"


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)

    def write(text: str) -> str:
        path = tmp_path / "fake"
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return "external:fake"

    return write


LIES = {
    "says that every question has no model": (
        "echo s UNSATISFIABLE; exit 20",
        "a solver says that the board has no layout, but it has one",
    ),
    "gives a wrong model": ("echo s SATISFIABLE; echo v -1 0; exit 10", "wrong model"),
    "crashes": ("kill -SEGV $$", "it ended with SIGSEGV, which is no answer"),
    "gives up": ("echo s UNKNOWN", "it gave up (UNKNOWN)"),
}


@pytest.mark.parametrize("limit", [[], ["--timeout", 60]], ids=["here", "in a worker"])
@pytest.mark.parametrize("how", LIES)
def test_a_program_that_fails_is_one_line(
    script: Callable[[str], str], how: str, limit: list[object]
) -> None:
    text, message = LIES[how]
    ended = call("classify", "--solver", script(text), *limit, "-", board=BOARD)
    assert (ended.code, ended.out) == (1, "")
    assert message in ended.err
    assert ended.err.count("\n") == 1


def test_a_program_that_hangs_ends_in_a_partial_answer(script: Callable[[str], str]) -> None:
    name = script("while :; do :; done")
    ended = call("classify", "--json", "--solver", name, "--timeout", 1.2, "-", board=BOARD)
    assert (ended.code, ended.err) == (124, "")
    assert ended.json["status"] == "undecided"
    assert ended.json["solver"] == name
    assert ended.json["grid"] == ["?1?", "???"]
