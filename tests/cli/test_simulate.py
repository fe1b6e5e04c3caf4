"""``satsweeper simulate``: its answers, its refusals, and that no kill costs more than a moment."""

import csv
import io
import os
import signal
from typing import Any

import pytest

from satsweeper.cli.main import parser_of
from satsweeper.play.playing import GameOutcome
from satsweeper.play.simulation.report import COLUMNS
from tests.commands import call, done, ended_quietly, jobs_written, refused, until

GAMES = 200
SIMULATION = [
    "simulate",
    "--boards",
    "5x5/4,4x4/3",
    "--strategy",
    "random,safest",
    "--games",
    "200",
]


def figures(answer: dict[str, Any]) -> dict[str, Any]:
    """All but the seconds, which are measured."""
    for row in answer["runs"]:
        assert row.pop("seconds") >= 0
    return answer


@pytest.fixture(scope="module")
def whole():
    return figures(done(*SIMULATION, "--json").json)


def test_the_json_has_a_row_a_run_and_a_row_a_pair(whole):
    assert (whole["schema"], whole["complete"]) == ("satsweeper/simulate/1", True)
    assert [(row["board"], row["strategy"]) for row in whole["runs"]] == [
        ("5x5/4", "random"), ("5x5/4", "safest"), ("4x4/3", "random"), ("4x4/3", "safest")
    ]  # fmt: skip
    for row in whole["runs"]:
        assert (row["first_click"], row["start"], row["games"]) == ("safe", [0, 0], GAMES)
        assert row["rate"] == row["won"] / GAMES
        assert 0 <= row["interval"][0] <= row["rate"] <= row["interval"][1] <= 1
        assert row["unsafe"] == 0
    runs = whole["runs"]
    for pair, one, other in zip(whole["pairs"], runs[::2], runs[1::2], strict=True):
        assert (pair["strategy"], pair["against"]) == ("safest", "random")
        assert pair["difference"] == pytest.approx(other["rate"] - one["rate"])
        assert pair["both"] + pair["only_strategy"] == other["won"]
        assert pair["both"] + pair["only_against"] == one["won"]
        assert sum(pair[k] for k in ("both", "only_strategy", "only_against", "neither")) == GAMES


@pytest.mark.parametrize(("how", "jobs"), [("kill", 2), ("ctrl-c", 1), ("ctrl-c", 2)])
def test_who_is_ended_loses_no_batch_that_was_written(start, whole, tmp_path, jobs, how):
    folder = tmp_path / "games"
    again = [*SIMULATION, "-o", folder, "--jobs", jobs, "--resume"]
    process = start(*again, start_new_session=True)
    until(lambda: jobs_written(folder) >= 3 or process.poll() is not None, "some games")
    if how == "kill":
        process.kill()
        process.wait()
    else:
        os.killpg(process.pid, signal.SIGINT)
        ended_quietly(process)
    assert jobs_written(folder) >= 3
    kept = (folder / "results.jsonl").read_bytes().splitlines()[:3]
    assert figures(call(*again, "--json").json) == whole
    assert set(kept) <= set((folder / "results.jsonl").read_bytes().splitlines())


def test_csv_has_the_figures_of_the_json(whole, tmp_path):
    file = tmp_path / "rates.csv"
    assert call(*SIMULATION, "--csv", file).code == 0
    rows = list(csv.DictReader(io.StringIO(file.read_text("utf-8"))))
    assert tuple(rows[0]) == COLUMNS
    for row, run in zip(rows, whole["runs"], strict=True):
        assert (row["board"], row["strategy"]) == (run["board"], run["strategy"])
        assert [int(row["games"]), int(row["won"])] == [run["games"], run["won"]]
        assert [float(row["rate_low"]), float(row["rate_high"])] == run["interval"]
        assert float(row["guesses"]) == run["guesses"]


def none_played(ended: Any) -> None:
    [run] = ended.json["runs"]
    assert (ended.code, ended.err, ended.json["complete"]) == (124, "", False)
    assert (run["games"], run["rate"], run["interval"]) == (0, None, [0, 1])


