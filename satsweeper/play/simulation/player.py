"""Batches of games played in this process."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dis import opmap
from functools import cache, cached_property, partial
from hashlib import sha256
from inspect import unwrap
from time import thread_time
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, Final, Self

import numpy as np

from satsweeper.board.errors import Error, LimitError
from satsweeper.board.layout import Layout
from satsweeper.play.draw import game_layout
from satsweeper.play.kernel.compiled import foresee, loading
from satsweeper.play.kernel.machine_code import told_of_compiling
from satsweeper.play.playing import GameOutcome, play_game
from satsweeper.play.simulation.plan import Batch, Outcomes, Played
from satsweeper.play.strategies.table import find_strategy
from satsweeper.play.view import Strategy

# A digest of the code that games depend on: games of two versions of a strategy are not mixed.

_OWN: Final = ("satsweeper", "pbcnf")
_CALLED: Final = ("__call__", "__init__", "__post_init__")
"""Members of a class that are called without being named."""
_CONSTANT: Final = opmap["LOAD_CONST"]


def code_digest(strategy: Strategy) -> str:
    """16 hexadecimal digits of the code that a game by ``strategy`` runs.

    The digest is over the bytecode of the functions and classes of this package, and of the module
    of the strategy, that are named by the functions that draw and play a game, by the strategy, and
    by one another; with the numbers, strings, tuples and arrays among their globals. Comments,
    docstrings and functions that no game reaches do not matter. Another version of Python has other
    bytecode. Not included are lists and dictionaries, which may change in play, what a strategy
    reads from files, and functions that are looked up at run time.
    """
    roots = {*_OWN, str(getattr(strategy, "__module__", "")).partition(".")[0]}
    found: dict[str, object] = {}
    named: set[str] = set()
    # Members of classes that no function has named yet, by their names.
    unnamed: dict[str, list[tuple[str, Any]]] = {}
    waiting: list[tuple[str, Any]] = [("", game_layout), ("", play_game), ("strategy", strategy)]
    while waiting:
        at, each = waiting.pop()
        if isinstance(each, np.ndarray):
            found[at] = each.tobytes()
        elif isinstance(each, str | int | float):
            found[at] = repr(each)
        elif isinstance(each, FunctionType | type) and not hasattr(each, "__wrapped__"):
            name = f"{each.__module__}.{each.__qualname__}"
            if name in found or each.__module__.partition(".")[0] not in roots:
                continue
            if isinstance(each, type):
                found[name] = ""
                waiting += ((f"{name} {n}", base) for n, base in enumerate(each.__bases__))
                for key, value in vars(each).items():
                    if key in named or key in _CALLED:
                        waiting.append((f"{name}.{key}", value))
                    else:
                        unnamed.setdefault(key, []).append((f"{name}.{key}", value))
                continue
            found[name] = _code(each.__code__)
            new = _names(each.__code__) - named
            named |= new
            waiting += (member for key in new for member in unnamed.pop(key, ()))
            waiting += _named_by(name, each)
        elif not isinstance(each, ModuleType):
            waiting += _parts(at, each)
    return sha256(repr(sorted(found.items())).encode()).hexdigest()[:16]


def _named_by(name: str, function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Values that a function names: defaults, variables of enclosing functions, globals."""
    kept = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).items()]
    with suppress(ValueError):
        kept += [cell.cell_contents for cell in function.__closure__ or ()]
    yield from ((f"{name} {n}", value) for n, value in enumerate(kept))
    named = _names(function.__code__)
    for key in sorted(named & function.__globals__.keys()):
        value = function.__globals__[key]
        yield f"{function.__module__}.{key}", value
        if isinstance(value, ModuleType):
            # Of a module, what is named as its attribute.
            for inner in sorted(named & vars(value).keys()):
                yield f"{value.__name__}.{inner}", vars(value)[inner]


def _parts(at: str, each: Any) -> Iterator[tuple[str, Any]]:
    """The functions and values that an object holds which is neither a function nor a class."""
    if isinstance(each, tuple):
        yield from ((f"{at} {n}", part) for n, part in enumerate(each))
    elif hasattr(each, "__wrapped__"):
        yield at, unwrap(each)
    elif isinstance(each, partial):
        yield at, (each.func, each.args, *each.keywords.items())
    elif isinstance(each, MethodType):
        yield at, (each.__func__, each.__self__)
    elif isinstance(each, property | cached_property):
        yield at, each.fget if isinstance(each, property) else each.func
    elif each is not None:
        yield f"{at} type", type(each)


def _names(code: CodeType) -> set[str]:
    inner = [_names(each) for each in code.co_consts if isinstance(each, CodeType)]
    return {*code.co_names}.union(*inner)


def _code(code: CodeType) -> object:
    """The instructions of a function and what they name, without lines, files and docstring."""
    constants: list[object] = [
        _code(each) if isinstance(each, CodeType)
        else sorted(map(repr, each)) if isinstance(each, frozenset) else repr(each)
        for each in code.co_consts
    ]  # fmt: skip
    instructions = code.co_code
    if (_CONSTANT, 0) not in zip(instructions[::2], instructions[1::2], strict=True):
        # The docstring is the first constant, and no instruction loads it.
        constants[:1] = []
    return instructions, code.co_names, code.co_varnames, code.co_freevars, constants


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
