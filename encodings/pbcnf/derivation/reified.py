"""Reified constraints: their clauses derived from rows that hold the literal.

Given are rows of a problem, none of them about auxiliary variables. That a literal implies a
constraint is a row for each bound, which holds its negation with a weight so large that it says
nothing otherwise. That it is implied by the constraint is said in the same way: the literal is
true, or there are too few, or too many (`Opposite`).

With a counter, its clauses follow from what its variables mean, and that the literal implies a
bound from that and from the row. With guarded clauses every row and so every clause holds one
literal more. A selector of a violation is true exactly if that violation is chosen and the literal
is false.

Steps: those of the encoder, and a few for the literal and each violation.
"""

from __future__ import annotations

from typing import NamedTuple

from pbcnf.constraints.constraint import Constraint, Linear, Parity
from pbcnf.derivation.became import Became, derive_clauses, form_of
from pbcnf.derivation.ledger import Ledger, UnderivableError
from pbcnf.derivation.live_counts import LiveCount
from pbcnf.emission.dispatch import AnyEncoder, Emit, emission
from pbcnf.emission.reification import (
    CountedBounds,
    counted_bounds,
    half_reified,
    reified,
    violations_of,
)
from pbcnf.encoders.counter import Direction
from pbcnf.encoders.parities import ParityEncoder
from pbcnf.formula import Formula
from pbcnf.literals import Lit, Var

Numbers = tuple[int | None, int | None]
"""Of the rows on the lower and on the upper bound; None for one that says nothing."""


class Violation(NamedTuple):
    """A literal, and the number of the row that it implies: there are too few, or too many."""

    lit: Lit
    number: int


class Opposite(NamedTuple):
    """What holds if the reified literal is false.

    If only one violation is possible, its literal may be the negation of the reified one.
    Otherwise `choice` is the number of the clause of the reified literal and of those of both.
    """

    too_few: Violation | None = None
    too_many: Violation | None = None
    choice: int | None = None


def derive_half_reified(
    constraint: Constraint,
    encoder: AnyEncoder | None,
    lit: Lit,
    rows: Numbers,
    first: Var,
    ledger: Ledger,
) -> list[int]:
    """Derive what ``encode(..., when=lit)`` emits; return the numbers of the clauses, in order.

    ``rows``: in the ledger, those on the bounds. Auxiliary variables are numbered from ``first``.

    Raises UnderivableError for a parity, for a literal that is among those of the constraint,
    for an encoder that has no derivation, and for clauses that do not follow.

    >>> from pbcnf import Cardinality
    >>> from pbcnf.derivation.steps import Derivation
    >>> ledger = Ledger(Derivation(formula=1))
    >>> row = ledger.given(1, [(1, -1), (1, -2), (1, -3), (2, -4)], 2)
    >>> constraint = Cardinality([1, 2, 3], upper=1)
    >>> derive_half_reified(constraint, "pairwise", 4, (None, row), 5, ledger)
    [2, 3, 4]
    >>> ledger.derivation.steps[0]
    Propagated(clause=(-4, -1, -2), ids=(1,))
    """
    clauses, after = _emitted(half_reified(constraint, encoder, lit), first)
    ledger.last_var = max(ledger.last_var, after - 1)
    linear = _linear(constraint, lit)
    counted = counted_bounds(linear, encoder)
    if counted is None:
        found = emission(linear, encoder)
        chosen = found.encoder
        assert not isinstance(chosen, ParityEncoder)
        became = Became(form_of(linear, encoder), found.kind, chosen, first, clauses)
        return derive_clauses(became, rows, ledger, guard=-lit)
    return _count(counted, counted.directions, lit, rows, first, ledger)[0]


