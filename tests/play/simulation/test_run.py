"""Figures of a simulation are those of its games, however it is run, stopped, split and grown."""

import json
import pickle
from collections import Counter
from dataclasses import replace
from itertools import combinations, product
from math import sqrt
from pathlib import Path
from shutil import copytree
from statistics import mean
from typing import Any

import pytest

from satsweeper.compare.statistics.intervals import PairedCounts, wilson
from satsweeper.compare.sweep.backends import Backend
from satsweeper.compare.sweep.journal import MANIFEST, RESULTS, JournalError
from satsweeper.play.draw import FirstClick, game_layout, usual_start
from satsweeper.play.kernel import certain
from satsweeper.play.playing import GameOutcome
from satsweeper.play.presets import PRESETS, board_named
from satsweeper.play.simulation import player
from satsweeper.play.simulation.plan import (
    Batch,
    Outcomes,
    Plan,
    Setting,
    plan_of,
    played_of,
)
from satsweeper.play.simulation.player import Player, StrategyFaultError
from satsweeper.play.simulation.report import as_json
from satsweeper.play.simulation.run import (
    Simulation,
    games_won,
    read_simulation,
    run_plan,
    settings_of,
    simulate,
)
from satsweeper.play.strategies import built_in
from satsweeper.play.strategies.table import find_strategy
from tests.play.cells import Cell, cells_of, clue_of, mines_of, opens

LOWEST = "odd_strategies:lowest"

PLAN = Plan(
    settings_of(
        [board_named("4x4/3"), board_named("3x3/2")], [FirstClick.SAFE, FirstClick.NONE], None
    ),
    ("random", LOWEST),
    games=110,
    seed=3,
)


DATA = Path(__file__).parents[2] / "data"


@pytest.fixture(scope="module", autouse=True)
def own_strategies():
    """``odd_strategies:NAME`` is found here, and by processes that are started here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(DATA)
        patch.syspath_prepend(DATA)
        yield


def run(folder: Path, plan: Plan = PLAN, jobs: int = 1, **options: Any) -> Simulation:
    return run_plan(plan, folder, Backend(jobs=jobs), **options)


def figures(found: Simulation) -> dict[str, Any]:
    """All but the seconds, which are measured."""
    answer = as_json(found)
    for row in answer["runs"]:
        assert row.pop("seconds") >= 0
    return answer


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    assert run(folder).complete
    return folder


@pytest.fixture(scope="module")
def expected(whole):
    return figures(read_simulation(whole))


def cut(whole: Path, folder: Path, keep: slice, torn: int = 0) -> Path:
    """A folder as a killed run leaves it: some batches in any order, and part of another."""
    lines = (whole / RESULTS).read_bytes().splitlines(keepends=True)
    folder.mkdir()
    (folder / MANIFEST).write_bytes((whole / MANIFEST).read_bytes())
    (folder / RESULTS).write_bytes(b"".join(lines[keep]) + lines[0][:torn])
    return folder


@pytest.mark.parametrize(("batch", "jobs"), [(PLAN.batch, 2), (10, 1), (100, 1)])
def test_processes_and_the_size_of_batches_change_nothing(tmp_path, expected, batch, jobs):
    assert figures(run(tmp_path, replace(PLAN, batch=batch), jobs)) == expected


def test_a_dask_cluster_comes_to_the_figures_of_one_process(tmp_path, expected, monkeypatch):
    distributed = pytest.importorskip("distributed")
    monkeypatch.setenv("PYTHONPATH", str(DATA))
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
    ) as cluster:
        address = cluster.scheduler_address
        assert figures(run_plan(PLAN, tmp_path, Backend("dask", scheduler=address))) == expected


@pytest.mark.parametrize("torn", [0, 90])
def test_what_a_kill_left_is_gone_on_with(tmp_path, whole, expected, torn):
    folder = cut(whole, tmp_path / "cut", slice(15, 3, -1), torn)
    kept = (folder / RESULTS).read_bytes().splitlines()[:12]
    found = read_simulation(folder)
    assert sum(table.games for table in found.tables) == 12 * 20
    assert (found.missing, found.complete) == (4 * 110 - 12 * 20, False)
    assert figures(run(folder, resume=True)) == expected
    lines = (folder / RESULTS).read_bytes().splitlines()
    assert set(kept) <= set(lines)
    assert len(lines) == len(PLAN.batches())


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
        assert (part.complete, part.shard) == (True, (number, 3))
    assert figures(run(tmp_path, resume=True)) == expected
    with pytest.raises(ValueError, match="none for a shard"):
        run(tmp_path / "shard-4", replace(PLAN, width=0.1), shard=(1, 2))


@pytest.mark.parametrize("where", ["shard-2", "."])
def test_games_by_another_version_of_a_strategy_are_refused(tmp_path, where):
    plan = replace(PLAN, games=40)
    for number in (1, 2):
        run(tmp_path / f"shard-{number}", plan, shard=(number, 2))
    run(tmp_path, plan, resume=True)
    path = tmp_path / where / MANIFEST
    content = json.loads(path.read_text())
    content["code"] |= {"random": "0" * 16}
    path.write_text(json.dumps(content))
    before = (tmp_path / RESULTS).read_bytes()
    line = rf"{path.parent}: was measured with another version of random: code 0{{16}}, this is "
    with pytest.raises(JournalError, match=line):
        run(tmp_path, replace(plan, games=60), resume=True)
    assert (tmp_path / RESULTS).read_bytes() == before


TEXT = """
TURN = 1
def key(cell):
    'Say which comes first.'
    return cell[0], TURN * cell[1]
