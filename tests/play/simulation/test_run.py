"""A simulation comes to the same figures however it is run, stopped, split, taken up and grown."""

import json
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from satsweeper.compare.statistics.intervals import PairedCounts, wilson
from satsweeper.compare.sweep.backends import Backend
from satsweeper.compare.sweep.journal import MANIFEST, RESULTS, JournalError
from satsweeper.play.draw import FirstClick
from satsweeper.play.simulation.plan import Plan, board_named, plan_of, played_of
from satsweeper.play.simulation.player import StrategyFaultError
from satsweeper.play.simulation.report import as_json
from satsweeper.play.simulation.run import Simulation, read_simulation, run_plan, settings_of

PLAN = Plan(
    settings_of(
        [board_named("4x4/3"), board_named("3x3/2")], [FirstClick.SAFE, FirstClick.NONE], None
    ),
    ("random", "odd_strategies:lowest"),
    games=110,
    seed=3,
)


def run(folder: Path, plan: Plan = PLAN, jobs: int = 1, **options: Any) -> Simulation:
    return run_plan(plan, folder, Backend(jobs=jobs), **options)


def figures(found: Simulation) -> dict[str, Any]:
    """All but the seconds, which are measured."""
    answer = as_json(found)
    for row in answer["runs"]:
        assert row.pop("seconds") >= 0
    return answer


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    assert run(folder).complete
    return folder


@pytest.fixture(scope="module")
def expected(whole: Path) -> dict[str, Any]:
    return figures(read_simulation(whole))


def cut(whole: Path, folder: Path, keep: slice, torn: int = 0) -> Path:
    """A folder as a killed run leaves it: some batches in any order, and part of another."""
    lines = (whole / RESULTS).read_bytes().splitlines(keepends=True)
    folder.mkdir()
    (folder / MANIFEST).write_bytes((whole / MANIFEST).read_bytes())
    (folder / RESULTS).write_bytes(b"".join(lines[keep]) + lines[0][:torn])
    return folder


def test_two_processes_come_to_the_figures_of_one(tmp_path, expected):
    assert figures(run(tmp_path, jobs=2)) == expected


def test_a_dask_cluster_comes_to_the_figures_of_one_process(tmp_path, expected, monkeypatch):
    distributed = pytest.importorskip("distributed")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2] / "data"))
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
    ) as cluster:
        address = cluster.scheduler_address
        assert figures(run_plan(PLAN, tmp_path, Backend("dask", scheduler=address))) == expected


@pytest.mark.parametrize("batch", [10, 100])
def test_the_size_of_batches_changes_nothing(tmp_path, expected, batch):
    assert figures(run(tmp_path, replace(PLAN, batch=batch))) == expected


@pytest.mark.parametrize("torn", [0, 90])
def test_what_a_kill_left_is_gone_on_with(tmp_path, whole, expected, torn):
    folder = cut(whole, tmp_path / "cut", slice(15, 3, -1), torn)
    kept = (folder / RESULTS).read_bytes().splitlines()[:12]
    assert not read_simulation(folder).complete
    assert figures(run(folder, resume=True)) == expected
    assert set(kept) <= set((folder / RESULTS).read_bytes().splitlines())
    assert len((folder / RESULTS).read_bytes().splitlines()) == len(PLAN.batches())


def test_games_played_so_far_are_counted_whatever_is_missing(tmp_path, whole):
    found = read_simulation(cut(whole, tmp_path / "cut", slice(2, 9)))
    assert sum(table.games for table in found.tables) == 7 * 20
    assert found.missing == 4 * 110 - 7 * 20


def test_a_simulation_grows(tmp_path, expected):
    run(tmp_path, replace(PLAN, games=30))
    assert figures(run(tmp_path, resume=True)) == expected
    assert figures(read_simulation(tmp_path)) == expected
    with pytest.raises(JournalError, match=r"holds .* jobs .*; these arguments say"):
        run(tmp_path, replace(PLAN, games=30), resume=True)
    assert figures(read_simulation(tmp_path)) == expected


@pytest.mark.parametrize(
    "other", [{"seed": 4}, {"strategies": ("random",)}, {"settings": PLAN.settings[:1]}]
)
def test_another_simulation_is_not_gone_on_with(tmp_path, whole, other):
    folder = cut(whole, tmp_path / "cut", slice(0, 2))
    before = (folder / RESULTS).read_bytes()
    with pytest.raises(JournalError, match="these arguments say"):
        run(folder, replace(PLAN, **other), resume=True)
    assert (folder / RESULTS).read_bytes() == before


def test_shards_are_collected_into_the_whole(tmp_path, expected):
    for number in (1, 2, 3):
        part = run(tmp_path / f"shard-{number}", shard=(number, 3))
        assert part.complete
        assert part.shard == (number, 3)
    assert figures(run(tmp_path, resume=True)) == expected
    with pytest.raises(ValueError, match="none for a shard"):
        run(tmp_path / "shard-4", replace(PLAN, width=0.1), shard=(1, 2))


