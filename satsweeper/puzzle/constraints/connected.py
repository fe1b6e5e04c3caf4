"""The true literals among some are connected in a graph."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from satsweeper.puzzle.constraints.protocol import (
    Automaton,
    Part,
    Separation,
    State,
    Writer,
    scope_of,
)


@dataclass(frozen=True, slots=True)
class Connected:
    """The true literals form one connected set; the empty set is connected.

    ``literals``: one for each node. ``adjacent``: for each node the numbers of its neighbours.
    ``anchors``: nodes joined by a further node that is always in the set, such as the outside of
    the board; None: there is no further node.
    """

    part: Part
    literals: tuple[int, ...]
    adjacent: tuple[tuple[int, ...], ...]
    anchors: frozenset[int] | None = None

    @property
    def parts(self) -> tuple[Part, ...]:
        """The part that states the connection."""
        return (self.part,)

    @property
    def scope(self) -> tuple[int, ...]:
        """The variables of the literals."""
        return scope_of(self.literals)

    def write(self, writer: Writer) -> None:
        """Write the connection, by cuts or by levels as the writer prefers."""
        writer.connected(self)

    def holds(self, mines: Container[int]) -> bool:
        """Whether the true literals are connected."""
        true = [(abs(lit) in mines) == (lit > 0) for lit in self.literals]
        found = components(true, self.adjacent)
        if self.anchors is not None:
            return all(not self.anchors.isdisjoint(each) for each in found)
        return len([*found]) <= 1

    def separations(self, mines: Container[int]) -> list[Separation]:
        """Return a separation of each component but one (but for those with anchors).

        With anchors a component is separated from what joins them, otherwise from the component of
        the first node.
        """
        true = [(abs(lit) in mines) == (lit > 0) for lit in self.literals]
        found = [*components(true, self.adjacent)]
        if self.anchors is not None:
            apart = [each for each in found if self.anchors.isdisjoint(each)]
            return [self._separated(component, self.anchors) for component in apart]
        # Components come by their first nodes: the first node of all is in the first of them.
        return [self._separated(component, found[0][:1]) for component in found[1:]]

    def _separated(self, component: Sequence[int], starts: Collection[int]) -> Separation:
        """Return the separation of a component from the nodes ``starts``.

        The region is what can be reached from these without the component and its boundary. A path
        from the component into the region enters it from the boundary, so what of the boundary
        touches the region, or is itself a start, lies between the component and the region.
        """
        inside = {*component}
        boundary = {near for node in component for near in self.adjacent[node]} - inside
        region = self._reached([n for n in starts if n not in boundary | inside], boundary)
        between = [
            node
            for node in sorted(boundary)
            if node in starts or not region.isdisjoint(self.adjacent[node])
        ]
        beyond = self._reached(component, {*between})
        return Separation(tuple(component), tuple(between), tuple(sorted(beyond)))

    def _reached(self, starts: Iterable[int], without: Container[int]) -> set[int]:
        """Return the nodes that paths from ``starts`` reach around the nodes ``without``."""
        waiting = [*starts]
        found = {*waiting}
        for node in waiting:
            for near in self.adjacent[node]:
                if near not in found and near not in without:
                    found.add(near)
                    waiting.append(near)
        return found

    def without(self, known: Mapping[int, bool]) -> Connected:
        """Return the connection of the nodes that can be in the set, the known ones first.

        ``known``: values of variables.
        """
        kept = [
            node
            for node, lit in enumerate(self.literals)
            if known.get(abs(lit), lit > 0) == (lit > 0)
        ]
        kept.sort(key=lambda node: abs(self.literals[node]) not in known)
        number = {node: place for place, node in enumerate(kept)}
        return Connected(
            self.part,
            tuple([self.literals[node] for node in kept]),
            tuple([tuple([number[n] for n in self.adjacent[e] if n in number]) for e in kept]),
            None
            if self.anchors is None
            else frozenset(number[node] for node in self.anchors if node in number),
        )

    def automaton(self, order: Sequence[int]) -> Automaton:
        """Return the automaton whose state is how nodes that still have unread neighbours hang on.

        A state is a label for each such node, equal for nodes connected by what was read, 0 for a
        node outside the set; labels are numbered by first occurrence, and the anchors have label
        1. A component all of whose neighbours are read is closed: the set then is whole, and
        the state ``True``.
        """
        node_of = {abs(lit): node for node, lit in enumerate(self.literals)}
        nodes = [node_of[variable] for variable in order]
        frontier = frontiers(nodes, self.adjacent)
        anchored = self.anchors is not None
        anchors = self.anchors or frozenset()
        signs = [self.literals[node] > 0 for node in nodes]

        def step(place: int, state: State, value: bool) -> State | None:
            node = nodes[place]
            member = value == signs[place]
            closed, labels = state
            if closed:
                return None if member else state
            label = dict(zip(frontier[place], labels, strict=True))
            new = 0
            if member:
                new = 1 if node in anchors else max([1, *labels]) + 1
                merged = {new} | {label[n] for n in self.adjacent[node] if label.get(n)}
                least = min(merged)
                for each in label:
                    if label[each] in merged:
                        label[each] = least
                new = least
            label[node] = new
            kept = [label[n] for n in frontier[place + 1]]
            lost = {each for each in label.values() if each} - {*kept}
            if anchored:
                # What is closed must hang on the anchors.
                if lost - {1}:
                    return None
            elif lost:
                # A component is closed: it has to be the only one.
                if len(lost) > 1 or any(kept):
                    return None
                return (True, ())
            numbers = {0: 0, 1: 1}
            for each in kept:
                numbers.setdefault(each, len(numbers))
            return (False, tuple([numbers[each] for each in kept]))

        return Automaton((False, ()), step)


def components(true: Sequence[bool], adjacent: tuple[tuple[int, ...], ...]) -> Iterator[list[int]]:
    """Yield the connected components of the nodes that are ``true``."""
    seen = [not each for each in true]
    for start, done in enumerate(seen):
        if done:
            continue
        seen[start] = True
        component = [start]
        for node in component:
            for near in adjacent[node]:
                if not seen[near]:
                    seen[near] = True
                    component.append(near)
        yield component


def frontiers(nodes: Sequence[int], adjacent: tuple[tuple[int, ...], ...]) -> list[tuple[int, ...]]:
    """Return, for each place, the nodes before it that have a neighbour at the place or later.

    ``nodes``: all nodes in the order in which they are read. The last entry, after all nodes, is
    empty.
    """
    place_of = {node: place for place, node in enumerate(nodes)}
    ends = [
        max([place, *[place_of[n] for n in adjacent[node]]]) for place, node in enumerate(nodes)
    ]
    return [
        tuple([nodes[q] for q in range(place) if ends[q] >= place])
        for place in range(len(nodes) + 1)
    ]
