"""``compare`` and ``report``: sweeps that survive any kill, and what is said of their results."""

import hashlib
import json
import os
import random
import select
import shlex
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from pbcnf.wording import install_hint
from satsweeper.compare.job.job import result_of
from satsweeper.compare.sweep.journal import read_results
from tests.commands import (
    EXAMPLES,
    PATIENCE,
    call,
    done,
    ended_quietly,
    jobs_written,
    living,
    refused,
    until,
)

SWEEP = ["compare", "random:8x8/12:seeds=0-11", "--seeds", "2"]
JOBS = 12 * 2 * 4
ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def results(folder: Path) -> list[str]:
    """The lines of the results without what is measured."""
    rows = map(json.loads, (folder / "results.jsonl").read_text().splitlines())
    return [json.dumps({name: row[name] for name in row if name != "measured"}) for row in rows]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sweeps") / "whole"
    ended = done(*SWEEP, "-o", folder)
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


@ON_LINUX
@pytest.mark.parametrize(
    ("kills", "jobs"), [(2, 2), *(pytest.param(10, n, marks=pytest.mark.slow) for n in (1, 4))]
)
def test_a_sweep_killed_at_random_and_resumed_comes_to_the_same_results(
    start, whole, tmp_path, kills, jobs
):
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


@ON_LINUX
@pytest.mark.parametrize("processes", [2, 5])
def test_a_sweep_killed_while_it_starts_its_processes_leaves_none(start, tmp_path, processes):
    process = start(*SWEEP, "-o", tmp_path / "sweep", "--jobs", 2, start_new_session=True)
    until(lambda: len(living(3, process.pid)) >= processes, "some processes")
    process.kill()
    process.wait()
    all_ended(process.pid)


@ON_LINUX
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_quietly_keeps_every_result_and_leaves_no_process(start, whole, tmp_path, jobs):
    folder = tmp_path / "stopped"
    process = start(*SWEEP, "-o", folder, "--jobs", jobs, start_new_session=True)
    until(lambda: jobs_written(folder) >= 5, "five results")
    os.killpg(process.pid, signal.SIGINT)
    ended_quietly(process)
    all_ended(process.pid)
    kept, every = (
        {repr(result.job) for result in read_results(each / "results.jsonl", result_of)}
        for each in (folder, whole)
    )
    assert 5 <= len(kept) < JOBS
    assert kept <= every


def test_the_command_in_the_manifest_is_the_sweep_and_json_sums_it_up(whole):
    words = json.loads((whole / "manifest.json").read_text())["arguments"]
    assert words[-2:] == ["-o", str(whole)]
    before = (whole / "results.jsonl").read_bytes()
    assert call(*words, "--resume", "--json").json == {
        "schema": "satsweeper/compare-run/1", "folder": str(whole), "jobs": JOBS, "done": JOBS,
        "statuses": {"sat": JOBS}, "disagreement": None, "faults": [],
    }  # fmt: skip
    assert (whole / "results.jsonl").read_bytes() == before


def test_a_dry_run_lists_the_jobs_and_writes_nothing(whole):
    listed = call(*SWEEP, "--dry-run", "--json").json
    assert [job["id"] for job in listed["jobs"]] == [
        result.job.id for result in read_results(whole / "results.jsonl", result_of)
    ]
    ended = done(*SWEEP, "--dry-run")
    assert ended.out.startswith(
        f"{JOBS} jobs on 12 instances, 2 seeds\n"
        "task classify: up to 30 comparisons of 4 contenders need 11 instances; 12 are there:"
        " enough\nat most "
    )


def test_a_script_for_slurm_runs_every_shard_and_collects(whole, tmp_path):
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


