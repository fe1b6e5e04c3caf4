"""The plan of a simulation: settings, strategies and games; and its batches."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Final, Literal, Self

from pbcnf.wording import counted, unknown_name
from satsweeper.board.codes import Cell
from satsweeper.board.size import BoardSize
from satsweeper.compare.sweep.plan import digest_of
from satsweeper.play.draw import FirstClick, game_layout

# The setting of a share of games won: a board, a promise of the first click, and the first cell.


@dataclass(frozen=True, slots=True)
class Setting:
    """Games on a board with a common promise of the first click and a common first cell."""

    board: BoardSize
    first_click: FirstClick
    start: Cell

    def __str__(self) -> str:
        """The setting in words, for headings."""
        row, column = self.start
        return f"{self.board}, first click {self.first_click} at ({row}, {column})"

    def as_json(self) -> dict[str, Any]:
        """The entries of the setting in an object of JSON."""
        return {
            "board": str(self.board),
            "first_click": str(self.first_click),
            "start": list(self.start),
        }

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> Self:
        """Read the entries that ``as_json`` wrote.

        Raises KeyError, TypeError or ValueError for any other object.
        """
        row, column = found["start"]
        board, first_click = BoardSize.parse(found["board"]), FirstClick(found["first_click"])
        return cls(board, first_click, (int(row), int(column)))


def first_click_named(text: str) -> FirstClick:
    """Return the promise of the first click called ``text``.

    Raises:
        ValueError: no such promise; one line that lists the known names.
    """
    if text not in list(FirstClick):
        raise ValueError(unknown_name("first click", text, FirstClick))
    return FirstClick(text)


# A job of a simulation: some games of one setting, each played by every strategy.


@dataclass(frozen=True)
class Batch:
    """The games ``first`` to ``first + games - 1`` of a seed; every strategy plays all of them."""

    setting: Setting
    strategies: tuple[str, ...]
    seed: int
    first: int
    games: int

    @cached_property
    def id(self) -> str:
        """16 hexadecimal digits that depend on nothing but the batch."""
        # A plan may have very many batches, and JSON would take too long.
        words = (self.setting, self.seed, self.first, self.games, *self.strategies)
        return hashlib.sha256("\n".join(map(str, words)).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The outcomes of one strategy's games of a batch.

    Bit ``i`` of ``won`` is 1 if game ``first + i`` of the batch was won; ``guesses[i]`` is the
    number of guesses in that game. ``unsafe`` counts cells that were called safe and were mines;
    any other number than 0 is a defect.
    """

    won: int
    guesses: tuple[int, ...]
    unsafe: int


