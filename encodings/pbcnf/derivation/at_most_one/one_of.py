"""Constraints "at most one of these literals": replacing, weakening and dividing them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.encoders.protocol import Encoder
from pbcnf.literals import Lit, Var

TOGETHER: Final = 32
"""The number of literals down to which `pieces` halves a constraint used as a hint."""

Hints = tuple[int, ...]
"""The numbers of rows on which propagation finds a clause."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """At most one of three literals or more: the number of that row; exactly one: of both rows.

    The rows may hold further literals, of which one true is enough. ``fresh`` are the auxiliary
    variables in the order in which the encoder allocates them.
    """

    encoder: Encoder
    lits: Sequence[Lit]
    at_most: int
    at_least: int | None
    fresh: Iterator[Var]


Family = Callable[[OneOf, DerivationState], list[Hints]]
"""Defines the variables of an encoder; returns the hints of its clauses, in order."""


def replaced(number: int, heads: Iterable[Lit], state: DerivationState) -> int:
    """Replace groups of literals in constraint `number` by their `heads`.

    A head is true only if a literal of its group is, so "head <= sum of its group" is added.
    """
    return state.add([(number, 1), *((state.if_false[-head], 1) for head in heads)])


def weakened(number: int, lits: Iterable[Lit], state: DerivationState) -> int:
    """Weaken `lits`, or their negations, away from constraint `number`."""
    coefficients = state.rows[number].coefficients
    signed = [(abs(lit), coefficients[abs(lit)]) for lit in lits]
    return state.add([(number, 1)], [(-var if c > 0 else var, abs(c)) for var, c in signed])


def pieces(number: int, blocks: Sequence[Sequence[Lit]], state: DerivationState) -> list[int]:
    """Return for every block a weakening of constraint `number` that still has its literals.

    Blocks share a constraint while they have few literals together; literals in no block stay.
    """
    if len(blocks) < 2 or sum(map(len, blocks)) <= TOGETHER:
        return [number] * len(blocks)
    half = len(blocks) // 2
    left, right = blocks[:half], blocks[half:]
    return [
        row
        for own, other in ((left, right), (right, left))
        for row in pieces(weakened(number, chain(*other), state), own, state)
    ]


def each_of(rows: Iterable[int], times: int = 1) -> list[Hints]:
    """Return each of `rows` as the only hint of `times` clauses."""
    return [(number,) for number in rows for _ in range(times)]


def pairs(rows: Iterable[tuple[int, int]]) -> list[Hints]:
    """Return a hint for each pair of literals in a group; `rows` has (constraint, size) a group."""
    return [(number,) for number, size in rows for _ in range(size * (size - 1) // 2)]
