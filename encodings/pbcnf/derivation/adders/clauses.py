"""The clauses of adders, derived from the definitions of their outputs and an upper bound.

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
from itertools import combinations

from pbcnf.derivation.adders.placed import Placed, layers
from pbcnf.derivation.derivation_state import DerivationState, UnderivableError
from pbcnf.literals import Lit, Var


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


class AddersDerived:
    """Adders in a state, their outputs defined, their clauses to be derived.

    ``at_most``: the number of the upper bound on the number whose bits they leave.
    """

    def __init__(self, adders: Sequence[Placed], at_most: int, state: DerivationState) -> None:
        """Define the outputs; ``at_most``: the number of the bound on the sum of the inputs."""
        self._state = state
        self._adders = adders
        self._owner: dict[Var, Placed] = {}
        for each in adders:
            define(each, state)
            self._owner[each.carry or each.total] = self._owner[each.total] = each
        # Of two inputs of which one is false: the row on bits that says so, later the clause.
        self._pairs: dict[frozenset[Lit], int] = {}
        for layer in layers(adders):
            for each in layer:
                if each.carry is None:
                    self._pairs |= dict.fromkeys(_pairs(each), at_most)
            below = [(outputs_at_most(each, state), 1 << each.place) for each in layer]
            at_most = state.add([(at_most, 1), *below]) if below else at_most
        self.at_most = at_most
        self._inputs = frozenset[Lit]().union(*self._pairs)

    def derive(self, clause: Sequence[Lit]) -> int:
        """Derive a clause of an adder; return its number."""
        state = self._state
        owner = self._owner.get(max(map(abs, clause)))
        if owner is not None:
            outputs = [lit for lit in (owner.carry, owner.total) if lit is not None]
            for lit in outputs:
                for number in (state.if_false[lit], state.if_false[-lit]):
                    if state.rows[number].refutes(clause):
                        return state.propagate(clause, [number])
        pair = self._inputs.intersection(clause)
        if pair in self._pairs:
            self._pairs[pair] = state.propagate(clause, [self._pairs[pair]])
            return self._pairs[pair]
        if owner is None or owner.carry is None:
            raise UnderivableError(f"clause {list(clause)} is of no adder that is there")
        return state.propagate(clause, [state.if_false[owner.total], state.if_false[-owner.carry]])

    def at_least(self, bound: int | None) -> int:
        """Return the number of the lower bound on the number that is left, from one on the inputs.

        The clauses of the adders must be derived before. None stands for the sum of the inputs.
        """
        parts = [] if bound is None else [(bound, 1)]
        for each in self._adders:
            pairs = [] if each.carry else [self._pairs[pair] for pair in _pairs(each)]
            parts.append((outputs_at_least(each, pairs, self._state), 1 << each.place))
        return self._state.add(parts)


def _pairs(of: Placed) -> list[frozenset[Lit]]:
    """Return the pairs of inputs, negated."""
    return [frozenset((-one, -other)) for one, other in combinations(of.inputs, 2)]