@dataclass(frozen=True, slots=True)
class Played:
    """A batch that was played: outcomes and CPU seconds, both in the order of its strategies."""

    job: Batch
    outcomes: tuple[Outcomes, ...]
    seconds: tuple[float, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the object of a line of results; only ``measured`` differs between two runs."""
        names = self.job.strategies
        return {
            "id": self.job.id,
            **self.job.setting.as_json(),
            "seed": self.job.seed,
            "first": self.job.first,
            "games": self.job.games,
            "strategies": {
                name: {"won": f"{o.won:x}", "guesses": list(o.guesses), "unsafe": o.unsafe}
                for name, o in zip(names, self.outcomes, strict=True)
            },
            "measured": dict(zip(names, self.seconds, strict=True)),
        }


def played_of(line: object) -> Played:
    """Read an object that ``as_json`` wrote.

    Raises:
        ValueError: a field is missing or has a wrong value, or ``id`` is not the id of the batch.
    """
    try:
        batch, played = _read(line)
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"no games that were played: {type(error).__name__}: {error}") from None
    if line != played.as_json():
        raise ValueError(f"no games that were played: the batch of these fields is {batch.id}")
    return played


def _read(line: Any) -> tuple[Batch, Played]:
    strategies = tuple(line["strategies"])
    batch = Batch(Setting.of(line), strategies, line["seed"], line["first"], line["games"])
    outcomes = []
    for each in line["strategies"].values():
        won, guesses = int(each["won"], 16), tuple(each["guesses"])
        numbers = [batch.games, batch.first, batch.seed, each["unsafe"], *guesses]
        if not all(isinstance(number, int) and number >= 0 for number in numbers):
            raise ValueError("no games that were played: a count is no number from 0")
        if won >> batch.games or won < 0 or len(guesses) != batch.games:
            raise ValueError(f"no games that were played: outcomes of other than {batch.games}")
        outcomes.append(Outcomes(won, guesses, each["unsafe"]))
    seconds = tuple(float(line["measured"][name]) for name in strategies)
    return batch, Played(batch, tuple(outcomes), seconds)


LOOK: Final = 100
"""The number of games between two looks at the widths of intervals."""
BATCH: Final = 20
"""The default number of games of a job; if a job is killed, these games are played again."""

Intervals = Literal["all", "rates", "differences"]
"""The intervals that must be narrow: of shares won, of differences of shares, or of both."""


@dataclass(frozen=True, slots=True)
class Plan:
    """``games`` games of every setting, numbered from 0, each played by all strategies.

    With a ``width``, a setting ends at the first multiple of ``LOOK`` games at which no interval
    selected by ``narrow`` is wider than ``width``, a share between 0 and 1. Without (None), every
    setting has ``games`` games. The outcomes depend neither on ``batch``, the number of games of a
    job, nor on the processes that play the jobs, nor on the order of the jobs.

    Raises:
        ValueError: one line: no settings, strategies or games, a board without room for its mines,
            or a width outside of its range.
    """

    settings: tuple[Setting, ...]
    strategies: tuple[str, ...]
    games: int
    seed: int = 1
    width: float | None = None
    narrow: Intervals = "all"
    batch: int = BATCH

    def __post_init__(self) -> None:
        """Check that there are settings, strategies and games."""
        for what in ("settings", "strategies"):
            named = getattr(self, what)
            if not named:
                raise ValueError(f"no {what} to simulate")
            if len(set(named)) < len(named):
                raise ValueError(f"{what}: one is named twice")
        if self.games < 1:
            raise ValueError(f"{counted(self.games, 'game')}: at least 1")
        if self.batch < 1 or LOOK % self.batch:
            raise ValueError(
                f"{counted(self.batch, 'game')} a batch: a divisor of {LOOK} is needed"
            )
        if self.width is not None and not 0 < self.width < 1:
            raise ValueError(f"a width of {self.width}: it is between 0 and 1, as 0.01 for a point")
        if self.width is not None and self.narrow == "differences" and len(self.strategies) < 2:
            raise ValueError("a width of differences: that takes two strategies")
        for setting in self.settings:
            try:
                game_layout(setting.board, setting.start, setting.first_click, 0, 0)
            except ValueError as error:
                raise ValueError(f"board {setting.board}: {error}") from None

    @property
    def digest(self) -> str:
        """A digest of all settings of batches but ``games``, as a simulation may be continued."""
        return digest_of([], *self.settings, self.strategies, self.seed, self.batch)

    def jobs(self, shard: tuple[int, int] | None = None) -> int:
        """Return the number of batches of the plan, or of ``shard``, a number and a count."""
        count = len(self.settings) * -(-self.games // self.batch)
        return count if shard is None else (count - shard[0]) // shard[1] + 1

    def batches(self) -> list[Batch]:
        """All batches; the settings take turns, so that all of them progress evenly."""
        return [
            Batch(setting, self.strategies, self.seed, at, min(self.batch, self.games - at))
            for at in range(0, self.games, self.batch)
            for setting in self.settings
        ]

    def as_json(self) -> dict[str, Any]:
        """The plan as an object for the manifest."""
        return {**asdict(self), "settings": [setting.as_json() for setting in self.settings]}


def plan_of(found: Mapping[str, Any]) -> Plan:
    """Read a plan that ``Plan.as_json`` wrote.

    Raises:
        ValueError: ``found`` is no plan.
    """
    try:
        return Plan(
            settings=tuple(map(Setting.of, found["settings"])),
            strategies=tuple(map(str, found["strategies"])),
            **{name: found[name] for name in ("games", "seed", "width", "narrow", "batch")},
        )
    except (KeyError, TypeError, IndexError) as error:
        raise ValueError(f"no plan of a simulation: {type(error).__name__}: {error}") from None
