"""A job of a simulation: some games of one setting, each played by every strategy."""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from satsweeper.play.simulation.setting import Setting


@dataclass(frozen=True)
class Batch:
    """The games ``first`` to ``first + games - 1`` of a seed; every strategy plays all of them."""

    setting: Setting
    strategies: tuple[str, ...]
    seed: int
    first: int
    games: int

    @property
    def fields(self) -> dict[str, Any]:
        """Return the batch as JSON."""
        return {
            **self.setting.as_json(),
            "seed": self.seed,
            "first": self.first,
            "games": self.games,
        }

    @cached_property
    def id(self) -> str:
        """16 hexadecimal digits that depend on nothing but the batch."""
        # There may be very many: no JSON.
        words = (self.setting, self.seed, self.first, self.games, *self.strategies)
        return hashlib.sha256("\n".join(map(str, words)).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The outcomes of one strategy's games of a batch.

    Bit ``i`` of ``won`` is that of game ``first + i``, and so is ``guesses[i]``. ``unsafe`` counts
    cells that were called safe and were not: it stays 0.
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
        """Return the object of a line; everything but ``measured`` is equal in every run."""
        names = self.job.strategies
        return {
            "id": self.job.id,
            **self.job.fields,
            "strategies": {
                name: {"won": f"{o.won:x}", "guesses": list(o.guesses), "unsafe": o.unsafe}
                for name, o in zip(names, self.outcomes, strict=True)
            },
            "measured": dict(zip(names, self.seconds, strict=True)),
        }


def played_of(line: object) -> Played:
    """Read an object that ``as_json`` wrote.

    Raises:
        ValueError: a field is missing or is not what it should be, or the id is not the batch's.
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
