"""One network of comparators for "at most", as it is emitted: its values, what they mean, why.

Reference: Batcher: Sorting networks and their applications, AFIPS 1968.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pbcnf.derivation.ledger import UnderivableError
from pbcnf.derivation.watchdogs.falling import Falling, added_up
from pbcnf.derivation.watchdogs.odd_even import Node, Side
from pbcnf.derivation.watchdogs.walk import Walk
from pbcnf.encoders.circuits import one_way
from pbcnf.encoders.circuits.comparators import LITERAL, Network
from pbcnf.encoders.counter import Direction
from pbcnf.literals import Lit


class Ranked(NamedTuple):
    """Values in falling order; what comes behind those of the second does not matter."""

    values: Sequence[int]
    of: Falling


class _Compared(NamedTuple):
    """How a value comes about: in this merge, from E_j and D_(j+1), or from the only two inputs."""

    node: Node
    even: int
    odd: int
    is_low: bool
    is_smallest: bool


class NetworkDerivation:
    """Follows a network over `lits` and its variables, then its clauses."""

    def __init__(self, network: Network, lits: Sequence[Lit], walk: Walk) -> None:
        variables, skipped = one_way.numbering(network, Direction.AT_MOST)
        n = network.inputs
        auxiliaries = int(variables[-1]) - n if len(variables) else 0
        literals = [0, *lits, *walk.new_vars(auxiliaries)]
        has_own = (network.asked & LITERAL != 0) & ~skipped
        has_own[:n] = True
        self.literal = {v: literals[variables[v]] for v in has_own.nonzero()[0].tolist()}
        self._has_own = set(self.literal)
        self._output = {lit: v for v, lit in self.literal.items() if v >= n}
        self._asked = set(network.asked.nonzero()[0].tolist())
        sides = network.left.tolist(), network.right.tolist()
        self._consumer = {v: i for side in sides for i, v in enumerate(side)}
        self._inputs = n
        self._clauses = one_way.size(network, Direction.AT_MOST).clauses
        self._walk = walk
        self._compared: dict[int, _Compared] = {}
        self._place: dict[int, tuple[Node, int]] = {}
        """The largest merge so far that has the value among its outputs, and where."""
        self._lifts: dict[int, list[tuple[Node, bool]]] = {}
        """The merges that only move the value on, and whether from the even ones."""
        self._merged: set[int] = set()
        """What merges take in."""
        self._alone: dict[int, tuple[Node, int]] = {}
        """What parts of merges take in on one side only, and the place there."""
        self._premises: dict[int, int | None] = {}

    def sort(self, values: Sequence[int]) -> Ranked:
        """Define the values of a sorter."""
        if len(values) == 1:
            return Ranked(values, Falling([self.literal[values[0]]], (), self._walk.ledger))
        halves = self.sort(values[::2]), self.sort(values[1::2])
        outputs, node = self.merge(*halves)
        last = max((j for j, v in enumerate(outputs, 1) if v in self._asked), default=0)
        return Ranked(outputs, self.falling(outputs[:last], node, *halves))

    def merge(self, left: Ranked, right: Ranked) -> tuple[list[int], Node]:
        """Define the values of a merge of falling sequences; return its outputs, and the merge."""
        values = left.values, right.values
        self._merged.update(*values)
        sides = Side(left.of, range(len(values[0]))), Side(right.of, range(len(values[1])))
        first = len(self._compared)
        outputs, node = self._outputs(sides, values)
        for v in [*self._compared][first:]:
            if v in self._has_own:
                self._define(self.literal[v], *self._place[v])
        return outputs, node

    def falling(
        self, outputs: Sequence[int], node: Node, left: Ranked, right: Ranked, unit: int = 1
    ) -> Falling:
        """Return the outputs of a merge; those without a variable get one that no clause has.

        The totals of what is merged have the factor `unit`, and so has that of the outputs.
        """
        for count, v in enumerate(outputs, start=1):
            if v not in self._has_own:
                self.literal[v] = self._walk.ledger.fresh()
                self._define(self.literal[v], node, count)
        lits, ledger = [self.literal[v] for v in outputs], self._walk.ledger
        total = [*left.of.total, *right.of.total]
        if lits:
            total.append((added_up(lits, ledger), unit))
        return Falling(lits, total if len(total) < 2 else [(ledger.add(total), 1)], ledger)

    def derive(self) -> None:
        """Derive the clauses."""
        for clause in self._walk.clauses(self._clauses):
            made = next((lit for lit in clause if lit in self._output), None)
            if made is None:
                raise UnderivableError(f"clause {list(clause)} gives no value of its network")
            v = self._output[made]
            even = self._compared[v].even
            is_even = self._behind(even) <= {-lit for lit in clause}
            parts = [*self._reasons(v, is_even), (self._walk.ledger.if_false[made], 1)]
            self._walk.derived.append(self._walk.ledger.sum_up(clause, parts))

    def _define(self, lit: Lit, node: Node, count: int) -> None:
        self._walk.ledger.define(lit, [(1, wire) for wire in node.wires], count)

    def _outputs(
        self, sides: tuple[Side, Side], values: tuple[Sequence[int], Sequence[int]]
    ) -> tuple[list[int], Node]:
        node = Node(*sides, self._walk.ledger)
        left, right = ([values[i][j] for j in sides[i].places] for i in (0, 1))
        if not left or not right:
            found = left or right
            for place, v in enumerate(found, start=1):
                self._alone[v] = node, place
        elif len(left) == len(right) == 1:
            found = self._comparator(_Compared(node, left[0], right[0], False, True))
        else:
            odd = self._outputs((sides[0].every_second(0), sides[1].every_second(0)), values)[0]
            even = self._outputs((sides[0].every_second(1), sides[1].every_second(1)), values)[0]
            found = odd[:1]
            for j in range(max(len(even), len(odd) - 1)):
                if j >= len(even) or j + 1 >= len(odd):
                    v = even[j] if j < len(even) else odd[j + 1]
                    self._lifts.setdefault(v, []).append((node, j < len(even)))
                    found.append(v)
                else:
                    found += self._comparator(_Compared(node, even[j], odd[j + 1], False, False))
        for count, v in enumerate(found, start=1):
            self._place[v] = node, count
        return found, node

    def _comparator(self, made: _Compared) -> list[int]:
        i = self._consumer[made.even]
        if self._consumer[made.odd] != i:
            raise UnderivableError("the network is none of odd-even merges")
        high = self._inputs + 2 * i
        self._compared[high] = made
        self._compared[high + 1] = made._replace(is_low=True)
        return [high, high + 1]

    def _behind(self, v: int) -> set[Lit]:
        """Return the literals by which a clause says that the value is true."""
        if v in self._has_own:
            return {self.literal[v]}
        return {self.literal[self._compared[v].even], self.literal[self._compared[v].odd]}

    def _premise(self, v: int) -> int | None:
        """Return the number of the row that the value gives what it means, None if none is needed.

        If it has no variable of its own, its two inputs do. What is merged means itself, unless it
        comes after others on its side.
        """
        if v not in self._premises:
            ledger = self._walk.ledger
            parts: list[tuple[int, int]] = []
            if v in self._merged:
                node, place = self._alone.get(v, (None, 1))
                row = node.first(place) if node else None
                parts = [(row, 1)] if row else []
                if v not in self._has_own:
                    lit = self.literal[v]
                    clause = [lit, *(-lit for lit in self._behind(v))]
                    helping = [*self._reasons(v), (ledger.if_false[lit], 1)]
                    parts.append((ledger.sum_up(clause, helping), place))
            elif v in self._has_own:
                parts = [(ledger.if_false[-self.literal[v]], 1)]
            else:
                parts = self._reasons(v)
            plain = len(parts) == 1 and parts[0][1] == 1
            self._premises[v] = parts[0][0] if plain else ledger.add(parts) if parts else None
        return self._premises[v]

    def _reasons(self, v: int, is_even: bool = True) -> list[tuple[int, int]]:
        """Return what added up gives a low value by both inputs, a high one by one of them."""
        made = self._compared[v]
        if made.is_low:
            parts = [(self._premise(made.even), 1), (self._premise(made.odd), 1)]
        else:
            premise = self._premise(made.even if is_even else made.odd)
            parts = [(premise, 1)]
            if not made.is_smallest:
                parts = _lifted(parts, made.node, is_even)
        for node, was_even in self._lifts.get(v, ()):
            parts = _lifted(parts, node, was_even)
        return [(row, factor) for row, factor in parts if row is not None]


_Parts = list[tuple[int | None, int]]


def _lifted(parts: _Parts, node: Node, is_even: bool) -> _Parts:
    """Return twice the parts and what the other half of the merge has at least."""
    other = node.odd_at_least_even if is_even else node.even_at_least_odd
    return [*((row, 2 * factor) for row, factor in parts), (other, 1)]
