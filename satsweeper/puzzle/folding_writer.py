"""The base of all writers of constraints, which folds literals of known cells away."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from satsweeper.puzzle.board_constraints import CELLS
from satsweeper.puzzle.constraints.protocol import Connection, Part
from satsweeper.puzzle.constraints.row_table import clauses_of, cofactors


class FoldingWriter(ABC):
    """A writer that passes statements on without the literals of known cells.

    ``known``: variable -> its value, for opened and shown cells; no statement mentions them.
    """

    def __init__(self, known: Mapping[int, bool]) -> None:
        self._true = {variable if value else -variable for variable, value in known.items()}
        self._conjunctions: dict[tuple[int, ...], int] = {}
        self._constant: int | None = None

    @abstractmethod
    def new_var(self) -> int:
        """Allocate an auxiliary variable and return it."""

    @abstractmethod
    def connected(self, constraint: Connection) -> None:
        """Add that cells are connected."""

    @abstractmethod
    def _add_clause(self, part: Part, literals: list[int]) -> None:
        """Add a clause that ``part`` states, over cells that are not known; CELLS: a definition."""

    @abstractmethod
    def _add_bounds(
        self,
        part: Part,
        kept: list[int],
        kept_weights: list[int],
        lower: int,
        upper: int,
        when: list[int],
    ) -> None:
        """Add the bounds of a sum over cells that are not known, implied by the literals `when`."""

    def clause(self, part: Part, literals: Sequence[int]) -> None:
        """Add a clause that ``part`` states."""
        true = self._true
        if true.isdisjoint(literals):
            self._add_clause(part, [lit for lit in literals if -lit not in true])

    def bounds(
        self,
        part: Part,
        literals: Sequence[int],
        weights: Sequence[int] | None,
        lower: int,
        upper: int,
        when: Sequence[int] = (),
    ) -> None:
        """Add the bounds of a sum, which ``part`` and the literals ``when`` together imply."""
        true = self._true
        if any(-lit in true for lit in when):
            return
        factors = [1] * len(literals) if weights is None else weights
        kept = []
        kept_weights = []
        for lit, weight in zip(literals, factors, strict=True):
            if lit in true:
                lower, upper = lower - weight, upper - weight
            elif -lit not in true:
                kept.append(lit)
                kept_weights.append(weight)
        open_when = [lit for lit in when if lit not in true]
        self._add_bounds(part, kept, kept_weights, lower, upper, open_when)

    def conjunction(self, literals: Sequence[int]) -> int:
        """Return a literal equivalent to the conjunction; equal conjunctions share a variable."""
        true = self._true
        kept = tuple([lit for lit in literals if lit not in true])
        if any(-lit in true for lit in kept):
            return -self._always()
        if not kept:
            return self._always()
        if len(kept) == 1:
            return kept[0]
        if kept not in self._conjunctions:
            # Conjunctions that grow by one literal, as along a ray, are made of each other.
            first = self._conjunctions.get(kept[:-1])
            parts = kept if first is None else (first, kept[-1])
            found = self._term(kept)
            self._add_clause(CELLS, [found, *[-lit for lit in parts]])
            for lit in parts:
                self._add_clause(CELLS, [-found, lit])
            self._conjunctions[kept] = found
        return self._conjunctions[kept]

    def table(self, part: Part, literals: Sequence[int], accepted: int) -> None:
        """Add the clauses of a table whose known literals have their values."""
        kept = []
        table, left = accepted, len(literals)
        order = list(literals)
        place = 0
        while place < len(order):
            lit = order[place]
            if lit in self._true or -lit in self._true:
                table = _restricted(table, left, place, lit in self._true)
                del order[place]
                left -= 1
            else:
                kept.append(lit)
                place += 1
        for clause in clauses_of(table, len(kept)):
            self.clause(part, [kept[v - 1] if v > 0 else -kept[-v - 1] for v in clause])

    def _term(self, literals: tuple[int, ...]) -> int:
        """Allocate the variable of a conjunction of ``literals``."""
        return self.new_var()

    def _always(self) -> int:
        if self._constant is None:
            self._constant = self.new_var()
            self._add_clause(CELLS, [self._constant])
        return self._constant


def _restricted(table: int, n: int, place: int, value: bool) -> int:
    """Return the table of ``n`` - 1 literals where the literal at ``place`` has ``value``."""
    if place == 0:
        return cofactors(table, n)[value]
    # Blocks of 2^place rows with the literal false alternate with blocks with the literal true.
    width = 1 << place
    block = (1 << width) - 1
    found = 0
    for number in range(1 << n - place - 1):
        start = (2 * number + value) * width
        found |= (table >> start & block) << number * width
    return found