def test_a_wrong_answer_ends_the_sweep_with_one_line_and_a_witness(tmp_path, monkeypatch):
    (tmp_path / "planted.py").write_text(
        "def at_most_too_many(n, lower, upper):\n"
        "    from pbcnf import Formula, Cardinality, encode\n"
        "    f = Formula(n)\n"
        "    c = Cardinality(range(1, n + 1), lower, min(upper + (upper == 2), n))\n"
        "    encode(c, f, encoder='direct')\n"
        "    return f.num_vars, [list(clause) for clause in f.clauses()]\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    words = [*SWEEP, "--encodings", "direct,planted:at_most_too_many", "-o", tmp_path / "sweep"]
    ended = call(*words)
    assert (ended.code, ended.err.count("\n")) == (1, 1)
    assert "planted:at_most_too_many" in ended.err
    witness = (tmp_path / "sweep" / "witness.txt").read_text()
    assert witness in ended.out
    again = call(*words, "--resume", "--json")
    found = again.json["disagreement"]
    assert (again.code, found["witness"], f"{found['line']}\n") == (1, witness, ended.err)
    assert call("classify", tmp_path / "sweep" / "witness.txt").code in (0, 20)


def test_encodings_that_cannot_express_a_problem_are_left_out_if_none_is_named(tmp_path):
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


def test_a_folder_in_use_or_of_another_sweep_is_refused(whole):
    assert "not empty (holds manifest.json)" in refused(1, *SWEEP, "-o", whole).err
    other = refused(1, *SWEEP, "--timeout", "7", "-o", whole, "--resume")
    assert "these arguments say" in other.err


def test_a_job_that_takes_too_long_is_a_result(hard, tmp_path):
    arguments = ["compare", hard, "--tasks", "consistent", "--encodings", "direct", "--seeds", 1]
    ended = done(*arguments, "--solvers", "minisat22", "--timeout", 0.3, "-o", tmp_path / "new")
    assert ended.out.startswith("1 of 1 job: 1 timeout\n")


# ``satsweeper report``: tables, the object, the files, exit codes. Sweeps are written by hand


def line(encoding="direct", instance="i1", seed=0, solve=1.0, status="sat", **fields):
    """A line of results as the format says, not as the code writes it."""
    job = {
        "instance": f"digest of {instance}", "name": instance, "task": "classify",
        "encoding": encoding, "total_encoding": "", "solver": "minisat22", "order": "given",
        "seed": seed,
    }  # fmt: skip
    packed = json.dumps(job, sort_keys=True, separators=(",", ":"))
    outcome = {
        "status": status, "variables": 10, "clauses": 20, "literals": 40, "conflicts": 3,
        "propagations": 50, "decisions": 5, "calls": 1, "budget": None, "message": None,
        "verdicts": f"answer of {instance}" if status in ("sat", "unsat") else None,
        "measured": {"encode": 0.0, "solve": solve, "memory": 1 << 20},
    }  # fmt: skip
    return {"id": hashlib.sha256(packed.encode()).hexdigest()[:16], **job, **outcome, **fields}


def write(folder, lines, **manifest):
    folder.mkdir(exist_ok=True)
    (folder / "results.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
    content = {
        "schema": "satsweeper/compare/1", "versions": {}, "machine": {}, "arguments": [],
        "jobs": len(lines), "limits": {"timeout": 10.0, "memory": None},
    }  # fmt: skip
    (folder / "manifest.json").write_text(json.dumps(content | manifest))
    return folder


@pytest.fixture
def sweep(tmp_path):
    """Ten instances; direct takes half the time of totalizer, and twin the same as direct."""
    factors = {"direct": 1.0, "totalizer": 2.0, "twin": 1.0}
    lines = [
        line(name, f"i{at}", seed, factor * (at + 1) * (1.1 if (at + seed) % 2 else 1 / 1.1))
        for name, factor in factors.items() for at in range(10) for seed in range(2)
    ]  # fmt: skip
    lines[0] |= {"measured": lines[0]["measured"] | {"solve": 1.0001 / 1.1}}
    return write(tmp_path / "sweep", lines)


def row(out, start):
    """The first line of a table that begins with these words, in single spaces."""
    rows = (" ".join(text.split()) for text in out.splitlines())
    return next(text for text in rows if text.startswith(start))


def test_tables_and_json_say_who_is_faster_and_who_cannot_be_told_apart(sweep):
    ended = done("report", sweep)
    assert ended.out.startswith("60 of 60 jobs\nall jobs of an instance and task gave the same")
    heading = "Task classify: 10 instances, 2 seeds, solver minisat22, order given, limit 10 s"
    assert heading in ended.out
    assert "direct faster by 50.0 % [" in row(ended.out, "direct : totalizer")
    assert "no significant difference" in row(ended.out, "direct : twin")
    assert row(ended.out, "twin ").startswith("twin a 20 of 20")
    assert row(ended.out, "totalizer ").startswith("totalizer b 20 of 20")
    assert "conflicts: no significant difference in 3 of 3 pairs" in ended.out
    found = done("report", sweep, "--json").json
    assert (found["schema"], found["done"], found["complete"]) == ("satsweeper/report/1", 60, True)
    (task,) = found["tasks"]
    tied = {contender["contender"]: contender["tied"] for contender in task["contenders"]}
    assert tied == {"direct": "a", "twin": "a", "totalizer": "b"}
    pairs = {(p["measure"], p["first"], p["second"]): p for p in task["pairs"]}
    assert len(pairs) == 15
    clear, same = (pairs["time", "direct", other] for other in ("totalizer", "twin"))
    assert (clear["significant"], clear["better"]) == (True, "direct")
    assert clear["interval"][0] <= clear["ratio"] <= clear["interval"][1] < 1
    assert clear["p"] <= clear["p_holm"] < 0.05
    assert same["verdict"].startswith("no significant difference")
    assert (same["significant"], same["better"]) == (False, None)
    assert pairs["conflicts", "direct", "twin"]["p_holm"] is None
    assert len(task["contenders"][0]["cactus"]) == 20


def test_an_unfinished_sweep_is_reported_as_such_and_a_broken_line_named(sweep):
    manifest, file = sweep / "manifest.json", sweep / "results.jsonl"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"jobs": 90}))
    lines = file.read_text().splitlines()
    file.write_text("\n".join([*lines, '{"id": "torn']))
    assert done("report", sweep).out.splitlines()[:2] == [
        "INCOMPLETE: 60 of 90 jobs; what follows is about those only",
        "the last line was not written to its end and is left out",
    ]
    found = call("report", sweep, "--json").json
    assert [found[key] for key in ("jobs", "done", "complete", "torn")] == [90, 60, False, True]
    file.write_text("\n".join([*lines[:6], lines[6][:50], *lines[7:], ""]))
    assert refused(1, "report", sweep).err.startswith(f"{file}:7: ")


