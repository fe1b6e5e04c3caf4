"""Adders in a ledger: what their outputs mean, and the sum of the inputs in outputs of the last.

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
from pbcnf.derivation.ledger import Ledger


def define(of: Placed, ledger: Ledger) -> None:
    """Introduce the outputs of an adder."""
    inputs = [(1, lit) for lit in of.inputs]
    if of.carry is None:
        ledger.define(of.total, inputs, 1)
    else:
        ledger.define(of.carry, inputs, 2)
        ledger.define(of.total, [*inputs, (2, -of.carry)], 3)


def outputs_at_most(of: Placed, ledger: Ledger) -> int:
    """Return the number of ``total + 2 carry <= sum of inputs``."""
    high_total = ledger.if_false[-of.total]
    if of.carry is None:
        return high_total
    return ledger.add([(ledger.if_false[-of.carry], 2), (high_total, 1)], divisor=3)


def outputs_at_least(of: Placed, pairs: Sequence[int], ledger: Ledger) -> int:
    """Return the number of ``total + 2 carry >= sum of inputs``.

    ``pairs``: of an adder without carry the numbers of its clauses that no two inputs are true.
    """
    low_total, full = ledger.if_false[of.total], len(of.inputs) == 3
    if of.carry is not None:
        low_carry = ledger.if_false[of.carry]
        parts = [(low_carry, 2), (low_total, 1)] if full else [(low_carry, 1), (low_total, 1)]
        return ledger.add(parts, divisor=3 if full else 2)
    if not full:
        return ledger.add([(low_total, 1), (pairs[0], 1)], divisor=2)
    one = ledger.add([(number, 1) for number in pairs], divisor=2)
    return ledger.add([(low_total, 1), (one, 2)], divisor=3)
