"""Commands on a system that cannot fork, and has no signals, locks or limits of POSIX."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def elsewhere(data: Path, tmp_path: Path) -> Any:
    """Run a command on such a system; what it prints."""
    path = [data / "no_fork", ROOT / "encodings", ROOT]

    def run(*words: object, code: int = 0, **more: str) -> str:
        child = subprocess.run(
            [sys.executable, "-m", "satsweeper", *map(str, words)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path)), **more},
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert (child.returncode, "Traceback" in child.stderr) == (code, False), child.stderr
        return child.stdout

    return run


def test_nothing_forks_there(data: Path) -> None:
    code = "import os, sys; sys.exit(hasattr(os, 'fork'))"
    env = {**os.environ, "PYTHONPATH": str(data / "no_fork")}
    assert subprocess.run([sys.executable, "-c", code], env=env, check=False).returncode == 0


def test_nothing_forks_in_what_is_started_there(elsewhere: Any, tmp_path: Path) -> None:
    (tmp_path / "told.py").write_text(
        "import os\n"
        "def choose(view):\n"
        "    assert not hasattr(os, 'fork')\n"
        "    return min(view.covered)\n"
    )
    words = ["simulate", "--boards", "5x5/4", "--games", 20, "--jobs", 2, "--json"]
    told = json.loads(elsewhere(*words, "--strategy", "told:choose"))
    assert told["runs"][0]["games"] == 20


def test_a_sweep_in_two_processes_answers_and_keeps_its_limit(
    elsewhere: Any, examples: Path, tmp_path: Path
) -> None:
    elsewhere("family", "pigeonhole", "--size", 12, "-o", "hard.cnf")
    instances = (examples / "ilp_3x3.txt", "hard.cnf")
    solvers = ("--solvers", "minisat22", "--encodings", "direct", "--seeds", 1)
    elsewhere("compare", *instances, *solvers, "--jobs", 2, "--timeout", 0.5, "-o", "sweep")
    lines = (tmp_path / "sweep" / "results.jsonl").read_text().splitlines()
    assert sorted(json.loads(line)["status"] for line in lines) == ["sat", "timeout"]


def test_games_are_the_same_in_two_processes_there(
    elsewhere: Any, call: Any, tmp_path: Path
) -> None:
    words = ["simulate", "--boards", "5x5/4", "--games", 20, "--jobs", 2, "--json"]
    there = json.loads(elsewhere(*words))
    here = call(*words).json
    for run in (*here["runs"], *there["runs"]):
        del run["seconds"]
    assert here == there


def test_a_worker_is_ended_on_the_dot_there(elsewhere: Any, examples: Path) -> None:
    # This solver has no budget of conflicts, so it searches in a process that is ended.
    elsewhere("family", "pigeonhole", "--size", 12, "-o", "hard.cnf")
    told = elsewhere("sat", "--solver", "lingeling", "--timeout", 2, "hard.cnf")
    assert "s UNKNOWN" in told
