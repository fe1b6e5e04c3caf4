"""The rows of one constraint from its clauses: by its normal form, and back to what was given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pbcnf.derivation.converse.clauses_left import ClausesLeft, definitions
from pbcnf.derivation.converse.given_clauses import add_axioms, axioms_for
from pbcnf.derivation.derivation_state import (
    BoundIds,
    Deleted,
    DerivationState,
    Step,
    UnderivableError,
)
from pbcnf.derivation.encoded_sum import EmittedConstraint
from pbcnf.derivation.families import derive_bounds
from pbcnf.derivation.inequalities import LinearInequality
from pbcnf.emission.dispatch import Kind
from pbcnf.literals import Lit


def derive_rows(
    of: EmittedConstraint,
    numbers: Sequence[int],
    steps: Iterable[Step | Deleted],
    rows: Sequence[LinearInequality],
    state: DerivationState,
    over_groups: Callable[[ClausesLeft], BoundIds] | None = None,
) -> list[int]:
    """Derive the rows of a constraint from its clauses alone; return their numbers, in order.

    Args:
        of: the constraint and its clauses.
        numbers: the numbers of the clauses.
        steps: the steps that derived the clauses from the rows.
        rows: the rows, which no constraint in ``state`` says any more.
        state: the derivation, which is continued.
        over_groups: derives the bounds of a sum over groups; None for a sum without groups.

    Raises UnderivableError for an encoder without such a derivation, and if a row does not follow.
    """
    for clause, number in zip(of.clauses, numbers, strict=True):
        state.declare(number, [(1, lit) for lit in clause], 1)
    if of.form is None:
        # The clauses are a contradiction: 0 >= 1.
        empty = [number for clause, number in zip(of.clauses, numbers, strict=True) if not clause]
        return [restored(row, empty, {}, state) for row in rows]
    total, encoders = sum(of.form.weights), of.encoders()
    bounds: Sequence[int] = numbers[encoders]
    known = {*bounds}
    pairs = zip(of.clauses, numbers, strict=True)
    units = {clause[0]: number for clause, number in pairs if number not in known}
    if of.kind is not Kind.TRIVIAL and of.kind is not Kind.CLAUSE:
        # The numbers of the bounds are those of no constraint: they have been deleted.
        lower = 0 if of.form.lower > 0 else None
        upper = 0 if of.form.upper < total else None
        left = ClausesLeft(of.sum(lower, upper), bounds, definitions(steps))
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
    axioms, spare = axioms_for(row, own, state)
    if spare < 0:
        missing = -spare
        for number in bounds:
            degree = state.rows[number].literal_degree
            if degree > 0:
                parts = [*own, (number, -(-missing // degree))]
                axioms, spare = axioms_for(row, parts, state)
                if spare >= 0:
                    own = parts
                    break
        else:
            raise UnderivableError("a row does not follow from its normal form")
    number = add_axioms(row, own, axioms, spare, state)
    if state.rows[number] != row:
        raise UnderivableError("a row does not come out as it was")
    return number
