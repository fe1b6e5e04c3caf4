"""Games played by strategies: the same everywhere, certain moves never lost, faults named."""

import pytest

from satsweeper.board.size import BoardSize
from satsweeper.play.draw import FirstClick, game_layout
from satsweeper.play.playing import GameOutcome, play_game
from satsweeper.play.scratch import numbers_of
from satsweeper.play.strategies.table import STRATEGIES, find_strategy
from tests.play.cells import cells_of, clue_of, mines_of

SMALL = BoardSize.parse("6x5/7")


def test_numbers_are_those_that_a_plain_count_gives():
    layout = game_layout(SMALL, (0, 0), FirstClick.NONE, seed=3)
    mines = mines_of(layout)
    assert numbers_of(layout).tolist() == [
        9 if cell in mines else clue_of(cell, mines) for cell in cells_of((5, 6))
    ]


@pytest.mark.parametrize("name", [*STRATEGIES, "safest+exact"])
def test_no_strategy_ever_meets_a_mine_that_was_called_safe(name):
    strategy = find_strategy(name)
    for at in range(30):
        layout = game_layout(SMALL, (0, 0), FirstClick.SAFE, seed=1, number=at)
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

    for at in range(10):
        layout = game_layout(SMALL, (0, 0), FirstClick.SAFE, seed=2, number=at)
        play_game(layout, (0, 0), choose)


def test_a_first_click_on_a_mine_loses_at_once():
    layout = game_layout(BoardSize.parse("2x1/2"), (0, 0), FirstClick.NONE, seed=1)
    assert play_game(layout, (0, 0), find_strategy("safest")) == GameOutcome(won=False, guesses=0)


@pytest.mark.parametrize("cell", [(0, 0), (9, 9), None, (0.5, 0), 7])
def test_a_cell_that_cannot_be_guessed_at_is_refused(cell):
    layout = game_layout(BoardSize.parse("9x9/20"), (0, 0), FirstClick.SAFE, seed=1)
    with pytest.raises(ValueError, match="a strategy names a"):
        play_game(layout, (0, 0), lambda view: cell)
