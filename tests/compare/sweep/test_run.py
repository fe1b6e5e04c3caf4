"""A sweep comes to the same results however it is run, stopped, split and taken up again."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbcnf.constraints.order import LiteralOrder
from satsweeper.compare.instances.files import load_instances
from satsweeper.compare.instances.instance import Instance
from satsweeper.compare.job.job import JobStatus, Task, result_of
from satsweeper.compare.sweep.backends import Backend
from satsweeper.compare.sweep.journal import MANIFEST, RESULTS, JournalError, locked, read_results
from satsweeper.compare.sweep.plan import Axes
from satsweeper.compare.sweep.run import prepare, run_prepared, sweep
from satsweeper.processes.limits import Limits
from tests.commands import EXAMPLES

TASKS, ORDERS = (Task.CLASSIFY, Task.TOTAL, Task.SOLVE), (LiteralOrder.GIVEN, LiteralOrder.RANDOM)
AXES = Axes(TASKS, ("direct", "totalizer"), ("totalizer",), ("minisat22",), ORDERS, seeds=2)


@pytest.fixture(scope="module")
def instances() -> list[Instance]:
    return load_instances(["random:6x6/8:seeds=0-2", str(EXAMPLES / "committee.knf")])


@pytest.fixture(scope="module")
def whole(instances: list[Instance], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a sweep that nothing disturbed."""
    folder = tmp_path_factory.mktemp("whole")
    compared = sweep(instances, AXES, folder)
    assert {result.status for result in compared.results} <= {JobStatus.SAT, JobStatus.UNSAT}
    return folder


def lines(folder: Path) -> list[str]:
    """The lines of the results without what is measured."""
    found = map(json.loads, (folder / RESULTS).read_text().splitlines())
    return [json.dumps({**fields, "measured": None}) for fields in found]


