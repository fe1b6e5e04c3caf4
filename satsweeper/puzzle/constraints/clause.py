"""At least one of some literals is true."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from satsweeper.puzzle.constraints.protocol import Automaton, OnePart, Part, State, Writer, scope_of


@dataclass(frozen=True, slots=True)
class Clause(OnePart):
    """At least one of ``literals`` is true: variable v for a mine, -v for no mine."""

    part: Part
    literals: tuple[int, ...]

    @property
    def scope(self) -> tuple[int, ...]:
        """The variables of the literals."""
        return scope_of(self.literals)

    def write(self, writer: Writer) -> None:
        """Write the clause."""
        writer.clause(self.part, self.literals)

    def holds(self, mines: Container[int]) -> bool:
        """Whether some literal is true."""
        return any((abs(lit) in mines) == (lit > 0) for lit in self.literals)

    def automaton(self, order: Sequence[int]) -> Automaton:
        """Return the automaton whose state is whether a literal was true."""
        lits = {*self.literals}
        last = len(order) - 1

        def step(place: int, state: State, value: bool) -> State | None:
            met = state or (order[place] if value else -order[place]) in lits
            return met if met or place < last else None

        return Automaton(False, step)
