"""Bridges of mines from column to column."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from satsweeper.puzzle.constraints.protocol import Automaton, OnePart, Part, State, Writer, scope_of
from satsweeper.puzzle.constraints.sums import Sum


@dataclass(frozen=True, slots=True)
class Bridges(OnePart):
    """All columns have equally many mines, and the i-th from above moves by one row at most.

    ``columns``: the variables of each column from above; all have equally many.

    The i-th mine of a column is at most one row lower than that of the column beside for every i
    exactly if the first r + 1 rows of the column hold at least as many mines as the first r rows of
    the column beside, for every r; and the other way round. With all rows on both sides that says
    that the columns have equally many mines.
    """

    part: Part
    columns: tuple[tuple[int, ...], ...]

    @property
    def scope(self) -> tuple[int, ...]:
        """The variables of the columns."""
        return scope_of([variable for column in self.columns for variable in column])

    def _compared(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield a column, its number of rows, another and its rows: these hold no more mines."""
        for one in range(len(self.columns) - 1):
            for more, less in ((one, one + 1), (one + 1, one)):
                for rows in range(1, len(self.columns[0]) + 1):
                    yield more, min(rows + 1, len(self.columns[0])), less, rows

    def write(self, writer: Writer) -> None:
        """Write a sum for each pair of columns and each number of rows."""
        for more, some, less, rows in self._compared():
            high, low = self.columns[more][:some], self.columns[less][:rows]
            weights = [1] * some + [-1] * rows
            Sum.of(self.part, (*high, *low), range(some + 1), weights).write(writer)

    def holds(self, mines: Container[int]) -> bool:
        """Whether the columns hold bridges."""
        found = [[r for r, v in enumerate(column) if v in mines] for column in self.columns]
        return all(
            len(one) == len(other) and all(abs(a - b) < 2 for a, b in zip(one, other, strict=True))
            for one, other in pairwise(found)
        )

    def automaton(self, order: Sequence[int]) -> Automaton:
        """Return the automaton whose state is the mines of columns, as sets of rows.

        Each comparison is made once its rows are read. Of a column's first rows, of which only the
        number of mines is still compared, the state has as many mines in the first rows of all.
        """
        place_of = {variable: place for place, variable in enumerate(order)}
        at = {v: (c, r) for c, column in enumerate(self.columns) for r, v in enumerate(column)}
        compared: list[list[tuple[int, int, int, int]]] = [[] for _ in order]
        for more, some, less, rows in self._compared():
            read = (*self.columns[more][:some], *self.columns[less][:rows])
            masks = more, (1 << some) - 1, less, (1 << rows) - 1
            compared[max([place_of[variable] for variable in read])].append(masks)
        # least[column]: the fewest rows of a later comparison; the last ones first.
        least = [1 << len(self.columns[0])] * len(self.columns)
        kept: list[list[tuple[int, int]]] = []
        for here in reversed(compared):
            columns = {each for more, _, less, _ in here for each in (more, less)}
            kept.append([(column, least[column]) for column in sorted(columns)])
            for more, high, less, low in here:
                least[more], least[less] = min(least[more], high), min(least[less], low)
        kept.reverse()

        high_bit = (1 << len(self.columns[0])) - 1

        def step(place: int, state: State, value: bool) -> State | None:
            column, row = at[order[place]]
            found = list(state)
            # A column alone is compared with none.
            found[column] |= value << row if len(found) > 1 else 0
            for more, high, less, low in compared[place]:
                if (found[more] & high).bit_count() < (found[less] & low).bit_count():
                    return None
            for column, mask in kept[place]:
                if mask > high_bit:
                    found[column] = 0
                    continue
                number = (found[column] & mask).bit_count()
                found[column] = found[column] & ~mask | (1 << number) - 1
            return tuple(found)

        return Automaton((0,) * len(self.columns), step)
