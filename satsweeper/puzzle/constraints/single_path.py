"""The mines are one path."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from satsweeper.puzzle.constraints.connected import Connected, frontiers
from satsweeper.puzzle.constraints.protocol import (
    Automaton,
    Part,
    State,
    Writer,
    scope_of,
)

_INNER: Final = -1
"""The mark of a mine with two neighbours."""
_DONE: Final = (True, (), 0)


@dataclass(frozen=True, slots=True)
class SinglePath:
    """The nodes in the set form one path in which no others are neighbours; one node is a path.

    ``variables``: one for each node, true if the node is in the set. ``adjacent``: for each node
    the numbers of its neighbours.
    """

    part: Part
    variables: tuple[int, ...]
    adjacent: tuple[tuple[int, ...], ...]

    @property
    def parts(self) -> tuple[Part, ...]:
        """The part that states the path."""
        return (self.part,)

    @property
    def scope(self) -> tuple[int, ...]:
        """The variables of the nodes."""
        return scope_of(self.variables)

    @property
    def _connected(self) -> Connected:
        return Connected(self.part, self.variables, self.adjacent)

    def write(self, writer: Writer) -> None:
        """Write the connection, the degrees, and that there are one or two ends.

        A connected set in which no node has three neighbours is a path or a circle, and it is a
        path if some node is an end: one with at most one neighbour. That there are at most two ends
        follows, but without the connection it excludes two such paths at once. So does that no
        circle of three or four nodes is in the set: it excludes most circles beside a path at once.
        """
        writer.connected(self._connected)
        for circle in self._circles():
            writer.clause(self.part, tuple([-self.variables[node] for node in circle]))
        ends = []
        for node, near in enumerate(self.adjacent):
            own = self.variables[node]
            others = [-self.variables[each] for each in near]
            for three in combinations(others, 3):
                writer.clause(self.part, (-own, *three))
            end = writer.new_var()
            ends.append(end)
            writer.clause(self.part, (-end, own))
            for pair in combinations(others, 2):
                writer.clause(self.part, (-end, *pair))
            for less in combinations(others, max(len(others) - 1, 0)):
                writer.clause(self.part, (end, -own, *[-lit for lit in less]))
        writer.bounds(self.part, ends, None, 1, 2)

    def _circles(self) -> Iterator[tuple[int, ...]]:
        """Yield each circle of three or four nodes once, from its least node."""
        for node, near in enumerate(self.adjacent):
            for one, other in combinations([each for each in near if each > node], 2):
                if other in self.adjacent[one]:
                    yield node, one, other
                for far in self.adjacent[one]:
                    if far > node and far in self.adjacent[other]:
                        yield node, one, far, other

    def holds(self, mines: Container[int]) -> bool:
        """Whether the nodes in the set are a path."""
        inside = [variable in mines for variable in self.variables]
        degrees = [
            sum([inside[near] for near in self.adjacent[node]])
            for node, member in enumerate(inside)
            if member
        ]
        return min(degrees, default=2) < 2 and max(degrees) < 3 and self._connected.holds(mines)

    def automaton(self, order: Sequence[int]) -> Automaton:
        """Return the automaton whose state is which ends of pieces can still grow.

        A state marks each node that still has unread neighbours: 0 outside the set, `_INNER` if it
        has two neighbours in the set and may get no third, else twice the number of its piece, and
        1 more if it has a neighbour. Pieces are numbered from 1 by first occurrence. The second
        part of a state is how many ends have no unread neighbours any more: two are allowed.
        """
        node_of = {variable: node for node, variable in enumerate(self.variables)}
        nodes = [node_of[variable] for variable in order]
        frontier = frontiers(nodes, self.adjacent)
        last = len(order) - 1

        def step(place: int, state: State, value: bool) -> State | None:
            done, marks, ends = state
            if done:
                return None if value else state
            node = nodes[place]
            mark = dict(zip(frontier[place], marks, strict=True))
            mark[node] = 0
            if value and not _join(mark, node, [n for n in self.adjacent[node] if mark.get(n)]):
                return None
            for each in (*frontier[place], node):
                if each not in frontier[place + 1]:
                    left = mark.pop(each)
                    if left > 0 and left & 1:
                        ends += 1
                    elif left > 0:
                        # A node alone, all of whose neighbours are outside: it is the whole path.
                        return None if ends or any(mark.values()) else _DONE
            kept = [mark[each] for each in frontier[place + 1]]
            growing = [each for each in kept if each > 0]
            # A piece with one end to grow has one that cannot; if more cannot, a piece is whole.
            halves = sum([each & 1 and growing.count(each) == 1 for each in growing])
            if ends > halves:
                return None if growing or ends > 2 else _DONE
            if ends > 2 or place == last:
                return None
            numbers: dict[int, int] = {}
            for each in growing:
                numbers.setdefault(each >> 1, len(numbers) + 1)
            return (
                False,
                tuple([each if each <= 0 else numbers[each >> 1] << 1 | each & 1 for each in kept]),
                ends,
            )

        return Automaton((False, (), 0), step)


def _join(mark: dict[int, int], node: int, near: Sequence[int]) -> bool:
    """Put ``node`` into the set beside the nodes ``near`` of the set; return whether it may be."""
    pieces = [mark[each] >> 1 for each in near]
    # Three neighbours are too many, two of one piece make a circle, and an inner node has enough.
    if len(near) > 2 or len({*pieces}) < len(pieces) or _INNER in [mark[each] for each in near]:
        return False
    for each in near:
        mark[each] = _INNER if mark[each] & 1 else mark[each] | 1
    if not near:
        mark[node] = max([0, *mark.values()]) >> 1 << 1
        mark[node] += 2
    elif len(near) == 1:
        mark[node] = pieces[0] << 1 | 1
    else:
        mark[node] = _INNER
        for each, held in mark.items():
            if held > 0 and held >> 1 == pieces[1]:
                mark[each] = pieces[0] << 1 | held & 1
    return True
