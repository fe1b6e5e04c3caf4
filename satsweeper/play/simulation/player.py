"""Batches of games played in this process."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import cache
from time import thread_time
from typing import Self

from satsweeper.board.errors import Error, LimitError
from satsweeper.board.layout import Layout
from satsweeper.play.draw import game_layout
from satsweeper.play.kernel.compiled import foresee, loading
from satsweeper.play.kernel.machine_code import told_of_compiling
from satsweeper.play.playing import GameOutcome, play_game
from satsweeper.play.simulation.plan import Batch, Outcomes, Played
from satsweeper.play.strategies.table import find_strategy
from satsweeper.play.view import Strategy


class StrategyFaultError(Error):
    """A strategy raised an exception, or named no covered cell.

    The message names the strategy, the game and the reason.
    """


class Player:
    """Plays batches, one after the other. A context.

    Args:
        own: functions of the caller by name; all other names are looked up.
        games: about how many games this process will play, for the prediction whether compiling
            pays.
        tell: called before this process first compiles; None if the caller reports compiling.
    """

    def __init__(
        self,
        own: Mapping[str, Strategy] | None = None,
        games: int = 1,
        tell: Callable[[], None] | None = None,
    ) -> None:
        self._known = dict(own or {})
        self._games = games
        self._plays = 0
        self._tell = tell
        self._watch = ExitStack()
        self._warm: set[str] = set()

    def __enter__(self) -> Self:
        if self._tell is not None:
            # ``cache`` makes further calls do nothing: one report for all compiling is enough.
            self._watch.enter_context(told_of_compiling(cache(self._tell)))
        return self

    def __exit__(self, *error: object) -> None:
        self._watch.close()
        foresee(0)

    def run(self, batch: Batch) -> Played:
        """Play all games of a batch; every strategy plays equal layouts.

        Seconds are CPU seconds of this thread, in play alone. The time to draw layouts, and to load
        and compile functions, is not counted.

        Raises:
            ValueError: there is no strategy of one of the names.
            StrategyFaultError: a strategy raised an exception, or named no covered cell.
        """
        for name in batch.strategies:
            if name not in self._known:
                self._known[name] = find_strategy(name)
        strategies = {name: self._known[name] for name in batch.strategies}
        outcomes: dict[str, list[GameOutcome]] = {name: [] for name in strategies}
        seconds = dict.fromkeys(strategies, 0.0)
        setting = batch.setting
        for number in range(batch.first, batch.first + batch.games):
            layout = game_layout(
                setting.board, setting.start, setting.first_click, batch.seed, number
            )
            for name, strategy in strategies.items():
                if name not in self._warm:
                    # The first game of a strategy is played once more without being measured: it
                    # imports modules and fills caches.
                    self._foresee(batch)
                    _play(batch, number, layout, name, strategy)
                    self._warm.add(name)
                self._foresee(batch)
                started = thread_time() - loading()
                outcomes[name].append(_play(batch, number, layout, name, strategy))
                seconds[name] += thread_time() - loading() - started
        together = tuple(
            Outcomes(
                won=sum(game.won << at for at, game in enumerate(games)),
                guesses=tuple(game.guesses for game in games),
                unsafe=sum(game.unsafe for game in games),
            )
            for games in outcomes.values()
        )
        return Played(batch, together, tuple(seconds.values()))

    def _foresee(self, batch: Batch) -> None:
        """Tell ``compiled`` how much work is left, as a multiple of the work done so far."""
        self._plays += 1
        foresee(max(self._games * len(batch.strategies) / self._plays - 1, 0))


def _play(batch: Batch, number: int, layout: Layout, name: str, strategy: Strategy) -> GameOutcome:
    try:
        return play_game(layout, batch.setting.start, strategy)
    except LimitError:
        raise
    except (Exception, SystemExit) as error:
        why = " ".join(str(error).split())
        kind = "" if isinstance(error, Error | ValueError) and why else type(error).__name__
        raise StrategyFaultError(
            f"strategy {name!r} fails in game {number} of seed {batch.seed} on {batch.setting}: "
            + ": ".join(filter(None, (kind, why)))
        ) from None
