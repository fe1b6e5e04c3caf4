"""The values of a few literals are a row of a table."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from satsweeper.puzzle.constraints.protocol import Automaton, OnePart, Part, State, Writer, scope_of

_KEPT: Final = 1 << 14
"""The most tables that `RowTable.where` keeps."""
_TABLES: Final[dict[tuple[int, Hashable], int]] = {}


@dataclass(frozen=True, slots=True)
class RowTable(OnePart):
    """The values of ``literals`` are a row for which bit i of ``accepted`` is 1.

    In row i literal k is true exactly if bit k of i is 1. The literals have distinct variables.
    """

    part: Part
    literals: tuple[int, ...]
    accepted: int

    @classmethod
    def where(
        cls,
        part: Part,
        literals: Sequence[int],
        accepts: Callable[[tuple[bool, ...]], bool],
        key: Hashable,
    ) -> RowTable:
        """Return the table of the rows, as tuples of truth values, that ``accepts`` accepts.

        ``key``: equal only for functions that accept the same rows; their table is made once.
        """
        n = len(literals)
        accepted = _TABLES.get((n, key))
        if accepted is None:
            accepted = 0
            for row in range(1 << n):
                accepted |= bool(accepts(tuple([row >> k & 1 == 1 for k in range(n)]))) << row
            if len(_TABLES) >= _KEPT:
                _TABLES.clear()
            _TABLES[n, key] = accepted
        return cls(part, tuple(literals), accepted)

    @property
    def scope(self) -> tuple[int, ...]:
        """The variables of the literals."""
        return scope_of(self.literals)

    def write(self, writer: Writer) -> None:
        """Write the table."""
        writer.table(self.part, self.literals, self.accepted)

    def holds(self, mines: Container[int]) -> bool:
        """Whether the values are a row of the table."""
        row = 0
        for place, lit in enumerate(self.literals):
            row |= ((abs(lit) in mines) == (lit > 0)) << place
        return self.accepted >> row & 1 == 1

    def automaton(self, order: Sequence[int]) -> Automaton:
        """Return the automaton whose state is the table of what may follow.

        After some values the rest of the table is the state: so two beginnings with the same
        continuations are one state.
        """
        rest = self.accepted
        n = len(self.literals)
        at = [abs(lit) for lit in self.literals]
        places = [at.index(variable) for variable in order]
        # The table with literal k of the new order at position k, negated where the literal is.
        table = 0
        for row in range(1 << n):
            old = 0
            for place, literal in enumerate(places):
                value = (row >> place & 1) == (self.literals[literal] > 0)
                old |= value << literal
            table |= (rest >> old & 1) << row

        def step(place: int, state: State, value: bool) -> State | None:
            found = cofactors(state, n - place)[value]
            return found or None

        return Automaton(table, step)


@cache
def _even_bits(size: int) -> int:
    """Return the integer with bits 0, 2, 4 ... below ``size``."""
    return sum(1 << bit for bit in range(0, size, 2))


@lru_cache(maxsize=1 << 16)
def cofactors(table: int, n: int) -> tuple[int, int]:
    """Return the tables of ``n`` - 1 literals that are left where literal 0 is false, and true."""
    return _compressed(table, n), _compressed(table >> 1, n)


def _compressed(table: int, n: int) -> int:
    """Return the even bits of a table of ``n`` literals, moved together."""
    # Bits at even places are moved together in n - 1 doublings of what lies together already.
    size = 1 << n
    table &= _even_bits(size)
    step = 1
    while step < size >> 1:
        moved = table | table >> step
        mask, width = 0, 2 * step
        block = (1 << width) - 1
        for start in range(0, size, 2 * width):
            mask |= block << start
        table = moved & mask
        step = width
    return table


@lru_cache(maxsize=4096)
def clauses_of(table: int, n: int) -> tuple[tuple[int, ...], ...]:
    """Return clauses over the literals 1 .. ``n`` that hold exactly in the rows of ``table``.

    No clause can be left out, and none shortened: an irredundant sum of products of the rows that
    are missing (S. Minato, 1992), negated. Its size is not always the least.

    >>> clauses_of(0b0110, 2)
    ((1, 2), (-1, -2))
    """
    missing = ~table & ((1 << (1 << n)) - 1)
    return tuple([tuple([-lit for lit in cube]) for cube in _products(missing, missing, n)[0]])


Products = tuple[tuple[tuple[int, ...], ...], int]


@lru_cache(maxsize=1 << 16)
def _products(least: int, most: int, n: int) -> Products:
    """Return cubes that cover the rows ``least`` and only rows of ``most``, and what they cover.

    The cubes are those of the recursion of Minato and Morreale on the last literal n: rows that
    need it false, rows that need it true, and the rest, which does without.
    """
    if not least:
        return (), 0
    if most == (1 << (1 << n)) - 1:
        return ((),), most
    half = 1 << n - 1
    low = (1 << half) - 1
    least0, least1, most0, most1 = least & low, least >> half, most & low, most >> half
    cubes0, covered0 = _products(least0 & ~most1, most0, n - 1)
    cubes1, covered1 = _products(least1 & ~most0, most1, n - 1)
    left = least0 & ~covered0 | least1 & ~covered1
    both, covered = _products(left, most0 & most1, n - 1)
    cubes = (
        *[(*cube, -n) for cube in cubes0],
        *[(*cube, n) for cube in cubes1],
        *both,
    )
    return cubes, covered | covered0 | (covered | covered1) << half


def rows_of(accepted: int) -> Iterator[int]:
    """Yield the rows of a table, ascending."""
    while accepted:
        low = accepted & -accepted
        yield low.bit_length() - 1
        accepted ^= low
