"""Rows that say "at most one of these literals", and what can be made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.encoders.protocol import Encoder
from pbcnf.literals import Lit, Var

TOGETHER: Final = 32
"""Rows are cut until they have about so many literals: a row more costs more than it saves."""

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
    """Put literals into the place of those of which each is true only if one is."""
    return state.add([(number, 1), *((state.if_false[-head], 1) for head in heads)])


def weakened(number: int, lits: Iterable[Lit], state: DerivationState) -> int:
    """Leave literals out of a row that holds them, or their negations: it says nothing of them."""
    coefficients = state.rows[number].coefficients
    signed = [(abs(lit), coefficients[abs(lit)]) for lit in lits]
    return state.add([(number, 1)], [(-var if c > 0 else var, abs(c)) for var, c in signed])


def pieces(number: int, blocks: Sequence[Sequence[Lit]], state: DerivationState) -> list[int]:
    """Return for every block a row that says of it what a row of all blocks says.

    Blocks share a row while they have few literals together; what is in none of them stays.
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
    """Return every row as the only hint of as many clauses."""
    return [(number,) for number in rows for _ in range(times)]


def pairs(rows: Iterable[tuple[int, int]]) -> list[Hints]:
    """Return hints for the pairs of groups: of each the row and the number of its literals."""
    return [(number,) for number, size in rows for _ in range(size * (size - 1) // 2)]
