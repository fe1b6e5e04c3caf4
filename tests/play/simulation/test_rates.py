"""The figures are those of the games, which an oracle plays as well."""

from itertools import combinations
from math import sqrt

import pytest

from satsweeper.compare.statistics.intervals import wilson
from satsweeper.play.draw import FirstClick, game_layout, usual_start
from satsweeper.play.simulation.plan import BOARDS, board_named
from satsweeper.play.simulation.run import simulate
from tests.play.cells import mines_of

LOWEST = "odd_strategies:lowest"


@pytest.mark.parametrize("first_click", list(FirstClick))
def test_every_figure_is_that_of_the_games_one_by_one(first_click, play_by_hand):
    board, start, games = board_named("4x3/3"), (1, 0), 60
    [table] = simulate(board, LOWEST, games, first_click=first_click, start=start, seed=4).tables
    layouts = [game_layout(board, start, first_click, 4, number) for number in range(games)]
    ends = [play_by_hand(mines_of(layout), (3, 4), start) for layout in layouts]
    [run] = table.runs
    won = sum(won for won, _ in ends)
    assert (run.games, run.won, run.rate) == (games, won, won / games)
    assert run.interval == wilson(won, games)
    assert run.guesses == sum(guesses for _, guesses in ends) / games
    assert run.unguessed == ends.count((True, 0))
    assert run.unsafe == 0
    assert {n: count for n, (count, _) in run.by_guesses.items()} == {
        n: sum(guesses == n for _, guesses in ends) for n in {guesses for _, guesses in ends}
    }


@pytest.mark.parametrize(
    ("mines", "first_click", "start"),
    [(2, "none", (1, 0)), (2, "opening", (0, 0))],
)
def test_shares_come_near_what_all_layouts_of_a_tiny_board_give(
    mines, first_click, start, play_by_hand
):
    cells = [(row, column) for row in range(3) for column in range(3)]
    layouts = [frozenset(each) for each in combinations(cells, mines)]
    free = {"none": [], "opening": [(0, 0), (0, 1), (1, 0), (1, 1)]}[first_click]
    allowed = [layout for layout in layouts if layout.isdisjoint(free)]
    truth = sum(play_by_hand(each, (3, 3), start)[0] for each in allowed) / len(allowed)
    games = 300
    found = simulate(f"3x3/{mines}", LOWEST, games, first_click=first_click, start=start)
    assert abs(found.tables[0].runs[0].rate - truth) <= 4 * sqrt(truth * (1 - truth) / games)


def test_strategies_meet_on_the_same_layouts(play_by_hand):
    def lowest(view):
        return min(view.covered)

    def highest(view):
        return max(view.covered)

    [table] = simulate("4x4/4", [lowest, LOWEST, highest], 100).tables
    one, other, high = table.runs
    assert (one.won, one.guesses) == (other.won, other.guesses)
    same, differs, _ = table.pairs
    assert (same.pairs.first, same.pairs.second, same.p) == (0, 0, 1.0)
    assert differs.pairs.first + differs.pairs.both == high.won
    assert differs.pairs.second + differs.pairs.both == one.won
    assert differs.pairs.n == 100
    assert differs.pairs.difference == pytest.approx((high.won - one.won) / 100)


def test_games_begin_where_published_ones_do():
    starts = {
        (name, promise): usual_start(BOARDS[name], promise)
        for name in BOARDS
        for promise in FirstClick
    }
    opening = FirstClick.OPENING
    assert {cell for (_, promise), cell in starts.items() if promise is not opening} == {(0, 0)}
    assert [starts[name, opening] for name in BOARDS] == [(2, 2), (2, 2), (3, 3)]
    assert usual_start(board_named("2x8/1"), opening) == (2, 1)


def test_every_board_is_played_under_every_promise():
    found = simulate(["3x3/1", "4x3/2"], LOWEST, 20, first_click=["none", "windows"])
    assert [str(table.setting) for table in found.tables] == [
        "3x3/1, first click none at (0, 0)",
        "3x3/1, first click windows at (0, 0)",
        "4x3/2, first click none at (0, 0)",
        "4x3/2, first click windows at (0, 0)",
    ]
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
