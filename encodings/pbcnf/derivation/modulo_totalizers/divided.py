"""A modulo totalizer with quotients: what all its nodes count, and the clauses of each node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbcnf.derivation.derivation_state import DerivationState, Parts, UnderivableError
from pbcnf.derivation.inequalities import combined
from pbcnf.derivation.modulo_totalizers.counts import (
    EMPTY,
    Count,
    UnaryDigit,
    count,
    define,
    not_carried,
    present,
)
from pbcnf.derivation.modulo_totalizers.tree import DigitTree
from pbcnf.encoders.circuits.modulo_node import ModuloBounds
from pbcnf.literals import Lit, Var


def bound(
    tree: DigitTree,
    below: tuple[Count, Count],
    bounds: ModuloBounds,
    given: tuple[int, int],
    state: DerivationState,
) -> tuple[int, ...]:
    """Derive the bounds of the digits below the root; return their numbers.

    ``given``: the numbers of at least ``low`` and at most ``high`` inputs are true. With q and r
    the sums of the digits below: ``low // p <= q + carry <= high // p``; and, if these are equal,
    the rest is ``low % p <= r - p*carry <= high % p``, else ``low <= p*q + r <= high``.
    """
    assert tree.node is not None
    p, carry, remainders = tree.node.p, tree.carry, tree.remainders_below
    least = state.add(present([(given[0], 1), *((count.at_least, 1) for count in below)]))
    most = state.add(present([(given[1], 1), *((count.at_most, 1) for count in below)]))
    if carry is None:
        quotient_least = state.add([(least, 1)], [(-lit, 1) for lit in remainders], p)
        quotient_most = state.add([(most, 1)], [(lit, 1) for lit in remainders], p)
    else:
        quotient_least = state.add([(least, 1), (not_carried(tree, state), 1)], divisor=p)
        quotient_most = state.add([(most, 1), (state.if_false[-carry], 1)], divisor=p)
    if bounds.low // p == bounds.high // p:
        least = state.add([(least, 1), (quotient_most, p)])
        most = state.add([(most, 1), (quotient_least, p)])
    return quotient_least, quotient_most, least, most


class Divided:
    """The lemmas of a tree over inputs for which both bounds hold.

    ``lits`` are the inputs as the clauses have them. ``implied``: literal of such an input -> the
    number of what it says, while false, about the tree's input in its place, if that is another.
    """

    def __init__(
        self,
        tree: DigitTree,
        bounds: ModuloBounds,
        given: tuple[int, int],
        lits: Sequence[Lit],
        implied: Mapping[Lit, int],
        state: DerivationState,
    ) -> None:
        self._state = state
        self._high = bounds.high
        self._homes: dict[Var, DigitTree] = {}
        self._parents: dict[DigitTree, DigitTree] = {}
        self._digits: dict[Var, UnaryDigit] = {}
        self._bounds: dict[DigitTree, tuple[int, ...]] = {}
        self._inputs = dict(zip(tree.inputs, lits, strict=True))
        self._implied = implied
        left, right = self._children(tree, given[1])
        define(tree, state)
        self._bounds[tree] = bound(tree, (left, right), bounds, given, state)

    def derive(self, clause: Sequence[Lit]) -> int:
        """Derive a clause of a node, which may have further literals of the bounds."""
        state, counted = self._state, [lit for lit in clause if abs(lit) in self._homes]
        tree = self._node(counted)
        outputs = [lit for lit in counted if abs(lit) in tree.own and abs(lit) != tree.carry]
        below = [lit for lit in counted if abs(lit) not in tree.own]
        parts = [(state.if_false[lit], self._scale(tree, lit, outputs)) for lit in outputs]
        for lit in below:
            number = self._digits[abs(lit)].meaning(lit, state)
            if number is not None:
                parts.append((number, 1))
        carried = [[(state.if_false[lit], 1)] for lit in clause if abs(lit) == tree.carry]
        meanings: list[Parts] = [[], *carried]
        for further in meanings:
            number = self._left(clause, [*parts, *further])
            if number is not None:
                return number
        for further in [*meanings, *([(number, 1)] for number in self._bounds[tree])]:
            if state.sum_refutes(clause, [*parts, *further]):
                return state.derive_by_sum(clause, [*parts, *further])
        raise UnderivableError(f"clause {list(clause)} does not follow from the digits of a node")

    def _left(self, clause: Sequence[Lit], parts: Parts) -> int | None:
        """Derive a clause by dividing the sum of `parts` by its largest weight; None if that fails.

        What the sum has besides, such as a carry, is weakened away, and what it lacks is added.
        """
        found = combined([(self._state.rows[number], factor) for number, factor in parts])
        weights = {lit: weight for weight, lit in found.terms()}
        spare = [(-lit, weights.pop(lit)) for lit in [*weights] if lit not in clause]
        degree = found.literal_degree - sum(weight for _, weight in spare)
        most = max(weights.values(), default=0)
        if not 0 < degree <= most:
            return None
        spare += [(lit, most) for lit in clause if lit not in weights]
        return self._state.add(parts, spare, divisor=most)

    def _scale(self, tree: DigitTree, lit: Lit, outputs: Sequence[Lit]) -> int:
        """Return the factor of an output: p for a quotient beside a remainder, else 1."""
        assert tree.node is not None
        return tree.node.p if len(outputs) > 1 and abs(lit) in tree.quotient else 1

    def _node(self, clause: Sequence[Lit]) -> DigitTree:
        """Return the node of a clause, which has the node's outputs and digits one level below.

        A clause has no literal of one digit below twice, and no carry but the node's own.
        """
        homes = [self._homes[abs(lit)] for lit in clause]
        depth = min(tree.depth for tree in homes)
        highest = [tree for tree in homes if tree.depth == depth]
        home = highest[0]
        alone = len(highest) == len(homes) and highest.count(home) == 1
        carried = any(abs(lit) == home.carry not in home.quotient for lit in clause)
        return self._parents.get(home, home) if alone and not carried else home

    def _children(self, tree: DigitTree, at_most: int | None) -> tuple[Count, Count]:
        """Derive the counts of both children; ``at_most`` is the number of an upper bound."""
        for var in tree.own:
            self._homes[var] = tree
        left, right = tree.children
        for child in tree.children:
            self._parents[child] = tree
        return self._count(left, right, at_most), self._count(right, left, at_most)

    def _count(self, tree: DigitTree, other: DigitTree, at_most: int | None) -> Count:
        """Derive the count of node `tree`; ``at_most`` bounds the inputs of `tree` and `other`."""
        if tree.node is None:
            return self._leaf(tree)
        state = self._state
        if len(tree.inputs) <= self._high:
            at_most = None
        elif at_most is not None:
            at_most = state.add([(at_most, 1)], [(lit, 1) for lit in other.inputs])
        left, right = self._children(tree, at_most)
        define(tree, state)
        counted = count(tree, left, right, at_most, state)
        self._bounds[tree] = counted.bounds
        for digit in (counted.quotient, counted.remainder):
            self._digits |= dict.fromkeys(map(abs, digit.outputs), digit)
        return counted

    def _leaf(self, tree: DigitTree) -> Count:
        lit = self._inputs[tree.inputs[0]]
        meanings = {of: self._implied[of] for of in (lit, -lit) if of in self._implied}
        digit = UnaryDigit(tree.inputs, meanings=meanings)
        self._homes[abs(lit)], self._digits[abs(lit)] = tree, digit
        return Count(EMPTY, digit)
