"""Decision diagrams with two bounds and different weights: a node is defined by the paths to it.

Meaning: an edge is true if its node is and the input has the edge's value; a node is true if an
edge to it is. So most clauses say what is defined. For the other clauses let a node's sums be what
the inputs so far weigh along the paths to the node, from the least to the most:

1. A node implies that the inputs so far weigh at least the least and at most the most sum, because
   each edge to the node does: for each of these edges, and either bound, a sum of rows and a step.
2. A node has no edge for a value of its input with which all its sums lead to dead ends, see
   `DeadEnds`; the node forces the other value.
3. On each level a node is true, or the bounds are met before: this follows from the two clauses "if
   the input before this level has this value, an edge with it is true or the bounds are met", and
   these follow from statement 3 for the level of that input. A step each.

Size: linear in the clauses and literals but for the dead ends, which are as many as there are
intervals of sums without a path to the end. To tell whether a sum has one is to decide subset sums.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, groupby
from typing import NamedTuple

from pbcnf.derivation.derivation_state import DerivationState, UnderivableError
from pbcnf.derivation.encoded_sum import Condition, DerivedImplications, EncodedSum
from pbcnf.encoders.circuits.diagrams import FALSE, Diagram, DiagramPath, decision_diagram, forced
from pbcnf.literals import Lit


class Prefixes(DerivedImplications):
    """Thresholds of the first inputs of a sum with two bounds, and implications between them."""

    def __init__(self, of: EncodedSum, state: DerivationState) -> None:
        super().__init__(of, state)
        self.totals = [*accumulate(of.weights, initial=0)]
        self._made: dict[tuple[int, int], Lit] = {}

    def at_least(self, level: int, least: int) -> Condition:
        """Return "the first `level` inputs weigh >= `least`", defined when first asked for."""
        total = self.totals[level]
        if least <= max(self.of.lower - (self.totals[-1] - total), 0):
            return True
        if least > min(self.of.upper, total):
            return False
        if level == 1:
            return self.of.lits[0]
        place = level, least
        if place not in self._made:
            self._made[place] = self.state.fresh()
            self.state.define(self._made[place], self.of.terms[:level], least)
        return self._made[place]

    def rises(self, level: int, side: bool, before: int, after: int) -> int | None:
        """Derive: at least `before`, and the next input is `side`, imply at least `after`."""
        premises = [self.at_least(level, before), *([self.value(level, side)] if side else [])]
        return self.summed(premises, [self.at_least(level + 1, after)])

    def falls(self, level: int, side: bool, after: int, before: int) -> int | None:
        """Derive: at least `after`, with `side` as last input, implies at least `before`."""
        premises = [self.at_least(level + 1, after), *([] if side else [self.value(level, side)])]
        return self.summed(premises, [self.at_least(level, before)])

    def value(self, level: int, side: bool) -> Lit:
        """Return the literal "the input at `level` is true" (`side`) or "is false"."""
        return self.of.lits[level] if side else -self.of.lits[level]


class Interval(NamedTuple):
    """Sums from `start` to `end` that are dead ends, by constraint `number`.

    The constraint says that at least `start` implies at least `end` + 1; None: the bounds say so.
    """

    start: int
    end: int
    number: int | None


class DeadEnds:
    """Intervals of sums from which no values of the remaining inputs meet both bounds, by level.

    A bound excludes all sums above it, or all that are too small for what is left. In between are
    gaps: from s to e both values of the next input lead into an interval that is excluded already.
    So "at least s" implies "at least e + 1", by four sums, one for either value and either end.
    """

    def __init__(self, prefixes: Prefixes) -> None:
        self._prefixes = prefixes
        self._weights = prefixes.of.weights
        self._beyond = 2 * prefixes.totals[-1] + 1
        self._starts: list[list[int]] = [[] for _ in prefixes.totals]
        self._found: list[list[Interval]] = [[] for _ in prefixes.totals]

    def cover(self, level: int, first: int, last: int) -> list[Interval]:
        """Return intervals side by side that contain all sums from `first` to `last`."""
        found: list[Interval] = []
        while not found or found[-1].end < last:
            found.append(self._find(level, found[-1].end + 1 if found else first))
        return found

    def _find(self, level: int, total: int) -> Interval:
        # A sum is a dead end if both values of the next input lead to dead ends one level further.
        # Depth first, by a stack of its own: there may be more levels than Python's stack holds.
        pending = [(level, total)]
        while True:
            at, here = pending[-1]
            found = self._known(at, here)
            if found is not None:
                pending.pop()
                if not pending:
                    return found
                continue
            children = [(at + 1, here + self._weights[at]), (at + 1, here)]
            intervals = [self._known(*child) for child in children]
            high, low = intervals
            if high and low:
                self._join(at, high, low)
            else:
                pending += [c for c, known in zip(children, intervals, strict=True) if not known]

    def _known(self, level: int, total: int) -> Interval | None:
        of, totals = self._prefixes.of, self._prefixes.totals
        rest = totals[-1] - totals[level]
        if total > of.upper:
            return Interval(of.upper + 1, self._beyond, None)
        if total + rest < of.lower:
            return Interval(-self._beyond, of.lower - rest - 1, None)
        at = bisect_right(self._starts[level], total) - 1
        if at >= 0 and self._found[level][at].end >= total:
            return self._found[level][at]
        if level == len(self._weights):
            raise UnderivableError(f"the sum can be {total}")
        return None

    def _join(self, level: int, high: Interval, low: Interval) -> None:
        # All sums from which a true input leads into `high`, and a false one into `low`.
        weight, prefixes = self._weights[level], self._prefixes
        start = max(high.start - weight, low.start)
        end = min(high.end - weight, low.end)
        hints = [
            prefixes.rises(level, True, start, high.start),
            prefixes.falls(level, True, high.end + 1, end + 1),
            high.number,
            prefixes.rises(level, False, start, low.start),
            prefixes.falls(level, False, low.end + 1, end + 1),
            low.number,
        ]
        least, beyond = prefixes.at_least(level, start), prefixes.at_least(level, end + 1)
        number = prefixes.propagated([least], [beyond], hints)
        place = bisect_right(self._starts[level], start)
        self._starts[level].insert(place, start)
        self._found[level].insert(place, Interval(start, end, number))


class Root:
    """The first inputs, as long as the bounds force each of them, and their weight."""

    def __init__(self, prefixes: Prefixes) -> None:
        self.prefixes, self.dead_ends = prefixes, DeadEnds(prefixes)
        self.level = self.weighs = 0
        self.rows: list[int | None] = [None, None]
        """The numbers of "at least" and "at most ``weighs``", None where it holds by itself."""

    def force(self, side: bool) -> int:
        """Derive that the next input is true (`side`), or false: the other value is a dead end."""
        prefixes, weight = self.prefixes, self.prefixes.of.weights[self.level]
        value = prefixes.value(self.level, side)
        other = self.weighs + (0 if side else weight)
        unit = prefixes.propagated([], [value], self._dead(self.level + 1, other, [value]))
        assert unit is not None
        # A true input adds its weight to "at least", a false one takes its weight from "at most".
        row = self.rows[not side]
        parts = [(unit, weight)] + ([] if row is None else [(row, 1)])
        self.rows[not side] = prefixes.state.add(parts)
        self.level += 1
        self.weighs += weight if side else 0
        return unit

    def contradiction(self) -> int:
        """Derive the empty clause: the forced inputs lead to a dead end."""
        hints = self._dead(self.level, self.weighs, [])
        number = self.prefixes.propagated([], [], hints)
        assert number is not None
        return number

    def _dead(self, level: int, total: int, unless: list[Lit]) -> list[int | None]:
        # The forced inputs weigh at least and at most `total`: at least the interval's start, and
        # not more than its end, which the interval contradicts, unless a literal of `unless` holds.
        [dead] = self.dead_ends.cover(level, total, total)
        prefixes = self.prefixes
        least, beyond = prefixes.at_least(level, dead.start), prefixes.at_least(level, dead.end + 1)
        return [
            prefixes.summed([], [*unless, least], self.rows[0]),
            prefixes.summed([beyond], unless, self.rows[1]),
            dead.number,
        ]


class Edge(NamedTuple):
    """An edge that can still meet both bounds: where from, and the input's value."""

    node: int
    side: bool
    lit: Lit
    own: bool
    """Whether `lit` is a variable of the edge, or of a node that only this edge leads to.

    Otherwise `lit` is the literal of `node`, which has no other edge.
    """


