"""A live solver as the receiver of a whole problem."""

from pbcnf.literals import Block, Clause
from satsweeper.solvers.sink import SolverSink


class LiveSink(SolverSink):
    """Passes clauses on, the empty one as a contradiction, as solvers cannot be told that."""

    num_literals = 0

    def add_clause(self, clause: Clause) -> None:
        """Add one clause."""
        if len(clause):
            self.num_literals += len(clause)
            super().add_clause(clause)
            return
        never = self.new_var()
        super().add_clause([never])
        super().add_clause([-never])

    def add_block(self, block: Block) -> None:
        """Add each row of an integer array as a clause."""
        if block.shape[1]:
            self.num_literals += block.size
            super().add_block(block)
        elif len(block):
            self.add_clause([])
