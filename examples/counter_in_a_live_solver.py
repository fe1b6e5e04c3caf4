"""The smallest vertex cover of a graph, by a counter in a live solver whose bound is assumed."""

from pysat.solvers import Solver

from pbcnf import Counter, Formula, find_encoder

# The graph of Petersen: a cycle, a star, and the edges between them.
EDGES = [(i, i % 5 + 1) for i in range(1, 6)]
EDGES += [(i + 5, (i + 1) % 5 + 6) for i in range(1, 6)]
EDGES += [(i, i + 5) for i in range(1, 6)]

formula = Formula(num_vars=10)
for edge in EDGES:
    formula.add_clause(edge)
totalizer = find_encoder("totalizer")
assert isinstance(totalizer, Counter)
chosen = totalizer.count(range(1, 11), upto=10, sink=formula)

with Solver("glucose4", bootstrap_with=formula.clauses()) as solver:
    bound = 10
    while solver.solve(assumptions=chosen.at_most(bound)):
        cover = [vertex for vertex in solver.get_model()[:10] if vertex > 0]
        print(f"at most {bound}: {cover}")
        bound = len(cover) - 1
    print(f"at most {bound}: none")
