"""Redundant constraints, written to shorten proofs."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from satsweeper.puzzle.constraints.protocol import Automaton, Constraint, Part, State, Writer


@dataclass(frozen=True, slots=True)
class Implied:
    """A redundant constraint: clauses that shorten proofs.

    It follows from the other constraints of its part. Whoever counts or checks layouts can leave it
    out, so it has no scope and always holds.
    """

    constraint: Constraint

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts of the constraint."""
        return self.constraint.parts

    @property
    def scope(self) -> tuple[int, ...]:
        """No variables."""
        return ()

    def write(self, writer: Writer) -> None:
        """Write the constraint."""
        self.constraint.write(writer)

    def holds(self, mines: Container[int]) -> bool:
        """Return True."""
        return True

    def automaton(self, order: Sequence[int]) -> Automaton:
        """Return the automaton that reads nothing."""

        def step(place: int, state: State, value: bool) -> State | None:
            return state

        return Automaton((), step)
