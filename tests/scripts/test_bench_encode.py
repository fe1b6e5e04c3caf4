"""The benchmark of encoding, run as a user runs it, with small numbers."""

import json
from dataclasses import replace

import numpy as np
import pytest

from pbcnf import ENCODERS
from scripts.bench import encode_forms as encoding
from scripts.bench.encode_contenders import ours
from scripts.bench_encode import Row, Section, differences, lost

FEW = "direct,totalizer,adder"


def rows_of(problem: encoding.Problem) -> list[tuple[tuple[int, ...], int]]:
    return sorted((tuple(lits), bound) for lits, _, _, bound in problem.constraints())


@pytest.mark.parametrize(
    "forms", ["memory", pytest.param("memory,lists,solver,file", marks=pytest.mark.slow)]
)
def test_a_quick_run_has_every_part_and_sizes_that_agree(run_script, tmp_path, forms):
    options = ("--quick", "--encoders", FEW, "--forms", forms)
    done = run_script("bench_encode", *options, "--json", tmp_path / "out.json")
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


def test_markdown_tables_are_whole_and_stand_between_the_markers(run_script, tmp_path):
    page = tmp_path / "page.md"
    page.write_text("Before\n<!-- speed: by hand -->\nold\n<!-- end of speed -->\nafter\n")
    options = ("--quick", "--encoders", "direct", "--parts", "clues,single", "--forms", "memory")
    done = run_script("bench_encode", *options, "--markdown", "--update", page)
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


def test_without_pindakaas_the_rest_is_measured(run_script, tmp_path):
    (tmp_path / "pindakaas.py").write_text("raise ImportError('not here')")
    options = ("--quick", "--encoders", "totalizer", "--parts", "single", "--forms", "memory")
    done = run_script("bench_encode", *options, first=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "skipped: pindakaas: pindakaas is not installed (not here)" in done.stdout
    assert "PySAT totalizer" in done.stdout
    assert "pindakaas TOTALIZER" not in done.stdout


LIMITED = """
from satsweeper.processes.limits import Limits
from scripts.bench.encode_contenders import Contender
from scripts.bench.encode_forms import Result
from scripts.bench.encode_forms import Task, measure
from scripts.bench.encode_forms import single

def contender(name, work):
    def prepare(problem, form):
        def run():
            if problem.count > 1:
                work()
            return Result(0, 0, None)
        return run
    return Contender("test", name, prepare)

def endless():
    while True:
        pass

def refuse():
    raise ValueError("I will not")

class Panic(BaseException):
    pass

def panic():
    raise Panic("at once")

contenders = [
    contender("slow", endless),
    contender("large", lambda: bytearray(2**29)),
    contender("refusing", refuse),
    contender("panicking", panic),
    contender("well", lambda: None),
]
tasks = [
    [Task(c, form, single(3, 1, 5), single(3, 1, 1)) for form in ("memory", "lists")]
    for c in contenders
]
measure(tasks, 2, Limits(1, memory=2**28), 0)
for forms in tasks:
    print(forms[0].contender.name, [len(t.spent) for t in forms], forms[1].failure, sep=": ")
"""


def test_who_exceeds_a_limit_is_named_and_the_others_go_on(run_script):
    done = run_script("-c", LIMITED)
    assert done.stdout.splitlines() == [
        "slow: [0, 0]: not within 1 s / 0.25 GB",
        "large: [0, 0]: not within 1 s / 0.25 GB",
        "refusing: [0, 0]: ValueError: I will not",
        "panicking: [0, 0]: Panic: at once",
        "well: [2, 2]: None",
    ], done.stderr


def test_the_clues_are_those_of_a_board_in_mid_game() -> None:
    problem = encoding.clues(5000, seed=3)
    assert problem.count == 5000
    assert (
        rows_of(problem)
        == rows_of(encoding.clues(5000, seed=3))
        != rows_of(encoding.clues(5000, seed=4))
    )
    assert 5.3 < np.mean([len(lits) for lits, _ in rows_of(problem)]) < 5.9
    share = sum(bound for _, bound in rows_of(problem)) / sum(
        len(lits) for lits, _ in rows_of(problem)
    )
    assert 0.25 < share < 0.32  # 20 % mines among the 70 % covered cells
    for lits, bound in rows_of(problem):
        assert len(set(lits)) == len(lits) in range(1, 9)
        assert 0 <= bound <= len(lits)
        assert 1 <= min(lits) <= max(lits) <= problem.num_vars


def test_a_wrong_count_is_a_difference_and_a_faster_peer_is_named() -> None:
    problem = encoding.single(3, 1, 2)

    def tasks(spent: int, side: str) -> dict[str, encoding.Task]:
        contender = replace(ours("direct"), side=side)
        task = encoding.Task(
            contender, "memory", problem, problem, spent=[spent], variables=0, clauses=8
        )
        return {"memory": task}

    own = tasks(200, "pbcnf")
    rows = [Row(own, tasks(spent, f"rival {spent}")) for spent in (100, 300)]
    section = Section("single", "three", "ms", ["memory"], [*rows, Row(own, None)])
    assert list(differences([section])) == []
    assert list(lost([section])) == ["three: direct, rival 100 direct, memory: 0.5x"]
    own["memory"].clauses = 7
    (line,) = differences([section])
    assert "exactly 1 of 3, memory: 0 variables and 7 clauses, where size() says 0 and 8" in line
