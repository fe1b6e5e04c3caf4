"""Sums in normal form with the clauses emitted for them; implications about such sums."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from pbcnf.constraints.normal_form import WeightedSum
from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.emission.dispatch import Kind
from pbcnf.encoders.protocol import Encoder
from pbcnf.literals import Clause, Lit, Var, negate


@dataclass(frozen=True, slots=True)
class EncodedSum:
    """``lower <= sum of weight * literal <= upper``, encoded.

    The literals are of distinct variables, the weights >= 1, and the bounds are not trivial.
    ``at_least`` and ``at_most`` are the numbers of the two bounds in a state, the latter as
    ``sum of weight * negated literal >= total - upper``; None for a bound that says nothing. The
    auxiliary variables are numbered from ``first``. ``clauses`` are in the order in which the
    encoder emits them, and so are the numbers that a family of derivations returns.
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
    def total(self) -> int:
        """The sum of the weights."""
        return sum(self.weights)

    @property
    def bounds(self) -> list[int]:
        """The numbers of the bounds that say something."""
        return [number for number in (self.at_most, self.at_least) if number is not None]

    def mirrored(self) -> EncodedSum:
        """Return the sum of the negated inputs, of which the bounds are each other's."""
        return replace(
            self,
            lits=tuple(negate(self.lits)),
            lower=self.total - self.upper,
            upper=self.total - self.lower,
            at_least=self.at_most,
            at_most=self.at_least,
        )


@dataclass(frozen=True, slots=True)
class EmittedConstraint:
    """A constraint with the clauses that encode it.

    ``form``: its normal form, None if it never holds. ``encoder``: that of the sum, None where the
    kind needs none. The auxiliary variables are numbered from ``first``. Clauses of the units
    follow the encoder's, or come first if it encodes a sum ``over_groups``.
    """

    form: WeightedSum | None
    kind: Kind
    encoder: Encoder | None
    first: Var
    clauses: Sequence[Clause]
    over_groups: bool = False

    def encoders(self) -> slice:
        """Return the places of the encoder's clauses."""
        units = 0 if self.form is None else len(self.form.units)
        return slice(units, None) if self.over_groups else slice(len(self.clauses) - units)

    def sum(self, at_least: int | None, at_most: int | None) -> EncodedSum:
        """Return the encoded sum, whose bounds have these numbers."""
        form, encoder = self.form, self.encoder
        assert form is not None
        assert encoder is not None
        bounds = form.lower, form.upper, at_least, at_most
        clauses = self.clauses[self.encoders()]
        return EncodedSum(encoder, form.lits, form.weights, *bounds, self.first, clauses)


def by_decreasing_weight(of: EncodedSum) -> EncodedSum:
    """Return the sum with its inputs ordered; a lower bound alone is an upper one of negations."""
    order = sorted(range(len(of.lits)), key=lambda place: -of.weights[place])
    lits, weights = (tuple(each[place] for place in order) for each in (of.lits, of.weights))
    ordered = replace(of, lits=lits, weights=weights)
    return ordered.mirrored() if of.at_most is None else ordered


def is_clause(of: EncodedSum) -> bool:
    """Whether an upper bound alone is a clause: no single input may be missing from the sum."""
    return of.at_least is None and of.upper >= of.total - min(of.weights)


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


Condition = Lit | bool
"""A literal, or the truth value that it has by the bounds."""


class DerivedImplications:
    """Clauses about a sum, each derived once."""

    def __init__(self, of: EncodedSum, state: DerivationState) -> None:
        self.of, self.state = of, state
        self.known: dict[frozenset[Lit], int] = {}

    def clause(
        self, premises: Iterable[Condition], conclusions: Iterable[Condition]
    ) -> list[Lit] | None:
        """Return "the premises imply one of the conclusions"; None for what always holds.

        What is certain given the bounds is left out.
        """
        clause: list[Lit] = []
        for claim, value in [*((p, False) for p in premises), *((c, True) for c in conclusions)]:
            if claim is value:
                return None
            if not isinstance(claim, bool):
                clause.append(claim if value else -claim)
        clause = [*dict.fromkeys(clause)]
        return None if any(-lit in clause for lit in clause) else clause

    def summed(
        self, premises: Iterable[Condition], conclusions: Iterable[Condition], *rows: int | None
    ) -> int | None:
        """Derive "premises imply one of the conclusions": a sum of definitions, bounds, `rows`."""
        clause = self.clause(premises, conclusions)
        if clause is None:
            return None
        key = frozenset(clause)
        if key not in self.known:
            further = [row for row in rows if row is not None]
            self.known[key] = self.state.derive_clause(clause, *self.of.bounds, *further)
        return self.known[key]

    def propagated(
        self,
        premises: Iterable[Condition],
        conclusions: Iterable[Condition],
        hints: Iterable[int | None],
    ) -> int | None:
        """Derive "premises imply one of the conclusions" by propagation; hints may be None."""
        clause = self.clause(premises, conclusions)
        if clause is None:
            return None
        return self.state.propagate(clause, [hint for hint in hints if hint is not None])
