"""Before a sweep runs it is known whether it can show a difference; all our examples can."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from satsweeper.cli.compare import EXAMPLE
from satsweeper.cli.main import main
from satsweeper.cli.report import EXAMPLE as REPORT
from satsweeper.compare.instances.files import load_instances
from satsweeper.compare.job.job import LiteralOrder, Task
from satsweeper.compare.statistics.contest import contests
from satsweeper.compare.statistics.paired import comparisons as compared_pairs
from satsweeper.compare.sweep.answerable import planned
from satsweeper.compare.sweep.plan import Axes
from satsweeper.compare.sweep.run import prepare

ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLES = [
    line.partition(" --sbatch")[0].strip()
    for text in (EXAMPLE, REPORT, *(page.read_text("utf-8") for page in PAGES))
    for line in re.findall(r"^ *(?:\$ )?satsweeper compare (random:.*)$", text, re.M)
    if "mine:" not in line
]


def plan(words: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert main(["compare", *words, "--dry-run", "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_every_example_can_show_a_difference(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(EXAMPLES) >= 4
    for line in EXAMPLES:
        for each in plan(shlex.split(line), capsys)["comparisons"]:
            assert each["comparisons"] * 2 / 2 ** each["instances"] < 0.05, line


def test_what_is_planned_is_what_is_compared(made_up) -> None:
    axes = Axes(
        (Task.CLASSIFY,), ("direct", "totalizer"), ("totalizer",), ("minisat22", "glucose4")
    )
    jobs = prepare(load_instances(["random:5x4/4:seeds=0-2"]), axes).jobs
    (found,) = planned(jobs, budget=False)
    results = [
        made_up(
            job.encoding, job.name, job.seed, solver=job.solver, encode=at + 1.0, solve=at * 3.0,
            conflicts=at, propagations=2 * at,
        )
        for at, job in enumerate(jobs)
    ]  # fmt: skip
    (contest,) = contests(results, None)
    compared = compared_pairs(contest)
    assert len(compared) == found.comparisons == 6 * 5
    assert (found.contenders, found.instances) == (4, 3)
    (budgeted,) = planned(jobs, budget=True)
    assert budgeted.comparisons == 6 * 6


def test_parts_of_a_task_are_corrected_together(tmp_path: Path) -> None:
    (tmp_path / "unknown.txt").write_text("1?\n")
    axes = Axes((Task.CLASSIFY,), ("direct",), ("totalizer", "adder"), ("minisat22", "glucose4"))
    instances = load_instances(["random:5x4/4:seeds=0-2", tmp_path])
    found = {each.part: each for each in planned(prepare(instances, axes).jobs, budget=False)}
    assert {part: each.comparisons for part, each in found.items()} == {
        "with a total": (6 + 1) * 5, "without a total": (6 + 1) * 5
    }  # fmt: skip
    assert found["without a total"].instances == 1


def test_one_contender_needs_no_instances() -> None:
    axes = Axes(
        (Task.CLASSIFY,), ("direct",), ("totalizer",), ("minisat22",), (LiteralOrder.GIVEN,)
    )
    (found,) = planned(prepare(load_instances(["random:5x4/4:seed=0"]), axes).jobs, budget=False)
    assert (found.comparisons, found.enough) == (0, True)


def test_a_sweep_that_cannot_answer_is_warned_of_before_it_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["compare", "random:5x4/4:seeds=0-9", "--seeds", "1"]
    few = "task classify: up to 30 comparisons of 4 contenders need 11 instances; 10 are there"
    assert main([*words, "--dry-run"]) == 0
    printed = capsys.readouterr()
    assert f"{few}: NOT ENOUGH to show any difference\n" in printed.out
    assert printed.err == ""
    assert main([*words, "-o", str(tmp_path / "sweep")]) == 0
    warning = f"satsweeper compare: warning: no difference can be shown: {few}\n"
    assert capsys.readouterr().err == warning
    assert main([*words, "--solvers", "minisat22", "-o", str(tmp_path / "two")]) == 0
    assert capsys.readouterr().err == ""
    # Afterwards the report says what was measured, and before the end what is planned.
    assert main(["report", str(tmp_path / "sweep")]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^not enough instances: \d\d comparisons need 1[01] instances", out, re.M)
    assert "no significant difference" not in out.partition("PAR-2: mean")[0].partition("conf")[0]
    file = tmp_path / "sweep" / "results.jsonl"
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:3]))
    assert main(["report", str(tmp_path / "sweep")]) == 0
    assert f"planned: {few}\n" in capsys.readouterr().out


def test_the_table_of_the_page_is_so() -> None:
    page = (ROOT / "docs" / "comparing.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", page, re.M)
    assert len(rows) >= 4
    for contenders, pairs, comparisons, instances in (map(int, row) for row in rows):
        assert pairs == contenders * (contenders - 1) // 2
        assert comparisons == pairs * 5
        enough = [n for n in range(1, 40) if comparisons * 2 / 2**n < 0.05]
        assert instances == enough[0]
