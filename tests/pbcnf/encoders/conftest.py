"""A live solver as a sink, and counting by hand."""

from itertools import product
from types import SimpleNamespace

import pytest


class Sink:
    """A live solver as a sink."""

    def __init__(self, solver, num_vars):
        self.solver = solver
        self.num_vars = num_vars
        self.num_clauses = 0

    def new_var(self):
        return self.new_vars(1)

    def new_vars(self, count):
        self.num_vars += count
        return self.num_vars - count + 1

    def add_clause(self, clause):
        self.num_clauses += 1
        self.solver.add_clause(list(clause))

    def add_block(self, block):
        for clause in block.tolist():
            self.add_clause(clause)


def solvable(n, fixed, conditions):
    """Whether some assignment of n variables, with these literals, meets all conditions."""
    return any(
        all((assignment[abs(lit) - 1] > 0) == (lit > 0) for lit in fixed)
        and all(holds(assignment) for holds in conditions)
        for assignment in product((1, -1), repeat=n)
    )


@pytest.fixture(scope="session")
def live():
    return SimpleNamespace(Sink=Sink, solvable=solvable)
