"""The decision diagram: with one bound, with two and equal weights, with two and any weights.

An upper bound: d[v] is true exactly if the inputs from the level of node v on weigh at most what v
can leave to them: the least of what the low child leaves, and of what the high child leaves plus
the weight of the input. With equal weights the variables are those of Knuth's counter. Two steps a
variable, and two a clause.

Two bounds and equal weights: a node is a number of inputs read and of those that were true. Its
variable is true exactly if the first i inputs have c true ones, so "at least c and not at least
c+1" of them. From one input to the next these thresholds imply each other in four ways, each one
sum of rows; every clause of a node then follows by propagation. Four steps for the variable and the
threshold of a node, eight for the implications and one for each clause: about four per clause.

Two bounds and different weights: see `diagram_paths`.

Reference: Abio, Nieuwenhuis, Oliveras, Rodriguez-Carbonell, Mayer-Eichberger: A new look at BDDs
for pseudo-Boolean constraints, JAIR 2012 (intervals).
"""

from __future__ import annotations

from collections.abc import Sequence

from pbcnf.derivation import diagram_paths
from pbcnf.derivation.derivation_state import DerivationState, UnderivableError
from pbcnf.derivation.diagram_paths import Prefixes
from pbcnf.derivation.encoded_sum import EncodedSum, by_decreasing_weight, is_clause
from pbcnf.derivation.thresholds import sequential_grid
from pbcnf.encoders.circuits.diagrams import TRUE, decision_diagram, equal_diagram
from pbcnf.literals import Lit


def derive(of: EncodedSum, state: DerivationState) -> list[int]:
    """Derive the clauses of the diagram that the encoder builds for these bounds."""
    of = by_decreasing_weight(of)
    if is_clause(of):
        return [state.derive_clause(clause, *of.bounds) for clause in of.clauses]
    if of.at_least is None:
        _define_upper_bound(of, state)
        return [state.derive_clause(clause, *of.bounds) for clause in of.clauses]
    if of.weights[0] == of.weights[-1]:
        nodes = _DiagramNodes(of, state)
        return [nodes.derive(clause) for clause in of.clauses]
    return diagram_paths.derive(of, state)


def _define_upper_bound(of: EncodedSum, state: DerivationState) -> None:
    """Define each node by the inputs still to be read: these weigh at most what the node leaves."""
    if len({*of.weights}) == 1:
        counts = sequential_grid(of.lits, 0, of.upper, of.first)
        for var, (least, lits) in counts.items():
            state.define(var, [(1, lit) for lit in lits], least)
        return
    diagram = decision_diagram(of.weights, 0, of.upper)
    # From the last node on, children before parents: the most that each node can leave to the
    # inputs from its level on: the least of what the low child can leave, and of what the high
    # child can leave plus the weight of the input. With no high child the input must be false, so
    # it is less than the input weighs.
    left = [0] * len(diagram.nodes)
    for node in range(len(left) - 1, -1, -1):
        level, high, low = diagram.nodes[node]
        left[node] = -1 + of.weights[level]
        if high >= 0:
            left[node] = left[high] + of.weights[level]
        elif high == TRUE:
            left[node] = of.total
        if low != TRUE:
            left[node] = min(left[node], left[low])
    # Nodes that false inputs alone lead to hold by the bound: they have no variable.
    certain, node = set[int](), diagram.root
    while node >= 0:
        certain.add(node)
        node = diagram.nodes[node].low
    var = of.first
    for node, most in enumerate(left):
        if node not in certain:
            level = diagram.nodes[node].level
            terms = [(weight, -lit) for weight, lit in of.terms[level:]]
            state.define(var, terms, sum(of.weights[level:]) - most)
            var += 1


Place = tuple[int, int]
"""A level, and the number of true inputs before it."""


class _DiagramNodes:
    """The nodes of a diagram with two bounds and equal weights, defined by the true inputs read."""

    def __init__(self, of: EncodedSum, state: DerivationState) -> None:
        self._state, self._of, self._prefixes = state, of, Prefixes(of, state)
        found = equal_diagram(len(of.lits), of.lower, of.upper).nodes
        counts = {0: 0}
        for node, (_, high, low) in enumerate(found):
            counts |= {high: counts[node] + 1, low: counts[node]}
        lits = [0, of.lits[0], -of.lits[0], *range(of.first, of.first + len(found) - 3)]
        self._places = {lits[at]: (found[at].level, counts[at]) for at in range(1, len(found))}
        self._lits = {place: lit for lit, place in self._places.items()}
        for lit, (level, count) in self._places.items():
            if level > 1:
                at_least = self._prefixes.at_least(level, count)
                more = self._prefixes.at_least(level, count + 1)
                own = [] if at_least is True else [at_least]
                state.define_and(lit, own if more is False else [*own, -more])

    def derive(self, clause: Sequence[Lit]) -> int:
        """Derive a clause of a node: the node is negated by its first literal."""
        node = -clause[0] if clause else 0
        place = self._places.get(node)
        if place is None:
            raise UnderivableError(f"clause {list(clause)} is not about a node")
        level, count = place
        rises, falls = self._prefixes.rises, self._prefixes.falls
        parents = [(level - 1, count - 1), (level - 1, count)]
        before = {abs(self._lits[at]) for at in parents if at in self._lits}
        before.add(abs(self._of.lits[level - 1]))
        # A clause about the edges into the node follows from how the thresholds of its level depend
        # on those one level up and on the input between; any other clause from those one level
        # down.
        if level > 1 and not before.isdisjoint(map(abs, clause)):
            hints = [
                falls(level - 1, True, count, count - 1),
                falls(level - 1, False, count, count),
                rises(level - 1, True, count, count + 1),
                rises(level - 1, False, count + 1, count + 1),
                *self._definitions(*parents),
            ]
        else:
            hints = [
                rises(level, True, count, count + 1),
                rises(level, False, count, count),
                falls(level, True, count + 2, count + 1),
                falls(level, False, count + 1, count + 1),
                *self._definitions((level + 1, count), (level + 1, count + 1)),
            ]
        hints += self._definitions(place)
        return self._state.propagate(clause, [hint for hint in hints if hint is not None])

    def _definitions(self, *places: Place) -> list[int | None]:
        lits = [self._lits[place] for place in places if place in self._lits]
        if_false = self._state.if_false
        return [if_false[own] for lit in lits for own in (-lit, lit) if own in if_false]
