"""Python started anew: where it looks for modules, and that nothing of ours starts it otherwise."""

import ast
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import pbcnf
import satsweeper
from satsweeper.processes.interpreter import start

ROOT = Path(__file__).parents[2]
STARTER = "satsweeper/processes/interpreter.py"
MENTIONS = {STARTER, "encodings/pbcnf/wording.py"}
"""Who may name the interpreter: what starts it, and what says how to install something."""
FORKS = {"satsweeper/processes/forked.py", "scripts/kill_list.py"}
EXECUTABLE = "sys.executable"
ENDS_OF_PIPES = {"Pipe", "Connection", "wait"}
"""Names of ``multiprocessing`` that start no process."""
STARTS = ("exec", "fork", "popen", "posix_spawn", "spawn", "startfile", "system")
"""How functions of ``os`` begin that start one."""


def test_the_library_and_our_packages_come_before_the_path_of_the_caller(
    odd_jobs: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, here = tmp_path / "mine", tmp_path / "here"
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


def test_nothing_of_ours_starts_python_in_another_way() -> None:
    found = []
    for folder in ("satsweeper", "encodings", "scripts"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            found += faults_of(name, ast.parse(path.read_text("utf-8")))
    assert found == []


@pytest.mark.parametrize(
    "code",
    [
        "from multiprocessing import get_context",
        "from multiprocessing.pool import Pool",
        "import multiprocessing",
        "from concurrent.futures import ProcessPoolExecutor",
        "subprocess.run([sys.executable, '-m', 'satsweeper'])",
        "subprocess.run((sys.executable, '-c', code))",
        "os.posix_spawn(sys.executable, [sys.executable, '-m', 'satsweeper'], os.environ)",
        "os.execv(path, words)",
        "from os import system",
        "os.fork()",
        "parallel_config('loky')",
    ],
)
def test_every_other_way_is_seen(code: str) -> None:
    assert [*faults_of("satsweeper/some.py", ast.parse(code))] != []
