"""Sums in binary, from the clauses of adders and of the comparison to the bounds.

The clauses of an adder say ``sum of inputs <= total + 2 carry``, or ``>=``. With X the number of
true inputs and ~X that of false ones: of three inputs two true ones imply the carry, ``~X + 2 carry
>= 2``; each implies the carry or the total; all together imply the total, ``~X + total >= 1``.
Taken four times, twice and once, and divided by 7, these are ``~X + 2 carry + total >= 3``. The
negated bits are added by the same clauses: that is the other direction.

A comparison has a clause for each zero of the bound, worth what the bit is worth: together with
the bits at ones, which are at most 1 each, they add up to the bound on the number.

Size: a step for each adder and direction, or 5 for adders whose clauses are those of one direction;
one for each bound.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from pbcnf.derivation.adders import Placed, adder, parallel_counter
from pbcnf.derivation.converse.clauses_left import ClausesLeft
from pbcnf.derivation.converse.given_clauses import GivenClauses, added_to, lower_row, upper_row
from pbcnf.derivation.derivation_state import BoundIds, DerivationState, Parts
from pbcnf.derivation.inequalities import LinearInequality, combined
from pbcnf.encoders.pseudo_boolean.adder import Adder
from pbcnf.literals import Lit


def derive(left: ClausesLeft, state: DerivationState) -> BoundIds:
    """Derive the bounds from the clauses of adders and of comparisons."""
    clauses, of = GivenClauses(left, state), left.of
    single = clauses.single_bound()
    if single is not None:
        return single
    if isinstance(of.encoder, Adder):
        negated = of.total - of.lower < of.upper
    else:
        negated = of.upper == of.total
    side = of.mirrored() if negated else of
    if isinstance(of.encoder, Adder):
        adders = adder(side.lits, side.weights, side.upper, side.first)
    else:
        adders = parallel_counter(side.lits, side.first)
    at_most = at_least = None
    if side.upper < side.total:
        at_most = _bound(upper_row(side), adders, False, clauses)
    if side.lower > 0:
        mirrored = [
            each._replace(
                inputs=tuple(-lit for lit in each.inputs),
                total=-each.total,
                carry=None if each.carry is None else -each.carry,
            )
            for each in adders
        ]
        at_least = _bound(lower_row(side), mirrored, True, clauses)
    return BoundIds(at_most, at_least) if negated else BoundIds(at_least, at_most)


def _bound(
    wanted: LinearInequality, adders: Sequence[Placed], lower: bool, clauses: GivenClauses
) -> int:
    """Derive a bound on the inputs; adders of a lower bound add the negated bits."""
    rows = [(_outputs_at_least(each, clauses), 1 << each.place) for each in adders]
    known = combined([(clauses.state.rows[number], factor) for number, factor in rows])
    # What the adders leave of the bound is a bound on the bits.
    left = combined([(wanted, 1), (known, -1)])
    return added_to(wanted, [*rows, *_compared(left, lower, clauses)], clauses.state)


def _compared(
    left: LinearInequality, absent: bool, clauses: GivenClauses
) -> Iterator[tuple[int, int]]:
    """Yield the clauses that make ``left``, ``sum of 2**place * bit >= degree``, as parts.

    ``absent``: whether places without a bit count as false bits, not as true ones.
    """
    degree = left.literal_degree
    bound = sum(weight for weight, _ in left.terms()) - degree
    bits = {
        place: lit
        for weight, lit in left.terms()
        for place in range(weight.bit_length())
        if weight >> place & 1
    }
    ones: dict[Lit, None] = {}
    zeros: dict[Lit, int] = {}
    for place in reversed(range(max(*bits, degree.bit_length(), bound.bit_length()) + 1)):
        lit = bits.get(place)
        if not (degree >> place & 1 if absent else ~bound >> place & 1):
            if lit is not None:
                ones[lit] = None
            elif not absent:
                return
        elif lit is not None:
            # A bit at two places has the clause of the higher one, which has fewer literals.
            if lit not in zeros:
                zeros[lit] = clauses[*ones, lit]
            yield zeros[lit], 1 << place
        elif absent:
            # Some bit at a higher place is true: that is enough for all places from here on.
            yield clauses[tuple(ones)], degree % (2 << place)
            return


def _outputs_at_least(of: Placed, clauses: GivenClauses) -> int:
    """Return the number of ``sum of inputs <= total + 2 carry``, without a carry ``<= total``.

    If the bits are the negated ones the constants of a half adder and of one without carry differ.
    """
    state, total, carry = clauses.state, of.total, of.carry
    false, negated = [-lit for lit in of.inputs], total < 0
    pairs = [*combinations(false, 2)]
    if carry is None:
        if negated:
            return clauses[*false, total]
        one: Parts = [(clauses[pair], 1) for pair in pairs]
        if len(pairs) > 1:  # Each input is in two pairs: at most one is true.
            one = [(state.add(one, divisor=2), 2)]
        each = [(clauses[lit, total], 1) for lit in false]
        return state.add([*one, *each], divisor=len(false))
    if len(false) == 2 and negated:
        each = [(clauses[lit, carry], 2) for lit in (*false, total)]
        return state.add([*each, (clauses[*false, total], 1)], divisor=3)
    both = {pair: clauses[*pair, carry] for pair in pairs}
    each = []
    for lit in false:
        number = clauses.get(lit, total, carry)
        if number is None:
            # If it is true alone the total is true, and together with another one the carry.
            hints = [number for pair, number in both.items() if lit in pair]
            alone = clauses[total, lit, *(-other for other in false if other != lit)]
            number = state.propagate([lit, total, carry], [*hints, alone])
        each.append((number, len(pairs) - 1 or 1))
    if len(false) == 2:
        return state.add([*((number, 1) for number in both.values()), *each], divisor=2)
    two = state.add([(number, 1) for number in both.values()], divisor=2)
    return state.add([(two, 4), *each, (clauses[*false, total], 1)], divisor=7)
