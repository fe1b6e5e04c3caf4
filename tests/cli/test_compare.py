"""``satsweeper compare``: its answers, its refusals, and that no kill costs more than a moment."""

import json
import os
import random
import select
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from satsweeper.compare.job.job import result_of
from satsweeper.compare.sweep.journal import read_results
from tests.commands import EXAMPLES, PATIENCE, call, jobs_written, living, until

Start = Callable[..., "subprocess.Popen[str]"]
SWEEP = ["compare", "random:8x8/12:seeds=0-11", "--seeds", "2"]
JOBS = 12 * 2 * 4


def results(folder: Path) -> list[str]:
    """The lines of the results without what is measured."""
    found = []
    for line in (folder / "results.jsonl").read_text().splitlines():
        fields = json.loads(line)
        del fields["measured"]
        found.append(json.dumps(fields))
    return found


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sweeps") / "whole"
    ended = call(*SWEEP, "-o", folder)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == f"{JOBS} of {JOBS} jobs: {JOBS} sat\nnow: satsweeper report {folder}\n"
    return folder


def all_ended(session: int) -> None:
    """Wait until no process of a session is left, however long a busy machine takes over it."""
    while left := living(3, session):
        for pid in left:
            with suppress(ProcessLookupError):
                end = os.pidfd_open(pid)
                select.select([end], [], [])
                os.close(end)


