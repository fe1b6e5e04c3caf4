"""The fixture that holds every command with --json to one object sees what is wrong."""

import os
import subprocess
import sys

import pytest

from tests.commands import EXAMPLES, call


@pytest.mark.parametrize(
    "printed", ["Running a solver\n{}\n", "{}\n{}\n", "{}", "[]\n", ""],
    ids=["a foreign line", "two objects", "no end of the line", "no object", "nothing"],
)  # fmt: skip
def test_what_is_not_one_object_does_not_pass(
    monkeypatch: pytest.MonkeyPatch, printed: str
) -> None:
    def run(arguments: object) -> int:
        print(end=printed)
        return 0

    monkeypatch.setattr("satsweeper.cli.classify.run", run)
    with pytest.raises((AssertionError, ValueError)):
        call("classify", "--json", EXAMPLES / "expert.txt")
    assert call("classify", EXAMPLES / "expert.txt").out == printed
    child = [sys.executable, "-c", f"print(end={printed!r})", "satsweeper", "--json"]
    with pytest.raises((AssertionError, ValueError)):
        subprocess.run(child, capture_output=True, check=True)
    assert subprocess.run(child[:-1], stdout=subprocess.PIPE, check=True).stdout.decode() == printed


def test_what_fails_may_print_nothing() -> None:
    assert call("classify", "--json", os.devnull).code == 1
    assert call("classify", "--json").code == 2
