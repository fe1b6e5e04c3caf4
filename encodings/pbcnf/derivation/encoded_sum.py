"""Sums in normal form with the clauses that an encoder has emitted for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.encoders.protocol import Encoder
from pbcnf.literals import Clause, Lit, Var, negate


@dataclass(frozen=True, slots=True)
class EncodedSum:
    """``lower <= sum of weight * literal <= upper``, encoded.

    The literals are of distinct variables, the weights >= 1, and the bounds are not trivial.
    ``at_least`` and ``at_most`` are the numbers of the two bounds in a state, the latter as
    ``sum of weight * negated literal >= total - upper``; None for a bound that says nothing. They
    may hold further literals, of which one true is enough: those of a reified constraint. Then the
    clauses hold them, too. The auxiliary variables are numbered from ``first``. ``clauses`` are as
    the encoder emits them, in that order; what a family of derivations returns is their numbers in
    the same order.
    """

    encoder: Encoder
    lits: tuple[Lit, ...]
    weights: tuple[int, ...]
    lower: int
    upper: int
    at_least: int | None
    at_most: int | None
    first: Var
    clauses: Sequence[Sequence[Lit]]

    @property
    def terms(self) -> list[tuple[int, Lit]]:
        """The weights and literals."""
        return [*zip(self.weights, self.lits, strict=True)]

    @property
    def bounds(self) -> list[int]:
        """The numbers of the bounds that say something."""
        return [number for number in (self.at_most, self.at_least) if number is not None]


def by_decreasing_weight(of: EncodedSum) -> EncodedSum:
    """Return the sum with its inputs ordered; a lower bound alone is an upper one of negations."""
    order = sorted(range(len(of.lits)), key=lambda place: -of.weights[place])
    weights = tuple(of.weights[place] for place in order)
    lits = tuple(of.lits[place] for place in order)
    if of.at_most is not None:
        return replace(of, lits=lits, weights=weights)
    return replace(
        of,
        lits=tuple(negate(lits)),
        weights=weights,
        lower=0,
        upper=sum(weights) - of.lower,
        at_least=None,
        at_most=of.at_least,
    )


def is_clause(of: EncodedSum) -> bool:
    """Whether an upper bound alone is a clause: no single input may be missing from the sum."""
    total = sum(of.weights)
    return of.at_least is None and of.upper >= total - min(of.weights)


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

    def clauses(self, number: int) -> Sequence[Clause]:
        """Return the clauses that come next."""
        return self.of.clauses[len(self.derived) :][:number]

    def derive(self, number: int, *further: int) -> None:
        """Derive the next `number` clauses from what their literals mean and from `further`."""
        for clause in self.clauses(number):
            self.derived.append(self.state.derive_clause(clause, *further))
