"""The rows of a board: pseudo-Boolean inequalities in a fixed form, and its connections.

Cell i, from 0 in reading order, is variable i + 1; then come variables of further mines in a cell,
see `puzzle.board`, and auxiliary variables in the order in which constraints ask for them. First
come units of what is known of cells, then the constraints in the order of `board_constraints`. The
form of each kind:

* a clause: ``sum of literals >= 1``;
* a sum within bounds: ``sum >= lower``, ``-sum >= -upper``, without a row that always holds. A
  sum that some literals imply has the negation of each in the row, with the weight by which the
  row could fail;
* a conjunction f of k literals: ``sum + k ~f >= k``, ``f + sum of negations >= 1``, once for each
  set of literals, and no variable for a single one;
* a sum of conjunctions: of the conjunctions in ascending order, each as its ascending literals;
* a sum with gaps between its values: a variable for each interval, one of them at least, and the
  interval's bounds implied by it;
* a table: a clause for each row that is not accepted, but for those that a known cell satisfies;
* a connection: the conjunctions "no cell before is in the set" and "this is the first that is", in
  turn for each cell from the second on. Cells known to be outside the set are left out. There are
  none where the set is anchored, and where a cell is known to be in it.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import pairwise, repeat
from typing import Final, NamedTuple

from satsweeper.puzzle.board_constraints import CELLS, TOTAL, board_constraints
from satsweeper.puzzle.constraints.protocol import Connection, Part
from satsweeper.puzzle.constraints.sums import Sum
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.puzzle import Puzzle

MOST_TABLED: Final = 16
"""The most literals of a table."""
MOST_INTERVALS: Final = 10_000
"""The most intervals of values of a sum."""


class BoardRow(NamedTuple):
    """``sum of weight * literal >= degree``; terms are pairs of a weight and a literal."""

    terms: tuple[tuple[int, int], ...]
    degree: int

    def opb(self) -> str:
        """Return the row as a line of OPB, without ``~``, which not all readers know."""
        degree = self.degree - sum([weight for weight, lit in self.terms if lit < 0])
        signed = [(weight if lit > 0 else -weight, abs(lit)) for weight, lit in self.terms]
        # A row without a term says that its degree is at most 0; readers want a term.
        text = "".join([f"{weight:+d} x{v} " for weight, v in signed]) or "+0 x1 "
        return f"{text}>= {degree} ;\n"


class BoardRows:
    """The rows of a board, as a writer that constraints write themselves to.

    ``rows``: in order, the n-th has the number n; ``sums``: numbers of rows that bound one sum from
    below and from above, None for a bound that always holds; every row is in one of them.
    ``connections``: what no row says, each with a literal "it is the first of the set" for each
    node. ``variables``: the number of variables.
    """

    def __init__(self, puzzle: Puzzle, flags: str) -> None:
        self.rows: list[BoardRow] = []
        self.sums: list[tuple[int | None, int | None]] = []
        self.total: list[tuple[int | None, int | None]] = []
        self.connections: list[tuple[Connection, list[int]]] = []
        self.variables = puzzle.board.num_vars
        self._conjunctions: dict[tuple[int, ...], int] = {}
        known = [v if value else -v for v, value in puzzle.known.items()]
        self._true = {*known}
        if flags == "trust":
            self._true |= {puzzle.board.mine(cell) for cell in puzzle.flags}
        for lit in known:
            self.clause(CELLS, (lit,))
        for constraint in board_constraints(puzzle, flags):
            constraint.write(self)

    def new_var(self) -> int:
        """Allocate an auxiliary variable and return it."""
        self.variables += 1
        return self.variables

    def clause(self, part: Part, literals: Sequence[int]) -> None:
        """Add a clause."""
        self._add(zip(repeat(1), literals), 1)

    def bounds(
        self,
        part: Part,
        literals: Sequence[int],
        weights: Sequence[int] | None,
        lower: int,
        upper: int,
        when: Sequence[int] = (),
    ) -> None:
        """Add the bounds of a sum, where all literals ``when`` are true."""
        factors = [1] * len(literals) if weights is None else weights
        least = sum([weight for weight in factors if weight < 0])
        most = sum([weight for weight in factors if weight > 0])
        found: list[int | None] = [None, None]
        terms = [*zip(factors, literals, strict=True)]
        if lower > least:
            guards = [(lower - least, -lit) for lit in when]
            found[0] = self._row([*terms, *guards], lower)
        if upper < most:
            negative = [(-weight, lit) for weight, lit in terms]
            guards = [(most - upper, -lit) for lit in when]
            found[1] = self._row([*negative, *guards], -upper)
        if when:
            # The two rows have no common sum: the weights of the guards differ.
            self.sums += [(number, None) for number in found if number is not None]
        elif found != [None, None]:
            (self.total if part == TOTAL else self.sums).append((found[0], found[1]))

    def conjunction(self, literals: Sequence[int]) -> int:
        """Return a literal that is true exactly if all literals are."""
        key = _ordered(literals)
        if len(key) == 1:
            return key[0]
        if key not in self._conjunctions:
            found = self._conjunctions[key] = self.new_var()
            self._add([*zip(repeat(1), key), (len(key), -found)], len(key))
            self._add([(1, found), *[(1, -lit) for lit in key]], 1)
        return self._conjunctions[key]

    def table(self, part: Part, literals: Sequence[int], accepted: int) -> None:
        """Add a clause for each row that is not accepted and that known cells allow.

        Raises RuleError for more rows than a certificate has.
        """
        if len(literals) > MOST_TABLED:
            what = f"a clue that is told by {len(literals)} cells or mines one by one"
            raise RuleError(f"{what} has no certificate: {MOST_TABLED} at most")
        for row in range(1 << len(literals)):
            if not accepted >> row & 1:
                clause = [-lit if row >> k & 1 else lit for k, lit in enumerate(literals)]
                if self._true.isdisjoint(clause):
                    self.clause(part, clause)

    def connected(self, constraint: Connection) -> None:
        """Keep the connection, and define of each cell that it is the first of the set.

        No cell is defined so where the set is anchored, or where a cell is known to be in it.
        """
        kept = constraint.without({abs(lit): lit > 0 for lit in self._true})
        firsts: list[int] = []
        if kept.anchors is None and self._true.isdisjoint(kept.literals):
            firsts += kept.literals[:1]
            before: list[int] = []
            for earlier, literal in pairwise(kept.literals):
                before = [self.conjunction([*before, -earlier])]
                firsts.append(self.conjunction([*before, literal]))
        self.connections.append((kept, firsts))

    def cuts(self, mines: Container[int]) -> list[list[int]]:
        """Return clauses that exclude a layout without the connections.

        They say of the least cell of a component: it is not in the set, or a cell between it and
        the rest of the set is, or the first cell of the set is on this side of those between. The
        first cell comes no later than the least of the component. Where a cell is known to be in
        the set, it takes the place of the first.
        """
        found = []
        for connection, firsts in self.connections:
            literals = connection.literals
            for (node, *_), between, beyond in connection.separations(mines):
                cut = [-literals[node], *[literals[each] for each in between]]
                if firsts:
                    cut += [firsts[each] for each in beyond if each <= node]
                elif connection.anchors is None:
                    cut.append(-literals[0])
                found.append(cut)
        return found

    def whole_sum(self, constraint: Sum) -> None:
        """Add a sum: between bounds, or in one interval of values or another."""
        part = constraint.part
        terms = sorted(zip(map(_ordered, constraint.terms), constraint.weights, strict=True))
        terms = [(term, weight) for term, weight in terms if weight]
        literals = [self.conjunction(term) for term, _ in terms]
        weights = [weight for _, weight in terms]
        intervals = constraint.intervals()
        if len(intervals) == 1:
            self.bounds(part, literals, weights, *intervals[0])
            return
        if len(intervals) > MOST_INTERVALS:
            what = f"a sum that may have {len(intervals)} values apart"
            raise RuleError(f"{what} has no certificate: {MOST_INTERVALS} at most")
        chosen = [self.new_var() for _ in intervals]
        self.clause(part, chosen)
        for choice, (lower, upper) in zip(chosen, intervals, strict=True):
            self.bounds(part, literals, weights, lower, upper, (choice,))

    def _add(self, terms: Sequence[tuple[int, int]] | zip[tuple[int, int]], degree: int) -> None:
        self.sums.append((self._row(terms, degree), None))

    def _row(self, terms: Sequence[tuple[int, int]] | zip[tuple[int, int]], degree: int) -> int:
        self.rows.append(BoardRow(tuple(terms), degree))
        return len(self.rows)


def _ordered(literals: Sequence[int]) -> tuple[int, ...]:
    """Return the literals once each, ascending by variable."""
    return tuple(sorted({*literals}, key=lambda lit: (abs(lit), lit)))
