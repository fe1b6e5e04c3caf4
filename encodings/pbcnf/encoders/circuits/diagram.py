"""Reduced ordered decision diagrams as values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from pbcnf.encoders.circuits.array_emission import Indices

FALSE, TRUE = -1, -2
"""The terminal nodes; an inner node is its place in the list of nodes."""


class DiagramNode(NamedTuple):
    """The input that decides (its level), and the nodes that follow where it is true or false."""

    level: int
    high: int
    low: int


@dataclass(frozen=True, eq=False)
class Diagram:
    """The inner nodes by increasing level, and the root: the first of them or a terminal.

    By decreasing weight no edge skips a level, unless it goes to a terminal: sums of the other
    inputs lie no further apart than the weight that the node would have to ignore.
    """

    levels: Indices
    highs: Indices
    lows: Indices
    root: int

    @cached_property
    def nodes(self) -> list[DiagramNode]:
        """The inner nodes, node by node."""
        columns = (self.levels.tolist(), self.highs.tolist(), self.lows.tolist())
        return [*map(DiagramNode._make, zip(*columns, strict=True))]
