"""The modulo totalizers: each clause one sum of what its literals say about the digits of a node.

Every node has a lemma, ``p*quotient + remainder = number of inputs``, by the definitions of its
digits and the lemmas of its children (`counts`). A clause of a node tells of its outputs and of the
digits below. A false output activates half of its definition, an inequality over the digits below;
a false literal of these says how large that digit is at least or at most (`counts`). The sum of all
refutes the negated clause; the bounds of the digits are added at the root, and where counts are
capped (`divided.bound`). Where nothing is divided the variables are thresholds of the inputs
instead, and a clause is the sum of their definitions and of a bound.

A single bound stands for both in these encodings, so the inputs are filled up first (`filled`).
Mirrored bounds count the negated inputs.

Size: a clause is 1 step, or 2 at the root, where counts are capped, and where nothing is divided.
An output is 2 for its definition, 2 for the lemma, and 1 for each direction of the clauses; a node
5 more at most; an input that is filled up 6. Rows are as long as two digits, but those that mention
inputs: 2 or 3 a node, and all of those that fill up.

Reference: Gocht, Martins, Nordstroem, Oertel: Certified CNF translations for pseudo-Boolean
solving, SAT 2022, for the definitions of outputs and the sum of them, in a totalizer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.modulo_totalizers.divided import Divided
from pbcnf.derivation.modulo_totalizers.tree import put_down
from pbcnf.encoders.circuits.modulo_node import ModuloBounds, ModuloNode
from pbcnf.encoders.circuits.modulo_sum import ModuloSum, root_of
from pbcnf.literals import Lit, negate


def derive(of: EncodedSum, state: DerivationState) -> list[int]:
    """Define the auxiliary variables, derive what the nodes count, then the clauses."""
    assert isinstance(of.encoder, ModuloSum)
    bounds = ModuloBounds.of(len(of.lits), of.lower, of.upper)
    if bounds.is_clause:
        return [state.derive_clause(clause, *of.bounds) for clause in of.clauses]
    root = root_of(of.encoder, len(of.lits), bounds)
    if root.p > bounds.high:
        return _undivided(of, root, bounds, state)
    divided = _divided(of, root, bounds, state)
    return [divided.derive(clause) for clause in of.clauses]


def _undivided(
    of: EncodedSum, root: ModuloNode, bounds: ModuloBounds, state: DerivationState
) -> list[int]:
    lits: Sequence[Lit] = negate(of.lits) if bounds.mirrored else of.lits
    for each in put_down(lits, root, bounds, of.first).inner():
        for least, var in enumerate(each.own, 1):
            state.define(var, [(1, lit) for lit in each.inputs], least)
    return [state.derive_clause(clause, *of.bounds) for clause in of.clauses]


def _divided(
    of: EncodedSum, root: ModuloNode, bounds: ModuloBounds, state: DerivationState
) -> Divided:
    lits: Sequence[Lit] = of.lits
    at_least, at_most = of.at_least, of.at_most
    if bounds.mirrored:
        lits, at_least, at_most = negate(lits), at_most, at_least
    counted: Sequence[Lit] = lits
    implied: Mapping[Lit, int] = {}
    if at_least is None:
        assert at_most is not None
        counted, at_least, at_most, implied = filled(lits, bounds.high, at_most, state)
    elif at_most is None:
        most = len(lits) - bounds.low
        others, at_most, at_least, implied = filled(negate(lits), most, at_least, state)
        counted = negate(others)
    tree = put_down(counted, root, bounds, of.first)
    return Divided(tree, bounds, (at_least, at_most), lits, implied, state)


class Filled(NamedTuple):
    """Literals of which exactly h are true, and the numbers of "at least h" and "at most h".

    ``implied``: the negation of each input that has changed -> the number of the clause "the input
    implies what it encoded".
    """

    lits: tuple[Lit, ...]
    at_least: int
    at_most: int
    implied: Mapping[Lit, int]


def filled(lits: Sequence[Lit], most: int, at_most: int, state: DerivationState) -> Filled:
    """Turn "at most h" of `lits` into "exactly h": inputs are made true, from the h-th backwards.

    A single bound leaves an encoding freedom that two bounds do not: its auxiliary variables count
    an assignment with exactly h = `most` >= 1 true inputs (fewer than all), to which those that are
    true can be extended. That assignment gets variables of the proof alone. Input i <= h becomes
    ``x_i or at most h - i of what follows it``, where what follows is filled up already; no input
    beyond h changes.

    Two invariants make the new sum exactly h. After input i what is filled up and what follows are
    at least h - i + 1, since input i is false only if what follows are that many already. And with
    the i - 1 inputs before i, they never are more than h. Size: 6 steps for each of h inputs.

    ``at_most``: the number of ``sum of negations >= n - most``.
    """
    new, least, room = list(lits), None, len(lits) - most
    implied: dict[Lit, int] = {}
    for missing in range(1, most + 1):
        place = most - missing
        lit, var = lits[place], state.fresh()
        follow = new[place + 1 :]
        state.define(var, [(room, lit), *((1, -other) for other in follow)], room)
        # var: room * lit + (false literals behind) >= room, where room = n - h.
        implied[-lit] = state.propagate([-lit, var], [state.if_false[var]])
        alone = state.add([(state.if_false[var], 1)], [(lit, room)], saturate=True)
        if least is None:
            least = alone
        else:
            least = state.add([(least, missing - 1), (alone, 1)], divisor=missing)
        # At most: room times the old bound and the other half of var, divided by room + 1.
        before = [(-other, 1) for other in lits[:place]]
        parts = [(at_most, room), (state.if_false[-var], 1)]
        at_most = state.add(parts, before, divisor=room + 1)
        new[place] = var
    assert least is not None
    return Filled(tuple(new), least, at_most, implied)
