"""The encoder of a sum by measured time: decision trees over a few features of the sum.

The trees are data, ``by_time.json`` beside this file, made by ``scripts/train_choice.py`` from
times of solvers on families of problems; docs/choice_by_time.md has them in words, with what they
are worth on families that they have not seen.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

FEATURES: Final = ("literals", "percent", "bounds", "weights")
"""The features of a sum, as `features_of` returns them."""


def features_of(weights: Sequence[int], lower: int, upper: int) -> tuple[int, int, int, int]:
    """Return the features of a sum in normal form whose bounds are not trivial.

    They are: its literals; the place of its bounds in per cent of the sum of all weights, counted
    from the nearer end, of two bounds the one nearer to the middle; the number of bounds, 1 or 2;
    and the number of different weights.

    >>> features_of((1,) * 20, 0, 5), features_of((2, 3, 3), 4, 5)
    ((20, 25, 1, 1), (3, 50, 2, 2))
    """
    total = sum(weights)
    bounds = [lower] * (lower > 0) + [upper] * (upper < total)
    place = max(min(bound, total - bound) for bound in bounds)
    return len(weights), 100 * place // total, len(bounds), len(set(weights))


class Leaf(NamedTuple):
    """An encoder's name, the answers that led to it, in words, and the problems it rests on."""

    encoder: str
    path: str
    problems: int


def leaf_of(kind: str, weights: Sequence[int], lower: int, upper: int) -> Leaf:
    """Return the leaf of the tree of ``kind`` (a value of `pbcnf.emission.dispatch.Kind`).

    >>> leaf_of("cardinality", (1,) * 20, 0, 5).problems > 0
    True
    """
    node: Any = _trees()[kind]
    values, path = dict(zip(FEATURES, features_of(weights, lower, upper), strict=True)), []
    while "encoder" not in node:
        feature, most = node["feature"], node["most"]
        low = values[feature] <= most
        path.append(f"{feature} {'<=' if low else '>'} {most}")
        node = node["low" if low else "high"]
    return Leaf(node["encoder"], " and ".join(path), node["problems"])


@cache
def _trees() -> dict[str, Any]:
    text = files("pbcnf.encoders").joinpath("by_time.json").read_text("ascii")
    found: dict[str, Any] = json.loads(text)["trees"]
    return found
