"""All rows hold equally many mines, and so do all columns."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from satsweeper.puzzle.constraints.protocol import Automaton, OnePart, Part, State, Writer, scope_of
from satsweeper.puzzle.constraints.sums import Sum


@dataclass(frozen=True, slots=True)
class EqualLines(OnePart):
    """The lines of each kind hold equally many mines.

    ``kinds``: for each kind, such as the rows, the variables of each line; each kind has all
    variables once. ``totals``: the numbers of mines on the whole board that are possible.
    """

    part: Part
    kinds: tuple[tuple[tuple[int, ...], ...], ...]
    totals: tuple[int, ...]

    @classmethod
    def of(cls, part: Part, kinds: Sequence[Sequence[Sequence[int]]]) -> EqualLines:
        """Return the constraint with every total that all kinds of lines can share equally."""
        held = tuple([tuple(map(tuple, lines)) for lines in kinds])
        most = sum(map(len, held[0]))
        return cls(part, held, tuple(range(most + 1))).within(range(most + 1))

    def within(self, totals: Sequence[int]) -> EqualLines:
        """Return the constraint with the possible totals limited to ``totals``."""
        kept = [
            total
            for total in self.totals
            if total in totals and not any(total % len(lines) for lines in self.kinds)
        ]
        return EqualLines(self.part, self.kinds, tuple(kept))

    @property
    def scope(self) -> tuple[int, ...]:
        """The variables of the lines."""
        return scope_of([variable for line in self.kinds[0] for variable in line])

    def write(self, writer: Writer) -> None:
        """Write a sum for each two consecutive lines of a kind: their difference is 0."""
        for each in self._differences():
            each.write(writer)

    def _differences(self) -> Iterator[Sum]:
        for lines in self.kinds:
            for line, following in pairwise(lines):
                weights = [1] * len(line) + [-1] * len(following)
                yield Sum.of(self.part, (*line, *following), (0,), weights)

    def holds(self, mines: Container[int]) -> bool:
        """Whether the lines of each kind hold equally many mines."""
        found = [[sum([v in mines for v in line]) for line in lines] for lines in self.kinds]
        return all(len({*each}) < 2 for each in found) and sum(found[0]) in self.totals

    def automaton(self, order: Sequence[int]) -> Automaton:
        """Return the automaton whose state is the possible totals and the mines of open lines.

        A total says how many mines each line has; it is possible while no line has more, and each
        can still have as many.
        """
        lines = [line for kind in self.kinds for line in kind]
        kind_of = [number for number, kind in enumerate(self.kinds) for _ in kind]
        line_of: dict[int, list[int]] = {}
        for number, line in enumerate(lines):
            for variable in line:
                line_of.setdefault(variable, []).append(number)
        left = list(map(len, lines))
        after: list[list[int]] = []
        for variable in order:
            for number in line_of[variable]:
                left[number] -= 1
            after.append([left[number] for number in line_of[variable]])
        # fits[kind][more][count]: the totals, as bits, with which a line of the kind that holds so
        # many mines, and has ``more`` unread cells, gets its share.
        fits: list[list[list[int]]] = []
        for kind in self.kinds:
            shares = [total // len(kind) for total in self.totals]
            size = max(map(len, kind))
            fits.append(
                [
                    [
                        sum([1 << b for b, s in enumerate(shares) if count <= s <= count + more])
                        for count in range(size + 1)
                    ]
                    for more in range(size)
                ]
            )

        def step(place: int, state: State, value: bool) -> State | None:
            possible, found = state
            counts = list(found)
            for number, more in zip(line_of[order[place]], after[place], strict=True):
                counts[number] += value
                possible &= fits[kind_of[number]][more][counts[number]]
                if not more:
                    counts[number] = 0
            return (possible, tuple(counts)) if possible else None

        return Automaton(((1 << len(self.totals)) - 1, (0,) * len(lines)), step)