def read(folder: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((folder / MANIFEST).read_text())
    return content


def cut(whole: Path, folder: Path, keep: Sequence[int], torn: int = 0) -> Path:
    """A folder as a killed run leaves it: some results, and part of another."""
    every = (whole / RESULTS).read_bytes().splitlines(keepends=True)
    folder.mkdir()
    (folder / MANIFEST).write_bytes((whole / MANIFEST).read_bytes())
    left = b"".join(every[number] for number in keep)
    (folder / RESULTS).write_bytes(left + every[-1][:torn])
    return folder


def test_the_results_are_in_the_order_of_the_plan_a_line_a_job(whole, instances) -> None:
    jobs = prepare(instances, AXES).jobs
    assert [result.job for result in read_results(whole / RESULTS, result_of)] == list(jobs)


def test_four_processes_come_to_the_results_of_one(whole, instances, tmp_path) -> None:
    sweep(instances, AXES, tmp_path, backend=Backend(jobs=4))
    assert lines(tmp_path) == lines(whole)


def test_a_dask_cluster_comes_to_the_results_of_one_process(whole, instances, tmp_path, scheduler):
    sweep(instances, AXES, tmp_path, backend=Backend("dask", scheduler=scheduler))
    assert lines(tmp_path) == lines(whole)


@pytest.mark.parametrize("torn", [0, 1, 100])
def test_what_is_left_of_a_run_is_gone_on_with(whole, instances, tmp_path, torn) -> None:
    done = range(5, len(lines(whole)) - 3)
    folder = cut(whole, tmp_path / "cut", done[::-1], torn)
    before = {r.job.id: r for r in read_results(folder / RESULTS, result_of)}
    assert len(before) == len(done)
    sweep(instances, AXES, folder, resume=True)
    assert lines(folder) == lines(whole)
    after = {r.job.id: r for r in read_results(folder / RESULTS, result_of)}
    assert {name: after[name] for name in before} == before, "a job that was done was repeated"
    assert len(read(folder)["resumed"]) == 1


def test_a_finished_sweep_is_left_as_it_is(whole, instances, tmp_path) -> None:
    folder = cut(whole, tmp_path / "done", range(len(lines(whole))))
    before = (folder / RESULTS).read_bytes(), (folder / MANIFEST).read_bytes()
    sweep(instances, AXES, folder, resume=True)
    assert ((folder / RESULTS).read_bytes(), (folder / MANIFEST).read_bytes()) == before


def test_shards_run_apart_are_collected_into_the_whole(whole, instances, tmp_path) -> None:
    for number in (1, 2, 3):
        part, done = prepare(instances, AXES, shard=(number, 3)), list[float]()
        run_prepared(part, tmp_path / f"shard-{number}", Backend(), reach=done.append)
        assert done == list(range(len(part.jobs) + 1))
    results = [
        r for n in (1, 2, 3) for r in read_results(tmp_path / f"shard-{n}" / RESULTS, result_of)
    ]
    assert len(results) == len(lines(whole))
    collected = sweep(instances, AXES, tmp_path, resume=True)
    assert lines(tmp_path) == lines(whole)
    assert sorted(map(repr, collected.results)) == sorted(map(repr, results)), "a job was repeated"


def test_the_manifest_says_what_was_run_where(whole: Path, instances: list[Instance]) -> None:
    content = read(whole)
    prepared = prepare(instances, AXES)
    assert (content["jobs"], content["digest"]) == (len(prepared.jobs), prepared.digest)
    assert content["seeds"] == [0, 1]
    assert content["axes"]["encodings"] == ["direct", "totalizer"]
    assert [(i["name"], i["digest"]) for i in content["instances"]] == [
        (i.name, i.digest) for i in instances
    ]
    assert {"satsweeper", "python", "pysat", "numpy"} <= content["versions"].keys()
    assert {"cpu", "cores", "memory", "os"} <= content["machine"].keys()


def test_a_folder_that_holds_anything_or_is_in_use_is_refused_and_left_alone(instances, tmp_path):
    (tmp_path / "mine.txt").touch()
    with pytest.raises(JournalError, match=r"not empty \(holds mine.txt\)"):
        sweep(instances, AXES, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} <= {"mine.txt", ".lock"}
    with locked(tmp_path / "new"), pytest.raises(JournalError, match="another run"):
        sweep(instances, AXES, tmp_path / "new", resume=True)


def test_another_sweep_or_version_is_not_gone_on_with(whole, instances, tmp_path) -> None:
    folder = cut(whole, tmp_path / "cut", [0, 1])
    before = (folder / RESULTS).read_bytes()
    said = r"holds \d+ jobs of the sweep .*; these arguments say"
    for axes, limits in ((replace(AXES, seeds=1), Limits()), (AXES, Limits(seconds=3.0))):
        with pytest.raises(JournalError, match=said):
            sweep(instances, axes, folder, limits=limits, resume=True)
    content = read(folder)
    content["versions"]["pysat"] = "0.0"
    (folder / MANIFEST).write_text(json.dumps(content))
    with pytest.raises(JournalError, match=r"measured with pysat 0\.0"):
        sweep(instances, AXES, folder, resume=True)
    assert (folder / RESULTS).read_bytes() == before


def test_what_cannot_be_compared_is_known_before_anything_begins(instances, tmp_path) -> None:
    axes = Axes((Task.CLASSIFY,), ("ladder",), ("adder",), ("minisat22",))
    with pytest.raises(ValueError, match="cannot express"):
        sweep(instances[:3], axes, tmp_path / "new")
    assert not (tmp_path / "new").exists()
    with pytest.raises(ValueError, match=r"committee\.knf: a problem without a task among"):
        prepare(instances, Axes((Task.TOTAL,), ("direct",), ("adder",), ("minisat22",)))


def test_a_sweep_recorded_rows_first_is_not_gone_on_with_as_another(tmp_path: Path) -> None:
    axes = Axes((Task.CONSISTENT,), ("direct",), ("totalizer",), ("minisat22",))
    drawn = load_instances(["random:4x3/2:seed=0"])
    sweep(drawn, axes, tmp_path)
    content = read(tmp_path)
    assert content["sizes"] == "COLUMNSxROWS/MINES"
    # As it was: the same board was called by its rows first.
    del content["sizes"]
    (tmp_path / MANIFEST).write_text(json.dumps(content | {"digest": "another"}))
    with pytest.raises(JournalError, match="sizes were written rows first then"):
        sweep(drawn, axes, tmp_path, resume=True)
    (tmp_path / MANIFEST).write_text(json.dumps(content))
    assert len(sweep(drawn, axes, tmp_path, resume=True).results) == 1
