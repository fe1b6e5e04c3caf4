"""The benchmark of solving, run as a user runs it, with small numbers."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pbcnf import read_problem
from scripts.solving.problems import drawn

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


def test_random_problems_are_written_as_they_are_drawn(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    ended = run("--each", 2, "--kinds", "set_cover:6,soft_sums:5", "--seed", 3, "--write", folder)
    names = ["set_cover_6_3.opb", "set_cover_6_4.opb", "soft_sums_5_3.wbo", "soft_sums_5_4.wbo"]
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.splitlines() == [str(folder / name) for name in names]
    assert read_problem(folder / names[1]) == drawn("set_cover", 6, 4).problem
    refused = run("--write", folder / names[0] / "below")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.startswith("bench_solve: ")
