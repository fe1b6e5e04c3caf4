"""Sums in binary: adders of bits of the inputs' weights, the last ones compared with the bounds.

Idea: an adder's clauses follow from what its outputs mean (`pbcnf.derivation.adders.clauses`)
by unit propagation. The bound, and for each adder ``2**place`` times ``outputs <= inputs`` or
``>= inputs``, add up to the same bound on the number whose bits are left; one such row implies all
clauses of the comparison. Before the adders of the highest place, which have no carry, this row
says that no two of their inputs are true: one row for each layer of these.

Steps: one for each clause. Beside these 5 for an adder with one bound and 6 with two, or 2 and up
to 4 without a carry; one for each layer and each bound.

Reference: Gocht, Martins, Nordstroem, Oertel: Certified CNF translations for pseudo-Boolean
solving, SAT 2022, for adders whose outputs are reified, summed up over the network.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbcnf.derivation.adders.clauses import AddersDerived
from pbcnf.derivation.adders.placed import Placed, adder, parallel_counter
from pbcnf.derivation.derivation_state import DerivationState, UnderivableError
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.encoders.circuits.binary import size_of_adders, size_of_carryless_adders
from pbcnf.encoders.counter import Direction
from pbcnf.encoders.pseudo_boolean.adder import Adder
from pbcnf.literals import Lit, negate


def derive(of: EncodedSum, state: DerivationState) -> list[int]:
    """Define the outputs of the adders in order, then derive the clauses."""
    if len(of.clauses) == 1:
        return [state.derive_clause(of.clauses[0], *of.bounds)]
    total = sum(of.weights)
    lits: Sequence[Lit] = of.lits
    upper, at_most, at_least = of.upper, of.at_most, of.at_least
    if isinstance(of.encoder, Adder):
        negated, equivalent = total - of.lower < upper, of.encoder.equivalent
    else:
        negated, equivalent = upper == total, False
    if negated:
        lits, upper, at_most, at_least = negate(lits), total - of.lower, at_least, at_most
    assert at_most is not None
    if isinstance(of.encoder, Adder):
        adders = adder(lits, of.weights, upper, of.first)
    else:
        adders = parallel_counter(lits, of.first)
    both = equivalent or at_least is not None
    clauses = _clauses(adders, Direction.BOTH if both else Direction.AT_MOST)
    derived = AddersDerived(adders, at_most, state)
    found = [derived.derive(clause) for clause in of.clauses[:clauses]]
    bounds = [derived.at_most]
    if at_least is not None:
        bounds.append(derived.at_least(at_least))
    return found + [_compared(clause, bounds, state) for clause in of.clauses[clauses:]]


def _clauses(adders: Sequence[Placed], directions: Direction) -> int:
    """Return how many clauses these adders have."""
    kinds = [(each.carry is None, len(each.inputs)) for each in adders]
    carrying = size_of_adders(kinds.count((False, 3)), kinds.count((False, 2)), directions)
    last = size_of_carryless_adders(kinds.count((True, 3)), kinds.count((True, 2)), directions)
    return carrying.clauses + last.clauses


def _compared(clause: Sequence[Lit], bounds: Sequence[int], state: DerivationState) -> int:
    """Derive a clause of a comparison from one of the bounds on the bits."""
    for number in bounds:
        if state.rows[number].refutes(clause):
            return state.propagate(clause, [number])
    raise UnderivableError(f"clause {list(clause)} does not follow from the bits of the sum")
