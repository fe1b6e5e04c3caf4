"""Reification: a literal that implies a constraint, or that is true exactly if it holds.

An encoder with a counter (`pbcnf.encoders.counter.Counter`) counts unconditionally, and only its
bounds depend on the literal: unit propagation then also finds the literal false once the constraint
is violated. Any other encoder's clauses each get the negated literal: they say nothing until the
literal is true, and its auxiliary variables are free while it is false.

That a literal is true exactly if a parity holds is a parity itself, of one literal more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pbcnf.constraints.constraint import Cardinality, Constraint, Linear, Parity, PseudoBoolean
from pbcnf.constraints.normal_form import normal_form, settle
from pbcnf.emission.dispatch import AnyEncoder, Emit, Kind, emission
from pbcnf.encoders.counter import Counter, Direction, UnaryCount
from pbcnf.encoders.table import find_encoder
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink, GuardedSink, NormalisingSink


def half_reified(constraint: Constraint, encoder: AnyEncoder | None, lit: Lit) -> Emit:
    """Return a function that emits: `lit` implies `constraint`."""
    counted = counted_bounds(constraint, encoder)
    if counted is None:
        emit = emission(constraint, encoder).emit
        return lambda sink: emit(GuardedSink(NormalisingSink(sink), -lit))

    def count(sink: ClauseSink) -> None:
        for bound in counted.bounds(counted.count(counted.directions, sink)):
            sink.add_clause([-lit, bound])

    return count


def reified(constraint: Constraint, encoder: AnyEncoder | None, lit: Lit) -> Emit:
    """Return a function that emits: `lit` is true exactly if `constraint` holds.

    Without a counter the constraint is encoded for a true `lit`, and what contradicts it (too few,
    too many, each selected by a fresh variable) for a false one.
    """
    if isinstance(constraint, Parity):
        return emission(Parity((*constraint.lits, lit), not constraint.odd), encoder).emit
    counted = counted_bounds(constraint, encoder)
    if counted is None:
        return _reified_by_violations(constraint, encoder, lit)

    def count(sink: ClauseSink) -> None:
        bounds = counted.bounds(counted.count(Direction.BOTH, sink))
        for bound in bounds:
            sink.add_clause([-lit, bound])
        sink.add_clause([lit, *(-bound for bound in bounds)])

    return count


@dataclass(frozen=True, slots=True)
class CountedBounds:
    """Non-trivial bounds of an encoder that has a counter."""

    counter: Counter
    lits: list[Lit]
    lower: int
    upper: int

    @property
    def directions(self) -> Direction:
        """The direction, or both, in which these bounds need the counter."""
        if self.upper == len(self.lits):
            return Direction.AT_LEAST
        return Direction.BOTH if self.lower > 0 else Direction.AT_MOST

    def count(self, directions: Direction, sink: ClauseSink) -> UnaryCount:
        """Emit the counter."""
        upto = self.upper if self.upper < len(self.lits) else self.lower
        downto = self.lower or self.upper
        return self.counter.count(self.lits, upto, sink, directions, downto)

    def bounds(self, count: UnaryCount) -> list[Lit]:
        """Return the literals that together say that the bounds are met."""
        found = count.at_least(self.lower) if self.lower > 0 else []
        return found + (count.at_most(self.upper) if self.upper < len(self.lits) else [])


def counted_bounds(constraint: Constraint, encoder: AnyEncoder | None) -> CountedBounds | None:
    """Return the bounds that reification takes from a counter; None if it guards clauses."""
    if not isinstance(constraint, Cardinality):
        return None
    # A constraint that needs no encoder has none by default: nothing is counted then.
    chosen = emission(constraint, None).encoder if encoder is None else find_encoder(encoder)
    lits, lower, upper = normal_form(constraint)
    if not isinstance(chosen, Counter) or settle(len(lits), lower, upper) is not None:
        return None
    return CountedBounds(chosen, lits, lower, upper)


def _reified_by_violations(constraint: Linear, encoder: AnyEncoder | None, lit: Lit) -> Emit:
    violations = [found for found in violations_of(constraint) if found is not None]
    for violation in violations:
        _require_expressible(violation, encoder)
    holds = half_reified(constraint, encoder, lit)

    def emit(sink: ClauseSink) -> None:
        holds(sink)
        selectors = [sink.new_var() for _ in violations]
        # A false `lit` needs a violation. A selector implies its violation, and excludes `lit` so
        # that unit propagation does not have to find the clash of both.
        sink.add_clause([lit, *selectors])
        for selector, violation in zip(selectors, violations, strict=True):
            sink.add_clause([-selector, -lit])
            half_reified(violation, encoder, selector)(sink)

    return emit


def violations_of(constraint: Linear) -> tuple[Linear | None, Linear | None]:
    """Return the violations of `constraint`: too few, too many; None for an impossible one."""
    low, high = constraint.lower - 1, constraint.upper + 1
    alike: Callable[[int | None, int | None], Linear]
    if isinstance(constraint, Cardinality):
        alike = partial(Cardinality, constraint.lits)
    else:
        alike = partial(PseudoBoolean, constraint.lits, constraint.weights)
    too_few, too_many = alike(None, low), alike(high, None)
    return too_few if too_few.lower <= low else None, too_many if high <= too_many.upper else None


def _require_expressible(constraint: Constraint, encoder: AnyEncoder | None) -> None:
    """Raise what encoding would raise, before anything has been emitted."""
    found = emission(constraint, encoder)
    if found.kind is not Kind.PSEUDO_BOOLEAN:
        found.size()
