"""A live solver as a sink, and what is possible there by trying all assignments."""

from tests.oracles import assignments, value


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
        all(value(lit, bits) for lit in fixed) and all(holds(bits) for holds in conditions)
        for bits in assignments(n)
    )
