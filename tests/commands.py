"""Running commands and Python programs, in this process or as one of their own."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final, NamedTuple, Self
from unittest.mock import patch

import pytest
from pysat.solvers import Solver

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"


class Ended(NamedTuple):
    """Exit code, standard output and standard error of a command that has ended."""

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
    def data(self) -> bytes:
        """Standard output as it was written."""
        return self.out.encode(errors="surrogateescape")

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

    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True), io.StringIO()
    given = board if isinstance(board, bytes) else board.encode()
    typed = io.TextIOWrapper(io.BytesIO(given), "utf-8")
    with redirect_stdout(out), redirect_stderr(err), patch("sys.stdin", typed):
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as ended:
            code = int(ended.code or 0)
    printed = out.buffer.getvalue().decode(errors="surrogateescape")
    return Ended.of(code, printed, err.getvalue())


def done(*arguments: object, board: str | bytes = "") -> Ended:
    """Run a command, as `call` does, that ends with exit code 0 and without a word of complaint."""
    ended = call(*arguments, board=board)
    assert (ended.code, ended.err) == (0, "")
    return ended


def refused(code: int, *arguments: object, board: str | bytes = "") -> Ended:
    """Run a command, as `call` does, that ends with this ``code`` and one line of complaint."""
    ended = call(*arguments, board=board)
    assert (ended.code, ended.out, ended.err.count("\n")) == (code, "", 1)
    return ended


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


def need_highs() -> None:
    """Skip a test where HiGHS cannot be used."""
    if find_spec("highspy") is None or "ortools" in sys.modules:
        pytest.skip("HiGHS is not installed, or cannot be loaded beside OR-Tools")


def solved(formula: Path, *assumed: int) -> list[int]:
    """A model of a CNF file, under these literals."""
    lines = [line for line in formula.read_text().splitlines() if line[0] not in "cp"]
    clauses = [[int(word) for word in line.split()[:-1]] for line in lines]
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        assert solver.solve(assumed)
        found: list[int] = solver.get_model()
    return found


def answer(model: list[int]) -> str:
    """A model as a solver prints it."""
    return f"s SATISFIABLE\nv {' '.join(map(str, model))} 0\n"


PATIENCE: Final = 180.0
"""Seconds to wait for what should happen soon."""


def until(happened: Callable[[], Any], what: str) -> None:
    """Look again and again, at short intervals, until ``happened`` is true."""
    deadline = monotonic() + PATIENCE
    while not happened():
        assert monotonic() < deadline, f"not within {PATIENCE:g} s: {what}"
        sleep(0.002)


def ended_quietly(process: "subprocess.Popen[str]") -> None:
    """Require the end of an interrupted process; on a slow machine progress was told before."""
    out, err = process.communicate(timeout=PATIENCE)
    *progress, last = err.splitlines()
    assert (process.returncode, out, last) == (130, "", "interrupted")
    assert all("% after 0:" in line for line in progress)


def stat(pid: int) -> list[str] | None:
    """The fields of /proc/PID/stat behind the name; None when there is no such process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None


def alive(pid: int) -> bool:
    """Whether a process runs, or waits; not whether somebody has yet to hear of its end."""
    fields = stat(pid)
    return fields is not None and fields[0] not in "ZX"


def living(field: int, number: int) -> list[int]:
    """The living processes with a ``number`` in a ``field`` of `stat`: 1 parent, 3 session."""
    pids = (int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit())
    return [p for p in pids if alive(p) and (f := stat(p)) and int(f[field]) == number]


def jobs_written(folder: Path) -> int:
    """The number of results that a sweep or a simulation has written."""
    file = folder / "results.jsonl"
    return file.read_bytes().count(b"\n") if file.exists() else 0
