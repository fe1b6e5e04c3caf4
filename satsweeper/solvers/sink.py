"""Live solvers by name, and a live solver as a clause sink and as a sink of constraints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import neg
from typing import TYPE_CHECKING

from pbcnf.encoders.circuits.template import Template, cached, template_of_subsets
from pbcnf.literals import Block, Clause
from satsweeper.solvers.programs import EXTERNAL
from satsweeper.solvers.protocol import LiveSolver

if TYPE_CHECKING:
    from pbcnf.encoders.protocol import Encoder


def open_solver(name: str) -> LiveSolver:
    """Return a new solver without clauses.

    Raises SolverError for a name that ``table.features`` refuses.
    """
    if name.startswith(EXTERNAL):
        from satsweeper.solvers.external import ExternalSolver

        return ExternalSolver(name)
    from satsweeper.solvers.pysat import PysatSolver

    return PysatSolver(name)


class SolverSink:
    """A clause sink that allocates variables and adds clauses to a live solver; counts both."""

    def __init__(self, solver: LiveSolver) -> None:
        self.solver = solver
        self.num_vars = 0
        self.num_clauses = 0

    def new_var(self) -> int:
        """Allocate a variable and return it."""
        self.num_vars += 1
        return self.num_vars

    def new_vars(self, count: int) -> int:
        """Allocate ``count`` consecutive variables and return the first."""
        first = self.num_vars + 1
        self.num_vars += count
        return first

    def add_clause(self, clause: Clause) -> None:
        """Add a clause."""
        self.solver.add_clause(clause)
        self.num_clauses += 1

    def add_block(self, block: Block) -> None:
        """Add each row of an integer array as a clause."""
        for clause in block.tolist():
            self.solver.add_clause(clause)
        self.num_clauses += len(block)

    def add_exactly(
        self, encoder: str | Encoder, sums: Iterable[tuple[Sequence[int], int]]
    ) -> None:
        """Add "exactly ``need`` of ``literals``" for each pair of ``sums``.

        The literals of a pair are distinct, of allocated variables. A session spends much of its
        time here, so clauses come from one template for each shape, without normalisation.
        """
        add = self.solver.add_clause
        templates: dict[tuple[int, int], Template] = {}
        for literals, need in sums:
            shape = len(literals), need
            template = templates.get(shape)
            if template is None:
                template = templates[shape] = _template(encoder, *shape)
            if template.auxiliaries:
                first = self.new_vars(template.auxiliaries)
                literals = [*literals, *range(first, first + template.auxiliaries)]
            # lookup[k] is the literal for k, and lookup[-k] its negation, as negative indices count
            # from the end.
            lookup = (0, *literals, *map(neg, reversed(literals)))
            for clause in template.getters:
                add(clause(lookup))
            self.num_clauses += template.num_clauses


def _template(encoder: str | Encoder, n: int, need: int) -> Template:
    if encoder == "direct":
        # The clauses of `Direct`, without importing the table of encoders, which would take half
        # the time of a session.
        return cached(template_of_subsets, n, need, need)
    from pbcnf.emission.dispatch import template

    return template(encoder, n, need, need)
