"""A plan is a list of jobs that depends on its arguments alone, and treats contenders alike."""

import os
import re
import subprocess
from collections import Counter
from itertools import product
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbcnf.constraints.order import LiteralOrder
from satsweeper.cli.sweeping import sbatch_script
from satsweeper.compare.job.job import Job, Task
from satsweeper.compare.sweep.plan import Axes, block_of, digest_of, jobs_of, shard_of
from satsweeper.processes.limits import Limits

NAMES = ["a", "b", "c"]


class Board(NamedTuple):
    name: str
    digest: str
    tasks: dict[Task, tuple[bool, bool]]


def uses(board: Board, task: Task) -> tuple[bool, bool] | None:
    return board.tasks.get(task)


BOTH = {Task.CLASSIFY: (True, True), Task.CONSISTENT: (True, True), Task.TOTAL: (False, True)}
MINE = Board("mine", "1", BOTH)
OTHER = Board("other", "2", {Task.CLASSIFY: (True, False)})
CLAUSES = Board("clauses", "3", {Task.SOLVE: (False, False)})


def some(names: list[str]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(names), min_size=1, max_size=3).map(tuple)


axes = st.builds(
    Axes,
    tasks=st.lists(st.sampled_from(list(Task)), min_size=1, max_size=3).map(tuple),
    encodings=some(NAMES),
    total_encodings=some(NAMES),
    solvers=some(NAMES),
    orders=st.lists(st.sampled_from(list(LiteralOrder)), min_size=1, max_size=3).map(tuple),
    seeds=st.integers(1, 3),
)
boards = st.lists(st.sampled_from([MINE, OTHER, CLAUSES]), max_size=4)


def blocks(jobs: list[Job]) -> list[list[Job]]:
    """The runs of jobs with one instance and seed."""
    found: list[list[Job]] = []
    for job in jobs:
        if found and (found[-1][0].instance, found[-1][0].seed) == (job.instance, job.seed):
            found[-1].append(job)
        else:
            found.append([job])
    return found


@given(boards, axes)
def test_every_combination_is_one_job_and_an_axis_without_use_takes_one_value(subjects, chosen):
    axes = (chosen.encodings, chosen.total_encodings, chosen.solvers, chosen.orders)
    expected = {
        (board.digest, task, encoding if used[0] else "", total if used[1] else "", solver,
         order if any(used) else LiteralOrder.GIVEN, seed)
        for board, task, encoding, total, solver, order, seed in product(
            subjects, chosen.tasks, *axes, range(chosen.seeds)
        )
        if (used := uses(board, task)) is not None
    }  # fmt: skip
    jobs = jobs_of(subjects, chosen, uses)
    found = [
        (j.instance, j.task, j.encoding, j.total_encoding, j.solver, j.order, j.seed) for j in jobs
    ]
    assert Counter(found) == Counter(expected)
    assert len({job.id for job in jobs}) == len(jobs)


@given(boards, axes)
def test_the_contenders_of_an_instance_and_seed_follow_one_another(subjects, chosen) -> None:
    found = blocks(jobs_of(subjects, chosen, uses))
    assert len({(block[0].instance, block[0].seed) for block in found}) == len(found)


@given(boards, axes)
def test_the_list_is_the_same_every_time_and_a_block_does_not_depend_on_the_others(
    subjects: list[Board], chosen: Axes
) -> None:
    jobs = jobs_of(subjects, chosen, uses)
    assert jobs == jobs_of(subjects, chosen, uses)
    alone = {
        (block[0].instance, block[0].seed): block
        for subject in subjects
        for block in blocks(jobs_of([subject], chosen, uses))
    }
    assert {(block[0].instance, block[0].seed): block for block in blocks(jobs)} == alone


def test_no_contender_has_a_place_of_its_own() -> None:
    chosen = Axes((Task.CLASSIFY,), ("a", "b", "c", "d"), ("t",), ("s",), seeds=200)
    places: dict[str, Counter[int]] = {}
    for block in blocks(jobs_of([MINE], chosen, uses)):
        for place, job in enumerate(block):
            places.setdefault(job.encoding, Counter())[place] += 1
    # 50 expected, standard deviation 6.
    assert all(20 < count[place] < 80 for count in places.values() for place in range(4))


@given(boards, axes, st.integers(1, 5))
def test_shards_keep_blocks_whole_and_share_all_jobs(subjects, chosen, of) -> None:
    jobs = jobs_of(subjects, chosen, uses)
    shards = [shard_of(jobs, number, of, block_of) for number in range(1, of + 1)]
    assert Counter(job for each in shards for job in each) == Counter(jobs)
    sizes = [len(blocks(each)) for each in shards]
    assert max(sizes) - min(sizes) <= 1
    assert sum(sizes) == len(blocks(jobs))


def test_there_is_no_shard_beyond_the_last() -> None:
    for number in (0, 4, -1):
        with pytest.raises(ValueError, match=f"shard {number}/3"):
            shard_of([], number, 3, block_of)


def test_an_axis_needs_a_value_and_seeds_are_positive() -> None:
    with pytest.raises(ValueError, match="no total encodings"):
        Axes((Task.TOTAL,), ("a",), (), ("s",))
    with pytest.raises(ValueError, match="0 seeds"):
        Axes((Task.TOTAL,), ("a",), ("a",), ("s",), seeds=0)


def test_ids_and_digests_are_the_same_on_every_machine() -> None:
    chosen = Axes((Task.CLASSIFY,), ("direct", "totalizer"), ("totalizer",), ("minisat22",))
    jobs = jobs_of([MINE], chosen, uses)
    assert [(job.encoding, job.id) for job in jobs] == RECORDED
    assert digest_of(jobs, 10.0) != digest_of(jobs, 20.0)
    assert digest_of(jobs) != digest_of(reversed(jobs))


RECORDED = [("totalizer", "11b1b1c37f9de59d"), ("direct", "078b5f1ef00f4ba7")]


COMMAND = ["compare", "my boards/", "--encodings", "direct,totalizer"]


def test_time_and_memory_follow_from_the_limits_and_without_limits_nothing_is_promised() -> None:
    asked = "--job-name=satsweeper --array=1-8 --cpus-per-task=4"
    both = Limits(seconds=60.0, memory=2**30)
    for limits, more in [(both, " --time=35 --mem-per-cpu=1280M"), (Limits(), "")]:
        script = sbatch_script(COMMAND, "out", 8, jobs=120, processes=4, limits=limits)
        assert " ".join(re.findall(r"^#SBATCH (\S+)", script, re.M)) == asked + more


@pytest.mark.parametrize("folder", ["out", "with space", "it's"])
def test_names_survive_the_shell(folder: str) -> None:
    script = sbatch_script(COMMAND, folder, 2, jobs=9, processes=1, limits=Limits())
    last = script.splitlines()[-1].replace("exec satsweeper", "printf '%s\\n'")
    environ = os.environ | {"SLURM_ARRAY_TASK_ID": "2"}
    words = subprocess.check_output(["/bin/sh", "-c", last], env=environ, text=True).splitlines()
    assert words == [*COMMAND, "--shard", "2/2", "-o", f"{folder}/shard-2", "--resume"]
