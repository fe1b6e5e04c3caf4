"""The clauses of a sum as constraints that are given, and rows made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pbcnf.derivation.converse.clauses_left import ClausesLeft
from pbcnf.derivation.derivation_state import BoundIds, DerivationState, Parts, UnderivableError
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.inequalities import LinearInequality, combined, linear_inequality
from pbcnf.literals import Lit


class GivenClauses:
    """The clauses of a sum by their literals, with the numbers that they have in a state."""

    def __init__(self, left: ClausesLeft, state: DerivationState) -> None:
        self.of = left.of
        self.state = state
        pairs = zip(left.of.clauses, left.numbers, strict=True)
        self.numbers = {frozenset(clause): number for clause, number in pairs}

    def get(self, *lits: Lit) -> int | None:
        """Return the number of a clause, None if it is not there."""
        return self.numbers.get(frozenset(lits))

    def __getitem__(self, lits: Iterable[Lit]) -> int:
        """Return the number of a clause. Raises UnderivableError if it is not there."""
        number = self.numbers.get(frozenset(lits))
        if number is None:
            raise UnderivableError(f"clause {[*lits]} is missing")
        return number

    def single_bound(self) -> BoundIds | None:
        """Derive a bound that is one clause, None unless the only bound is and has it."""
        of = self.of
        upper = of.lower <= 0
        side = of if upper else of.mirrored()
        if side.lower > 0 or side.upper < of.total - min(of.weights):
            return None
        number = self.get(*(-lit for lit in side.lits))
        if number is None:
            return None
        row = added_to(upper_row(side), [(number, of.total - side.upper)], self.state)
        return BoundIds(None, row) if upper else BoundIds(row)

    def bounds(
        self, at_least: Callable[[], Parts], at_most: Callable[[], Parts], mirrored: bool = False
    ) -> BoundIds:
        """Derive the bounds of the sum from parts that add up to them, up to literal axioms.

        If the sum is ``mirrored``, the parts are about the negated inputs.
        """
        of = self.of.mirrored() if mirrored else self.of
        lower = added_to(lower_row(of), at_least(), self.state) if of.lower > 0 else None
        upper = added_to(upper_row(of), at_most(), self.state) if of.upper < of.total else None
        return BoundIds(upper, lower) if mirrored else BoundIds(lower, upper)


def upper_row(of: EncodedSum) -> LinearInequality:
    """Return ``sum of weight * negated literal >= total - upper``."""
    return linear_inequality([(w, -lit) for w, lit in of.terms], of.total - of.upper)


def lower_row(of: EncodedSum) -> LinearInequality:
    """Return ``sum of weight * literal >= lower``."""
    return linear_inequality(of.terms, of.lower)


def added_to(wanted: LinearInequality, parts: Parts, state: DerivationState) -> int:
    """Derive `wanted` by adding `parts` and literal axioms; return its number.

    Raises UnderivableError if the parts do not add up to it.
    """
    axioms, spare = axioms_for(wanted, parts, state)
    if spare < 0:
        raise UnderivableError("a row does not follow from its clauses")
    if len(parts) == 1 and parts[0][1] == 1 and not axioms and not spare:
        return parts[0][0]
    return add_axioms(wanted, parts, axioms, spare, state)


def axioms_for(
    wanted: LinearInequality, parts: Parts, state: DerivationState
) -> tuple[dict[Lit, int], int]:
    """Return the literal axioms that give the sum of `parts` the coefficients of `wanted`.

    Second is how much the degree of the sum exceeds that of `wanted` then: negative if `wanted`
    does not follow this way.
    """
    found = combined([(state.rows[number], factor) for number, factor in parts])
    axioms, spare = dict[Lit, int](), found.degree - wanted.degree
    for v in {**found.coefficients, **wanted.coefficients}:
        more = wanted.coefficients.get(v, 0) - found.coefficients.get(v, 0)
        if more:
            axioms[v if more > 0 else -v] = abs(more)
            # The axiom that a variable is at most 1 takes its factor off the degree.
            spare += min(more, 0)
    return axioms, spare


def add_axioms(
    wanted: LinearInequality,
    parts: Parts,
    axioms: dict[Lit, int],
    spare: int,
    state: DerivationState,
) -> int:
    """Add `parts` to `wanted` exactly, by what `axioms_for` returns; return the number."""
    divisor = 1
    if not parts and not axioms and not spare:
        # No step adds nothing: half of "a literal and its negation are at least 0", rounded up.
        spare, divisor = 1, 2
    if spare:
        # A literal and its negation are 1, and each of them at least 0.
        v = next(iter(wanted.coefficients), 1)
        for lit in (v, -v):
            axioms[lit] = axioms.get(lit, 0) + spare
    return state.add(parts, [*axioms.items()], divisor)
