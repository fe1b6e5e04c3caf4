"""Adders in a state: what their outputs mean, and the sum of the inputs in outputs of the last.

The carry of an adder is true exactly if two or more inputs are. The total is true exactly if
``inputs + 2 ~carry >= 3``. With X the sum of the inputs, the four halves of these definitions are

    low c:   carry or X <= 1            high c:  ~carry or X >= 2
    low s:   total or X - 2 carry <= 0  high s:  ~total or X - 2 carry >= 1

and give, added up with factors and divided, ``2 carry + total <= X`` and ``>= X``. An adder of the
highest place, where at most one of the inputs is true, has a total that is true exactly if one of
them is; then ``total <= X`` is half of the definition, ``>= X`` follows from the clauses which say
that no two are true.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbcnf.derivation.adders.placed import Placed
from pbcnf.derivation.derivation_state import DerivationState


def define(of: Placed, state: DerivationState) -> None:
    """Introduce the outputs of an adder."""
    inputs = [(1, lit) for lit in of.inputs]
    if of.carry is None:
        state.define(of.total, inputs, 1)
    else:
        state.define(of.carry, inputs, 2)
        state.define(of.total, [*inputs, (2, -of.carry)], 3)


def outputs_at_most(of: Placed, state: DerivationState) -> int:
    """Return the number of ``total + 2 carry <= sum of inputs``."""
    high_total = state.if_false[-of.total]
    if of.carry is None:
        return high_total
    return state.add([(state.if_false[-of.carry], 2), (high_total, 1)], divisor=3)


def outputs_at_least(of: Placed, pairs: Sequence[int], state: DerivationState) -> int:
    """Return the number of ``total + 2 carry >= sum of inputs``.

    ``pairs``: of an adder without carry the numbers of its clauses that no two inputs are true.
    """
    low_total, full = state.if_false[of.total], len(of.inputs) == 3
    if of.carry is not None:
        low_carry = state.if_false[of.carry]
        parts = [(low_carry, 2), (low_total, 1)] if full else [(low_carry, 1), (low_total, 1)]
        return state.add(parts, divisor=3 if full else 2)
    if not full:
        return state.add([(low_total, 1), (pairs[0], 1)], divisor=2)
    one = state.add([(number, 1) for number in pairs], divisor=2)
    return state.add([(low_total, 1), (one, 2)], divisor=3)
