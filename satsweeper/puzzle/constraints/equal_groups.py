"""The connected groups of mines have one size."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from satsweeper.puzzle.constraints.connected import components, frontiers
from satsweeper.puzzle.constraints.protocol import Automaton, OnePart, Part, State, Writer, scope_of
from satsweeper.puzzle.constraints.sums import Sum

_WHOLE: Final = -1
"""The mark of a node in a group that has its size."""


@dataclass(frozen=True, slots=True)
class EqualGroups(OnePart):
    """Each connected group of the nodes in the set has ``size`` nodes.

    ``variables``: one for each node, true if the node is in the set. ``adjacent``: for each node
    the numbers of its neighbours.
    """

    part: Part
    variables: tuple[int, ...]
    adjacent: tuple[tuple[int, ...], ...]
    size: int

    @property
    def scope(self) -> tuple[int, ...]:
        """The variables of the nodes."""
        return scope_of(self.variables)

    def write(self, writer: Writer) -> None:
        """Write a sum for each node: it is outside the set, or one group with it is there.

        A term for each connected set of ``size`` nodes: they are in the set and those around them
        are not.
        """
        mine, adjacent = self.variables, self.adjacent
        terms: list[list[tuple[int, ...]]] = [[] for _ in adjacent]
        for group, around in _connected_sets(adjacent, self.size):
            term = tuple([mine[node] for node in group] + [-mine[node] for node in around])
            for node in group:
                terms[node].append(term)
        for node, found in enumerate(terms):
            every = ((-mine[node],), *found)
            counts = tuple(range(1, len(every) + 1))
            Sum(self.part, every, (1,) * len(every), counts).write(writer)

    def holds(self, mines: Container[int]) -> bool:
        """Whether all groups have the size."""
        true = [variable in mines for variable in self.variables]
        return all(len(group) == self.size for group in components(true, self.adjacent))

    def automaton(self, order: Sequence[int]) -> Automaton:
        """Return the automaton whose state is the groups that can still grow, and their sizes.

        A state marks each node that still has unread neighbours: 0 outside the set, `_WHOLE` in a
        group that has its size, else the number of its group, numbered by first occurrence; then
        follow the sizes of these groups.
        """
        node_of = {variable: node for node, variable in enumerate(self.variables)}
        nodes = [node_of[variable] for variable in order]
        frontier = frontiers(nodes, self.adjacent)

        def step(place: int, state: State, value: bool) -> State | None:
            marks, sizes = state
            node = nodes[place]
            mark = dict(zip(frontier[place], marks, strict=True))
            held = dict(enumerate(sizes, start=1))
            mark[node] = 0
            if value:
                near = {mark[each] for each in self.adjacent[node] if mark.get(each)}
                size = 1 + sum([held.pop(each, 0) for each in near])
                if _WHOLE in near or size > self.size:
                    return None
                new = _WHOLE if size == self.size else len(sizes) + 1
                for each, group in mark.items():
                    if group in near:
                        mark[each] = new
                mark[node] = new
                if new != _WHOLE:
                    held[new] = size
            kept = [mark[each] for each in frontier[place + 1]]
            if not held.keys() <= {*kept}:
                # A group can grow no more and lacks the size.
                return None
            numbers = {0: 0, _WHOLE: _WHOLE}
            for each in kept:
                numbers.setdefault(each, len(numbers) - 1)
            return (
                tuple([numbers[each] for each in kept]),
                tuple([held[each] for each in numbers if each > 0]),
            )

        return Automaton(((), ()), step)


@lru_cache(maxsize=16)
def _connected_sets(
    adjacent: tuple[tuple[int, ...], ...], size: int
) -> list[tuple[tuple[int, ...], list[int]]]:
    """Return the connected sets of ``size`` nodes, ascending, each with the nodes around it."""
    found: set[tuple[int, ...]] = {(node,) for node in range(len(adjacent))}
    for _ in range(size - 1):
        found = {
            tuple(sorted((*group, near)))
            for group in found
            for node in group
            for near in adjacent[node]
            if near not in group
        }
    return [
        (group, sorted({near for node in group for near in adjacent[node]} - {*group}))
        for group in sorted(found)
    ]
