"""2A: the area of the groups of mines that the cell touches."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from satsweeper.puzzle.board import MinesAt
from satsweeper.puzzle.constraints.protocol import Automaton, Constraint, Part, State, Writer
from satsweeper.puzzle.rules.rule import ClueRule, Site, number


@dataclass(frozen=True, slots=True)
class Area:
    """The number of mines that hang together with ``start`` is one of ``allowed``.

    ``adjacent``: for each variable its neighbours. A mine hangs together with the start if it is in
    ``start`` or beside a mine that does.
    """

    part: Part
    start: tuple[int, ...]
    adjacent: tuple[tuple[int, tuple[int, ...]], ...]
    allowed: tuple[int, ...]

    @property
    def parts(self) -> tuple[Part, ...]:
        """The part of the clue."""
        return (self.part,)

    @property
    def scope(self) -> tuple[int, ...]:
        """All variables of the graph."""
        return tuple(sorted([variable for variable, _ in self.adjacent]))

    def write(self, writer: Writer) -> None:
        """Write which mines are reached from the start, step by step, and their number.

        The variable r(v, t) is true exactly if v is a mine and reached within t steps. With the
        largest allowed area a, or the number of cells if that is less, r(v, a) is all that is
        reached, unless it is more than a: each step short of the end adds a mine. A clause
        r(v, a - 1) and mine w -> r(w, a - 1) for neighbours says that nothing is missing.
        """
        near = dict(self.adjacent)
        most = self.allowed[-1] if self.allowed else 0
        if most < 1:
            for variable in self.start if self.allowed else ():
                writer.clause(self.part, (-variable,))
            if not self.allowed:
                writer.clause(self.part, ())
            return
        # Within t steps, cells at most so far from the start are reached.
        reached = {variable: variable for variable in self.start}
        for _ in range(min(most, len(near)) - 1):
            following = {}
            for variable in sorted({*reached, *[n for each in reached for n in near[each]]}):
                before = [reached[n] for n in (variable, *near[variable]) if n in reached]
                if variable in self.start:
                    following[variable] = variable
                    continue
                # v is reached exactly if it is a mine, and it or a neighbour was reached before.
                none = writer.conjunction([-each for each in before])
                following[variable] = writer.conjunction((variable, -none))
            reached = following
        for variable, literal in reached.items():
            for other in near[variable]:
                if other in reached:
                    writer.clause(self.part, (-literal, -other, reached[other]))
                else:
                    writer.clause(self.part, (-literal, -other))
        literals = list(reached.values())
        inside = [value for value in self.allowed if value <= len(literals)]
        if not inside:
            writer.clause(self.part, ())
            return
        chosen = [writer.new_var() for _ in inside] if len(inside) > 1 else []
        if chosen:
            writer.clause(self.part, chosen)
        for place, value in enumerate(inside):
            writer.bounds(self.part, literals, None, value, value, chosen[place : place + 1])

    def holds(self, mines: Container[int]) -> bool:
        """Whether the area is allowed."""
        near = dict(self.adjacent)
        seen = [variable for variable in self.start if variable in mines]
        known = {*seen}
        for variable in seen:
            more = [n for n in near[variable] if n in mines and n not in known]
            known.update(more)
            seen += more
        return len(seen) in self.allowed

    def automaton(self, order: Sequence[int]) -> Automaton:
        """Return the automaton whose state is the mines read so far."""
        last = len(order) - 1

        def step(place: int, state: State, value: bool) -> State | None:
            found = (*state, order[place]) if value else state
            if place < last:
                return found
            return True if self.holds(found) else None

        return Automaton((), step)


class AreaTouched:
    """The number of mines in the groups that share an edge with the cell, each group once."""

    name = "area"
    numeric = True
    counts = False

    def parse(self, text: str) -> int:
        """Return a number."""
        return number(text)

    def text(self, value: int) -> str:
        """Return the digits."""
        return str(value)

    def value(self, site: Site, mines: MinesAt) -> int:
        """Return the area: the mines from which steps over mines lead beside the cell."""
        beside = site.board.geometry.beside
        found = [cell for cell in beside[site.cell] if mines(cell)]
        for cell in found:
            found += [near for near in beside[cell] if mines(near) and near not in found]
        return len(found)

    def most(self, site: Site) -> int:
        """Return the number of other cells."""
        return len(site.board.geometry) - 1

    def constraints(self, site: Site, allowed: Sequence[int]) -> Iterator[Constraint]:
        """Yield one constraint over all other cells."""
        board, here = site.board, site.cell
        beside = board.geometry.beside
        adjacent = tuple(
            (board.mine(cell), tuple([board.mine(n) for n in beside[cell] if n != here]))
            for cell in range(len(board.geometry))
            if cell != here
        )
        start = tuple([board.mine(cell) for cell in beside[here]])
        yield Area(site.part, start, adjacent, tuple(sorted(allowed)))


RULE = ClueRule("the mines in all groups, connected by edges, that share an edge with the cell",
                measure=AreaTouched())  # fmt: skip
