"""Guesses of games as arrays, and a network fitted to them that estimates the chance to win.

The target of a position after a guess is not whether the game was won, which depends on luck, but a
mean of lower variance and hardly any bias, TD(lambda): mostly the estimate at the next guess (the
sum over what the guessed cell may show), to a lesser part what came after it.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

LAMBDA: Final = 0.3
"""The weight of what came after the next guess."""
RATE, PENALTY, BATCH = 3e-3, 1e-4, 1024
"""The first step of Adam, which falls as a cosine; the weight of the squares; rows of a step."""
HELD_OUT: Final = 10
"""Games with a number divisible by ``HELD_OUT`` are kept out of the fit."""


@dataclass(frozen=True)
class Guesses:
    """Guesses of games, game by game, in the order of play.

    Rows of ``after``: the chance of a value that the guessed cell may show, and the inputs of the
    network after it; guess g has the rows ``begin[g]`` to ``end[g] - 1``. ``came``: the row of the
    value that came, -1 for a mine. ``worth``: the chance to win at the end of the game: 0 or 1, or
    exact where few layouts are left. ``game``: the number of the game.
    """

    after: Floats
    begin: NDArray[np.int64]
    end: NDArray[np.int64]
    came: NDArray[np.int64]
    worth: Floats
    game: NDArray[np.int64]


def read(paths: Sequence[Path]) -> Guesses:
    """Read shards, as ``write`` wrote them."""
    parts: dict[str, list[Any]] = {name: [] for name in Guesses.__annotations__}
    rows = games = 0
    for path in paths:
        with np.load(path) as held:
            for name in parts:
                values = held[name]
                if name in ("begin", "end", "came"):
                    values = np.where(values >= 0, values + rows, -1)
                parts[name].append(values + games if name == "game" else values)
            rows += len(held["after"])
            games += int(held["games"])
    return Guesses(**{name: np.concatenate(each) for name, each in parts.items()})


def targets(guesses: Guesses, values: Floats, share: float) -> Floats:
    """The target of every guess, by estimates ``values`` for the rows of ``after``.

    ``share``: lambda, the weight of what came after the next guess; 1 takes nothing from the
    estimates but a correction of expected value 0, for the luck of later guesses.
    """
    sums = np.concatenate([[0.0], np.cumsum(guesses.after[:, 0].astype(float) * values)])
    expected = sums[guesses.end] - sums[guesses.begin]
    came = np.where(guesses.came >= 0, values[guesses.came], 0.0)
    found = guesses.worth.astype(float)
    for g in range(len(found) - 2, -1, -1):
        if guesses.game[g] == guesses.game[g + 1]:
            after = found[g + 1] if guesses.came[g + 1] >= 0 else 0.0
            found[g] = expected[g + 1] + share * (after - came[g + 1])
    return found.astype(np.float32)


class Fitted:
    """A network while it is fitted: inputs are scaled by ``mean`` and ``spread``."""

    def __init__(self, inputs: Floats, units: int, seed: int) -> None:
        width, drawn = inputs.shape[1], np.random.default_rng(seed)
        self.mean, self.spread = inputs.mean(0), inputs.std(0)
        # An input that is nearly always the same is not scaled up.
        self.spread[self.spread < 1e-3] = 1.0
        self.parts: list[Floats] = [
            (drawn.normal(0, 1, (width, units)) * np.sqrt(2 / width)).astype(np.float32),
            np.zeros(units, np.float32),
            drawn.normal(0, 0.1, units).astype(np.float32),
            np.zeros(width, np.float32),
            np.zeros(1, np.float32),
        ]

    def chances(self, inputs: Floats) -> Floats:
        """The estimates for rows of inputs."""
        found = np.empty(len(inputs), np.float32)
        for i in range(0, len(inputs), 1 << 16):
            scaled = (inputs[i : i + (1 << 16)] - self.mean) / self.spread
            found[i : i + (1 << 16)] = self.forward(scaled)[0]
        return found

    def forward(self, scaled: Floats) -> tuple[Floats, Floats]:
        """Return the estimates for scaled inputs, and the rectified sums."""
        weights, constants, output, direct, constant = self.parts
        rectified = np.maximum(scaled @ weights + constants, 0)
        total = rectified @ output + scaled @ direct + constant[0]
        return 1 / (1 + np.exp(-np.clip(total, -30, 30))), rectified

    def fit(
        self, inputs: Floats, wanted: Floats, epochs: int, seed: int, penalty: float = PENALTY
    ) -> None:
        """Minimise the cross entropy to ``wanted`` by Adam."""
        scaled, drawn = (inputs - self.mean) / self.spread, np.random.default_rng(seed)
        first = [np.zeros_like(part) for part in self.parts]
        second = [np.zeros_like(part) for part in self.parts]
        batch = min(BATCH, len(scaled))
        steps, step = epochs * (len(scaled) // batch), 0
        for _ in range(epochs):
            order = drawn.permutation(len(scaled))
            for i in range(len(scaled) // batch):
                rows = order[i * batch : (i + 1) * batch]
                x, step = scaled[rows], step + 1
                estimates, rectified = self.forward(x)
                error = (estimates - wanted[rows]) / batch
                weights, _, output, direct, _ = self.parts
                back = np.outer(error, output) * (rectified > 0)
                slopes = (
                    x.T @ back + penalty * weights,
                    back.sum(0),
                    rectified.T @ error + penalty * output,
                    x.T @ error + PENALTY * direct,
                    error.sum(keepdims=True),
                )
                rate = RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
                for part, m, v, slope in zip(self.parts, first, second, slopes, strict=True):
                    m += 0.1 * (slope - m)
                    v += 0.001 * (slope**2 - v)
                    size = np.sqrt(v / (1 - 0.999**step)) + 1e-8
                    part -= (rate * (m / (1 - 0.9**step)) / size).astype(np.float32)

    def as_json(self) -> str:
        """The file of the network: ``hidden`` and ``output`` for inputs that are not scaled."""
        weights, constants, output, direct, constant = (part.astype(float) for part in self.parts)
        mean, spread = self.mean.astype(float), self.spread.astype(float)
        hidden = np.c_[(weights / spread[:, None]).T, constants - (mean / spread) @ weights]
        last = constant - (mean / spread) @ direct
        numbers = {"hidden": hidden, "output": np.r_[output, direct / spread, last]}
        lines = [
            f' "{name}": {json.dumps(_short(each.tolist()))}' for name, each in numbers.items()
        ]
        return "{\n" + ",\n".join(lines).replace("], [", "],\n  [") + "\n}\n"


def _short(numbers: Any) -> Any:
    return [_short(n) if isinstance(n, list) else float(f"{n:.6g}") for n in numbers]


def train(
    guesses: Guesses, units: int, epochs: int, rounds: int, seed: int, fits: int = 1
) -> tuple[Fitted, list[str]]:
    """Fit a network to all games but one of ``HELD_OUT``; return it, and a line for each round.

    The targets of the first round take nothing from estimates, those of each later round take them
    from the network of the round before. Fits that differ only in their seeds differ by about as
    much as candidates do, so the mean of ``fits`` fits is taken, and one network fitted to it: to
    every value that a guess may have shown, whether it came or not.
    """
    came = guesses.came >= 0
    inputs = guesses.after[guesses.came[came], 1:]
    held = guesses.game[came] % HELD_OUT == 0
    values, lines = np.zeros(len(guesses.after), np.float32), []
    for turn in range(rounds):
        wanted = targets(guesses, values, LAMBDA if turn else 1.0)[came]
        total = np.zeros(len(guesses.after), np.float32)
        for i in range(fits):
            network = Fitted(inputs[~held], units, seed + 2 * i)
            network.fit(inputs[~held], wanted[~held], epochs, seed + 2 * i + 1)
            total += network.chances(guesses.after[:, 1:])
        if fits > 1:
            every = guesses.after[:, 1:]
            network = Fitted(every, units, seed)
            network.fit(
                every, (total / fits).astype(np.float32), max(epochs // 2, 1), seed + 1, 0.0
            )
        values = network.chances(guesses.after[:, 1:])
        lines.append(_round(turn, network.chances(inputs[held]),
                            targets(guesses, values, 1.0)[came][held]))  # fmt: skip
    return network, lines


def _round(turn: int, estimates: Floats, came: Floats) -> str:
    error = np.sqrt(np.mean((estimates - came) ** 2)) if len(came) else np.nan
    return (
        f"round {turn + 1}: {len(came):,} positions held out, estimate {np.mean(estimates):.4f},"
        f" came {np.mean(came):.4f}, error {error:.4f}"
    )
