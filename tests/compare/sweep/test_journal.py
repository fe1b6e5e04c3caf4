"""What is written stays, whatever ends the run; and nobody else writes there."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from satsweeper.compare.job.job import Result, result_of
from satsweeper.compare.sweep.journal import (
    RESULTS,
    Journal,
    JournalError,
    line_of,
    locked,
    read_results,
)

Make = Callable[..., Result]


def test_results_are_read_as_they_were_written(tmp_path: Path, made_up: Make) -> None:
    results = [made_up(seed=seed, conflicts=seed) for seed in range(5)]
    with Journal(tmp_path) as journal:
        for result in results:
            journal.append(result)
    assert read_results(tmp_path / RESULTS, result_of) == results


def test_a_result_is_on_disk_before_the_next_job_starts(tmp_path: Path, made_up: Make) -> None:
    with Journal(tmp_path) as journal:
        for seed in range(3):
            journal.append(made_up(seed=seed))
            assert len(read_results(tmp_path / RESULTS, result_of)) == seed + 1


def test_a_last_line_torn_anywhere_is_dropped_and_the_others_stay(
    tmp_path: Path, made_up: Make
) -> None:
    path = tmp_path / RESULTS
    results = [made_up(seed=seed) for seed in range(3)]
    whole = b"".join(map(line_of, results))
    last = len(line_of(results[-1]))
    for torn in range(1, last + 1):
        path.write_bytes(whole[:-torn])
        assert read_results(path, result_of) == results[:-1]
        with Journal(tmp_path) as journal:
            journal.append(results[-1])
        assert path.read_bytes() == whole


def test_a_finished_journal_is_in_the_order_of_the_plan(tmp_path: Path, made_up: Make) -> None:
    results = [made_up(seed=seed) for seed in range(4)]
    jobs = [result.job for result in results]
    with Journal(tmp_path) as journal:
        for result in reversed(results):
            journal.append(result)
        journal.finish(jobs, reversed(results))
    assert read_results(tmp_path / RESULTS, result_of) == results
    assert [path.name for path in tmp_path.iterdir()] == [RESULTS]


@pytest.mark.parametrize("change", [{"seed": 7}, {"status": "fine"}, {"more": 1}])
def test_a_line_that_was_tampered_with_is_named(
    tmp_path: Path, made_up: Make, change: dict[str, object]
) -> None:
    path = tmp_path / RESULTS
    wrong = {**made_up(seed=1).as_json(), **change}
    path.write_bytes(line_of(made_up()) + json.dumps(wrong).encode() + b"\n" + line_of(made_up()))
    with pytest.raises(JournalError, match=rf"{RESULTS}:2: "):
        read_results(path, result_of)


def test_a_line_that_is_no_json_is_named(tmp_path: Path) -> None:
    (tmp_path / RESULTS).write_bytes(b"{\n")
    with pytest.raises(JournalError, match=rf"{RESULTS}:1: "):
        read_results(tmp_path / RESULTS, result_of)


def test_no_file_is_no_results(tmp_path: Path) -> None:
    assert read_results(tmp_path / RESULTS, result_of) == []


def test_two_runs_cannot_write_into_one_folder(tmp_path: Path) -> None:
    with (
        locked(tmp_path / "new"),
        pytest.raises(JournalError, match="another run is writing here"),
        locked(tmp_path / "new"),
    ):
        pass
    with locked(tmp_path / "new"):
        pass
