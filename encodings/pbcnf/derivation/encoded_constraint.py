"""What one constraint has become, and the clauses of it derived from its rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbcnf.constraints.constraint import Linear, PseudoBoolean
from pbcnf.constraints.normal_form import Settled, normal_form, settle
from pbcnf.constraints.weighted_normal_form import WeightedSum, sum_of, weighted_normal_form
from pbcnf.derivation.derivation_state import DerivationState, UnderivableError
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.families import derive_sum
from pbcnf.derivation.normalising import derive_normal_form
from pbcnf.emission.dispatch import AnyEncoder, Kind
from pbcnf.encoders.protocol import Encoder
from pbcnf.encoders.table import find_encoder
from pbcnf.encoders.weighted import takes_weights
from pbcnf.literals import Lit, Var


@dataclass(frozen=True, slots=True)
class EncodedConstraint:
    """The normal form of a sum, None if it never holds; its kind and encoder; what was emitted."""

    form: WeightedSum | None
    kind: Kind
    encoder: Encoder | None
    first_auxiliary: Var
    clauses: Sequence[Sequence[Lit]]


def derive_clauses(
    encoded: EncodedConstraint, given: tuple[int | None, int | None], state: DerivationState
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
