"""Inequalities over the cells of a board and auxiliary variables, which rules and clues write."""

from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from typing import Final, NamedTuple

from pbcnf.proof.cutting_planes.inequality import Inequality, normalised
from satsweeper.checker.puzzle.grid import Grid

Key = tuple[frozenset[tuple[int, int]], int]
"""An inequality that can be compared: pairs of literal and weight, and the degree."""


class ConnectedCells(NamedTuple):
    """The true literals are connected; with ``anchors`` each of their groups reaches one of these.

    ``sign``: 1 for the mines, -1 for the safe cells; ``near``: the neighbours of each cell.
    """

    sign: int
    near: Sequence[Sequence[int]]
    anchors: frozenset[int] | None = None


MOST_TABLED: Final = 16
"""The most cells, or mines that fit there, of which a clue is told by all their values."""


class RowWriter:
    """Rows and connections; ``variables``: the number of variables, auxiliary ones included.

    Cell i is variable i + 1; where cells can hold several mines, further variables follow, see
    `Grid.variables`. ``known``: literals that are units among the rows.
    """

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.variables = max(map(max, grid.variables))
        self.rows: dict[Key, Inequality] = {}
        self.connections: list[ConnectedCells] = []
        self.known: set[int] = set()
        self._conjunctions: dict[tuple[int, ...], int] = {}

    def know(self, literal: int) -> None:
        """Add that a literal is true."""
        self.known.add(literal)
        self.clause([literal])

    def row(self, terms: Iterable[tuple[int, int]], degree: int) -> None:
        """Add ``sum of weight * literal >= degree``, unless it always holds."""
        found = normalised(terms, degree)
        if not found.trivial:
            self.rows[key_of(found)] = found

    def clause(self, literals: Iterable[int]) -> None:
        """Add that some literal is true."""
        self.row(zip(repeat(1), literals), 1)

    def new_var(self) -> int:
        """Return a new variable."""
        self.variables += 1
        return self.variables

    def bounds(self, terms: Sequence[tuple[int, int]], lower: int, upper: int, *when: int) -> None:
        """Add ``lower <= sum <= upper``, which the literals ``when`` imply together."""
        least = sum(min(weight, 0) for weight, _ in terms)
        most = sum(max(weight, 0) for weight, _ in terms)
        # Where one of these is false, its negation adds as much as the sum can lack.
        spare = [(max(lower - least, 0), -lit) for lit in when]
        self.row([*terms, *spare], lower)
        spare = [(max(most - upper, 0), -lit) for lit in when]
        self.row([*[(-weight, lit) for weight, lit in terms], *spare], -upper)

    def conjunction(self, literals: Iterable[int]) -> int:
        """Return a literal that is true exactly if all of ``literals`` are."""
        key = _ascending(literals)
        if len(key) == 1:
            return key[0]
        if key not in self._conjunctions:
            found = self._conjunctions[key] = self.new_var()
            self.row([(len(key), -found), *[(1, lit) for lit in key]], len(key))
            self.clause([found, *[-lit for lit in key]])
        return self._conjunctions[key]

    def sum_of(self, terms: Iterable[tuple[Iterable[int], int]], allowed: Iterable[int]) -> None:
        """Add that a sum of conjunctions with weights has one of the values ``allowed``."""
        ordered = sorted((_ascending(literals), weight) for literals, weight in terms)
        found = [(weight, self.conjunction(literals)) for literals, weight in ordered]
        least = sum(min(weight, 0) for weight, _ in found)
        most = sum(max(weight, 0) for weight, _ in found)
        values = sorted({value for value in allowed if least <= value <= most})
        starts = [value for value in values if value - 1 not in values]
        ends = [value for value in values if value + 1 not in values]
        if len(starts) == 1:
            self.bounds(found, starts[0], ends[0])
            return
        chosen = [self.new_var() for _ in starts]
        self.clause(chosen)
        for choice, start, end in zip(chosen, starts, ends, strict=True):
            self.bounds(found, start, end, choice)

    def table(self, variables: Sequence[int], accepts: Callable[[set[int]], bool]) -> None:
        """Add a clause for each set of true ``variables`` that ``accepts`` refuses.

        Sets that contradict what is known of a cell need none.
        """
        few = len(variables) <= MOST_TABLED
        self.grid.require(few, f"{MOST_TABLED} cells or mines around a clue at most")
        for number in range(1 << len(variables)):
            true = {variable for k, variable in enumerate(variables) if number >> k & 1}
            clause = [-variable if variable in true else variable for variable in variables]
            if self.known.isdisjoint(clause) and not accepts(true):
                self.clause(clause)


def key_of(inequality: Inequality) -> Key:
    """Return an inequality in a form that can be a key."""
    return frozenset(inequality.terms.items()), inequality.degree


def _ascending(literals: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted({*literals}, key=lambda lit: (abs(lit), lit)))
