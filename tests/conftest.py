"""Oracles that know nothing of the code: plain predicates over all layouts of a small board."""

import gc
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

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

_ONE_ANSWER = ("scripts/test_study_encodings.py", "compare/sweep/test_backends.py")
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


Cell = tuple[int, int]
Cells = NDArray[np.int8]

COVERED, FLAG = -1, -2


def neighbours(cell: Cell, shape: tuple[int, int]) -> list[Cell]:
    row, column = cell
    return [
        (r, c)
        for r in range(row - 1, row + 2)
        for c in range(column - 1, column + 2)
        if (r, c) != cell and 0 <= r < shape[0] and 0 <= c < shape[1]
    ]


class Board(NamedTuple):
    """A small position for brute force: cells as in ``Position``, and the total or None."""

    cells: Cells
    total: int | None

    def at(self, code: int) -> list[Cell]:
        return [(int(r), int(c)) for r, c in np.argwhere(self.cells == code)]

    def clues(self) -> list[Cell]:
        return [(int(r), int(c)) for r, c in np.argwhere(self.cells >= 0)]

    def layouts(
        self, clues: list[Cell] | None = None, flags: list[Cell] | None = None, total: bool = True
    ) -> Iterator[frozenset[Cell]]:
        """All sets of mines that meet some clues (all), hold some flags (all) and the total.

        A flag that is not held may be a mine or not.
        """
        clues = self.clues() if clues is None else clues
        flags = self.at(FLAG) if flags is None else flags
        hidden = [*self.at(COVERED), *self.at(FLAG)]
        near = {clue: set(neighbours(clue, self.cells.shape)) for clue in clues}
        for bits in product((False, True), repeat=len(hidden)):
            mines = frozenset(cell for cell, bit in zip(hidden, bits, strict=True) if bit)
            if (
                all(flag in mines for flag in flags)
                and (not total or self.total in (None, len(mines)))
                and all(len(near[clue] & mines) == self.cells[clue] for clue in clues)
            ):
                yield mines

    def verdicts(self) -> dict[Cell, str] | None:
        """Every covered cell's verdict by brute force; None if there is no layout."""
        layouts = list(self.layouts())
        if not layouts:
            return None
        always = frozenset.intersection(*layouts)
        ever = frozenset.union(*layouts)
        return {
            cell: "mine" if cell in always else "unknown" if cell in ever else "safe"
            for cell in self.at(COVERED)
        }


@st.composite
def boards(draw: st.DrawFn, most: int = 11, consistent: bool = False) -> Board:
    """Positions of games with up to ``most`` hidden cells, some of them spoilt."""
    rows, columns = draw(
        st.one_of(
            st.tuples(st.integers(1, 5), st.integers(1, 5)),
            st.tuples(st.just(1), st.integers(1, 14)),
            st.tuples(st.integers(1, 14), st.just(1)),
        )
    )
    kinds = st.sampled_from("mmmcccooooooF")
    cells = np.full((rows, columns), COVERED, np.int8)
    mines = set()
    hidden = 0
    for cell in np.ndindex(rows, columns):
        kind = draw(kinds)
        if hidden == most and kind != "o":
            kind = "o"
        hidden += kind != "o"
        if kind in "mF":
            mines.add(cell)
        cells[cell] = {"m": COVERED, "c": COVERED, "F": FLAG, "o": 0}[kind]
    for cell in np.ndindex(rows, columns):
        if cells[cell] == 0:
            cells[cell] = sum(near in mines for near in neighbours(cell, (rows, columns)))
    total = draw(st.sampled_from([None, len(mines), len(mines)]))
    if not consistent and draw(st.integers(0, 3)) == 0:
        cell = (draw(st.integers(0, rows - 1)), draw(st.integers(0, columns - 1)))
        if cells[cell] >= 0:
            cells[cell] = draw(st.integers(0, 8))
        if total is not None:
            total = min(max(total + draw(st.integers(-1, 1)), 0), rows * columns)
    return Board(cells, total)


@pytest.fixture(scope="session")
def small_boards() -> Callable[..., st.SearchStrategy[Board]]:
    return boards


@pytest.fixture(scope="session")
def make_board() -> Callable[..., Board]:
    """A Board from rows of text (``?`` covered, ``F`` flag, digits)."""

    def make(text: str, total: int | None = None) -> Board:
        code = {"?": COVERED, "F": FLAG}
        rows = [[code.get(ch, -9) if ch in "?F" else int(ch) for ch in r] for r in text.split()]
        return Board(np.array(rows, np.int8), total)

    return make


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
