"""Encoders and solvers by name, and combinations that cannot work: known before any job."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from pbcnf.audit import Property, audit_encoder
from pbcnf.constraints.order import LiteralOrder
from pbcnf.encoders.table import ENCODERS
from pbcnf.formula import Formula
from satsweeper.cli.compare import EXAMPLE
from satsweeper.cli.main import main
from satsweeper.cli.report import EXAMPLE as REPORT
from satsweeper.compare.instances.files import load_instances
from satsweeper.compare.instances.instance import Instance, InstanceKind
from satsweeper.compare.job.contestants import contestant
from satsweeper.compare.job.job import Job, Task
from satsweeper.compare.statistics.contest import contests
from satsweeper.compare.statistics.paired import comparisons as compared_pairs
from satsweeper.compare.sweep import choices
from satsweeper.compare.sweep.choices import check_choice, check_jobs, check_task, planned, uses
from satsweeper.compare.sweep.plan import Axes
from satsweeper.compare.sweep.run import prepare
from satsweeper.position import Position
from satsweeper.solvers.table import SOLVERS

BOARD = Instance.of_board(Position.parse("1 4 2\n?2??"), "board")
UNKNOWN = Instance.of_board(Position.parse("?2?"), "unknown")
RING = Instance.of_board(Position.parse("3 3 ?\n???\n?3?\n???\n"), "ring")
CNF = Instance.of_text(InstanceKind.CNF, b"p cnf 1 1\n1 0\n", "cnf")
PROBLEM = Instance.of_text(InstanceKind.PROBLEM, b"p knf 4 1\nk 2 1 2 3 4 0\n", "problem")


def a_job(
    task=Task.CLASSIFY, encoding="direct", total="", solver="minisat22", instance=RING
) -> Job:
    return Job(instance.digest, instance.name, task, encoding, total, solver, LiteralOrder.GIVEN, 0)


def test_names_find_encoders_and_native_finds_none() -> None:
    import odd_encoders

    assert {name: contestant(name) for name in ENCODERS} == ENCODERS
    assert contestant("native") is None
    assert contestant("odd_encoders:direct") is odd_encoders.direct
    assert isinstance(contestant("odd_encoders:Strict"), odd_encoders.Strict)
    mine = ENCODERS["totalizer"]
    assert contestant("mine", {"mine": mine}) is mine
    assert contestant("direct", {"direct": mine}) is mine


@pytest.mark.parametrize("name", ["pysat:seqcounter", "pysat:kmtotalizer", "odd_encoders:binomial"])
def test_functions_are_right_as_encoders_with_ranges_too(name: str) -> None:
    encoder = contestant(name)
    contract = audit_encoder(encoder, 4)
    for row in contract.rows():
        assert not row.refused
        assert row.failing(Property.CORRECT) == []
        assert row.failing(Property.EXACT_SIZE) == []


def test_a_functions_auxiliary_variables_are_new_ones() -> None:
    formula = Formula(20)
    encoder = contestant("pysat:seqcounter")
    assert encoder is not None
    encoder.encode([4, -9, 17, 2], 2, 2, formula)
    used = {abs(lit) for clause in formula.clauses() for lit in clause}
    assert used & set(range(1, 21)) == {4, 9, 17, 2}
    assert formula.num_vars > 20


@pytest.mark.parametrize(
    ("field", "name", "message"),
    [
        (
            "encoding",
            "totaliser",
            "encoder 'totaliser'; did you mean 'totalizer'? (known: direct, ",
        ),
        ("encoding", "totaliser", "native, LIBRARY:NAME for those of pysat, "),
        ("encoding", "pysat:totaliser", "(known: pysat:pairwise, pysat:seqcounter"),
        ("encoding", "nowhere_at_all:x", "No module named 'nowhere_at_all'"),
        ("encoding", "odd_encoders:missing", "no attribute 'missing'"),
        ("encoding", "odd_encoders:nothing", "is no encoder"),
        ("encoding", "odd_encoders:", "unknown encoder 'odd_encoders:'"),
        ("encoding", ":x", "unknown encoder ':x'"),
        ("encoding", "native", "these have: gluecard3, gluecard4, minicard"),
        ("total", "native", "no native cardinality constraints"),
        ("solver", "minisat", "unknown solver 'minisat'; did you mean 'minisat22'?"),
        ("solver", "auto", "solver 'auto' is two: name one to compare (known: cadical103,"),
        ("solver", "kissat404", "it ignores assumptions"),
        ("solver", "maplechrono", "its search differs from run to run"),
        ("solver", "external:no_such", "no program 'no_such' on PATH"),
        ("solver", "external:sh", "it can do consistent, total and solve, not classify"),
    ],
)
def test_what_is_unknown_or_cannot_work_is_one_line_with_what_exists(field, name, message) -> None:
    with pytest.raises(ValueError, match=r"\S") as caught:
        check_choice(a_job(**{field: name}))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_can_work_is_allowed() -> None:
    for name in ENCODERS:
        check_choice(a_job(encoding=name, total="totalizer"))
    for solver in SOLVERS.keys() - choices.UNREPEATABLE:
        choices.check_solver(solver)
    check_choice(a_job(encoding="native", total="native", solver="minicard"))
    check_choice(a_job(Task.CONSISTENT, solver="external:sh"))
    assert [check_task(task.value) for task in Task] == list(Task)
    with pytest.raises(ValueError, match=r"did you mean 'classify'\? \(known: classify, "):
        check_task("clasify")


def test_bounds_that_an_encoder_cannot_express_are_found_in_the_instance() -> None:
    check_jobs([a_job(encoding="pairwise", instance=UNKNOWN)], [UNKNOWN])
    with pytest.raises(ValueError, match=r"^ring: encoder 'pairwise' cannot express 3 <= sum of 8"):
        check_jobs([a_job(), a_job(encoding="pairwise")], [RING, UNKNOWN])
    with pytest.raises(ValueError, match=r"^problem: encoder 'product' cannot express 2 <= sum"):
        check_jobs([a_job(Task.SOLVE, "product", instance=PROBLEM)], [PROBLEM])
    large = Instance.of_board(Position.parse("1 40 20\n" + "?" * 40), "large")
    with pytest.raises(ValueError, match=r"^large: encoder 'direct' needs [0-9,]+ clauses for 20"):
        check_jobs([a_job(Task.TOTAL, "", "direct", instance=large)], [large])
    with pytest.raises(ValueError, match="cnf is a cnf: there is no classify, only solve"):
        check_jobs([a_job(instance=CNF)], [CNF])


def test_uses_are_what_a_task_needs() -> None:
    assert list(Task) == [Task.CLASSIFY, Task.CONSISTENT, Task.TOTAL, Task.SOLVE]
    clues, both, total = (True, False), (True, True), (False, True)
    for instance, expected in (
        (BOARD, [both, both, total, None]), (UNKNOWN, [clues, clues, None, None]),
        (CNF, [None, None, None, (False, False)]), (PROBLEM, [None, None, None, clues]),
    ):  # fmt: skip
        assert [uses(instance, task) for task in Task] == expected


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
    assert len(compared_pairs(contest)) == found.comparisons == 6 * 5
    assert (found.contenders, found.instances) == (4, 3)
    (budgeted,) = planned(jobs, budget=True)
    assert budgeted.comparisons == 6 * 6


def test_parts_of_a_task_are_corrected_together_and_one_contender_needs_nothing(tmp_path) -> None:
    (tmp_path / "unknown.txt").write_text("1?\n")
    axes = Axes((Task.CLASSIFY,), ("direct",), ("totalizer", "adder"), ("minisat22", "glucose4"))
    instances = load_instances(["random:5x4/4:seeds=0-2", tmp_path])
    found = {each.part: each for each in planned(prepare(instances, axes).jobs, budget=False)}
    assert {part: each.comparisons for part, each in found.items()} == {
        "with a total": (6 + 1) * 5, "without a total": (6 + 1) * 5
    }  # fmt: skip
    assert found["without a total"].instances == 1
    # One contender needs no instances.
    alone = Axes((Task.CLASSIFY,), ("direct",), ("totalizer",), ("minisat22",))
    (single,) = planned(prepare(instances[:1], alone).jobs, budget=False)
    assert (single.comparisons, single.enough) == (0, True)


def test_a_sweep_that_cannot_answer_is_warned_of_before_it_runs(tmp_path, capsys) -> None:
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
