"""The nodes of a modulo totalizer: which variables they have, how these are defined, their counts.

With q and r the sums of the digits of the two children, the carry is ``r >= p``, output t of the
quotient ``q + carry >= t``, and that of the remainder ``r - p*carry >= t``. So p times the quotient
plus the remainder is what it is in the children together, and in the end the number of inputs.

A digit is in unary, its outputs are thresholds of a sum: output t is true exactly if ``sum >= t``,
so the number of true outputs is the sum. Adding up what the outputs say one by one, always (t-1)
times the last sum and the next inequality, divided by t, gives ``outputs 1..t <= sum`` and, from
the last output on, ``outputs t..n >= sum - t + 1``: one step each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from typing import Final

from pbcnf.derivation.derivation_state import DerivationState, Parts
from pbcnf.encoders.circuits.modulo_sum import ModuloBounds, ModuloNode, inner_node
from pbcnf.literals import Lit, Var


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
    return _put_down([tuple(inputs)], root, bounds, 0, count(first))[0]


def _put_down(
    batch: list[tuple[Lit, ...]],
    node: ModuloNode,
    bounds: ModuloBounds,
    depth: int,
    fresh: count[int],
) -> list[DigitTree]:
    """Number a node over every row of inputs after all below it: equal halves are one batch."""
    n = len(batch[0])
    halves = [[row[: n // 2] for row in batch], [row[n // 2 :] for row in batch]]
    if n % 2:
        left, right = (_count(half, node.p, bounds, depth + 1, fresh) for half in halves)
    else:
        mixed = [part for pair in zip(*halves, strict=True) for part in pair]
        both = _count(mixed, node.p, bounds, depth + 1, fresh)
        left, right = both[::2], both[1::2]
    return [
        DigitTree(inputs, depth, node, tuple(islice(fresh, node.variables)), children)
        for inputs, children in zip(batch, zip(left, right, strict=True), strict=True)
    ]


def _count(
    batch: list[tuple[Lit, ...]], p: int, bounds: ModuloBounds, depth: int, fresh: count[int]
) -> list[DigitTree]:
    if len(batch[0]) == 1:
        return [DigitTree(inputs, depth) for inputs in batch]
    return _put_down(batch, inner_node(len(batch[0]), bounds, p), bounds, depth, fresh)


@dataclass(slots=True)
class UnaryDigit:
    """Outputs, with the numbers of "at most the sum of them are true" and "at least the sum".

    Both are None for a single output. ``meanings``: literal of an output -> the number of the
    inequality on all outputs that holds if the literal is false.
    """

    outputs: tuple[Lit, ...]
    at_most: int | None = None
    at_least: int | None = None
    meanings: dict[Lit, int] = field(default_factory=dict)

    def meaning(self, lit: Lit, state: DerivationState) -> int | None:
        """Return the number of the inequality on the outputs that holds if `lit` is false.

        None if the literal itself says it.
        """
        if lit not in self.meanings and len(self.outputs) > 1:
            of_sum = self.at_most if lit > 0 else self.at_least
            assert of_sum is not None
            self.meanings[lit] = state.add([(state.if_false[lit], 1), (of_sum, 1)])
        return self.meanings.get(lit)


def digit(
    outputs: Sequence[Lit], floor: int | None, cap: int | None, state: DerivationState
) -> UnaryDigit:
    """Return the digit of a sum that is between 0 and the number of outputs.

    ``floor`` and ``cap`` are the numbers of these bounds, None for one that no literals exceed.
    """
    at_most = _added_up([state.if_false[-lit] for lit in outputs], floor, state)
    at_least = _added_up([state.if_false[lit] for lit in reversed(outputs)], cap, state)
    return UnaryDigit(tuple(outputs), at_most, at_least)


def _added_up(numbers: Iterable[int], start: int | None, state: DerivationState) -> int | None:
    """Add up inequalities whose degrees rise by one, beginning with constraint `start`."""
    for number in numbers:
        if start is None:
            start = number
            continue
        degree = state.rows[number].literal_degree
        start = state.add([(start, degree - 1), (number, 1)], divisor=degree)
    return start


EMPTY: Final = UnaryDigit(())


@dataclass(frozen=True, slots=True)
class Count:
    """The digits of a node, and the numbers of its lemma's halves, None for a leaf (an input).

    ``at_most``: p times the quotient plus the remainder is at most the sum of the inputs;
    ``at_least``: at least. ``bounds``: what else the clauses of the node follow from.
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
    assert tree.node is not None
    p, bounds = tree.node.p, _capped(tree, left, right, at_most, state)
    quotient = EMPTY
    if tree.carry is None:
        remainder = digit(tree.remainder, None, None, state)
    else:
        floor, cap = state.if_false[-tree.carry], not_carried(tree, state)
        remainder = digit(tree.remainder, floor, cap, state)
        if tree.quotient == (tree.carry,):
            quotient = UnaryDigit(tree.quotient)
        else:
            quotient = digit(tree.quotient, None, bounds[0] if bounds else None, state)
    # The digits by those below, and these by the inputs: what is between cancels.
    lower = [(quotient.at_most, p), *((of.at_most, 1) for of in (remainder, left, right))]
    upper = [(quotient.at_least, p), *((of.at_least, 1) for of in (remainder, left, right))]
    return Count(quotient, remainder, _sum(lower, state), _sum(upper, state), bounds)


def not_carried(tree: DigitTree, state: DerivationState) -> int:
    """Return the number of ``r <= p - 1 + p*carry``; the definition says more where r is small."""
    assert tree.node is not None
    assert tree.carry is not None
    number = state.if_false[tree.carry]
    weaker = 2 * tree.node.p - 1 - len(tree.remainders_below)
    return state.add([(number, 1)], [(tree.carry, weaker)]) if weaker else number


def _capped(
    tree: DigitTree, left: Count, right: Count, at_most: int | None, state: DerivationState
) -> tuple[int, ...]:
    """Return the number of "q + carry is at most the number of outputs" if that says something."""
    carry, outputs = tree.carry, len(tree.quotient)
    if carry is None or outputs > len(tree.quotients_below):
        return ()
    assert tree.node is not None
    axioms = [(-lit, 1) for lit in tree.inputs] if at_most is None else []
    parts = present([(left.at_most, 1), (right.at_most, 1), (at_most, 1)])
    return (state.add([*parts, (state.if_false[-carry], 1)], axioms, tree.node.p),)


def present(parts: list[tuple[int | None, int]]) -> list[tuple[int, int]]:
    """Return the parts that have a number: the others are identities."""
    return [(number, factor) for number, factor in parts if number is not None]


def _sum(parts: list[tuple[int | None, int]], state: DerivationState) -> int | None:
    found: Parts = present(parts)
    if len(found) == 1 and found[0][1] == 1:
        return found[0][0]
    return state.add(found)