class Chooser:
    def choose(self, view):
        # By the key.
        return min(view.covered, key=key)
    def unused(self): return 1
def strategy(view):
    return Chooser().choose(view)
def other(): return 2
"""


def version(text: str) -> str:
    """The digest of the strategy of a module with this text."""
    module: dict[str, Any] = {"__name__": "own_module"}
    exec(text, module)
    return player.code_digest(module["strategy"])


def test_a_strategy_has_another_version_if_code_that_it_runs_is_another(monkeypatch):
    for old, new in [
        ("'Say which comes first.'", "'Another sentence.'"), ("# By the key.", "# Another comment"),
        ("unused(self): return 1", "unused(self): return 2"), ("other(): return 2", "more(): pass"),
    ]:  # fmt: skip
        assert TEXT.replace(old, new) != TEXT
        assert version(TEXT) == version(TEXT.replace(old, new))
    for old, new in [("TURN = 1", "TURN = -1"), ("cell[0], T", "-cell[0], T"), ("min(", "max(")]:
        assert version(TEXT) != version(TEXT.replace(old, new))

    names = "random", "safest", "second_safety", "exact", "safest+exact"

    def versions() -> dict[str, str]:
        return {name: player.code_digest(find_strategy(name)) for name in names}

    before = versions()
    assert len(set(before.values())) == len(names)
    simulate("4x4/4", names[:3], 20)
    assert versions() == before
    monkeypatch.setattr(built_in, "LAYOUTS", 1999)
    changed = {name for name, digest in versions().items() if digest != before[name]}
    assert changed == {"exact", "safest+exact"}
    # Certain moves are a part of every game.
    monkeypatch.setattr(certain, "STUCK", 7)
    assert not {*versions().values()} & {*before.values()}


def test_games_won_are_read_game_by_game_from_folders(whole):
    found = games_won(whole)
    for at, setting in enumerate(PLAN.settings):
        for name, won in zip(PLAN.strategies, outcomes(whole, at), strict=True):
            assert found[setting, name].tolist() == won


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
            won = [sum(a[:looked]), sum(b[:looked])]
            ends = [wilson(each, looked) for each in won] if narrow != "differences" else []
            if narrow != "rates":
                pairs = Counter(zip(a[:looked], b[:looked], strict=True))
                counts = [pairs[pair] for pair in product((True, False), repeat=2)]
                ends.append(PairedCounts(*counts).interval())
            if all(high - low <= WIDTH for low, high in ends):
                break
        assert (table.games, [run.won for run in table.runs]) == (looked, won)
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


def test_a_plan_and_a_line_are_read_as_they_were_written(whole):
    for plan in (PLAN, replace(PLAN, width=0.01, narrow="rates", batch=50)):
        assert plan_of(json.loads(json.dumps(plan.as_json()))) == plan
    for line in (whole / RESULTS).read_text().splitlines():
        assert json.dumps(played_of(json.loads(line)).as_json(), separators=(",", ":")) == line


@pytest.mark.parametrize(
    "change",
    [
        {"games": 19}, {"seed": -1}, {"board": "4x4"}, {"strategies": {}},
        {"strategies": {"random": {"won": "-1", "guesses": [0] * 20, "unsafe": 0}}},
        {"strategies": {"random": {"won": "fffffff", "guesses": [0] * 20, "unsafe": 0}}},
        {"strategies": {"random": {"won": "f", "guesses": [0] * 19, "unsafe": 0}}},
        {"strategies": {"random": {"won": "f", "guesses": ["0"] * 20, "unsafe": 0}}},
        {"measured": {}}, {"more": 1},
    ],
)  # fmt: skip
def test_a_line_that_was_tampered_with_is_named(tmp_path, whole, change):
    folder = cut(whole, tmp_path / "cut", slice(0, 3))
    lines = (folder / RESULTS).read_text().splitlines()
    lines[1] = json.dumps({**json.loads(lines[1]), **change})
    (folder / RESULTS).write_text("\n".join(lines) + "\n")
    with pytest.raises(JournalError, match=rf"{RESULTS}:2: "):
        read_simulation(folder)


@pytest.mark.parametrize("text", ["{}", "[]", '{"schema": "satsweeper/compare/1"}'])
def test_a_folder_that_holds_no_simulation_is_one_line(tmp_path, text):
    with pytest.raises(JournalError, match="no such file"):
        read_simulation(tmp_path)
    (tmp_path / MANIFEST).write_text(text)
    with pytest.raises(JournalError):
        read_simulation(tmp_path)


def played(name: str, games: int = 20) -> Outcomes:
    setting = Setting(board_named("5x5/6"), FirstClick.SAFE, (0, 0))
    with Player() as runner:
        [found] = runner.run(Batch(setting, (f"odd_strategies:{name}",), 1, 40, games)).outcomes
    return found


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("opened", ""), ("beside", ""), ("nothing", ""), ("leaving", ""),
        ("raising", r"KeyError: 'my\nfault'"),
    ],
)  # fmt: skip
def test_a_fault_is_one_line_with_strategy_game_and_board(name, words):
    with pytest.raises(StrategyFaultError) as caught:
        played(name)
    line = str(caught.value)
    assert line.startswith(f"strategy 'odd_strategies:{name}' fails in game 4")
    assert f" of seed 1 on 5x5/6, first click safe at (0, 0): {words}" in line
    assert "\n" not in line
    assert not line.rstrip().endswith(":")
    assert str(pickle.loads(pickle.dumps(caught.value))) == line


def test_a_batch_is_the_games_of_its_numbers_by_a_strategy_that_is_there():
    with pytest.raises(ValueError, match="odd_strategies:missing"):
        played("missing")
    whole, first = played("lowest"), played("lowest", games=10)
    assert first.guesses == whole.guesses[:10]
    assert first.won == whole.won & 0x3FF


def test_unsafe_cells_are_counted(monkeypatch):
    # The first game is played once before the clock runs.
    ends = iter([GameOutcome(n % 2 == 0, n, n % 3) for n in (0, 0, 1, 2, 3, 4)])
    monkeypatch.setattr(player, "play_game", lambda *_: next(ends))
    found = played("lowest", games=5)
    assert (found.won, found.guesses, found.unsafe) == (0b10101, (0, 1, 2, 3, 4), 4)


def by_hand(mines: frozenset[Cell], shape: tuple[int, int], first: Cell) -> tuple[bool, int]:
    """Whether a game is won, and with how many guesses, by whoever opens what is certain.

    Where nothing is, the first cell is opened that may be free. All layouts are looked through
    each time.
    """
    clues: dict[Cell, int] = {}
    waiting, guesses = [first], 0
    while True:
        while waiting:
            cell = waiting.pop()
            if cell in mines:
                return False, guesses
            clues |= {each: clue_of(each, mines) for each in opens(cell, mines, shape)}
        covered = [cell for cell in cells_of(shape) if cell not in clues]
        if len(covered) == len(mines):
            return True, guesses
        fit = [
            layout
            for layout in map(frozenset, combinations(covered, len(mines)))
            if all(clue_of(cell, layout) == clue for cell, clue in clues.items())
        ]
        waiting = [cell for cell in covered if not any(cell in layout for layout in fit)]
        if not waiting:
            free = [cell for cell in covered if not all(cell in layout for layout in fit)]
            waiting, guesses = [free[0]], guesses + 1


@pytest.mark.parametrize("first_click", list(FirstClick))
def test_every_figure_is_that_of_the_games_one_by_one(first_click):
    board, start, games = board_named("4x3/3"), (1, 0), 60
    [table] = simulate(board, LOWEST, games, first_click=first_click, start=start, seed=4).tables
    layouts = [game_layout(board, start, first_click, 4, number) for number in range(games)]
    ends = [by_hand(mines_of(layout), (3, 4), start) for layout in layouts]
    [run] = table.runs
    won, guesses = sum(won for won, _ in ends), Counter(guesses for _, guesses in ends)
    assert (run.games, run.won, run.rate) == (games, won, won / games)
    assert (run.interval, run.unsafe) == (wilson(won, games), 0)
    assert (run.guesses, run.unguessed) == (mean(n for _, n in ends), ends.count((True, 0)))
    assert {n: count for n, (count, _) in run.by_guesses.items()} == guesses


@pytest.mark.parametrize(
    ("mines", "first_click", "start"), [(2, "none", (1, 0)), (2, "opening", (0, 0))]
)
def test_shares_come_near_what_all_layouts_of_a_tiny_board_give(mines, first_click, start):
    free = {"none": [], "opening": [(0, 0), (0, 1), (1, 0), (1, 1)]}[first_click]
    allowed = map(frozenset, combinations({*cells_of((3, 3))} - {*free}, mines))
    truth = mean(by_hand(each, (3, 3), start)[0] for each in allowed)
    games = 300
    found = simulate(f"3x3/{mines}", LOWEST, games, first_click=first_click, start=start)
    won = found.tables[0].runs[0].won
    assert abs(won / games - truth) <= 4 * sqrt(truth * (1 - truth) / games)


def test_strategies_meet_on_the_same_layouts():
    def lowest(view):
        return min(view.covered)

    def highest(view):
        return max(view.covered)

    [table] = simulate("4x4/4", [lowest, LOWEST, highest], 100).tables
    one, other, high = table.runs
    assert (one.won, one.guesses) == (other.won, other.guesses)
    same, differs = table.pairs[0], table.pairs[1].pairs
    assert (same.pairs.first, same.pairs.second, same.p) == (0, 0, 1.0)
    won = differs.first + differs.both, differs.second + differs.both
    assert (won, differs.n) == ((high.won, one.won), 100)
    assert differs.difference == pytest.approx((high.won - one.won) / 100)


def test_games_begin_where_published_ones_do():
    opening = FirstClick.OPENING
    others = product(PRESETS.values(), {*FirstClick} - {opening})
    assert {usual_start(board, promise) for board, promise in others} == {(0, 0)}
    starts = [usual_start(board, opening) for board in PRESETS.values()]
    assert starts == [(2, 2), (2, 2), (3, 3), (2, 2)]
    assert [usual_start(board_named(n), opening) for n in ("2x8/1", "8x2/1")] == [(2, 1), (1, 2)]


def test_every_board_is_played_under_every_promise():
    found = simulate(["3x3/1", "4x3/2"], LOWEST, 20, first_click=["none", "windows"])
    assert [str(table.setting) for table in found.tables] == [
        "3x3/1, first click none at (0, 0)", "3x3/1, first click windows at (0, 0)",
        "4x3/2, first click none at (0, 0)", "4x3/2, first click windows at (0, 0)",
    ]  # fmt: skip
    assert all(table.games == 20 for table in found.tables)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"boards": "experts"}, "unknown board 'experts'; did you mean 'expert'"),
        ({"boards": "3x3/9"}, "board 3x3/9: 9 mines: first click 'safe' leaves room for 8"),
        ({"boards": ["3x3/1", "3x3/1"]}, "settings: one is named twice"),
        ({"strategies": "safes"}, "unknown strategy 'safes'; did you mean 'safest'"),
        ({"strategies": []}, "no strategies to simulate"),
        ({"games": 0}, "0 games"),
        ({"first_click": "saef"}, "unknown first click 'saef'; did you mean 'safe'"),
        ({"start": (3, 0)}, r"first cell \(3, 0\): the board is 3x3"),
        ({"width": 1.0}, "a width of 1.0"),
        ({"width": 0.1, "narrow": "differences"}, "that takes two strategies"),
    ],
)
def test_what_cannot_be_played_is_one_line(options, words):
    with pytest.raises(ValueError, match=words) as caught:
        simulate(**{"boards": "3x3/1", "strategies": LOWEST, "games": 10, **options})
    assert "\n" not in str(caught.value)
