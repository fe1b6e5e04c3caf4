"""Connected cells as clauses: which cells are reached from a root within 0, 1, 2 ... steps.

The root is a member whose number is the least, or a member that is known, or the outside of the
board. A member is reached within 0 steps if it is the root, and within t steps if it or a neighbour
is reached within t - 1; all members must be reached within T steps. Every variable is defined in
both directions, so that a layout has one value of each.

T is one less than the number of nodes on a shortest path. Such a path is induced: nodes that are
neighbours follow each other, or there would be a shorter path. So the number is at most that of the
members, and at most that of the longest induced path (`longest_path`).

Unary levels make every inference of breadth-first search an inference of unit propagation; levels
in binary do not (Glasgow Constraint Solver, pull request 784).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from satsweeper.puzzle.constraints.protocol import Connection

TRUE: Final = 1 << 40
"""A literal that is known to be true, beyond the numbers of all variables."""
FALSE: Final = -TRUE
"""A literal that is known to be false."""


class LevelSink(Protocol):
    """A receiver of the clauses of `write_levels` and of the roles of their variables."""

    def level_var(self, role: str, node: int, level: int | None = None) -> int:
        """Allocate a variable: ``role`` of a node, within ``level`` steps."""

    def define(self, clause: Sequence[int]) -> None:
        """Add a clause of the definition of a variable; a literal may be `TRUE` or `FALSE`."""

    def require(self, clause: Sequence[int]) -> None:
        """Add a clause that the connection states; a literal may be `TRUE` or `FALSE`."""


def write_levels(
    constraint: Connection, value: Callable[[int], int], most: int | None, sink: LevelSink
) -> None:
    """Write that the true literals of ``constraint`` are connected.

    Args:
        constraint: the connection.
        value: `TRUE` or `FALSE` for a literal whose value is known; any other literal itself.
        most: the largest number of true literals that anything else allows; None: unknown.
        sink: receives variables and clauses.
    """
    member = [value(lit) for lit in constraint.literals]
    alive = [node for node, each in enumerate(member) if each != FALSE]
    near = {
        node: [other for other in constraint.adjacent[node] if member[other] != FALSE]
        for node in alive
    }
    first = _roots(constraint, member, alive, sink)
    for component in _components(near):
        # The path from the outside has one node at the border; the nodes after it are inside.
        anchors = constraint.anchors or frozenset()
        inside = [node for node in component if node not in anchors]
        bound = longest_path(near, inside) + (constraint.anchors is not None)
        last = max(bound if most is None else min(bound, most), 1) - 1
        reached = {node: first[node] for node in component}
        earlier: dict[int, int] = {}
        for level in range(1, last):
            following = {}
            for node in component:
                # Neighbours that are reached no further than before reach nobody else.
                if earlier and all(reached[each] == earlier[each] for each in near[node]):
                    following[node] = reached[node]
                    continue
                beside = [reached[each] for each in near[node]]
                following[node] = _step(member[node], reached[node], beside, sink, node, level)
            if following == reached:
                break
            earlier, reached = reached, following
        # Each member is reached within the last step: that level needs no variables of its own.
        for node in component:
            before = [reached[other] for other in near[node]] if last else []
            options = dict.fromkeys([reached[node], *before])
            if member[node] not in options:
                sink.require([-member[node], *options])


def _roots(
    constraint: Connection, member: Sequence[int], alive: Sequence[int], sink: LevelSink
) -> dict[int, int]:
    """Return for each node that may be a member a literal "it is the root".

    With anchors the root is the outside, and the literal is "it is reached from there at once".
    """
    if constraint.anchors is not None:
        return {node: member[node] if node in constraint.anchors else FALSE for node in alive}
    known = next((node for node in alive if member[node] == TRUE), None)
    if known is not None:
        return {node: TRUE if node == known else FALSE for node in alive}
    # The root is the member with the least number: no member comes before it.
    found: dict[int, int] = {}
    before = FALSE
    for node in alive:
        own = member[node]
        if before == FALSE:
            found[node] = before = own
            continue
        root = sink.level_var("root", node)
        sink.define([-root, own])
        sink.define([-root, -before])
        sink.define([root, -own, before])
        found[node] = root
        if node != alive[-1]:
            earlier = sink.level_var("a member up to", node)
            sink.define([-earlier, before, own])
            sink.define([earlier, -before])
            sink.define([earlier, -own])
            before = earlier
    return found


def _step(
    own: int, before: int, others: Sequence[int], sink: LevelSink, node: int, level: int
) -> int:
    """Return "reached within ``level`` steps": a member, reached before or beside such a node.

    Args:
        own: "the node is a member".
        before: "it is reached within one step less", which implies ``own``.
        others: the same for its neighbours.
        sink: receives a variable if none of these literals will do.
        node: the number of the node.
        level: the number of steps.
    """
    options = [*dict.fromkeys([each for each in (before, *others) if each != FALSE])]
    # A node that is reached whenever it is a member stays so.
    if before == own or TRUE in options:
        return own
    if not options:
        return FALSE
    if options == [before] or (own == TRUE and len(options) == 1):
        return options[0]
    found = sink.level_var("reach", node, level)
    sink.define([-found, *options])
    sink.define([-found, own])
    for each in options:
        sink.define([found, -each] if each == before else [found, -own, -each])
    return found


def _components(near: Mapping[int, Sequence[int]]) -> list[list[int]]:
    """Return the connected components, each ascending, by their least nodes."""
    seen: set[int] = set()
    found = []
    for start in near:
        if start in seen:
            continue
        seen.add(start)
        component = [start]
        for node in component:
            more = [other for other in near[node] if other not in seen]
            seen.update(more)
            component += more
        found.append(sorted(component))
    return found


def longest_path(near: Mapping[int, Sequence[int]], nodes: Sequence[int]) -> int:
    """Return an upper bound on the number of ``nodes`` on an induced path.

    The nodes are parted greedily. An induced path has at most two nodes of a clique, since three
    would be a triangle, and at most three of a circle of four nodes, since it contains no circle.

    >>> square = {0: [1, 2], 1: [0, 3], 2: [0, 3], 3: [1, 2]}
    >>> longest_path(square, [0, 1, 2, 3]), longest_path(square, [0, 1, 3])
    (3, 3)
    """
    left = dict.fromkeys(nodes)
    bound = 0
    for node in nodes:
        if node not in left:
            continue
        clique = [node]
        others = [other for other in near[node] if other in left]
        for other in sorted(others):
            if all(each in near[other] for each in clique):
                clique.append(other)
        taken, most = clique, min(len(clique), 2)
        if len(clique) == 2:
            taken, most = _circle(near, node, others, left) or ([node], 1)
        for each in taken:
            del left[each]
        bound += most
    return bound


def _circle(
    near: Mapping[int, Sequence[int]], node: int, others: Sequence[int], left: Mapping[int, None]
) -> tuple[list[int], int] | None:
    """Return a circle of four nodes that are left, with ``node``, and the most on a path."""
    for place, one in enumerate(others):
        for two in others[:place]:
            for far in near[one]:
                if far != node and far in left and far in near[two]:
                    return [node, one, two, far], 3
    return None