def derive_reified(
    constraint: Constraint,
    encoder: AnyEncoder | None,
    lit: Lit,
    rows: Numbers,
    opposite: Opposite,
    first: Var,
    ledger: Ledger,
) -> list[int]:
    """Derive what ``encode(..., iff=lit)`` emits; return the numbers of the clauses, in order.

    ``rows`` as for `derive_half_reified`, which raises the same errors; ``opposite``: the rest.
    """
    _, after = _emitted(reified(constraint, encoder, lit), first)
    ledger.last_var = max(ledger.last_var, after - 1)
    linear = _linear(constraint, lit)
    counted = counted_bounds(linear, encoder)
    if counted is None:
        return _by_violations(linear, encoder, lit, rows, opposite, first, ledger)
    numbers, bounds = _count(counted, Direction.BOTH, lit, rows, first, ledger)
    reasons, claims = [], iter(bounds)
    for side, possible in (
        (opposite.too_few, counted.lower > 0),
        (opposite.too_many, counted.upper < len(counted.lits)),
    ):
        if possible:
            violation = _given(side)
            reasons.append(ledger.derive([-violation.lit, -next(claims)], violation.number))
        elif side is not None:
            # Opposite literals count 1 whatever happens: with them there are never too few.
            reasons.append(ledger.propagate([-side.lit], [side.number]))
    last = [lit, *(-bound for bound in bounds)]
    return [*numbers, ledger.propagate(last, _chosen(opposite, reasons))]


def _by_violations(
    constraint: Linear,
    encoder: AnyEncoder | None,
    lit: Lit,
    rows: Numbers,
    opposite: Opposite,
    first: Var,
    ledger: Ledger,
) -> list[int]:
    numbers = derive_half_reified(constraint, encoder, lit, rows, first, ledger)
    _, first = _emitted(half_reified(constraint, encoder, lit), first)
    too_few, too_many = violations_of(constraint)
    violations = [one for one in (too_few, too_many) if one is not None]
    given = [_given(opposite.too_few)] if too_few is not None else []
    given += [_given(opposite.too_many)] if too_many is not None else []
    selectors = range(first, first + len(violations))
    first = selectors.stop
    for selector, one in zip(selectors, given, strict=True):
        ledger.both(selector, [*dict.fromkeys((one.lit, -lit))])
    reasons = [ledger.if_false[selector] for selector in selectors]
    numbers.append(ledger.propagate([lit, *selectors], _chosen(opposite, reasons)))
    for selector, one, violation in zip(selectors, given, violations, strict=True):
        off, _ = ledger.if_false.pop(-selector), ledger.if_false.pop(selector)
        numbers.append(ledger.propagate([-selector, -lit], [off]))
        weight = abs(ledger.rows[one.number].coefficients.get(abs(one.lit), 0))
        row = one.number
        if weight:
            implied = ledger.propagate([-selector, one.lit], [off])
            row = ledger.add([(row, 1), (implied, weight)])
        sides = (None, row) if violation is too_few else (row, None)
        numbers += derive_half_reified(violation, encoder, selector, sides, first, ledger)
        _, first = _emitted(half_reified(violation, encoder, selector), first)
    return numbers


def _count(
    counted: CountedBounds,
    directions: Direction,
    lit: Lit,
    rows: Numbers,
    first: Var,
    ledger: Ledger,
) -> tuple[list[int], list[Lit]]:
    """Derive a counter, and that the literal implies its bounds; return these, too."""
    formula = Formula(num_vars=first - 1)
    count = counted.count(directions, formula)
    numbers = LiveCount(count, ledger).follow(formula.clauses())
    bounds = counted.bounds(count)
    sides = [rows[0]] if counted.lower > 0 else []
    sides += [rows[1]] if counted.upper < len(counted.lits) else []
    for bound, row in zip(bounds, sides, strict=True):
        numbers.append(ledger.derive([-lit, bound], *([] if row is None else [row])))
    return numbers, bounds


def _emitted(emit: Emit, first: Var) -> tuple[list[list[Lit]], Var]:
    """Return the clauses, and the next variable behind the auxiliary ones."""
    formula = Formula(num_vars=first - 1)
    emit(formula)
    return [*formula.clauses()], formula.num_vars + 1


def _linear(constraint: Constraint, lit: Lit) -> Linear:
    if isinstance(constraint, Parity):
        raise UnderivableError("a parity is no sum with bounds")
    if abs(lit) in map(abs, constraint.lits):
        raise UnderivableError(f"the reified literal {lit} is one of the constraint, too")
    return constraint


def _given(violation: Violation | None) -> Violation:
    if violation is None:
        raise UnderivableError("a violation that is possible is not given")
    return violation


def _chosen(opposite: Opposite, reasons: list[int]) -> list[int]:
    return reasons if opposite.choice is None else [opposite.choice, *reasons]
