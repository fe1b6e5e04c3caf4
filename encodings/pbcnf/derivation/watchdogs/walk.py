"""The walk along what a watchdog emits: the next variables, the next clauses, each derived."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeVar

from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.inequalities import Terms
from pbcnf.encoders.circuits.unary import Counts, UnaryAdder
from pbcnf.literals import Lit, Var


class UnitCount(NamedTuple):
    """A sum in units: "at least c" means ``sum of terms + tare >= c * unit``, 0 <= tare < unit."""

    terms: Terms
    unit: int
    tare: int = 0

    def least(self, count: int) -> int:
        """Return the value that the terms must reach for `count`."""
        return count * self.unit - self.tare


@dataclass(slots=True)
class Walk:
    """The progress along an encoder's variables and clauses: next variable, clauses derived."""

    of: EncodedSum
    state: DerivationState
    next_var: Var
    derived: list[int] = field(default_factory=list)
    """The numbers of the clauses so far."""

    def new_vars(self, number: int) -> range:
        """Return the variables that come next."""
        self.next_var += number
        return range(self.next_var - number, self.next_var)

    def clauses(self, number: int) -> Sequence[Sequence[Lit]]:
        """Return the clauses that come next."""
        return self.of.clauses[len(self.derived) :][:number]

    def derive(self, number: int, *further: int) -> None:
        """Derive the next `number` clauses from what their literals mean and from `further`."""
        for clause in self.clauses(number):
            self.derived.append(self.state.derive_clause(clause, *further))


Number = TypeVar("Number")
"""The type in which a block keeps a unary number."""


class Block(Protocol[Number]):
    """A derivation of what a `UnaryAdder` emits. ``asked`` are the counts that have literals."""

    adder: UnaryAdder

    def copy(self, lit: Lit, asked: Counts, of: UnitCount) -> Number:
        """Derive a copy of `lit`, one unit; all other terms together are less than a unit."""
        ...

    def count(
        self, lits: Sequence[Lit], asked: Counts, of: UnitCount, last: bool = False
    ) -> Number:
        """Derive a count of `lits`, a unit each; all other terms together are less than a unit.

        ``last``: the number is not added to any other.
        """
        ...

    def add(
        self, own: Number, carry: Number, asked: Counts, of: UnitCount, last: bool = False
    ) -> Number:
        """Derive the sum of numbers `own`, without a tare, and `carry`, both of one unit."""
        ...

    def half(self, total: Number, tare: int, of: UnitCount) -> Number:
        """Return half of the number and of one unit more if `tare` is 1, rounded down."""
        ...

    def exceeded(self, total: Number, bound: int) -> None:
        """Derive the clause "the last number is not reached" from constraint `bound`."""
        ...
