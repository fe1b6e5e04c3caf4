"""All constraints of a board as clauses and sums over numbered variables, for other solvers.

The variables 1 .. n are the covered cells, in reading order; auxiliary variables follow. Each
auxiliary variable is defined by the cells, so that a layout is one model; exceptions are rules
whose hidden choice the layout leaves open (`OPEN_RULES`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from pbcnf.constraints.constraint import Cardinality, Linear, PseudoBoolean
from pbcnf.constraints.normal_form import sum_of
from pbcnf.constraints.order import Reorder
from satsweeper.puzzle.board_constraints import CELLS, board_constraints
from satsweeper.puzzle.connection_levels import FALSE, TRUE, write_levels
from satsweeper.puzzle.constraints.protocol import Connection, Part
from satsweeper.puzzle.folding_writer import FoldingWriter
from satsweeper.puzzle.puzzle import Puzzle

OPEN_RULES: Final = ("2I", "2L")
"""Rules under which several hidden choices may fit one layout: two directions can be the missing
one, and covered cells of a line can each have the wrong number."""

_LONGEST: Final = 12
"""The most literals of a conjunction whose name lists them."""


class StatedBounds(NamedTuple):
    """Bounds ``lower <= sum of weight * literal <= upper``, implied by the literals ``when``.

    The sum is in normal form: variables are distinct and weights positive; ``weights`` None: all
    are 1. A clause has the bounds 1 and the number of literals.
    """

    part: Part
    literals: tuple[int, ...]
    weights: tuple[int, ...] | None
    lower: int
    upper: int
    when: tuple[int, ...] = ()

    @property
    def most(self) -> int:
        """The sum of all weights."""
        return len(self.literals) if self.weights is None else sum(self.weights)

    @property
    def is_clause(self) -> bool:
        """Whether the statement is a clause, of ``literals`` and the negated ``when``."""
        return self.weights is None and self.lower == 1 and self.upper >= len(self.literals)

    def in_order(self, reorder: Reorder) -> StatedBounds:
        """Return the statement with the literals of its sum in another order."""
        if self.is_clause:
            return self
        found = reorder(self._sum(self.literals, self.weights, None, None))
        weights = None if isinstance(found, Cardinality) else found.weights
        return self._replace(literals=found.lits, weights=weights)

    def constraints(self) -> Iterator[Linear]:
        """Yield constraints that hold exactly if the statement does.

        A bound that literals imply holds without them: a false one of them adds to the sum all that
        the bound may lack.
        """
        if self.is_clause:
            yield Cardinality([*self.literals, *[-lit for lit in self.when]], lower=1)
            return
        if not self.when:
            yield self._sum(self.literals, self.weights, self.lower, self.upper)
            return
        own = self.weights or (1,) * len(self.literals)
        literals = [*self.literals, *[-lit for lit in self.when]]
        for slack, lower, upper in (
            (self.lower, self.lower, None),
            (self.upper - self.most, None, self.upper),
        ):
            if slack:
                yield self._sum(literals, (*own, *[slack] * len(self.when)), lower, upper)

    @staticmethod
    def _sum(
        literals: Sequence[int],
        weights: Sequence[int] | None,
        lower: int | None,
        upper: int | None,
    ) -> Linear:
        if weights is None or {*weights} == {1}:
            return Cardinality(literals, lower, upper)
        return PseudoBoolean(literals, weights, lower, upper)


class ProblemWriter(FoldingWriter):
    """A writer that collects the statements of a board.

    Constraints see the variables of `Board`, and auxiliary variables behind them. Statements have
    the variables of covered cells as 1 .. n, and then the auxiliary variables.

    Args:
        puzzle: the board.
        flags: "trust": a flag is a known mine; "ignore": it is a covered cell.
    """

    def __init__(self, puzzle: Puzzle, flags: str = "trust") -> None:
        known = dict(puzzle.known)
        if flags == "trust":
            known |= {puzzle.board.mine(cell): True for cell in puzzle.flags}
        super().__init__(known)
        self.puzzle = puzzle
        self.statements: list[StatedBounds] = []
        """The statements, in their own numbers."""
        self.inputs = [v for v in range(1, puzzle.board.num_vars + 1) if v not in known]
        """The variables of `Board` that became 1 .. n."""
        self.roles: list[tuple[str, Part]] = []
        """Of each auxiliary variable its role in words, and the part that needs it."""
        self._number: dict[int, int] = {}
        for number, variable in enumerate(self.inputs, start=1):
            self._number |= {variable: number, -variable: -number}
        self._part = CELLS
        self._named = 0
        for constraint in board_constraints(puzzle, flags):
            if constraint.parts[0] != self._part:
                self._part, self._named = constraint.parts[0], 0
            constraint.write(self)

    def new_var(self) -> int:
        """Allocate an auxiliary variable and return it; its role is "choice" and a number."""
        self._named += 1
        return self.add_role(f"choice {self._named}")

    def connected(self, constraint: Connection) -> None:
        """Write the connection by levels."""
        write_levels(constraint, self._value, self._most(constraint), _Levels(self, constraint))

    def add_role(self, role: str) -> int:
        """Allocate an auxiliary variable that stands for ``role``."""
        self.roles.append((role, self._part))
        variable = self.puzzle.board.num_vars + len(self.roles)
        number = len(self.inputs) + len(self.roles)
        self._number |= {variable: number, -variable: -number}
        return variable

    def add_clause(self, part: Part, literals: Iterable[int]) -> None:
        """Add a clause of distinct literals none of which is known or the negation of another."""
        numbers = tuple(map(self._number.__getitem__, literals))
        self.statements.append(StatedBounds(part, numbers, None, 1, len(numbers)))

    def _most(self, constraint: Connection) -> int | None:
        """Return the largest number of true literals that the total allows, None without one."""
        mines, literals = self.puzzle.mines, constraint.literals
        if mines is None:
            return None
        if all(lit > 0 for lit in literals):
            return mines
        if all(lit < 0 for lit in literals) and not self.puzzle.capacity:
            # Of the cells of this connection those without a mine: all mines may lie elsewhere.
            return len(self.puzzle.geometry) - mines
        return None

    def _value(self, lit: int) -> int:
        if lit in self._true:
            return TRUE
        return FALSE if -lit in self._true else lit

    def _term(self, literals: tuple[int, ...]) -> int:
        cells = self.puzzle.geometry.cells
        if len(literals) > _LONGEST or any(abs(lit) > len(cells) for lit in literals):
            self._named += 1
            return self.add_role(f"term {self._named}")
        return self.add_role(
            " and ".join([f"{'safe' if v < 0 else 'mine'} {cells[abs(v) - 1]}" for v in literals])
        )

    def _add_clause(self, part: Part, literals: list[int]) -> None:
        kept = dict.fromkeys(literals)
        if not any(-lit in kept for lit in kept):
            self.add_clause(part, kept)

    def _add_bounds(
        self,
        part: Part,
        kept: list[int],
        kept_weights: list[int],
        lower: int,
        upper: int,
        when: list[int],
    ) -> None:
        guards = [-lit for lit in when]
        form = sum_of(PseudoBoolean(kept, kept_weights, lower, upper))
        if form is None:
            self._add_clause(part, guards)
            return
        for unit in form.units:
            self._add_clause(part, [unit, *guards])
        clause = form.clause()
        if clause is not None:
            self._add_clause(part, [*clause, *guards])
        elif form.lits:
            own = None if {*form.weights} == {1} else tuple(form.weights)
            number = self._number.__getitem__
            literals, implying = tuple(map(number, form.lits)), tuple(map(number, when))
            self.statements.append(
                StatedBounds(part, literals, own, form.lower, form.upper, implying)
            )


class _Levels:
    """The clauses of one connection for a `ProblemWriter`."""

    def __init__(self, writer: ProblemWriter, constraint: Connection) -> None:
        self._writer = writer
        self._constraint = constraint
        self._of = " of safe cells" if min(constraint.literals, default=0) < 0 else ""

    def level_var(self, role: str, node: int, level: int | None = None) -> int:
        lit = self._constraint.literals[node]
        cell = self._writer.puzzle.geometry.cells[abs(lit) - 1]
        after = "" if level is None else f" after {level}"
        return self._writer.add_role(f"{role} {cell}{after}{self._of}")

    def define(self, clause: Sequence[int]) -> None:
        self._add(CELLS, clause)

    def require(self, clause: Sequence[int]) -> None:
        self._add(self._constraint.part, clause)

    def _add(self, part: Part, clause: Sequence[int]) -> None:
        if TRUE not in clause:
            self._writer.add_clause(part, [lit for lit in clause if lit != FALSE])
