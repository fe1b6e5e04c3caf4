"""The protocols of constraints on cells, of their automata, and of writers of clauses."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol

State = Any
"""A hashable state of an automaton."""


class Part(NamedTuple):
    """A part of a board that may be in a reason or a conflict.

    ``key``: the letters of a rule, the number of the cell of a clue or flag, the name of a region;
    "" for the total, and for what holds of every board ("cells").
    """

    kind: Literal["rule", "clue", "flag", "region", "total", "cells"]
    key: Hashable


class Automaton(NamedTuple):
    """A constraint as an automaton that reads the values of its variables one by one.

    ``step(place, state, value)`` returns the state after the variable at ``place`` of the order
    for which the automaton was made, or None if no values of the variables that follow meet the
    constraint. So the constraint is met if the last step returns a state. Two states are equal
    only if the same continuations are accepted.
    """

    start: State
    step: Callable[[int, State, bool], State | None]


class Separation(NamedTuple):
    """A component of a set that a layout does not connect with the rest of the set.

    ``beyond``: the nodes, its own among them, that paths from the component reach around the nodes
    ``between``. So if one of its ``nodes`` is in a connected set and none of ``between`` is, the
    whole set is in ``beyond``, the first node of the set as well, which comes no later than that
    of the component. With anchors there is no such set.
    """

    nodes: tuple[int, ...]
    between: tuple[int, ...]
    beyond: tuple[int, ...]


class Connection(Protocol):
    """A connection of the true literals in a graph, as `connected.Connected` states."""

    @property
    def part(self) -> Part:
        """The part that states the connection."""

    @property
    def literals(self) -> tuple[int, ...]:
        """A literal for each node."""

    @property
    def adjacent(self) -> tuple[tuple[int, ...], ...]:
        """The neighbours of each node."""

    def without(self, known: Mapping[int, bool]) -> Connection:
        """Return the connection of the nodes that can be in the set, the known ones first."""

    @property
    def anchors(self) -> frozenset[int] | None:
        """The nodes joined by a further node that is always in the set; None: no further node."""

    def separations(self, mines: Container[int]) -> list[Separation]:
        """Return separations of a layout that lacks the connection; none of any other layout."""


class Writer(Protocol):
    """A receiver of clauses and sums over the variables of cells and auxiliary variables.

    ``part`` names the part of the board that a statement belongs to: the statement holds if this
    part does.
    """

    def new_var(self) -> int:
        """Allocate an auxiliary variable and return it."""

    def clause(self, part: Part, literals: Sequence[int]) -> None:
        """Add a clause that ``part`` states."""

    def bounds(
        self,
        part: Part,
        literals: Sequence[int],
        weights: Sequence[int] | None,
        lower: int,
        upper: int,
        when: Sequence[int] = (),
    ) -> None:
        """Add ``lower <= sum of weight * literal <= upper``, where all literals ``when`` are true.

        ``weights`` None: all weights are 1.
        """

    def conjunction(self, literals: Sequence[int]) -> int:
        """Return a literal that is true exactly if all ``literals`` are; it belongs to no part."""

    def table(self, part: Part, literals: Sequence[int], accepted: int) -> None:
        """Add that the values of ``literals`` are a row of a table.

        Bit i of ``accepted``: whether the row is accepted in which literal k is true exactly if
        bit k of i is 1.
        """

    def connected(self, constraint: Connection) -> None:
        """Add that cells are connected."""


class Constraint(Protocol):
    """A constraint on the variables of cells, as clauses and as an automaton."""

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts of the board that state the constraint."""

    @property
    def scope(self) -> tuple[int, ...]:
        """The variables of cells on which the constraint depends, each once, ascending."""

    def write(self, writer: Writer) -> None:
        """Write the constraint as clauses and sums."""

    def automaton(self, order: Sequence[int]) -> Automaton:
        """Return the automaton for the variables of `scope` in this ``order``."""

    def holds(self, mines: Container[int]) -> bool:
        """Whether a layout meets the constraint; ``mines``: the true variables of cells."""


class OnePart:
    """The base of constraints that one part of the board states."""

    __slots__ = ()
    part: Part

    @property
    def parts(self) -> tuple[Part, ...]:
        """The part that states the constraint."""
        return (self.part,)


def scope_of(literals: Sequence[int]) -> tuple[int, ...]:
    """Return the variables of ``literals``, each once, ascending."""
    return tuple(sorted({*map(abs, literals)}))


def reads(automaton: Automaton, order: Sequence[int], mines: Container[int]) -> bool:
    """Whether ``automaton``, made for ``order``, accepts the layout with ``mines``."""
    state = automaton.start
    for place, variable in enumerate(order):
        state = automaton.step(place, state, variable in mines)
        if state is None:
            return False
    return True
