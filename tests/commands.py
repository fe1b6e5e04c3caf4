"""Running commands and Python programs, in this process or as one of their own."""

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple, Self
from unittest.mock import patch

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"


class Ended(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str
    usage: str = ""
    """The line in which wrong usage says how the command is used; ``err`` is what follows."""

    @classmethod
    def of(cls, code: int, out: str, err: str) -> Self:
        """Without the line of the usage in ``err``."""
        first, _, rest = err.partition("\n")
        shown = code == 2 and first.startswith("usage: ") and rest
        return cls(code, out, rest, first) if shown else cls(code, out, err)

    @property
    def json(self) -> dict[str, Any]:
        """Standard output, which is one JSON object."""
        answer: dict[str, Any] = json.loads(self.out)
        return answer

    def lines(self, letter: str) -> list[str]:
        """The lines of a solver's answer that begin with ``letter``, without it."""
        return [line[2:] for line in self.out.splitlines() if line.startswith(f"{letter} ")]


def call(*arguments: object, board: str | bytes = "") -> Ended:
    """Run a command of satsweeper in this process; ``board`` is what standard input holds."""
    from satsweeper.cli.main import main

    out, err = io.StringIO(), io.StringIO()
    given = board if isinstance(board, bytes) else board.encode()
    typed = io.TextIOWrapper(io.BytesIO(given), "utf-8")
    with redirect_stdout(out), redirect_stderr(err), patch("sys.stdin", typed):
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as ended:
            code = int(ended.code or 0)
    return Ended.of(code, out.getvalue(), err.getvalue())


def environment(**more: str) -> dict[str, str]:
    """The environment of a process that finds the checkout, and buffers its output as usual."""
    paths = os.pathsep.join([str(ROOT / "encodings"), str(ROOT)])
    found = os.environ | {"PYTHONPATH": paths}
    found.pop("PYTHONUNBUFFERED", None)
    return found | more


def python(*words: object, **options: Any) -> "subprocess.CompletedProcess[str]":
    """Run Python with ``words`` (``-c`` and a program, or a file) in a process of its own.

    ``options`` are those of ``subprocess.run``, text, captured and unchecked unless they differ.
    """
    usual = {"text": True, "capture_output": True, "timeout": 200, "check": False}
    if "stdout" in options or "stderr" in options:
        del usual["capture_output"]
    return subprocess.run(
        [sys.executable, *map(str, words)], **{"env": environment(), **usual, **options}
    )
