"""Results of a resumable sweep: kept however the run ends, in a folder locked to one run."""

import json
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from satsweeper.board.errors import Error
from satsweeper.compare.job.job import Result, result_of
from satsweeper.compare.sweep import journal
from satsweeper.compare.sweep.backends import Backend
from satsweeper.compare.sweep.journal import RESULTS, Journal, JournalError, line_of, read_results
from satsweeper.compare.sweep.resumable import ResumableSweep

Make = Callable[..., Result]


def test_a_result_is_on_disk_as_it_was_before_the_next_job_starts(tmp_path, made_up) -> None:
    results = [made_up(seed=seed, conflicts=seed) for seed in range(5)]
    with Journal(tmp_path) as kept:
        for done, result in enumerate(results, start=1):
            kept.append(result)
            assert read_results(tmp_path / RESULTS, result_of) == results[:done]


def test_a_last_line_torn_anywhere_is_dropped_and_the_others_stay(tmp_path, made_up) -> None:
    path = tmp_path / RESULTS
    results = [made_up(seed=seed) for seed in range(3)]
    whole = b"".join(map(line_of, results))
    last = len(line_of(results[-1]))
    for torn in range(1, last + 1):
        path.write_bytes(whole[:-torn])
        assert read_results(path, result_of) == results[:-1]
        with Journal(tmp_path) as kept:
            kept.append(results[-1])
        assert path.read_bytes() == whole


def test_a_finished_journal_is_in_the_order_of_the_plan(tmp_path: Path, made_up: Make) -> None:
    results = [made_up(seed=seed) for seed in range(4)]
    with Journal(tmp_path) as kept:
        for result in reversed(results):
            kept.append(result)
        kept.finish(results)
    assert read_results(tmp_path / RESULTS, result_of) == results
    assert [path.name for path in tmp_path.iterdir()] == [RESULTS]


@pytest.mark.parametrize("change", [{"seed": 7}, {"status": "fine"}, {"more": 1}, None])
def test_a_line_that_was_tampered_with_or_is_no_json_is_named(tmp_path, made_up, change) -> None:
    path, good = tmp_path / RESULTS, line_of(made_up())
    assert read_results(path, result_of) == []
    wrong = json.dumps({**made_up(seed=1).as_json(), **change}) if change else "{"
    path.write_bytes(good + wrong.encode() + b"\n" + good)
    with pytest.raises(JournalError, match=rf"{RESULTS}:2: "):
        read_results(path, result_of)


def test_two_runs_cannot_write_into_one_folder(tmp_path: Path) -> None:
    for _ in range(2):
        refused = pytest.raises(JournalError, match="another run is writing here")
        with journal.locked(tmp_path / "new"), refused, journal.locked(tmp_path / "new"):
            pass


@dataclass(frozen=True)
class Number:
    number: int

    @property
    def id(self) -> str:
        return f"number {self.number}"


@dataclass(frozen=True)
class Squared:
    job: Number
    square: int

    def as_json(self) -> dict[str, Any]:
        return {"number": self.job.number, "square": self.square}


def squared_of(line: Any) -> Squared:
    return Squared(Number(line["number"]), line["square"])


RECORDS = journal.Records("test/squares/1", squared_of, ("satsweeper",))
ALONE = Backend()


class OddNumberError(Error):
    pass


@dataclass(frozen=True)
class Squares:
    refused: int | None = None

    def run(self, job: Number) -> Squared:
        if job.number == self.refused:
            raise OddNumberError(f"{job.number} is odd")
        return Squared(job, job.number**2)


def run(
    folder: Path,
    numbers: Iterable[int],
    *,
    last: int | None = None,
    refused: int | None = None,
    backend: Backend = ALONE,
    resume: bool = False,
    unwanted: Callable[[Number], bool] = lambda job: False,
) -> tuple[list[Squared], str | None]:
    planned = [Number(number) for number in numbers]
    told = {"arguments": [], "jobs": len(planned), "digest": "squares", "shard": None}
    content = journal.manifest(RECORDS.schema, **told)
    opening = partial(nullcontext, Squares(refused))

    def see(result: Squared) -> str | None:
        return "enough" if result.square == last else None

    sweep = ResumableSweep(planned, content, RECORDS, see, opening, backend, unwanted)
    return sweep.run(folder, resume=resume)


def numbers(folder: Path) -> list[int]:
    return [result.job.number for result in read_results(folder / RESULTS, squared_of)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_any_jobs_are_done_once_and_end_in_the_order_of_the_plan(tmp_path, jobs):
    results, stopped = run(tmp_path, range(30), backend=Backend(jobs=jobs))
    assert [result.square for result in results] == [n * n for n in range(30)]
    assert stopped is None
    assert numbers(tmp_path) == list(range(30))


def test_a_watch_ends_a_sweep_and_sees_what_was_done_before(tmp_path):
    for resume in (False, True):
        assert run(tmp_path, range(30), last=49, resume=resume)[1] == "enough"
        assert numbers(tmp_path) == list(range(8))
    assert run(tmp_path, range(30), resume=True)[1] is None
    assert numbers(tmp_path) == list(range(30))


def test_a_sweep_that_has_grown_is_gone_on_with_and_one_that_has_shrunk_is_not(tmp_path):
    run(tmp_path, range(5))
    assert len(run(tmp_path, range(9), resume=True)[0]) == 9
    assert journal.read_manifest(tmp_path, RECORDS.schema)["jobs"] == 9
    with pytest.raises(JournalError, match=r"holds 9 jobs .*; these arguments say 7 jobs"):
        run(tmp_path, range(7), resume=True)
    assert numbers(tmp_path) == list(range(9))


def test_what_is_not_wanted_any_more_is_not_begun(tmp_path):
    results, _ = run(tmp_path, range(10), unwanted=lambda job: job.number % 2 == 1)
    assert [result.job.number for result in results] == [0, 2, 4, 6, 8]
    assert numbers(tmp_path) == [0, 2, 4, 6, 8]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_of_ours_ends_a_sweep_as_it_is_and_what_is_done_is_kept(tmp_path, jobs):
    with pytest.raises(OddNumberError, match=r"^21 is odd$"):
        run(tmp_path, range(30), backend=Backend(jobs=jobs), refused=21)
    kept = numbers(tmp_path)
    assert set(kept) <= set(range(30)) - {21}
    assert sorted(run(tmp_path, range(30), resume=True)[0], key=lambda r: r.square) == [
        Squared(Number(n), n * n) for n in range(30)
    ]


def test_an_error_of_ours_comes_through_dask_as_it_is(tmp_path, scheduler):
    with pytest.raises(OddNumberError, match="1 is odd"):
        run(tmp_path, range(3), refused=1, backend=Backend("dask", scheduler=scheduler))


def test_a_folder_of_another_kind_of_sweep_is_refused(tmp_path):
    run(tmp_path, range(3))
    with pytest.raises(JournalError, match="schema 'test/squares/1', not other/1"):
        journal.read_manifest(tmp_path, "other/1")
