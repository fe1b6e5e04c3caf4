"""``satsweeper competition``: what is asked for is written, what is wrong is one line."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from satsweeper.competition.measurement import Measurement, Probe, SolverRun
from satsweeper.competition.measuring import WEAK, Measurer
from satsweeper.competition.solving import enumerate_models, solve
from satsweeper.processes.limits import Ended
from tests.commands import call

Call = Callable[..., Any]


class Direct:
    """Runs tasks here; MiniSat is late on formulas of more than 60 variables, others on 200."""

    def run(self, task: Any, seconds: float, external: bool = False) -> Any:
        if task.func in (solve, enumerate_models):
            solver, formula = task.args
            if formula.num_vars > (60 if solver == WEAK else 200):
                return Ended("timeout", None, seconds)
        return task()

    def close(self) -> None:
        """Nothing is open."""


@pytest.fixture
def direct(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satsweeper.competition.run.Measurer", partial(Measurer, runs=Direct))


@pytest.mark.usefixtures("direct")
@pytest.mark.parametrize("track", ["sat", "pb", "counting"])
def test_an_entry_is_written_and_told(tmp_path: Path, track: str) -> None:
    folder = tmp_path / "entry"
    ended = call("competition", "--track", track, "--count", 4, "-o", folder, "--json")
    assert (ended.code, ended.err) == (0, "")
    content = ended.json
    assert content == json.loads((folder / "entry.json").read_text())
    assert (content["schema"], content["track"]) == ("satsweeper/entry/1", track)
    rows = content["instances"]
    assert len(rows) == 4
    assert sum(row["grade"] == "hard" for row in rows) >= 2
    assert all((folder / row["file"]).is_file() for row in rows)
    if track != "counting":
        assert {row["status"] for row in rows} == {"satisfiable", "unsatisfiable"}
    again = call("competition", "--track", track, "--count", 4, "-o", folder)
    assert again.code == 0
    assert again.out.splitlines()[-1].startswith(f"{folder}: 4 instances, ")
    assert (folder / "entry.json").read_text() == json.dumps(content, indent=1) + "\n"


@pytest.mark.usefixtures("direct")
def test_every_formula_of_an_entry_passes_lint(tmp_path: Path) -> None:
    rows = call("competition", "--count", 6, "-o", tmp_path, "--json").json["instances"]
    for row in rows:
        assert call("lint", tmp_path / row["file"]).out == "0 errors, 0 warnings\n"


@pytest.mark.usefixtures("direct")
def test_models_of_an_entry_are_read_back_onto_the_board(tmp_path: Path) -> None:
    rows = call("competition", "--count", 6, "-o", tmp_path, "--json").json["instances"]
    boards = [tmp_path / "instances" / row["name"] for row in rows]
    boards = [each for each in boards if Path(f"{each}.board.txt").exists()]
    boards = [each for each in boards if Path(f"{each}.model.txt").exists()]
    assert boards
    for each in boards:
        read = call("decode", f"{each}.board.txt", "--map", f"{each}.map.json", f"{each}.model.txt")
        assert (read.code, read.err) == (0, "")


def test_what_can_not_be_had_is_told_and_the_rest_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Easy(Direct):
        def run(self, task: Any, seconds: float, external: bool = False) -> Any:
            if task.func is solve and task.args[1].num_vars > 100:
                return Ended("timeout", None, seconds)
            return task()

    monkeypatch.setattr("satsweeper.competition.run.Measurer", partial(Measurer, runs=Easy))
    ended = call("competition", "--count", 4, "-o", tmp_path)
    assert ended.code == 1
    assert ended.out.splitlines()[-1] == (
        "short of the bar, as there are no more to be measured:"
        " 0 of 2 that the strong solver alone solves; these of 0 of at least 2 families"
    )
    assert (tmp_path / "SHA256SUMS").exists()


def test_an_answer_against_an_argument_ends_it_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Wrong(Direct):
        def run(self, task: Any, seconds: float, external: bool = False) -> Any:
            from satsweeper.competition.solving import Answered

            return Answered(SolverRun("UNSATISFIABLE", 0.1)) if task.func is solve else ""

    monkeypatch.setattr("satsweeper.competition.run.Measurer", partial(Measurer, runs=Wrong))
    ended = call("competition", "--count", 4, "-o", tmp_path)
    assert (ended.code, ended.out) == (1, "")
    assert "a solver says UNSATISFIABLE; by argument it is SATISFIABLE" in ended.err
    assert ended.err.count("\n") == 1
    assert not (tmp_path / "instances").exists()


def test_what_was_measured_in_time_is_kept_and_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from satsweeper.cli.lifetime import TimeIsUp

    class Slow(Measurer):
        left = 3

        def run(self, job: Probe) -> Measurement:
            if not Slow.left:
                raise TimeIsUp
            Slow.left -= 1
            return super().run(job)

    monkeypatch.setattr("satsweeper.competition.run.Measurer", partial(Slow, runs=Direct))
    ended = call("competition", "--count", 4, "-o", tmp_path, "--timeout", 1000)
    assert ended.code == 124
    assert ended.out.splitlines()[-1].startswith("short of the bar, as the time is over: ")
    assert (tmp_path / "results.jsonl").read_text().count("\n") == 3
    assert (tmp_path / "SHA256SUMS").exists()
    Slow.left = 10**6
    assert call("competition", "--count", 4, "-o", tmp_path).code == 0


def test_the_limit_of_time_holds_while_a_solver_runs(child: Call, tmp_path: Path) -> None:
    ended = child("competition", "-o", tmp_path / "entry", "--timeout", 2)
    assert ended.code == 124
    assert "the time is over" in ended.out or "not done within 2 s" in ended.err


def test_two_processes_measure_what_one_does(child: Call, tmp_path: Path) -> None:
    # Small instances, which no limit comes near.
    for jobs in (1, 2):
        folder = tmp_path / str(jobs)
        assert (
            child("competition", "--count", 1, "--hard", 0, "--jobs", jobs, "-o", folder).code == 0
        )
    found = [(tmp_path / name / "results.jsonl").read_text().splitlines() for name in ("1", "2")]
    one, two = ({json.loads(line)["id"] for line in lines} for lines in found)
    assert one == two
    assert len(one) == 4


@pytest.mark.usefixtures("direct")
def test_measurements_for_another_bar_are_not_mixed(tmp_path: Path) -> None:
    assert call("competition", "--count", 2, "-o", tmp_path).code == 0
    ended = call("competition", "--count", 2, "--seed", 1, "-o", tmp_path)
    assert ended.code == 2
    assert "was measured with seed 0, not 1" in ended.err


def test_the_series_of_a_track_are_listed() -> None:
    told = call("competition", "--list", "--json").json
    assert told["schema"] == "satsweeper/competition-list/1"
    rows = {row["name"]: row for row in told["series"]}
    assert rows["safehole"]["status"] == "satisfiable"
    assert rows["safehole_asked"]["status"] == "unsatisfiable"
    lines = call("competition", "--list", "--track", "counting").out.splitlines()
    assert len(lines) == 5
    assert all(": satisfiable: " in line for line in lines)
