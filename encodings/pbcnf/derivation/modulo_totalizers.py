"""The modulo totalizers: each clause one sum of what its literals say about the digits of a node.

Every node has a lemma, ``p*quotient + remainder = number of inputs``, by the definitions of its
digits and the lemmas of its children (`count_of`). A clause of a node has literals of the node's
outputs and of the digits below. A false output activates half of its definition, an inequality over
the digits below; a false literal of a digit below says how large that digit is at least or at most.
The sum of all these refutes the negated clause; at the root, and where counts are capped, a bound
of the digits is added (`bound`). Where nothing is divided the variables are thresholds of the
inputs instead, and a clause is the sum of their definitions and of a bound.

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

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from typing import Final

from pbcnf.derivation.derivation_state import DerivationState, Parts, UnderivableError
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.inequalities import combined
from pbcnf.encoders.circuits.modulo_sum import (
    ModuloBounds,
    ModuloNode,
    ModuloSum,
    inner_node,
    root_of,
)
from pbcnf.literals import Lit, Var, negate

# The nodes: which variables they have, how these are defined, and what the nodes count.
#
# With q and r the sums of the digits of the two children, the carry is ``r >= p``, output t of the
# quotient ``q + carry >= t``, and that of the remainder ``r - p*carry >= t``. So p times the
# quotient plus the remainder is what it is in the children together, and in the end the number of
# inputs.
#
# A digit is in unary, its outputs are thresholds of a sum: output t is true exactly if ``sum >=
# t``, so the number of true outputs is the sum. Adding up what the outputs say one by one, always
# (t-1) times the last sum and the next inequality, divided by t, gives ``outputs 1..t <= sum`` and,
# from the last output on, ``outputs t..n >= sum - t + 1``: one step each.


@dataclass(frozen=True, slots=True, eq=False)
class DigitTree:
    """A node over its inputs, its variables in the order of their columns, and its children.

    A leaf has one input, and neither a node nor children.
    """

    inputs: tuple[Lit, ...]
    depth: int
    node: ModuloNode | None = None
    own: tuple[Var, ...] = ()
    children: tuple[DigitTree, ...] = ()

    @property
    def p(self) -> int:
        """The modulus of an inner node."""
        assert self.node is not None
        return self.node.p

    @property
    def quotient(self) -> tuple[Var, ...]:
        """The variables of the quotient."""
        return self.own[: len(self.node.quotient.outputs)] if self.node else ()

    @property
    def remainder(self) -> tuple[Lit, ...]:
        """The variables of the remainder, or the input of a leaf."""
        if self.node is None:
            return self.inputs
        first = len(self.node.quotient.outputs)
        return self.own[first : first + len(self.node.remainder.outputs)]

    @property
    def carry(self) -> Var | None:
        """The variable of the carry."""
        return self.own[self.node.carry] if self.node and self.node.carries else None

    @property
    def quotients_below(self) -> tuple[Var, ...]:
        """The variables of the quotients of the children."""
        return tuple(var for child in self.children for var in child.quotient)

    @property
    def remainders_below(self) -> tuple[Lit, ...]:
        """The variables of the remainders of the children, and inputs."""
        return tuple(lit for child in self.children for lit in child.remainder)

    def inner(self) -> Iterator[DigitTree]:
        """Yield the inner nodes, children before their parent."""
        for child in self.children:
            yield from child.inner()
        if self.node is not None:
            yield self


def put_down(
    inputs: Sequence[Lit], root: ModuloNode, bounds: ModuloBounds, first: Var
) -> DigitTree:
    """Return the tree, numbered from ``first`` in the order of `ModuloSum`."""
    fresh = count(first)

    def over(batch: list[tuple[Lit, ...]], depth: int) -> list[DigitTree]:
        """Number a node over every row of inputs after all below it: equal halves are one batch."""
        n = len(batch[0])
        if n == 1:
            return [DigitTree(row, depth) for row in batch]
        node = inner_node(n, bounds, root.p) if depth else root
        halves = [[row[: n // 2] for row in batch], [row[n // 2 :] for row in batch]]
        if n % 2:
            left, right = (over(half, depth + 1) for half in halves)
        else:
            both = over([part for pair in zip(*halves, strict=True) for part in pair], depth + 1)
            left, right = both[::2], both[1::2]
        return [
            DigitTree(row, depth, node, tuple(islice(fresh, node.variables)), children)
            for row, children in zip(batch, zip(left, right, strict=True), strict=True)
        ]

    return over([tuple(inputs)], 0)[0]


@dataclass(slots=True)
class UnaryDigit:
    """The outputs of a digit: output t is true exactly if a sum is at least t.

    ``at_most``, ``at_least``: the numbers of "at most", and "at least", as many outputs are true as
    the sum is; None for a single output, which says both itself. ``meanings``: literal of an output
    -> the number of the inequality on all outputs that holds if the literal is false.
    """

    outputs: tuple[Lit, ...]
    at_most: int | None = None
    at_least: int | None = None
    meanings: dict[Lit, int] = field(default_factory=dict)

    def meaning(self, lit: Lit, state: DerivationState) -> int | None:
        """Return the number of the inequality on the outputs that holds if `lit` is false.

        None if there is no other output: then the literal itself says it.
        """
        # A false output t bounds the sum, by its definition, and the sum bounds the outputs.
        if lit not in self.meanings and len(self.outputs) > 1:
            of_sum = self.at_most if lit > 0 else self.at_least
            assert of_sum is not None
            self.meanings[lit] = state.add([(state.if_false[lit], 1), (of_sum, 1)])
        return self.meanings.get(lit)


def digit(
    outputs: Sequence[Lit], floor: int | None, cap: int | None, state: DerivationState
) -> UnaryDigit:
    """Return the digit of a sum that is between 0 and the number of outputs.

    ``floor`` and ``cap`` are the numbers of these two bounds, None for a bound that holds whatever
    the values of the literals are.
    """
    at_most = state.add_up([state.if_false[-lit] for lit in outputs], floor)
    at_least = state.add_up([state.if_false[lit] for lit in reversed(outputs)], cap)
    return UnaryDigit(tuple(outputs), at_most, at_least)


EMPTY: Final = UnaryDigit(())


@dataclass(frozen=True, slots=True)
class Count:
    """The digits of a node, and the numbers of its lemma's halves, None for a leaf (an input).

    ``at_most``: p times the quotient plus the remainder is at most the sum of the inputs;
    ``at_least``: it is at least that sum. ``bounds``: further rows that clauses of the node need.
    """

    quotient: UnaryDigit
    remainder: UnaryDigit
    at_most: int | None = None
    at_least: int | None = None
    bounds: tuple[int, ...] = ()


def define(tree: DigitTree, state: DerivationState) -> None:
    """Introduce the variables of a node, whose children are defined already."""
    node, carry, least = tree.node, tree.carry, 0
    assert node is not None
    quotients = [(1, lit) for lit in tree.quotients_below]
    remainders = [(1, lit) for lit in tree.remainders_below]
    if carry is not None:
        least = node.p
        state.define(carry, remainders, least)
        quotients.append((1, carry))
        remainders.append((least, -carry))
    for var, t in zip(tree.quotient, node.quotient.outputs, strict=True):
        if var != carry:
            state.define(var, quotients, t)
    for var, t in zip(tree.remainder, node.remainder.outputs, strict=True):
        state.define(var, remainders, least + t)


def count_of(
    tree: DigitTree, left: Count, right: Count, at_most: int | None, state: DerivationState
) -> Count:
    """Derive what an inner node counts; its variables are defined already.

    ``at_most``: the number of "no more inputs are true than the node counts up to"; None if it
    counts up to all.
    """
    p, carry, bounds = tree.p, tree.carry, tuple[int, ...]()
    if carry is not None and len(tree.quotient) <= len(tree.quotients_below):
        # "q + carry is at most the number of outputs" is not certain. But p * q + r is at most the
        # number of true inputs, by both children, which is bounded; and the carry says ``r >= p *
        # carry``. Divided by p, the bound is the number of outputs.
        axioms = [(-lit, 1) for lit in tree.inputs] if at_most is None else []
        parts = present([(left.at_most, 1), (right.at_most, 1), (at_most, 1)])
        bounds = (state.add([*parts, (state.if_false[-carry], 1)], axioms, p),)
    quotient = EMPTY
    if carry is None:
        remainder = digit(tree.remainder, None, None, state)
    else:
        floor, cap = state.if_false[-carry], not_carried(tree, state)
        remainder = digit(tree.remainder, floor, cap, state)
        if tree.quotient == (carry,):
            quotient = UnaryDigit(tree.quotient)
        else:
            quotient = digit(tree.quotient, None, bounds[0] if bounds else None, state)
    # The digits by those below, and these by the inputs: what is between cancels.
    lower = [(quotient.at_most, p), *((of.at_most, 1) for of in (remainder, left, right))]
    upper = [(quotient.at_least, p), *((of.at_least, 1) for of in (remainder, left, right))]
    return Count(quotient, remainder, _sum(lower, state), _sum(upper, state), bounds)


def not_carried(tree: DigitTree, state: DerivationState) -> int:
    """Return the number of ``r <= p - 1 + p*carry``, weaker than the definition if r is small."""
    assert tree.carry is not None
    number = state.if_false[tree.carry]
    weaker = 2 * tree.p - 1 - len(tree.remainders_below)
    return state.add([(number, 1)], [(tree.carry, weaker)]) if weaker else number


def present(parts: list[tuple[int | None, int]]) -> list[tuple[int, int]]:
    """Return the parts that have a number: those without (leaves, single outputs) hold anyway."""
    return [(number, factor) for number, factor in parts if number is not None]


def _sum(parts: list[tuple[int | None, int]], state: DerivationState) -> int | None:
    found: Parts = present(parts)
    if len(found) == 1 and found[0][1] == 1:
        return found[0][0]
    return state.add(found)


def derive(of: EncodedSum, state: DerivationState) -> list[int]:
    """Define the auxiliary variables, derive what the nodes count, then the clauses."""
    assert isinstance(of.encoder, ModuloSum)
    bounds = ModuloBounds.of(len(of.lits), of.lower, of.upper)
    if bounds.is_clause:
        return [state.derive_clause(clause, *of.bounds) for clause in of.clauses]
    root = root_of(of.encoder, len(of.lits), bounds)
    counts = of.mirrored() if bounds.mirrored else of
    lits, at_least, at_most = counts.lits, counts.at_least, counts.at_most
    if root.p > bounds.high:
        # Nothing is divided: the variables of a node are thresholds of the inputs below.
        for each in put_down(lits, root, bounds, of.first).inner():
            for least, var in enumerate(each.own, 1):
                state.define(var, [(1, lit) for lit in each.inputs], least)
        return [state.derive_clause(clause, *of.bounds) for clause in of.clauses]
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
    divided = Divided(tree, bounds, (at_least, at_most), lits, implied, state)
    return [divided.derive(clause) for clause in of.clauses]


def filled(
    lits: Sequence[Lit], most: int, at_most: int, state: DerivationState
) -> tuple[tuple[Lit, ...], int, int, Mapping[Lit, int]]:
    """Turn "at most h" of `lits` into "exactly h": inputs are made true, from the h-th backwards.

    Returns the new literals, the numbers of "at least h" and "at most h" of them, and, for each
    input that has changed, its negation -> the number of the clause "the input implies the new
    literal in its place".

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
        least = state.add_up([alone], least)
        # At most: room times the old bound and the other half of var, divided by room + 1.
        before = [(-other, 1) for other in lits[:place]]
        parts = [(at_most, room), (state.if_false[-var], 1)]
        at_most = state.add(parts, before, divisor=room + 1)
        new[place] = var
    assert least is not None
    return tuple(new), least, at_most, implied


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
    p, carry, remainders = tree.p, tree.carry, tree.remainders_below
    # The bounds of the inputs, and the lemmas of both children, are bounds on p * q + r. What r is
    # at most, or at least, beside the carry leaves bounds on p * (q + carry): these are divided by
    # p. If both quotients agree, they leave the remainder.
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
    number of the row that holds while the literal is false and is about the tree's input in its
    place, if that is another one.
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
        """Derive a clause of a node."""
        state, tree = self._state, self._node(clause)
        outputs = [lit for lit in clause if abs(lit) in tree.own and abs(lit) != tree.carry]
        below = [lit for lit in clause if abs(lit) not in tree.own]
        # Beside a remainder a quotient counts p times.
        p = tree.p if len(outputs) > 1 else 1
        parts = [(state.if_false[lit], p if abs(lit) in tree.quotient else 1) for lit in outputs]
        for lit in below:
            number = self._digits[abs(lit)].meaning(lit, state)
            if number is not None:
                parts.append((number, 1))
        carried = [[(state.if_false[lit], 1)] for lit in clause if abs(lit) == tree.carry]
        meanings: list[Parts] = [[], *carried]
        # Invariant of `parts`: while the clause is false they hold by definition or by lemmas, and
        # the digits below cancel between what outputs and what literals below say.
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

        Literals that only the sum has, such as a carry, are weakened away; those that only the
        clause has are added.
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
            lit = self._inputs[tree.inputs[0]]
            meanings = {of: self._implied[of] for of in (lit, -lit) if of in self._implied}
            digit = UnaryDigit(tree.inputs, meanings=meanings)
            self._homes[abs(lit)], self._digits[abs(lit)] = tree, digit
            return Count(EMPTY, digit)
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
