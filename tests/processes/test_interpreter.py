"""Python started anew: where it looks for modules, and that nothing of ours starts it otherwise."""

import ast
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

import pbcnf
import satsweeper
from satsweeper.processes.interpreter import start
from tests.commands import call

ROOT = Path(__file__).parents[2]
STARTER = "satsweeper/processes/interpreter.py"
MENTIONS = {STARTER, "encodings/pbcnf/wording.py"}
"""Who may name the interpreter: what starts it, and what says how to install something."""
FORKS = {"satsweeper/processes/forked.py", "satsweeper/processes/worker.py", "scripts/kill_list.py"}
EXECUTABLE = "sys.executable"
ENDS_OF_PIPES = {"Pipe", "Connection", "wait"}
"""Names of ``multiprocessing`` that start no process."""
STARTS = ("exec", "fork", "popen", "posix_spawn", "spawn", "startfile", "system")
"""How functions of ``os`` begin that start one."""


def test_the_library_and_our_packages_come_before_the_path_of_the_caller(
    odd_jobs, tmp_path, monkeypatch
):
    mine, here = (tmp_path / name for name in ("mine", "here"))
    mine.mkdir()
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("PYTHONPATH", str(mine))
    monkeypatch.setattr(sys, "path", ["", str(mine), *sys.path])
    process, pipe = start(odd_jobs.telling_its_path, 7, environment={"ODD": "yes"})
    path, arguments, environment = pipe.recv()
    assert process.wait() == 0
    assert arguments == (7,)
    assert environment == {"ODD": "yes", "PYTHONPATH": str(mine)}
    library = path.index(os.path.dirname(os.__file__))
    ours = [path.index(str(Path(m.__file__).parents[1])) for m in (satsweeper, pbcnf)]
    callers = [path.index(str(mine)), path.index(str(here))]
    assert library < min(ours) <= max(ours) < min(callers)
    assert "" not in path


def test_an_interrupt_while_python_starts_is_left_to_the_caller(odd_jobs):
    process, pipe = start(odd_jobs.telling_its_path, stderr=subprocess.PIPE)
    # From its first instruction on: a new Python takes far longer to start than this.
    process.send_signal(signal.SIGINT)
    assert pipe.recv()[1] == ()
    assert (process.communicate()[1], process.returncode) == (b"", 0)
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def faults_of(name: str, tree: ast.AST) -> Iterator[str]:
    """Calls in the module ``name``, parsed as ``tree``, that start a process by other functions."""
    allowed: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            whole, names = str(node.module), {alias.name for alias in node.names}
            if whole.partition(".")[0] == "multiprocessing" and names - ENDS_OF_PIPES:
                yield f"{name}:{node.lineno}: {names} of {whole}"
            if "ProcessPoolExecutor" in names or (whole == "os" and any(map(begins, names))):
                yield f"{name}:{node.lineno}: {names} of {whole}"
        elif isinstance(node, ast.Import):
            if any(alias.name.partition(".")[0] == "multiprocessing" for alias in node.names):
                yield f"{name}:{node.lineno}: all of multiprocessing"
        elif isinstance(node, ast.List) and node.elts and ast.unparse(node.elts[0]) == EXECUTABLE:
            # Without the current folder on the path: -I, or -P first of all.
            second = ast.unparse(node.elts[1]) if len(node.elts) > 1 else ""
            if second.startswith(("'-P", "'-I")):
                allowed.add(node.elts[0])
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "os.posix_spawn":
            # The command is the list.
            allowed |= {node.func, node.args[0]}
        elif isinstance(node, ast.Call) and ast.unparse(node).startswith("parallel_config("):
            if node.args and ast.unparse(node.args[0]) in ("'threading'", "'dask'"):
                continue
            yield f"{name}:{node.lineno}: processes of joblib"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node not in allowed:
            text = ast.unparse(node)
            started = isinstance(node.value, ast.Name) and node.value.id == "os"
            if text == EXECUTABLE and name not in MENTIONS:
                yield f"{name}:{node.lineno}: {text}"
            if started and begins(node.attr) and name not in FORKS:
                yield f"{name}:{node.lineno}: {text}"


def begins(name: str) -> bool:
    return name.startswith(STARTS)


def test_nothing_of_ours_starts_python_in_another_way():
    folders = ("satsweeper", "encodings", "scripts")
    modules = {p.relative_to(ROOT).as_posix(): p for f in folders for p in (ROOT / f).rglob("*.py")}
    trees = {name: ast.parse(path.read_text("utf-8")) for name, path in modules.items()}
    assert [fault for name in trees for fault in faults_of(name, trees[name])] == []


@pytest.mark.parametrize(
    "code",
    ["from multiprocessing import get_context", "from multiprocessing.pool import Pool",
     "import multiprocessing", "from concurrent.futures import ProcessPoolExecutor",
     "subprocess.run([sys.executable, '-m', 'satsweeper'])",
     "subprocess.run((sys.executable, '-c', code))",
     "os.posix_spawn(sys.executable, [sys.executable, '-m', 'satsweeper'], os.environ)",
     "os.execv(path, words)", "from os import system", "os.fork()", "parallel_config('loky')"],
)  # fmt: skip
def test_every_other_way_is_seen(code):
    assert [*faults_of("satsweeper/some.py", ast.parse(code))] != []


# Files named as modules, in the current folder or on PYTHONPATH: no process of ours runs them


pytestmark = pytest.mark.skipif(os.name != "posix", reason="notes what runs by POSIX calls alone")

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
    if event in ("subprocess.Popen", "os.fork"):
        os.close(os.open({started!r}, os.O_CREAT))
sys.addaudithook(seen)
sys.path[:0] = {places!r}
from satsweeper.cli.start import main
sys.exit(main())
"""


@pytest.fixture(scope="module")
def foreign(tmp_path_factory):
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
def run(foreign):
    """Run a command in the folder; returns what of that the processes that it starts have run."""

    def ended(words: str, code: int = 0, **environment: str) -> set[str]:
        base = foreign.parent
        for path in (base / "ran").iterdir():
            path.unlink()
        (base / "started").unlink(missing_ok=True)
        clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        child = subprocess.Popen(
            [sys.executable, base / "satsweeper", *words.split()], cwd=foreign,
            env=clean | environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )  # fmt: skip
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
    [("classify board.txt --timeout 60", 0),
     ("engines --compare board.txt --engine sat,elimination", 0),
     ("certify board.txt -o one --timeout 60", 0), ("check certificate --jobs 2", 0),
     ("solve problem.opb --timeout 60", 30),
     (f"compare board.txt {SMALL} --jobs 2 --timeout 60 -o sweep", 0),
     ("simulate --boards 5x5/4 --games 20 --jobs 2", 0),
     ("competition --track counting --count 1 --hard 0 --weak-seconds 1 --jobs 2 -o entry", 0),
     ("doctor", 0)],
)  # fmt: skip
def test_no_process_of_a_command_runs_a_file_of_the_current_folder(run, words, code):
    assert run(words, code) == set()


@pytest.mark.parametrize(
    ("words", "code"),
    [("solve problem.opb --timeout 60", 30),
     (f"compare board.txt {SMALL} --jobs 2 --timeout 60 -o another", 0)],
)  # fmt: skip
def test_no_process_of_a_command_runs_a_file_on_the_path_of_the_caller_before_ours(
    run, foreign, words, code
):
    assert run(words, code, PYTHONPATH=str(foreign)) == set()