def test_what_was_played_until_the_limit_is_printed_be_it_nothing(child, data, tmp_path):
    words = ["--strategy", "odd_strategies:sleeping", "--boards", "4x4/3", "--json"]
    more = ("-o", tmp_path / "sleeping", "--jobs", 2, "--timeout", 3)
    none_played(child("simulate", *words, *more, cwd=data))
    limited = ("simulate", "--boards", "4x4/3", "--timeout", 1e-9)
    for keeping in ([], ["-o", tmp_path / "games"]):
        none_played(call(*limited, *keeping, "--json"))
    assert call(*limited).out.startswith("Not finished: ")


# The alarm may come between the opening of a file and the `with` that closes it.
@pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)
@pytest.mark.usefixtures("whole")
def test_a_limit_keeps_the_games_before_it(tmp_path):
    folder = tmp_path / "games"
    words = ["simulate", "--boards", "4x4/3", "--strategy", "random", "--games", 10**6]
    words += ["-o", folder, "--resume", "--timeout"]
    kept, seconds = 0, 0.5
    # However slow the machine is, some limit lets games be played.
    while not kept:
        ended = call(*words, seconds)
        assert (ended.code, ended.out[:14]) == (124, "Not finished: ")
        kept, seconds = jobs_written(folder), 2 * seconds
    found = call(*words, 0.01, "--json")
    assert found.code == 124
    assert found.json["runs"][0]["games"] >= kept


@pytest.mark.parametrize("name", ["opened", "raising", "nothing"])
def test_a_fault_of_a_strategy_is_one_line(data, monkeypatch, name):
    monkeypatch.chdir(data)
    monkeypatch.syspath_prepend(data)
    ended = refused(1, "simulate", "--boards", "4x4/6", "--strategy", f"odd_strategies:{name}")
    assert f"strategy 'odd_strategies:{name}' fails in game " in ended.err
    assert "4x4/6, first click safe at (0, 0)" in ended.err


def test_an_unsafe_cell_fails_the_check(monkeypatch):
    play = "satsweeper.play.simulation.player.play_game"
    monkeypatch.setattr(play, lambda *_: GameOutcome(False, 0, 1))
    ended = call("simulate", "--boards", "4x4/3", "--games", 30)
    assert ended.code == 1
    assert ended.out.startswith("WRONG: 30 cells called safe had a mine")


def test_a_job_array_runs_the_same_simulation():
    words = ["simulate", "--boards", "4x4/3", "--games", "90", "--seed", "5", "--start", "1,2"]
    ended = call(*words, "-o", "games", "--sbatch", "3")
    line = ended.out.splitlines()[-1]
    assert line.startswith("exec satsweeper simulate ")
    again = line.removeprefix("exec satsweeper ").replace('"$SLURM_ARRAY_TASK_ID"', "2").split()
    found = parser_of(["simulate"])[0].parse_args(again)
    assert (found.boards, found.games, found.seed, found.start) == ("4x4/3", 90, 5, (1, 2))
    assert (found.shard, found.output, found.resume) == ((2, 3), "games/shard-2", True)


def test_the_page_is_made_again_byte_for_byte_and_the_folder_is_no_sweep_of_encodings(tmp_path):
    pytest.importorskip("matplotlib")
    folder, page = tmp_path / "games", tmp_path / "page.html"
    words = ["simulate", "--boards", "4x4/3", "--strategy", "random,safest", "--games", 60]
    words += ["-o", folder, "--html", page]
    assert call(*words).code == 0
    first = page.read_bytes()
    assert call(*words, "--resume").code == 0
    assert page.read_bytes() == first
    assert first.count(b"<svg") == 3
    assert b"http://" not in first
    assert b"4x4/3, first click safe at (0, 0): 60 games" in first
    assert "satsweeper/simulation/1" in refused(1, "report", folder).err
