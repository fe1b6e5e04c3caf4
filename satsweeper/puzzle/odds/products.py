"""Diagrams of components of which most states that can be reached lead nowhere, by products.

The diagram of a constraint is made from its automaton. Those of two constraints are multiplied
(`product`): the nodes are the pairs that can be reached, less those from which the end cannot be
reached, and equal ones merged. So what two constraints exclude together is gone before they meet a
third one, and the diagrams stay far smaller than all states that can be reached. Constraints with
many states, such as a connection of all cells, are multiplied last, and only with the states that
the nodes before ask for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from satsweeper.count.budget import CountingBudget, OddsLimitError
from satsweeper.count.odds import NoLayoutError
from satsweeper.puzzle.odds.diagram import Field, Reader

MAX_STEPS: Final = 60_000_000
"""The most steps of multiplying, some ten seconds and hundred megabytes: a node of a product is
two steps, a step of a constraint's automaton `_AUTOMATON`."""

_WIDTH: Final = 1 << 21
"""The most nodes of a layer of a product, about a second of work."""
_AUTOMATON: Final = 20
_ALONE: Final = 4_000
"""The most steps of an automaton for which a diagram of its own is made."""
_APART: Final = 1e30
"""The cost added to pairs of diagrams without a common variable, more than any other cost."""
_DENSE: Final = 4
"""The largest ratio of possible keys to keys with which a table numbers all possible ones."""

Numbers: TypeAlias = "np.ndarray[Any, np.dtype[np.signedinteger[Any]]]"


class NodeEdges(NamedTuple):
    """For each node of a layer the nodes of the next without and with a mine, -1 for none."""

    safe: Numbers
    mine: Numbers


class Steps:
    """The steps of multiplying that are left; ``budget``: the deadline."""

    def __init__(self, budget: CountingBudget, left: int = MAX_STEPS) -> None:
        self.budget = budget
        self.left = left
        self.spent = False

    def take(self, number: int, width: int = 0) -> None:
        """Take steps off; ``width``: the number of nodes of a layer.

        Raises OddsLimitError if too many were taken (``spent``), or the time is over.
        """
        self.budget.check()
        self.left -= number
        self.spent = self.left < 0 or width > _WIDTH
        if self.spent:
            about = self.budget.about
            raise OddsLimitError(f"{about} takes too long: more than {MAX_STEPS:,} steps")


class Diagram:
    """A diagram: ``layers`` from place ``first`` on, and ``scope``, the places it depends on.

    Before and behind its layers it has one node.
    """

    def __init__(self, first: int, layers: Sequence[NodeEdges], scope: frozenset[int]) -> None:
        self.first, self.end = first, first + len(layers)
        self.layers = layers
        self.scope = scope

    def width(self, place: int) -> int:
        """Return the number of nodes before ``place``."""
        inside = self.first <= place < self.end
        return len(self.layers[place - self.first].safe) if inside else 1

    def edges(self, place: int, nodes: Numbers) -> NodeEdges:
        """Return where the edges of ``nodes`` lead at ``place``."""
        if not self.first <= place < self.end:
            return NodeEdges(nodes, nodes)
        safe, mine = self.layers[place - self.first]
        return NodeEdges(safe[nodes].astype(np.int64), mine[nodes].astype(np.int64))


class _States:
    """The states of a reader, as nodes of a diagram, as far as they are asked for in a product."""

    def __init__(self, reader: Reader, steps: Steps) -> None:
        self.first, self.end = reader.places[0], reader.places[-1] + 1
        self.scope = frozenset(reader.places)
        self._field = Field(reader, 0)
        self._steps = steps

    def width(self, place: int) -> int:
        """Return the number of states before ``place``, after `edges` for an earlier place."""
        return max(self._field.following, 1) if self.first < place < self.end else 1

    def edges(self, place: int, nodes: Numbers) -> NodeEdges:
        """Return where states, by number, lead at ``place``; places are asked for in order."""
        if place not in self.scope:
            return NodeEdges(nodes, nodes)
        asked = np.bincount(nodes)
        following = np.full((2, len(asked)), -1)
        for number in np.flatnonzero(asked).tolist():
            self._steps.take(2 * _AUTOMATON)
            following[:, number] = self._field.after(place, number)
        return NodeEdges(following[0][nodes], following[1][nodes])


def _numbered(keys: Numbers, size: int) -> tuple[Numbers, Numbers]:
    """Return the distinct keys, ascending, and the number of each of ``keys`` among them.

    All keys are from 0 to ``size`` - 1.
    """
    if size > _DENSE * len(keys) + 1024:
        found, numbers = np.unique(keys, return_inverse=True)
        return found, numbers
    there = np.zeros(size, bool)
    there[keys] = True
    # Numbers of 32 bits, as there may be many keys; they are multiplied later.
    number = np.cumsum(there, dtype=np.int32)
    return np.flatnonzero(there), number[keys].astype(np.int64) - 1