def outcomes(whole: Path, setting: int) -> list[list[bool]]:
    """Which games of a setting each strategy has won, from the lines of the journal."""
    won: list[dict[int, bool]] = [{}, {}]
    for line in map(json.loads, (whole / RESULTS).read_text().splitlines()):
        board, promise = PLAN.settings[setting].board, PLAN.settings[setting].first_click
        if (line["board"], line["first_click"]) == (str(board), promise):
            for of, each in zip(won, line["strategies"].values(), strict=True):
                for at in range(line["games"]):
                    of[line["first"] + at] = bool(int(each["won"], 16) >> at & 1)
    return [[of[number] for number in range(len(of))] for of in won]


WIDTH = 0.15
MANY = replace(PLAN, games=300, settings=PLAN.settings[:2])


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("many")
    run(folder, MANY)
    return folder


@pytest.mark.parametrize(
    ("narrow", "jobs"), [("all", 1), ("all", 2), ("rates", 1), ("differences", 1)]
)
def test_a_width_ends_each_setting_at_the_first_look_at_which_it_is_reached(
    tmp_path, many, narrow, jobs
):
    plan = replace(MANY, width=WIDTH, narrow=narrow)
    found = run(tmp_path, plan, jobs=jobs)
    for at, table in enumerate(found.tables):
        a, b = outcomes(many, at)
        for looked in range(100, MANY.games + 1, 100):
            first, second = a[:looked], b[:looked]
            both = sum(x and y for x, y in zip(first, second, strict=True))
            pairs = PairedCounts(both, sum(first) - both, sum(second) - both, 0)
            pairs = replace(pairs, neither=looked - pairs.n)
            ends = {
                "rates": [wilson(sum(first), looked), wilson(sum(second), looked)],
                "differences": [pairs.interval()],
            }
            wanted = ends["rates"] + ends["differences"] if narrow == "all" else ends[narrow]
            if all(high - low <= WIDTH for low, high in wanted):
                break
        assert (table.games, [run.won for run in table.runs]) == (looked, [sum(first), sum(second)])
        assert table.enough or looked == MANY.games
    assert any(table.enough and table.games < MANY.games for table in found.tables)
    assert found.complete
    assert figures(run(tmp_path, plan, resume=True)) == figures(found)
    # What was played beyond that does not count.
    folder = copytree(many, tmp_path / "more")
    assert figures(run(folder, plan, resume=True)) == figures(found)


def test_a_fault_keeps_what_was_played_and_names_the_game(tmp_path):
    def late(view: Any) -> tuple[int, int]:
        raise RuntimeError("not today")

    name = "own:late"
    plan = replace(PLAN, strategies=(name,))
    with pytest.raises(StrategyFaultError, match=r"strategy 'own:late' fails in game .*not today"):
        run(tmp_path, plan, own={name: late})
    assert (tmp_path / MANIFEST).exists()


def test_a_plan_is_read_as_it_was_written():
    for plan in (PLAN, replace(PLAN, width=0.01, narrow="rates", batch=50)):
        assert plan_of(json.loads(json.dumps(plan.as_json()))) == plan


@pytest.mark.parametrize(
    "change",
    [
        {"games": 19},
        {"seed": -1},
        {"board": "4x4"},
        {"strategies": {}},
        {"strategies": {"random": {"won": "-1", "guesses": [0] * 20, "unsafe": 0}}},
        {"strategies": {"random": {"won": "fffffff", "guesses": [0] * 20, "unsafe": 0}}},
        {"strategies": {"random": {"won": "f", "guesses": [0] * 19, "unsafe": 0}}},
        {"strategies": {"random": {"won": "f", "guesses": ["0"] * 20, "unsafe": 0}}},
        {"measured": {}},
        {"more": 1},
    ],
)
def test_a_line_that_was_tampered_with_is_named(tmp_path, whole, change):
    folder = cut(whole, tmp_path / "cut", slice(0, 3))
    lines = (folder / RESULTS).read_text().splitlines()
    lines[1] = json.dumps({**json.loads(lines[1]), **change})
    (folder / RESULTS).write_text("\n".join(lines) + "\n")
    with pytest.raises(JournalError, match=rf"{RESULTS}:2: "):
        read_simulation(folder)


def test_a_line_is_read_as_it_was_written(whole):
    for line in (whole / RESULTS).read_text().splitlines():
        assert json.dumps(played_of(json.loads(line)).as_json(), separators=(",", ":")) == line


@pytest.mark.parametrize("text", ["{}", "[]", '{"schema": "satsweeper/compare/1"}'])
def test_a_folder_that_holds_no_simulation_is_one_line(tmp_path, text):
    with pytest.raises(JournalError, match="no such file"):
        read_simulation(tmp_path)
    (tmp_path / MANIFEST).write_text(text)
    with pytest.raises(JournalError):
        read_simulation(tmp_path)
