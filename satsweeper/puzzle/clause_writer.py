"""Constraints of a board as clauses of a live solver, each part behind a selector."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pbcnf.constraints.constraint import Cardinality, PseudoBoolean
from pbcnf.emission.encode import encode
from pbcnf.sink import ClauseSink, GuardedSink
from satsweeper.puzzle.constraints.protocol import Connection, Part, Separation
from satsweeper.puzzle.constraints.row_table import clauses_of, cofactors

_DIRECT = 9
"""The most literals of a sum that is written without auxiliary variables."""

_NODES = 3
"""The most nodes of a component for which a separation becomes a clause."""


class ClauseWriter:
    """A writer of clauses in which the selector of a part implies what the part states.

    Args:
        sink: the live solver; the variables of cells are allocated.
        known: variable -> its value, for opened and shown cells; no clause mentions them.
        encoding: the encoder of sums of clues and rules.
        total_encoding: the encoder of sums over more cells than a clue counts.
    """

    def __init__(
        self,
        sink: ClauseSink,
        known: Mapping[int, bool],
        encoding: str = "direct",
        total_encoding: str = "totalizer",
    ) -> None:
        self.selectors: dict[Part, int] = {}
        """The selector of each part that states something."""
        self.connections: list[Connection] = []
        """Connections, of which no clause is written: a model has to be checked."""
        self._sink = sink
        self._true = {variable if value else -variable for variable, value in known.items()}
        self._mines = {lit for lit in self._true if lit > 0}
        self._encoding = encoding
        self._total_encoding = total_encoding
        self._conjunctions: dict[tuple[int, ...], int] = {}
        self._constant: int | None = None
        self._none_before: dict[int, list[int]] = {}

    def selector(self, part: Part) -> int:
        """Return the selector of a part, made at first use."""
        if part not in self.selectors:
            found = self.selectors[part] = self._sink.new_var()
            # A part may have nothing to say, and lingeling ends the interpreter if a variable is
            # assumed before it is in any clause: so it is in one that always holds.
            self._sink.add_clause([found, -found])
        return self.selectors[part]

    def new_var(self) -> int:
        """Allocate an auxiliary variable and return it."""
        return self._sink.new_var()

    def clause(self, part: Part, literals: Sequence[int]) -> None:
        """Add a clause that the selector of ``part`` implies."""
        true = self._true
        if not true.isdisjoint(literals):
            return
        kept = [lit for lit in literals if -lit not in true]
        if part.kind != "cells":
            kept.append(-self.selector(part))
        self._sink.add_clause(kept)

    def bounds(
        self,
        part: Part,
        literals: Sequence[int],
        weights: Sequence[int] | None,
        lower: int,
        upper: int,
        when: Sequence[int] = (),
    ) -> None:
        """Add the bounds of a sum, which the selector and the literals ``when`` imply."""
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
        sink = GuardedSink(self._sink, -self.selector(part))
        for lit in when:
            if lit not in true:
                sink = GuardedSink(sink, -lit)
        if {*kept_weights} <= {1}:
            name = self._encoding if len(kept) <= _DIRECT else self._total_encoding
            encode(Cardinality(kept, lower, upper), sink, name)
        else:
            encode(PseudoBoolean(kept, kept_weights, lower, upper), sink)

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
            found = self._sink.new_var()
            self._sink.add_clause([found, *[-lit for lit in parts]])
            for lit in parts:
                self._sink.add_clause([-found, lit])
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

    def connected(self, constraint: Connection) -> None:
        """Keep the connection for `separate`, and make its selector."""
        self.selector(constraint.part)
        self.connections.append(constraint)

    def separate(self, connection: Connection, separation: Separation) -> None:
        """Add that a layout does not separate what a connection asks to be connected."""
        literals = connection.literals
        clause = [literals[node] for node in separation.between]
        if separation.elsewhere and id(connection) not in self._none_before:
            none = self._none_before[id(connection)] = [self._always()]
            for literal in literals[:-1]:
                none.append(self.conjunction([none[-1], -literal]))
        for node in separation.elsewhere:
            # The first node of the set is in the set, and no node before it is.
            none_before = self._none_before[id(connection)][node]
            clause.append(self.conjunction([none_before, literals[node]]))
        # The clause holds for each node of the component: two more save questions, all would not.
        for node in separation.nodes[:_NODES]:
            self.clause(connection.part, [-literals[node], *clause])

    def mines(self, model: Iterable[int]) -> set[int]:
        """Return the true variables of cells; ``model``: their literals, known cells have any."""
        return {lit for lit in model if lit > 0 and -lit not in self._true} | self._mines

    def _always(self) -> int:
        if self._constant is None:
            self._constant = self._sink.new_var()
            self._sink.add_clause([self._constant])
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
