"""Derivation of one constraint: its bounds, normal form, and the clauses that an encoder emits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbcnf.constraints.constraint import Linear, PseudoBoolean
from pbcnf.constraints.normal_form import Settled, normal_form, settle
from pbcnf.constraints.weighted_normal_form import WeightedSum, sum_of, weighted_normal_form
from pbcnf.derivation.derivation_state import DerivationState, UnderivableError
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.families import derive_sum
from pbcnf.derivation.inequalities import Terms
from pbcnf.derivation.normalising import derive_normal_form
from pbcnf.derivation.steps import BoundIds
from pbcnf.emission.dispatch import AnyEncoder, Kind, emission
from pbcnf.emission.encode import encode
from pbcnf.encoders.parities import ParityEncoder
from pbcnf.encoders.protocol import Encoder
from pbcnf.encoders.table import find_encoder
from pbcnf.encoders.weighted import takes_weights
from pbcnf.formula import Formula
from pbcnf.literals import Lit, Var


@dataclass(frozen=True, slots=True)
class EncodedConstraint:
    """A constraint in normal form (None if it never holds), its kind, encoder, and clauses."""

    form: WeightedSum | None
    kind: Kind
    encoder: Encoder | None
    first_auxiliary: Var
    clauses: Sequence[Sequence[Lit]]


def derive_constraint(
    constraint: Linear,
    encoder: str | Encoder | None,
    given: BoundIds,
    state: DerivationState,
    first_auxiliary: Var,
) -> tuple[list[list[Lit]], list[int]]:
    """Encode a constraint as `pbcnf.encode` does, and derive its clauses.

    Args:
        constraint: a sum with bounds.
        encoder: the encoder, or None for the one that `pbcnf.choose` names.
        given: the numbers of the constraint's bounds in the formula; ``lower`` may be None if no
            sum is below the lower bound, ``upper`` if none is above the upper one.
        state: the derivation, which is continued.
        first_auxiliary: where the auxiliary variables begin; the formula must not mention them.

    Returns:
        The clauses, and for each the number of the constraint that says it.

    Raises:
        ValueError: the encoder cannot express the bounds, has no derivation, or a clause does not
            follow from the given bounds.

    >>> from pbcnf import Cardinality
    >>> from pbcnf.derivation.steps import Derivation
    >>> state = DerivationState(Derivation(formula=2))
    >>> derive_constraint(Cardinality([1, 2, 3], 1, 1), "direct", BoundIds(1, 2), state, 4)
    ([[-1, -2], [-1, -3], [-2, -3], [1, 2, 3]], [3, 4, 5, 6])
    >>> state.derivation.steps[-1]
    Propagated(clause=(1, 2, 3), ids=(1,))
    """
    emitted = Formula(num_vars=first_auxiliary - 1)
    encode(constraint, emitted, encoder)
    clauses = [*emitted.clauses()]
    # Variables of the proof alone come after those of the clauses.
    state.last_var = max(state.last_var, emitted.num_vars)
    declare_bounds(constraint, given, state)
    found = emission(constraint, encoder)
    assert not isinstance(found.encoder, ParityEncoder)
    form = form_of(constraint, encoder)
    encoded = EncodedConstraint(form, found.kind, found.encoder, first_auxiliary, clauses)
    return clauses, derive_clauses(encoded, given, state)


def derive_clauses(
    encoded: EncodedConstraint, given: BoundIds, state: DerivationState
) -> list[int]:
    """Derive the clauses from the two bounds given; return their numbers, in order."""
    form, clauses = encoded.form, encoded.clauses
    found = derive_normal_form(form, given, state)
    if found.contradiction is not None:
        return [state.propagate(clause, [found.contradiction]) for clause in clauses]
    assert form is not None
    units = [*found.units]
    if encoded.kind is Kind.TRIVIAL:
        return units
    bounds = [number for number in (found.at_least, found.at_most) if number is not None]
    if encoded.kind is Kind.CLAUSE:
        return [state.propagate(clauses[0], bounds), *units]
    assert encoded.encoder is not None
    of = EncodedSum(
        encoded.encoder,
        form.lits,
        form.weights,
        form.lower,
        form.upper,
        found.at_least,
        found.at_most,
        encoded.first_auxiliary,
        clauses[: len(clauses) - len(units)],
    )
    return derive_sum(of, state) + units


def declare_bounds(constraint: Linear, given: BoundIds, state: DerivationState) -> None:
    """Record in `state` what the given numbers of a constraint's bounds stand for."""
    terms = linear_terms(constraint)
    if given.lower is not None:
        state.declare(given.lower, terms, constraint.lower)
    if given.upper is not None:
        state.declare(given.upper, [(-weight, lit) for weight, lit in terms], -constraint.upper)


def linear_terms(constraint: Linear) -> Terms:
    """Return the weights and literals of a constraint as it is."""
    if isinstance(constraint, PseudoBoolean):
        return [*zip(constraint.weights, constraint.lits, strict=True)]
    return [(1, lit) for lit in constraint.lits]


def form_of(constraint: Linear, encoder: AnyEncoder | None) -> WeightedSum | None:
    """Return the normal form that the encoder gets: if it is named, a count stays one."""
    if encoder is None or isinstance(constraint, PseudoBoolean):
        return sum_of(constraint)
    lits, lower, upper = normal_form(constraint)
    match settle(len(lits), lower, upper):
        case Settled.FALSE:
            return None
        case Settled.TRUE:
            return WeightedSum((), (), (), 0, 0)
        case Settled.ALL_FALSE:
            return WeightedSum(tuple(dict.fromkeys(-lit for lit in lits)), (), (), 0, 0)
        case Settled.ALL_TRUE:
            return WeightedSum(tuple(dict.fromkeys(lits)), (), (), 0, 0)
    if len(set(lits)) == len(lits):
        return WeightedSum((), tuple(lits), (1,) * len(lits), lower, upper)
    if not takes_weights(find_encoder(encoder)):
        raise UnderivableError("an encoder of counts gets a literal more than once")
    return weighted_normal_form(PseudoBoolean(lits, [1] * len(lits), lower, upper))
