"""Decision trees that choose encoders by cost, and what they are worth on families never seen."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from satsweeper.compare.statistics.intervals import interval_of_mean

Floats = NDArray[np.float64]
Tree = dict[str, Any]
"""A node: `feature`, `most`, and the trees `low` and `high`; or `encoder` and its `problems`."""

DEPTH: Final = 3
"""The most questions from the root of the tree of a kind to a leaf."""
LEAST: Final = 4
"""The fewest problems at a leaf."""
_GAIN: Final = 0.02
"""The least share of the cost of a node that a question must save."""


@dataclass(frozen=True)
class Table:
    """The problems of one kind: features, families, and the cost of each encoder on each problem.

    Features have a row a problem and a column for each of ``columns``, costs a column for each of
    ``encoders``; ``by_size`` is the column of the encoder that the rule by size chooses, which need
    not be among the first ``candidates`` columns, those that a tree may choose.
    """

    columns: tuple[str, ...]
    encoders: tuple[str, ...]
    candidates: int
    names: tuple[str, ...]
    families: NDArray[np.str_]
    features: Floats
    costs: Floats
    by_size: NDArray[np.intp]


def grown(table: Table, rows: NDArray[np.intp], depth: int = DEPTH) -> Tree:
    """Return the tree of least cost on ``rows`` that greedy questions find.

    What a question saves, it must save without the family that gains most, too: otherwise it would
    learn one family by heart.
    """
    costs = table.costs[rows, : table.candidates]
    best = int(np.argmin(np.sum(costs, axis=0)))
    families = np.unique(table.families[rows], return_inverse=True)[1]
    for column, border in _questions(table.features[rows], costs) if depth else ():
        low = table.features[rows, column] <= border
        after = np.empty(len(rows))
        for side in (low, ~low):
            after[side] = costs[side, np.argmin(np.sum(costs[side], axis=0))]
        saved = np.bincount(families, costs[:, best] - after)
        if np.sum(saved) - np.max(saved) >= _GAIN * np.sum(costs[:, best]):
            return {
                "feature": table.columns[column],
                "most": int(border),
                "low": grown(table, rows[low], depth - 1),
                "high": grown(table, rows[~low], depth - 1),
            }
    return {"encoder": table.encoders[best], "problems": len(rows)}


def _questions(features: Floats, costs: Floats) -> list[tuple[int, float]]:
    """Return the questions, a column and the largest number on its low side, cheapest first.

    Both sides get `LEAST` problems or more, and the cost of a question is that of the best encoder
    on each side.
    """
    found = []
    for column, values in enumerate(features.T):
        order = np.argsort(values, kind="stable")
        ordered, sums = values[order], np.cumsum(costs[order], axis=0)
        cost = np.min(sums, axis=1) + np.min(sums[-1] - sums, axis=1)
        for at in range(LEAST - 1, len(order) - LEAST):
            if ordered[at] < ordered[at + 1]:
                found.append((float(cost[at]), column, float(ordered[at])))
    return [(column, border) for _, column, border in sorted(found)]


def chosen(tree: Tree, table: Table, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the column of the encoder that ``tree`` chooses for each of ``rows``."""
    found = np.empty(len(rows), dtype=np.intp)
    for at, row in enumerate(rows):
        node = tree
        while "encoder" not in node:
            value = table.features[row, table.columns.index(node["feature"])]
            node = node["low" if value <= node["most"] else "high"]
        found[at] = table.encoders.index(node["encoder"])
    return found


class Scores(NamedTuple):
    """The cost of each problem under each way to choose; trees and singles never saw its family."""

    tree: Floats
    single: Floats
    by_size: Floats
    oracle: Floats


def held_out(table: Table) -> Scores:
    """Return the costs where each family is decided by what is learned from all others."""
    rows = np.arange(len(table.names))
    tree, single = np.empty(len(rows)), np.empty(len(rows))
    for family in np.unique(table.families):
        test = table.families == family
        others = rows[~test]
        if not len(others):
            raise ValueError(f"{family} is the only family: nothing to learn from")
        for found, depth in ((tree, DEPTH), (single, 0)):
            columns = chosen(grown(table, others, depth), table, rows[test])
            found[test] = table.costs[rows[test], columns]
    return Scores(tree, single, table.costs[rows, table.by_size], np.min(table.costs, axis=1))


class Null(NamedTuple):
    """The gain of trees over the best single encoder, and what is gained by chance."""

    gain: float
    low: float
    high: float
    p: float


def null_test(table: Table, times: int, seed: int = 1) -> Null:
    """Train on costs dealt out to the problems at random, ``times`` times, and compare.

    ``gain`` is what trees save of the cost of the best single encoder on families never seen;
    ``low`` to ``high`` hold 95 % of what they save by chance; ``p`` is the share of random deals,
    with the real one, that save as much.
    """
    real, rng = _gain(table), np.random.default_rng(seed)
    fields = {name: getattr(table, name) for name in table.__dataclass_fields__}
    gains = []
    for _ in range(times):
        order = rng.permutation(len(table.names))
        gains.append(_gain(Table(**fields | {"costs": table.costs[order]})))
    low, high = np.quantile(gains, [0.025, 0.975]) if gains else (np.nan, np.nan)
    p = (1 + sum(gain >= real for gain in gains)) / (1 + times)
    return Null(real, float(low), float(high), p)


def _gain(table: Table) -> float:
    scores = held_out(table)
    return 1 - float(np.sum(scores.tree) / np.sum(scores.single))


class Difference(NamedTuple):
    """A mean difference of costs over problems with its 95 % interval by resampling them."""

    mean: float
    low: float
    high: float

    @property
    def claim(self) -> str:
        """Whether the first is better, worse, or no difference is shown."""
        if self.low <= 0 <= self.high:
            return "no difference shown"
        return "faster" if self.high < 0 else "slower"


def difference(first: Floats, second: Floats) -> Difference:
    """Return the mean of ``first`` - ``second``, paired by problem."""
    apart = first - second
    return Difference(float(np.mean(apart)), *interval_of_mean(apart))


def stacked(tables: Sequence[Scores]) -> Scores:
    """Return the scores of several kinds as one."""
    return Scores(*(np.concatenate(parts) for parts in zip(*tables, strict=True)))
