"""Literals that stand for groups of literals: commander, product and nested."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from math import isqrt

from pbcnf.derivation.at_most_one.one_of import (
    Hints,
    OneOf,
    each_of,
    pairs,
    pieces,
    replaced,
)
from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.literals import Lit, Var

_PAIRWISE_UP_TO = 6
"""The number of literals up to which commander and product are pairwise."""


def commander(of: OneOf, state: DerivationState) -> list[Hints]:
    """Put the commanders of a level into the place of their groups, in both rows."""
    lits, at_most, at_least = of.lits, of.at_most, of.at_least
    found: list[Hints] = []
    while len(lits) > _PAIRWISE_UP_TO:
        groups = [lits[start : start + 3] for start in range(0, len(lits) - 2, 3)]
        heads = [*islice(of.fresh, len(groups))]
        for head, group in zip(heads, groups, strict=True):
            state.define_or(head, group)
        found += each_of(pieces(at_most, groups, state), 3)
        found += each_of([state.if_false[head] for head in heads], 3)
        found += each_of([state.if_false[-head] for head in heads])
        at_most = replaced(at_most, heads, state)
        if at_least is not None:
            ups = [(state.if_false[head], 1) for head in heads]
            at_least = state.add([(at_least, 1), *ups], saturate=True)
        lits = [*heads, *lits[3 * len(heads) :]]
    found += pairs([(at_most, len(lits))])
    return found if at_least is None else [*found, (at_least,)]


def product(of: OneOf, state: DerivationState) -> list[Hints]:
    """Put rows, and apart from them columns, into the place of their inputs, and so on."""
    found = _rectangle(of.lits, of.at_most, of.fresh, state)
    return found if of.at_least is None else [*found, (of.at_least,)]


def _rectangle(
    lits: Sequence[Lit], at_most: int, fresh: Iterator[Var], state: DerivationState
) -> list[Hints]:
    n = len(lits)
    if n <= _PAIRWISE_UP_TO:
        return pairs([(at_most, n)])
    p = isqrt(n - 1) + 1
    q = -(-n // p)
    lines = [lits[r * q : r * q + q] for r in range(p)], [lits[c::q] for c in range(q)]
    marks = [*islice(fresh, p)], [*islice(fresh, q)]
    for mark, line in zip(chain(*marks), chain(*lines), strict=True):
        state.define_or(mark, line)
    found = each_of([state.if_false[marks[0][i // q]] for i in range(n)])
    found += each_of([state.if_false[marks[1][i % q]] for i in range(n)])
    for some in marks:
        found += _rectangle(some, replaced(at_most, some, state), fresh, state)
    return found


def nested(of: OneOf, state: DerivationState) -> list[Hints]:
    """Replace the right half by a literal t, true exactly if a literal of the right half is.

    With k literals on the right: k-1 times "at most one" and "k t >= their sum", divided by k.
    """

    def cut(lits: Sequence[Lit], number: int) -> list[tuple[int, int]]:
        if len(lits) <= 4:
            return [(number, len(lits))]
        half = len(lits) // 2 | 1
        t, left, right = next(of.fresh), lits[:half], lits[half:]
        k = len(right)
        state.define_or(t, right)
        own = state.add(
            [(number, k - 1), (state.if_false[t], 1)], [(lit, k - 1) for lit in left], k
        )
        return [*cut([*left, t], replaced(number, [t], state)), *cut([-t, *right], own)]

    groups = cut(of.lits, of.at_most)
    found = pairs([group for size in (4, 3) for group in groups if group[1] == size])
    return found if of.at_least is None else [*found, (of.at_least,)]
