"""Two bounds and different weights: nodes and edges are defined by the way that leads to them.

Meaning: an edge is its node and the input's value, a node is any of the edges to it. So most of
the clauses say what is defined. For the others let a node's sums be what the inputs so far weigh on
the ways to it, from the least to the most:

1. A node implies that the inputs so far weigh at least the least and at most the most, as each edge
   to it does: a sum of rows and a step for each of both and each edge.
2. A node has no edge where all its sums lead to dead ends, see `dead_ends`; it forces its input.
3. On each level a node is reached, or the bounds are met before: by the two clauses of the input
   before that level. These follow from the same about their own level. A step each.

Size: linear in the clauses and literals but for the dead ends: those are as many as there are
intervals of such sums. To tell whether there is a way at all is to decide subset sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from pbcnf.derivation.derivation_state import DerivationState, UnderivableError
from pbcnf.derivation.diagrams.edges import Edge, Path
from pbcnf.derivation.diagrams.prefixes import Prefixes
from pbcnf.derivation.diagrams.root import Root
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.encoders.circuits.diagram import FALSE
from pbcnf.encoders.circuits.diagram_path import forced
from pbcnf.encoders.circuits.layered_diagram import decision_diagram
from pbcnf.literals import Lit

Hints = list[int | None]


def derive(of: EncodedSum, state: DerivationState) -> list[int]:
    """Define what can be reached, and derive the clauses."""
    prefixes = Prefixes(of, state)
    diagram = decision_diagram(of.weights, of.lower, of.upper)
    units, start = forced(diagram)
    known = Root(prefixes)
    found = [known.force(sign > 0) for _, sign in units]
    if start == FALSE:
        found.append(known.contradiction())
    if start < 0:
        return found
    levels = _Levels(Path(of, diagram, start), known)
    return found + [levels.derive(clause) for clause in of.clauses[len(found) :]]


class _Levels:
    """The definitions and lemmas, level by level, and by which of them each clause follows."""

    def __init__(self, path: Path, root: Root) -> None:
        self._path, self._root, self._prefixes = path, root, root.prefixes
        self._state = root.prefixes.state
        self._weighs: dict[int, tuple[int, int]] = {}
        self._implied: dict[int, Hints] = {}
        """That a node implies the least of its sums, and that they are not above the most."""
        self._forced: dict[int, int | None] = {}
        self._hints: dict[frozenset[Lit], Hints] = {}
        values: Hints = []
        for level, group in groupby(path.nodes, key=path.levels.__getitem__):
            values = self._add(level, [*group], values)

    def derive(self, clause: Sequence[Lit]) -> int:
        """Derive a clause of those that the definitions and lemmas imply."""
        hints = self._hints.get(frozenset(clause) - self._prefixes.also)
        if hints is None:
            raise UnderivableError(f"clause {list(clause)} is not about the nodes and edges")
        return self._state.propagate(clause, [hint for hint in hints if hint is not None])

    def _add(self, level: int, nodes: list[int], values: Hints) -> Hints:
        """Define a level; return what the values of its input imply, from the same before it."""
        path = self._path
        done, either = path.done[level]
        for node in nodes:
            if node not in path.ends and not path.stands(node):
                arriving = path.arriving[node]
                self._either(path.lits[node], [edge.lit for edge in arriving])
        if done is not None and len(either) > 1:
            self._either(done, either)
        some = None
        if values:
            lits = [path.lits[node] for node in nodes] + ([] if done is None else [done])
            hints = [hint for lit in lits for hint in self._if_false(lit)]
            some = self._prefixes.propagated([], lits, hints + values)
        for node in nodes:
            if node in path.ends:
                self._begin(level, node)
            else:
                self._weigh(level, node)
            self._leave(level, node)
        return [self._value(level, side, nodes, some) for side in (True, False)]

    def _either(self, var: Lit, lits: list[Lit]) -> None:
        self._state.define_or(var, lits)
        self._follow([-var, *lits], self._if_false(-var))
        for lit in lits:
            self._follow([-lit, var], self._if_false(var))

    def _begin(self, level: int, node: int) -> None:
        """Derive what a node implies that the first input, or its negation, stands for."""
        root, own = self._root, self._path.lits[node]
        weight = self._prefixes.of.weights[self._path.level]
        total = root.weighs + (weight if own == self._path.first else 0)
        least, beyond = (self._prefixes.at_least(level, t) for t in (total, total + 1))
        self._weighs[node] = total, total
        self._implied[node] = [
            self._prefixes.summed([own], [least], root.rows[0]),
            self._prefixes.summed([own, beyond], [], root.rows[1]),
        ]

    def _weigh(self, level: int, node: int) -> None:
        """Derive what the node implies about the sum of the inputs so far."""
        path, prefixes, own = self._path, self._prefixes, self._path.lits[node]
        edges, weight = path.arriving[node], prefixes.of.weights[level - 1]
        lows = [self._weighs[edge.node][0] + weight * edge.side for edge in edges]
        highs = [self._weighs[edge.node][1] + weight * edge.side for edge in edges]
        low, high = self._weighs[node] = min(lows), max(highs)
        at_least, at_most = self._if_false(-own), self._if_false(-own)
        reached, beyond = prefixes.at_least(level, low), prefixes.at_least(level, high + 1)
        for edge in edges:
            before = self._weighs[edge.node]
            least, most = self._implied[edge.node]
            rises = prefixes.rises(level - 1, edge.side, before[0], low)
            falls = prefixes.falls(level - 1, edge.side, high + 1, before[1] + 1)
            hints = [[*self._along(edge), least, rises], [*self._along(edge), most, falls]]
            at_least.append(prefixes.propagated([edge.lit], [reached], hints[0]))
            at_most.append(prefixes.propagated([edge.lit, beyond], [], hints[1]))
        if path.stands(node):
            self._implied[node] = [at_least[-1], at_most[-1]]
            return
        self._implied[node] = [
            prefixes.propagated([own], [reached], at_least),
            prefixes.propagated([own, beyond], [], at_most),
        ]

    def _leave(self, level: int, node: int) -> None:
        """Define the edges of a node, and derive what it forces if it has but one."""
        own, edges = self._path.lits[node], self._path.leaving[node]
        for edge in edges:
            value = self._prefixes.value(level, edge.side)
            if edge.own:
                self._state.define_and(edge.lit, [own, value])
                self._follow([-edge.lit, own], self._if_false(-edge.lit))
        if len(edges) == 1:
            self._force(level, edges[0])
        for edge in edges:
            self._follow([-edge.lit, self._prefixes.value(level, edge.side)], self._along(edge))
        if edges[0].own:
            hints = [hint for edge in edges for hint in self._if_false(edge.lit)]
            lits = [edge.lit for edge in edges]
            self._follow([-own, *lits], [*hints, self._forced.get(node)])

    def _force(self, level: int, edge: Edge) -> None:
        """Derive the value of the input at a node that has one edge: the other is a dead end."""
        prefixes, side = self._prefixes, not edge.side
        low, high = self._weighs[edge.node]
        weight = prefixes.of.weights[level] * side
        dead = self._root.dead_ends.cover(level + 1, low + weight, high + weight)
        hints = [
            *self._implied[edge.node],
            prefixes.rises(level, side, low, dead[0].start),
            prefixes.falls(level, side, dead[-1].end + 1, high + 1),
            *(interval.number for interval in dead),
        ]
        own, value = self._path.lits[edge.node], prefixes.value(level, edge.side)
        self._forced[edge.node] = prefixes.propagated([own], [value], hints)

    def _value(self, level: int, side: bool, nodes: list[int], some: int | None) -> int | None:
        """Derive that an input with that value is on an edge, or the bounds are met before."""
        hints, lits = [some], list[Lit]()
        for node in nodes:
            edge = next((edge for edge in self._path.leaving[node] if edge.side == side), None)
            if edge is None:
                hints.append(self._forced[node])
            else:
                lits.append(edge.lit)
                hints += self._if_false(edge.lit)
        done, _ = self._path.done[level]
        lits += [] if done is None else [done]
        value = self._prefixes.value(level, side)
        number = self._prefixes.propagated([value], lits, hints)
        self._follow([-value, *lits], [number])
        return number

    def _along(self, edge: Edge) -> Hints:
        """Return what says that an edge has its node and the value of its input."""
        return self._if_false(-edge.lit) if edge.own else [self._forced[edge.node]]

    def _follow(self, clause: list[Lit], hints: Hints) -> None:
        self._hints[frozenset(clause)] = hints

    def _if_false(self, lit: Lit) -> Hints:
        number = self._state.if_false.get(lit)
        return [] if number is None else [number]
