"""The modulo totalizers: each clause one sum of what its literals say about the digits of a node.

Every node has a lemma, ``p*quotient + remainder = number of inputs``, by the definitions of its
digits and the lemmas of its children (`modulo_digits`). A clause of a node tells of its outputs and
of the digits below. A false output activates half of its definition, an inequality over the digits
below; a false literal of these says how large that digit is at least or at most. The sum of all
refutes the negated clause; the bounds of the digits are added at the root, and where counts are
capped (`bound`). Where nothing is divided the variables are thresholds of the inputs instead, and a
clause is the sum of their definitions and of a bound.

A single bound stands for both in these encodings, so the inputs are filled up first (`filled`).
Mirrored bounds count the negated inputs.

Size: a clause is 1 step, or 2 at the root, where counts are capped, and where nothing is divided.
An output is 2 for its definition, 2 for the lemma, and 1 for each direction of the clauses; a node
5 more at most; an input that is filled up 6. Rows are as long as two digits, but those that mention
inputs: 2 or 3 a node, and all of those that fill up.

Reference: Gocht, Martins, Nordstroem, Oertel: Certified CNF translations for pseudo-Boolean
solving, SAT 2022, for the definitions of outputs and the sum of them, in a totalizer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pbcnf.derivation.derivation_state import DerivationState, Parts, UnderivableError
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.inequalities import combined
from pbcnf.derivation.modulo_digits import (
    EMPTY,
    Count,
    DigitTree,
    UnaryDigit,
    count_of,
    define,
    not_carried,
    present,
    put_down,
)
from pbcnf.encoders.circuits.modulo_sum import ModuloBounds, ModuloNode, ModuloSum, root_of
from pbcnf.literals import Lit, Var, negate


def derive(of: EncodedSum, state: DerivationState) -> list[int]:
    """Define the auxiliary variables, derive what the nodes count, then the clauses."""
    assert isinstance(of.encoder, ModuloSum)
    bounds = ModuloBounds.of(len(of.lits), of.lower, of.upper)
    if bounds.is_clause:
        return [state.derive_clause(clause, *of.bounds) for clause in of.clauses]
    root = root_of(of.encoder, len(of.lits), bounds)
    if root.p > bounds.high:
        return _undivided(of, root, bounds, state)
    divided = _divided(of, root, bounds, state)
    return [divided.derive(clause) for clause in of.clauses]


def _undivided(
    of: EncodedSum, root: ModuloNode, bounds: ModuloBounds, state: DerivationState
) -> list[int]:
    lits: Sequence[Lit] = negate(of.lits) if bounds.mirrored else of.lits
    for each in put_down(lits, root, bounds, of.first).inner():
        for least, var in enumerate(each.own, 1):
            state.define(var, [(1, lit) for lit in each.inputs], least)
    return [state.derive_clause(clause, *of.bounds) for clause in of.clauses]


def _divided(
    of: EncodedSum, root: ModuloNode, bounds: ModuloBounds, state: DerivationState
) -> Divided:
    lits: Sequence[Lit] = of.lits
    at_least, at_most = of.at_least, of.at_most
    if bounds.mirrored:
        lits, at_least, at_most = negate(lits), at_most, at_least
    counted: Sequence[Lit] = lits
    implied: Mapping[Lit, int] = {}
    if at_least is None:
        assert at_most is not None
        counted, at_least, at_most, implied = filled(lits, bounds.high, at_most, state)
    elif at_most is None:
        most = len(lits) - bounds.low
        others, at_most, at_least, implied = filled(negate(lits), most, at_least, state)
        counted = negate(others)
    tree = put_down(counted, root, bounds, of.first)
    return Divided(tree, bounds, (at_least, at_most), lits, implied, state)


class Filled(NamedTuple):
    """Literals of which exactly h are true, and the numbers of "at least h" and "at most h".

    ``implied``: the negation of each input that has changed -> the number of the clause "the input
    implies what it encoded".
    """

    lits: tuple[Lit, ...]
    at_least: int
    at_most: int
    implied: Mapping[Lit, int]


def filled(lits: Sequence[Lit], most: int, at_most: int, state: DerivationState) -> Filled:
    """Turn "at most h" of `lits` into "exactly h": inputs are made true, from the h-th backwards.

    A single bound leaves an encoding freedom that two bounds do not: its auxiliary variables count
    an assignment with exactly h = `most` >= 1 true inputs (fewer than all), to which those that are
    true can be extended. That assignment gets variables of the proof alone. Input i <= h becomes
    ``x_i or at most h - i of what follows it``, where what follows is filled up already; no input
    beyond h changes.

    Two invariants make the new sum exactly h. After input i what is filled up and what follows are
    at least h - i + 1, since input i is false only if what follows are that many already. And with
    the i - 1 inputs before i, they never are more than h. Size: 6 steps for each of h inputs.

    ``at_most``: the number of ``sum of negations >= n - most``.
    """
    new, least, room = list(lits), None, len(lits) - most
    implied: dict[Lit, int] = {}
    for missing in range(1, most + 1):
        place = most - missing
        lit, var = lits[place], state.fresh()
        follow = new[place + 1 :]
        state.define(var, [(room, lit), *((1, -other) for other in follow)], room)
        # var: room * lit + (false literals behind) >= room, where room = n - h.
        implied[-lit] = state.propagate([-lit, var], [state.if_false[var]])
        alone = state.add([(state.if_false[var], 1)], [(lit, room)], saturate=True)
        if least is None:
            least = alone
        else:
            least = state.add([(least, missing - 1), (alone, 1)], divisor=missing)
        # At most: room times the old bound and the other half of var, divided by room + 1.
        before = [(-other, 1) for other in lits[:place]]
        parts = [(at_most, room), (state.if_false[-var], 1)]
        at_most = state.add(parts, before, divisor=room + 1)
        new[place] = var
    assert least is not None
    return Filled(tuple(new), least, at_most, implied)


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
        # First by dividing what the digits of the node state; where that leaves more than the
        # clause, by a sum that the negated clause contradicts, with a bound of the node if need be.
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
        counted = count_of(tree, left, right, at_most, state)
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
