"""The bound of a sum over groups from the clauses of a diagram.

Of each part of the sum there are variables z of the proof alone, "the part has at least this
value", defined by its literals; of each node one, t: what the parts from its level on weigh is at
most the largest sum on a path from the node. It is derived, the last level first, that a node
implies its t. Let a node be true and t false, and go through the values from the largest on: if the
part has at least this value, and not the next, the clauses make the child of this value true, hence
its t, and both together are no more than t allows. So the part has not this value either; and it
always has the least one.

Steps: two for each node and each output, four for each edge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from pbcnf.derivation.converse.given_clauses import GivenClauses
from pbcnf.derivation.converse.group_parts import BoundBack
from pbcnf.encoders.circuits.choice_diagrams import GroupedDiagram
from pbcnf.encoders.circuits.diagrams import FALSE, TRUE
from pbcnf.encoders.circuits.grouped_sums import values_of
from pbcnf.formula import Formula
from pbcnf.literals import Lit


class _Level(NamedTuple):
    """A part of the sum: its values but the least, and for each an exact literal and an output.

    ``known``: the number of "the exact literal implies the output, or the next exact one", None for
    equal literals. ``behind``: the numbers of "no more than this value weighs anything if the exact
    literal is false", None for the last one.
    """

    values: Sequence[int]
    exact: Sequence[Lit]
    outputs: Sequence[Lit]
    known: Sequence[int | None]
    behind: Sequence[int | None]
    loose: bool

    @property
    def terms(self) -> list[tuple[int, Lit]]:
        """The exact literals and what each weighs."""
        steps = [b - a for a, b in pairwise(self.values)]
        return [*zip(steps, self.exact, strict=True)]


def derive(back: BoundBack) -> None:
    """Derive the bound from the diagram."""
    plan = GroupedDiagram.of(back.bound)
    assert plan is not None
    first = back.next_var
    back.next_var += int(plan.free.sum())
    levels: list[_Level] = []
    for level, part in enumerate(plan.parts):
        alone = Formula(back.next_var - 1)
        outputs = plan.literals(level, alone)
        back.next_var = alone.num_vars + 1
        if isinstance(part, list):
            levels.append(_Level(plan.values[level], outputs, outputs, [None], [None], False))
        else:
            levels.append(_group(back, *part, outputs, plan.is_loose(level)))
    if plan.diagram.root == TRUE:
        return
    nodes = _Nodes(plan, levels, first, back.clauses)
    back.upper += nodes.bound()


def _group(
    back: BoundBack,
    weights: Mapping[Lit, int],
    none: int | None,
    outputs: Sequence[Lit],
    loose: bool,
) -> _Level:
    """Define the exact literals of a group, and add what they weigh to the bound."""
    state, clauses, rows = back.state, back.clauses, back.rows
    values, group = values_of(weights, none), [*weights]
    none = values[-1] if none is None else none
    exact: list[Lit] = []
    for before, value in pairwise(values):
        some = [lit for lit, w in weights.items() if (w >= value if value > none else w < value)]
        sign = 1 if value > none else -1
        exact.append(sign * some[0])
        if len(some) > 1:
            exact[-1] = z = state.fresh()
            if value > none:
                state.define_or(z, some)
                row = rows.divided([(state.if_false[z], 1)], len(some), some, group)
            else:
                state.define_and(z, [-lit for lit in some])
                row = state.if_false[z]
            back.upper.append((row, value - before))
    falls: list[int] = []
    for at, (one, other) in enumerate(pairwise(exact), start=1):
        halves = [state.if_false[lit] for lit in (one, -other) if lit in state.if_false]
        if values[at] <= none < values[at + 1]:
            parts = [(number, 1) for number in (*halves, rows.at_most_one(group))]
            falls.append(state.derive_by_sum([one, -other], parts, bounded=False))
        else:
            falls.append(state.propagate([one, -other], halves))
    known: list[int | None] = []
    for at in range(len(outputs), 0, -1):
        own, z, value = outputs[at - 1], exact[at - 1], values[at]
        following = exact[at : at + 1]
        hints = [state.if_false.get(-z), *(state.if_false.get(lit) for lit in following)]
        more = following if loose and value > none else []
        if value > none:
            new = [lit for lit, w in weights.items() if w == value and lit != own]
            hints += [clauses[-lit, own] for lit in new]
            if not loose and following:
                hints += [known[0], clauses[-outputs[at], own]]
        elif own in weights:
            hints.append(rows.one_of(group))
        else:
            hints.append(clauses[own, *(lit for lit, w in weights.items() if w < value)])
        reasons = [hint for hint in hints if hint is not None]
        known.insert(0, None if own == z else state.propagate([-z, *more, own], reasons))
    behind: list[int | None] = [None]
    for at in range(len(exact) - 1, 0, -1):
        parts = [(falls[at - 1], values[-1] - values[at])]
        parts += [] if behind[0] is None else [(behind[0], 1)]
        behind.insert(0, state.add(parts))
    return _Level(values, exact, outputs, known, behind, loose)


class _Nodes:
    """The nodes of a diagram; of each what follows from it."""

    def __init__(
        self,
        plan: GroupedDiagram,
        levels: Sequence[_Level],
        first: int,
        clauses: GivenClauses,
    ) -> None:
        self._plan, self._levels, self._clauses = plan, levels, clauses
        self._state = clauses.state
        self._vars = plan.free.cumsum() + (first - 1)
        self._most: dict[int, int] = {}
        """Node -> the largest sum on a path from it."""
        self._exact: dict[int, Lit] = {}
        self._links: dict[int, int] = {}
        """Node -> the number of "the node implies its exact variable", or the variable alone."""
        self._at: dict[int, int] = {}
        self._rest = [sum(level.values[-1] - level.values[0] for level in levels)]
        for level in levels:
            self._rest.append(self._rest[-1] - level.values[-1] + level.values[0])
        for at in reversed(range(len(levels))):
            for i, children in enumerate(plan.diagram.children[at].tolist()):
                self._add(at, plan.diagram.first[at] + i, children)

    def bound(self) -> list[tuple[int, int]]:
        """Return parts: all exact literals weigh at most what the root says."""
        root = self._plan.diagram.root
        half = self._state.if_false[-self._exact[root]]
        times = abs(self._state.rows[half].coefficients[self._exact[root]])
        return [(half, 1), (self._links[root], times)]

    def _own(self, node: int) -> list[Lit]:
        """Return the node's variable; nothing if it always holds, or never."""
        return [int(self._vars[node])] if node >= 0 and self._plan.free[node] else []

    def _add(self, at: int, node: int, children: Sequence[int]) -> None:
        """Derive that a node implies its exact variable."""
        state, level = self._state, self._levels[at]
        values = [value - level.values[0] for value in level.values]
        runs: list[tuple[int, int]] = []
        for value, child in enumerate(children):
            if runs and not level.loose and children[runs[-1][1]] == child:
                runs[-1] = runs[-1][0], value
            else:
                runs.append((value, value))
        reached = [
            values[end] + self._beyond(children[end], at + 1)
            for _, end in runs
            if children[end] != FALSE
        ]
        self._at[node], self._most[node] = at, max(reached)
        terms = [term for each in self._levels[at:] for term in each.terms]
        self._exact[node] = exact = state.fresh()
        negated = [(weight, -lit) for weight, lit in terms]
        state.define(exact, negated, self._rest[at] - self._most[node])
        goal = [*(-lit for lit in self._own(node)), exact]
        number: int | None = None
        for start, end in reversed(runs):
            child = children[end]
            hints = [number]
            if (start and child != children[0]) or child == FALSE:
                premises = [*self._own(node), level.outputs[start - 1]]
            else:
                premises = self._own(node)
            if start:
                hints.append(level.known[start - 1])
            if child == FALSE or self._own(child):
                clause = [*(-lit for lit in premises), *self._own(child)]
                hints.append(self._clauses[clause])
            if child != FALSE:
                hints += [self._links.get(child), self._enough(at, node, end, child)]
            lits = [*goal, -level.exact[start - 1]] if start else goal
            number = state.propagate(lits, [hint for hint in hints if hint is not None])
        assert number is not None
        self._links[node] = number

    def _beyond(self, child: int, at: int) -> int:
        """Return the largest sum from level `at` on by way of a child."""
        if child == TRUE:
            return self._rest[at]
        return self._most[child] + self._rest[at] - self._rest[self._at[child]]

    def _enough(self, at: int, node: int, value: int, child: int) -> int:
        """Derive: if the part has at most this value, and the child says so, the node's sum is."""
        state, level, exact = self._state, self._levels[at], self._exact
        clause, rows = [exact[node]], [state.if_false[exact[node]]]
        if value < len(level.exact):
            clause.append(level.exact[value])
            number = level.behind[value]
            rows += [] if number is None else [number]
        if child != TRUE:
            clause.append(-exact[child])
            rows.append(state.if_false[-exact[child]])
        return state.derive_by_sum(clause, [(row, 1) for row in rows], bounded=False)
