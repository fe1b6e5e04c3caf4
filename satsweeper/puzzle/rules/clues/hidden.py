"""2I, 2E, 2L: clues that share something nobody tells: a direction, letters, who lies."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from satsweeper.puzzle.board import Board
from satsweeper.puzzle.constraints.one_per_line import OnePerLine, extended
from satsweeper.puzzle.constraints.protocol import (
    Automaton,
    Constraint,
    Part,
    State,
    Writer,
    scope_of,
)
from satsweeper.puzzle.constraints.sums import Sum
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.rules.clues.mine_sum import SUM, SumOfMines
from satsweeper.puzzle.rules.rule import ClueRule, Clues


@dataclass(frozen=True, slots=True)
class Together:
    """Sums of several clues with something in common; ``rule`` is the part of the rule itself.

    ``around``: for each clue its part, and the variables around it.
    """

    rule: Part
    around: tuple[tuple[Part, tuple[int, ...]], ...]

    @property
    def parts(self) -> tuple[Part, ...]:
        """The part of the rule, then the parts of the clues."""
        return (self.rule, *[part for part, _ in self.around])

    @property
    def scope(self) -> tuple[int, ...]:
        """All variables around clues."""
        return scope_of([variable for _, around in self.around for variable in around])

    def _read(self, order: Sequence[int]) -> tuple[list[list[tuple[int, int]]], list[list[int]]]:
        """Return, by place, the clues around the variable, and the clues that are whole with it.

        Each clue comes with the number of its variables that follow. The last entry of the second
        list has the clues without variables.
        """
        at = {variable: place for place, variable in enumerate(order)}
        touched: list[list[tuple[int, int]]] = [[] for _ in order]
        whole: list[list[int]] = [[] for _ in (*order, 0)]
        for clue, (_, around) in enumerate(self.around):
            places = sorted([at[variable] for variable in around])
            for number, place in enumerate(places, start=1):
                touched[place].append((clue, len(places) - number))
            whole[places[-1] if places else -1].append(clue)
        return touched, whole


@dataclass(frozen=True, slots=True)
class OneDirectionMissing(Together):
    """Clues that count their circle of neighbours without one direction, common to all clues.

    ``rings``: for each clue the variables in all directions of its circle, 0 outside the board;
    ``values``: what each clue shows.
    """

    rings: tuple[tuple[int, ...], ...]
    values: tuple[int, ...]

    def write(self, writer: Writer) -> None:
        """Write a variable for each direction, of which one is true; it implies all sums.

        A clue's bounds belong to the clue, and that some direction is missing to the rule.
        """
        missing = [writer.new_var() for _ in self.rings[0]]
        writer.clause(self.rule, missing)
        for (part, _), ring, value in zip(self.around, self.rings, self.values, strict=True):
            for direction, variable in enumerate(missing):
                seen = [each for place, each in enumerate(ring) if each and place != direction]
                writer.bounds(part, seen, None, value, value, (variable,))

    def holds(self, mines: Container[int]) -> bool:
        """Whether some direction can be the missing one."""
        return any(
            all(
                sum([each in mines for place, each in enumerate(ring) if place != direction])
                == value
                for ring, value in zip(self.rings, self.values, strict=True)
            )
            for direction in range(len(self.rings[0]))
        )

    def automaton(self, order: Sequence[int]) -> Automaton:
        """Return the automaton whose state is the possible directions and the mines so far.

        Of each open clue it has the number of mines, and those of them in possible directions. A
        direction is possible while no clue has too many mines in the others, or can have too few.
        """
        touched, whole = self._read(order)
        at = {v: [ring.index(v) if v in ring else 0 for ring in self.rings] for v in order}
        every = (1 << len(self.rings[0])) - 1
        first = 0 if any(self.values[clue] for clue in whole[-1]) else every
        blank = ((0, 0),) * len(self.rings)
        unread = [
            [
                sum([1 << d for d, each in enumerate(ring) if each in {*order[place + 1 :]}])
                for ring in self.rings
            ]
            for place in range(len(order))
        ]

        def step(place: int, state: State, value: bool) -> State | None:
            possible, seen = state
            found = list(seen)
            for clue, more in touched[place]:
                count, mined = found[clue]
                if value:
                    bit = 1 << at[order[place]][clue]
                    count, mined = count + 1, mined | bit
                    found[clue] = count, mined
                for direction in range(len(self.rings[0])):
                    bit = 1 << direction
                    if possible & bit:
                        least = count - (mined & bit > 0)
                        most = least + more - (unread[place][clue] & bit > 0)
                        if not least <= self.values[clue] <= most:
                            possible ^= bit
            for clue in whole[place]:
                found[clue] = (0, 0)
            seen = tuple([(count, mined & possible) for count, mined in found])
            return (possible, seen) if possible else None

        return Automaton((first, blank), step)


def one_direction_missing(board: Board, part: Part, clues: Clues) -> Iterator[Constraint]:
    """2I: each clue counts the mines around it without one direction, common to all clues."""
    # Only squares have the same eight directions at every cell.
    board.geometry.at(0, 0, 0)
    if any(board.capacity.get(near, 1) > 1
           for _, cell, _ in clues for near in board.geometry.neighbours[cell]):  # fmt: skip
        raise RuleError("needs cells with one mine at most")
    rings = [
        tuple([0 if cell is None else board.mine(cell) for cell in board.geometry.ring(cell)])
        for _, cell, _ in clues
    ]
    around = [
        (each, tuple(filter(None, ring))) for (each, _, _), ring in zip(clues, rings, strict=True)
    ]
    if clues:
        values = tuple([value for _, _, value in clues])
        yield OneDirectionMissing(part, tuple(around), tuple(rings), values)


_LARGEST: Final = 8
"""The largest number that a letter can stand for."""


class Letter(SumOfMines):
    """A letter for the number of mines around the cell."""

    name = "letter"
    numeric = False

    def parse(self, text: str) -> int:
        """Return 0 for A, 1 for B and so on, up to I."""
        if len(text) != 1 or not "A" <= text <= "I":
            raise RuleError(f"{text!r}: a letter from A to I")
        return ord(text) - ord("A")

    def text(self, value: int) -> str:
        """Return the letter."""
        return chr(ord("A") + value)


@dataclass(frozen=True, slots=True)
class Letters(Together):
    """Clues with one letter show one number, 0 to 8, and those with different letters do not.

    ``letters``: for each clue its letter, from 0.
    """

    letters: tuple[int, ...]

    def write(self, writer: Writer) -> None:
        """Write a variable for each letter and number; it implies the sums of the letter's clues.

        That each letter has one number, and each number at most one letter, belongs to the rule.
        """
        used = sorted({*self.letters})
        stands = {letter: [writer.new_var() for _ in range(_LARGEST + 1)] for letter in used}
        for letter in used:
            writer.bounds(self.rule, stands[letter], None, 1, 1)
        for number in range(_LARGEST + 1):
            column = [stands[letter][number] for letter in used]
            if len(column) > 1:
                writer.bounds(self.rule, column, None, 0, 1)
        for (part, around), letter in zip(self.around, self.letters, strict=True):
            for number, variable in enumerate(stands[letter]):
                writer.bounds(part, around, None, number, number, (variable,))

    def holds(self, mines: Container[int]) -> bool:
        """Whether letters and numbers go together."""
        return self._fits(tuple([sum([v in mines for v in around]) for _, around in self.around]))

    def _fits(self, counts: tuple[int, ...]) -> bool:
        pairs = {*zip(self.letters, counts, strict=True)}
        letters, numbers = {letter for letter, _ in pairs}, {number for _, number in pairs}
        return len(pairs) == len(letters) == len(numbers) and max(numbers, default=0) <= _LARGEST

    def automaton(self, order: Sequence[int]) -> Automaton:
        """Return the automaton whose state is what letters stand for and the mines so far.

        It has the number of each letter with an open clue, -1 while it is unknown; the set of
        numbers that letters have, as long as there is a letter without; and the number of mines
        around each open clue.
        """
        touched, whole = self._read(order)
        last: dict[int, int] = {}
        for place, clues in enumerate([whole[-1], *whole[:-1]]):
            for clue in clues:
                last[self.letters[clue]] = place - 1

        def closed(place: int, state: State) -> State | None:
            numbers, used, counts = map(list, state)
            for clue in whole[place]:
                letter, count = self.letters[clue], counts[clue]
                if numbers[letter] < 0:
                    if count > _LARGEST or used[count]:
                        return None
                    numbers[letter], used[count] = count, True
                elif numbers[letter] != count:
                    return None
                counts[clue] = 0
            ended = [place >= last.get(each, -2) for each in range(len(numbers))]
            if all(end or held >= 0 for end, held in zip(ended, numbers, strict=True)):
                used = [False] * len(used)
            numbers = [-1 if end else held for end, held in zip(ended, numbers, strict=True)]
            return tuple(numbers), tuple(used), tuple(counts)

        def step(place: int, state: State, value: bool) -> State | None:
            if state is None:
                return None
            numbers, used, counts = state
            found = list(counts)
            for clue, more in touched[place]:
                found[clue] += value
                number = numbers[self.letters[clue]]
                if number >= 0 and not found[clue] <= number <= found[clue] + more:
                    return None
            return closed(place, (numbers, used, found))

        size = max(self.letters, default=-1) + 1
        blank = (-1,) * size, (False,) * (_LARGEST + 1), (0,) * len(self.around)
        return Automaton(closed(-1, blank), step)


def letters(board: Board, part: Part, clues: Clues) -> Iterator[Constraint]:
    """2E: equal letters stand for equal numbers, different letters for different ones."""
    around = tuple([(each, _around(board, cell)) for each, cell, _ in clues])
    yield Letters(part, around, tuple([value for _, _, value in clues]))


@dataclass(frozen=True, slots=True)
class OneLiar(Together):
    """In each row and column the number of exactly one safe cell is one off.

    ``values``: what each clue shows. ``cells``: for each cell its row, its column, the variable of
    a mine there, and the place of its clue, -1 if it is covered. A covered safe cell has a number
    that nobody sees and that may be the wrong one of its row and column.
    """

    values: tuple[int, ...]
    cells: tuple[tuple[int, int, int, int], ...]

    @property
    def scope(self) -> tuple[int, ...]:
        """The variables around clues and of covered cells."""
        covered = [variable for _, _, variable, clue in self.cells if clue < 0]
        return scope_of([*covered, *[v for _, around in self.around for v in around]])

    def write(self, writer: Writer) -> None:
        """Write a variable for each cell, "its number is wrong", of which each line has one.

        A clue's number is right or wrong by the clue; the lines, and that no mine has a number,
        belong to the rule.
        """
        lines: dict[tuple[str, int], list[int]] = {}
        for row, column, mine, clue in self.cells:
            wrong = writer.new_var()
            lines.setdefault(("row", row), []).append(wrong)
            lines.setdefault(("column", column), []).append(wrong)
            if clue < 0:
                writer.clause(self.rule, (-wrong, -mine))
                continue
            part, around = self.around[clue]
            value = self.values[clue]
            writer.bounds(part, around, None, value, value, (-wrong,))
            more = writer.new_var()
            writer.bounds(part, around, None, value + 1, value + 1, (wrong, more))
            writer.bounds(part, around, None, value - 1, value - 1, (wrong, -more))
            # With a right number the other variable is free: fixed, so that it has one value.
            writer.clause(part, (wrong, -more))
        for line in lines.values():
            writer.bounds(self.rule, line, None, 1, 1)

    def holds(self, mines: Container[int]) -> bool:
        """Whether wrong numbers can be chosen, one in each row and each column."""
        counts = tuple([sum([v in mines for v in around]) for _, around in self.around])
        return self._fits(counts, frozenset(v for _, _, v, _ in self.cells if v in mines))

    def _fits(self, counts: tuple[int, ...], mines: frozenset[int]) -> bool:
        off = [abs(found - value) for found, value in zip(counts, self.values, strict=True)]
        if any(far > 1 for far in off):
            return False
        rows = {row for row, _, _, _ in self.cells}
        columns = {column for _, column, _, _ in self.cells}
        if len(rows) != len(columns):
            return False
        # What is wrong for certain, and which cells may be: one of each line makes a matching of
        # rows and columns.
        certain = {(r, c) for r, c, _, clue in self.cells if clue >= 0 and off[clue]}
        free: dict[int, list[int]] = {row: [] for row in rows}
        for row, column, mine, clue in self.cells:
            if (row, column) in certain or (clue < 0 and mine not in mines):
                free[row].append(column)
        taken = dict(certain)
        if len(taken) < len(certain) or len({*taken.values()}) < len(certain):
            return False
        partner = {column: row for row, column in certain}

        def augmented(row: int, seen: set[int]) -> bool:
            for column in free[row]:
                if column in seen:
                    continue
                seen.add(column)
                held = partner.get(column)
                if held is None or (held not in taken and augmented(held, seen)):
                    partner[column] = row
                    return True
            return False

        return all(row in taken or augmented(row, set()) for row in sorted(rows))

    def pieces(self, first: int) -> tuple[list[Constraint], dict[int, int]]:
        """Return smaller constraints that together are equivalent, for counting.

        They have a further variable for each clue, from ``first`` on, that says whether its number
        is wrong. A layout determines it: so layouts are counted once. The second value is the
        variable of a mine in the clue's cell, for each of them.
        """
        wrong = {first + clue: mine for _, _, mine, clue in self.cells if clue >= 0}
        found: list[Constraint] = []
        lines: dict[tuple[str, int], list[int]] = {}
        must, may = [], []
        for row, column, mine, clue in self.cells:
            if clue < 0:
                may.append((row, column, mine))
                continue
            must.append((row, column, first + clue))
            lines.setdefault(("row", row), []).append(first + clue)
            lines.setdefault(("column", column), []).append(first + clue)
            part, around = self.around[clue]
            value, much = self.values[clue], len(around) + 2
            # A wrong number adds more than the mines do, so that the sum tells both apart.
            allowed = [value, much + value - 1, much + value + 1]
            weights = [1] * len(around) + [much]
            allowed = [each for each in allowed if each < much or each - much <= len(around)]
            found.append(Sum.of(part, (*around, first + clue), allowed, weights))
        found += [Sum.of(self.rule, line, (0, 1)) for line in lines.values() if len(line) > 1]
        rows = tuple(sorted({row for row, _, _, _ in self.cells}))
        columns = tuple(sorted({column for _, column, _, _ in self.cells}))
        found.append(OnePerLine(self.rule, tuple(must), tuple(may), (rows, columns)))
        return found, wrong

    def automaton(self, order: Sequence[int]) -> Automaton:
        """Return the automaton whose state is which sets of columns the wrong numbers may have.

        It has the number of mines around each open clue; for each row that is not whole the column
        of its number that is certainly wrong, as a bit, and the columns of its covered safe cells;
        and the sets of columns that wrong numbers of the whole rows can have, one in each row, each
        in another column.
        """
        touched, whole = self._read(order)
        at = {variable: place for place, variable in enumerate(order)}
        ends: dict[int, int] = {}
        closing = {clue: place for place, clues in enumerate(whole[:-1]) for clue in clues}
        cell_of: dict[int, tuple[int, int]] = {}
        line_of: dict[int, tuple[int, int]] = {}
        for row, column, mine, clue in self.cells:
            ends[row] = max(ends.get(row, -1), closing.get(clue, -1) if clue >= 0 else at[mine])
            if clue < 0:
                cell_of[at[mine]] = row, 1 << column
            else:
                line_of[clue] = row, 1 << column
        columns = {column for _, column, _, _ in self.cells}

        def closed(place: int, state: State) -> State | None:
            counts, certain, free, sets = state
            for clue in whole[place]:
                off = abs(counts[clue] - self.values[clue])
                row, bit = line_of[clue]
                if off > 1 or (off and certain[row]):
                    return None
                certain[row] |= bit * off
                counts[clue] = 0
            for row, end in ends.items():
                if end != place:
                    continue
                sets = extended(sets, certain[row] or free[row], max(columns) + 1)
                certain[row] = free[row] = 0
            # Of a row with a wrong number the safe cells do not matter.
            kept = [0 if sure else each for sure, each in zip(certain, free, strict=True)]
            return (tuple(counts), tuple(certain), tuple(kept), sets) if sets else None

        def step(place: int, state: State, value: bool) -> State | None:
            if state is None:
                return None
            counts, certain, free = map(list, state[:3])
            for clue, more in touched[place]:
                counts[clue] += value
                if not counts[clue] - 1 <= self.values[clue] <= counts[clue] + more + 1:
                    return None
            if place in cell_of and not value:
                row, bit = cell_of[place]
                free[row] |= 0 if certain[row] else bit
            return closed(place, (counts, certain, free, state[3]))

        size = max(ends, default=-1) + 1
        square = 1 if len(ends) == len(columns) else 0
        start = [0] * len(self.around), [0] * size, [0] * size, square
        return Automaton(closed(-1, start), step)


def one_liar(board: Board, part: Part, clues: Clues) -> Iterator[Constraint]:
    """2L: in each row and in each column exactly one number is one more or less than the truth.

    A board that is not as high as wide has no layout: each wrong number is the only one of its row
    and of its column.
    """
    board.geometry.at(0, 0, 0)
    columns = board.geometry.shape[1]
    place = {cell: number for number, (_, cell, _) in enumerate(clues)}
    yield OneLiar(
        part,
        tuple([(each, _around(board, cell)) for each, cell, _ in clues]),
        tuple([value for _, _, value in clues]),
        tuple(
            (cell // columns, cell % columns, board.mine(cell), place.get(cell, -1))
            for cell in range(len(board.geometry))
        ),
    )


def _around(board: Board, cell: int) -> tuple[int, ...]:
    return tuple([v for near in board.geometry.neighbours[cell] for v in board.variables[near]])


DIRECTION = ClueRule("mines around the cell without one direction, the same for all clues",
                     measure=SUM, together=one_direction_missing)  # fmt: skip
ENCRYPTED = ClueRule("a letter for the number of mines around the cell",
                     measure=Letter(), together=letters)  # fmt: skip
ONE_LIAR = ClueRule("mines around the cell; one number of each row and column is one off",
                    measure=SUM, together=one_liar)  # fmt: skip
