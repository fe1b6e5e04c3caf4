"""The rows of one constraint from its clauses: by its normal form, and back to what was given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pbcnf.constraints.normal_form import WeightedSum
from pbcnf.derivation.converse.clauses_left import ClausesLeft, definitions
from pbcnf.derivation.converse.ways import derive_bounds
from pbcnf.derivation.derivation_state import (
    BoundIds,
    Deleted,
    DerivationState,
    Step,
    UnderivableError,
)
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.inequalities import LinearInequality, combined
from pbcnf.emission.dispatch import Kind
from pbcnf.encoders.protocol import Encoder
from pbcnf.literals import Lit, Var


def derive_rows(
    form: WeightedSum | None,
    kind: Kind,
    encoder: Encoder | None,
    first_auxiliary: Var,
    clauses: Sequence[Sequence[Lit]],
    numbers: Sequence[int],
    steps: Iterable[Step | Deleted],
    rows: Sequence[LinearInequality],
    state: DerivationState,
    over_groups: Callable[[ClausesLeft], BoundIds] | None = None,
) -> list[int]:
    """Derive the rows of a constraint from its clauses alone; return their numbers, in order.

    Args:
        form: the constraint in normal form, None if it never holds.
        kind: the kind of the constraint.
        encoder: the encoder of the sum, if there is one.
        first_auxiliary: the first of the variables that the encoder introduced.
        clauses: the clauses.
        numbers: the numbers of the clauses.
        steps: the steps that derived the clauses from the rows.
        rows: the rows, which no constraint in ``state`` says any more.
        state: the derivation, which is continued.
        over_groups: derives the bounds of a sum over groups; None for a sum without groups.

    Raises UnderivableError for an encoder without a way back, and if a row does not follow.
    """
    for clause, number in zip(clauses, numbers, strict=True):
        state.declare(number, [(1, lit) for lit in clause], 1)
    if form is None:
        # The clauses are a contradiction: 0 >= 1.
        empty = [number for clause, number in zip(clauses, numbers, strict=True) if not clause]
        return [restored(row, empty, {}, state) for row in rows]
    # The encoder's clauses come first, those of the units behind them; over groups before them.
    start, stop = 0, len(clauses) - len(form.units)
    if over_groups is not None:
        start, stop = len(form.units), len(clauses)
    pairs = [*zip(clauses, numbers, strict=True)]
    units = {clause[0]: at for clause, at in (*pairs[:start], *pairs[stop:])}
    bounds: Sequence[int] = numbers[start:stop]
    if kind is not Kind.TRIVIAL and kind is not Kind.CLAUSE:
        assert encoder is not None
        total = sum(form.weights)
        # The numbers of the bounds are those of no constraint: they have been deleted.
        of = EncodedSum(
            encoder,
            form.lits,
            form.weights,
            form.lower,
            form.upper,
            0 if form.lower > 0 else None,
            0 if form.upper < total else None,
            first_auxiliary,
            clauses[start:stop],
        )
        left = ClausesLeft(of, numbers[start:stop], definitions(steps))
        found = derive_bounds(left, state) if over_groups is None else over_groups(left)
        bounds = [number for number in found if number is not None]
    return [restored(row, bounds, units, state) for row in rows]


def restored(
    row: LinearInequality, bounds: Sequence[int], units: dict[Lit, int], state: DerivationState
) -> int:
    """Derive a row from one bound of its normal form, the units, and literal axioms.

    Units were taken out of the row, weights were reduced to the degree, and everything was divided:
    a multiple of the bound has no weight above that of the row, and no smaller degree.
    """
    coefficients = row.coefficients
    own = [
        (number, abs(coefficients[abs(lit)]))
        for lit, number in units.items()
        if coefficients.get(abs(lit), 0) * lit > 0
    ]
    missing = _short_of(row, own, state)
    if missing <= 0:
        return _filled(row, own, state)
    for number in bounds:
        degree = state.rows[number].literal_degree
        if degree > 0:
            parts = [*own, (number, -(-missing // degree))]
            if _short_of(row, parts, state) <= 0:
                return _filled(row, parts, state)
    raise UnderivableError("a row does not follow from its normal form")


def _short_of(
    row: LinearInequality, parts: Sequence[tuple[int, int]], state: DerivationState
) -> int:
    """Return how much `parts` lack of the degree of `row`, once axioms made the weights equal."""
    found = combined([(state.rows[number], factor) for number, factor in parts])
    # What a coefficient is too large by leaves by the axiom that the variable is at most 1.
    every = {**found.coefficients, **row.coefficients}
    most = sum(max(found.coefficients.get(v, 0) - row.coefficients.get(v, 0), 0) for v in every)
    return row.degree - (found.degree - most)


def _filled(row: LinearInequality, parts: Sequence[tuple[int, int]], state: DerivationState) -> int:
    """Add `parts` and axioms to `row` exactly."""
    found = combined([(state.rows[number], factor) for number, factor in parts])
    excess = -_short_of(row, parts, state)
    axioms: dict[Lit, int] = {}
    for v in {**found.coefficients, **row.coefficients}:
        more = row.coefficients.get(v, 0) - found.coefficients.get(v, 0)
        if more:
            axioms[v if more > 0 else -v] = abs(more)
    divisor = 1
    # A variable and its negation are 1 together: this much the degree falls.
    some = next(iter(row.coefficients), 1)
    if not parts and not axioms and not excess:
        excess, divisor = 1, 2
    if excess:
        for lit in (some, -some):
            axioms[lit] = axioms.get(lit, 0) + excess
    number = state.add(parts, [*axioms.items()], divisor)
    if state.rows[number] != row:
        raise UnderivableError("a row does not come out as it was")
    return number
