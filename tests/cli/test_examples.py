"""The examples in every command's own help, run as they stand beside a copy of examples/."""

import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from satsweeper.cli.main import COMMANDS, module_of
from tests.commands import EXAMPLES, call

NEEDS = {"check": ["certify", "encode"]}
"""Commands whose examples read what those of others write."""
ON_A_TERMINAL = {"play"}
"""Commands that are nothing without one, unless they only print."""


def lines_of(command: str) -> list[list[str]]:
    """The command lines of a help's examples, as words; several of one line one by one."""
    shown = module_of(command).EXAMPLE.splitlines()
    words = [shlex.split(line.removeprefix("example:").strip()) for line in shown]
    return [part for line in words if line != ["examples:"] for part in split(line) if part]


def split(words: list[str]) -> Iterator[list[str]]:
    while "&&" in words:
        at = words.index("&&")
        yield words[:at]
        words = words[at + 1 :]
    yield words


def run(words: list[str]) -> int:
    """Run one line as a shell would: with its input and its output."""
    typed = b""
    if "<" in words:
        words, typed = words[: words.index("<")], Path(words[-1]).read_bytes()
    file = Path(words[-1]) if ">" in words else None
    words = words[: words.index(">")] if ">" in words else words
    ended = call(*words[1:], board=typed)
    if file is not None:
        file.write_bytes(ended.data)
    return ended.code


def test_examples_are_found_in_every_help() -> None:
    assert all(any(words[0] == "satsweeper" for words in lines_of(each)) for each in COMMANDS)
    assert all(any(words[1:2] == [each] for words in lines_of(each)) for each in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_examples_of_a_help_run(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    for words in [line for each in [*NEEDS.get(command, []), command] for line in lines_of(each)]:
        names = [word.removeprefix("external:") for word in words if word.startswith("external:")]
        if words[0] == "satsweeper" and all(shutil.which(name) for name in names):
            if words[1] == "page":  # A page that was built is served for ever.
                words = [*words, "--timeout", "0.1"]
                assert run(words) in (0, 1), words
                continue
            if words[1] in ON_A_TERMINAL and ">" not in words:
                assert run(words) == 1, words
                continue
            # 10, 20 and 30 are answers: satisfiable, unsatisfiable or inconsistent, optimal.
            assert run(words) in (0, 10, 20, 30), words
