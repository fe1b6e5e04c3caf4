"""An automaton for many clauses at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from satsweeper.puzzle.constraints.protocol import Automaton, State


def clause_set(clauses: Iterable[Sequence[int]], order: Sequence[int]) -> Automaton:
    """Return the automaton that accepts where each clause has a true literal.

    A state is the set of what is left of the clauses without a true literal so far: their literals
    that are not read. What is left of two clauses may be the same, and what holds a smaller clause
    is implied: so a state has no more than the continuations depend on, or little more. A set is an
    integer with a bit for each possible rest of a clause.
    """
    place_of = {variable: place for place, variable in enumerate(order)}
    bit_of: dict[tuple[int, ...], int] = {}
    # Of each place: what begins there, and what has its first literal there, as pairs of this
    # literal and the bit of the rest, 0 if there is no rest.
    begins: list[list[tuple[bool, int]]] = [[] for _ in order]
    goes_on: list[dict[int, tuple[bool, int]]] = [{} for _ in order]

    def bit(rest: tuple[int, ...]) -> int:
        if not rest:
            return 0
        if rest not in bit_of:
            bit_of[rest] = 1 << len(bit_of)
            goes_on[place_of[abs(rest[0])]][bit_of[rest]] = rest[0] > 0, bit(rest[1:])
        return bit_of[rest]

    for clause in dict.fromkeys([tuple(sorted({*c}, key=lambda x: place_of[abs(x)]))
                                 for c in clauses]):  # fmt: skip
        if not any(-lit in clause for lit in clause):
            begins[place_of[abs(clause[0])]].append((clause[0] > 0, bit(clause[1:])))
    touched = [sum(each) for each in goes_on]
    smaller, larger, opposite = _compared(bit_of)

    def step(place: int, state: State, value: bool) -> State | None:
        here = state & touched[place]
        found = state ^ here
        new = 0
        for sign, rest in begins[place]:
            if sign != value:
                if not rest:
                    return None
                new |= rest
        while here:
            low = here & -here
            here ^= low
            sign, rest = goes_on[place][low]
            if sign != value:
                if not rest:
                    return None
                new |= rest
        new &= ~found
        found |= new
        while new:
            low = new & -new
            new ^= low
            if found & opposite.get(low, 0):
                return None
            if found & smaller[low]:
                found ^= low
            else:
                found &= ~larger[low]
                new &= found
        return found

    return Automaton(0, step)


def _compared(
    bit_of: dict[tuple[int, ...], int],
) -> tuple[dict[int, int], dict[int, int], dict[int, int]]:
    """Return, by bit, the proper subsets and supersets of a rest, and the opposite of a literal."""
    holding: dict[int, int] = {}
    for rest, bit in bit_of.items():
        for lit in rest:
            holding[lit] = holding.get(lit, 0) | bit
    smaller = dict.fromkeys(bit_of.values(), 0)
    larger = dict.fromkeys(bit_of.values(), 0)
    for rest, bit in bit_of.items():
        common = -1
        for lit in rest:
            common &= holding[lit]
        larger[bit] = common = common & ~bit
        while common:
            low = common & -common
            common ^= low
            smaller[low] |= bit
    opposite = {
        bit: bit_of[-rest[0],]
        for rest, bit in bit_of.items()
        if len(rest) == 1 and (-rest[0],) in bit_of
    }
    return smaller, larger, opposite
