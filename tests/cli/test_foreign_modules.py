"""Files named as modules, in the current folder or on PYTHONPATH: no process of ours runs them."""

import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.commands import call

pytestmark = pytest.mark.skipif(os.name != "posix", reason="notes what runs by POSIX calls alone")

ROOT = Path(__file__).parents[2]
BOARD = "5 5 6\n001??\n001??\n011??\n12???\n1????\n"
OTHERS = ("cloudpickle", "joblib", "networkx", "numpy", "psutil", "pysat", "pysolvers", "rich")
OURS = ("pbcnf", "satsweeper", "sitecustomize", "usercustomize")
EARLY = {"encodings"}
"""The module that Python imports first of all: a file of that name could not note its import."""
FOREIGN = """\
import posix, sys
posix.close(posix.open({ran!r} + f"/{{posix.getpid()}} {{__name__}}", posix.O_CREAT))
# For a parent that has to go on, by Python's own order.
places = sys.path[:]
sys.path[:] = [place for place in places if place != {folder!r}]
del sys.modules[__name__]
try:
    __import__(__name__)
finally:
    sys.path[:] = places
"""
COMMAND = """\
import os, sys
def seen(event, arguments):
    if event == "subprocess.Popen":
        os.close(os.open({started!r}, os.O_CREAT))
sys.addaudithook(seen)
sys.path[:0] = {places!r}
from satsweeper.cli.start import main
sys.exit(main())
"""


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of inputs, and of files with the names of modules that note that they were run."""
    base = tmp_path_factory.mktemp("foreign")
    folder, ran = base / "folder", base / "ran"
    folder.mkdir()
    ran.mkdir()
    board = folder / "board.txt"
    board.write_text(BOARD)
    (folder / "problem.opb").write_text("max: 3 x1 5 x2 4 x3 ;\n2 x1 3 x2 2 x3 <= 5 ;\n")
    assert call("certify", board, "-o", folder / "certificate").code == 0
    # What this Python does not have is looked for everywhere, and found last of all.
    there = {name for name in (*sys.stdlib_module_names, *OTHERS) if find_spec(name)}
    for name in {*there, *OURS} - EARLY:
        content = FOREIGN.format(ran=str(ran), folder=str(folder))
        (folder / f"{name}.py").write_text(content)
    places = [str(ROOT / "encodings"), str(ROOT)]
    command = COMMAND.format(started=str(base / "started"), places=places)
    (base / "satsweeper").write_text(command)
    return folder


@pytest.fixture
def run(foreign: Path) -> Callable[..., set[str]]:
    """Run a command in the folder; returns what of that the processes that it starts have run."""

    def ended(words: str, code: int = 0, **environment: str) -> set[str]:
        base = foreign.parent
        for path in (base / "ran").iterdir():
            path.unlink()
        (base / "started").unlink(missing_ok=True)
        clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        child = subprocess.Popen(
            [sys.executable, base / "satsweeper", *words.split()],
            cwd=foreign,
            env=clean | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        said = child.communicate(timeout=200)[0].decode()
        ran = {path.name.partition(" ")[::2] for path in (base / "ran").iterdir()}
        assert environment or str(child.pid) not in dict(ran)
        found = {name for pid, name in ran if pid != str(child.pid)}
        assert found or (child.returncode, (base / "started").exists()) == (code, True), said
        return found

    return ended


SMALL = "--seeds 1 --solvers minisat22"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("classify board.txt --timeout 60", 0),
        ("engines --compare board.txt --engine sat,elimination", 0),
        ("certify board.txt -o one --timeout 60", 0),
        ("check certificate --jobs 2", 0),
        ("solve problem.opb --timeout 60", 30),
        (f"compare board.txt {SMALL} --jobs 2 --timeout 60 -o sweep", 0),
        ("simulate --boards 5x5/4 --games 20 --jobs 2", 0),
        ("competition --track counting --count 1 --hard 0 --weak-seconds 1 --jobs 2 -o entry", 0),
        ("doctor", 0),
    ],
)
def test_no_process_of_a_command_runs_a_file_of_the_current_folder(
    run: Callable[..., set[str]], words: str, code: int
) -> None:
    assert run(words, code) == set()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("solve problem.opb --timeout 60", 30),
        (f"compare board.txt {SMALL} --jobs 2 --timeout 60 -o another", 0),
    ],
)
def test_no_process_of_a_command_runs_a_file_on_the_path_of_the_caller_before_ours(
    run: Callable[..., set[str]], foreign: Path, words: str, code: int
) -> None:
    assert run(words, code, PYTHONPATH=str(foreign)) == set()