class Path:
    """Nodes and edges behind the first choice, with the literals that `encode_path` gives them.

    ``lits``: the literal of a node. ``leaving``, ``arriving``: the edges of a node, the edge for a
    true input first. ``done``: for each level the literal "the bounds are met before this level",
    0 if they cannot be, and the literals of which the former is the disjunction: a variable of its
    own if there are several.
    """

    def __init__(self, of: EncodedSum, diagram: Diagram, start: int) -> None:
        path, nodes = DiagramPath(diagram, start), diagram.nodes
        self.level, high, low = nodes[start]
        self.nodes = range(start + 1, len(nodes))
        self.levels = {node: nodes[node].level for node in self.nodes}
        self.first = of.lits[self.level]
        self.ends = {high: self.first, low: -self.first}
        lits, edges, done = path.literals(self.first, of.first)
        self.lits: dict[int, Lit] = dict(zip(self.nodes, lits.tolist(), strict=True))
        self.done = dict(enumerate(done, start=self.level + 1))
        self.leaving: dict[int, list[Edge]] = {node: [] for node in self.nodes}
        self.arriving: dict[int, list[Edge]] = {node: [] for node in self.nodes}
        columns = (path.nodes, path.sides == 0, edges, path.starts, path.inner, path.to)
        for at, *rest, inner, to in zip(*(column.tolist() for column in columns), strict=True):
            edge = Edge(self.nodes[at], *rest)
            self.leaving[edge.node].append(edge)
            if inner:
                self.arriving[self.nodes[to]].append(edge)

    def stands(self, node: int) -> bool:
        """Whether `node` and the only edge to `node` share a literal."""
        return [edge.lit for edge in self.arriving[node] if edge.own] == [self.lits[node]]


