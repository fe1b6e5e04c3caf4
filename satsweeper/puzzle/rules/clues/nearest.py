"""2P: the product of the distances to the two nearest mines."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from satsweeper.puzzle.board import Board, MinesAt
from satsweeper.puzzle.constraints.protocol import Automaton, Constraint, Part, State, Writer
from satsweeper.puzzle.rules.rule import ClueRule, Number, Site


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
        """The variables at the distances of `shells`."""
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
        """Return the automaton whose state is how many mines are at the distances of each case.

        A case is a pair of distances with an allowed product. For each case the state has None if
        it is excluded, else the mines at the first distance, two at most, and the mines at the
        second, one at most. In a layout at most one case holds.
        """
        cases = [
            (near, far)
            for near, _ in self.shells
            for far, _ in self.shells
            if near <= far and near * far in self.allowed
        ]
        distance = {variable: far for far, shell in self.shells for variable in shell}
        left: list[dict[int, int]] = []
        after: dict[int, int] = {far: 0 for far, _ in self.shells}
        for variable in reversed(order):
            left.append(dict(after))
            after[distance[variable]] += 1
        left.reverse()

        def step(place: int, state: State, value: bool) -> State | None:
            here = distance[order[place]]
            more = left[place]
            found: list[tuple[int, int] | None] = []
            for case, (near, far) in zip(state, cases, strict=True):
                found.append(None)
                if case is None:
                    continue
                one, two = case
                if value:
                    if here == near:
                        one = min(one + 1, 2)
                    elif here == far:
                        two = 1
                    elif here < far:
                        continue
                if near == far:
                    if one + more[near] >= 2:
                        found[-1] = one, two
                elif one < 2 and one + more[near] >= 1 and two + more[far] >= 1:
                    found[-1] = one, two
            return tuple(found) if any(found) else None

        return Automaton(((0, 0),) * len(cases), step)


class Product(Number):
    """The product of the squared distances: its square root is what the game shows."""

    name = "product of distances"
    numeric = False
    counts = False

    def value(self, site: Site, mines: MinesAt) -> int | None:
        """Return the product; None with fewer than two mines."""
        found = sorted([far for cell, far in _distances(site.board, site.cell) if mines(cell)])
        return found[0] * found[1] if len(found) > 1 else None

    def most(self, site: Site) -> int:
        """Raise, as not every number is a product."""
        raise NotImplementedError

    def constraints(self, site: Site, allowed: Sequence[int]) -> Iterator[Constraint]:
        """Yield one constraint over the cells up to the largest distance with an allowed product.

        Where two mines are among them, these are the nearest; where not, the product is larger.
        """
        shells: dict[int, list[int]] = {}
        for cell, far in _distances(site.board, site.cell):
            shells.setdefault(far, []).append(site.board.mine(cell))
        pairs = [(near, far) for near in shells for far in shells if near * far in {*allowed}]
        most = max([max(pair) for pair in pairs], default=0)
        ordered = tuple([(far, tuple(shells[far])) for far in sorted(shells) if far <= most])
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
