"""The normal form of a weighted sum, derived from its bounds step by step."""

from __future__ import annotations

from math import gcd
from typing import NamedTuple

from pbcnf.constraints.weighted_normal_form import WeightedSum
from pbcnf.derivation.derivation_state import DerivationState, UnderivableError
from pbcnf.derivation.inequalities import LinearInequality, linear_inequality
from pbcnf.derivation.steps import BoundIds
from pbcnf.literals import Lit


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
