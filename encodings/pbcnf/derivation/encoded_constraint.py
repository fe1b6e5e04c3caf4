"""Derivation of one constraint: its bounds, normal form, and the clauses that an encoder emits."""

from __future__ import annotations

from math import gcd
from typing import NamedTuple

from pbcnf.constraints.constraint import Linear, PseudoBoolean
from pbcnf.constraints.normal_form import (
    Settled,
    WeightedSum,
    normal_form,
    settle,
    sum_of,
    weighted_normal_form,
)
from pbcnf.derivation.derivation_state import BoundIds, DerivationState, UnderivableError
from pbcnf.derivation.encoded_sum import EmittedConstraint
from pbcnf.derivation.families import derive_sum
from pbcnf.derivation.inequalities import LinearInequality, Terms, linear_inequality
from pbcnf.emission.dispatch import AnyEncoder, Kind, emission
from pbcnf.emission.encode import encode
from pbcnf.encoders.protocol import Encoder, ParityEncoder, takes_weights
from pbcnf.encoders.table import find_encoder
from pbcnf.formula import Formula
from pbcnf.literals import Lit, Var

# The normal form of a weighted sum, derived from its bounds step by step.


class Normalised(NamedTuple):
    """The numbers of the bounds of a sum in normal form, None for a bound that says nothing.

    ``at_most`` is on the negated literals. ``units`` are the numbers of the forced literals, in
    their order; ``contradiction`` is the number of an inequality that cannot hold, if there is
    one.
    """

    at_least: int | None
    at_most: int | None
    units: tuple[int, ...] = ()
    contradiction: int | None = None


def derive_normal_form(
    form: WeightedSum | None,
    given: BoundIds,
    state: DerivationState,
) -> Normalised:
    """Derive the bounds and units of the normal form `form` from the constraint's bounds.

    ``given``: the numbers of the constraint's bounds in `state`.

    Raises UnderivableError if this does not lead to the normal form.
    """
    numbers = [number for number in given if number is not None]
    units: dict[Lit, int] = {}
    while True:
        # An inequality that cannot hold by itself is the contradiction.
        for number in numbers:
            if state.rows[number].refutes(()):
                return Normalised(None, None, tuple(units.values()), number)
        # A literal whose weight exceeds the slack is forced: its unit follows by propagation.
        forced = {
            lit: number for number in reversed(numbers) for lit in _forced(state.rows[number])
        }
        # Both bounds may force one variable in opposite ways: the two units add up to 0 >= 1.
        clash = next((lit for lit in forced if -lit in forced), None)
        if clash is not None:
            first, second = (state.propagate([lit], [forced[lit]]) for lit in (clash, -clash))
            return Normalised(None, None, (), state.add([(first, 1), (second, 1)]))
        if forced:
            new = {lit: state.propagate([lit], [number]) for lit, number in forced.items()}
            units |= new
            # Units replace their variables in both inequalities, which may force further literals.
            left = [_without(number, new, state) for number in numbers]
            numbers = [number for number in left if number is not None]
            continue
        break
    # No literal is forced, so both bounds contradict each other only together, after rounding.
    if form is None:
        return Normalised(None, None, (), _clash(numbers, state))
    if set(units) != set(form.units):
        raise UnderivableError(f"units {sorted(units)} where {sorted(form.units)} are expected")
    if not form.lits:
        return Normalised(None, None, tuple(units[lit] for lit in form.units))
    total = sum(form.weights)
    terms = [*zip(form.weights, form.lits, strict=True)]
    negated = [(weight, -lit) for weight, lit in terms]
    bounds = (
        linear_inequality(terms, form.lower) if form.lower > 0 else None,
        linear_inequality(negated, total - form.upper) if form.upper < total else None,
    )
    # What is left differs from the normal form by division and saturation alone.
    found = [None if bound is None else _derived(bound, numbers, state) for bound in bounds]
    return Normalised(found[0], found[1], tuple(units[lit] for lit in form.units))


def _forced(of: LinearInequality) -> list[Lit]:
    """Return the literals that an inequality forces: their weight exceeds its slack."""
    terms = of.terms()
    slack = sum([weight for weight, _ in terms]) - of.literal_degree
    return [lit for weight, lit in terms if weight > slack]


def _without(number: int, units: dict[Lit, int], state: DerivationState) -> int | None:
    """Return the number of an inequality without the decided variables, None if it holds then.

    ``units``: the decided literals, all true, and the numbers of their unit clauses.
    """
    coefficients, degree = state.rows[number]
    if not any(v not in units and -v not in units for v in coefficients):
        value = sum([c for v, c in coefficients.items() if v in units])
        if value >= degree:
            return None
    parts, axioms = [(number, 1)], []
    for lit, unit in units.items():
        c = coefficients.get(abs(lit), 0)
        if not c:
            continue
        # A true literal of the inequality leaves by an axiom, and the literal degree falls by its
        # weight; a false one leaves by the unit, and the literal degree stays.
        if (c > 0) == (lit > 0):
            axioms.append((-lit, abs(c)))
        else:
            parts.append((unit, abs(c)))
    return state.add(parts, axioms) if len(parts) > 1 or axioms else number


def _clash(numbers: list[int], state: DerivationState) -> int:
    """Return the number of an inequality that cannot hold: two bounds, each rounded, added."""
    rounded = []
    for number in numbers:
        common = gcd(*state.rows[number].coefficients.values())
        rounded.append(state.add([(number, 1)], divisor=common) if common > 1 else number)
    found = state.add([(number, 1) for number in rounded])
    if not state.rows[found].refutes(()):
        raise UnderivableError("that the sum never holds does not show")
    return found


def _derived(bound: LinearInequality, numbers: list[int], state: DerivationState) -> int:
    """Derive `bound` from one of the inequalities by dividing and saturating."""
    for number in numbers:
        while (of := state.rows[number]) != bound:
            if of.literal_degree <= 0 or set(of.coefficients) != set(bound.coefficients):
                break
            common = gcd(*of.coefficients.values())
            if common == 1 and max(map(abs, of.coefficients.values())) <= of.literal_degree:
                break
            number = state.add([(number, 1)], divisor=common, saturate=common == 1)
        else:
            return number
    raise UnderivableError("a bound of the normal form does not follow")


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
    >>> from pbcnf.derivation.derivation_state import Derivation
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
    emitted_for = EmittedConstraint(form, found.kind, found.encoder, first_auxiliary, clauses)
    return clauses, derive_clauses(emitted_for, given, state)


def derive_clauses(of: EmittedConstraint, given: BoundIds, state: DerivationState) -> list[int]:
    """Derive the clauses of a constraint from its bounds `given`; return their numbers, in order.

    Not for a sum over groups.
    """
    # From the bounds to the normal form: units, and bounds on the literals that are left. A
    # contradiction on the way implies every clause.
    found = derive_normal_form(of.form, given, state)
    if found.contradiction is not None:
        return [state.propagate(clause, [found.contradiction]) for clause in of.clauses]
    units = [*found.units]
    if of.kind is Kind.TRIVIAL:
        return units
    if of.kind is Kind.CLAUSE:
        bounds = [number for number in (found.at_least, found.at_most) if number is not None]
        return [state.propagate(of.clauses[0], bounds), *units]
    return derive_sum(of.sum(found.at_least, found.at_most), state) + units


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
