"""What a strategy does wrong is one line that names it, the board and the game."""

import pickle

import pytest

from satsweeper.play.draw import FirstClick
from satsweeper.play.playing import GameOutcome
from satsweeper.play.simulation import player
from satsweeper.play.simulation.plan import Batch, Setting, board_named
from satsweeper.play.simulation.player import Player, StrategyFaultError


def batch(name: str, games: int = 20, seed: int = 1) -> Batch:
    setting = Setting(board_named("5x5/6"), FirstClick.SAFE, (0, 0))
    return Batch(setting, (f"odd_strategies:{name}",), seed, 40, games)


def played(name: str, **options: int) -> None:
    with Player() as runner:
        runner.run(batch(name, **options))


@pytest.mark.parametrize("name", ["opened", "beside", "nothing", "raising", "leaving"])
def test_a_fault_is_one_line_with_strategy_game_and_board(name):
    with pytest.raises(StrategyFaultError) as caught:
        played(name)
    line = str(caught.value)
    assert line.startswith(f"strategy 'odd_strategies:{name}' fails in game 4")
    assert " of seed 1 on 5x5/6, first click safe at (0, 0): " in line
    assert "\n" not in line
    assert not line.rstrip().endswith(":")
    assert str(pickle.loads(pickle.dumps(caught.value))) == line


def test_what_a_strategy_raises_is_told():
    with pytest.raises(StrategyFaultError, match=r"KeyError: .*my.*fault"):
        played("raising")


def test_a_strategy_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="odd_strategies:missing"):
        played("missing")


def test_a_batch_is_the_games_of_its_numbers():
    with Player() as runner:
        whole = runner.run(batch("lowest", games=20)).outcomes[0]
        [first] = runner.run(batch("lowest", games=10)).outcomes
    assert first.guesses == whole.guesses[:10]
    assert first.won == whole.won & 0x3FF


def test_unsafe_cells_are_counted(monkeypatch):
    ends = {number: GameOutcome(number % 2 == 0, number, number % 3) for number in range(5)}
    numbers = iter([0, 0, 1, 2, 3, 4])  # The first game is played once before the clock runs.
    monkeypatch.setattr(player, "play_game", lambda *_: ends[next(numbers)])
    with Player() as runner:
        [found] = runner.run(batch("lowest", games=5)).outcomes
    assert (found.won, found.guesses, found.unsafe) == (0b10101, (0, 1, 2, 3, 4), 4)
