"""The bounds from the clauses of decision diagrams; with one bound as for counters.

With two bounds a node says something of the inputs before its level, and each of its edges says
something of its input:

1. A node implies that the inputs so far weigh at least the least, and at most the most, of what
   they weigh along paths to the node: as the edges to the node do, one level after the other.
2. An edge after which all later inputs may have any value implies both bounds, by 1. So does a node
   whose edges do, from the last level on; an edge that is excluded need not.
3. The nodes of the first choice are an input and its negation: both imply both bounds.

Steps: about six for every edge, two for every node.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from pbcnf.derivation.converse import counters
from pbcnf.derivation.converse.clauses_left import ClausesLeft
from pbcnf.derivation.derivation_state import BoundIds, DerivationState, UnderivableError
from pbcnf.derivation.diagram_paths import Path, Prefixes
from pbcnf.derivation.encoded_sum import Condition, by_decreasing_weight
from pbcnf.encoders.circuits.diagrams import FALSE, TRUE, decision_diagram, equal_diagram, forced
from pbcnf.literals import Lit


def derive(left: ClausesLeft, state: DerivationState) -> BoundIds:
    """Derive both bounds from the clauses of the diagram."""
    of = left.of
    if of.at_least is None or of.at_most is None:
        return counters.derive(left, state)
    of = by_decreasing_weight(of)
    back = _DiagramBack(replace(left, of=of), state)
    return back.equal() if of.weights[0] == of.weights[-1] else back.different()


class _Arc(NamedTuple):
    """An edge: where from, and what follows from `taken`, literals that are true if it is taken.

    ``up``: the numbers of clauses by which its start and its input's value follow; ``down``: those
    by which its end follows.
    """

    start: int
    side: bool
    taken: tuple[Lit, ...]
    up: tuple[int, ...]
    down: tuple[int, ...]


class _Ends(NamedTuple):
    """The numbers of "at least the lower bound" and "at most the upper bound", or of sums so far.

    None for what holds by itself. They are implied by a literal, or hold.
    """

    least: int | None
    most: int | None


class _DiagramBack:
    """The nodes of a diagram with two bounds, and what is derived of them."""

    def __init__(self, left: ClausesLeft, state: DerivationState) -> None:
        of = left.of
        self._of, self._state = of, state
        pairs = zip(of.clauses, left.numbers, strict=True)
        self._clauses = {frozenset(clause): number for clause, number in pairs}
        # Without bounds no threshold is certain.
        free = replace(of, lower=0, upper=of.total, at_least=None, at_most=None)
        self._prefixes = Prefixes(free, state)
        n = len(of.lits)
        self._goals = self._prefixes.at_least(n, of.lower), self._prefixes.at_least(n, of.upper + 1)
        self._levels: dict[int, int] = {}
        self._lits: dict[int, Lit] = {}
        self._arriving: dict[int, list[_Arc]] = {}
        self._arrives: dict[int, list[int]] = {}
        """Node -> the numbers of clauses by which an edge to it is taken."""
        self._leaving: dict[int, list[tuple[_Arc, int]]] = {}
        """Node -> edges that leave the node, and the nodes at the ends."""
        self._leaves: dict[int, list[int]] = {}
        """Node -> the numbers of clauses by which an edge from it is taken."""
        self._weighs: dict[int, tuple[int, int]] = {}
        self._sums: dict[int, _Ends] = {}
        self._implied: dict[int, _Ends] = {}

    def equal(self) -> BoundIds:
        """Derive the bounds where a node is a number of inputs read, and of true ones."""
        of = self._of
        nodes = equal_diagram(len(of.lits), of.lower, of.upper).nodes
        lits = [0, of.lits[0], -of.lits[0], *range(of.first, of.first + len(nodes) - 3)]
        for node in range(1, len(nodes)):
            self._add(node, nodes[node].level, lits[node])
        for start, (level, *ends) in enumerate(nodes):
            for side, end in zip((True, False), ends, strict=True):
                value = self._prefixes.value(level, side)
                if start and end == FALSE:
                    self._leaves[start].append(self._clause([-lits[start], -value]))
                if start and end >= 0:
                    # The edge is taken where its input has the value: from either end.
                    taken = [-lits[start], lits[end]]
                    down = self._clause([*taken, -value], taken)
                    up = self._clause([-lits[end], -value, lits[start]], [-lits[end], lits[start]])
                    self._leaving[start].append(
                        (_Arc(start, side, (lits[start], value), (), (down,)), end)
                    )
                    self._arriving[end].append(_Arc(start, side, (lits[end], value), (up,), ()))
                elif start and end == TRUE:
                    arc = _Arc(start, side, (lits[start], value), (), ())
                    self._leaving[start].append((arc, TRUE))
        for node in range(3, len(nodes)):
            sides = {arc.side for arc in self._arriving[node]}
            for side in {True, False} - sides:
                value = self._prefixes.value(self._levels[node] - 1, side)
                self._arrives[node].append(self._clause([-lits[node], -value]))
        return self._bounds(0, (0, None, None), [1, 2])

    def different(self) -> BoundIds:
        """Derive the bounds where edges have literals."""
        of, state = self._of, self._state
        diagram = decision_diagram(of.weights, of.lower, of.upper)
        units, start = forced(diagram)
        if start == FALSE:
            empty = self._clause([])
            return BoundIds(empty, empty)
        weighs = sum(of.weights[level] for level, sign in units if sign > 0)
        rows: list[int | None] = []
        for side in (1, -1):
            some = [(level, side * of.lits[level]) for level, sign in units if sign == side]
            parts = [(self._clause([lit]), of.weights[level]) for level, lit in some]
            rows.append(state.add(parts) if parts else None)
        if start == TRUE:
            return BoundIds(*rows)
        path = Path(of, diagram, start)
        for node in path.nodes:
            self._add(node, path.levels[node], path.lits[node])
        ends = {id(edge): node for node in path.nodes for edge in path.arriving[node]}
        for node in path.nodes:
            own, edges = path.lits[node], path.leaving[node]
            for edge in edges:
                up = [self._clause([-edge.lit, self._prefixes.value(path.levels[node], edge.side)])]
                if edge.lit != own:
                    up.append(self._clause([-edge.lit, own]))
                end = ends.get(id(edge), TRUE)
                down: tuple[int, ...] = ()
                if end != TRUE and path.lits[end] != edge.lit:
                    down = (self._clause([-edge.lit, path.lits[end]]),)
                arc = _Arc(node, edge.side, (edge.lit,), tuple(up), down)
                self._leaving[node].append((arc, end))
                if end != TRUE:
                    self._arriving[end].append(arc)
            lits = [edge.lit for edge in edges]
            if own not in lits:
                self._leaves[node].append(self._clause([-own, *lits]))
        for node in path.nodes:
            lits = [arc.taken[0] for arc in self._arriving[node]]
            if node not in path.ends and path.lits[node] not in lits:
                self._arrives[node].append(self._clause([-path.lits[node], *lits]))
        before = weighs, rows[0], rows[1]
        return self._bounds(path.level, before, [*path.ends])

    def _clause(self, *some: Sequence[Lit]) -> int:
        """Return the number of the first of some clauses that is there."""
        for lits in some:
            if (number := self._clauses.get(frozenset(lits))) is not None:
                return number
        raise UnderivableError(f"there is no clause {sorted(some[0], key=abs)}")

    def _add(self, node: int, level: int, lit: Lit) -> None:
        self._levels[node], self._lits[node] = level, lit
        for each in (self._arrives, self._leaves):
            each[node] = []
        self._arriving[node], self._leaving[node] = [], []

    def _bounds(
        self, level: int, before: tuple[int, int | None, int | None], ends: Sequence[int]
    ) -> BoundIds:
        """Derive the bounds: the input at `level` decides between two nodes, or TRUE.

        ``before``: what the inputs before weigh, and rows that say so; ``ends``: the nodes if the
        input is true, and if it is false.
        """
        weighs, *rows = before
        prefixes, weight = self._prefixes, self._of.weights[level]
        for side, node in zip((True, False), ends, strict=True):
            if node >= 0:
                own, total = self._lits[node], weighs + weight * side
                least, beyond = (prefixes.at_least(level + 1, t) for t in (total, total + 1))
                self._weighs[node] = total, total
                self._sums[node] = _Ends(
                    prefixes.summed([own], [least], rows[0]),
                    prefixes.summed([own, beyond], [], rows[1]),
                )
        nodes = sorted(self._levels, key=self._levels.__getitem__)
        for node in nodes:
            if node not in ends:
                self._weigh(node)
        for node in reversed(nodes):
            self._imply(node)
        both: list[list[int | None]] = [[], []]
        for side, node in zip((True, False), ends, strict=True):
            if node >= 0:
                found = self._implied[node]
            else:
                value = prefixes.value(level, side)
                least, beyond = self._goals
                found = _Ends(
                    prefixes.summed([value], [least], rows[0]),
                    prefixes.summed([value, beyond], [], rows[1]),
                )
            for numbers, number in zip(both, found, strict=True):
                numbers.append(number)
        lower = prefixes.propagated([], [self._goals[0]], both[0])
        upper = prefixes.propagated([self._goals[1]], [], both[1])
        return BoundIds(self._row(self._goals[0], lower), self._row(self._goals[1], upper, -1))

    def _row(self, goal: Condition, unit: int | None, sign: int = 1) -> int:
        """Return the row that defines `goal`, negated for -1, less this true literal."""
        if isinstance(goal, bool) or unit is None:
            raise UnderivableError("a bound holds by itself")
        half = self._state.if_false[-sign * goal]
        factor = abs(self._state.rows[half].coefficients[abs(goal)])
        return self._state.add([(half, 1), (unit, factor)])

    def _weigh(self, node: int) -> None:
        """Derive what the inputs before a node weigh at least and at most, edge by edge."""
        prefixes, level, own = self._prefixes, self._levels[node], self._lits[node]
        arcs, weight = self._arriving[node], self._of.weights[level - 1]
        low = min(self._weighs[arc.start][0] + weight * arc.side for arc in arcs)
        high = max(self._weighs[arc.start][1] + weight * arc.side for arc in arcs)
        self._weighs[node] = low, high
        reached, beyond = prefixes.at_least(level, low), prefixes.at_least(level, high + 1)
        hints: list[list[int | None]] = [[*self._arrives[node]], [*self._arrives[node]]]
        for arc in arcs:
            before, sums = self._weighs[arc.start], self._sums[arc.start]
            rises = prefixes.rises(level - 1, arc.side, before[0], low)
            falls = prefixes.falls(level - 1, arc.side, high + 1, before[1] + 1)
            for some, premises, conclusions, why in (
                (hints[0], arc.taken, [reached], (sums.least, rises)),
                (hints[1], (*arc.taken, beyond), [], (sums.most, falls)),
            ):
                some.append(prefixes.propagated(premises, conclusions, [*arc.up, *why]))
        self._sums[node] = self._merged(own, (reached, beyond), hints, arcs)

    def _imply(self, node: int) -> None:
        """Derive that a node implies both bounds, as its edges do."""
        prefixes, level, own = self._prefixes, self._levels[node], self._lits[node]
        least, beyond = self._goals
        low, high = self._weighs[node]
        reached, more = prefixes.at_least(level, low), prefixes.at_least(level, high + 1)
        hints: list[list[int | None]] = [[*self._leaves[node]], [*self._leaves[node]]]
        for arc, end in self._leaving[node]:
            if end == TRUE:
                value = prefixes.value(level, arc.side)
                sums = self._sums[node]
                rises = prefixes.summed([reached, *([value] if arc.side else [])], [least])
                falls = prefixes.summed([beyond, *([] if arc.side else [value])], [more])
                why = [[*arc.up, sums.least, rises], [*arc.up, sums.most, falls]]
            else:
                found = self._implied[end]
                why = [[*arc.down, found.least], [*arc.down, found.most]]
            hints[0].append(prefixes.propagated(arc.taken, [least], why[0]))
            hints[1].append(prefixes.propagated([*arc.taken, beyond], [], why[1]))
        arcs = [arc for arc, _ in self._leaving[node]]
        self._implied[node] = self._merged(own, self._goals, hints, arcs)

    def _merged(
        self,
        own: Lit,
        goals: tuple[Condition, Condition],
        hints: Sequence[Sequence[int | None]],
        arcs: Sequence[_Arc],
    ) -> _Ends:
        """Derive of a node what is derived of all its edges."""
        if len(arcs) == 1 and arcs[0].taken == (own,):
            # The edge and the node are one literal.
            return _Ends(hints[0][-1], hints[1][-1])
        prefixes = self._prefixes
        return _Ends(
            prefixes.propagated([own], [goals[0]], hints[0]),
            prefixes.propagated([own, goals[1]], [], hints[1]),
        )