def _reduced(layers: list[NodeEdges], budget: CountingBudget) -> list[NodeEdges]:
    """Return the layers without nodes that lead nowhere, equal ones merged; ``layers`` is emptied.

    Raises NoLayoutError if no node is left, OddsLimitError if the time is over.
    """
    # At the end no constraint is open: all nodes are one. The last number is that of index -1.
    number = np.array([0, -1], np.int64)
    found = []
    while layers:
        safe, mine = layers.pop()
        budget.check()
        base = len(number)
        keys, renamed = _numbered((number[safe] + 1) * base + number[mine] + 1, base * base)
        dead = len(keys) > 0 and keys[0] == 0
        if dead:
            keys = keys[1:]
        if not len(keys):
            raise NoLayoutError("the board has no layout")
        one, two = np.divmod(keys, base)
        found.append(NodeEdges((one - 1).astype(np.int32), (two - 1).astype(np.int32)))
        number = np.append(renamed - int(dead), -1)
    return found[::-1]


def product(one: Diagram, two: Diagram | _States, steps: Steps) -> Diagram:
    """Return the diagram of the layouts that both accept.

    Raises NoLayoutError if there is none, and OddsLimitError for too many steps, or if the time is
    over.
    """
    first, end = min(one.first, two.first), max(one.end, two.end)
    left = right = np.zeros(1, np.int64)
    layers = []
    for place in range(first, end):
        if not len(left):
            raise NoLayoutError("the board has no layout")
        # The nodes are looked at once more when they are reduced.
        steps.take(2 * len(left), len(left))
        pairs = zip(one.edges(place, left), two.edges(place, right), strict=True)
        size = two.width(place + 1)
        keys = [np.where((a < 0) | (b < 0), 0, a * size + b + 1) for a, b in pairs]
        found, numbers = _numbered(np.concatenate(keys), one.width(place + 1) * size + 1)
        # Key 0 is that of no edge.
        missing = int(not found[0])
        layers.append(NodeEdges(*np.split((numbers - missing).astype(np.int32), 2)))
        left, right = np.divmod(found[missing:] - 1, size)
    return Diagram(first, _reduced(layers, steps.budget), one.scope | two.scope)


def compiled(readers: Sequence[Reader], steps: Steps) -> Diagram:
    """Return the diagram of all constraints together.

    Raises NoLayoutError, and OddsLimitError for too many steps, or if the time is over.
    """
    # A component without constraints is a single variable.
    end = np.zeros(1, np.int32)
    whole = Diagram(0, [NodeEdges(end, end)], frozenset())
    diagrams, wide = [], []
    for reader in readers:
        free = Diagram(reader.places[0], (), frozenset())
        alone = Steps(steps.budget, min(_AUTOMATON * _ALONE, steps.left))
        steps.left -= alone.left
        try:
            diagrams.append(product(free, _States(reader, alone), alone))
        except OddsLimitError:
            if not alone.spent:
                raise
            wide.append(reader)
        steps.left += max(alone.left, 0)
    whole = _multiplied(diagrams, steps) if diagrams else whole
    for reader in wide:
        whole = product(whole, _States(reader, steps), steps)
    return whole


def _multiplied(diagrams: list[Diagram], steps: Steps) -> Diagram:
    """Return the product of diagrams: always of the two that promise the fewest nodes.

    Two that share variables come before others, as they exclude something together.
    """
    size = max(each.end for each in diagrams) + 1
    widths = np.array([[each.width(place) for place in range(size)] for each in diagrams], float)
    scopes = np.array([[place in each.scope for place in range(size)] for each in diagrams], float)
    # A pair's cost is the sum over all places of the products of their widths.
    cost = widths @ widths.T + _APART * (scopes @ scopes.T == 0)
    np.fill_diagonal(cost, np.inf)
    held: list[Diagram | None] = [*diagrams]
    for _ in diagrams[1:]:
        i, j = map(int, np.unravel_index(np.argmin(cost), cost.shape))
        one, two = held[i], held[j]
        assert one is not None
        assert two is not None
        held[i], held[j] = merged, _ = product(one, two, steps), None
        widths[i] = [merged.width(place) for place in range(size)]
        scopes[i] += scopes[j]
        cost[j] = cost[:, j] = np.inf
        row = widths @ widths[i] + _APART * (scopes @ scopes[i] == 0)
        row[[place for place, each in enumerate(held) if each is None or place == i]] = np.inf
        cost[i] = cost[:, i] = row
    return next(each for each in held if each is not None)
