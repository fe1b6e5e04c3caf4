"""Constraints of a board as clauses of a live solver, each part behind a selector."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbcnf.constraints.constraint import Cardinality, PseudoBoolean
from pbcnf.emission.encode import encode
from pbcnf.sink import ClauseSink, GuardedSink
from satsweeper.puzzle.constraints.protocol import Connection, Part, Separation
from satsweeper.puzzle.folding_writer import FoldingWriter

_DIRECT = 9
"""The most literals of a sum that is written without auxiliary variables."""
_LARGE = 200_000
"""The largest product of the literals of a sum and its bound for a totalizer, whose clauses grow
with this product; an adder has some twenty clauses for each literal instead."""

_NODES = 3
"""The most nodes of a component for which a separation becomes a clause."""


class ClauseWriter(FoldingWriter):
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
        super().__init__(known)
        self.selectors: dict[Part, int] = {}
        """The selector of each part that states something."""
        self.connections: list[Connection] = []
        """Connections, of which no clause is written: a model has to be checked."""
        self._sink = sink
        self._mines = {lit for lit in self._true if lit > 0}
        self._encoding = encoding
        self._total_encoding = total_encoding
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

    def connected(self, constraint: Connection) -> None:
        """Keep the connection for `separate`, and make its selector."""
        self.selector(constraint.part)
        self.connections.append(constraint)

    def separate(self, connection: Connection, separation: Separation) -> None:
        """Add that a layout does not separate what a connection asks to be connected."""
        literals = connection.literals
        clause = [literals[node] for node in separation.between]
        beyond = separation.beyond if connection.anchors is None else ()
        if beyond and id(connection) not in self._none_before:
            none = [self._always()]
            for literal in literals[:-1]:
                none.append(self.conjunction([none[-1], -literal]))
            # Not earlier: it is made anew after an interrupt.
            self._none_before[id(connection)] = none
        # The clause holds for each node of the component: two more save questions, all would not.
        for node in separation.nodes[:_NODES]:
            # The first node of the set is in the set, and no node before it is.
            firsts = [
                self.conjunction([self._none_before[id(connection)][each], literals[each]])
                for each in beyond
                if each <= node
            ]
            self.clause(connection.part, [-literals[node], *clause, *firsts])

    def mines(self, model: Iterable[int]) -> set[int]:
        """Return the true variables of cells; ``model``: their literals, known cells have any."""
        return {lit for lit in model if lit > 0 and -lit not in self._true} | self._mines

    def _add_clause(self, part: Part, literals: list[int]) -> None:
        if part.kind != "cells":
            literals.append(-self.selector(part))
        self._sink.add_clause(literals)

    def _add_bounds(
        self,
        part: Part,
        literals: list[int],
        weights: list[int],
        lower: int,
        upper: int,
        when: list[int],
    ) -> None:
        sink = GuardedSink(self._sink, -self.selector(part))
        for lit in when:
            sink = GuardedSink(sink, -lit)
        if {*weights} <= {1}:
            name = self._encoding if len(literals) <= _DIRECT else self._total_encoding
            if name == "totalizer" and len(literals) * min(upper, len(literals)) > _LARGE:
                name = "adder"
            encode(Cardinality(literals, lower, upper), sink, name)
        else:
            encode(PseudoBoolean(literals, weights, lower, upper), sink)