def killed(process: "subprocess.Popen[str]", folder: Path, lines: int) -> None:
    """Kill a sweep as soon as it has written so many lines; all it has started ends as well."""
    until(lambda: jobs_written(folder) >= lines or process.poll() is not None, "some results")
    process.kill()
    process.wait()
    kept = jobs_written(folder)
    all_ended(process.pid)
    assert jobs_written(folder) == kept


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(
    ("kills", "jobs"),
    [
        (2, 2),
        pytest.param(10, 1, marks=pytest.mark.slow),
        pytest.param(10, 4, marks=pytest.mark.slow),
    ],
)
def test_a_sweep_killed_at_random_and_resumed_comes_to_the_same_results(
    start: Start, whole: Path, tmp_path: Path, kills: int, jobs: int
) -> None:
    folder = tmp_path / "killed"
    again = [*SWEEP, "-o", folder, "--jobs", jobs, "--resume"]
    draw = random.Random(kills)
    for _ in range(kills):
        before = jobs_written(folder)
        more = draw.randint(0, (JOBS - before) // 3)
        killed(start(*again, start_new_session=True), folder, before + more)
        assert jobs_written(folder) >= before
    out, err = start(*again).communicate(timeout=PATIENCE)
    assert (out.splitlines()[0], err) == (f"{JOBS} of {JOBS} jobs: {JOBS} sat", "")
    assert results(folder) == results(whole)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("processes", [2, 5])
def test_a_sweep_killed_while_it_starts_its_processes_leaves_none(
    start: Start, tmp_path: Path, processes: int
) -> None:
    process = start(*SWEEP, "-o", tmp_path / "sweep", "--jobs", 2, start_new_session=True)
    until(lambda: len(living(3, process.pid)) >= processes, "some processes")
    process.kill()
    process.wait()
    all_ended(process.pid)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_quietly_keeps_every_result_and_leaves_no_process(
    start: Start, whole: Path, tmp_path: Path, jobs: int
) -> None:
    folder = tmp_path / "stopped"
    process = start(*SWEEP, "-o", folder, "--jobs", jobs, start_new_session=True)
    until(lambda: jobs_written(folder) >= 5, "five results")
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (130, "", "interrupted\n")
    all_ended(process.pid)
    kept = read_results(folder / "results.jsonl", result_of)
    assert 5 <= len(kept) < JOBS
    assert set(map(repr, (r.job for r in kept))) <= set(
        map(repr, (r.job for r in read_results(whole / "results.jsonl", result_of)))
    )


def test_the_command_in_the_manifest_is_the_sweep(whole: Path) -> None:
    words = json.loads((whole / "manifest.json").read_text())["arguments"]
    assert words[-2:] == ["-o", str(whole)]
    before = (whole / "results.jsonl").read_bytes()
    assert call(*words, "--resume").code == 0
    assert (whole / "results.jsonl").read_bytes() == before


def test_json_sums_up(whole: Path) -> None:
    ended = call(*SWEEP, "-o", whole, "--resume", "--json")
    assert ended.json == {
        "schema": "satsweeper/compare-run/1",
        "folder": str(whole),
        "jobs": JOBS,
        "done": JOBS,
        "statuses": {"sat": JOBS},
        "disagreement": None,
        "faults": [],
    }


def test_a_dry_run_lists_the_jobs_and_writes_nothing(whole: Path) -> None:
    listed = call(*SWEEP, "--dry-run", "--json").json
    assert [job["id"] for job in listed["jobs"]] == [
        result.job.id for result in read_results(whole / "results.jsonl", result_of)
    ]
    ended = call(*SWEEP, "--dry-run")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith(
        f"{JOBS} jobs on 12 instances, 2 seeds\n"
        "task classify: up to 30 comparisons of 4 contenders need 11 instances; 12 are there:"
        " enough\nat most "
    )


def test_a_script_for_slurm_runs_every_shard_and_collects(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "array of shards"
    script = call(*SWEEP, "-o", folder, "--sbatch", 3).out
    assert script.startswith("#!/bin/sh\n#SBATCH ")
    assert "#SBATCH --array=1-3\n" in script
    assert not folder.exists()
    last = script.splitlines()[-1].removeprefix("exec satsweeper ")
    for task in (1, 2, 3):
        # What the shell makes of the line.
        words = [word.replace("$SLURM_ARRAY_TASK_ID", str(task)) for word in shlex.split(last)]
        assert call(*words).code == 0
    collect = next(line for line in script.splitlines() if line.endswith(" --resume"))
    assert call(*shlex.split(collect.removeprefix("# satsweeper "))).code == 0
    assert results(folder) == results(whole)
    assert call(*SWEEP, "-o", folder, "--shard", "1/3", "--sbatch").out == script


def test_a_wrong_answer_ends_the_sweep_with_one_line_and_a_witness(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "planted.py").write_text(
        "def at_most_too_many(n, lower, upper):\n"
        "    from pbcnf import Formula, Cardinality, encode\n"
        "    f = Formula(n)\n"
        "    c = Cardinality(range(1, n + 1), lower, min(upper + (upper == 2), n))\n"
        "    encode(c, f, encoder='direct')\n"
        "    return f.num_vars, [list(clause) for clause in f.clauses()]\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    encodings = ["--encodings", "direct,planted:at_most_too_many"]
    ended = call(*SWEEP, *encodings, "-o", tmp_path / "sweep")
    assert ended.code == 1
    assert ended.err.count("\n") == 1
    assert "planted:at_most_too_many" in ended.err
    witness = (tmp_path / "sweep" / "witness.txt").read_text()
    assert witness in ended.out
    again = call(*SWEEP, *encodings, "-o", tmp_path / "sweep", "--resume", "--json")
    assert again.code == 1
    assert again.json["disagreement"]["witness"] == witness
    assert again.json["disagreement"]["line"] + "\n" == ended.err
    assert call("classify", tmp_path / "sweep" / "witness.txt").code in (0, 20)


def test_encodings_that_cannot_express_a_problem_are_left_out_if_none_is_named(
    tmp_path: Path,
) -> None:
    weighted, counts = EXAMPLES / "knapsack.opb", EXAMPLES / "committee.knf"
    options = ("--solvers", "minisat22", "--seeds", "1", "--tasks", "solve")
    ended = call("compare", weighted, counts, *options, "-o", tmp_path / "sweep", "--json")
    assert (ended.code, ended.json["done"]) == (0, 4)
    said = [line for line in ended.err.splitlines() if "left out" in line]
    assert [line.split()[2] for line in said] == ["direct", "totalizer"]
    assert all("knapsack.opb: encoder" in line and "weights up to 7" in line for line in said)
    plan = call("compare", counts, *options, "--dry-run", "--json")
    assert {job["encoding"] for job in plan.json["jobs"]} == {"direct", "totalizer"}
    assert "left out" not in plan.err
    named = call("compare", weighted, "--encodings", "direct", *options, "--dry-run")
    assert (named.code, "'direct' cannot express" in named.err) == (2, True)


def test_a_folder_in_use_or_of_another_sweep_is_refused(whole: Path) -> None:
    ended = call(*SWEEP, "-o", whole)
    assert (ended.code, ended.err.count("\n")) == (1, 1)
    assert "not empty (holds manifest.json)" in ended.err
    file = whole / "results.jsonl"
    ended = call(*SWEEP, "-o", file)
    assert (ended.code, ended.out, ended.err) == (1, "", f"{file}: Not a directory\n")
    ended = call(*SWEEP, "--timeout", "7", "-o", whole, "--resume")
    assert (ended.code, ended.err.count("\n")) == (1, 1)
    assert "these arguments say" in ended.err


def test_a_job_that_takes_too_long_is_a_result(hard: Path, tmp_path: Path) -> None:
    arguments = ["compare", hard, "--tasks", "consistent", "--encodings", "direct", "--seeds", 1]
    ended = call(*arguments, "--solvers", "minisat22", "--timeout", 0.3, "-o", tmp_path / "new")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("1 of 1 job: 1 timeout\n")
