"""The plan of a simulation: settings, strategies and games; and its batches."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from pbcnf.wording import counted
from satsweeper.compare.sweep.plan import digest_of
from satsweeper.play.simulation.batch import Batch
from satsweeper.play.simulation.setting import Setting

LOOK: Final = 100
"""The number of games between two looks at the widths of intervals."""
BATCH: Final = 20
"""The number of games of a job, which are lost if the job is killed."""

Intervals = Literal["all", "rates", "differences"]
"""The intervals that must be narrow: of the shares won, of their differences, or both."""


@dataclass(frozen=True, slots=True)
class Plan:
    """``games`` games of every setting, numbered from 0, each played by all strategies.

    With a ``width``, a setting ends at the first multiple of 100 games at which none of its
    ``narrow`` intervals is wider. What is found depends on nothing but this: neither on ``batch``,
    the games of a job, nor on who plays them in which order.

    Raises:
        ValueError: one line: nothing to play, a board without room for its mines, a width of
            nothing.
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
                setting.check()
            except ValueError as error:
                raise ValueError(f"board {setting.board}: {error}") from None

    @property
    def digest(self) -> str:
        """A digest of the settings of batches, not of their number: a simulation may grow."""
        return digest_of([], *self.settings, self.strategies, self.seed, self.batch)

    def jobs(self, shard: tuple[int, int] | None = None) -> int:
        """Return the number of batches, in all or in a shard."""
        count = len(self.settings) * -(-self.games // self.batch)
        return count if shard is None else (count - shard[0]) // shard[1] + 1

    def batches(self) -> list[Batch]:
        """All batches; the settings take turns."""
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
        ValueError: it is none.
    """
    try:
        return Plan(
            settings=tuple(map(Setting.of, found["settings"])),
            strategies=tuple(map(str, found["strategies"])),
            **{name: found[name] for name in ("games", "seed", "width", "narrow", "batch")},
        )
    except (KeyError, TypeError, IndexError) as error:
        raise ValueError(f"no plan of a simulation: {type(error).__name__}: {error}") from None
