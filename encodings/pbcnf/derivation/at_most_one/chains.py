"""The inputs one after the other, and a literal for "one of the first i": sequential and ladder."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from pbcnf.derivation.at_most_one.one_of import (
    TOGETHER,
    Hints,
    OneOf,
    each_of,
    replaced,
    weakened,
)
from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.literals import Lit, Var


def sequential(of: OneOf, state: DerivationState) -> list[Hints]:
    """s[i] is s[i-1] or input i."""
    memory = _variables(of)
    state.define_or(memory[0], of.lits[:1])
    for before, var, lit in zip(memory, memory[1:], of.lits[1:], strict=False):
        state.define_or(var, (before, lit))
    on = [state.if_false[var] for var in memory]
    found = each_of([*on, *on[1:], *_nothing_after(of, memory, state)])
    return found if of.at_least is None else [*found, (of.at_least,)]


def ladder(of: OneOf, state: DerivationState) -> list[Hints]:
    """y[i] is y[i-1] and not input i: its negation is what `sequential` remembers.

    That the last rung implies the last input takes all rungs, in one step for all of the clauses.
    """
    rungs = _variables(of)
    state.define_and(rungs[0], [-of.lits[0]])
    for before, var, lit in zip(rungs, rungs[1:], of.lits[1:], strict=False):
        state.define_and(var, (before, -lit))
    down = [state.if_false[-var] for var in rungs]
    used = _nothing_after(of, [-var for var in rungs], state)
    found = each_of([*down[1:], *down, *used])
    if of.at_least is not None:
        found += each_of([state.if_false[var] for var in rungs])
        found.append((*reversed(down), of.at_least))
    return found


def _variables(of: OneOf) -> list[Var]:
    return [*islice(of.fresh, len(of.lits) - 1)]


def _nothing_after(of: OneOf, memory: Sequence[Lit], state: DerivationState) -> list[int]:
    """Return rows for all i: at most one of "one of the first i" and of input i+1."""

    def between(number: int, start: int, stop: int) -> list[int]:
        """Do so for start < i < stop; the row: at most one of memory and inputs in between."""
        if stop - start <= TOGETHER:
            found = []
            for head in memory[start : stop - 1]:
                number = replaced(number, [head], state)
                found.append(number)
            return found
        middle = (start + stop) // 2
        first = weakened(number, of.lits[middle:stop], state)
        then = replaced(number, memory[start:middle], state)
        return [*between(first, start, middle), then, *between(then, middle, stop)]

    return between(of.at_most, 0, len(of.lits))
