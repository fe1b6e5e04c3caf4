"""Every block of code in the documents runs: consoles here, Python as doctests or from its file."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

from satsweeper.play.game import Game
from satsweeper.play.record import write_game

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    ROOT / "encodings/README.md",
    ROOT / "examples/README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
NOT_HERE = {
    "scripts/test": "is what runs this",
    "scripts/renew_constraints": "installs all that is newest and runs this",
    "scripts/page": "fetches what a browser needs: scripts/test --browser",
    "scripts/release": "installs for minutes: its tests in tests/scripts, and itself",
    "git ": "is about a checkout of one's own",
    "twine upload": "publishes",
    "satsweeper play": "needs a terminal: tests/show/play",
    "python scripts/table_win_rates.py": "writes into the checkout: its tests in tests/scripts",
}
"""What other tests run."""
SMALLER = {
    "--games 100000": "--games 20",
    "study_encodings.py -o DIR": "study_encodings.py -o DIR --quick",
    "--each 40 --size 12 --limit 20": "--each 1 --size 5 --limit 5",
    "large/facilities_100_1.opb --timeout 20": "large/facilities_100_1.opb --timeout 1",
    "vertex_cover:42,max_sat:80,soft_sums:45,set_cover:28,knapsack:22,facilities:24": (
        "vertex_cover:8,facilities:6"
    ),
}
"""What takes minutes or hours, and the same in seconds."""
LONG = (
    *("python scripts/bench_solve.py", "python scripts/study_encodings.py", "satsweeper simulate"),
    *("satsweeper compare random:30x16/99", "satsweeper report sweep --html"),
    "satsweeper solve large/",
)
"""What takes seconds even so: run with the slow tests, the rest of its document before it."""


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def blocks(document: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", document.read_text("utf-8"), re.M | re.S)


class Command(NamedTuple):
    line: str
    printed: str | None  # None where the console shows no output


def commands(document: Path) -> Iterator[Command]:
    for block in blocks(document, "console"):
        if not block.startswith("$ "):
            yield from (Command(line, None) for line in block.splitlines() if line)
            continue
        for shown in re.split(r"^\$ ", block, flags=re.M)[1:]:
            line, _, printed = shown.partition("\n")
            yield Command(line, printed)


def prepared(folder: Path, document: Path) -> None:
    """What the commands of a document find: the checkout, and what its text says to save."""
    for name in ("examples", "scripts"):
        (folder / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "docs", folder / "docs")
    game = Game("9x9/10", "safe", seed=1)
    game.open((4, 4))
    (folder / "game.jsonl").write_bytes(write_game(game))
    (folder / "FOLDER").mkdir()
    shutil.copy(ROOT / "examples/packing.opb", folder / "FOLDER")
    if document.name == "add_an_encoder.md":
        code = next(block for block in blocks(document, "python") if "def lonely" in block)
        lines = [line[4:] for line in code.splitlines() if line.startswith((">>> def", "... "))]
        text = "\n".join(["from itertools import combinations", *lines, ""])
        (folder / "mine.py").write_text(text, "utf-8")


def run(line: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    python = shlex.quote(sys.executable)
    for long, short in SMALLER.items():
        line = line.replace(long, short)
    line = re.sub(r"^scripts/run ", "satsweeper ", line)
    line = re.sub(r"(^|\| )satsweeper ", rf"\1{python} -m satsweeper ", line)
    line = re.sub(r"^python ", f"{python} ", line)
    paths = os.pathsep.join([str(ROOT / "encodings"), str(ROOT)])
    return subprocess.run(
        line,
        shell=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": paths, "NO_COLOR": "1", "COLUMNS": "80"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )


def check(document: Path, folder: Path, skipped: tuple[str, ...]) -> None:
    prepared(folder, document)
    for line, printed in commands(document):
        if line.startswith(skipped):
            continue
        ended = run(line, folder)
        # An answer of a solver is no error.
        assert ended.returncode in (0, 10, 20, 30), (line, ended.stderr)
        assert "Traceback" not in ended.stderr
        if printed is not None:
            assert ended.stderr == ""
            seconds = re.compile(r"\b[0-9]+\.[0-9]+ s$", re.M)
            assert seconds.sub("_ s", ended.stdout) == seconds.sub("_ s", printed)


CONSOLES = [path for path in DOCUMENTS if blocks(path, "console")]
LONG_ONES = [path for path in CONSOLES if any(c.line.startswith(LONG) for c in commands(path))]


@pytest.mark.parametrize("document", CONSOLES, ids=named)
def test_a_console_runs_and_shows_what_is_printed(document: Path, tmp_path: Path) -> None:
    check(document, tmp_path, (*NOT_HERE, *LONG))


@pytest.mark.slow
@pytest.mark.parametrize("document", LONG_ONES, ids=named)
def test_a_console_that_takes_long_runs(document: Path, tmp_path: Path) -> None:
    check(document, tmp_path, tuple(NOT_HERE))


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_python_is_a_doctest_or_a_file_that_runs(document: Path) -> None:
    files = {path.read_text("utf-8") for path in (ROOT / "examples/gallery").glob("*.py")}
    for block in blocks(document, "python"):
        assert block.startswith(">>> ") or block in files
    if any(">>> " in block for block in blocks(document, "python")):
        collected = [ROOT / name for name in ("docs", "encodings", "README.md", "CONTRIBUTING.md")]
        assert any(document.is_relative_to(place) for place in collected)


@pytest.mark.skipif(find_spec("cpmpy") is None, reason="cpmpy is not installed")
def test_the_solver_class_for_cpmpy_finds_a_solution(tmp_path: Path) -> None:
    code = "".join(blocks(ROOT / "docs/from_pysat.md", "text"))
    # A process of its own: cpmpy brings OR-Tools along, beside which HiGHS cannot be loaded.
    lines = (
        "import sys",
        "sys.modules['highspy'] = None",
        "import cpmpy",
        "x = cpmpy.boolvar(shape=4)",
        "model = cpmpy.Model(cpmpy.sum([3 * x[0], 2 * x[1], 4 * x[2]]) >= 5, cpmpy.sum(x) <= 2)",
        f"{code}print(*map(int, x.value()))",
    )
    (tmp_path / "solve.py").write_text("\n".join(lines), "utf-8")
    ended = run("python solve.py", tmp_path)
    first, second, third, fourth = map(int, ended.stdout.split())
    assert 3 * first + 2 * second + 4 * third >= 5
    assert first + second + third + fourth <= 2


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_a_block_says_what_it_is_and_text_is_no_command(document: Path) -> None:
    languages = re.findall(r"^```(\w*)$", document.read_text("utf-8"), re.M)[::2]
    assert set(languages) <= {"console", "python", "text"}
    assert not [block for block in blocks(document, "text") if block.startswith("$ ")]
