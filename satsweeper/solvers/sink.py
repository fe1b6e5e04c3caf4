"""A live solver as the receiver of clauses, and the loop that hands it many constraints."""

from collections.abc import Iterable, Sequence
from operator import neg

from pbcnf.emission.template import Template, template
from pbcnf.encoders.protocol import Encoder
from pbcnf.literals import Block, Clause
from satsweeper.solvers.protocol import LiveSolver


class SolverSink:
    """Hands out variables and passes clauses straight to a solver; counts both."""

    def __init__(self, solver: LiveSolver) -> None:
        self.solver = solver
        self.num_vars = 0
        self.num_clauses = 0

    def new_var(self) -> int:
        """Allocate one variable."""
        self.num_vars += 1
        return self.num_vars

    def new_vars(self, count: int) -> int:
        """Allocate ``count`` consecutive variables and return the first."""
        first = self.num_vars + 1
        self.num_vars += count
        return first

    def add_clause(self, clause: Clause) -> None:
        """Add one clause."""
        self.solver.add_clause(clause)
        self.num_clauses += 1

    def add_block(self, block: Block) -> None:
        """Add each row of an integer array as a clause."""
        for clause in block.tolist():
            self.solver.add_clause(clause)
        self.num_clauses += len(block)

    def add_exactly(self, encoder: Encoder, sums: Iterable[tuple[Sequence[int], int]]) -> None:
        """Add "exactly ``need`` of these literals" for each pair; literals distinct and valid.

        The hot path of a session: a cached template a shape, no normal form, no lists of clauses.
        """
        add = self.solver.add_clause
        stamps: dict[tuple[int, int], Template] = {}
        for literals, need in sums:
            shape = len(literals), need
            stamp = stamps.get(shape)
            if stamp is None:
                stamp = stamps[shape] = template(encoder, len(literals), need, need)
            if stamp.auxiliaries:
                first = self.new_vars(stamp.auxiliaries)
                literals = [*literals, *range(first, first + stamp.auxiliaries)]
            lookup = (0, *literals, *map(neg, reversed(literals)))
            for clause in stamp.getters:
                add(clause(lookup))
            self.num_clauses += len(stamp.getters)
