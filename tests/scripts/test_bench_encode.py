"""The benchmark of encoding, run as a user runs it, with small numbers."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pbcnf import ENCODERS
from scripts.bench.encode_contenders import COUNTING, WEIGHTED, measured, ours, size
from scripts.bench.encode_forms import (
    FORMS,
    Problem,
    large,
    single,
    weighted,
)
from scripts.bench.encode_measure import Task
from scripts.bench.encode_report import Row, Section, differences

ROOT = Path(__file__).parents[2]
FEW = "direct,totalizer,adder"


def run(*command: object, first: Path | None = None) -> subprocess.CompletedProcess[str]:
    # A process of its own: the script forks, which a test process with threads should not.
    paths = [first, ROOT / "encodings", ROOT, os.environ.get("PYTHONPATH")]
    return subprocess.run(
        [sys.executable, *map(str, command)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(str(p) for p in paths if p)},
        capture_output=True,
        text=True,
        timeout=200,
    )


def bench(*arguments: object, first: Path | None = None) -> subprocess.CompletedProcess[str]:
    return run(ROOT / "scripts" / "bench_encode.py", *arguments, first=first)


@pytest.mark.parametrize(
    "forms", ["memory", pytest.param("memory,lists,solver,file", marks=pytest.mark.slow)]
)
def test_a_quick_run_has_every_part_and_sizes_that_agree(tmp_path: Path, forms: str) -> None:
    options = ("--quick", "--encoders", FEW, "--forms", forms)
    done = bench(*options, "--json", tmp_path / "out.json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WRONG" not in done.stdout
    out = json.loads((tmp_path / "out.json").read_text())
    assert out["schema"] == "satsweeper/bench-encode/2"
    assert out["differences"] == []
    results = out["results"]
    assert {row["part"] for row in results} == {"clues", "large", "single", "weighted"}
    assert {row["form"] for row in results} == {*forms.split(",")}
    assert all(row["failure"] is None and len(row["spent_ns"]) == 1 for row in results)
    sides = {(row["side"], row["encoder"]) for row in results}
    assert {("PySAT", "totalizer"), ("Python", "combinations")} <= sides
    for row in results:
        if row["side"] == "pbcnf" and row["part"] in ("large", "single"):
            kind, bound, n = row["problem"].replace(" of ", " ").rsplit(" ", 2)
            lower = 0 if kind == "at most" else int(bound)
            said = ENCODERS[row["encoder"]].size(int(n), lower, int(bound)) * row["constraints"]
            assert (row["variables"], row["clauses"]) == (said.variables, said.clauses), row


def test_markdown_tables_are_whole_and_stand_between_the_markers(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("Before\n<!-- speed: by hand -->\nold\n<!-- end of speed -->\nafter\n")
    options = ("--quick", "--encoders", "direct", "--parts", "clues,single", "--forms", "memory")
    done = bench(*options, "--markdown", "--update", page)
    assert done.returncode == 0, done.stdout + done.stderr
    first, command, *lines, last, after = page.read_text().splitlines()
    assert (first, last, after) == ("Before", "<!-- end of speed -->", "after")
    assert command.startswith(
        "<!-- speed: python scripts/bench_encode.py --quick --encoders direct"
    )
    assert {*lines} <= {*done.stdout.splitlines()}
    tables = [line for line in done.stdout.splitlines() if line.startswith("|")]
    assert {line.count(" | ") for line in tables} == {4}
    assert any("| direct | Python combinations |" in line for line in tables)


def problems(name: str) -> list[Problem]:
    found = [single(4, 2, 6), single(5, 3, 1), single(5, 1, 2, "at most")]
    found += [large(7, "at most", 3), large(7, "at least", 2), weighted(9, 20, 2, seed=0)]
    return [problem for problem in found if measured(name, problem)]


@pytest.mark.parametrize("name", sorted({*COUNTING, *WEIGHTED}))
def test_contenders_of_ours_make_what_size_says_in_every_form(name: str) -> None:
    for problem in problems(name):
        said = size(name, problem)
        for form in FORMS:
            result = ours(name).prepare(problem, form)()
            assert (result.variables, result.clauses) == (said.variables, said.clauses)


def test_all_of_a_shape_at_once_make_what_one_by_one_makes() -> None:
    problem = single(5, 3, 4)
    one, other = (ours("totalizer", many).prepare(problem, "memory")() for many in (False, True))
    assert (one.variables, one.clauses) == (other.variables, other.clauses)


def tasks(spent: int, side: str, problem: Problem) -> dict[str, Task]:
    contender = replace(ours("direct"), side=side)
    task = Task(contender, "memory", problem, problem, spent=[spent], variables=0, clauses=8)
    return {"memory": task}


def test_a_wrong_count_is_a_difference() -> None:
    own = tasks(1, "pbcnf", single(3, 1, 2))
    section = Section("single", "", "ms", ["memory"], [Row(own, None)])
    assert list(differences([section])) == []
    own["memory"].clauses = 7
    (line,) = differences([section])
    assert "exactly 1 of 3, memory: 0 variables and 7 clauses, where size() says 0 and 8" in line