def test_answers_that_differ_come_first_and_are_exit_code_1(tmp_path):
    lines = [line("a"), line("b", verdicts="something else"), line("c")]
    ended = call("report", write(tmp_path / "s", lines))
    first, second = ended.out.splitlines()[:2]
    assert (ended.code, first[:13]) == (1, "WRONG ANSWERS")
    assert "classify, i1: answers differ: sat answer of i" in second
    assert "gave the same answer" not in ended.out
    ended = call("report", tmp_path / "s", "--json")
    (found,) = ended.json["disagreements"]
    assert (ended.code, found["task"], found["name"]) == (1, "classify", "i1")
    assert sorted(len(each["jobs"]) for each in found["answers"]) == [1, 2]


def test_statuses_are_counted_and_one_contender_alone_is_not_compared(tmp_path):
    lines = [line("a"), line("b", status="timeout", solve=10.0), line("b", "i2", status="crash")]
    ended = call("report", write(tmp_path / "s", lines))
    rows = [" ".join(text.split()) for text in ended.out.splitlines()]
    assert row(ended.out, "contender sat") == "contender sat timeout crash"
    assert {"a 1 0 0", "b 0 1 1"} <= {*rows}
    alone = done("report", write(tmp_path / "a", [line("direct", f"i{at}") for at in range(3)]))
    assert row(alone.out, "direct/minisat22/given a 3 of 3 3 1 1 to 1")
    assert "Pairs" not in alone.out


