"""2A: the area of the groups of mines that the cell touches."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from satsweeper.puzzle.board import MinesAt
from satsweeper.puzzle.constraints.connected import frontiers
from satsweeper.puzzle.constraints.protocol import Automaton, Constraint, Part, State, Writer
from satsweeper.puzzle.rules.rule import ClueRule, Number, Site

_TOUCHED: Final = -1
"""The mark of a mine that hangs together with the start."""
_APART: Final = -2
"""The mark of a mine in a group that may not be touched."""


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
        """Return the automaton whose state is the area so far and how groups of mines hang on.

        A state has the area, then a mark for each variable with unread neighbours: 0 no mine,
        `_TOUCHED` in a group that hangs together with the start, `_APART` in one that may not, as
        it is too large, else the number of its group, numbered by first occurrence; then the sizes
        of these groups. A state is ``True`` if whatever follows is allowed.
        """
        variables = [variable for variable, _ in self.adjacent]
        number = {variable: node for node, variable in enumerate(variables)}
        adjacent = tuple([tuple([number[each] for each in near]) for _, near in self.adjacent])
        nodes = [number[variable] for variable in order]
        frontier = frontiers(nodes, adjacent)
        start = frozenset(number[variable] for variable in self.start)
        most = max(self.allowed, default=-1)
        to_come = [not start.isdisjoint(nodes[place + 1 :]) for place in range(len(nodes))]

        def step(place: int, state: State, value: bool) -> State | None:
            if state is True:
                return True
            area, marks, sizes = state
            node = nodes[place]
            mark = dict(zip(frontier[place], marks, strict=True))
            held = dict(enumerate(sizes, start=1))
            mark[node] = 0
            if value:
                near = {mark[each] for each in adjacent[node] if mark.get(each)}
                size = 1 + sum([held.pop(each, 0) for each in near])
                new = _APART if _APART in near else len(sizes) + 1
                if node in start or _TOUCHED in near:
                    if new == _APART:
                        return None
                    new, area = _TOUCHED, area + size
                elif new > 0:
                    held[new] = size
                for each, group in mark.items():
                    if group in near:
                        mark[each] = new
                mark[node] = new
            if area > most:
                return None
            kept = [mark[each] for each in frontier[place + 1]]
            if not to_come[place] and _TOUCHED not in kept:
                return True if area in self.allowed else None
            # No group may be touched that would make the area too large: one like the other.
            kept = [_APART if held.get(each, 0) > most - area else each for each in kept]
            numbers = {0: 0, _TOUCHED: _TOUCHED, _APART: _APART}
            for each in kept:
                numbers.setdefault(each, len(numbers) - 2)
            return (
                area,
                tuple([numbers[each] for each in kept]),
                tuple([held[each] for each in numbers if each > 0]),
            )

        return Automaton((0, (), ()), step)


class AreaTouched(Number):
    """The number of mines in the groups that share an edge with the cell, each group once."""

    name = "area"
    numeric = True
    counts = False

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
        """Yield one constraint over the cells that an allowed area can reach, and those beside.

        An area that goes further is too large within these cells as well: it has a cell at each
        distance on the way.
        """
        board, here = site.board, site.cell
        beside = board.geometry.beside
        near = dict.fromkeys(beside[here], 1)
        most = max(allowed, default=0)
        for cell in (reached := list(near)):
            for other in beside[cell] if near[cell] <= most else ():
                if other != here and other not in near:
                    near[other] = near[cell] + 1
                    reached.append(other)
        adjacent = tuple(
            (board.mine(cell), tuple([board.mine(n) for n in beside[cell] if n in near]))
            for cell in sorted(near)
        )
        start = tuple([board.mine(cell) for cell in beside[here]])
        yield Area(site.part, start, adjacent, tuple(sorted(allowed)))


RULE = ClueRule("the mines in all groups, connected by edges, that share an edge with the cell",
                measure=AreaTouched())  # fmt: skip
