"""How tests are run and grouped, what every command is held to, and fixtures for all tests."""

import gc
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tests.boards import Board, board_of, boards

# How long an example takes depends on what else the machine does.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")

# Hundreds of tests start Python: none of them compiles what another has compiled.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Programs that tests run are not modules with examples.
collect_ignore = ["data"]

_COMPILED = (
    *("/play/", "playing.md", "advise", "generate", "simulate", "strategy", "test_game.py"),
    *("prints_colours", "compiled_work"),
)
"""Parts of the names of tests that call for machine code."""

_ONE_ANSWER = ("scripts/test_studies.py", "compare/sweep/test_backends.py")
"""Files whose tests look at one answer that takes seconds."""


def _group_of(name: str) -> str:
    """Tests of one group run in one process; nearly every test is a group of its own.

    What is compiled takes a minute, an encoder's contract and a quick study take seconds, and each
    process would do it for itself.
    """
    if any(part in name for part in _COMPILED):
        return "compiled"
    file, _, rest = name.partition("::")
    if file.endswith("encoders/test_contract.py") and "[" in rest:
        return f"contract of {re.split(r'[][-]', rest)[1]}"
    return file if file.endswith(_ONE_ANSWER) else name


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Groups by name: xdist 3.8 writes those of its marks where pytest 9.2 no longer looks."""
    if config.getoption("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class ByGroup(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            return _group_of(nodeid)

    return ByGroup(config, log)


def pytest_collection_finish() -> None:
    """What thirteen thousand tests are made of stays: nobody looks for garbage in it."""
    gc.collect()
    gc.freeze()


ANSWERED = {0, 10, 20, 30}
"""The exit codes after which there is an answer; with others there may be."""


def require_one_object(words: list[str], code: int, out: str) -> None:
    """Hold a command with --json, which ended with ``code``, to one JSON object in ``out``."""
    if "--json" in words and "--help" not in words and (out or code in ANSWERED):
        # One for each board, a line each, as its help says.
        each = "generate" in words and "--count" in words
        for text in (each and out.splitlines(keepends=True)) or [out]:
            assert isinstance(json.loads(text), dict), out
            assert text.endswith("\n"), out


class Heard:
    """A stream, and what is written to it."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return int(self.stream.write(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@pytest.fixture(scope="session", autouse=True)
def one_object() -> Iterator[None]:
    """Holds every command that a test runs to one object with --json, in whatever process."""
    from satsweeper.cli import main

    run, communicate = main._run, subprocess.Popen.communicate

    def run_and_look(argv: list[str]) -> int:
        heard = Heard(sys.stdout)
        with redirect_stdout(heard):
            code = run(argv)
        require_one_object(argv, code, heard.text)
        return code

    def communicate_and_look(self: Any, *arguments: Any, **options: Any) -> Any:
        out, err = communicate(self, *arguments, **options)
        words = [str(word) for word in self.args] if isinstance(self.args, list) else []
        if out is not None and any(word.endswith("satsweeper") for word in words):
            text = out.decode() if isinstance(out, bytes) else out
            require_one_object(words, self.returncode, text)
        return out, err

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(main, "_run", run_and_look)
        patch.setattr(subprocess.Popen, "communicate", communicate_and_look)
        yield


@pytest.fixture(scope="session")
def small_boards() -> Callable[..., st.SearchStrategy[Board]]:
    return boards


@pytest.fixture(scope="session")
def make_board() -> Callable[..., Board]:
    """A Board from rows of text (``?`` covered, ``F`` flag, digits)."""
    return board_of


@pytest.fixture(scope="session")
def data() -> Path:
    return Path(__file__).parent / "data"


@pytest.fixture(scope="session")
def foreground() -> Callable[..., "subprocess.Popen[str]"]:
    """``subprocess.Popen`` of a child that Ctrl-C interrupts.

    A child inherits that the signal is ignored, as in whatever a shell runs in the background.
    """

    def begin(command: list[str], **options: Any) -> "subprocess.Popen[str]":
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            return subprocess.Popen(command, text=True, **options)
        finally:
            signal.signal(signal.SIGINT, before)

    return begin


class Record(NamedTuple):
    """One position of the sample: its id, its text, verdicts without and with the total."""

    name: str
    text: str
    unknown: str
    known: str


@pytest.fixture(scope="session")
def sample(data: Path) -> list[Record]:
    records = []
    for block in (data / "corpus" / "sample.txt").read_text().strip().split("\n\n"):
        lines = block.splitlines()
        notes = dict(line[2:].split(" ", 1) for line in lines if line.startswith("; "))
        found: dict[str, Any] = {key.split("=")[0]: value for key, value in notes.items()}
        name = next(line.split("id=")[1].split()[0] for line in lines if "id=" in line)
        text = "\n".join(line for line in lines if not line.startswith(";")) + "\n"
        records.append(Record(name, text, found["unknown"], found["known"]))
    return records
