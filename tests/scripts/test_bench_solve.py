"""The benchmark of solving, run as a user runs it, with small numbers."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.solving.problems import KINDS, drawn

ROOT = Path(__file__).parents[2]


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    # A process of its own: the script forks.
    paths = [ROOT / "encodings", ROOT]
    return subprocess.run(
        [sys.executable, str(ROOT / "scripts/bench_solve.py"), *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths))},
        capture_output=True,
        text=True,
        timeout=200,
    )


def test_every_contender_finds_the_same_optimum_of_small_problems(tmp_path: Path) -> None:
    pytest.importorskip("ortools")
    (tmp_path / "one.opb").write_text("min: 3 x1 2 x2 ;\n1 x1 1 x2 >= 1 ;\n")
    (tmp_path / "none.opb").write_text("no problem\n")
    ended = run("--each", 1, "--size", 5, "--kinds", "knapsack,soft_sums:6", "--json", tmp_path)
    assert ended.returncode == 0
    assert ended.stderr.startswith("left out: ")
    rows = [json.loads(line) for line in ended.stdout.splitlines()]
    names = [row["problem"] for row in rows]
    assert names == ["one.opb", "knapsack_5_1.opb", "soft_sums_6_1.wbo"]
    assert rows[0]["optimum"] == "2"
    for row in rows:
        assert set(row["cpu"]) == {"auto", "core-guided", "linear", "RC2", "CP-SAT"}
        assert all(seconds is not None for seconds in row["cpu"].values())


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--contenders", "auto,rc3", "unknown contender 'rc3'"),
        ("--kinds", "knapsacks", "unknown kind 'knapsacks'"),
        ("--size", "4", "'4' is no size: 5 to 10000"),
    ],
)
def test_what_is_no_name_or_size_is_refused(option: str, value: str, message: str) -> None:
    ended = run(option, value)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert message in ended.stderr


@pytest.mark.parametrize("kind", KINDS)
def test_a_problem_is_drawn_by_its_seed(kind: str) -> None:
    assert drawn(kind, 5, 1) == drawn(kind, 5, 1)
    assert drawn(kind, 5, 1).problem != drawn(kind, 5, 2).problem
