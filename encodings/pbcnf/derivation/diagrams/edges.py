"""The nodes and edges of a diagram for two bounds, with the literals that stand for them."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.encoders.circuits.diagram import FALSE, TRUE, Diagram
from pbcnf.literals import Lit


class Edge(NamedTuple):
    """An edge that can still meet both bounds: where from, the input's value, where to."""

    node: int
    side: bool
    to: int
    lit: Lit
    own: bool
    """Whether the literal is a variable of the edge, or of the node it leads to and of it alone.

    Else it is that of the node that it comes from, which has no other edge.
    """


class Path:
    """What a path behind the first node left can lead to, numbered as `encode_path` does.

    ``lits``: of the nodes. ``leaving``, ``arriving``: the edges of a node, that of a true input
    first. ``done``: for each level what says that the bounds are met before it, if anything does,
    and the literals this is any of; if they are several, it is a variable.
    """

    def __init__(self, of: EncodedSum, diagram: Diagram, start: int) -> None:
        nodes = diagram.nodes
        self.level, high, low = nodes[start]
        self.nodes = range(start + 1, len(nodes))
        self.levels = {node: nodes[node].level for node in self.nodes}
        self.first = of.lits[self.level]
        self.ends = {high: self.first, low: -self.first}
        self.lits = {node: lit for node, lit in self.ends.items() if node >= 0}
        var = of.first
        for node in self.nodes:
            if node not in self.lits:
                self.lits[node], var = var, var + 1
        self.leaving: dict[int, list[Edge]] = {}
        self.arriving: dict[int, list[Edge]] = {node: [] for node in self.nodes}
        self.done: dict[int, tuple[Lit | None, list[Lit]]] = {}
        into = Counter(child for node in self.nodes for child in nodes[node][1:])
        done, met = None, [lit for node, lit in self.ends.items() if node == TRUE]
        level = self.level
        for node in self.nodes:
            if self.levels[node] > level:
                level += 1
                either = ([] if done is None else [done]) + met
                done, met = either[0] if either else None, []
                if len(either) > 1:
                    done, var = var, var + 1
                self.done[level] = done, either
            children = [(side, to) for side, to in zip((True, False), nodes[node][1:], strict=True)]
            children = [(side, to) for side, to in children if to != FALSE]
            fork = self.forks(node, len(children))
            self.leaving[node] = []
            for side, to in children:
                child = fork and to >= 0 and into[to] == 1
                lit = self.lits[to] if child else self.lits[node]
                if fork and not child:
                    lit, var = var, var + 1
                edge = Edge(node, side, to, lit, fork)
                self.leaving[node].append(edge)
                if to >= 0:
                    self.arriving[to].append(edge)
                if to == TRUE:
                    met.append(lit)

    def forks(self, node: int, edges: int) -> bool:
        """Whether the node stands for no edge."""
        return node in self.ends or edges == 2

    def stands(self, node: int) -> bool:
        """Whether the node's variable is that of the only edge to it."""
        return [edge.lit for edge in self.arriving[node] if edge.own] == [self.lits[node]]
