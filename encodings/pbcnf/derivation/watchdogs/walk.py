"""The walk along what a watchdog emits: the next variables, the next clauses, each derived."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.ledger import Ledger
from pbcnf.derivation.rows import Terms
from pbcnf.encoders.circuits.unary import Counts, Unary, UnaryAdder
from pbcnf.literals import Lit, Var


class Tally(NamedTuple):
    """A sum in units: "at least c" means ``sum of terms + tare >= c * unit``, 0 <= tare < unit."""

    terms: Terms
    unit: int
    tare: int = 0

    def least(self, count: int) -> int:
        """Return what the terms must reach for a count."""
        return count * self.unit - self.tare


@dataclass(slots=True)
class Walk:
    """How far the variables and clauses of an encoder have been followed."""

    of: EncodedSum
    ledger: Ledger
    next_var: Var
    derived: list[int] = field(default_factory=list)
    """The numbers of the clauses so far."""

    def new_vars(self, number: int) -> list[Var]:
        """Return the variables that come next."""
        self.next_var += number
        return [*range(self.next_var - number, self.next_var)]

    def define(self, counts: Counts, of: Tally) -> tuple[Lit, ...]:
        """Introduce the next variables as counts of a sum."""
        found = self.new_vars(len(counts))
        for var, count in zip(found, counts, strict=True):
            self.ledger.define(var, of.terms, of.least(count))
        return tuple(found)

    def clauses(self, number: int) -> Sequence[Sequence[Lit]]:
        """Return the clauses that come next."""
        return self.of.clauses[len(self.derived) :][:number]

    def derive(self, number: int, *further: int) -> None:
        """Derive the next clauses from what their literals mean, and from further rows."""
        for clause in self.clauses(number):
            self.derived.append(self.ledger.derive(clause, *further))


class Block(Protocol):
    """A derivation of what a `UnaryAdder` emits."""

    @property
    def adder(self) -> UnaryAdder:
        """How numbers are counted and added."""
        ...

    def count(self, lits: Sequence[Lit], asked: Counts, of: Tally, walk: Walk) -> Unary:
        """Derive a count of literals, of weight ``of.unit`` each in the sum.

        Whatever else is in the sum is less than a unit, its tare included.
        """
        ...

    def add(self, left: Unary, right: Unary, asked: Counts, of: Tally, walk: Walk) -> Unary:
        """Derive the counts of a sum of two parts, both counted in its unit.

        The tare is that of the right part, the left one has none.
        """
        ...
