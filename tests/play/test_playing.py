"""Games played by strategies: the same everywhere, certain moves never lost, faults named."""

import pytest

from satsweeper.board.size import BoardSize
from satsweeper.play.draw import game_layout
from satsweeper.play.first_click import FirstClick
from satsweeper.play.playing import GameOutcome, play_game
from satsweeper.play.scratch import numbers_of
from satsweeper.play.strategies.table import STRATEGIES, find_strategy

SMALL = BoardSize.parse("6x5/7")


def test_numbers_are_those_that_a_plain_count_gives():
    layout = game_layout(SMALL, (0, 0), FirstClick.NONE, seed=3)
    cells = [layout.geometry.index((r, c)) for r in range(5) for c in range(6)]
    mines = {(i // 6, i % 6) for i, index in enumerate(cells) if layout.mines >> index & 1}
    assert numbers_of(layout).tolist() == [
        9
        if (r, c) in mines
        else sum((i, j) in mines for i in range(r - 1, r + 2) for j in range(c - 1, c + 2))
        for r in range(5)
        for c in range(6)
    ]


@pytest.mark.parametrize("name", [*STRATEGIES, "safest+exact"])
def test_no_strategy_ever_meets_a_mine_that_was_called_safe(name):
    strategy = find_strategy(name)
    for number in range(30):
        layout = game_layout(SMALL, (0, 0), FirstClick.SAFE, seed=1, number=number)
        outcome = play_game(layout, (0, 0), strategy)
        assert outcome.unsafe == 0
        assert outcome.won or outcome.guesses


def test_a_strategy_is_asked_only_where_nothing_is_certain_and_sees_no_more_than_the_player():
    def choose(view):
        position = view.position
        assert set(view.covered) <= set(position.covered_cells())
        chances = [view.chance(cell) for cell in view.covered]
        assert min(chances) > 0
        assert max(chances) < 1
        assert view.layouts >= 2
        return view.covered[-1]

    for number in range(10):
        layout = game_layout(SMALL, (0, 0), FirstClick.SAFE, seed=2, number=number)
        play_game(layout, (0, 0), choose)


def test_a_first_click_on_a_mine_loses_at_once():
    layout = game_layout(BoardSize.parse("2x1/2"), (0, 0), FirstClick.NONE, seed=1)
    assert play_game(layout, (0, 0), find_strategy("safest")) == GameOutcome(won=False, guesses=0)


@pytest.mark.parametrize("cell", [(0, 0), (9, 9), None, (0.5, 0), 7])
def test_a_cell_that_cannot_be_guessed_at_is_refused(cell):
    layout = game_layout(BoardSize.parse("9x9/20"), (0, 0), FirstClick.SAFE, seed=1)
    with pytest.raises(ValueError, match="a strategy names a"):
        play_game(layout, (0, 0), lambda view: cell)