def test_files_are_written_beside_the_tables_and_those_of_mkplot_into_a_folder_too(sweep, tmp_path):
    pytest.importorskip("matplotlib")
    names = {kind: tmp_path / f"out.{kind}" for kind in ("html", "csv", "latex", "mkplot")}
    options = [part for kind, name in names.items() for part in (f"--{kind}", name)]
    assert done("report", sweep, *options).out.startswith("60 of 60 jobs")
    html = names["html"].read_text("utf-8")
    assert f"satsweeper report {sweep} --html {names['html']}" in html
    assert len(names["csv"].read_text().splitlines()) == 61
    assert names["latex"].read_text().startswith("\\begin{table}")
    each = {"direct", "totalizer", "twin"}
    assert {path.name for path in tmp_path.glob("out-*")} == {f"out-{it}.mkplot" for it in each}
    stats = json.loads((tmp_path / "out-twin.mkplot").read_text())["stats"]
    assert stats["i4 seed 1"]["rtime"] == pytest.approx(5 * 1.1)
    assert call("report", sweep, "--mkplot", f"{tmp_path / 'plots'}/").code == 0
    assert {path.name for path in (tmp_path / "plots").iterdir()} == {f"{it}.json" for it in each}


def test_families_have_sections_of_their_own_and_share_the_correction(sweep):
    whole = call("report", sweep, "--json").json["tasks"][0]
    manifest = json.loads((sweep / "manifest.json").read_text())
    manifest["instances"] = [
        {"digest": f"digest of i{at}", "family": "even" if at % 2 == 0 else "odd"}
        for at in range(10)
    ]
    (sweep / "manifest.json").write_text(json.dumps(manifest))
    assert call("report", sweep, "--json").json["tasks"] == [whole]
    assert "Task classify, even: 5 instances" in call("report", sweep, "--by-family").out
    found = call("report", sweep, "--by-family", "--json").json["tasks"]
    assert [(task["part"], task["instances"]) for task in found] == [("even", 5), ("odd", 5)]
    smallest = min((p for task in found for p in task["pairs"]), key=lambda p: p["p"])
    tests = sum(pair["p_holm"] is not None for task in found for pair in task["pairs"])
    assert smallest["p_holm"] == pytest.approx(min(1.0, tests * smallest["p"]))
    assert tests > 6


@pytest.mark.parametrize(
    ("options", "message"),
    [("--mkplot -", "--mkplot writes several files: name one, or a folder"),
     ("--csv - --json", "standard output (-) takes one of the files, or --json"),
     ("--csv x --latex x", "--csv and --latex both name x"),
     ("--csv SWEEP/results.jsonl", "is part of the sweep and would be overwritten"),
     ("--latex SWEEP/manifest.json", "is part of the sweep and would be overwritten")],
)  # fmt: skip
def test_what_cannot_be_written_is_wrong_usage(sweep, options, message):
    before = (sweep / "results.jsonl").read_bytes()
    words = options.replace("SWEEP", str(sweep)).split()
    assert message in refused(2, "report", sweep, *words).err
    assert (sweep / "results.jsonl").read_bytes() == before


def test_without_matplotlib_the_page_alone_is_not_written(sweep, tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("matplotlib")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.chdir(tmp_path)
    files = ["--csv", "t.csv", "--latex", "t.tex", "--mkplot", "t.json"]
    said = f"--html: matplotlib is not installed: {install_hint('satsweeper[plot]')}\n"
    assert call("report", sweep, "--html", "page.html", *files) == (1, "", said, "")
    written = {path.name for path in tmp_path.iterdir()}
    assert {"t.csv", "t.tex", "t-direct.json"} <= written
    assert "page.html" not in written
    assert call("report", sweep, "--latex", "t.tex").code == 0


def test_a_sweep_recorded_rows_first_is_told_apart_and_its_command_is_that_of_today(tmp_path):
    pytest.importorskip("matplotlib")
    lines, square = (
        [line(name, f"random:{size}:seed=3:opened=0.4") for name in "ab"]
        for size in ("16x30/99", "16x16/40")
    )
    words = ["compare", "random:16x30/99:seeds=3", "--encodings", "a,b"]
    folder, page = write(tmp_path / "old", lines, arguments=words), tmp_path / "page.html"
    said = "random:16x30/99:seed=3:opened=0.4 is random:30x16/99:seed=3:opened=0.4 today"
    assert said in done("report", folder, "--html", page).out
    today = "<code>satsweeper compare random:30x16/99:seeds=3 --encodings a,b</code>"
    assert today in page.read_text("utf-8")
    for folder in (
        write(tmp_path / "new", lines, sizes="COLUMNSxROWS/MINES"), write(tmp_path / "sq", square)
    ):  # fmt: skip
        assert "rows first" not in call("report", folder).out
