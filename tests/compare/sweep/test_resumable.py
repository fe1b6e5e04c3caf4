"""Sweeps of any kind run by the same machinery: here jobs whose results are squares."""

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from satsweeper.board.errors import Error
from satsweeper.compare.sweep.backends import Backend
from satsweeper.compare.sweep.journal import (
    RESULTS,
    JournalError,
    Records,
    manifest,
    read_manifest,
    read_results,
)
from satsweeper.compare.sweep.resumable import ResumableSweep, Swept


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


RECORDS = Records("test/squares/1", squared_of, ("satsweeper",))


class OddNumberError(Error):
    pass


@dataclass(frozen=True)
class Squares:
    refused: int | None = None

    def run(self, job: Number) -> Squared:
        if job.number == self.refused:
            raise OddNumberError(f"{job.number} is odd")
        return Squared(job, job.number**2)


class Until:
    """Ends a sweep at a square."""

    def __init__(self, last: int | None = None) -> None:
        self.last = last

    def see(self, result: Squared) -> str | None:
        return "enough" if result.square == self.last else None


def run(
    folder: Path,
    numbers: Iterable[int],
    *,
    jobs: int = 1,
    last: int | None = None,
    refused: int | None = None,
    backend: Backend | None = None,
    resume: bool = False,
    unwanted: Callable[[Number], bool] = lambda job: False,
) -> Swept[Squared, str]:
    planned = [Number(number) for number in numbers]
    content = manifest(
        RECORDS.schema, arguments=[], jobs=len(planned), digest="squares", shard=None
    )
    opening, see = partial(nullcontext, Squares(refused)), Until(last).see
    backend = backend or Backend(jobs=jobs)
    sweep = ResumableSweep(planned, content, RECORDS, see, opening, backend, unwanted)
    return sweep.run(folder, resume=resume)


def numbers(folder: Path) -> list[int]:
    return [result.job.number for result in read_results(folder / RESULTS, squared_of)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_any_jobs_are_done_once_and_end_in_the_order_of_the_plan(tmp_path, jobs):
    swept = run(tmp_path, range(30), jobs=jobs)
    assert [result.square for result in swept.results] == [n * n for n in range(30)]
    assert swept.stopped is None
    assert numbers(tmp_path) == list(range(30))


def test_a_watch_ends_a_sweep_and_sees_what_was_done_before(tmp_path):
    assert run(tmp_path, range(30), last=49).stopped == "enough"
    assert numbers(tmp_path) == list(range(8))
    assert run(tmp_path, range(30), last=49, resume=True).stopped == "enough"
    assert numbers(tmp_path) == list(range(8))
    assert run(tmp_path, range(30), resume=True).stopped is None
    assert numbers(tmp_path) == list(range(30))


def test_a_sweep_that_has_grown_is_gone_on_with_and_one_that_has_shrunk_is_not(tmp_path):
    run(tmp_path, range(5))
    assert len(run(tmp_path, range(9), resume=True).results) == 9
    assert read_manifest(tmp_path, RECORDS.schema)["jobs"] == 9
    with pytest.raises(JournalError, match=r"holds 9 jobs .*; these arguments say 7 jobs"):
        run(tmp_path, range(7), resume=True)
    assert numbers(tmp_path) == list(range(9))


def test_what_is_not_wanted_any_more_is_not_begun(tmp_path):
    swept = run(tmp_path, range(10), unwanted=lambda job: job.number % 2 == 1)
    assert [result.job.number for result in swept.results] == [0, 2, 4, 6, 8]
    assert numbers(tmp_path) == [0, 2, 4, 6, 8]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_of_ours_ends_a_sweep_as_it_is_and_what_is_done_is_kept(tmp_path, jobs):
    with pytest.raises(OddNumberError, match=r"^21 is odd$"):
        run(tmp_path, range(30), jobs=jobs, refused=21)
    kept = numbers(tmp_path)
    assert set(kept) <= set(range(30)) - {21}
    assert sorted(run(tmp_path, range(30), resume=True).results, key=lambda r: r.square) == [
        Squared(Number(n), n * n) for n in range(30)
    ]


def test_an_error_of_ours_comes_through_dask_as_it_is(tmp_path, scheduler):
    with pytest.raises(OddNumberError, match="1 is odd"):
        run(tmp_path, range(3), refused=1, backend=Backend("dask", scheduler=scheduler))


def test_a_folder_of_another_kind_of_sweep_is_refused(tmp_path):
    run(tmp_path, range(3))
    with pytest.raises(JournalError, match="schema 'test/squares/1', not other/1"):
        read_manifest(tmp_path, "other/1")
