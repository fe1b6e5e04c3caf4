"""2P: the product of the distances to the two nearest mines."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from satsweeper.puzzle.board import Board, MinesAt
from satsweeper.puzzle.constraints.protocol import Automaton, Constraint, Part, State, Writer
from satsweeper.puzzle.rules.rule import ClueRule, Site, number


@dataclass(frozen=True, slots=True)
class NearestTwo:
    """The squared distances of the two nearest mines have one of the products ``allowed``.

    ``shells``: squared distance -> the variables at that distance, by ascending distance.
    """

    part: Part
    shells: tuple[tuple[int, tuple[int, ...]], ...]
    allowed: frozenset[int]

    @property
    def parts(self) -> tuple[Part, ...]:
        """The part of the clue."""
        return (self.part,)

    @property
    def scope(self) -> tuple[int, ...]:
        """All variables but the variable of the clue's own cell."""
        return tuple(sorted([variable for _, shell in self.shells for variable in shell]))

    def write(self, writer: Writer) -> None:
        """Write a case for each pair of distances with an allowed product; one case holds.

        A case says: no mine nearer than the first distance, none between the two, exactly one at
        the first and one at least at the second, or two at least at both if they are equal. At most
        one case can hold in a layout, so that a layout has one value of the auxiliary variables.
        """
        cases = []
        for i, (near, first) in enumerate(self.shells):
            for j, (far, second) in enumerate(self.shells[i:], start=i):
                if near * far not in self.allowed:
                    continue
                case = writer.new_var()
                cases.append(case)
                empty = [v for k, (_, s) in enumerate(self.shells) if k < j and k != i for v in s]
                for variable in empty:
                    writer.clause(self.part, (-case, -variable))
                if i == j:
                    writer.bounds(self.part, first, None, 2, len(first), (case,))
                else:
                    writer.bounds(self.part, first, None, 1, 1, (case,))
                    writer.clause(self.part, (-case, *second))
        writer.clause(self.part, cases)

    def holds(self, mines: Container[int]) -> bool:
        """Whether the two smallest distances have an allowed product."""
        found = [far for far, shell in self.shells for variable in shell if variable in mines]
        return len(found) > 1 and found[0] * found[1] in self.allowed

    def automaton(self, order: Sequence[int]) -> Automaton:
        """Return the automaton whose state is the two smallest distances so far, 0 for none."""
        distance = {variable: far for far, shell in self.shells for variable in shell}
        last = len(order) - 1

        def step(place: int, state: State, value: bool) -> State | None:
            if value:
                two = sorted([far for far in (*state, distance[order[place]]) if far])[:2]
                state = (*two, *[0] * (2 - len(two)))
            if place < last:
                return state
            return True if state[1] and state[0] * state[1] in self.allowed else None

        return Automaton((0, 0), step)


class Product:
    """The product of the squared distances: its square root is what the game shows."""

    name = "product of distances"
    numeric = False
    counts = False

    def parse(self, text: str) -> int:
        """Return a number."""
        return number(text)

    def text(self, value: int) -> str:
        """Return the digits."""
        return str(value)

    def value(self, site: Site, mines: MinesAt) -> int | None:
        """Return the product; None with fewer than two mines."""
        found = sorted([far for cell, far in _distances(site.board, site.cell) if mines(cell)])
        return found[0] * found[1] if len(found) > 1 else None

    def most(self, site: Site) -> int:
        """Raise, as not every number is a product."""
        raise NotImplementedError

    def constraints(self, site: Site, allowed: Sequence[int]) -> Iterator[Constraint]:
        """Yield one constraint over all other cells."""
        shells: dict[int, list[int]] = {}
        for cell, far in _distances(site.board, site.cell):
            shells.setdefault(far, []).append(site.board.mine(cell))
        ordered = tuple([(far, tuple(shells[far])) for far in sorted(shells)])
        yield NearestTwo(site.part, ordered, frozenset(allowed))


def _distances(board: Board, here: int) -> list[tuple[int, int]]:
    """Return all other cells with their squared distance from ``here``, round a torus as well."""
    board.geometry.at(here, 0, 0)
    rows, columns = board.geometry.shape
    found = []
    for cell in range(len(board.geometry)):
        down, right = abs(cell // columns - here // columns), abs(cell % columns - here % columns)
        if board.geometry.wraps:
            down, right = min(down, rows - down), min(right, columns - right)
        if cell != here:
            found.append((cell, down * down + right * right))
    return found


RULE = ClueRule("the distances to the two nearest mines, multiplied and squared",
                measure=Product())  # fmt: skip
