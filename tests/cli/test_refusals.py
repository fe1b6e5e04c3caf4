"""Refusals of all commands: a line, the exit code, and no file is written."""

import shlex
from pathlib import Path

import pytest

from tests.commands import EXAMPLES, call

FILE = Path(__file__).parents[1] / "data" / "refusals.txt"
REFUSALS = [line for line in FILE.read_text("utf-8").splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("refusal", REFUSALS)
def test_what_cannot_be_is_one_line_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusal: str
) -> None:
    asked, _, message = refusal.partition(" => ")
    command, _, typed = asked.partition(" << ")
    code, *words = (word.replace("\\0", "\0") for word in shlex.split(command))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(EXAMPLES)
    (tmp_path / "boards").symlink_to(FILE.parent / "notation")
    (tmp_path / "notes.txt").write_text("mine\n")
    ended = call(*words, board=typed.replace("\\n", "\n"))
    assert (ended.code, ended.out, ended.err.count("\n")) == (int(code), "", 1)
    assert message in ended.err
    assert {path.name for path in tmp_path.iterdir()} == {"boards", "examples", "notes.txt"}
    assert (tmp_path / "notes.txt").read_text() == "mine\n"
