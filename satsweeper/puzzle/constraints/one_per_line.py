"""A choice of cells: a single cell in each row and in each column."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cache

from satsweeper.puzzle.constraints.protocol import Automaton, Part, State, Writer, reads, scope_of


@dataclass(frozen=True, slots=True)
class OnePerLine:
    """Cells can be chosen: exactly one in each row and exactly one in each column.

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
        """The part that states the choice."""
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

        The first part are the sets of columns that the whole rows can have, one each; left out are
        those that the rows to come cannot complete, whatever is in them. Of each row that is not
        whole the second part has the column that must be chosen, the third, if there is none, those
        that may be: as bits, row by row.
        """
        rows, columns = self.lines
        size = len(columns)
        full = (1 << size) - 1
        must = {variable for _, _, variable in self.must}
        held = {
            variable: (rows.index(row), 1 << columns.index(column))
            for row, column, variable in (*self.must, *self.may)
        }
        read = [(held[each][0], held[each][1], each in must) for each in order]
        ends = [-1] * len(rows)
        widest = [0] * len(rows)
        for place, (row, bit, _) in enumerate(read):
            ends[row] = place
            widest[row] |= bit
        # completed[n]: the sets of columns that all rows but the last n to end can have.
        rest = 1
        completed = [1 << full]
        for row in sorted(range(len(rows)), key=lambda row: -ends[row]):
            rest = extended(rest, widest[row], size)
            completed.append(sum([1 << (full ^ s) for s in range(full + 1) if rest >> s & 1]))
        late = [sum([end > place for end in ends]) for place in range(-1, len(order))]
        closing = [[row * size for row, end in enumerate(ends) if end == place]
                   for place in range(-1, len(order))]  # fmt: skip
        # The sets that a row leads to, if the rows that end before it are whole.
        onward = [
            completed[late[ends[row] + 1]]
            if not any(place <= end < ends[row] for end in ends)
            else -1
            for place, (row, _, _) in enumerate(read)
        ]

        def closed(place: int, sets: int, sure: int, free: int) -> State | None:
            for shift in closing[place + 1]:
                sets = extended(sets, sure >> shift & full or free >> shift & full, size)
                sure &= ~(full << shift)
                free &= ~(full << shift)
            sets &= completed[late[place + 1]]
            return (sets, sure, free) if sets else None

        def step(place: int, state: State, value: bool) -> State | None:
            if state is None:
                return None
            sets, sure, free = state
            row, bit, certain = read[place]
            shift = row * size
            if value == certain and not sure >> shift & full:
                if certain:
                    sure |= bit << shift
                    free &= ~(full << shift)
                # A column that adds no set that can be completed does not matter.
                elif extended(sets, bit, size) & onward[place]:
                    free |= bit << shift
            elif value and certain:
                return None
            return closed(place, sets, sure, free)

        return Automaton(closed(-1, 1, 0, 0), step)


def extended(sets: int, columns: int, size: int) -> int:
    """Return the sets of columns with one more column of ``columns``, in every possible way.

    Sets of columns are bits of an integer: bit s is the set of the columns whose bits are 1 in s.
    ``size``: the number of all columns.
    """
    found = 0
    for column, block in enumerate(_without(size)):
        if columns >> column & 1:
            found |= (sets & block) << (1 << column)
    return found


@cache
def _without(size: int) -> list[int]:
    """Return for each of ``size`` columns the sets of columns without it."""
    every = (1 << (1 << size)) - 1
    return [every // ((1 << (1 << column)) + 1) for column in range(size)]
