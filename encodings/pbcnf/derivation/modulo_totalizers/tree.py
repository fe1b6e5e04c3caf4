"""The tree of a modulo totalizer: which auxiliary variables each node has, and what it counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice

from pbcnf.encoders.circuits.modulo_node import ModuloBounds, ModuloNode, inner_node
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