Hints = list[int | None]


def derive(of: EncodedSum, state: DerivationState) -> list[int]:
    """Define nodes and edges as reached by a path, and derive the clauses."""
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
    """Definitions and lemmas, level by level, and the hints of each clause."""

    def __init__(self, path: Path, root: Root) -> None:
        self._path, self._root, self._prefixes = path, root, root.prefixes
        self._state = root.prefixes.state
        self._weighs: dict[int, tuple[int, int]] = {}
        self._implied: dict[int, Hints] = {}
        """Node -> the numbers of "it implies at least its least sum", and "at most its most"."""
        self._forced: dict[int, int | None] = {}
        self._hints: dict[frozenset[Lit], Hints] = {}
        values: Hints = []
        for level, group in groupby(path.nodes, key=path.levels.__getitem__):
            values = self._add(level, [*group], values)

    def derive(self, clause: Sequence[Lit]) -> int:
        """Derive a clause by propagation on the definitions and lemmas noted as its hints."""
        hints = self._hints.get(frozenset(clause))
        if hints is None:
            raise UnderivableError(f"clause {list(clause)} is not about the nodes and edges")
        return self._state.propagate(clause, [hint for hint in hints if hint is not None])

    def _add(self, level: int, nodes: list[int], values: Hints) -> Hints:
        """Define the nodes of a level, and derive statements 1 to 3 of the module about it.

        Returns for either value of the level's input the number of the clause "an edge with this
        value is true, or the bounds are met"; ``values``: those clauses of the level before.
        """
        path = self._path
        done, either = path.done[level]
        for node in nodes:
            if node not in path.ends and not path.stands(node):
                arriving = path.arriving[node]
                self._either(path.lits[node], [edge.lit for edge in arriving])
        if len(either) > 1:
            self._either(done, either)
        # Statement 3: one of the two values holds, and with it a node of this level, or `done`.
        some = None
        if values:
            lits = [path.lits[node] for node in nodes] + ([done] if done else [])
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
        """Derive the bounds that an end implies: a node whose literal is the first input's.

        All its paths have one sum: the weight of the forced inputs, and of the first one if that is
        true.
        """
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
        """Derive the bounds that a node implies on the sum of the inputs so far, edge by edge."""
        path, prefixes, own = self._path, self._prefixes, self._path.lits[node]
        edges, weight = path.arriving[node], prefixes.of.weights[level - 1]
        lows = [self._weighs[edge.node][0] + weight * edge.side for edge in edges]
        highs = [self._weighs[edge.node][1] + weight * edge.side for edge in edges]
        low, high = self._weighs[node] = min(lows), max(highs)
        at_least, at_most = self._if_false(-own), self._if_false(-own)
        reached, beyond = prefixes.at_least(level, low), prefixes.at_least(level, high + 1)
        # From the bounds of the node before and the input's value: "at least" rises and "at most"
        # falls by at most the weight of this input.
        for edge in edges:
            before = self._weighs[edge.node]
            least, most = self._implied[edge.node]
            rises = prefixes.rises(level - 1, edge.side, before[0], low)
            falls = prefixes.falls(level - 1, edge.side, high + 1, before[1] + 1)
            hints = [[*self._along(edge), least, rises], [*self._along(edge), most, falls]]
            at_least.append(prefixes.propagated([edge.lit], [reached], hints[0]))
            at_most.append(prefixes.propagated([edge.lit, beyond], [], hints[1]))
        if path.stands(node):
            # The node and its only edge are one literal.
            self._implied[node] = [at_least[-1], at_most[-1]]
            return
        self._implied[node] = [
            prefixes.propagated([own], [reached], at_least),
            prefixes.propagated([own, beyond], [], at_most),
        ]

    def _leave(self, level: int, node: int) -> None:
        """Define the edges of a node; if there is one only, derive the value it forces."""
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
        # Statement 2: if the input had the other value, the inputs up to it would weigh at least
        # the node's least sum and at most its most, with that value; the intervals lead from the
        # one end of this range to behind the other.
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
        """Derive: if the input is `side`, an edge of that value is taken or the bounds are met."""
        hints, lits = [some], list[Lit]()
        for node in nodes:
            edge = next((edge for edge in self._path.leaving[node] if edge.side == side), None)
            if edge is None:
                hints.append(self._forced[node])
            else:
                lits.append(edge.lit)
                hints += self._if_false(edge.lit)
        done, _ = self._path.done[level]
        lits += [done] if done else []
        value = self._prefixes.value(level, side)
        number = self._prefixes.propagated([value], lits, hints)
        self._follow([-value, *lits], [number])
        return number

    def _along(self, edge: Edge) -> Hints:
        """Return hints for "an edge implies its node and the value of its input"."""
        return self._if_false(-edge.lit) if edge.own else [self._forced[edge.node]]

    def _follow(self, clause: list[Lit], hints: Hints) -> None:
        self._hints[frozenset(clause)] = hints

    def _if_false(self, lit: Lit) -> Hints:
        number = self._state.if_false.get(lit)
        return [] if number is None else [number]
