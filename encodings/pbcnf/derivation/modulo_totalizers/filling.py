"""At most h made exactly h: more inputs are made true, from the h-th back to the first.

A single bound leaves an encoding room that two bounds do not: its auxiliary variables count an
assignment with exactly h true inputs, which those that are true can be extended to. That
assignment is named by variables of the proof alone. Input i <= h becomes ``x_i or not more than
h - i of what follows it``, where what follows is filled up already; no input beyond h changes.

Two invariants make the new sum exactly h. After input i what is filled up and what follows it are
at least h - i + 1, since input i is false only if what follows are that many already. And with the
inputs before i, of which there are i - 1, they never are more than h.

Size: 6 steps for each of h inputs, over up to n literals each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.literals import Lit


class Filled(NamedTuple):
    """Literals of which exactly h are true, and the numbers of what says so.

    ``implied``: the negation of each input that has changed -> the number of the clause "the input
    implies what it encoded".
    """

    lits: tuple[Lit, ...]
    at_least: int
    at_most: int
    implied: Mapping[Lit, int]


def filled(lits: Sequence[Lit], most: int, at_most: int, state: DerivationState) -> Filled:
    """Fill up distinct literals to exactly ``most`` >= 1; not all of them are that many.

    ``at_most``: the number of ``sum of negations >= n - most``.
    """
    new, least, room = list(lits), None, len(lits) - most
    implied: dict[Lit, int] = {}
    for missing in range(1, most + 1):
        place = most - missing
        lit, var = lits[place], state.fresh()
        follow = new[place + 1 :]
        state.define(var, [(room, lit), *((1, -other) for other in follow)], room)
        implied[-lit] = state.propagate([-lit, var], [state.if_false[var]])
        alone = state.add([(state.if_false[var], 1)], [(lit, room)], saturate=True)
        if least is None:
            least = alone
        else:
            least = state.add([(least, missing - 1), (alone, 1)], divisor=missing)
        before = [(-other, 1) for other in lits[:place]]
        parts = [(at_most, room), (state.if_false[-var], 1)]
        at_most = state.add(parts, before, divisor=room + 1)
        new[place] = var
    assert least is not None
    return Filled(tuple(new), least, at_most, implied)
