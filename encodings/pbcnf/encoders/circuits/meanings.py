"""What the variables of counters stand for, said by those who allocate them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol, TypeVar, runtime_checkable

from pbcnf.literals import Lit, Var

_Node = TypeVar("_Node")


class Meaning(NamedTuple):
    """The variable stands for ``sum of weight * literal >= least``, with weights of 1 or more.

    Counters that go one way only have clauses for one half of the equivalence.
    """

    var: Var
    least: int
    terms: Sequence[tuple[int, Lit]]


@runtime_checkable
class Explained(Protocol):
    """A count of literals whose variables are each a threshold of these."""

    def meanings(self, lits: Sequence[Lit]) -> Iterator[Meaning]:
        """Yield what the variables so far stand for; `lits` are the literals counted."""
        ...


def thresholds(outputs: Sequence[Var], lits: Sequence[Lit]) -> Iterator[Meaning]:
    """Yield that output t, counted from 1, is "at least t of the literals"; 0 is no variable.

    >>> [(var, least) for var, least, _ in thresholds([0, 7], [1, 2])]
    [(7, 2)]
    """
    terms = [(1, lit) for lit in lits]
    return (Meaning(var, least, terms) for least, var in enumerate(outputs, 1) if var)


def bottom_up(root: _Node, parts: Callable[[_Node], Iterable[_Node]]) -> list[_Node]:
    """Return all that a node consists of, and the node, each behind its parts."""
    order = [root]
    for node in order:
        order += parts(node)
    return [*dict.fromkeys(reversed(order))]
