"""One cell of each row and each column can be chosen."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from satsweeper.puzzle.constraints.protocol import Automaton, Part, State, Writer, reads, scope_of


@dataclass(frozen=True, slots=True)
class OnePerLine:
    """One cell of each row can be chosen, each in another column, and so that all columns have one.

    ``must``: row, column and variable of the cells that are chosen where the variable is true, and
    not otherwise. ``may``: those of the cells that can be chosen where the variable is false.
    ``lines``: the rows, and the columns. It is for counting alone: it has no clauses.
    """

    part: Part
    must: tuple[tuple[int, int, int], ...]
    may: tuple[tuple[int, int, int], ...]
    lines: tuple[tuple[int, ...], tuple[int, ...]]

    @property
    def parts(self) -> tuple[Part, ...]:
        """The part that states it."""
        return (self.part,)

    @property
    def scope(self) -> tuple[int, ...]:
        """The variables of all cells."""
        return scope_of([variable for _, _, variable in (*self.must, *self.may)])

    def write(self, writer: Writer) -> None:
        """Raise NotImplementedError."""
        raise NotImplementedError

    def holds(self, mines: Container[int]) -> bool:
        """Whether cells can be chosen."""
        automaton = self.automaton(self.scope)
        return automaton.start is not None and reads(automaton, self.scope, mines)

    def automaton(self, order: Sequence[int]) -> Automaton:
        """Return the automaton whose state is which sets of columns the rows read can have.

        Of each row that is not whole it has the column that must be chosen, as a bit, or else the
        columns that may be; and the sets of columns that the whole rows can have, one each. Left
        out are the sets that the rows to come cannot complete, whatever is in them.
        """
        rows, columns = self.lines
        number = {column: 1 << place for place, column in enumerate(columns)}
        row_of = {row: place for place, row in enumerate(rows)}
        must = {variable: (row_of[r], number[c]) for r, c, variable in self.must}
        may = {variable: (row_of[r], number[c]) for r, c, variable in self.may}
        held = {**must, **may}
        ends = [-1] * len(rows)
        widest = [0] * len(rows)
        for place, variable in enumerate(order):
            row, bit = held[variable]
            ends[row] = place
            widest[row] |= bit
        full = (1 << len(columns)) - 1
        # completed[n]: the sets of columns that all rows but the last n to end can have.
        late = sorted(range(len(rows)), key=lambda row: -ends[row])
        rest = 1
        completed = [1 << full]
        for row in late:
            rest = extended(rest, widest[row])
            completed.append(sum([1 << (full ^ s) for s in range(full + 1) if rest >> s & 1]))
        open_rows = [sum([end > place for end in ends]) for place in range(-1, len(order))]
        closing = [
            [row for row, end in enumerate(ends) if end == place] for place in range(-1, len(order))
        ]

        def closed(place: int, chosen: list[tuple[int, int]], sets: int) -> State | None:
            for row in closing[place + 1]:
                sets = extended(sets, chosen[row][0] or chosen[row][1])
                chosen[row] = 0, 0
            sets &= completed[open_rows[place + 1]]
            return (tuple(chosen), sets) if sets else None

        def step(place: int, state: State, value: bool) -> State | None:
            if state is None:
                return None
            chosen, sets = list(state[0]), state[1]
            variable = order[place]
            row, bit = held[variable]
            sure, free = chosen[row]
            if variable in must:
                if value and sure:
                    return None
                if value:
                    chosen[row] = bit, 0
            elif not value and not sure:
                chosen[row] = 0, free | bit
            return closed(place, chosen, sets)

        return Automaton(closed(-1, [(0, 0)] * len(rows), 1), step)


def extended(sets: int, columns: int) -> int:
    """Return the sets of columns with one more column of ``columns``, in every possible way.

    Sets of columns are bits of an integer: bit s is the set of the columns whose bits are 1 in s.
    """
    found = 0
    while columns:
        bit = columns & -columns
        columns ^= bit
        # Blocks of sets without the column, ``bit`` long, alternate with those with it.
        block, length = (1 << bit) - 1, bit
        while length < sets.bit_length():
            length *= 2
            block |= block << length
        found |= (sets & block) << bit
    return found
