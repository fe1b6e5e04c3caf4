"""Rounds into a folder: journalled, gone on with, and never into a folder of something else."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from satsweeper.certificate.folder import FolderTakenError
from satsweeper.compare.sweep.journal import JournalError
from satsweeper.competition.instance import series_of
from satsweeper.competition.measurement import Measurement, Probe
from satsweeper.competition.measuring import Bar
from satsweeper.competition.run import measure_into, measurements_in
from satsweeper.competition.selection import Wish, missing

Make = Callable[..., Any]
SERIES = series_of("sat")
WISH = Wish("sat", 4, 2, 0)


class MadeUp:
    """Measures without solvers: what is beyond the small sizes is hard. Counts what it is asked."""

    asked = 0

    def __init__(self, make: Make, stop_after: int = 10**6) -> None:
        self.make = make
        self.left = stop_after

    def run(self, job: Probe) -> Measurement:
        if not self.left:
            raise KeyboardInterrupt
        self.left -= 1
        MadeUp.asked += 1
        series = SERIES[job.series]
        grade = "hard" if job.size > series.family.small[-1] else "easy"
        claim = "SATISFIABLE" if series.satisfiable else "UNSATISFIABLE"
        found: Measurement = self.make(job.series, job.size, grade, job.seed, claim=claim)
        return found

    def __enter__(self) -> "MadeUp":
        return self

    def __exit__(self, *error: object) -> None:
        """Nothing is open."""


@pytest.fixture
def measure(bar: Bar, make: Make) -> Make:
    def into(folder: Path, wish: Wish = WISH, most: int = 10**6, **more: Any) -> list[Measurement]:
        return measure_into(folder, wish, bar, opening=lambda: MadeUp(make, most), **more)

    return into


def test_a_run_goes_on_until_there_is_enough(tmp_path: Path, measure: Make) -> None:
    seen: list[float] = []
    found = measure(tmp_path / "new", reach=seen.append)
    assert missing(WISH, found) == []
    assert measurements_in(tmp_path / "new") == found
    assert seen == sorted(seen)
    assert seen[-1] == sum(each.grade == "hard" for each in found)


def test_a_run_that_was_ended_goes_on_where_it_was(tmp_path: Path, measure: Make) -> None:
    whole = measure(tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        measure(tmp_path / "part", most=3)
    journal = tmp_path / "part" / "results.jsonl"
    assert journal.read_text().count("\n") == 3
    # A kill may tear the last line off.
    journal.write_text(journal.read_text() + '{"series": "on')
    for left in (len(whole) - 3, 0):
        MadeUp.asked = 0
        assert measure(tmp_path / "part") == whole
        assert MadeUp.asked == left
    # A larger entry uses what is there.
    more = measure(tmp_path / "part", Wish("sat", 12, 6, 0))
    assert more[: len(whole)] == whole
    assert len(more) > len(whole)


def test_a_folder_that_holds_something_else_is_refused(tmp_path: Path, bar: Bar) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(FolderTakenError, match=r"holds something else \(notes.txt\)"):
        measure_into(tmp_path, WISH, bar)
    with pytest.raises(FolderTakenError, match="not a folder"):
        measure_into(tmp_path / "notes.txt", WISH, bar)


def test_a_folder_of_other_measurements_or_of_another_version_is_refused(tmp_path, bar, measure):
    measure(tmp_path)
    for other, seed, said in (
        (Bar("sat", 2.0, "cadical195", 1.0), 0, "weak-seconds 1.0, not 2.0"),
        (Bar("sat", 1.0, "glucose4", 1.0), 0, "strong cadical195, not glucose4"),
        (Bar("pb", 1.0, "cadical195", 1.0), 0, "track sat, not pb"),
        (Bar("sat", 1.0, "cadical195", 1.0), 5, "seed 0, not 5"),
    ):
        with pytest.raises(FolderTakenError, match=f"was measured with {said}"):
            measure_into(tmp_path, Wish(other.track, 4, 2, seed), other)
    path = tmp_path / "manifest.json"
    content = json.loads(path.read_text())
    content["versions"]["pysat"] = "0.0"
    path.write_text(json.dumps(content))
    with pytest.raises(FolderTakenError, match=r"was measured with pysat 0\.0, this is "):
        measure_into(tmp_path, WISH, bar)


def test_a_damaged_line_is_named(tmp_path: Path, bar: Bar, measure: Make) -> None:
    measure(tmp_path)
    journal = tmp_path / "results.jsonl"
    journal.write_text("{}\n" + journal.read_text())
    with pytest.raises(JournalError, match=r"results\.jsonl:1: no measurement"):
        measure_into(tmp_path, WISH, bar)
